// One workgroup: its waves' initial state (AMDGPUUsage, "Initial Kernel Execution State"), and running them
// in turn until all have ended or none makes progress.
#include "engine.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_OFFSET(field, offset) _Static_assert(offsetof(struct wave, field) == offset, #field)
CHECK_OFFSET(sgpr, WAVE_SGPR);
CHECK_OFFSET(resume, WAVE_RESUME);
CHECK_OFFSET(scc, WAVE_SCC);
CHECK_OFFSET(index, WAVE_INDEX);
CHECK_OFFSET(lds, WAVE_LDS);
CHECK_OFFSET(scratch, WAVE_SCRATCH);
CHECK_OFFSET(code_base, WAVE_CODE_BASE);
CHECK_OFFSET(pc, WAVE_PC);
CHECK_OFFSET(trap, WAVE_TRAP);
CHECK_OFFSET(lds_size, WAVE_LDS_SIZE);
CHECK_OFFSET(scratch_size, WAVE_SCRATCH_SIZE);
CHECK_OFFSET(fuel, WAVE_FUEL);
CHECK_OFFSET(hw_id, WAVE_HW_ID);
CHECK_OFFSET(xcc_id, WAVE_XCC_ID);
CHECK_OFFSET(flat_scratch, WAVE_FLAT_SCRATCH);
CHECK_OFFSET(mode, WAVE_MODE);
CHECK_OFFSET(clock, WAVE_CLOCK);
CHECK_OFFSET(vgpr, WAVE_VGPR);

#define EXEC_LO 126
#define EXEC_HI 127
#define LDS_SPARE 64      // what translated code accesses out of range goes here, at most 16 bytes of it
#define SCRATCH_SPARE 768 // a four-dword access at the last offset of private memory: three rows more
#define TTMP7 115
#define TTMP9 117
#define FUEL_FIRST 1024u
#define FUEL_LEAST 64u
#define FUEL_MOST (1u << 16)
#define QUANTUM_NS 10000u   // a yielding wave's turn is tuned to about this long
#define STALLED_ROUNDS 3    // rounds without progress after which a workgroup that polls gives way
#define PATIENCE_NS 500000u // time after which any other does: a long loop whose state is in the caches
#define LONG_ROUNDS 4096    // turns with progress after which others get a chance too
#define SIGNALS_A_TURN 64    // arrivals at the barrier after which the other waves get their turn
#define DEBUG_TRAP 3        // s_trap 3: nothing happens without a debugger

typedef uint8_t line __attribute__((vector_size(CACHE_LINE), aligned(16), may_alias));

static size_t wave_stride(const struct kernel *kernel) {
    size_t lines =
        (sizeof(struct wave) + (size_t)kernel->vgpr_rows * VGPR_BYTES + CACHE_LINE - 1) / CACHE_LINE;
    return (lines | 1) * CACHE_LINE; // odd: rows of different waves do not share cache sets
}

static size_t scratch_bytes(const struct dispatch *dispatch) {
    size_t used = (size_t)dispatch->kernel->scratch_bytes * WAVE_LANES * dispatch->wave_count;
    return used ? used + SCRATCH_SPARE : 0;
}

uint64_t group_state_bytes(const struct dispatch *dispatch) {
    return wave_stride(dispatch->kernel) * dispatch->wave_count + dispatch->lds_size +
           scratch_bytes(dispatch);
}

static bool fit(struct worker *worker, uint8_t **memory, size_t *have, size_t want) {
    if (want <= *have)
        return true;
    state_unmap(*memory, *have);
    worker->state_bytes -= *have;
    *memory = state_map(want);
    *have = *memory ? want : 0;
    worker->state_bytes += *have;
    return *memory != NULL;
}

// Work-item ids are the same for every workgroup: computed once a place, as rows that waves start with.
static void compute_ids(const struct dispatch *dispatch, uint32_t *rows) {
    const struct kernel *kernel = dispatch->kernel;
    uint32_t use_y = kernel->workitem_id > 0, use_z = kernel->workitem_id > 1;
    uint32_t x = 0, y = 0, z = 0;
    for (uint32_t wave = 0; wave < dispatch->wave_count; wave++, rows += 3 * WAVE_LANES)
        for (uint32_t lane = 0; lane < kernel->wave_size; lane++) {
            rows[lane] = kernel->packed_ids ? x | (use_y ? y << 10 : 0) | (use_z ? z << 20 : 0) : x;
            rows[WAVE_LANES + lane] = y;
            rows[2 * WAVE_LANES + lane] = z;
            if (++x == dispatch->block[0]) {
                x = 0;
                if (++y == dispatch->block[1]) {
                    y = 0;
                    z++;
                }
            }
        }
}

static bool fit_ids(struct group *group) {
    const struct dispatch *dispatch = group->dispatch;
    const struct kernel *kernel = dispatch->kernel;
    uint32_t form[5] = {dispatch->block[0], dispatch->block[1], dispatch->block[2],
                        kernel->packed_ids << 2 | kernel->workitem_id, kernel->wave_size};
    if (!memcmp(form, group->ids_form, sizeof form))
        return true;
    uint32_t *rows = realloc(group->ids, (size_t)dispatch->wave_count * 3 * VGPR_BYTES);
    if (!rows)
        return false;
    group->ids = rows;
    memcpy(group->ids_form, form, sizeof form);
    compute_ids(dispatch, rows);
    return true;
}

static void workitem_ids(const struct group *group, struct wave *wave, uint32_t index) {
    const struct kernel *kernel = group->dispatch->kernel;
    uint32_t rows = kernel->packed_ids ? 1 : kernel->workitem_id + 1;
    const uint32_t *ids = group->ids + (size_t)index * 3 * WAVE_LANES;
    const line *from = (const line *)ids;
    line *to = (line *)wave->vgpr;
    for (uint32_t i = 0; i < rows * (VGPR_BYTES / CACHE_LINE); i++)
        to[i] = from[i]; // a call of memcpy would take longer
}

static void group_ids(const struct dispatch *dispatch, const uint32_t *id, uint32_t *sgpr) {
    const struct kernel *kernel = dispatch->kernel;
    if (kernel->ttmp_group_ids) {
        sgpr[TTMP9] = id[0];
        sgpr[TTMP7] = id[1] | id[2] << 16;
        return;
    }
    uint32_t at = kernel->user_sgprs;
    for (int i = 0; i < 3; i++)
        if (kernel->group_id_enable >> i & 1)
            sgpr[at++] = id[i];
    if (kernel->group_id_enable >> 3 & 1)
        sgpr[at++] = dispatch->wave_count; // workgroup info: waves in the group, bits 5:0
    if (kernel->private_segment && !kernel->architected_scratch)
        sgpr[at++] = 0; // scratch wave offset
}

static uint64_t exec_mask(const struct dispatch *dispatch, uint32_t first) {
    uint32_t size = dispatch->kernel->wave_size;
    uint32_t items = dispatch->block[0] * dispatch->block[1] * dispatch->block[2];
    uint32_t lanes = items - first < size ? items - first : size;
    return lanes == 64 ? UINT64_MAX : (1ull << lanes) - 1;
}

static struct wave *wave_at(const struct group *group, uint32_t index) {
    return (struct wave *)(group->waves + group->stride * index);
}

// The next workgroup's wave where the last one's has left the state as it was, but for VGPRs.
static void wave_renew(struct group *group, uint32_t index) {
    struct wave *wave = wave_at(group, index);
    group_ids(group->dispatch, group->id, wave->sgpr);
    wave->resume = 0;
    wave->mode = group->dispatch->kernel->mode;
    wave->engine[0] = WAVE_RUNNING;
    workitem_ids(group, wave, index);
}

static void wave_init(struct group *group, uint32_t index, uint32_t worker_number) {
    const struct dispatch *dispatch = group->dispatch;
    const struct kernel *kernel = dispatch->kernel;
    struct wave *wave = wave_at(group, index);
    memset(&wave->resume, 0, offsetof(struct wave, vgpr) - offsetof(struct wave, resume));
    memcpy(wave->sgpr, dispatch->sgpr, sizeof wave->sgpr);
    group_ids(dispatch, group->id, wave->sgpr);
    uint64_t exec = exec_mask(dispatch, index * kernel->wave_size);
    wave->sgpr[EXEC_LO] = (uint32_t)exec;
    wave->sgpr[EXEC_HI] = (uint32_t)(exec >> 32);
    wave->index = index;
    wave->lds = group->lds;
    wave->lds_size = dispatch->lds_size;
    wave->scratch = group->scratch + (size_t)kernel->scratch_bytes * WAVE_LANES * index;
    wave->scratch_size = kernel->scratch_bytes;
    wave->code_base = kernel->code_base;
    wave->hw_id = (index & 0xf) | (worker_number & 0xf) << 8 | (worker_number >> 4 & 7) << 13;
    wave->flat_scratch = (uint64_t)PRIVATE_APERTURE << 32;
    wave->mode = kernel->mode;
    wave->clock = constant_clock;
    workitem_ids(group, wave, index);
}

static struct group *place_take(struct worker *worker) {
    if (worker->spare_count)
        return worker->spare[--worker->spare_count];
    return calloc(1, sizeof(struct group));
}

static void place_in_grid(struct group *group, uint64_t number) {
    const uint32_t *grid = group->dispatch->grid;
    if (number < grid[0]) { // without a division
        group->id[0] = (uint32_t)number;
        group->id[1] = group->id[2] = 0;
        return;
    }
    group->id[0] = (uint32_t)(number % grid[0]);
    group->id[1] = (uint32_t)(number / grid[0] % grid[1]);
    group->id[2] = (uint32_t)(number / grid[0] / grid[1]);
}

// Memory for the state of a workgroup of the dispatch. False: the host has none.
static bool place_fit(struct worker *worker, struct group *group, struct dispatch *dispatch) {
    group->dispatch = dispatch;
    group->stride = wave_stride(dispatch->kernel);
    return fit_ids(group) &&
           fit(worker, &group->waves, &group->waves_bytes, group->stride * dispatch->wave_count) &&
           fit(worker, &group->lds, &group->lds_bytes, dispatch->lds_size + LDS_SPARE) &&
           fit(worker, &group->scratch, &group->scratch_bytes, scratch_bytes(dispatch));
}

// The workgroup `number`, ready to run. Null when the host has no memory for its state.
struct group *group_open(struct worker *worker, struct dispatch *dispatch, uint64_t number) {
    struct group *group = place_take(worker);
    if (!group)
        return NULL;
    uint64_t ticket = command_of(dispatch)->ticket;
    bool renew = group->prepared == ticket;
    if (!renew && !place_fit(worker, group, dispatch)) {
        group->prepared = 0;
        group_close(worker, group);
        return NULL;
    }
    group->prepared = ticket;
    place_in_grid(group, number);
    group->live = dispatch->wave_count;
    group->waiting = 0;
    group->split = false;
    group->fuel = FUEL_FIRST;
    group->polls = false;
    if (dispatch->lds_size)
        memset(group->lds, 0, dispatch->lds_size + LDS_SPARE); // undefined on the device; here the same in every run
    for (uint32_t i = 0; i < dispatch->wave_count; i++)
        if (renew)
            wave_renew(group, i);
        else
            wave_init(group, i, worker->number);
    return group;
}

void group_close(struct worker *worker, struct group *group) {
    if (worker->spare_count == worker->spare_room) {
        uint32_t room = worker->spare_room ? worker->spare_room * 2 : 16;
        struct group **grown = realloc(worker->spare, room * sizeof *grown);
        if (!grown)
            return; // the place is lost, not the work
        worker->spare = grown;
        worker->spare_room = room;
    }
    worker->spare[worker->spare_count++] = group;
}

// How often every wave that lives has arrived at the barrier.
static uint32_t arrivals(struct group *group) {
    uint32_t fewest = UINT32_MAX;
    for (uint32_t i = 0; i < group->dispatch->wave_count; i++) {
        struct wave *wave = wave_at(group, i);
        if (wave->engine[0] != WAVE_ENDED && wave->engine[1] < fewest)
            fewest = wave->engine[1];
    }
    return fewest;
}

// Waves go on that wait for nobody any more.
static void release_barrier(struct group *group) {
    uint32_t passed = arrivals(group);
    for (uint32_t i = 0; i < group->dispatch->wave_count; i++) {
        struct wave *wave = wave_at(group, i);
        if (wave->engine[0] == WAVE_AT_BARRIER && wave->engine[1] <= passed) {
            wave->engine[0] = WAVE_RUNNING;
            group->waiting--;
        }
    }
}

// The wave has arrived, and does not wait yet.
static void signal_barrier(struct group *group, struct wave *wave, bool asks) {
    bool first = true;
    for (uint32_t i = 0; i < group->dispatch->wave_count; i++)
        first = first && wave_at(group, i)->engine[1] <= wave->engine[1];
    if (asks)
        wave->scc = first;
    wave->engine[1]++;
    group->split = true;
}

// What s_get_barrier_state gives: waves that have arrived, waves, and that the barrier is valid.
static uint32_t barrier_state(struct group *group) {
    uint32_t arrived = 0;
    uint32_t passed = group->split ? arrivals(group) : UINT32_MAX; // all arrive together where none is split
    for (uint32_t i = 0; group->split && i < group->dispatch->wave_count; i++) {
        struct wave *wave = wave_at(group, i);
        arrived += wave->engine[0] != WAVE_ENDED && wave->engine[1] > passed;
    }
    return arrived << 16 | group->live << 4 | 1;
}

// A wave's turn; it ends after some arrivals at the barrier, as nothing else bounds a loop of them.
static int run_wave(struct group *group, struct wave *wave, kernel_entry entry) {
    for (uint32_t signals = 0; signals < SIGNALS_A_TURN; signals++) {
        wave->barrier = barrier_state(group);
        int result = entry(wave);
        if (result != KERNEL_SIGNAL && result != KERNEL_SIGNAL_FIRST)
            return result;
        group->prepared = 0; // it has saved registers
        signal_barrier(group, wave, result == KERNEL_SIGNAL_FIRST);
    }
    return KERNEL_YIELD;
}

static void fault_at(struct group *group, struct engine_fault *fault) {
    memcpy(fault->group, group->id, sizeof fault->group);
    fault->wave = group->current;
    dispatch_fault(group->dispatch, fault);
    group->live = 0;
}

static void stop_at_instruction(struct group *group, const struct wave *wave, int result) {
    struct engine_fault fault = {0};
    fault.kind = result == KERNEL_TRAP ? FAULT_TRAP : FAULT_UNSUPPORTED;
    fault.pc = wave->pc;
    fault.trap = wave->trap;
    fault_at(group, &fault);
}

// The dispatch has run for longer than allowed: told of a wave that still runs, and where.
static void time_out(struct group *group) {
    struct engine_fault fault = {.kind = FAULT_TIMEOUT, .live = group->live, .waiting = group->waiting};
    uint32_t i = 0;
    while (i + 1 < group->dispatch->wave_count && wave_at(group, i)->engine[0] != WAVE_RUNNING)
        i++;
    group->current = i;
    fault.pc = wave_at(group, i)->pc;
    fault_at(group, &fault);
}

// Every running wave once. Returns whether any ended or arrived at a barrier.
static bool round_of_turns(struct group *group, kernel_entry entry) {
    bool progress = false;
    uint32_t count = group->dispatch->wave_count;
    for (uint32_t i = 0; i < count && group->live; i++) {
        struct wave *wave = wave_at(group, i);
        if (wave->engine[0] != WAVE_RUNNING)
            continue;
        if (atomic_load_explicit(&group->dispatch->stop, memory_order_relaxed)) {
            group->live = 0;
            break;
        }
        group->current = i;
        wave->fuel = group->fuel;
        int result = run_wave(group, wave, entry);
        if (result == KERNEL_END) {
            wave->engine[0] = WAVE_ENDED;
            group->live--;
            progress = true;
            continue;
        }
        group->prepared = 0; // it has saved registers
        if (result == KERNEL_BARRIER || result == KERNEL_WAIT) {
            wave->engine[0] = WAVE_AT_BARRIER;
            wave->engine[1] += result == KERNEL_BARRIER;
            group->waiting++;
            progress = true;
        } else if (result != KERNEL_YIELD && !(result == KERNEL_TRAP && wave->trap == DEBUG_TRAP)) {
            stop_at_instruction(group, wave, result);
        }
    }
    if (group->live && group->waiting && (group->split || group->waiting == group->live))
        release_barrier(group);
    return progress;
}

static void tune_fuel(struct group *group, uint64_t elapsed_ns) {
    uint64_t turn = elapsed_ns / (group->live - group->waiting ? group->live - group->waiting : 1);
    if (turn > 2 * QUANTUM_NS && group->fuel > FUEL_LEAST)
        group->fuel /= 2;
    else if (turn < QUANTUM_NS / 2 && group->fuel < FUEL_MOST)
        group->fuel *= 2;
}

// A wave that waits in a loop comes back with its registers as they were; one that computes does not. A sum
// is enough to tell: being wrong costs some cache misses.
static uint64_t state_sum(const struct group *group) {
    uint64_t sum = 0;
    uint32_t rows = group->dispatch->kernel->vgpr_rows;
    for (uint32_t i = 0; i < group->dispatch->wave_count; i++) {
        const struct wave *wave = wave_at(group, i);
        const uint32_t *words = wave->vgpr[0];
        if (wave->engine[0] != WAVE_RUNNING)
            continue;
        sum += wave->resume * 0x9e3779b97f4a7c15ull + wave->scc;
        for (uint32_t k = 0; k < 128; k++)
            sum += (uint64_t)wave->sgpr[k] << (k & 31);
        for (uint32_t k = 0; k < rows * WAVE_LANES; k++)
            sum += words[k];
    }
    return sum;
}

static enum step run_turns(struct group *group) {
    kernel_entry entry = group->dispatch->native->entry;
    uint32_t stalled = 0;
    uint64_t since = 0, before = 0, sum = 0;
    for (uint32_t rounds = 0; group->live; rounds++) {
        uint64_t limit_ns = atomic_load_explicit(&engine.limit_ns, memory_order_relaxed);
        if (limit_ns && out_of_time(group->dispatch, limit_ns)) {
            time_out(group);
            break;
        }
        if (round_of_turns(group, entry)) {
            stalled = 0;
            if (rounds > LONG_ROUNDS && group->live)
                return STEP_STALLED;
            continue;
        }
        if (!group->live)
            break;
        uint64_t now = now_ns();
        if (!stalled++) { // how long the first round took is not known
            sum = state_sum(group);
            since = before = now_ns();
            continue;
        }
        if (stalled == STALLED_ROUNDS) {
            group->polls = state_sum(group) == sum;
            if (group->polls)
                group->fuel = FUEL_LEAST;
            if (group->polls || group->dispatch->cooperative)
                return STEP_STALLED;
        }
        if (now - since > PATIENCE_NS)
            return STEP_STALLED;
        tune_fuel(group, now - before);
        before = now_ns();
    }
    return STEP_ENDED;
}

// Run until the workgroup has ended (or faulted, or been stopped), or waits for something outside of it.
enum step group_step(struct group *group) {
    struct guard guard;
    guard.code = group->dispatch->native->address;
    guard.code_bytes = group->dispatch->native->bytes;
    if (sigsetjmp(guard.jump, 0)) {
        struct engine_fault fault = {0};
        fault.kind = FAULT_SIGNAL;
        fault.signal = guard.signal;
        fault.address = guard.address;
        fault.ip_offset = (int64_t)(guard.ip - group->dispatch->native->address);
        fault_at(group, &fault);
        return STEP_ENDED;
    }
    current_guard = &guard;
    atomic_signal_fence(memory_order_seq_cst);
    enum step step = run_turns(group);
    atomic_signal_fence(memory_order_seq_cst);
    current_guard = NULL;
    return step;
}
