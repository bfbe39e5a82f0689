// threadIdx, blockIdx, blockDim, gridDim and warpSize: objects without storage whose members read
// the hardware. They are variables, not macros, so a host local of the same name is legal.
#ifndef ANYHIP_DETAIL_BUILTIN_VARS_H
#define ANYHIP_DETAIL_BUILTIN_VARS_H

#include <hip/detail/target.h>
#include <hip/hip_vector_types.h>

#define __ANYHIP_COORDINATE(member, function)                                      \
  __declspec(property(get = __anyhip_get_##member)) unsigned int member;           \
  static inline __attribute__((always_inline)) __device__ unsigned int __anyhip_get_##member() { \
    return __anyhip::function();                                                   \
  }
#define __ANYHIP_COORDINATES(name, prefix)                                         \
  struct __anyhip_##name##_t {                                                     \
    __ANYHIP_COORDINATE(x, prefix##_x)                                             \
    __ANYHIP_COORDINATE(y, prefix##_y)                                             \
    __ANYHIP_COORDINATE(z, prefix##_z)                                             \
    __device__ operator dim3() const { return dim3(x, y, z); }                     \
    __device__ operator uint3() const { return uint3(x, y, z); }                   \
    __device__ __anyhip_##name##_t() = delete;                                     \
    __device__ void operator=(const __anyhip_##name##_t&) const = delete;          \
  };                                                                               \
  extern const __device__ __attribute__((weak)) __anyhip_##name##_t name;

__ANYHIP_COORDINATES(threadIdx, thread_index)
__ANYHIP_COORDINATES(blockIdx, block_index)
__ANYHIP_COORDINATES(blockDim, block_size)
__ANYHIP_COORDINATES(gridDim, grid_blocks)

#undef __ANYHIP_COORDINATES
#undef __ANYHIP_COORDINATE

// 64 on CDNA, 32 on RDNA and NVIDIA: known only to the device pass, so no constant (as in HIP 7).
struct __anyhip_warpSize_t {
  __device__ operator int() const { return __anyhip::wave_size(); }
  __device__ __anyhip_warpSize_t() = delete;
};
extern const __device__ __attribute__((weak)) __anyhip_warpSize_t warpSize;

// HIP's older spelling, and the size_t functions of OpenCL's naming.
#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)

#endif
