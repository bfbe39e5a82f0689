// Device memory: each allocation is a mapping of its own, ending where inaccessible addresses begin, so that
// an access past its end, or after it was freed, faults. Addresses are not reused while there are fresh ones.
#define _GNU_SOURCE
#include "engine.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ALIGNMENT 256u
#define SLOT (2ull << 20) // allocations begin in slots of their own: a huge page each
#define WINDOW_BEGIN                                                                                         \
    0x200000000000ull // addresses that hosts leave alone: below libraries and stack, above heaps
#define WINDOW_END 0x500000000000ull
#define ATTEMPTS (1 << 18) // slots tried: more than there can be mappings
#define SEPARATE_MOST 32768u
#define CLASSES 4u // blocks of 256, 512, 1024 and 2048 bytes
#define SLAB_BYTES (1ull << 20)
#define REMEMBERED 4096 // freed allocations kept for fault messages
#define HUGE_PAGES_FROM (4ull << 20)

struct allocation {
    uint64_t address, size;  // as the program sees it; address 0: empty, 1: deleted
    uint64_t map, map_bytes; // map_bytes 0: a block of a slab, which is its own size class
    struct device *device;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct allocation *table;
static uint64_t table_room, table_used; // `used` counts deleted entries as well
static uint64_t next_slot = WINDOW_BEGIN;
static struct engine_allocation freed[REMEMBERED];
static uint32_t freed_next;
static uint32_t mappings;
static uint8_t *blocks[CLASSES]; // free ones, linked through their first bytes

static uint64_t hash(uint64_t address) { return (address >> 8) * 0x9e3779b97f4a7c15ull >> 20; }

static struct allocation *find(uint64_t address) {
    for (uint64_t i = hash(address); table_room; i++) {
        struct allocation *entry = &table[i & (table_room - 1)];
        if (entry->address == address)
            return entry;
        if (!entry->address)
            return NULL;
    }
    return NULL;
}

static void insert(struct allocation entry) {
    uint64_t i = hash(entry.address);
    while (table[i & (table_room - 1)].address > 1)
        i++;
    struct allocation *place = &table[i & (table_room - 1)];
    table_used += place->address == 0;
    *place = entry;
}

static bool make_room(void) {
    if (table_used * 2 < table_room)
        return true;
    uint64_t old_room = table_room, live = 0;
    struct allocation *old = table;
    for (uint64_t i = 0; i < old_room; i++)
        live += old[i].address > 1;
    uint64_t room = 256;
    while (room < live * 4)
        room *= 2;
    struct allocation *grown = calloc(room, sizeof *grown);
    if (!grown)
        return false;
    table = grown;
    table_room = room;
    table_used = 0;
    for (uint64_t i = 0; i < old_room; i++)
        if (old[i].address > 1)
            insert(old[i]);
    free(old);
    return true;
}

// A fresh mapping with at least a page of nothing behind it, or null.
static uint8_t *map_slot(uint64_t bytes) {
    uint64_t span =
        (bytes + 2 * SLOT - 1) / SLOT * SLOT; // at least one byte short of a slot stays unmapped ...
    span += SLOT;                             // ... and a whole slot besides
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (next_slot + span > WINDOW_END)
            next_slot = WINDOW_BEGIN;
        void *wish = (void *)(uintptr_t)next_slot;
        next_slot += span;
        void *got = mmap(wish, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (got == wish)
            return got;
        if (got == MAP_FAILED && errno != EEXIST)
            return NULL;
        if (got != MAP_FAILED)
            munmap(got, bytes); // a kernel before 4.17 takes the address as a hint only
    }
    return NULL;
}

// Hosts limit the number of mappings (Linux: vm.max_map_count, 65,530). Past SEPARATE_MOST of them small
// allocations are blocks of shared slabs: they stay apart from large ones, no longer from each other.
static uint32_t size_class(uint64_t rounded) {
    uint32_t class = 0;
    while ((uint64_t)ALIGNMENT << class < rounded)
        class++;
    return class;
}

static uint8_t *block_take(uint32_t class) {
    uint64_t block = (uint64_t)ALIGNMENT << class;
    if (!blocks[class]) {
        uint8_t *slab = map_slot(SLAB_BYTES);
        for (uint64_t at = 0; slab && at < SLAB_BYTES; at += block) {
            memcpy(slab + at, &blocks[class], sizeof blocks[class]);
            blocks[class] = slab + at;
        }
    }
    uint8_t *taken = blocks[class];
    if (taken)
        memcpy(&blocks[class], taken, sizeof blocks[class]);
    return taken;
}

static void block_give(uint8_t *block, uint64_t size) {
    uint32_t class = size_class(size);
    memcpy(block, &blocks[class], sizeof blocks[class]);
    blocks[class] = block;
}

// Lock held. The allocation's place, or an empty one when the host has no memory.
static struct allocation place(struct device *device, uint64_t size) {
    uint64_t rounded = (size + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
    uint64_t bytes = (rounded + 4095) & ~4095ull;
    struct allocation entry = {0, size, 0, 0, device};
    if (mappings >= SEPARATE_MOST && size_class(rounded) < CLASSES) {
        entry.address = (uint64_t)(uintptr_t)block_take(size_class(rounded));
        return entry;
    }
    uint8_t *map = map_slot(bytes);
    if (map) {
        mappings++;
        entry.address = (uint64_t)(uintptr_t)map + bytes - rounded;
        entry.map = (uint64_t)(uintptr_t)map;
        entry.map_bytes = bytes;
    }
    return entry;
}

uintptr_t memory_allocate(uintptr_t handle, uint64_t size) {
    struct device *device = (struct device *)handle;
    if (!size || size > device->memory_total ||
        atomic_fetch_add(&device->memory_used, size) + size > device->memory_total) {
        if (size && size <= device->memory_total)
            atomic_fetch_sub(&device->memory_used, size);
        return 0;
    }
    struct allocation entry = {0};
    pthread_mutex_lock(&lock);
    if (make_room())
        entry = place(device, size);
    if (entry.address)
        insert(entry);
    pthread_mutex_unlock(&lock);
    if (!entry.address)
        atomic_fetch_sub(&device->memory_used, size);
    else if (entry.map_bytes >= HUGE_PAGES_FROM)
        madvise((void *)(uintptr_t)entry.map, entry.map_bytes, MADV_HUGEPAGE); // a wish; without it, slower
    return entry.address;
}

// ENGINE_BAD_ADDRESS: not the beginning of an allocation of this device.
int memory_free(uintptr_t handle, uintptr_t address) {
    struct device *device = (struct device *)handle;
    pthread_mutex_lock(&lock);
    struct allocation *entry = address > 1 ? find(address) : NULL;
    if (!entry || entry->device != device) {
        pthread_mutex_unlock(&lock);
        return ENGINE_BAD_ADDRESS;
    }
    struct allocation gone = *entry;
    entry->address = 1;
    freed[freed_next++ % REMEMBERED] = (struct engine_allocation){gone.address, gone.size, 0};
    if (gone.map_bytes)
        mappings--;
    else
        block_give((uint8_t *)(uintptr_t)gone.address, gone.size);
    pthread_mutex_unlock(&lock);
    if (gone.map_bytes)
        munmap((void *)(uintptr_t)gone.map, gone.map_bytes);
    atomic_fetch_sub(&device->memory_used, gone.size);
    return ENGINE_OK;
}

uint64_t memory_used(uintptr_t device) { return atomic_load(&((struct device *)device)->memory_used); }
uint64_t memory_total(uintptr_t device) { return ((struct device *)device)->memory_total; }

static uint64_t distance(uint64_t address, uint64_t begin, uint64_t size) {
    if (address < begin)
        return begin - address;
    return address < begin + size ? 0 : address - (begin + size) + 1;
}

// The allocation that contains or is nearest to an address; a freed one only if it contained it, the latest
// first. 0: there is none. For messages: it looks at every allocation.
int memory_nearest(uintptr_t handle, uintptr_t address, struct engine_allocation *out) {
    struct device *device = (struct device *)handle;
    uint64_t best = UINT64_MAX;
    pthread_mutex_lock(&lock);
    for (uint64_t i = 0; i < table_room; i++) {
        struct allocation *entry = &table[i];
        if (entry->address < 2 || entry->device != device)
            continue;
        uint64_t away = distance(address, entry->address, entry->size);
        if (away < best) {
            best = away;
            *out = (struct engine_allocation){entry->address, entry->size, 1};
        }
    }
    for (uint32_t i = 1; best && i <= REMEMBERED; i++) {
        struct engine_allocation *entry = &freed[(freed_next - i) % REMEMBERED];
        if (entry->size && !distance(address, entry->address, entry->size)) {
            *out = *entry;
            best = 0;
        }
    }
    pthread_mutex_unlock(&lock);
    return best != UINT64_MAX;
}

// Memory of the engine's own that kernels index: inaccessible pages lie on both sides.
void *state_map(size_t bytes) {
    size_t whole = ((bytes + 4095) & ~(size_t)4095) + 2 * 4096;
    uint8_t *map = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return NULL;
    if (mprotect(map + 4096, whole - 2 * 4096, PROT_READ | PROT_WRITE)) {
        munmap(map, whole);
        return NULL;
    }
    return map + 4096;
}

void state_unmap(void *memory, size_t bytes) {
    if (memory)
        munmap((uint8_t *)memory - 4096, ((bytes + 4095) & ~(size_t)4095) + 2 * 4096);
}
