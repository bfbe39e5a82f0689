// The kernel's arguments in memory: explicit ones from the caller, hidden ones by value_kind (AMDGPUUsage,
// "Kernel Argument Metadata"), the AQL packet, and the user SGPRs that point to them ("Initial Kernel
// State").
#include "engine.h"
#include <string.h>

enum { // KERNEL_CODE_PROPERTIES
    ENABLE_PRIVATE_SEGMENT_BUFFER = 1 << 0,
    ENABLE_DISPATCH_PTR = 1 << 1,
    ENABLE_QUEUE_PTR = 1 << 2,
    ENABLE_KERNARG_SEGMENT_PTR = 1 << 3,
    ENABLE_DISPATCH_ID = 1 << 4,
    ENABLE_FLAT_SCRATCH_INIT = 1 << 5,
    ENABLE_PRIVATE_SEGMENT_SIZE = 1 << 6
};

void kernarg_pack(struct dispatch *dispatch, void *const *args) {
    const struct kernel *kernel = dispatch->kernel;
    for (uint32_t i = 0; i < kernel->explicit_count; i++)
        memcpy(dispatch->kernarg + kernel->explicit_args[2 * i], args[i], kernel->explicit_args[2 * i + 1]);
}

static uint32_t grid_dims(const struct dispatch *dispatch) {
    bool z = dispatch->grid[2] * (uint64_t)dispatch->block[2] > 1;
    bool y = dispatch->grid[1] * (uint64_t)dispatch->block[1] > 1;
    return z ? 3 : y ? 2 : 1;
}

static uint64_t hidden_value(struct dispatch *dispatch, uint32_t kind, uint32_t *size) {
    *size = 8;
    switch (kind) {
    case HIDDEN_BLOCK_COUNT_X:
    case HIDDEN_BLOCK_COUNT_Y:
    case HIDDEN_BLOCK_COUNT_Z:
        *size = 4;
        return dispatch->grid[kind - HIDDEN_BLOCK_COUNT_X];
    case HIDDEN_GROUP_SIZE_X:
    case HIDDEN_GROUP_SIZE_Y:
    case HIDDEN_GROUP_SIZE_Z:
        *size = 2;
        return dispatch->block[kind - HIDDEN_GROUP_SIZE_X];
    case HIDDEN_REMAINDER_X: // HIP's grids are whole workgroups
    case HIDDEN_REMAINDER_Y:
    case HIDDEN_REMAINDER_Z:
        *size = 2;
        return 0;
    case HIDDEN_GRID_DIMS:
        *size = 2;
        return grid_dims(dispatch);
    case HIDDEN_PRINTF_BUFFER:
        return (uint64_t)(uintptr_t)dispatch->printf_buffer;
    case HIDDEN_MULTIGRID_SYNC_ARG:
        return dispatch->cooperative ? (uint64_t)(uintptr_t)&dispatch->sync : 0;
    case HIDDEN_DYNAMIC_LDS_SIZE:
        *size = 4;
        return dispatch->lds_size - dispatch->kernel->lds_static;
    case HIDDEN_PRIVATE_BASE:
        *size = 4;
        return PRIVATE_APERTURE;
    case HIDDEN_SHARED_BASE:
        *size = 4;
        return SHARED_APERTURE;
    case HIDDEN_NONE:
        *size = 0;
        return 0;
    default: // global offsets are 0 in HIP; there are no hostcalls, device queues or device heap
        return 0;
    }
}

void kernarg_hidden(struct dispatch *dispatch) {
    const struct kernel *kernel = dispatch->kernel;
    for (uint32_t i = 0; i < kernel->hidden_count; i++) {
        uint32_t size, offset = kernel->hidden_args[2 * i + 1];
        uint64_t value = hidden_value(dispatch, kernel->hidden_args[2 * i], &size);
        if (offset + size <= kernel->kernarg_size)
            memcpy(dispatch->kernarg + offset, &value, size); // little-endian hosts only, as the device
    }
}

static void put16(uint8_t *at, uint32_t value) { memcpy(at, &(uint16_t){(uint16_t)value}, 2); }
static void put32(uint8_t *at, uint32_t value) { memcpy(at, &value, 4); }
static void put64(uint8_t *at, uint64_t value) { memcpy(at, &value, 8); }

// hsa_kernel_dispatch_packet_t
void packet_fill(struct dispatch *dispatch) {
    uint8_t *packet = dispatch->packet;
    memset(packet, 0, AQL_PACKET_BYTES);
    put16(packet, 2 | 2 << 9 | 2 << 11); // kernel dispatch, system-scope acquire and release
    put16(packet + 2, grid_dims(dispatch));
    for (int i = 0; i < 3; i++) {
        put16(packet + 4 + 2 * i, dispatch->block[i]);
        put32(packet + 12 + 4 * i, dispatch->grid[i] * dispatch->block[i]);
    }
    put32(packet + 24, dispatch->kernel->scratch_bytes);
    put32(packet + 28, dispatch->lds_size);
    put64(packet + 32, dispatch->kernel->descriptor_address);
    put64(packet + 40, (uint64_t)(uintptr_t)dispatch->kernarg);
}

static uint32_t user_pointer(uint32_t *sgpr, uint32_t at, uint64_t value) {
    sgpr[at] = (uint32_t)value;
    sgpr[at + 1] = (uint32_t)(value >> 32);
    return at + 2;
}

// User SGPRs are dense from s0, in the order of the property bits. The scratch descriptor (targets without
// architected flat scratch) is a swizzled V# based at 0: the wave's own private memory is what it reaches.
void user_sgprs(struct dispatch *dispatch) {
    const struct kernel *kernel = dispatch->kernel;
    uint32_t properties = kernel->properties, at = 0, *sgpr = dispatch->sgpr;
    memset(sgpr, 0, sizeof dispatch->sgpr);
    if (properties & ENABLE_PRIVATE_SEGMENT_BUFFER) {
        sgpr[1] = 1u << 31;
        sgpr[2] = kernel->scratch_bytes * kernel->wave_size;
        at = 4;
    }
    if (properties & ENABLE_DISPATCH_PTR)
        at = user_pointer(sgpr, at, (uint64_t)(uintptr_t)dispatch->packet);
    if (properties & ENABLE_QUEUE_PTR)
        at = user_pointer(sgpr, at, 0);
    if (properties & ENABLE_KERNARG_SEGMENT_PTR)
        at = user_pointer(sgpr, at, (uint64_t)(uintptr_t)dispatch->kernarg);
    if (properties & ENABLE_DISPATCH_ID)
        at = user_pointer(sgpr, at, command_of(dispatch)->ticket);
    if (properties & ENABLE_FLAT_SCRATCH_INIT)
        at = user_pointer(sgpr, at, 0);
    if (properties & ENABLE_PRIVATE_SEGMENT_SIZE)
        sgpr[at++] = kernel->scratch_bytes;
    for (uint32_t i = 0; i < kernel->preload_length && at < kernel->user_sgprs; i++)
        memcpy(&sgpr[at++], dispatch->kernarg + 4 * (kernel->preload_offset + i), 4);
}
