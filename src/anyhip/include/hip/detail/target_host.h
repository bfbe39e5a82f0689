// The host pass checks device code but never emits it: declarations are enough.
#ifndef ANYHIP_DETAIL_TARGET_HOST_H
#define ANYHIP_DETAIL_TARGET_HOST_H

#define __ANYHIP_DECLARE_COORDINATES(prefix) \
  __device__ u32 prefix##_x();               \
  __device__ u32 prefix##_y();               \
  __device__ u32 prefix##_z();

namespace __anyhip {

__ANYHIP_DECLARE_COORDINATES(thread_index)
__ANYHIP_DECLARE_COORDINATES(block_index)
__ANYHIP_DECLARE_COORDINATES(block_size)
__ANYHIP_DECLARE_COORDINATES(grid_blocks)

__device__ int wave_size();
__device__ u32 lane_id();
__device__ u32 dynamic_shared_bytes();

__device__ void block_barrier();
__device__ void wave_barrier();
__device__ void fence_block();
__device__ void fence_device();
__device__ void fence_system();

__device__ u64 ballot(bool predicate);
__device__ u32 read_lane(u32 value, u32 lane);
__device__ u32 read_first_lane(u32 value);

__device__ u64 clock();
__device__ u64 wall_clock();
__device__ void sleep(u32 nanoseconds);
__device__ __attribute__((noreturn)) void trap();
__device__ void debug_trap();

__device__ u32 atomic_inc_wrap(u32* address, u32 limit);
__device__ u32 atomic_dec_wrap(u32* address, u32 limit);

__device__ float fast_exp2(float x);
__device__ float fast_log2(float x);
__device__ float fast_sin(float x);
__device__ float fast_cos(float x);
__device__ float fast_rcp(float x);
__device__ float fast_rsqrt(float x);
__device__ float fast_sqrt(float x);
__device__ bool is_shared(const void* pointer);
__device__ bool is_private(const void* pointer);

}  // namespace __anyhip

#undef __ANYHIP_DECLARE_COORDINATES

#endif
