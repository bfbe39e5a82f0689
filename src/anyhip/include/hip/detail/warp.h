// Operations between the lanes of a wave. Masks are 64 bits wide on every target, as in HIP 7.
#ifndef ANYHIP_DETAIL_WARP_H
#define ANYHIP_DETAIL_WARP_H

#include <hip/detail/builtin_vars.h>
#include <hip/detail/target.h>

__ANYHIP_DEVICE__ unsigned int __lane_id() { return __anyhip::lane_id(); }

namespace __anyhip {

// A value of any trivially copyable type of up to 16 bytes, taken from another lane word by word.
template <typename T> __ANYHIP_DEVICE__ T read_lane_value(T value, u32 lane) {
  static_assert(sizeof(T) <= 4 || (sizeof(T) % 4 == 0 && sizeof(T) <= 16), "shuffles move 1 to 16 bytes");
  constexpr int words = (sizeof(T) + 3) / 4;
  u32 in[words] = {};
  __builtin_memcpy(in, &value, sizeof(T));
  for (int i = 0; i < words; ++i) in[i] = read_lane(in[i], lane);
  T result;
  __builtin_memcpy(&result, in, sizeof(T));
  return result;
}

template <typename T> __ANYHIP_DEVICE__ T read_first_lane_value(T value) {
  constexpr int words = (sizeof(T) + 3) / 4;
  u32 in[words] = {};
  __builtin_memcpy(in, &value, sizeof(T));
  for (int i = 0; i < words; ++i) in[i] = read_first_lane(in[i]);
  T result;
  __builtin_memcpy(&result, in, sizeof(T));
  return result;
}

// The lowest lane of the sub-group of `width` lanes that holds `lane`.
__ANYHIP_DEVICE__ u32 group_start(u32 lane, int width) { return lane & ~(u32)(width - 1); }

template <typename Mask> __ANYHIP_DEVICE__ u64 lane_mask(Mask mask) {
  static_assert(sizeof(Mask) == 8 && Mask(1) / Mask(2) == Mask(0),
                "HIP lane masks are 64-bit integers on every target; widen this one (on wave64 a 32-bit "
                "constant mask names only half of the lanes)");
  return (u64)mask;
}

}  // namespace __anyhip

template <typename T> __ANYHIP_DEVICE__ T __shfl(T var, int src_lane, int width = warpSize) {
  const unsigned self = __anyhip::lane_id();
  return __anyhip::read_lane_value(var, __anyhip::group_start(self, width) + ((unsigned)src_lane & (unsigned)(width - 1)));
}

template <typename T> __ANYHIP_DEVICE__ T __shfl_up(T var, unsigned int delta, int width = warpSize) {
  const unsigned self = __anyhip::lane_id();
  const int source = (int)self - (int)delta;
  return __anyhip::read_lane_value(var, source < (int)__anyhip::group_start(self, width) ? self : (unsigned)source);
}

template <typename T> __ANYHIP_DEVICE__ T __shfl_down(T var, unsigned int delta, int width = warpSize) {
  const unsigned self = __anyhip::lane_id();
  const bool inside = (self & (unsigned)(width - 1)) + delta < (unsigned)width;
  return __anyhip::read_lane_value(var, inside ? self + delta : self);
}

// A partner in an earlier sub-group is read, one in a later sub-group is not.
template <typename T> __ANYHIP_DEVICE__ T __shfl_xor(T var, int lane_mask, int width = warpSize) {
  const unsigned self = __anyhip::lane_id();
  const unsigned source = self ^ (unsigned)lane_mask;
  const bool inside = source < __anyhip::group_start(self, width) + (unsigned)width;
  return __anyhip::read_lane_value(var, inside ? source : self);
}

__ANYHIP_DEVICE__ unsigned long long __ballot(int predicate) { return __anyhip::ballot(predicate != 0); }
__ANYHIP_DEVICE__ unsigned long long __ballot64(int predicate) { return __anyhip::ballot(predicate != 0); }
__ANYHIP_DEVICE__ unsigned long long __activemask() { return __anyhip::ballot(true); }
__ANYHIP_DEVICE__ int __any(int predicate) { return __anyhip::ballot(predicate != 0) != 0; }
__ANYHIP_DEVICE__ int __all(int predicate) { return __anyhip::ballot(predicate == 0) == 0; }

// Lanes that hold the same value as this one: one turn for each different value.
template <typename T> __ANYHIP_DEVICE__ unsigned long long __match_any(T value) {
  unsigned long long same = 0;
  bool found = false;
  while (!found) {
    const T first = __anyhip::read_first_lane_value(value);
    found = first == value;
    if (found) same = __anyhip::ballot(true);
  }
  return same;
}

template <typename T> __ANYHIP_DEVICE__ unsigned long long __match_all(T value, int* predicate) {
  const T first = __anyhip::read_first_lane_value(value);
  *predicate = __all(first == value);
  return *predicate ? __activemask() : 0;
}

#if !defined(HIP_DISABLE_WARP_SYNC_BUILTINS)
#  include <hip/detail/warp_sync.h>
#endif

#endif
