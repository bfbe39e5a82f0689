// What Python calls: the engine's whole public face. cffi reads this file too (lines with '#' are dropped),
// so it holds declarations only. Handles are addresses of the engine's own structures, passed as integers.
#ifndef ANYHIP_API_H
#define ANYHIP_API_H
#include <stddef.h>
#include <stdint.h>

// Return codes of the int functions below.
enum engine_status {
    ENGINE_OK = 0,
    ENGINE_FORKED = 1,     // the process was forked after the engine started; threads did not survive
    ENGINE_NO_MEMORY = 2,  // the host has no memory for the queue entry, state or thread
    ENGINE_BAD_ADDRESS = 3, // a copy or fill done at once met an unmapped address
    ENGINE_NOT_TRANSLATED = 4 // the kernel has no native library yet for workgroups of this shape
};

// Why a command failed.
enum fault_kind {
    FAULT_NONE = 0,
    FAULT_SIGNAL = 1,      // the host's CPU raised a signal inside a kernel
    FAULT_TRAP = 2,        // s_trap
    FAULT_UNSUPPORTED = 3, // the translated kernel met an instruction it has no meaning for
    FAULT_COPY = 4,        // a copy or fill met an unmapped address
    FAULT_MEMORY = 5,      // no host memory for the waves' state
    FAULT_TIMEOUT = 6      // the dispatch ran longer than engine_limit() allows
};

// Kernel arguments that the runtime fills: the metadata's value_kind in capitals (AMDGPUUsage, "Code Object
// V5 Metadata").
enum hidden_kind {
    HIDDEN_BLOCK_COUNT_X,
    HIDDEN_BLOCK_COUNT_Y,
    HIDDEN_BLOCK_COUNT_Z,
    HIDDEN_GROUP_SIZE_X,
    HIDDEN_GROUP_SIZE_Y,
    HIDDEN_GROUP_SIZE_Z,
    HIDDEN_REMAINDER_X,
    HIDDEN_REMAINDER_Y,
    HIDDEN_REMAINDER_Z,
    HIDDEN_GLOBAL_OFFSET_X,
    HIDDEN_GLOBAL_OFFSET_Y,
    HIDDEN_GLOBAL_OFFSET_Z,
    HIDDEN_GRID_DIMS,
    HIDDEN_PRINTF_BUFFER,
    HIDDEN_HOSTCALL_BUFFER,
    HIDDEN_MULTIGRID_SYNC_ARG,
    HIDDEN_HEAP_V1,
    HIDDEN_DEFAULT_QUEUE,
    HIDDEN_COMPLETION_ACTION,
    HIDDEN_DYNAMIC_LDS_SIZE,
    HIDDEN_PRIVATE_BASE,
    HIDDEN_SHARED_BASE,
    HIDDEN_QUEUE_PTR,
    HIDDEN_NONE
};

struct engine_fault {
    uint32_t kind;        // enum fault_kind
    uint32_t signal;      // SIGSEGV ...
    uintptr_t kernel;     // handle, 0 for copies
    uint64_t address;     // faulting data address, 0 when unknown
    int64_t ip_offset;    // native instruction, relative to anyhip_kernel
    uint64_t pc;          // vaddr of the AMD instruction for traps, unsupported instructions and timeouts
    uint32_t trap;        // s_trap's number
    uint32_t assert_flag; // the printf buffer's assert flag: an assert() failed before the trap
    uint32_t group[3];
    uint32_t block[3];
    uint32_t wave; // number in its workgroup
    uint32_t wave_size;
    uint32_t lanes; // form of the kernel's library that ran
    uint32_t live, waiting; // timeouts: waves of the workgroup that have not ended, and those at its barrier
};

struct engine_allocation {
    uint64_t address;
    uint64_t size;
    uint32_t live; // 0: was freed
};

struct engine_kernel_config {
    const uint8_t *descriptor; // the 64-byte kernel descriptor
    const char *name;
    uint64_t code_base;            // address of the code object's vaddr 0
    const uint32_t *explicit_args; // pairs: offset, size
    uint32_t explicit_count;
    const uint32_t *hidden_args; // pairs: enum hidden_kind, offset
    uint32_t hidden_count;
    uint32_t kernarg_size;
    uint32_t packed_ids;          // work-item ids share v0
    uint32_t architected_scratch; // no scratch descriptor or wave offset in SGPRs
    uint32_t ttmp_group_ids;      // workgroup ids in TTMP7 and TTMP9
    uint32_t mode;                // MODE as waves begin
    uint32_t scratch_bytes;       // a lane, where the descriptor's number is not enough (dynamic stack)
    uint32_t vgpr_rows;           // rows of struct wave's vgpr that the kernel may touch
};

struct engine_output {
    uintptr_t kernel; // whose formats the records use
    uint32_t size;    // bytes of records
    uint32_t dropped; // records that did not fit
    uint8_t *records;
};

// Process
int engine_start(uint32_t threads, uint32_t cores);
void engine_limit(uint64_t ns); // time for a dispatch from its first workgroup on; 0: no limit
uint32_t engine_threads(void);
int engine_forked(void);
void write_text(int is_stderr, const uint8_t *text, size_t size);

// Devices
uintptr_t device_create(uint64_t memory_total);
uintptr_t device_null_stream(uintptr_t device);
int device_wait(uintptr_t device, int64_t timeout_ns);
void device_abort(uintptr_t device);
uint64_t device_output_pending(uintptr_t device);
int device_output_take(uintptr_t device, struct engine_output *out);
void output_release(struct engine_output *out);

// Memory
uintptr_t memory_allocate(uintptr_t device, uint64_t size);
int memory_free(uintptr_t device, uintptr_t address);
uint64_t memory_used(uintptr_t device);
uint64_t memory_total(uintptr_t device);
int memory_nearest(uintptr_t device, uintptr_t address, struct engine_allocation *out);

// Streams: the wait functions return 0 when the time ran out, 1 when done, 2 when done and there is something
// to look at: a fault of the stream, or output of the device.
uintptr_t stream_create(uintptr_t device, int blocking);
void stream_destroy(uintptr_t stream);
int stream_done(uintptr_t stream);
int stream_wait(uintptr_t stream, int64_t timeout_ns);
int stream_fault(uintptr_t stream, struct engine_fault *out);
int device_fault(uintptr_t device, struct engine_fault *out);
void device_clear_faults(uintptr_t device);

// Events
uintptr_t event_create(void);
void event_destroy(uintptr_t event);
int event_record(uintptr_t event, uintptr_t stream);
int stream_wait_event(uintptr_t stream, uintptr_t event);
int event_done(uintptr_t event);
int event_wait(uintptr_t event, int64_t timeout_ns);
int event_fault(uintptr_t event, struct engine_fault *out);
double event_elapsed_ms(uintptr_t start, uintptr_t stop);

// Work
int enqueue_copy(uintptr_t stream, uintptr_t dst, uintptr_t src, uint64_t size);
int enqueue_copy_rect(uintptr_t stream, uintptr_t dst, uint64_t dst_row, uint64_t dst_slice, uintptr_t src,
                      uint64_t src_row, uint64_t src_slice, uint64_t width, uint64_t height, uint64_t depth);
int enqueue_fill_rect(uintptr_t stream, uintptr_t dst, uint64_t row, uint64_t slice, uint32_t value,
                      uint32_t element, uint64_t width, uint64_t height, uint64_t depth);
int enqueue_call(uintptr_t stream, uintptr_t function, uintptr_t argument);
int enqueue_python_call(uintptr_t stream, uintptr_t id);

// Kernels
uintptr_t kernel_create(const struct engine_kernel_config *config);
void kernel_destroy(uintptr_t kernel);
const char *kernel_open(uintptr_t kernel, const char *library, uint32_t lanes);
uint32_t kernel_lanes(uint32_t block_x, uint32_t block_y, uint32_t block_z);
int kernel_launch(uintptr_t stream, uintptr_t kernel, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z,
                  uint32_t block_x, uint32_t block_y, uint32_t block_z, uint32_t shared, uintptr_t args,
                  uint32_t cooperative);
int kernel_launch_packed(uintptr_t stream, uintptr_t kernel, uint32_t grid_x, uint32_t grid_y,
                         uint32_t grid_z, uint32_t block_x, uint32_t block_y, uint32_t block_z,
                         uint32_t shared, const uint8_t *kernarg, uint32_t size);
#endif
