// What of __half's arithmetic is its own; the rest is shared with bfloat16 (small_float.inc.h).
#ifndef ANYHIP_DETAIL_HALF_SCALAR_H
#define ANYHIP_DETAIL_HALF_SCALAR_H

#include <hip/detail/half_convert.h>
#include <hip/math_functions.h>

__ANYHIP_DEVICE__ __half __hfma(__half a, __half b, __half c) {
  return __builtin_elementwise_fma(a.data, b.data, c.data);
}
__ANYHIP_DEVICE__ __half __habs(__half a) { return __ushort_as_half(__half_as_ushort(a) & 0x7fff); }
__ANYHIP_DEVICE__ bool __hisnan(__half a) { return a.data != a.data; }
__ANYHIP_DEVICE__ int __hisinf(__half a) {
  const unsigned short bits = __half_as_ushort(a);
  return bits == 0x7c00 ? 1 : bits == 0xfc00 ? -1 : 0;
}

#define __ANYHIP_T __half
#define __ANYHIP_T2 __half2
#include <hip/detail/small_float.inc.h>
#undef __ANYHIP_T
#undef __ANYHIP_T2

#endif
