// Conversions of __half and __half2.
#ifndef ANYHIP_DETAIL_HALF_CONVERT_H
#define ANYHIP_DETAIL_HALF_CONVERT_H

#include <hip/detail/half_types.h>

__ANYHIP_HOST_DEVICE__ unsigned short __half_as_ushort(__half h) { return __builtin_bit_cast(unsigned short, h.data); }
__ANYHIP_HOST_DEVICE__ short __half_as_short(__half h) { return __builtin_bit_cast(short, h.data); }
__ANYHIP_HOST_DEVICE__ __half __ushort_as_half(unsigned short x) { return __builtin_bit_cast(_Float16, x); }
__ANYHIP_HOST_DEVICE__ __half __short_as_half(short x) { return __builtin_bit_cast(_Float16, x); }

namespace __anyhip {
// The neighbours of a half that is no NaN.
__ANYHIP_HOST_DEVICE__ __half half_above(__half h) {
  const unsigned short bits = __half_as_ushort(h);
  if ((bits & 0x7fff) == 0) return __ushort_as_half(1);
  return __ushort_as_half((unsigned short)(bits & 0x8000 ? bits - 1 : bits + 1));
}
__ANYHIP_HOST_DEVICE__ __half half_below(__half h) { return -half_above(-h); }
__ANYHIP_HOST_DEVICE__ __half half_up(double exact) {
  const __half nearest = (_Float16)exact;
  return (double)nearest < exact ? half_above(nearest) : nearest;
}
__ANYHIP_HOST_DEVICE__ __half half_down(double exact) {
  const __half nearest = (_Float16)exact;
  return (double)nearest > exact ? half_below(nearest) : nearest;
}
}  // namespace __anyhip

__ANYHIP_HOST_DEVICE__ __half __float2half(float x) { return (_Float16)x; }
__ANYHIP_HOST_DEVICE__ __half __float2half_rn(float x) { return (_Float16)x; }
__ANYHIP_HOST_DEVICE__ __half __float2half_ru(float x) { return __anyhip::half_up(x); }
__ANYHIP_HOST_DEVICE__ __half __float2half_rd(float x) { return __anyhip::half_down(x); }
__ANYHIP_HOST_DEVICE__ __half __float2half_rz(float x) {
  return x < 0.0f ? __anyhip::half_up(x) : __anyhip::half_down(x);
}
__ANYHIP_HOST_DEVICE__ __half __double2half(double x) { return (_Float16)x; }
__ANYHIP_HOST_DEVICE__ float __half2float(__half h) { return (float)h.data; }

// Every whole number that is not beyond half's range is exact in double.
#define __ANYHIP_HALF_INTEGER(name, I)                                                                       \
  __ANYHIP_HOST_DEVICE__ I __half2##name##_rn(__half h) { return (I)__builtin_rintf((float)h.data); }        \
  __ANYHIP_HOST_DEVICE__ I __half2##name##_rz(__half h) { return (I)(float)h.data; }                         \
  __ANYHIP_HOST_DEVICE__ I __half2##name##_ru(__half h) { return (I)__builtin_ceilf((float)h.data); }        \
  __ANYHIP_HOST_DEVICE__ I __half2##name##_rd(__half h) { return (I)__builtin_floorf((float)h.data); }       \
  __ANYHIP_HOST_DEVICE__ __half __##name##2half_rn(I x) { return (_Float16)(double)x; }                      \
  __ANYHIP_HOST_DEVICE__ __half __##name##2half_ru(I x) { return __anyhip::half_up((double)x); }             \
  __ANYHIP_HOST_DEVICE__ __half __##name##2half_rd(I x) { return __anyhip::half_down((double)x); }           \
  __ANYHIP_HOST_DEVICE__ __half __##name##2half_rz(I x) {                                                    \
    return x < 0 ? __anyhip::half_up((double)x) : __anyhip::half_down((double)x);                            \
  }
__ANYHIP_HALF_INTEGER(short, short)
__ANYHIP_HALF_INTEGER(ushort, unsigned short)
__ANYHIP_HALF_INTEGER(int, int)
__ANYHIP_HALF_INTEGER(uint, unsigned int)
__ANYHIP_HALF_INTEGER(ll, long long)
__ANYHIP_HALF_INTEGER(ull, unsigned long long)
#undef __ANYHIP_HALF_INTEGER
__ANYHIP_HOST_DEVICE__ signed char __half2char_rz(__half h) { return (signed char)(float)h.data; }
__ANYHIP_HOST_DEVICE__ unsigned char __half2uchar_rz(__half h) { return (unsigned char)(float)h.data; }

__ANYHIP_HOST_DEVICE__ __half2 make_half2(__half x, __half y) { return {x, y}; }
__ANYHIP_HOST_DEVICE__ __half2 __halves2half2(__half x, __half y) { return {x, y}; }
__ANYHIP_HOST_DEVICE__ __half2 __half2half2(__half h) { return {h, h}; }
__ANYHIP_HOST_DEVICE__ __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
__ANYHIP_HOST_DEVICE__ __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
__ANYHIP_HOST_DEVICE__ __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
__ANYHIP_HOST_DEVICE__ float2 __half22float2(__half2 v) { return float2((float)v.x, (float)v.y); }
__ANYHIP_HOST_DEVICE__ float __low2float(__half2 v) { return (float)v.x; }
__ANYHIP_HOST_DEVICE__ float __high2float(__half2 v) { return (float)v.y; }
__ANYHIP_HOST_DEVICE__ __half __low2half(__half2 v) { return v.x; }
__ANYHIP_HOST_DEVICE__ __half __high2half(__half2 v) { return v.y; }
__ANYHIP_HOST_DEVICE__ __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
__ANYHIP_HOST_DEVICE__ __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
__ANYHIP_HOST_DEVICE__ __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
__ANYHIP_HOST_DEVICE__ __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
__ANYHIP_HOST_DEVICE__ __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

#endif
