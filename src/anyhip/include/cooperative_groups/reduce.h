// CUDA's cooperative_groups::reduce, which HIP has no header for: any operation over the threads of a tile or of
// a coalesced group, its result in every one of them.
#ifndef ANYHIP_COOPERATIVE_GROUPS_REDUCE_H
#define ANYHIP_COOPERATIVE_GROUPS_REDUCE_H

#include <hip/hip_cooperative_groups.h>

#if defined(__ANYHIP_KERNEL_LANGUAGE__)

namespace cooperative_groups {

#define __ANYHIP_REDUCE_OPERATION(name, expression)                                                    \
  template <class T> struct name {                                                                     \
    __ANYHIP_GROUP_FN T operator()(const T& a, const T& b) const { return expression; }                \
  };                                                                                                   \
  template <> struct name<void> {                                                                      \
    template <class T> __ANYHIP_GROUP_FN T operator()(const T& a, const T& b) const { return expression; } \
  };
template <class T = void> struct plus;
template <class T = void> struct less;
template <class T = void> struct greater;
template <class T = void> struct bit_and;
template <class T = void> struct bit_or;
template <class T = void> struct bit_xor;
__ANYHIP_REDUCE_OPERATION(plus, a + b)
__ANYHIP_REDUCE_OPERATION(less, b < a ? b : a)
__ANYHIP_REDUCE_OPERATION(greater, a < b ? b : a)
__ANYHIP_REDUCE_OPERATION(bit_and, a & b)
__ANYHIP_REDUCE_OPERATION(bit_or, a | b)
__ANYHIP_REDUCE_OPERATION(bit_xor, a ^ b)
#undef __ANYHIP_REDUCE_OPERATION

template <unsigned int lanes, class Parent, class T, class Operation>
__ANYHIP_GROUP_FN inline T reduce(const thread_block_tile<lanes, Parent>& tile, T value, Operation operation) {
  for (unsigned int step = lanes / 2; step > 0; step /= 2) value = operation(value, tile.shfl_xor(value, step));
  return value;
}

template <class T, class Operation>
__ANYHIP_GROUP_FN inline T reduce(const coalesced_group& group, T value, Operation operation) {
  T result = group.shfl(value, 0);
  for (unsigned int rank = 1; rank < group.size(); ++rank) result = operation(result, group.shfl(value, (int)rank));
  return result;
}

}  // namespace cooperative_groups

#endif

#endif
