// Tiles: equal parts of a wave, of a size known at compile time or at run time.
#ifndef ANYHIP_DETAIL_GROUPS_TILE_H
#define ANYHIP_DETAIL_GROUPS_TILE_H

#include <hip/detail/groups.h>

namespace cooperative_groups {

namespace detail {
// Lanes [start, start + size) of the wave, where `start` is the tile of this lane.
__ANYHIP_GROUP_FN inline unsigned long long tile_mask(unsigned int size) {
  const unsigned long long low = size >= 64 ? ~0ull : (1ull << size) - 1;
  return low << (__lane_id() & ~(size - 1));
}
}  // namespace detail

template <unsigned int lanes, class Parent = void> class thread_block_tile : public thread_group {
  static_assert(lanes != 0 && (lanes & (lanes - 1)) == 0 && lanes <= 64,
                "a tile has a power of two of threads, at most a wave's");

 public:
  __ANYHIP_GROUP_FN explicit thread_block_tile()
      : thread_group(detail::kind_tile, lanes, detail::flat_thread() % lanes, detail::tile_mask(lanes)) {}
  template <class OtherParent>
  __ANYHIP_GROUP_FN thread_block_tile(const thread_block_tile<lanes, OtherParent>&) : thread_block_tile() {}

  __ANYHIP_GROUP_FN static constexpr unsigned int size() { return lanes; }
  __ANYHIP_GROUP_FN static constexpr unsigned int num_threads() { return lanes; }
  __ANYHIP_GROUP_FN static unsigned int thread_rank() { return detail::flat_thread() % lanes; }
  __ANYHIP_GROUP_FN static unsigned int meta_group_rank() { return detail::flat_thread() / lanes; }
  __ANYHIP_GROUP_FN static unsigned int meta_group_size() { return (detail::block_threads() + lanes - 1) / lanes; }
  __ANYHIP_GROUP_FN static void sync() { __anyhip::wave_barrier(); }

  template <class T> __ANYHIP_GROUP_FN T shfl(T var, int rank) const { return __shfl(var, rank, lanes); }
  template <class T> __ANYHIP_GROUP_FN T shfl_down(T var, unsigned int delta) const {
    return __shfl_down(var, delta, lanes);
  }
  template <class T> __ANYHIP_GROUP_FN T shfl_up(T var, unsigned int delta) const { return __shfl_up(var, delta, lanes); }
  template <class T> __ANYHIP_GROUP_FN T shfl_xor(T var, unsigned int mask) const {
    return __shfl_xor(var, (int)mask, lanes);
  }
  __ANYHIP_GROUP_FN unsigned long long ballot(int predicate) const { return pack(__ballot(predicate)); }
  __ANYHIP_GROUP_FN int any(int predicate) const { return (__ballot(predicate) & mask_) != 0; }
  __ANYHIP_GROUP_FN int all(int predicate) const { return (__ballot(!predicate) & mask_) == 0; }
  template <class T> __ANYHIP_GROUP_FN unsigned long long match_any(T value) const { return pack(__match_any(value)); }
  template <class T> __ANYHIP_GROUP_FN unsigned long long match_all(T value, int& predicate) const {
    predicate = all(shfl(value, 0) == value);
    return predicate ? pack(mask_) : 0;
  }

 private:
  __ANYHIP_GROUP_FN unsigned long long pack(unsigned long long mask) const {
    return (mask & mask_) >> (__lane_id() & ~(lanes - 1));
  }
};

template <unsigned int size, class Parent>
__ANYHIP_GROUP_FN inline thread_block_tile<size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<size, Parent>();
}

// A tile whose size is known only at run time can be asked for its size and ranks, and synchronised.
__ANYHIP_GROUP_FN inline thread_group tiled_partition(const thread_group& parent, unsigned int size) {
  return thread_group(detail::kind_tile, size, parent.thread_rank() % size, detail::tile_mask(size));
}

}  // namespace cooperative_groups

#endif
