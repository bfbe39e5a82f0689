// Commands and their order: in goes a command, out come calls of offer_job/offer_dispatch/offer_host_call
// once everything it depends on has completed. Everything here runs with the engine's lock held.
#define _GNU_SOURCE
#include "engine.h"
#include <stdlib.h>
#include <string.h>

#define POOLED_EXTRA 1024 // bytes behind a command that comes from the pool: enough for most kernel arguments

void lock_engine(void) { pthread_mutex_lock(&engine.lock); }
void unlock_engine(void) { pthread_mutex_unlock(&engine.lock); }

// A command with `extra` bytes (64-byte aligned) behind it; takes the lock itself. Null without memory.
struct command *command_new(enum command_kind kind, size_t extra) {
    struct command *command = NULL;
    bool pooled = extra <= POOLED_EXTRA;
    if (pooled) {
        lock_engine();
        command = engine.pool;
        if (command)
            engine.pool = command->next;
        unlock_engine();
    }
    if (!command) {
        size_t bytes = sizeof *command + (pooled ? POOLED_EXTRA : extra);
        command = aligned_alloc(CACHE_LINE, (bytes + CACHE_LINE - 1) & ~(size_t)(CACHE_LINE - 1));
        if (!command)
            return NULL;
    }
    // The union is filled by whoever asked for the command.
    memset(command, 0, offsetof(struct command, dispatch));
    command->kind = kind;
    command->pooled = pooled;
    command->dependencies = command->inline_dependencies;
    command->dependency_room = 2;
    return command;
}

static void command_free(struct command *command) {
    if (command->dependencies != command->inline_dependencies)
        free(command->dependencies);
    if (command->kind == COMMAND_RECORD)
        release_event(command->event);
    if (command->pooled) {
        command->next = engine.pool;
        engine.pool = command;
    } else {
        free(command);
    }
}

static void stream_free_if_unused(struct stream *stream) {
    if (!stream->destroyed || stream->head || stream->references)
        return;
    for (struct stream **link = &stream->device->streams; *link; link = &(*link)->next)
        if (*link == stream) {
            *link = stream->next;
            break;
        }
    pthread_cond_destroy(&stream->done);
    free(stream);
}

void stream_unreference(struct stream *stream) {
    stream->references--;
    stream_free_if_unused(stream);
}

static bool depend(struct command *command, struct stream *stream, uint64_t sequence) {
    if (atomic_load(&stream->completed) >= sequence)
        return true;
    if (command->dependency_count == command->dependency_room) {
        uint32_t room = command->dependency_room * 4;
        struct dependency *grown = malloc(room * sizeof *grown);
        if (!grown)
            return false;
        memcpy(grown, command->dependencies, command->dependency_count * sizeof *grown);
        if (command->dependencies != command->inline_dependencies)
            free(command->dependencies);
        command->dependencies = grown;
        command->dependency_room = room;
    }
    command->dependencies[command->dependency_count++] = (struct dependency){stream, sequence};
    stream->references++;
    return true;
}

// The legacy default stream waits for, and is waited for by, every blocking stream of its device.
static bool depend_on_default_stream(struct stream *stream, struct command *command) {
    struct stream *null = stream->device->null_stream;
    if (stream != null)
        return !stream->blocking || !null->head || depend(command, null, null->enqueued);
    for (struct stream *other = stream->device->streams; other; other = other->next)
        if (other != null && other->blocking && other->head && !depend(command, other, other->enqueued))
            return false;
    return true;
}

// Nothing that an enqueued command would have to wait for.
bool stream_idle(struct stream *stream) {
    struct stream *null = stream->device->null_stream;
    if (stream->head || stream->fault.kind)
        return false;
    if (stream != null)
        return !stream->blocking || !null->head;
    for (struct stream *other = stream->device->streams; other; other = other->next)
        if (other != null && other->blocking && other->head)
            return false;
    return true;
}

static bool dependencies_met(struct command *command) {
    while (command->dependency_count) {
        struct dependency *last = &command->dependencies[command->dependency_count - 1];
        if (atomic_load(&last->stream->completed) < last->sequence)
            return false;
        command->dependency_count--;
        stream_unreference(last->stream);
    }
    return true;
}

static void finish(struct command *command) {
    struct stream *stream = command->stream;
    stream->head = command->next;
    if (!stream->head)
        stream->tail = NULL;
    if (command->fault.kind && !stream->fault.kind)
        stream->fault = command->fault;
    atomic_store_explicit(&stream->completed, command->sequence, memory_order_release);
    if (stream->waiters && command->sequence >= stream->wait_sequence) {
        stream->wait_sequence = UINT64_MAX;
        pthread_cond_broadcast(&stream->done);
    }
    command_free(command);
}

static void record(struct command *command) {
    struct event *event = command->event;
    if (event->stream == command->stream && event->sequence == command->sequence)
        event->time_ns = now_ns();
}

// Start a command whose turn has come. True: it is complete already.
static bool start(struct command *command) {
    bool work =
        command->kind == COMMAND_DISPATCH || command->kind == COMMAND_COPY || command->kind == COMMAND_FILL;
    command->started = true;
    if (work && command->stream->fault.kind)
        return true; // a faulted stream does no more work, but its events and host calls still happen
    switch (command->kind) {
    case COMMAND_RECORD:
        record(command);
        return true;
    case COMMAND_WAIT:
        return true;
    case COMMAND_CALL:
    case COMMAND_PYTHON:
        offer_host_call(command);
        return false;
    case COMMAND_DISPATCH:
        offer_dispatch(command);
        return false;
    default:
        offer_job(command);
        return false;
    }
}

// Start what can start at the stream's head. True when a command completed.
static bool advance(struct stream *stream) {
    bool any = false;
    while (stream->head && !stream->head->started) {
        struct command *command = stream->head;
        if (!dependencies_met(command)) {
            if (!stream->is_blocked) {
                stream->is_blocked = true;
                stream->next_blocked = engine.blocked;
                engine.blocked = stream;
            }
            return any;
        }
        if (!start(command))
            return any;
        finish(command);
        any = true;
    }
    return any;
}

static void advance_blocked(void) {
    bool again = engine.blocked != NULL;
    while (again) {
        again = false;
        struct stream *list = engine.blocked;
        engine.blocked = NULL;
        while (list) {
            struct stream *stream = list;
            list = stream->next_blocked;
            stream->is_blocked = false;
            stream->references++;
            again |= advance(stream);
            stream_unreference(stream);
        }
    }
}

void complete(struct command *command) {
    struct stream *stream = command->stream;
    stream->references++;
    finish(command);
    advance(stream);
    advance_blocked();
    stream_unreference(stream);
}

static void discard(struct command *command) {
    while (command->dependency_count)
        stream_unreference(command->dependencies[--command->dependency_count].stream);
    command_free(command);
}

static void point_event(struct stream *stream, struct command *command) {
    struct event *event = command->event;
    event->references++;
    stream->references++;
    if (event->stream)
        stream_unreference(event->stream);
    event->stream = stream;
    event->sequence = command->sequence;
    event->recorded = true;
}

// Append a command to its stream; the engine owns it from here on. Takes the lock.
int enqueue(struct stream *stream, struct command *command) {
    lock_engine();
    command->stream = stream;
    bool room = depend_on_default_stream(stream, command);
    if (room && command->kind == COMMAND_WAIT && command->event->stream)
        room = depend(command, command->event->stream, command->event->sequence);
    if (!room) {
        command->kind = COMMAND_WAIT;
        discard(command);
        unlock_engine();
        return ENGINE_NO_MEMORY;
    }
    command->sequence = ++stream->enqueued;
    command->ticket = ++engine.ticket;
    if (command->kind == COMMAND_RECORD)
        point_event(stream, command);
    if (stream->tail)
        stream->tail->next = command;
    else
        stream->head = command;
    stream->tail = command;
    stream->references++;
    if (advance(stream))
        advance_blocked();
    stream_unreference(stream);
    unlock_engine();
    return ENGINE_OK;
}
