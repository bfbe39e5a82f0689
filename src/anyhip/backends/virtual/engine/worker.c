// The threads that do the work. A worker runs workgroups to their end where it can; one that only waits for
// others becomes resident, and the worker opens more work beside it, so that whatever it waits for happens.
#define _GNU_SOURCE
#include "engine.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SPIN_NS 50000u   // an idle worker polls this long before it sleeps
#define SPINNERS_MOST 4u // idle workers that poll at the same time
#define SLICE_NS 100000u // time for one dispatch while others wait
#define ADMIT_MOST_NS 64000000u
#define ADMIT_NS 1000000u // resident workgroups run this long before another one joins them
#define RESIDENT_MOST 512u
#define STATE_MOST (512ull << 20) // bytes of waves' state that resident workgroups may take
#define POLLS_BEFORE_PAUSE 64u
#define CHUNK_MOST 16u

struct engine engine = {.lock = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP,
                        .work = PTHREAD_COND_INITIALIZER,
                        .calls = PTHREAD_COND_INITIALIZER,
                        .jobs_last = &engine.jobs,
                        .host_calls_last = &engine.host_calls};

struct work {
    struct command *job;
    struct dispatch *dispatch;
    uint64_t first, end;
};

static void wake_worker(void) {
    if (engine.sleepers && !engine.spinners)
        pthread_cond_signal(&engine.work);
}

void offer_job(struct command *command) {
    command->next_job = NULL;
    *engine.jobs_last = command;
    engine.jobs_last = &command->next_job;
    atomic_fetch_add(&engine.ready, 1);
    workers_start();
    wake_worker();
}

static void list_append(struct dispatch *dispatch) {
    dispatch->previous = engine.dispatches_last;
    dispatch->following = NULL;
    if (engine.dispatches_last)
        engine.dispatches_last->following = dispatch;
    else
        engine.dispatches = dispatch;
    engine.dispatches_last = dispatch;
}

static void list_remove(struct dispatch *dispatch) {
    if (dispatch->previous)
        dispatch->previous->following = dispatch->following;
    else
        engine.dispatches = dispatch->following;
    if (dispatch->following)
        dispatch->following->previous = dispatch->previous;
    else
        engine.dispatches_last = dispatch->previous;
}

static void unlist(struct dispatch *dispatch) {
    if (!dispatch->listed)
        return;
    list_remove(dispatch);
    dispatch->listed = false;
    atomic_fetch_sub(&engine.ready, 1);
}

void offer_dispatch(struct command *command) {
    struct dispatch *dispatch = &command->dispatch;
    if (!dispatch_begin(dispatch))
        dispatch_fault(dispatch, &(struct engine_fault){.kind = FAULT_MEMORY});
    list_append(dispatch);
    dispatch->listed = true;
    atomic_fetch_add(&engine.ready, 1);
    workers_start();
    wake_worker();
}

static bool exhausted(struct dispatch *dispatch) {
    return atomic_load_explicit(&dispatch->next, memory_order_relaxed) >= dispatch->total;
}

static uint64_t chunk_of(const struct dispatch *dispatch) {
    uint64_t chunk = dispatch->total / ((uint64_t)engine.threads * 64);
    return chunk < 1 ? 1 : chunk > CHUNK_MOST ? CHUNK_MOST : chunk;
}

static bool may_reside(const struct worker *worker, const struct dispatch *dispatch) {
    if (!worker->resident_count || dispatch->cooperative)
        return true;
    return worker->resident_count < RESIDENT_MOST &&
           (worker->spare_count || worker->state_bytes + group_state_bytes(dispatch) < STATE_MOST);
}

// Lock held. The next thing to do: a job, what is left of a claimed chunk, or a chunk of the next dispatch.
static bool take(struct worker *worker, struct work *work) {
    memset(work, 0, sizeof *work);
    if (engine.jobs) {
        work->job = engine.jobs;
        engine.jobs = work->job->next_job;
        if (!engine.jobs)
            engine.jobs_last = &engine.jobs;
        atomic_fetch_sub(&engine.ready, 1);
        return true;
    }
    if (worker->chunk) {
        if (!may_reside(worker, worker->chunk))
            return false;
        *work = (struct work){NULL, worker->chunk, worker->chunk_first, worker->chunk_end};
        worker->chunk = NULL; // its hold on the dispatch passes to the work
        return true;
    }
    struct dispatch *dispatch, *following;
    for (dispatch = engine.dispatches; dispatch; dispatch = following) {
        following = dispatch->following;
        if (exhausted(dispatch)) {
            unlist(dispatch);
        } else if (may_reside(worker, dispatch) &&
                   dispatch_claim(dispatch, chunk_of(dispatch), &work->first, &work->end)) {
            dispatch->holders++;
            work->dispatch = dispatch;
            if (exhausted(dispatch)) {
                unlist(dispatch);
            } else if (following) { // the next worker takes another stream's
                list_remove(dispatch);
                list_append(dispatch);
            }
            return true;
        }
    }
    return false;
}

// Lock held. `done` workgroups have ended and `holds` references to the dispatch are given up.
static void settle(struct dispatch *dispatch, uint64_t done, uint32_t holds) {
    dispatch->remaining -= done;
    dispatch->holders -= holds;
    if (exhausted(dispatch))
        unlist(dispatch);
    if (!dispatch->remaining && !dispatch->holders) {
        struct command *command = command_of(dispatch);
        dispatch_end(command);
        complete(command);
    }
}

static bool reside(struct worker *worker, struct group *group) {
    if (worker->resident_count == worker->resident_room) {
        uint32_t room = worker->resident_room ? worker->resident_room * 2 : 16;
        struct group **grown = realloc(worker->resident, room * sizeof *grown);
        if (!grown)
            return false;
        worker->resident = grown;
        worker->resident_room = room;
    }
    worker->resident[worker->resident_count++] = group;
    return true;
}

static bool slice_over(const struct worker *worker, uint64_t begin) {
    bool others = worker->resident_count || atomic_load_explicit(&engine.ready, memory_order_relaxed) > 1;
    return others && now_ns() - begin > SLICE_NS;
}

// One workgroup to its end. False: it has become resident.
static bool run_group(struct worker *worker, struct dispatch *dispatch, uint64_t number) {
    struct group *group = group_open(worker, dispatch, number);
    if (group && group_step(group) == STEP_STALLED && reside(worker, group))
        return false;
    if (!group || group->live)
        dispatch_fault(dispatch, &(struct engine_fault){.kind = FAULT_MEMORY});
    if (group)
        group_close(worker, group);
    return true;
}

// The workgroups from `*next` to `end`, or all of them at once when the dispatch has stopped. Returns how
// many ended; if fewer than there were, the one before `*next` has become resident.
static uint64_t run_chunk(struct worker *worker, struct dispatch *dispatch, uint64_t *next, uint64_t end) {
    uint64_t done = 0;
    while (*next < end) {
        if (atomic_load_explicit(&dispatch->stop, memory_order_relaxed)) {
            done += end - *next;
            *next = end;
        } else if (run_group(worker, dispatch, (*next)++)) {
            done++;
        } else {
            return done;
        }
    }
    return done;
}

static void run_dispatch(struct worker *worker, struct work *work) {
    struct dispatch *dispatch = work->dispatch;
    uint64_t total = 0, next = work->first, end = work->end, begin = now_ns();
    bool ended;
    do {
        uint64_t wanted = end - next, done = run_chunk(worker, dispatch, &next, end);
        total += done;
        ended = done == wanted;
    } while (ended && !slice_over(worker, begin) &&
             dispatch_claim(dispatch, chunk_of(dispatch), &next, &end));
    lock_engine();
    if (!ended && next < end) {
        worker->chunk = dispatch;
        worker->chunk_first = next;
        worker->chunk_end = end;
        dispatch->holders++;
    }
    settle(dispatch, total, ended ? 1 : 0); // a resident workgroup inherits this thread's hold
}

// Lock not held on entry, held on return.
static void perform(struct worker *worker, struct work *work) {
    if (work->dispatch) {
        run_dispatch(worker, work);
        return;
    }
    rect_run(work->job);
    lock_engine();
    complete(work->job);
}

// One turn for each resident workgroup. Returns whether any of them ended.
static bool resident_turns(struct worker *worker) {
    bool any = false;
    for (uint32_t i = 0; i < worker->resident_count;) {
        struct group *group = worker->resident[i];
        struct dispatch *dispatch = group->dispatch;
        if (group_step(group) == STEP_STALLED) {
            i++;
            continue;
        }
        worker->resident[i] = worker->resident[--worker->resident_count];
        group_close(worker, group);
        lock_engine();
        settle(dispatch, 1, 1);
        unlock_engine();
        any = true;
    }
    return any;
}

// Resident workgroups that only poll leave the core to whoever will change what they look at.
static void rest(uint32_t polls) {
    if (polls > POLLS_BEFORE_PAUSE)
        nanosleep(&(struct timespec){0, 20000}, NULL);
    else
        sched_yield();
}

static bool any_cooperative(const struct worker *worker) {
    return worker->resident[0]->dispatch->cooperative;
}

struct mood {
    bool any, all; // of the resident workgroups: poll
};

static struct mood resident_mood(const struct worker *worker) {
    struct mood mood = {false, worker->resident_count > 0};
    for (uint32_t i = 0; i < worker->resident_count; i++) {
        bool polls = worker->resident[i]->polls;
        mood.any |= polls;
        mood.all &= polls;
    }
    return mood;
}

// Lock not held. One more piece of work beside the resident ones; false: there is none.
static bool admit(struct worker *worker) {
    struct work work;
    if (!worker->chunk && !atomic_load(&engine.ready))
        return false;
    lock_engine();
    bool taken = take(worker, &work);
    unlock_engine();
    if (taken) {
        perform(worker, &work);
        unlock_engine();
    }
    return taken;
}

// As many pieces as make the whole number of passes over the resident ones small.
static bool admit_some(struct worker *worker, bool wanted) {
    uint32_t most = wanted ? 1 + worker->resident_count / 2 : 1, taken = 0;
    while (taken < most && admit(worker))
        taken++;
    return taken > 0;
}

// Lock not held. Until no workgroup is resident: their turns, and beside them one more piece of work at a
// time. What polls may wait for work that nobody has begun, so that is begun at once. Long loops have more
// patience: the fewer there are, the more of their state stays in the caches.
static void run_resident(struct worker *worker) {
    uint64_t admitted = now_ns(), patience = ADMIT_NS;
    uint32_t polls = 0;
    while (worker->resident_count) {
        bool ended = resident_turns(worker);
        struct mood mood = resident_mood(worker);
        bool wanted = mood.any || (worker->resident_count && any_cooperative(worker));
        if (worker->resident_count && (wanted || now_ns() - admitted > patience) &&
            admit_some(worker, wanted)) {
            admitted = now_ns();
            if (!wanted && patience < ADMIT_MOST_NS)
                patience *= 2;
            polls = 0;
        } else if (mood.all && !ended) {
            rest(++polls);
        } else {
            polls = 0;
        }
    }
}

static void spin(void) {
    uint64_t end = now_ns() + SPIN_NS;
    do
        for (int i = 0; i < 64; i++) {
            if (atomic_load_explicit(&engine.ready, memory_order_relaxed))
                return;
            pause_cpu();
        }
    while (sched_yield(), now_ns() < end); // whoever is to bring work may need this very core
}

// Lock held. Returns when there may be work.
static void idle(void) {
    uint32_t limit = engine.cores - 1 < SPINNERS_MOST ? engine.cores - 1 : SPINNERS_MOST;
    if (engine.spinners < limit) {
        engine.spinners++;
        unlock_engine();
        spin();
        lock_engine();
        engine.spinners--;
    }
    if (atomic_load(&engine.ready))
        return;
    engine.sleepers++;
    pthread_cond_wait(&engine.work, &engine.lock);
    engine.sleepers--;
}

void *worker_main(void *argument) {
    struct worker *worker = argument;
    struct work work;
    if (faults_thread())
        abort(); // a thread that cannot report a fault must not run kernels
    lock_engine();
    for (;;) {
        if (!take(worker, &work)) {
            idle();
            continue;
        }
        if (atomic_load(&engine.ready))
            wake_worker();
        unlock_engine();
        perform(worker, &work);
        if (worker->resident_count) {
            unlock_engine();
            run_resident(worker);
            lock_engine();
        }
    }
    return NULL;
}
