// The _sync forms. A wave's lanes run together on AMD, and the lanes named in a mask must all arrive, so the
// mask selects whose values count; it never makes a lane wait.
#ifndef ANYHIP_DETAIL_WARP_SYNC_H
#define ANYHIP_DETAIL_WARP_SYNC_H

template <typename Mask, typename T>
__ANYHIP_DEVICE__ T __shfl_sync(Mask mask, T var, int src_lane, int width = warpSize) {
  __anyhip::lane_mask(mask);
  return __shfl(var, src_lane, width);
}
template <typename Mask, typename T>
__ANYHIP_DEVICE__ T __shfl_up_sync(Mask mask, T var, unsigned int delta, int width = warpSize) {
  __anyhip::lane_mask(mask);
  return __shfl_up(var, delta, width);
}
template <typename Mask, typename T>
__ANYHIP_DEVICE__ T __shfl_down_sync(Mask mask, T var, unsigned int delta, int width = warpSize) {
  __anyhip::lane_mask(mask);
  return __shfl_down(var, delta, width);
}
template <typename Mask, typename T>
__ANYHIP_DEVICE__ T __shfl_xor_sync(Mask mask, T var, int lane_mask, int width = warpSize) {
  __anyhip::lane_mask(mask);
  return __shfl_xor(var, lane_mask, width);
}

template <typename Mask> __ANYHIP_DEVICE__ unsigned long long __ballot_sync(Mask mask, int predicate) {
  return __ballot(predicate) & __anyhip::lane_mask(mask);
}
template <typename Mask> __ANYHIP_DEVICE__ int __any_sync(Mask mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
template <typename Mask> __ANYHIP_DEVICE__ int __all_sync(Mask mask, int predicate) {
  return __ballot_sync(mask, !predicate) == 0;
}
template <typename Mask, typename T> __ANYHIP_DEVICE__ unsigned long long __match_any_sync(Mask mask, T value) {
  return __match_any(value) & __anyhip::lane_mask(mask);
}
template <typename Mask, typename T>
__ANYHIP_DEVICE__ unsigned long long __match_all_sync(Mask mask, T value, int* predicate) {
  const unsigned long long lanes = __anyhip::lane_mask(mask);
  const T first = __anyhip::read_lane_value(value, (unsigned)__builtin_ctzll(lanes));
  *predicate = __all_sync(mask, first == value);
  return *predicate ? lanes : 0;
}

__ANYHIP_DEVICE__ void __syncwarp() { __anyhip::wave_barrier(); }
template <typename Mask> __ANYHIP_DEVICE__ void __syncwarp(Mask mask) {
  __anyhip::lane_mask(mask);
  __anyhip::wave_barrier();
}

namespace __anyhip {

struct reduce_add { template <typename T> static __device__ T apply(T a, T b) { return a + b; } };
struct reduce_min { template <typename T> static __device__ T apply(T a, T b) { return b < a ? b : a; } };
struct reduce_max { template <typename T> static __device__ T apply(T a, T b) { return a < b ? b : a; } };
struct reduce_and { template <typename T> static __device__ T apply(T a, T b) { return a & b; } };
struct reduce_or { template <typename T> static __device__ T apply(T a, T b) { return a | b; } };
struct reduce_xor { template <typename T> static __device__ T apply(T a, T b) { return a ^ b; } };

// A whole wave exchanges in log2 steps; a partial mask, whose lanes lie anywhere, is visited lane by lane
// (lanes that share a mask take the same number of turns, so each reads only lanes that are still running).
template <typename Op, typename T> __ANYHIP_DEVICE__ T reduce_lanes(u64 lanes, T value) {
  const int width = wave_size();
  if (lanes == (width == 64 ? ~0ull : 0xffffffffull) && __activemask() == lanes) {
    for (int step = width / 2; step > 0; step /= 2) value = Op::apply(value, __shfl_xor(value, step));
    return value;
  }
  T result = read_lane_value(value, (u32)__builtin_ctzll(lanes));
  for (u64 rest = lanes & (lanes - 1); rest; rest &= rest - 1)
    result = Op::apply(result, read_lane_value(value, (u32)__builtin_ctzll(rest)));
  return result;
}

}  // namespace __anyhip

#define __ANYHIP_REDUCE(op)                                                                      \
  template <typename Mask, typename T> __ANYHIP_DEVICE__ T __reduce_##op##_sync(Mask mask, T value) { \
    return __anyhip::reduce_lanes<__anyhip::reduce_##op>(__anyhip::lane_mask(mask), value);      \
  }
__ANYHIP_REDUCE(add)
__ANYHIP_REDUCE(min)
__ANYHIP_REDUCE(max)
__ANYHIP_REDUCE(and)
__ANYHIP_REDUCE(or)
__ANYHIP_REDUCE(xor)
#undef __ANYHIP_REDUCE

#endif
