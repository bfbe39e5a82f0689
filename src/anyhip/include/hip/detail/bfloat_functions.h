// Conversions, arithmetic and maths of bfloat16.
#ifndef ANYHIP_DETAIL_BFLOAT_FUNCTIONS_H
#define ANYHIP_DETAIL_BFLOAT_FUNCTIONS_H

#include <hip/detail/bfloat_types.h>
#include <hip/math_functions.h>

__ANYHIP_HOST_DEVICE__ __hip_bfloat16 __float2bfloat16(float x) { return x; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat16 __float2bfloat16_rn(float x) { return x; }
__ANYHIP_HOST_DEVICE__ __hip_bfloat16 __float2bfloat16_rz(float x) {
  return x != x ? __hip_bfloat16(x)
                : __hip_bfloat16(__hip_bfloat16_raw{(unsigned short)(__builtin_bit_cast(unsigned int, x) >> 16)});
}
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
  __ANYHIP_HOST_DEVICE__ __hip_bfloat16 __##name##2bfloat16_rn(I x) { return x; }
__ANYHIP_BF_INTEGER(short, short)
__ANYHIP_BF_INTEGER(ushort, unsigned short)
__ANYHIP_BF_INTEGER(int, int)
__ANYHIP_BF_INTEGER(uint, unsigned int)
__ANYHIP_BF_INTEGER(ll, long long)
__ANYHIP_BF_INTEGER(ull, unsigned long long)
#undef __ANYHIP_BF_INTEGER

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

#define __ANYHIP_BF2(name, expression)                                                                          \
  __ANYHIP_DEVICE__ __hip_bfloat16 __h##name(__hip_bfloat16 a, __hip_bfloat16 b) { return expression; }         \
  __ANYHIP_DEVICE__ __hip_bfloat162 __h##name##2(__hip_bfloat162 a, __hip_bfloat162 b) {                        \
    return {__h##name(a.x, b.x), __h##name(a.y, b.y)};                                                          \
  }
__ANYHIP_BF2(add, a + b)
__ANYHIP_BF2(sub, a - b)
__ANYHIP_BF2(mul, a* b)
__ANYHIP_BF2(max, __builtin_fmaxf(a, b))
__ANYHIP_BF2(min, __builtin_fminf(a, b))
__ANYHIP_BF2(max_nan, __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b))
__ANYHIP_BF2(min_nan, __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b))
#undef __ANYHIP_BF2
__ANYHIP_DEVICE__ __hip_bfloat16 __hdiv(__hip_bfloat16 a, __hip_bfloat16 b) { return a / b; }
__ANYHIP_DEVICE__ __hip_bfloat162 __h2div(__hip_bfloat162 a, __hip_bfloat162 b) { return a / b; }
// The product of two bfloat16 numbers is exact in float, and the sum in double before its one rounding.
__ANYHIP_DEVICE__ __hip_bfloat16 __hfma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
  return (double)((float)a * (float)b) + (double)(float)c;
}
__ANYHIP_DEVICE__ __hip_bfloat162 __hfma2(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
__ANYHIP_DEVICE__ __hip_bfloat16 __hneg(__hip_bfloat16 a) { return -a; }
__ANYHIP_DEVICE__ __hip_bfloat162 __hneg2(__hip_bfloat162 a) { return -a; }
__ANYHIP_DEVICE__ __hip_bfloat16 __habs(__hip_bfloat16 a) { return __ushort_as_bfloat16(__bfloat16_as_ushort(a) & 0x7fff); }
__ANYHIP_DEVICE__ __hip_bfloat162 __habs2(__hip_bfloat162 a) { return {__habs(a.x), __habs(a.y)}; }

#define __ANYHIP_BF_COMPARE(name, op)                                                                    \
  __ANYHIP_DEVICE__ bool __h##name(__hip_bfloat16 a, __hip_bfloat16 b) { return (float)a op(float) b; }  \
  __ANYHIP_DEVICE__ bool __h##name##u(__hip_bfloat16 a, __hip_bfloat16 b) {                              \
    return __hisnan(a) || __hisnan(b) || (float)a op(float) b;                                           \
  }
__ANYHIP_BF_COMPARE(eq, ==)
__ANYHIP_BF_COMPARE(lt, <)
__ANYHIP_BF_COMPARE(gt, >)
__ANYHIP_BF_COMPARE(le, <=)
__ANYHIP_BF_COMPARE(ge, >=)
#undef __ANYHIP_BF_COMPARE
__ANYHIP_DEVICE__ bool __hne(__hip_bfloat16 a, __hip_bfloat16 b) { return !__hisnan(a) && !__hisnan(b) && a != b; }

#define __ANYHIP_BF_MATH(name, expression)                                                               \
  __ANYHIP_DEVICE__ __hip_bfloat16 h##name(__hip_bfloat16 h) { const float x = h; return expression; }   \
  __ANYHIP_DEVICE__ __hip_bfloat162 h2##name(__hip_bfloat162 v) { return {h##name(v.x), h##name(v.y)}; }
__ANYHIP_BF_MATH(sqrt, __builtin_sqrtf(x))
__ANYHIP_BF_MATH(rsqrt, rsqrtf(x))
__ANYHIP_BF_MATH(rcp, 1.0f / x)
__ANYHIP_BF_MATH(log, logf(x))
__ANYHIP_BF_MATH(log2, log2f(x))
__ANYHIP_BF_MATH(log10, log10f(x))
__ANYHIP_BF_MATH(exp, expf(x))
__ANYHIP_BF_MATH(exp2, exp2f(x))
__ANYHIP_BF_MATH(exp10, exp10f(x))
__ANYHIP_BF_MATH(sin, sinf(x))
__ANYHIP_BF_MATH(cos, cosf(x))
__ANYHIP_BF_MATH(ceil, __builtin_ceilf(x))
__ANYHIP_BF_MATH(floor, __builtin_floorf(x))
__ANYHIP_BF_MATH(trunc, __builtin_truncf(x))
__ANYHIP_BF_MATH(rint, __builtin_rintf(x))
#undef __ANYHIP_BF_MATH

#endif
