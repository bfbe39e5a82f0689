// The engine's own structures. One lock guards every queue; what runs between waves takes no lock.
//
// A stream is a FIFO of commands. Its head starts when the command's dependencies on other streams are met:
// event records and waits complete on the spot, copies and host calls become jobs, kernels become dispatches.
// Workers take jobs first, then workgroups of any started dispatch.
#ifndef ANYHIP_ENGINE_H
#define ANYHIP_ENGINE_H
#include "api.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define CACHE_LINE 64
#define AQL_PACKET_BYTES 64
#define KERNARG_PADDING 64 // wide scalar loads may read past the last argument

// ---------------------------------------------------------------------------------------------------------
// The wave, as translated kernels see it: layout.py is the contract, dispatch.c asserts the offsets.
struct wave {
    uint32_t sgpr[128];
    uint64_t resume;
    uint32_t scc;
    uint32_t index;
    uint8_t *lds;
    uint8_t *scratch;
    uint64_t code_base;
    uint64_t pc;
    uint32_t trap;
    uint32_t lds_size;
    uint32_t scratch_size;
    uint32_t fuel;
    uint32_t hw_id;
    uint32_t xcc_id;
    uint64_t flat_scratch;
    uint32_t mode;
    uint32_t barrier;
    uint64_t (*clock)(void);
    uint32_t engine[8]; // the engine's own: [0] is enum wave_state, [1] how often it arrived at the barrier
    uint32_t vgpr[][WAVE_LANES];
};

typedef int (*kernel_entry)(struct wave *);

// ---------------------------------------------------------------------------------------------------------
// Kernels
struct native { // a kernel's translation
    kernel_entry entry; // null until its library is open
    void *library;
    uint64_t address, bytes; // where anyhip_kernel is, and how long
};

struct kernel {
    struct native native[LANE_FORMS]; // by how work-items lie in waves: LaneForm of layout.py
    uint64_t code_base;
    uint64_t descriptor_address;
    char *name;
    uint32_t kernarg_size;
    uint32_t lds_static;
    uint32_t scratch_bytes; // a lane
    uint32_t properties;    // KERNEL_CODE_PROPERTIES
    uint32_t user_sgprs;
    uint32_t group_id_enable; // bit 0 x, 1 y, 2 z, 3 workgroup info
    uint32_t workitem_id;     // 0 x, 1 xy, 2 xyz
    uint32_t preload_length, preload_offset;
    uint32_t mode;
    uint32_t wave_size;
    uint32_t vgpr_rows;
    bool packed_ids, architected_scratch, ttmp_group_ids;
    bool private_segment;
    int32_t printf_offset; // in the kernel arguments, -1: no printf
    uint32_t explicit_count, hidden_count;
    uint32_t *explicit_args, *hidden_args; // pairs, as in engine_kernel_config
};

// ---------------------------------------------------------------------------------------------------------
// Streams, events and commands
struct stream;
struct device;

struct dependency {
    struct stream *stream;
    uint64_t sequence;
};

struct event {
    struct stream *stream; // of the last record, null: never recorded or already complete
    uint64_t sequence;
    uint64_t time_ns;
    uint32_t references;
    bool recorded;
};

enum command_kind {
    COMMAND_DISPATCH,
    COMMAND_COPY,
    COMMAND_FILL,
    COMMAND_RECORD,
    COMMAND_WAIT,
    COMMAND_CALL,
    COMMAND_PYTHON
};

struct rect {
    uintptr_t dst, src;
    uint64_t dst_row, dst_slice, src_row, src_slice;
    uint64_t width, height, depth; // bytes, rows, slices
    uint32_t value, element;       // fills only
};

// hidden_multigrid_sync_arg's pointee (ROCm device library, cooperative groups): one grid, so its sums are
// its own.
struct grid_sync {
    uint64_t multi_grid; // mg_sync *, unused with one grid
    uint32_t grid_id, grid_count;
    uint64_t previous_sum, all_sum;
    uint32_t barrier[2];
    uint32_t workgroups;
};

struct dispatch {
    struct kernel *kernel;
    const struct native *native;
    uint32_t grid[3], block[3];
    uint32_t wave_count;
    uint32_t lds_size;
    uint32_t kernarg_bytes;
    bool cooperative;
    uint64_t total;        // workgroups
    _Atomic uint32_t stop;                 // faulted or aborted: skip what is left
    _Atomic uint64_t begin_ns;             // when its first workgroup began, if there is a limit; 0: not yet
    struct dispatch *previous, *following; // the list of dispatches with unclaimed workgroups
    uint8_t *printf_buffer;
    uint8_t *kernarg; // 64-byte aligned, in the command itself
    struct grid_sync sync;
    // What workers write while others run lies apart from what each of them reads for every wave.
    _Alignas(CACHE_LINE) _Atomic uint64_t next; // first workgroup that nobody has claimed
    uint64_t remaining;                         // not finished yet; under the engine's lock, as is `holders`
    uint32_t holders;                           // workers and resident workgroups that point here
    bool listed;
    _Alignas(CACHE_LINE) uint32_t sgpr[128]; // initial SGPRs, but for workgroup ids
    _Alignas(CACHE_LINE) uint8_t packet[AQL_PACKET_BYTES];
};

struct command {
    struct command *next; // in its stream
    struct command *next_job;
    struct stream *stream;
    uint64_t sequence;
    uint64_t ticket; // order of enqueueing over all streams
    enum command_kind kind;
    bool started;
    bool pooled;
    uint32_t dependency_count, dependency_room;
    struct dependency *dependencies; // points to `inline_dependencies` while they fit
    struct dependency inline_dependencies[2];
    struct engine_fault fault;
    union {
        struct dispatch dispatch;
        struct rect rect;
        struct {
            void (*function)(void *);
            uintptr_t argument;
        } call;
        struct event *event;
    };
};

struct stream {
    struct device *device;
    struct stream *next; // the device's streams
    struct command *head, *tail;
    uint64_t enqueued;          // sequence of the last command
    _Atomic uint64_t completed; // sequence of the last finished command
    uint64_t wait_sequence;     // smallest sequence that a sleeping thread waits for
    uint32_t waiters;
    uint32_t references;
    bool blocking, destroyed, is_blocked;
    struct stream *next_blocked;
    struct engine_fault fault;
    pthread_cond_t done;
};

struct output {
    struct output *next;
    struct engine_output content;
};

struct allocation;

struct device {
    struct device *next;
    struct stream *null_stream;
    struct stream *streams;
    uint64_t memory_total;
    _Atomic uint64_t memory_used;
    struct output *output_first, **output_last;
    _Atomic uint64_t output_pending;
};

// ---------------------------------------------------------------------------------------------------------
// Workers
enum wave_state { WAVE_RUNNING, WAVE_AT_BARRIER, WAVE_ENDED };

struct group { // a workgroup's place in a worker, reused for the next one
    struct dispatch *dispatch;
    uint8_t *waves;
    size_t waves_bytes;
    size_t stride;
    uint8_t *lds;
    size_t lds_bytes;
    uint8_t *scratch;
    size_t scratch_bytes;
    uint32_t *ids;        // for each wave three rows: v0, v1, v2 as they begin
    uint32_t ids_form[5]; // what `ids` was computed for
    uint32_t id[3];
    uint64_t prepared;      // ticket of the dispatch that the waves' state is still initial for, 0: of none
    uint32_t live, waiting; // waves not ended, waves at the barrier
    uint32_t current;       // wave that runs: read after a fault
    uint32_t fuel;
    bool split; // a wave has arrived at the barrier without waiting there
    bool polls; // it waits in a loop: its waves' registers did not change between their last turns
};

struct worker {
    pthread_t thread;
    uint32_t number;
    struct group **resident; // workgroups that wait for another one's progress
    uint32_t resident_count, resident_room;
    struct group **spare; // places to reuse
    uint32_t spare_count, spare_room;
    uint64_t state_bytes;   // held by resident and spare places
    struct dispatch *chunk; // claimed but not begun: workgroups chunk_first .. chunk_end-1 of it
    uint64_t chunk_first, chunk_end;
};

struct engine {
    pthread_mutex_t lock;
    pthread_cond_t work;  // for sleeping workers
    pthread_cond_t calls; // for the host-call thread
    uint32_t threads, cores;
    bool started, call_thread;
    _Atomic int forked;
    _Atomic uint32_t ready; // jobs and listed dispatches
    uint32_t sleepers, spinners;
    struct command *jobs, **jobs_last;
    struct command *host_calls, **host_calls_last;
    struct dispatch *dispatches, *dispatches_last;
    struct stream *blocked;
    struct device *devices;
    struct command *pool;
    uint64_t ticket;
    _Atomic uint64_t limit_ns; // for a dispatch, 0: none
};

extern struct engine engine;

// stream.c
void lock_engine(void);
void unlock_engine(void);
void complete(struct command *command); // lock held
struct command *command_new(enum command_kind kind, size_t extra);
int enqueue(struct stream *stream, struct command *command);
void stream_unreference(struct stream *stream); // lock held
bool stream_idle(struct stream *stream);        // lock held
void fault_stream(struct command *command, const struct engine_fault *fault);
void release_event(struct event *event); // lock held
bool wait_sequence(struct stream *stream, uint64_t sequence, int64_t timeout_ns);

// worker.c
void *worker_main(void *worker);
void offer_job(struct command *command);      // lock held
void offer_dispatch(struct command *command); // lock held

// process.c
void workers_start(void);                      // lock held
void offer_host_call(struct command *command); // lock held
void anyhip_python_call(uintptr_t id);         // in the module that cffi writes: calls Python

// group.c
enum step { STEP_ENDED, STEP_STALLED };
struct group *group_open(struct worker *worker, struct dispatch *dispatch, uint64_t number);
enum step group_step(struct group *group);
void group_close(struct worker *worker, struct group *group);
uint64_t group_state_bytes(const struct dispatch *dispatch);

// dispatch.c
bool dispatch_begin(struct dispatch *dispatch); // on a worker's side of the queue, lock held
void dispatch_end(struct command *command);     // lock held
bool dispatch_claim(struct dispatch *dispatch, uint64_t chunk, uint64_t *first, uint64_t *end);
void dispatch_fault(struct dispatch *dispatch, const struct engine_fault *fault);
struct command *command_of(struct dispatch *dispatch);

// kernarg.c
void kernarg_pack(struct dispatch *dispatch, void *const *args);
void kernarg_hidden(struct dispatch *dispatch);
void packet_fill(struct dispatch *dispatch);
void user_sgprs(struct dispatch *dispatch);

// fault.c
struct guard {
    sigjmp_buf jump;
    uint64_t code, code_bytes; // the function whose instruction is to be named, 0 bytes: any
    uint32_t signal;
    uint64_t address, ip;
};
extern _Thread_local struct guard *volatile current_guard;
int faults_install(void);
int faults_thread(void); // alternate signal stack for this thread

// copy.c
bool rect_run(struct command *command); // false: a fault, recorded in the command

// memory.c
void *state_map(size_t bytes); // zeroed, with inaccessible pages on both sides
void state_unmap(void *memory, size_t bytes);

// output.c
uint8_t *printf_buffer_take(void);
void printf_buffer_collect(struct device *device, struct dispatch *dispatch);

// clock.c
uint64_t now_ns(void);
uint64_t constant_clock(void);
bool out_of_time(struct dispatch *dispatch, uint64_t limit_ns);

static inline void pause_cpu(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}
#endif
