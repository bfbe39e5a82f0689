// A kernel launch as a command: built by the caller's thread, claimed workgroup by workgroup by the workers.
#include "engine.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct command *command_of(struct dispatch *dispatch) {
    return (struct command *)((uint8_t *)dispatch - offsetof(struct command, dispatch));
}

struct launch {
    uint32_t grid[3], block[3], shared, cooperative;
};

static const struct native *native_for(const struct kernel *kernel, const struct launch *launch) {
    return &kernel->native[kernel_lanes(launch->block[0], launch->block[1], launch->block[2])];
}

static void dispatch_fill(struct dispatch *dispatch, struct kernel *kernel, const struct launch *launch) {
    memset(dispatch, 0, offsetof(struct dispatch, sgpr));
    dispatch->kernel = kernel;
    dispatch->native = native_for(kernel, launch);
    memcpy(dispatch->grid, launch->grid, sizeof dispatch->grid);
    memcpy(dispatch->block, launch->block, sizeof dispatch->block);
    uint64_t items = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    dispatch->wave_count = (uint32_t)((items + kernel->wave_size - 1) / kernel->wave_size);
    dispatch->lds_size = kernel->lds_static + launch->shared;
    dispatch->cooperative = launch->cooperative;
    dispatch->total = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    dispatch->remaining = dispatch->total;
    dispatch->sync.grid_count = 1;
    dispatch->sync.all_sum = dispatch->total * items;
    dispatch->sync.workgroups = (uint32_t)dispatch->total;
}

static struct command *dispatch_new(struct kernel *kernel, const struct launch *launch) {
    size_t room =
        ((size_t)kernel->kernarg_size + KERNARG_PADDING + CACHE_LINE - 1) & ~(size_t)(CACHE_LINE - 1);
    struct command *command = command_new(COMMAND_DISPATCH, room);
    if (!command)
        return NULL;
    dispatch_fill(&command->dispatch, kernel, launch);
    command->dispatch.kernarg = (uint8_t *)(command + 1);
    memset(command->dispatch.kernarg, 0, room);
    return command;
}

static int submit(struct stream *stream, struct command *command) {
    kernarg_hidden(&command->dispatch);
    packet_fill(&command->dispatch);
    return enqueue(stream, command);
}

int kernel_launch(uintptr_t stream, uintptr_t kernel, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z,
                  uint32_t block_x, uint32_t block_y, uint32_t block_z, uint32_t shared, uintptr_t args,
                  uint32_t cooperative) {
    struct launch launch = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, cooperative};
    if (atomic_load(&engine.forked))
        return ENGINE_FORKED;
    if (!native_for((struct kernel *)kernel, &launch)->entry)
        return ENGINE_NOT_TRANSLATED;
    struct command *command = dispatch_new((struct kernel *)kernel, &launch);
    if (!command)
        return ENGINE_NO_MEMORY;
    kernarg_pack(&command->dispatch, (void *const *)args);
    return submit((struct stream *)stream, command);
}

int kernel_launch_packed(uintptr_t stream, uintptr_t handle, uint32_t grid_x, uint32_t grid_y,
                         uint32_t grid_z, uint32_t block_x, uint32_t block_y, uint32_t block_z,
                         uint32_t shared, const uint8_t *kernarg, uint32_t size) {
    struct kernel *kernel = (struct kernel *)handle;
    struct launch launch = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, 0};
    if (atomic_load(&engine.forked))
        return ENGINE_FORKED;
    if (!native_for(kernel, &launch)->entry)
        return ENGINE_NOT_TRANSLATED;
    struct command *command = dispatch_new(kernel, &launch);
    if (!command)
        return ENGINE_NO_MEMORY;
    if (size)
        memcpy(command->dispatch.kernarg, kernarg, size < kernel->kernarg_size ? size : kernel->kernarg_size);
    return submit((struct stream *)stream, command);
}

// The dispatch's turn has come: what only a running one needs. False without memory for the printf buffer.
bool dispatch_begin(struct dispatch *dispatch) {
    if (dispatch->kernel->printf_offset >= 0) {
        dispatch->printf_buffer = printf_buffer_take();
        if (!dispatch->printf_buffer)
            return false;
        memcpy(dispatch->kernarg + dispatch->kernel->printf_offset, &dispatch->printf_buffer, 8);
    }
    user_sgprs(dispatch);
    return true;
}

void dispatch_end(struct command *command) {
    if (command->dispatch.printf_buffer)
        printf_buffer_collect(command->stream->device, &command->dispatch);
}

// Take up to `chunk` workgroups; all that are left once the dispatch is stopped, so that they end at once.
bool dispatch_claim(struct dispatch *dispatch, uint64_t chunk, uint64_t *first, uint64_t *end) {
    if (atomic_load_explicit(&dispatch->stop, memory_order_relaxed))
        chunk = dispatch->total;
    if (atomic_load_explicit(&dispatch->next, memory_order_relaxed) >= dispatch->total)
        return false;
    *first = atomic_fetch_add_explicit(&dispatch->next, chunk, memory_order_relaxed);
    *end = *first + chunk < dispatch->total ? *first + chunk : dispatch->total;
    return *first < dispatch->total;
}

// The first fault of a dispatch is the one that is told; it stops the rest.
void dispatch_fault(struct dispatch *dispatch, const struct engine_fault *fault) {
    uint32_t running = 0;
    if (!atomic_compare_exchange_strong(&dispatch->stop, &running, 1))
        return;
    struct engine_fault *told = &command_of(dispatch)->fault;
    *told = *fault;
    told->kernel = (uintptr_t)dispatch->kernel;
    told->lanes = (uint32_t)(dispatch->native - dispatch->kernel->native);
    memcpy(told->block, dispatch->block, sizeof told->block);
    told->wave_size = dispatch->kernel->wave_size;
    if (dispatch->printf_buffer)
        memcpy(&told->assert_flag, dispatch->printf_buffer + 8, 4);
}
