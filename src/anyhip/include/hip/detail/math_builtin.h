// Functions that both machines have as one or a few instructions: clang's builtins, exact.
#ifndef ANYHIP_DETAIL_MATH_BUILTIN_H
#define ANYHIP_DETAIL_MATH_BUILTIN_H

#include <hip/detail/target.h>

#define __ANYHIP_MATH1(name)                                                         \
  __ANYHIP_DEVICE__ double name(double x) { return __builtin_##name(x); }            \
  __ANYHIP_DEVICE__ float name##f(float x) { return __builtin_##name##f(x); }
#define __ANYHIP_MATH2(name)                                                         \
  __ANYHIP_DEVICE__ double name(double x, double y) { return __builtin_##name(x, y); } \
  __ANYHIP_DEVICE__ float name##f(float x, float y) { return __builtin_##name##f(x, y); }

__ANYHIP_MATH1(ceil)
__ANYHIP_MATH1(floor)
__ANYHIP_MATH1(trunc)
__ANYHIP_MATH1(rint)
__ANYHIP_MATH1(nearbyint)
__ANYHIP_MATH1(fabs)
__ANYHIP_MATH1(sqrt)
__ANYHIP_MATH2(copysign)
__ANYHIP_MATH2(fmin)
__ANYHIP_MATH2(fmax)

__ANYHIP_DEVICE__ double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
__ANYHIP_DEVICE__ float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

// Halves away from zero: the truncation, and one more when what it dropped is at least a half.
__ANYHIP_DEVICE__ double round(double x) {
  const double whole = __builtin_trunc(x);
  return whole + __builtin_copysign(__builtin_fabs(x - whole) >= 0.5 ? 1.0 : 0.0, x);
}
__ANYHIP_DEVICE__ float roundf(float x) {
  const float whole = __builtin_truncf(x);
  return whole + __builtin_copysignf(__builtin_fabsf(x - whole) >= 0.5f ? 1.0f : 0.0f, x);
}
__ANYHIP_DEVICE__ long lround(double x) { return (long)round(x); }
__ANYHIP_DEVICE__ long lroundf(float x) { return (long)roundf(x); }
__ANYHIP_DEVICE__ long long llround(double x) { return (long long)round(x); }
__ANYHIP_DEVICE__ long long llroundf(float x) { return (long long)roundf(x); }
__ANYHIP_DEVICE__ long lrint(double x) { return (long)__builtin_rint(x); }
__ANYHIP_DEVICE__ long lrintf(float x) { return (long)__builtin_rintf(x); }
__ANYHIP_DEVICE__ long long llrint(double x) { return (long long)__builtin_rint(x); }
__ANYHIP_DEVICE__ long long llrintf(float x) { return (long long)__builtin_rintf(x); }

__ANYHIP_DEVICE__ double fdim(double x, double y) { return x <= y ? 0.0 : x - y; }
__ANYHIP_DEVICE__ float fdimf(float x, float y) { return x <= y ? 0.0f : x - y; }

// The fraction of an infinity is a zero of its sign.
__ANYHIP_DEVICE__ double modf(double x, double* whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(__builtin_isinf(x) ? 0.0 : x - *whole, x);
}
__ANYHIP_DEVICE__ float modff(float x, float* whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(__builtin_isinf(x) ? 0.0f : x - *whole, x);
}

__ANYHIP_DEVICE__ float fdividef(float x, float y) { return x / y; }

__ANYHIP_DEVICE__ double nan(const char*) { return __builtin_nan(""); }
__ANYHIP_DEVICE__ float nanf(const char*) { return __builtin_nanf(""); }

__ANYHIP_DEVICE__ int abs(int x) { return x < 0 ? -x : x; }
__ANYHIP_DEVICE__ long abs(long x) { return x < 0 ? -x : x; }
__ANYHIP_DEVICE__ long long abs(long long x) { return x < 0 ? -x : x; }
__ANYHIP_DEVICE__ long labs(long x) { return x < 0 ? -x : x; }
__ANYHIP_DEVICE__ long long llabs(long long x) { return x < 0 ? -x : x; }
__ANYHIP_DEVICE__ double abs(double x) { return __builtin_fabs(x); }
__ANYHIP_DEVICE__ float abs(float x) { return __builtin_fabsf(x); }

#undef __ANYHIP_MATH1
#undef __ANYHIP_MATH2

#endif
