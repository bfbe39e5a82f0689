// What clang's code for <<<>>> calls, without Python: launch configurations, and records made before main.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "skin.h"

typedef struct {
  uint32_t x, y, z;
} dim3;

typedef struct {
  dim3 grid, block;
  size_t shared;
  void *stream;
} configuration;

enum { MOST_NESTED = 32, MISSING_CONFIGURATION = 52, INVALID_VALUE = 1 };

static __thread configuration pushed[MOST_NESTED];
static __thread int depth;

ANYHIP_EXPORT int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  if (depth == MOST_NESTED) return anyhip_note(INVALID_VALUE);
  pushed[depth++] = (configuration){grid, block, shared, stream};
  return 0;
}

ANYHIP_EXPORT int __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void **stream) {
  if (!depth) return anyhip_note(MISSING_CONFIGURATION);
  const configuration *top = &pushed[--depth];
  *grid = top->grid;
  *block = top->block;
  *shared = top->shared;
  *stream = top->stream;
  return 0;
}

// kind as anyhip.sdk.entry.receive knows it
enum { FAT_BINARY, FUNCTION, VARIABLE, MANAGED, UNREGISTER };

typedef struct {
  int kind;
  uint64_t numbers[5];
  const char *name;
} record;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static record *records;
static size_t record_count, record_room;
static volatile int pending;

static void add(int kind, const uint64_t numbers[5], const char *name) {
  pthread_mutex_lock(&lock);
  if (record_count == record_room) {
    record_room = record_room ? 2 * record_room : 64;
    records = realloc(records, record_room * sizeof *records);
    if (!records) abort();
  }
  record *made = &records[record_count++];
  made->kind = kind;
  memcpy(made->numbers, numbers, sizeof made->numbers);
  made->name = name;
  pending = 1;
  pthread_mutex_unlock(&lock);
}

int anyhip_take_records(anyhip_receiver receive) {
  if (!pending) return 0;
  pthread_mutex_lock(&lock);
  record *taken = records;
  size_t count = record_count;
  records = NULL;
  record_count = record_room = 0;
  pending = 0;
  pthread_mutex_unlock(&lock);
  for (size_t i = 0; i < count; i++) receive(taken[i].kind, taken[i].numbers, taken[i].name);
  free(taken);
  return (int)count;
}

static uint64_t number(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

ANYHIP_EXPORT void **__hipRegisterFatBinary(const void *wrapper) {
  void **handle = calloc(1, sizeof *handle);
  if (!handle) abort();
  add(FAT_BINARY, (uint64_t[5]){number(handle), number(wrapper)}, "");
  return handle;
}

ANYHIP_EXPORT void __hipRegisterFunction(void **handle, const void *host, char *unused, const char *name,
                                         unsigned int limit, void *tid, void *bid, void *block, void *grid, int *size) {
  (void)unused, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)size;
  add(FUNCTION, (uint64_t[5]){number(handle), number(host)}, name);
}

ANYHIP_EXPORT void __hipRegisterVar(void **handle, void *host, char *unused, char *name, int ext, size_t size,
                                    int constant, int global) {
  (void)unused, (void)ext, (void)constant, (void)global;
  add(VARIABLE, (uint64_t[5]){number(handle), number(host), size}, name);
}

ANYHIP_EXPORT void __hipRegisterManagedVar(void *handle, void **pointer, void *initial, const char *name, size_t size,
                                           unsigned align) {
  anyhip_record_now(MANAGED, (uint64_t[5]){number(handle), number(pointer), number(initial), size, align}, name);
}

// Texture and surface references are variables of the module; binding them is the texture calls' work.
ANYHIP_EXPORT void __hipRegisterTexture(void **handle, void *host, char *unused, char *name, int type, int norm, int ext) {
  (void)unused, (void)type, (void)norm, (void)ext;
  add(VARIABLE, (uint64_t[5]){number(handle), number(host), 0}, name);
}

ANYHIP_EXPORT void __hipRegisterSurface(void **handle, void *host, char *unused, char *name, int type, int ext) {
  (void)unused, (void)type, (void)ext;
  add(VARIABLE, (uint64_t[5]){number(handle), number(host), 0}, name);
}

// A binary that goes before Python saw it leaves no trace; returns whether it was one.
static int forget_unseen(uint64_t handle) {
  pthread_mutex_lock(&lock);
  size_t kept = 0;
  int found = 0;
  for (size_t i = 0; i < record_count; i++) {
    int same = records[i].numbers[0] == handle;
    found |= same && records[i].kind == FAT_BINARY;
    if (!same) records[kept++] = records[i];
  }
  if (found) record_count = kept;
  pthread_mutex_unlock(&lock);
  return found;
}

// Nothing is freed now: at exit the process is going anyway, and a library's code goes at the next call.
ANYHIP_EXPORT void __hipUnregisterFatBinary(void **handle) {
  if (!forget_unseen(number(handle))) add(UNREGISTER, (uint64_t[5]){number(handle)}, "");
}
