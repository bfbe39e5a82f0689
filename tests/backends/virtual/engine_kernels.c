// Hand-written "translated kernels": one a -D KERNEL_<name>, each exporting anyhip_kernel.
// The descriptor of engine_kernels.py puts the kernel arguments' address in s[0:1] and the workgroup id in
// s2..s4.
#include "engine.h"
#include <stdlib.h>
#include <string.h>

static uint8_t *kernarg(const struct wave *w) {
    return (uint8_t *)(((uint64_t)w->sgpr[1] << 32) | w->sgpr[0]);
}
static uint64_t argument(const struct wave *w, int index) {
    uint64_t value;
    memcpy(&value, kernarg(w) + 8 * index, 8);
    return value;
}
static uint64_t exec(const struct wave *w) { return ((uint64_t)w->sgpr[127] << 32) | w->sgpr[126]; }
static int finish(struct wave *w) {
    w->resume = ~0ull;
    return KERNEL_END;
}

__attribute__((visibility("default"))) int anyhip_kernel(struct wave *w) {
    uint32_t group = w->sgpr[2];
    (void)group;
#if defined(KERNEL_empty)
    return KERNEL_END;
#elif defined(KERNEL_ids)       // out[group][wave][0..63] = v0, [64] = exec, [65] = y | z << 16 of the group
    uint64_t *out = (uint64_t *)argument(w, 0) + ((uint64_t)group * argument(w, 1) + w->index) * 66;
    for (int lane = 0; lane < 64; lane++)
        out[lane] = exec(w) >> lane & 1 ? w->vgpr[0][lane] : 0xdead;
    out[64] = exec(w);
    out[65] = w->sgpr[3] | (uint64_t)w->sgpr[4] << 16;
    return finish(w);
#elif defined(KERNEL_barrier)   // each wave sees what every other wrote before the barrier, twice
    uint32_t *lds = (uint32_t *)w->lds;
    uint32_t waves = (uint32_t)argument(w, 1);
    if (w->resume == 0) {
        if (lds[w->index]) // LDS is zeroed for each workgroup
            abort();
        lds[w->index] = w->index + 1;
        w->resume = 1;
        return KERNEL_BARRIER;
    }
    if (w->resume == 1) {
        w->vgpr[1][0] = 0;
        for (uint32_t i = 0; i < waves; i++)
            w->vgpr[1][0] += lds[i];
        w->resume = 2;
        return KERNEL_BARRIER;
    }
    ((uint32_t *)argument(w, 0))[group * waves + w->index] = w->vgpr[1][0];
    return finish(w);
#elif defined(KERNEL_early_end) // wave 0 ends before the barrier that the others wait at
    if (w->index == 0)
        return finish(w);
    if (w->resume == 0) {
        w->resume = 1;
        return KERNEL_BARRIER;
    }
    __atomic_fetch_add((uint32_t *)argument(w, 0), 1, __ATOMIC_RELAXED);
    return finish(w);
#elif defined(KERNEL_count)
    __atomic_fetch_add((uint64_t *)argument(w, 0), 1, __ATOMIC_RELAXED);
    return finish(w);
#elif defined(KERNEL_spin_on_later_group) // every workgroup but the last waits for the next one
    uint32_t *flags = (uint32_t *)argument(w, 0);
    if (group + 1 < argument(w, 1) && !__atomic_load_n(&flags[group + 1], __ATOMIC_ACQUIRE))
        return KERNEL_YIELD;
    __atomic_store_n(&flags[group], 1, __ATOMIC_RELEASE);
    return finish(w);
#elif defined(KERNEL_poll_later_group)    // the same by reading in a loop, as code without s_sleep does
    uint32_t *flags = (uint32_t *)argument(w, 0);
    while (group + 1 < argument(w, 1) && !__atomic_load_n(&flags[group + 1], __ATOMIC_ACQUIRE))
        if (!--w->fuel)
            return KERNEL_YIELD;
    __atomic_store_n(&flags[group], 1, __ATOMIC_RELEASE);
    return finish(w);
#elif defined(KERNEL_long_loop)           // out[group * waves + wave] = sum of 0 .. n-1, over many yields
    while (w->resume < argument(w, 1)) {
        *(uint64_t *)w->vgpr[1] = w->resume ? *(uint64_t *)w->vgpr[1] + w->resume : 0;
        w->resume++;
        if (!--w->fuel)
            return KERNEL_YIELD;
    }
    ((uint64_t *)argument(w, 0))[group * argument(w, 2) + w->index] = *(uint64_t *)w->vgpr[1];
    return finish(w);
#elif defined(KERNEL_spin_until)          // the host, another kernel or another wave sets the flag
    while (!__atomic_load_n((uint32_t *)argument(w, 0), __ATOMIC_ACQUIRE))
        if (!--w->fuel)
            return KERNEL_YIELD;
    __atomic_fetch_add((uint32_t *)argument(w, 1), 1, __ATOMIC_RELAXED);
    return finish(w);
#elif defined(KERNEL_set)
    __atomic_store_n((uint32_t *)argument(w, 0), (uint32_t)argument(w, 1), __ATOMIC_RELEASE);
    return finish(w);
#elif defined(KERNEL_slow_append) // list[list[0]++ + 1] = value, after a while
    if (w->resume < argument(w, 2)) {
        w->resume++;
        return KERNEL_YIELD;
    }
    uint32_t *list = (uint32_t *)argument(w, 0);
    list[1 + list[0]] = (uint32_t)argument(w, 1);
    list[0]++;
    return finish(w);
#elif defined(KERNEL_grid_sync)   // every workgroup arrives, then every one leaves
    uint32_t *count = (uint32_t *)argument(w, 0);
    if (w->resume == 0) {
        __atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL);
        w->resume = 1;
    }
    if (__atomic_load_n(count, __ATOMIC_ACQUIRE) < argument(w, 1))
        return KERNEL_YIELD;
    __atomic_fetch_add(count + 1, 1, __ATOMIC_RELAXED);
    return finish(w);
#elif defined(KERNEL_trap)
    w->trap = (uint32_t)argument(w, 1);
    w->pc = 0x1234;
    if (w->resume) {
        *(uint32_t *)argument(w, 0) = 77;
        return finish(w);
    }
    w->resume = 1;
    return group == argument(w, 2) && w->index == 1 ? KERNEL_TRAP : KERNEL_END;
#elif defined(KERNEL_unsupported)
    w->pc = 0x40;
    return KERNEL_UNSUPPORTED;
#elif defined(KERNEL_store) // *(u32 *)(base + offset) = 1
    *(volatile uint32_t *)(argument(w, 0) + argument(w, 1)) = 1;
    return finish(w);
#elif defined(KERNEL_divide)
    volatile int zero = (int)argument(w, 0), many = 1000;
    return many / zero;
#elif defined(KERNEL_recurse)
    volatile char room[4096];
    room[0] = 1;
    return anyhip_kernel(w) + room[0];
#elif defined(KERNEL_copy_kernarg) // bytes, from kernarg + 16, to the first argument
    memcpy((void *)argument(w, 0), kernarg(w) + 16, argument(w, 1));
    return finish(w);
#elif defined(KERNEL_copy_sgprs)
    memcpy((void *)argument(w, 0), w->sgpr, sizeof w->sgpr);
    return finish(w);
#elif defined(KERNEL_copy_sgprs_of_last_group) // of two: the one whose ids add up to 1
    if (w->sgpr[2] + w->sgpr[3] + w->sgpr[4] == argument(w, 1))
        memcpy((void *)argument(w, 0), w->sgpr, sizeof w->sgpr);
    return finish(w);
#elif defined(KERNEL_copy_dispatch)            // dispatch pointer in s[0:1], arguments in s[2:3]
    uint64_t *out;
    memcpy(&out, (void *)(((uint64_t)w->sgpr[3] << 32) | w->sgpr[2]), 8);
    memcpy(out, kernarg(w), 64);
    return finish(w);
#elif defined(KERNEL_copy_grid_sync)
    if (group == 0)
        memcpy((void *)argument(w, 0), (void *)argument(w, 2), 44);
    return finish(w);
#elif defined(KERNEL_print)   // one record that holds `value`; then an assertion's trap if asked for
    uint32_t *buffer = (uint32_t *)argument(w, 2);
    uint32_t at = __atomic_fetch_add(buffer, 8, __ATOMIC_RELAXED);
    memcpy((uint8_t *)buffer + 16 + at, &(uint64_t){argument(w, 0)}, 8);
    if (!argument(w, 1))
        return finish(w);
    buffer[2] = 1;
    w->trap = 2;
    return KERNEL_TRAP;
#elif defined(KERNEL_scratch) // private memory: own for each wave, as large as asked for
    uint32_t *memory = (uint32_t *)w->scratch;
    for (uint32_t i = 0; i < w->scratch_size / 4 * 64; i++)
        memory[i] = w->index + 1;
    if (w->resume == 0) {
        w->resume = 1;
        return KERNEL_BARRIER;
    }
    for (uint32_t i = 0; i < w->scratch_size / 4 * 64; i++)
        if (memory[i] != w->index + 1)
            return KERNEL_UNSUPPORTED;
    __atomic_fetch_add((uint32_t *)argument(w, 0), w->scratch_size, __ATOMIC_RELAXED);
    return finish(w);
#endif
}
