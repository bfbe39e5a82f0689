// Loads with a cache hint (plain loads: a hint never changes a value), memory functions of C, and the heap.
#ifndef ANYHIP_DETAIL_MEMORY_H
#define ANYHIP_DETAIL_MEMORY_H

#include <hip/detail/target.h>

#define __ANYHIP_LOAD(name) \
  template <typename T> __ANYHIP_DEVICE__ T name(const T* address) { return *address; }
__ANYHIP_LOAD(__ldg)
__ANYHIP_LOAD(__ldca)
__ANYHIP_LOAD(__ldcg)
__ANYHIP_LOAD(__ldcs)
__ANYHIP_LOAD(__ldlu)
#undef __ANYHIP_LOAD
// cv: fetched again every time.
template <typename T> __ANYHIP_DEVICE__ T __ldcv(const T* address) { return *(const volatile T*)address; }

#define __ANYHIP_STORE(name) \
  template <typename T> __ANYHIP_DEVICE__ void name(T* address, T value) { *address = value; }
__ANYHIP_STORE(__stwb)
__ANYHIP_STORE(__stcg)
__ANYHIP_STORE(__stcs)
__ANYHIP_STORE(__stwt)
#undef __ANYHIP_STORE

__ANYHIP_DEVICE__ unsigned int __isShared(const void* pointer) { return __anyhip::is_shared(pointer); }
__ANYHIP_DEVICE__ unsigned int __isLocal(const void* pointer) { return __anyhip::is_private(pointer); }
__ANYHIP_DEVICE__ unsigned int __isGlobal(const void* pointer) {
  return !__anyhip::is_shared(pointer) && !__anyhip::is_private(pointer);
}

// Device overloads of the C library's functions and of C++'s new and delete. The heap is the device library's
// on AMDGPU, the driver's on NVIDIA.
extern "C" {
#if defined(__NVPTX__)
__device__ void* malloc(size_t bytes);
__device__ void free(void* pointer);
#else
__device__ void* __anyhip_malloc(size_t bytes);
__device__ void __anyhip_free(void* pointer);
__device__ inline void* malloc(size_t bytes) { return __anyhip_malloc(bytes); }
__device__ inline void free(void* pointer) { __anyhip_free(pointer); }
#endif
__device__ inline void* memcpy(void* target, const void* source, size_t bytes) {
  unsigned char* to = (unsigned char*)target;
  const unsigned char* from = (const unsigned char*)source;
  for (size_t i = 0; i < bytes; ++i) to[i] = from[i];
  return target;
}
__device__ inline void* memset(void* target, int value, size_t bytes) {
  unsigned char* to = (unsigned char*)target;
  for (size_t i = 0; i < bytes; ++i) to[i] = (unsigned char)value;
  return target;
}
}

// Out of memory gives a null pointer: there are no exceptions to throw.
__device__ inline void* operator new(size_t bytes) { return malloc(bytes ? bytes : 1); }
__device__ inline void* operator new[](size_t bytes) { return malloc(bytes ? bytes : 1); }
__device__ inline void operator delete(void* pointer) noexcept { free(pointer); }
__device__ inline void operator delete[](void* pointer) noexcept { free(pointer); }
__device__ inline void operator delete(void* pointer, size_t) noexcept { free(pointer); }
__device__ inline void operator delete[](void* pointer, size_t) noexcept { free(pointer); }
__device__ inline void* operator new(size_t, void* place) noexcept { return place; }
__device__ inline void* operator new[](size_t, void* place) noexcept { return place; }
__device__ inline void operator delete(void*, void*) noexcept {}
__device__ inline void operator delete[](void*, void*) noexcept {}

#endif
