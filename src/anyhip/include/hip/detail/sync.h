// Barriers, fences, clocks and the ways a kernel can end early.
#ifndef ANYHIP_DETAIL_SYNC_H
#define ANYHIP_DETAIL_SYNC_H

#include <hip/detail/target.h>

#if !__has_builtin(__syncthreads)  // NVPTX's is part of the compiler
__ANYHIP_DEVICE__ void __syncthreads() { __anyhip::block_barrier(); }
#endif

__ANYHIP_DEVICE__ void __threadfence() { __anyhip::fence_device(); }
__ANYHIP_DEVICE__ void __threadfence_block() { __anyhip::fence_block(); }
__ANYHIP_DEVICE__ void __threadfence_system() { __anyhip::fence_system(); }

// One count for each block; each wave adds its own share by one atomic.
__ANYHIP_DEVICE__ int __anyhip_block_count(bool predicate) {
  static __shared__ int total;
  const unsigned index = __anyhip::thread_index_x() +
                         __anyhip::block_size_x() *
                             (__anyhip::thread_index_y() + __anyhip::block_size_y() * __anyhip::thread_index_z());
  __anyhip::block_barrier();  // the previous count has been read by everybody
  if (index == 0) total = 0;
  __anyhip::block_barrier();
  const int share = __builtin_popcountll(__anyhip::ballot(predicate));
  if (index % (unsigned)__anyhip::wave_size() == 0)
    __scoped_atomic_fetch_add(&total, share, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  __anyhip::block_barrier();
  return total;
}

__ANYHIP_DEVICE__ int __syncthreads_count(int predicate) { return __anyhip_block_count(predicate != 0); }
__ANYHIP_DEVICE__ int __syncthreads_and(int predicate) { return __anyhip_block_count(predicate == 0) == 0; }
__ANYHIP_DEVICE__ int __syncthreads_or(int predicate) { return __anyhip_block_count(predicate != 0) != 0; }

__ANYHIP_DEVICE__ long long clock64() { return (long long)__anyhip::clock(); }
__ANYHIP_DEVICE__ long long wall_clock64() { return (long long)__anyhip::wall_clock(); }
__ANYHIP_DEVICE__ long long __clock64() { return clock64(); }
__ANYHIP_DEVICE__ void __nanosleep(unsigned int nanoseconds) { __anyhip::sleep(nanoseconds); }
__ANYHIP_DEVICE__ void __trap() { __anyhip::trap(); }
__ANYHIP_DEVICE__ void __brkpt() { __anyhip::debug_trap(); }

// clock_t of <time.h> is long on every host we build for.
__ANYHIP_DEVICE__ long clock() { return (long)clock64(); }
__ANYHIP_DEVICE__ long long __clock() { return clock64(); }

#endif
