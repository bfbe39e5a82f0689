// malloc and free inside kernels: a fixed heap in each module that uses them. Blocks come in powers of two; a
// freed block goes to the list of its size. List heads carry a counter, so that a head that was popped and
// pushed again in the meantime is not mistaken for the old one.
#ifndef ANYHIP_DEVICELIB_HEAP_H
#define ANYHIP_DEVICELIB_HEAP_H

#include "common.h"

namespace anyhip {

constexpr u32 kHeapBytes = 8u << 20, kGranule = 16, kClasses = 24;

struct heap_state {
  u32 next;  // granules handed out so far, less the one that stands for "none"
  u64 free[kClasses];
  __attribute__((aligned(16))) unsigned char bytes[kHeapBytes];
};
static __attribute__((device)) heap_state heap;

// The granule before each block holds its class; a free block's own first word is the next free granule.
ANYHIP_INLINE u32* granule(u32 index) { return (u32*)(heap.bytes + (unsigned long)index * kGranule); }

ANYHIP_INLINE u32 take_free(u32 size_class) {
  u64 head = __scoped_atomic_load_n(&heap.free[size_class], __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
  while ((u32)head != 0) {
    const u32 next = __scoped_atomic_load_n(granule((u32)head) + 4, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    const u64 wanted = ((head >> 32) + 1) << 32 | next;
    if (__scoped_atomic_compare_exchange_n(&heap.free[size_class], &head, wanted, false, __ATOMIC_ACQUIRE,
                                           __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE))
      return (u32)head;
  }
  return 0;
}
ANYHIP_INLINE u32 take_new(u32 granules) {
  constexpr u32 limit = kHeapBytes / kGranule - 1;
  u32 used = __scoped_atomic_load_n(&heap.next, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  while (used <= limit && granules <= limit - used) {
    if (__scoped_atomic_compare_exchange_n(&heap.next, &used, used + granules, false, __ATOMIC_RELAXED,
                                           __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE))
      return used + 1;
  }
  return 0;
}

}  // namespace anyhip

extern "C" __attribute__((device)) void* __anyhip_malloc(unsigned long bytes) {
  using namespace anyhip;
  if (bytes == 0 || bytes > kHeapBytes / 2) return nullptr;
  const u32 granules = (u32)((bytes + kGranule - 1) / kGranule) + 1;
  const u32 size_class = 32 - __builtin_clz(granules - 1);
  u32 index = take_free(size_class);
  if (index == 0) {
    index = take_new(1u << size_class);
    if (index == 0) return nullptr;
    *granule(index) = size_class;
  }
  return granule(index) + 4;
}

extern "C" __attribute__((device)) void __anyhip_free(void* pointer) {
  using namespace anyhip;
  if (!pointer) return;
  const u32 index = (u32)(((unsigned char*)pointer - heap.bytes) / kGranule) - 1;
  const u32 size_class = *granule(index);
  u64 head = __scoped_atomic_load_n(&heap.free[size_class], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  do {
    __scoped_atomic_store_n((u32*)pointer, (u32)head, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  } while (!__scoped_atomic_compare_exchange_n(&heap.free[size_class], &head, ((head >> 32) + 1) << 32 | index, false,
                                               __ATOMIC_RELEASE, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE));
}

#endif
