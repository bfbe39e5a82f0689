// Kernels: a descriptor's bits (AMDGPUUsage, "Kernel Descriptor") and the native library that runs it.
#define _GNU_SOURCE
#include "engine.h"
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

static uint32_t read32(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static uint32_t bits(uint32_t value, uint32_t low, uint32_t count) {
    return value >> low & ((1u << count) - 1);
}

static void read_descriptor(struct kernel *kernel, const uint8_t *descriptor) {
    uint32_t rsrc2 = read32(descriptor + 52);
    uint32_t properties = read32(descriptor + 56); // and KERNARG_PRELOAD in the upper half
    kernel->descriptor_address = (uint64_t)(uintptr_t)descriptor;
    kernel->lds_static = read32(descriptor);
    kernel->scratch_bytes = read32(descriptor + 4);
    kernel->properties = properties & 0xffff;
    kernel->preload_length = bits(properties, 16, 7);
    kernel->preload_offset = bits(properties, 23, 9);
    kernel->private_segment = bits(rsrc2, 0, 1);
    kernel->user_sgprs = bits(rsrc2, 1, 5);
    kernel->group_id_enable = bits(rsrc2, 7, 4);
    kernel->workitem_id = bits(rsrc2, 11, 2);
    kernel->wave_size = bits(properties, 10, 1) ? 32 : 64;
}

static uint32_t *copy_pairs(const uint32_t *pairs, uint32_t count) {
    uint32_t *copy = malloc((count ? count : 1) * 2 * sizeof *copy);
    if (copy && count)
        memcpy(copy, pairs, count * 2 * sizeof *copy);
    return copy;
}

static int32_t hidden_offset(const struct kernel *kernel, uint32_t kind) {
    for (uint32_t i = 0; i < kernel->hidden_count; i++)
        if (kernel->hidden_args[2 * i] == kind)
            return (int32_t)kernel->hidden_args[2 * i + 1];
    return -1;
}

uintptr_t kernel_create(const struct engine_kernel_config *config) {
    struct kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return 0;
    read_descriptor(kernel, config->descriptor);
    kernel->name = strdup(config->name);
    kernel->code_base = config->code_base;
    kernel->kernarg_size = config->kernarg_size;
    kernel->packed_ids = config->packed_ids;
    kernel->architected_scratch = config->architected_scratch;
    kernel->ttmp_group_ids = config->ttmp_group_ids;
    kernel->mode = config->mode;
    kernel->vgpr_rows = config->vgpr_rows;
    if (config->scratch_bytes > kernel->scratch_bytes)
        kernel->scratch_bytes = config->scratch_bytes;
    kernel->explicit_count = config->explicit_count;
    kernel->hidden_count = config->hidden_count;
    kernel->explicit_args = copy_pairs(config->explicit_args, config->explicit_count);
    kernel->hidden_args = copy_pairs(config->hidden_args, config->hidden_count);
    if (!kernel->name || !kernel->explicit_args || !kernel->hidden_args) {
        kernel_destroy((uintptr_t)kernel);
        return 0;
    }
    kernel->printf_offset = hidden_offset(kernel, HIDDEN_PRINTF_BUFFER);
    return (uintptr_t)kernel;
}

void kernel_destroy(uintptr_t handle) {
    struct kernel *kernel = (struct kernel *)handle;
    for (int lanes = 0; lanes < LANE_FORMS; lanes++)
        if (kernel->native[lanes].library)
            dlclose(kernel->native[lanes].library);
    free(kernel->name);
    free(kernel->explicit_args);
    free(kernel->hidden_args);
    free(kernel);
}

// Which of the kernel's translations fits workgroups of this shape.
uint32_t kernel_lanes(uint32_t block_x, uint32_t block_y, uint32_t block_z) {
    return block_x % 16 == 0 || (block_y == 1 && block_z == 1) ? LANES_ROWS : LANES_ANY;
}

// Null when the library is open; otherwise what the dynamic linker says.
const char *kernel_open(uintptr_t handle, const char *path, uint32_t lanes) {
    struct native *native = &((struct kernel *)handle)->native[lanes];
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return dlerror();
    void *entry = dlsym(library, "anyhip_kernel");
    if (!entry) {
        dlclose(library);
        return "it exports no anyhip_kernel";
    }
    if (faults_install()) {
        dlclose(library);
        return "the signal handlers cannot be installed";
    }
    Dl_info info;
    ElfW(Sym) *symbol = NULL;
    native->address = (uint64_t)(uintptr_t)entry;
    if (dladdr1(entry, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol)
        native->bytes = symbol->st_size;
    native->library = library;
    memcpy(&native->entry, &entry, sizeof entry); // ISO C has no cast from object to function pointer
    return NULL;
}
