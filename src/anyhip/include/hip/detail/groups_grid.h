// The whole grid of a cooperative launch.
#ifndef ANYHIP_DETAIL_GROUPS_GRID_H
#define ANYHIP_DETAIL_GROUPS_GRID_H

#include <hip/detail/groups.h>

namespace cooperative_groups {

namespace detail {

// A counter that each block adds one to; the first block adds what is missing to 2^31, so that the top bit
// changes exactly when all have arrived, and the counter is ready for the next time.
__ANYHIP_GROUP_FN inline void grid_barrier(unsigned int* counter) {
  __syncthreads();
  if (flat_thread() == 0) {
    const unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
    const bool first = (blockIdx.x | blockIdx.y | blockIdx.z) == 0;
    const unsigned int step = first ? 0x80000000u - (blocks - 1) : 1u;
    const unsigned int before = __scoped_atomic_fetch_add(counter, step, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
    while (((__scoped_atomic_load_n(counter, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE) ^ before) & 0x80000000u) == 0)
      __anyhip::sleep(64);
  }
  __syncthreads();
}

#if defined(__AMDGCN__)
// hidden_multigrid_sync_arg (implicit argument at byte 88) points here in a cooperative launch.
struct grid_sync_state {
  void* multi_grid;
  unsigned int grid_id, grid_count;
  unsigned long long previous_sum, all_sum;
  unsigned int barrier[2];
  unsigned int workgroups;
};
__ANYHIP_GROUP_FN inline unsigned int* grid_counter() {
  typedef grid_sync_state* const __attribute__((address_space(4))) * argument;
  grid_sync_state* state = ((argument)__builtin_amdgcn_implicitarg_ptr())[11];
  return state ? state->barrier : nullptr;
}
#elif defined(__NVPTX__)
static __device__ unsigned int module_grid_counter;  // cooperative launches of one module run one at a time
__ANYHIP_GROUP_FN inline unsigned int* grid_counter() { return &module_grid_counter; }
#else
__device__ unsigned int* grid_counter();
#endif

}  // namespace detail

class grid_group : public thread_group {
  __ANYHIP_GROUP_FN grid_group()
      : thread_group(detail::kind_grid, gridDim.x * gridDim.y * gridDim.z * detail::block_threads(), rank(), ~0ull) {}
  __ANYHIP_GROUP_FN static unsigned int rank() {
    return ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * detail::block_threads() +
           detail::flat_thread();
  }
  friend __device__ grid_group this_grid();

 public:
  __ANYHIP_GROUP_FN static bool is_valid() { return detail::grid_counter() != nullptr; }
  __ANYHIP_GROUP_FN static dim3 group_dim() { return gridDim; }
  __ANYHIP_GROUP_FN static dim3 dim_blocks() { return gridDim; }
  __ANYHIP_GROUP_FN static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  __ANYHIP_GROUP_FN static dim3 block_index() { return blockIdx; }
  __ANYHIP_GROUP_FN static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  // Without a cooperative launch there is nothing to wait on: the kernel stops rather than go on unsynchronised.
  __ANYHIP_GROUP_FN static void sync() {
    unsigned int* counter = detail::grid_counter();
    if (!counter) __anyhip::trap();
    detail::grid_barrier(counter);
  }
};
__ANYHIP_GROUP_FN inline grid_group this_grid() { return grid_group(); }

__ANYHIP_GROUP_FN inline void thread_group::sync() const {
  if (kind_ == detail::kind_block) __syncthreads();
  else if (kind_ == detail::kind_grid) grid_group::sync();
  else __anyhip::wave_barrier();
}

}  // namespace cooperative_groups

#endif
