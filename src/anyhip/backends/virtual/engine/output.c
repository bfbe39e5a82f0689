// printf's way out: buffers that kernels append records to, and the list of filled ones that Python decodes.
#include "engine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER_BYTES (1u << 20)
#define HEADER_BYTES 16 // u32 used, capacity, assert flag, dropped

static uint8_t *spare; // linked through their first bytes; under the engine's lock

uint8_t *printf_buffer_take(void) {
    uint8_t *buffer = spare;
    if (buffer)
        memcpy(&spare, buffer, sizeof spare);
    else
        buffer = calloc(1, BUFFER_BYTES);
    if (buffer) {
        uint32_t header[4] = {0, BUFFER_BYTES - HEADER_BYTES, 0, 0};
        memcpy(buffer, header, sizeof header);
    }
    return buffer;
}

static void append(struct device *device, uintptr_t kernel, const uint8_t *records, uint32_t size,
                   uint32_t dropped) {
    struct output *output = calloc(1, sizeof *output);
    uint8_t *copy = malloc(size ? size : 1);
    if (!output || !copy) { // no memory even for text: nothing is left to tell it with
        free(output);
        free(copy);
        return;
    }
    memcpy(copy, records, size);
    output->content = (struct engine_output){kernel, size, dropped, copy};
    *device->output_last = output;
    device->output_last = &output->next;
    atomic_fetch_add(&device->output_pending, (uint64_t)size + dropped);
}

void printf_buffer_collect(struct device *device, struct dispatch *dispatch) {
    uint8_t *buffer = dispatch->printf_buffer;
    uint32_t header[4];
    memcpy(header, buffer, sizeof header);
    uint32_t used = header[0] < BUFFER_BYTES - HEADER_BYTES ? header[0] : BUFFER_BYTES - HEADER_BYTES;
    if (used || header[3])
        append(device, (uintptr_t)dispatch->kernel, buffer + HEADER_BYTES, used, header[3]);
    memset(buffer, 0, HEADER_BYTES + used); // whoever reads behind the last whole record finds zeros
    memcpy(buffer, &spare, sizeof spare);
    spare = buffer;
    dispatch->printf_buffer = NULL;
}

uint64_t device_output_pending(uintptr_t device) {
    return atomic_load(&((struct device *)device)->output_pending);
}

int device_output_take(uintptr_t handle, struct engine_output *out) {
    struct device *device = (struct device *)handle;
    lock_engine();
    struct output *output = device->output_first;
    if (output) {
        *out = output->content;
        device->output_first = output->next;
        if (!output->next)
            device->output_last = &device->output_first;
        atomic_fetch_sub(&device->output_pending, (uint64_t)out->size + out->dropped);
    }
    unlock_engine();
    free(output);
    return output != NULL;
}

void output_release(struct engine_output *out) {
    free(out->records);
    out->records = NULL;
}

// Through C's stdio, so that it keeps its place between the program's own lines.
void write_text(int is_stderr, const uint8_t *text, size_t size) {
    fwrite(text, 1, size, is_stderr ? stderr : stdout);
    fflush(is_stderr ? stderr : stdout);
}
