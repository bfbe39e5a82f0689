// Conversions, arithmetic and maths of bfloat16.
#ifndef ANYHIP_DETAIL_BFLOAT_FUNCTIONS_H
#define ANYHIP_DETAIL_BFLOAT_FUNCTIONS_H

#include <hip/detail/bfloat_types.h>
#include <hip/math_functions.h>

namespace __anyhip {
// The bfloat16 next to `exact` on the side of zero: the leading bits, unless a NaN.
__ANYHIP_HOST_DEVICE__ __hip_bfloat16 bf16_towards_zero(double exact) {
  const __hip_bfloat16 nearest = exact;
  const unsigned short bits = __hip_bfloat16_raw(nearest).x;
  const double size = exact < 0 ? -exact : exact, got = (float)nearest < 0.0f ? -(float)nearest : (float)nearest;
  return got > size ? __hip_bfloat16(__hip_bfloat16_raw{(unsigned short)(bits - 1)}) : nearest;
}
__ANYHIP_HOST_DEVICE__ __hip_bfloat16 bf16_from_zero(double exact) {
  const __hip_bfloat16 below = bf16_towards_zero(exact);
  const unsigned short bits = __hip_bfloat16_raw(below).x;
  const bool inexact = (double)(float)below != exact && exact == exact;
  const unsigned short sign = exact < 0 ? 0x8000 : 0;
  return __hip_bfloat16_raw{(unsigned short)((inexact ? bits + 1 : bits) | sign)};
}
__ANYHIP_HOST_DEVICE__ __hip_bfloat16 bf16_up(double exact) {
  return exact < 0 ? bf16_towards_zero(exact) : bf16_from_zero(exact);
}
__ANYHIP_HOST_DEVICE__ __hip_bfloat16 bf16_down(double exact) {
  return exact < 0 ? bf16_from_zero(exact) : bf16_towards_zero(exact);
}
}  // namespace __anyhip

__ANYHIP_HOST_DEVICE__ __hip_bfloat16 __float2bfloat16(float x) { return x; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat16 __float2bfloat16_rn(float x) { return x; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat16 __float2bfloat16_rz(float x) { return __anyhip::bf16_towards_zero(x); }
__ANYHIP_HOST_DEVICE__ __hip_bfloat16 __float2bfloat16_ru(float x) { return __anyhip::bf16_up(x); }
__ANYHIP_HOST_DEVICE__ __hip_bfloat16 __float2bfloat16_rd(float x) { return __anyhip::bf16_down(x); }
__ANYHIP_HOST_DEVICE__ __hip_bfloat16 __double2bfloat16(double x) { return x; }
__ANYHIP_HOST_DEVICE__ float __bfloat162float(__hip_bfloat16 h) { return h; }
__ANYHIP_HOST_DEVICE__ unsigned short __bfloat16_as_ushort(__hip_bfloat16 h) { return __hip_bfloat16_raw(h).x; }
__ANYHIP_HOST_DEVICE__ short __bfloat16_as_short(__hip_bfloat16 h) { return (short)__hip_bfloat16_raw(h).x; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __hip_bfloat16_raw{x}; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat16 __short_as_bfloat16(short x) { return __hip_bfloat16_raw{(unsigned short)x}; }

#define __ANYHIP_BF_INTEGER(name, I)                                                                          \
  __ANYHIP_HOST_DEVICE__ I __bfloat162##name##_rn(__hip_bfloat16 h) { return (I)__builtin_rintf(h); }         \
  __ANYHIP_HOST_DEVICE__ I __bfloat162##name##_rz(__hip_bfloat16 h) { return (I)(float)h; }                   \
  __ANYHIP_HOST_DEVICE__ I __bfloat162##name##_ru(__hip_bfloat16 h) { return (I)__builtin_ceilf(h); }         \
  __ANYHIP_HOST_DEVICE__ I __bfloat162##name##_rd(__hip_bfloat16 h) { return (I)__builtin_floorf(h); }        \
  __ANYHIP_HOST_DEVICE__ __hip_bfloat16 __##name##2bfloat16_rn(I x) { return x; }            \
  __ANYHIP_HOST_DEVICE__ __hip_bfloat16 __##name##2bfloat16_rz(I x) {                                         \
    return __anyhip::bf16_towards_zero((double)x);                                                            \
  }                                                                                                           \
  __ANYHIP_HOST_DEVICE__ __hip_bfloat16 __##name##2bfloat16_ru(I x) { return __anyhip::bf16_up((double)x); }   \
  __ANYHIP_HOST_DEVICE__ __hip_bfloat16 __##name##2bfloat16_rd(I x) { return __anyhip::bf16_down((double)x); }
__ANYHIP_BF_INTEGER(short, short)
__ANYHIP_BF_INTEGER(ushort, unsigned short)
__ANYHIP_BF_INTEGER(int, int)
__ANYHIP_BF_INTEGER(uint, unsigned int)
__ANYHIP_BF_INTEGER(ll, long long)
__ANYHIP_BF_INTEGER(ull, unsigned long long)
#undef __ANYHIP_BF_INTEGER
__ANYHIP_HOST_DEVICE__ signed char __bfloat162char_rz(__hip_bfloat16 h) { return (signed char)(float)h; }
__ANYHIP_HOST_DEVICE__ unsigned char __bfloat162uchar_rz(__hip_bfloat16 h) { return (unsigned char)(float)h; }

__ANYHIP_HOST_DEVICE__ __hip_bfloat162 make_bfloat162(__hip_bfloat16 x, __hip_bfloat16 y) { return {x, y}; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 x, __hip_bfloat16 y) { return {x, y}; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 h) { return {h, h}; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat162 __float2bfloat162_rn(float x) { return {x, x}; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat162 __float22bfloat162_rn(float2 v) { return {v.x, v.y}; }
__ANYHIP_HOST_DEVICE__ float2 __bfloat1622float2(__hip_bfloat162 v) { return v; }
__ANYHIP_HOST_DEVICE__ float __low2float(__hip_bfloat162 v) { return v.x; }
__ANYHIP_HOST_DEVICE__ float __high2float(__hip_bfloat162 v) { return v.y; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat16 __low2bfloat16(__hip_bfloat162 v) { return v.x; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat16 __high2bfloat16(__hip_bfloat162 v) { return v.y; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat162 __low2bfloat162(__hip_bfloat162 v) { return {v.x, v.x}; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat162 __high2bfloat162(__hip_bfloat162 v) { return {v.y, v.y}; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat162 __lows2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) { return {a.x, b.x}; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat162 __highs2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) { return {a.y, b.y}; }

__ANYHIP_DEVICE__ bool __hisnan(__hip_bfloat16 a) { return (float)a != (float)a; }
__ANYHIP_DEVICE__ int __hisinf(__hip_bfloat16 a) {
  const unsigned short bits = __bfloat16_as_ushort(a);
  return bits == 0x7f80 ? 1 : bits == 0xff80 ? -1 : 0;
}

// The product is exact in double, and double holds all but the farthest ends of the sum before its one rounding.
__ANYHIP_DEVICE__ __hip_bfloat16 __hfma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
  return (double)(float)a * (double)(float)b + (double)(float)c;
}
__ANYHIP_DEVICE__ __hip_bfloat16 __habs(__hip_bfloat16 a) { return __ushort_as_bfloat16(__bfloat16_as_ushort(a) & 0x7fff); }

#define __ANYHIP_T __hip_bfloat16
#define __ANYHIP_T2 __hip_bfloat162
#include <hip/detail/small_float.inc.h>
#undef __ANYHIP_T
#undef __ANYHIP_T2

#endif
