// Streams as handles: creation, destruction, and waiting.
#define _GNU_SOURCE
#include "engine.h"
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SPIN_NS 30000 // a waiting host thread polls this long before it sleeps

static struct stream *stream_of(uintptr_t handle) { return (struct stream *)handle; }

static struct stream *stream_make(struct device *device, bool blocking) {
    struct stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&stream->done, &attributes);
    pthread_condattr_destroy(&attributes);
    stream->device = device;
    stream->blocking = blocking;
    stream->wait_sequence = UINT64_MAX;
    lock_engine();
    stream->next = device->streams;
    device->streams = stream;
    unlock_engine();
    return stream;
}

uintptr_t device_create(uint64_t memory_total) {
    struct device *device = calloc(1, sizeof *device);
    if (!device)
        return 0;
    device->memory_total = memory_total;
    device->output_last = &device->output_first;
    device->null_stream = stream_make(device, true);
    if (!device->null_stream) {
        free(device);
        return 0;
    }
    lock_engine();
    device->next = engine.devices;
    engine.devices = device;
    unlock_engine();
    return (uintptr_t)device;
}

uintptr_t device_null_stream(uintptr_t device) { return (uintptr_t)((struct device *)device)->null_stream; }

uintptr_t stream_create(uintptr_t device, int blocking) {
    return (uintptr_t)stream_make((struct device *)device, blocking != 0);
}

void stream_destroy(uintptr_t handle) {
    struct stream *stream = stream_of(handle);
    if (atomic_load(&engine.forked))
        return;
    lock_engine();
    stream->destroyed = true;
    stream->references++;
    stream_unreference(stream);
    unlock_engine();
}

int stream_done(uintptr_t handle) {
    struct stream *stream = stream_of(handle);
    if (atomic_load(&engine.forked))
        return 1;
    lock_engine();
    bool done = stream->head == NULL;
    unlock_engine();
    return done;
}

static bool spin(struct stream *stream, uint64_t sequence, int64_t limit_ns) {
    uint64_t end = now_ns() + (uint64_t)limit_ns;
    do
        for (int i = 0; i < 32; i++) {
            if (atomic_load_explicit(&stream->completed, memory_order_acquire) >= sequence)
                return true;
            pause_cpu();
        }
    while (sched_yield(), now_ns() < end); // whoever is to complete it may need this very core
    return false;
}

// Wait until the stream has completed `sequence`; the caller keeps the stream alive. Negative time: no limit.
bool wait_sequence(struct stream *stream, uint64_t sequence, int64_t timeout_ns) {
    if (atomic_load_explicit(&stream->completed, memory_order_acquire) >= sequence)
        return true;
    if (engine.cores > 1 && spin(stream, sequence, SPIN_NS))
        return true;
    uint64_t end = now_ns() + (uint64_t)timeout_ns;
    struct timespec at = {(time_t)(end / 1000000000u), (long)(end % 1000000000u)};
    bool done;
    lock_engine();
    stream->references++;
    stream->waiters++;
    int error = 0;
    while (!(done = atomic_load(&stream->completed) >= sequence) && error != ETIMEDOUT) {
        if (sequence < stream->wait_sequence)
            stream->wait_sequence = sequence;
        if (timeout_ns < 0)
            pthread_cond_wait(&stream->done, &engine.lock);
        else
            error = pthread_cond_timedwait(&stream->done, &engine.lock, &at);
    }
    stream->waiters--;
    stream_unreference(stream);
    unlock_engine();
    return done;
}

static bool output_waits(struct device *device) {
    return atomic_load_explicit(&device->output_pending, memory_order_relaxed) != 0;
}

int stream_wait(uintptr_t handle, int64_t timeout_ns) {
    struct stream *stream = stream_of(handle);
    if (atomic_load(&engine.forked))
        return 1;
    lock_engine();
    uint64_t sequence = stream->enqueued;
    unlock_engine();
    if (!wait_sequence(stream, sequence, timeout_ns))
        return 0;
    return stream->fault.kind || output_waits(stream->device) ? 2 : 1;
}

static struct stream *oldest_pending(struct device *device, uint64_t ticket) {
    for (struct stream *stream = device->streams; stream; stream = stream->next)
        if (stream->head && stream->head->ticket <= ticket)
            return stream;
    return NULL;
}

int device_wait(uintptr_t handle, int64_t timeout_ns) {
    struct device *device = (struct device *)handle;
    if (atomic_load(&engine.forked))
        return 1;
    bool done = true;
    struct stream *stream;
    lock_engine();
    uint64_t ticket = engine.ticket;
    while (done && (stream = oldest_pending(device, ticket))) {
        uint64_t sequence = stream->enqueued;
        stream->references++;
        unlock_engine();
        done = wait_sequence(stream, sequence, timeout_ns);
        lock_engine();
        stream_unreference(stream);
    }
    bool fault = false;
    for (stream = device->streams; stream; stream = stream->next)
        fault |= stream->fault.kind != FAULT_NONE;
    unlock_engine();
    return !done ? 0 : fault || output_waits(device) ? 2 : 1;
}

// Running kernels end at their next yield, queued ones do nothing. This is no fault: streams stay usable.
void device_abort(uintptr_t handle) {
    struct device *device = (struct device *)handle;
    lock_engine();
    for (struct stream *stream = device->streams; stream; stream = stream->next)
        for (struct command *command = stream->head; command; command = command->next)
            if (command->kind == COMMAND_DISPATCH)
                atomic_store(&command->dispatch.stop, 1);
    unlock_engine();
}

int stream_fault(uintptr_t handle, struct engine_fault *out) {
    struct stream *stream = stream_of(handle);
    lock_engine();
    *out = stream->fault;
    unlock_engine();
    return out->kind != FAULT_NONE;
}

int device_fault(uintptr_t handle, struct engine_fault *out) {
    struct device *device = (struct device *)handle;
    out->kind = FAULT_NONE;
    lock_engine();
    for (struct stream *stream = device->streams; stream && !out->kind; stream = stream->next)
        *out = stream->fault;
    unlock_engine();
    return out->kind != FAULT_NONE;
}

void device_clear_faults(uintptr_t handle) {
    struct device *device = (struct device *)handle;
    lock_engine();
    for (struct stream *stream = device->streams; stream; stream = stream->next)
        stream->fault.kind = FAULT_NONE;
    unlock_engine();
}
