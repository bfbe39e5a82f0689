// Keywords of the kernel language, as clang attributes; nothing for a plain host compiler.
// __noinline__ is a keyword of clang's HIP and CUDA modes, and must not be a macro: libstdc++ uses the word.
#ifndef ANYHIP_DETAIL_ATTRIBUTES_H
#define ANYHIP_DETAIL_ATTRIBUTES_H

#include <hip/hip_common.h>

#if defined(__ANYHIP_KERNEL_LANGUAGE__)
#  define __host__ __attribute__((host))
#  define __device__ __attribute__((device))
#  define __global__ __attribute__((global))
#  define __shared__ __attribute__((shared))
#  define __constant__ __attribute__((constant))
#  if !defined(__CUDA__)
#    define __managed__ __attribute__((managed))
#  else
#    define __managed__ __attribute__((device))  // the CUDA front end compiles device code only here
#  endif
#  define __grid_constant__

// CUDA's second argument counts blocks a multiprocessor, HIP's waves a SIMD; both are only hints.
#  if defined(__NVPTX__)
#    define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#  else
#    define __ANYHIP_LAUNCH_BOUNDS_1(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#    define __ANYHIP_LAUNCH_BOUNDS_2(threads, waves)                                   \
      __attribute__((amdgpu_flat_work_group_size(1, threads), amdgpu_waves_per_eu(waves)))
#    define __ANYHIP_LAUNCH_BOUNDS_3(threads, waves, clusters) __ANYHIP_LAUNCH_BOUNDS_2(threads, waves)
#    define __ANYHIP_LAUNCH_BOUNDS_PICK(_1, _2, _3, name, ...) name
#    define __launch_bounds__(...)                                                     \
      __ANYHIP_LAUNCH_BOUNDS_PICK(__VA_ARGS__, __ANYHIP_LAUNCH_BOUNDS_3, __ANYHIP_LAUNCH_BOUNDS_2, \
                                  __ANYHIP_LAUNCH_BOUNDS_1, )(__VA_ARGS__)
#  endif
#else
#  define __host__
#  define __device__
#  define __global__
#  define __shared__
#  define __constant__
#  define __managed__
#  define __grid_constant__
#  define __launch_bounds__(...)
#  if !defined(__clang__) && !defined(__noinline__) && !defined(__GNUC__)
#    define __noinline__
#  endif
#endif

#if !defined(__forceinline__)
#  define __forceinline__ inline __attribute__((always_inline))
#endif
#if !defined(__align__)
#  define __align__(bytes) __attribute__((aligned(bytes)))
#endif
#if !defined(__restrict__) && !defined(__GNUC__)
#  define __restrict__
#endif

// How our own device functions are declared.
#define __ANYHIP_DEVICE__ static inline __attribute__((always_inline)) __device__
#define __ANYHIP_HOST_DEVICE__ static inline __attribute__((always_inline)) __host__ __device__

#endif
