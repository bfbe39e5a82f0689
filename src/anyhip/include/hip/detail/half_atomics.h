// Atomic addition of __half and __half2.
#ifndef ANYHIP_DETAIL_HALF_ATOMICS_H
#define ANYHIP_DETAIL_HALF_ATOMICS_H

#include <hip/detail/half_scalar.h>

// Both halves at once, as one 32-bit compare-and-swap.
__ANYHIP_DEVICE__ __half2 atomicAdd(__half2* address, __half2 value) {
  unsigned int* word = (unsigned int*)address;
  unsigned int old = __scoped_atomic_load_n(word, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  unsigned int next;
  do {
    next = __builtin_bit_cast(unsigned int, __builtin_bit_cast(__half2, old) + value);
  } while (!__scoped_atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                               __MEMORY_SCOPE_DEVICE));
  return __builtin_bit_cast(__half2, old);
}
__ANYHIP_DEVICE__ __half2 unsafeAtomicAdd(__half2* address, __half2 value) { return atomicAdd(address, value); }

// One half, through the aligned word that holds it.
__ANYHIP_DEVICE__ __half atomicAdd(__half* address, __half value) {
  unsigned int* word = (unsigned int*)((unsigned long)address & ~3ul);
  const unsigned int shift = ((unsigned long)address & 2) * 8;
  unsigned int old = __scoped_atomic_load_n(word, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  unsigned int next;
  do {
    const __half sum = __ushort_as_half((unsigned short)(old >> shift)) + value;
    next = (old & ~(0xffffu << shift)) | (unsigned int)__half_as_ushort(sum) << shift;
  } while (!__scoped_atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                               __MEMORY_SCOPE_DEVICE));
  return __ushort_as_half((unsigned short)(old >> shift));
}

#endif
