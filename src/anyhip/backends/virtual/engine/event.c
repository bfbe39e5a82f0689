// Events: a place in a stream and the time at which it was reached.
#include "engine.h"
#include <math.h>
#include <stdlib.h>

static struct event *event_of(uintptr_t handle) { return (struct event *)handle; }

uintptr_t event_create(void) {
    struct event *event = calloc(1, sizeof *event);
    if (event)
        event->references = 1;
    return (uintptr_t)event;
}

void release_event(struct event *event) {
    if (--event->references)
        return;
    if (event->stream)
        stream_unreference(event->stream);
    free(event);
}

void event_destroy(uintptr_t handle) {
    if (atomic_load(&engine.forked))
        return;
    lock_engine();
    release_event(event_of(handle));
    unlock_engine();
}

static bool complete_now(struct event *event) {
    return !event->stream || atomic_load(&event->stream->completed) >= event->sequence;
}

// On an idle stream the event is complete at once and costs no command.
static bool record_idle(struct event *event, struct stream *stream) {
    lock_engine();
    bool idle = stream_idle(stream);
    if (idle) {
        if (event->stream)
            stream_unreference(event->stream);
        event->stream = NULL;
        event->recorded = true;
        event->time_ns = now_ns();
    }
    unlock_engine();
    return idle;
}

int event_record(uintptr_t handle, uintptr_t stream) {
    if (atomic_load(&engine.forked))
        return ENGINE_FORKED;
    if (record_idle(event_of(handle), (struct stream *)stream))
        return ENGINE_OK;
    struct command *command = command_new(COMMAND_RECORD, 0);
    if (!command)
        return ENGINE_NO_MEMORY;
    command->event = event_of(handle);
    return enqueue((struct stream *)stream, command);
}

int stream_wait_event(uintptr_t stream, uintptr_t handle) {
    struct event *event = event_of(handle);
    if (atomic_load(&engine.forked))
        return ENGINE_FORKED;
    lock_engine();
    bool done = complete_now(event);
    unlock_engine();
    if (done)
        return ENGINE_OK;
    struct command *command = command_new(COMMAND_WAIT, 0);
    if (!command)
        return ENGINE_NO_MEMORY;
    command->event = event;
    return enqueue((struct stream *)stream, command);
}

int event_done(uintptr_t handle) {
    if (atomic_load(&engine.forked))
        return 1;
    lock_engine();
    bool done = complete_now(event_of(handle));
    unlock_engine();
    return done;
}

// The wait functions' 2 means here that the event's stream has a fault, or its device output.
int event_wait(uintptr_t handle, int64_t timeout_ns) {
    struct event *event = event_of(handle);
    if (atomic_load(&engine.forked))
        return 1;
    lock_engine();
    struct stream *stream = event->stream;
    uint64_t sequence = event->sequence;
    if (!stream) {
        unlock_engine();
        return 1;
    }
    stream->references++;
    unlock_engine();
    bool done = wait_sequence(stream, sequence, timeout_ns);
    lock_engine();
    bool attention = stream->fault.kind || atomic_load(&stream->device->output_pending);
    stream_unreference(stream);
    unlock_engine();
    return !done ? 0 : attention ? 2 : 1;
}

// NaN when one of the two was never recorded or is not complete yet.
double event_elapsed_ms(uintptr_t start_handle, uintptr_t stop_handle) {
    struct event *start = event_of(start_handle), *stop = event_of(stop_handle);
    double elapsed = NAN;
    lock_engine();
    if (start->recorded && stop->recorded && complete_now(start) && complete_now(stop))
        elapsed = ((double)stop->time_ns - (double)start->time_ns) / 1e6;
    unlock_engine();
    return elapsed;
}

int event_fault(uintptr_t handle, struct engine_fault *out) {
    out->kind = FAULT_NONE;
    lock_engine();
    if (event_of(handle)->stream)
        *out = event_of(handle)->stream->fault;
    unlock_engine();
    return out->kind != FAULT_NONE;
}
