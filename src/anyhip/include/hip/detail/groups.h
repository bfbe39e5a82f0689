// The base class of all groups, blocks, and the lanes that happen to be active.
#ifndef ANYHIP_DETAIL_GROUPS_H
#define ANYHIP_DETAIL_GROUPS_H

#include <hip/hip_runtime.h>

namespace cooperative_groups {

#define __ANYHIP_GROUP_FN __attribute__((always_inline)) __device__

namespace detail {
enum group_kind { kind_block, kind_tile, kind_coalesced, kind_grid, kind_multi_grid };
__ANYHIP_GROUP_FN inline unsigned int flat_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__ANYHIP_GROUP_FN inline unsigned int block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
__ANYHIP_GROUP_FN inline unsigned int lanes_below(unsigned long long mask) {
  return (unsigned)__builtin_popcountll(mask & ((1ull << __lane_id()) - 1));
}
}  // namespace detail

// What functions taking any group receive: its kind, size, this thread's rank, and the lanes of its wave in it.
class thread_group {
 protected:
  detail::group_kind kind_;
  unsigned int size_, rank_;
  unsigned long long mask_;

  __ANYHIP_GROUP_FN thread_group(detail::group_kind kind, unsigned int size, unsigned int rank, unsigned long long mask)
      : kind_(kind), size_(size), rank_(rank), mask_(mask) {}
  friend class thread_block;
  friend __device__ thread_group tiled_partition(const thread_group& parent, unsigned int size);

 public:
  __ANYHIP_GROUP_FN unsigned int size() const { return size_; }
  __ANYHIP_GROUP_FN unsigned int num_threads() const { return size_; }
  __ANYHIP_GROUP_FN unsigned int thread_rank() const { return rank_; }
  __ANYHIP_GROUP_FN unsigned int cg_type() const { return kind_; }
  __ANYHIP_GROUP_FN bool is_valid() const { return size_ != 0; }
  __ANYHIP_GROUP_FN inline void sync() const;
};

class thread_block : public thread_group {
  __ANYHIP_GROUP_FN thread_block()
      : thread_group(detail::kind_block, detail::block_threads(), detail::flat_thread(), ~0ull) {}
  friend __device__ thread_block this_thread_block();

 public:
  __ANYHIP_GROUP_FN static unsigned int size() { return detail::block_threads(); }
  __ANYHIP_GROUP_FN static unsigned int num_threads() { return detail::block_threads(); }
  __ANYHIP_GROUP_FN static unsigned int thread_rank() { return detail::flat_thread(); }
  __ANYHIP_GROUP_FN static dim3 group_index() { return blockIdx; }
  __ANYHIP_GROUP_FN static dim3 thread_index() { return threadIdx; }
  __ANYHIP_GROUP_FN static dim3 group_dim() { return blockDim; }
  __ANYHIP_GROUP_FN static dim3 dim_threads() { return blockDim; }
  __ANYHIP_GROUP_FN static bool is_valid() { return true; }
  __ANYHIP_GROUP_FN static void sync() { __syncthreads(); }
  struct arrival_token {};
  __ANYHIP_GROUP_FN static arrival_token barrier_arrive() { return {}; }
  __ANYHIP_GROUP_FN static void barrier_wait(arrival_token&&) { __syncthreads(); }
};
__ANYHIP_GROUP_FN inline thread_block this_thread_block() { return thread_block(); }

// Lane numbers of a coalesced group count only its members.
class coalesced_group : public thread_group {
  __ANYHIP_GROUP_FN explicit coalesced_group(unsigned long long mask)
      : thread_group(detail::kind_coalesced, (unsigned)__builtin_popcountll(mask), detail::lanes_below(mask), mask) {}
  friend __device__ coalesced_group coalesced_threads();
  friend __device__ coalesced_group binary_partition(const coalesced_group& group, bool predicate);

  __ANYHIP_GROUP_FN unsigned int lane_of(unsigned int rank) const {
    unsigned long long rest = mask_;
    for (unsigned int i = 0; i < rank; ++i) rest &= rest - 1;
    return (unsigned)__builtin_ctzll(rest);
  }
  // A mask of lanes as a mask of ranks.
  __ANYHIP_GROUP_FN unsigned long long pack(unsigned long long lanes) const {
    unsigned long long packed = 0, bit = 1;
    for (unsigned long long rest = mask_; rest; rest &= rest - 1, bit <<= 1)
      if (lanes & rest & -rest) packed |= bit;
    return packed;
  }

 public:
  __ANYHIP_GROUP_FN void sync() const { __anyhip::wave_barrier(); }
  __ANYHIP_GROUP_FN unsigned int meta_group_rank() const { return 0; }
  __ANYHIP_GROUP_FN unsigned int meta_group_size() const { return 1; }

  template <class T> __ANYHIP_GROUP_FN T shfl(T var, int rank) const {
    return __anyhip::read_lane_value(var, lane_of((unsigned)rank % size_));
  }
  template <class T> __ANYHIP_GROUP_FN T shfl_down(T var, unsigned int delta) const {
    return __anyhip::read_lane_value(var, rank_ + delta < size_ ? lane_of(rank_ + delta) : __lane_id());
  }
  template <class T> __ANYHIP_GROUP_FN T shfl_up(T var, unsigned int delta) const {
    return __anyhip::read_lane_value(var, rank_ >= delta ? lane_of(rank_ - delta) : __lane_id());
  }
  __ANYHIP_GROUP_FN unsigned long long ballot(int predicate) const { return pack(__ballot(predicate) & mask_); }
  __ANYHIP_GROUP_FN int any(int predicate) const { return (__ballot(predicate) & mask_) != 0; }
  __ANYHIP_GROUP_FN int all(int predicate) const { return (__ballot(!predicate) & mask_) == 0; }
  template <class T> __ANYHIP_GROUP_FN unsigned long long match_any(T value) const {
    return pack(__match_any(value) & mask_);
  }
  template <class T> __ANYHIP_GROUP_FN unsigned long long match_all(T value, int& predicate) const {
    predicate = all(shfl(value, 0) == value);
    return predicate ? pack(mask_) : 0;
  }
};
__ANYHIP_GROUP_FN inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }
__ANYHIP_GROUP_FN inline coalesced_group binary_partition(const coalesced_group& group, bool predicate) {
  const unsigned long long yes = __ballot(predicate) & group.mask_;
  return coalesced_group(predicate ? yes : group.mask_ & ~yes);
}

template <class Group> __ANYHIP_GROUP_FN inline void sync(const Group& group) { group.sync(); }
template <class Group> __ANYHIP_GROUP_FN inline unsigned int thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group> __ANYHIP_GROUP_FN inline unsigned int group_size(const Group& group) { return group.size(); }
template <class Group> __ANYHIP_GROUP_FN inline bool is_valid(const Group& group) { return group.is_valid(); }

}  // namespace cooperative_groups

#endif
