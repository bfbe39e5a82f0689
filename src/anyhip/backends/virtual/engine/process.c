// The process: threads and their signals, host calls, and what is left of it all after fork().
#define _GNU_SOURCE
#include "engine.h"
#include <signal.h>
#include <stdlib.h>

#define THREADS_MOST 1024u

// Signals meant for the program go to the program's threads; those of a thread's own doing cannot be blocked.
static int start_thread(void *(*main)(void *), void *argument, pthread_t *thread) {
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(thread, NULL, main, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error)
        pthread_detach(*thread);
    return error;
}

// Lock held; at the first work. Fewer threads than wished for are enough, none is not.
void workers_start(void) {
    if (engine.started)
        return;
    engine.started = true;
    for (uint32_t i = 0; i < engine.threads; i++) {
        struct worker *worker = calloc(1, sizeof *worker);
        if (worker)
            worker->number = i;
        if (!worker || start_thread(worker_main, worker, &worker->thread)) {
            free(worker);
            if (!i)
                abort(); // no thread at all: nothing would ever complete, and no call could say so
            engine.threads = i;
            return;
        }
    }
}

static void run_call(struct command *command) {
    if (command->kind == COMMAND_CALL)
        command->call.function((void *)command->call.argument);
    else
        anyhip_python_call(command->call.argument);
}

// Host calls have a thread of their own: they may take their time, and kernels may wait for what they do.
static void *call_main(void *argument) {
    (void)argument;
    lock_engine();
    for (;;) {
        struct command *command = engine.host_calls;
        if (!command) {
            pthread_cond_wait(&engine.calls, &engine.lock);
            continue;
        }
        engine.host_calls = command->next_job;
        if (!engine.host_calls)
            engine.host_calls_last = &engine.host_calls;
        unlock_engine();
        run_call(command);
        lock_engine();
        complete(command);
    }
    return NULL;
}

void offer_host_call(struct command *command) {
    static pthread_t thread;
    command->next_job = NULL;
    *engine.host_calls_last = command;
    engine.host_calls_last = &command->next_job;
    if (!engine.call_thread) {
        engine.call_thread = true;
        if (start_thread(call_main, NULL, &thread))
            abort();
    }
    pthread_cond_signal(&engine.calls);
}

static int enqueue_host_call(struct stream *stream, enum command_kind kind, uintptr_t function,
                             uintptr_t argument) {
    if (atomic_load(&engine.forked))
        return ENGINE_FORKED;
    struct command *command = command_new(kind, 0);
    if (!command)
        return ENGINE_NO_MEMORY;
    command->call.function = (void (*)(void *))function;
    command->call.argument = argument;
    return enqueue(stream, command);
}

int enqueue_call(uintptr_t stream, uintptr_t function, uintptr_t argument) {
    return enqueue_host_call((struct stream *)stream, COMMAND_CALL, function, argument);
}

int enqueue_python_call(uintptr_t stream, uintptr_t id) {
    return enqueue_host_call((struct stream *)stream, COMMAND_PYTHON, 0, id);
}

// Only the forking thread lives on in the child; whatever the others held stays locked. So every call says
// so.
static void in_child(void) { atomic_store(&engine.forked, engine.started || engine.call_thread); }

// Once a process, before anything else. ENGINE_NO_MEMORY: no signal handler or fork handler could be
// installed.
int engine_start(uint32_t threads, uint32_t cores) {
    static bool done;
    if (done)
        return ENGINE_OK;
    engine.threads = threads < 1 ? 1 : threads > THREADS_MOST ? THREADS_MOST : threads;
    engine.cores = cores < 1 ? 1 : cores;
    if (faults_install() || pthread_atfork(NULL, NULL, in_child))
        return ENGINE_NO_MEMORY;
    done = true;
    return ENGINE_OK;
}

void engine_limit(uint64_t ns) { atomic_store(&engine.limit_ns, ns); }
uint32_t engine_threads(void) { return engine.threads; }
int engine_forked(void) { return atomic_load(&engine.forked); }
