// Copies and fills of rectangles of bytes. Small ones on an idle stream are done by the calling thread.
#include "engine.h"
#include <string.h>

#define INLINE_BYTES (256u << 10) // above this a copy takes long enough to be worth overlapping

static void copy_rect(const struct rect *rect) {
    uint8_t *dst = (uint8_t *)rect->dst;
    const uint8_t *src = (const uint8_t *)rect->src;
    for (uint64_t z = 0; z < rect->depth; z++)
        for (uint64_t y = 0; y < rect->height; y++)
            memmove(dst + z * rect->dst_slice + y * rect->dst_row,
                    src + z * rect->src_slice + y * rect->src_row, rect->width);
}

static void fill_row(uint8_t *row, uint32_t value, uint32_t element, uint64_t width) {
    if (element == 1) {
        memset(row, (int)(value & 0xff), width);
    } else if (element == 2) {
        uint16_t half = (uint16_t)value;
        for (uint64_t i = 0; i + 2 <= width; i += 2)
            memcpy(row + i, &half, 2);
    } else {
        for (uint64_t i = 0; i + 4 <= width; i += 4)
            memcpy(row + i, &value, 4);
    }
}

static void fill_rect(const struct rect *rect) {
    uint8_t *dst = (uint8_t *)rect->dst;
    for (uint64_t z = 0; z < rect->depth; z++)
        for (uint64_t y = 0; y < rect->height; y++)
            fill_row(dst + z * rect->dst_slice + y * rect->dst_row, rect->value, rect->element, rect->width);
}

// Rows without gaps are one long row, slices without gaps one long slice.
static void collapse(struct rect *rect, bool copy) {
    if (rect->height > 1 && rect->dst_row == rect->width && (!copy || rect->src_row == rect->width)) {
        rect->width *= rect->height;
        rect->height = 1;
    }
    if (rect->height == 1 && rect->depth > 1 && rect->dst_slice == rect->width &&
        (!copy || rect->src_slice == rect->width)) {
        rect->width *= rect->depth;
        rect->depth = 1;
    }
}

static bool rect_guarded(const struct rect *rect, bool copy, struct engine_fault *fault) {
    struct guard guard;
    struct guard *outer = current_guard;
    guard.code = guard.code_bytes = 0;
    if (sigsetjmp(guard.jump, 0)) {
        current_guard = outer;
        memset(fault, 0, sizeof *fault);
        fault->kind = FAULT_COPY;
        fault->signal = guard.signal;
        fault->address = guard.address;
        return false;
    }
    current_guard = &guard;
    atomic_signal_fence(memory_order_seq_cst);
    if (copy)
        copy_rect(rect);
    else
        fill_rect(rect);
    atomic_signal_fence(memory_order_seq_cst);
    current_guard = outer;
    return true;
}

bool rect_run(struct command *command) {
    return rect_guarded(&command->rect, command->kind == COMMAND_COPY, &command->fault);
}

static bool may_run_now(struct stream *stream, const struct rect *rect) {
    if (rect->width * rect->height * rect->depth > INLINE_BYTES)
        return false;
    lock_engine();
    bool idle = stream_idle(stream);
    unlock_engine();
    return idle;
}

static int submit(struct stream *stream, struct rect rect, enum command_kind kind) {
    if (atomic_load(&engine.forked))
        return ENGINE_FORKED;
    if (!rect.width || !rect.height || !rect.depth)
        return ENGINE_OK;
    collapse(&rect, kind == COMMAND_COPY);
    if (may_run_now(stream, &rect)) {
        struct engine_fault fault;
        return rect_guarded(&rect, kind == COMMAND_COPY, &fault) ? ENGINE_OK : ENGINE_BAD_ADDRESS;
    }
    struct command *command = command_new(kind, 0);
    if (!command)
        return ENGINE_NO_MEMORY;
    command->rect = rect;
    return enqueue(stream, command);
}

int enqueue_copy(uintptr_t stream, uintptr_t dst, uintptr_t src, uint64_t size) {
    struct rect rect = {.dst = dst, .src = src, .width = size, .height = 1, .depth = 1};
    return submit((struct stream *)stream, rect, COMMAND_COPY);
}

int enqueue_copy_rect(uintptr_t stream, uintptr_t dst, uint64_t dst_row, uint64_t dst_slice, uintptr_t src,
                      uint64_t src_row, uint64_t src_slice, uint64_t width, uint64_t height, uint64_t depth) {
    struct rect rect = {dst, src, dst_row, dst_slice, src_row, src_slice, width, height, depth, 0, 0};
    return submit((struct stream *)stream, rect, COMMAND_COPY);
}

int enqueue_fill_rect(uintptr_t stream, uintptr_t dst, uint64_t row, uint64_t slice, uint32_t value,
                      uint32_t element, uint64_t width, uint64_t height, uint64_t depth) {
    struct rect rect = {dst, 0, row, slice, 0, 0, width, height, depth, value, element};
    return submit((struct stream *)stream, rect, COMMAND_FILL);
}
