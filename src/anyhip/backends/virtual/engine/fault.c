// Signals raised inside translated kernels and guarded copies: the thread jumps back to its guard. Signals
// raised anywhere else go to whoever handled them before.
#define _GNU_SOURCE
#include "engine.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define ALTERNATE_STACK_BYTES 65536

_Thread_local struct guard *volatile current_guard;
static _Thread_local volatile sig_atomic_t chaining;

static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#define SIGNAL_COUNT (sizeof SIGNALS / sizeof *SIGNALS)
static struct sigaction previous[SIGNAL_COUNT];

static uint64_t instruction_pointer(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return context->uc_mcontext.pc;
#else
#error "the engine needs the faulting instruction's address on this host"
#endif
}

static uint64_t stack_pointer(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uint64_t)context->uc_mcontext.gregs[REG_RSP];
#else
    return context->uc_mcontext.sp;
#endif
}

// The instruction, or where a helper that it is in returns to: the first word between the stack's end and the
// guard that points into the guarded function.
static uint64_t told_instruction(const struct guard *guard, const ucontext_t *context) {
    uint64_t ip = instruction_pointer(context);
    if (!guard->code_bytes || ip - guard->code < guard->code_bytes)
        return ip;
    uint64_t end = (uint64_t)(uintptr_t)guard;
    for (uint64_t at = (stack_pointer(context) + 7) & ~7ull; at < end; at += 8) {
        uint64_t word = *(const uint64_t *)(uintptr_t)at;
        if (word - 1 - guard->code < guard->code_bytes)
            return word - 1; // inside of the call, not behind it
    }
    return ip;
}

static void default_action(int number, const siginfo_t *info) {
    signal(number, SIG_DFL);
    if (info->si_code <= 0) // sent by kill(): no instruction will fault again and bring it back
        raise(number);
}

static void chain(int number, siginfo_t *info, void *context) {
    size_t i = 0;
    while (SIGNALS[i] != number)
        i++;
    struct sigaction *before = &previous[i];
    if (chaining) { // the handler before us handed it on to us again
        default_action(number, info);
        return;
    }
    chaining = 1;
    if (before->sa_flags & SA_SIGINFO) {
        before->sa_sigaction(number, info, context);
    } else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN) {
        before->sa_handler(number);
    } else {
        default_action(number, info);
    }
    chaining = 0;
}

static void on_signal(int number, siginfo_t *info, void *context) {
    struct guard *guard = current_guard;
    if (!guard || info->si_code <= 0) {
        chain(number, info, context);
        return;
    }
    current_guard = NULL;
    guard->signal = (uint32_t)number;
    guard->address = (uint64_t)(uintptr_t)info->si_addr;
    guard->ip = told_instruction(guard, context);
    siglongjmp(guard->jump, 1);
}

// Put our handlers on top. Again before each kernel's first launch: test frameworks and crash reporters
// install theirs whenever they like.
int faults_install(void) {
    struct sigaction action, now;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER; // the handler does not return: never stay blocked
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        if (sigaction(SIGNALS[i], NULL, &now))
            return -1;
        if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_signal)
            continue;
        previous[i] = now;
        if (sigaction(SIGNALS[i], &action, NULL))
            return -1;
    }
    return 0;
}

int faults_thread(void) {
    stack_t stack = {0};
    stack.ss_size = ALTERNATE_STACK_BYTES;
    stack.ss_sp = mmap(NULL, stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return stack.ss_sp == MAP_FAILED ? -1 : sigaltstack(&stack, NULL);
}
