// Functions whose bodies are in the device library (devicelib/), under names of our own.
#ifndef ANYHIP_DETAIL_MATH_LIBRARY_H
#define ANYHIP_DETAIL_MATH_LIBRARY_H

#include <hip/detail/math_approximate.h>

#define __ANYHIP_LIBRARY extern "C" __attribute__((device, const, nothrow))
#define __ANYHIP_LIBRARY_OUT extern "C" __attribute__((device, nothrow))  // writes through a pointer

#define __ANYHIP_MATH1(name)                                                     \
  __ANYHIP_LIBRARY double __anyhip_##name(double x);                             \
  __ANYHIP_LIBRARY float __anyhip_##name##f(float x);                            \
  __ANYHIP_DEVICE__ double name(double x) { return __anyhip_##name(x); }         \
  __ANYHIP_DEVICE__ float name##f(float x) { return __anyhip_##name##f(x); }
#define __ANYHIP_MATH2(name)                                                     \
  __ANYHIP_LIBRARY double __anyhip_##name(double x, double y);                   \
  __ANYHIP_LIBRARY float __anyhip_##name##f(float x, float y);                   \
  __ANYHIP_DEVICE__ double name(double x, double y) { return __anyhip_##name(x, y); } \
  __ANYHIP_DEVICE__ float name##f(float x, float y) { return __anyhip_##name##f(x, y); }

// -fgpu-approx-transcendentals, which -ffast-math implies: the float functions that the machine has.
#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
#  define __ANYHIP_CHOSEN(name) __anyhip::approximate_##name
#else
#  define __ANYHIP_CHOSEN(name) __anyhip_##name
#endif
#define __ANYHIP_MATH1_CHOSEN(name)                                                \
  __ANYHIP_LIBRARY double __anyhip_##name(double x);                             \
  __ANYHIP_LIBRARY float __anyhip_##name##f(float x);                            \
  __ANYHIP_DEVICE__ double name(double x) { return __anyhip_##name(x); }         \
  __ANYHIP_DEVICE__ float name##f(float x) { return __ANYHIP_CHOSEN(name##f)(x); }

__ANYHIP_MATH1_CHOSEN(exp)
__ANYHIP_MATH1_CHOSEN(exp2)
__ANYHIP_MATH1_CHOSEN(exp10)
__ANYHIP_MATH1_CHOSEN(log)
__ANYHIP_MATH1_CHOSEN(log2)
__ANYHIP_MATH1_CHOSEN(log10)
__ANYHIP_MATH1(expm1)
__ANYHIP_MATH1(log1p)
__ANYHIP_MATH1(logb)
__ANYHIP_MATH1_CHOSEN(sin)
__ANYHIP_MATH1_CHOSEN(cos)
__ANYHIP_MATH1_CHOSEN(tan)
__ANYHIP_MATH1(sinpi)
__ANYHIP_MATH1(cospi)
__ANYHIP_MATH1(asin)
__ANYHIP_MATH1(acos)
__ANYHIP_MATH1(atan)
__ANYHIP_MATH1(sinh)
__ANYHIP_MATH1(cosh)
__ANYHIP_MATH1(tanh)
__ANYHIP_MATH1(asinh)
__ANYHIP_MATH1(acosh)
__ANYHIP_MATH1(atanh)
__ANYHIP_MATH1(cbrt)
__ANYHIP_MATH1(rcbrt)
__ANYHIP_MATH1(rsqrt)
__ANYHIP_MATH1(erf)
__ANYHIP_MATH1(erfc)
__ANYHIP_MATH1(erfcx)
__ANYHIP_MATH1(erfinv)
__ANYHIP_MATH1(erfcinv)
__ANYHIP_MATH1(normcdf)
__ANYHIP_MATH1(normcdfinv)
__ANYHIP_MATH1(tgamma)
__ANYHIP_MATH1(lgamma)
__ANYHIP_MATH1(j0)
__ANYHIP_MATH1(j1)
__ANYHIP_MATH1(y0)
__ANYHIP_MATH1(y1)
__ANYHIP_MATH1(cyl_bessel_i0)
__ANYHIP_MATH1(cyl_bessel_i1)
__ANYHIP_MATH2(atan2)
__ANYHIP_LIBRARY double __anyhip_pow(double x, double y);
__ANYHIP_LIBRARY float __anyhip_powf(float x, float y);
__ANYHIP_DEVICE__ double pow(double x, double y) { return __anyhip_pow(x, y); }
__ANYHIP_DEVICE__ float powf(float x, float y) { return __ANYHIP_CHOSEN(powf)(x, y); }
__ANYHIP_MATH2(hypot)
__ANYHIP_MATH2(rhypot)
__ANYHIP_MATH2(fmod)
__ANYHIP_MATH2(remainder)
__ANYHIP_MATH2(nextafter)

// Other shapes: library(declaration) and a name for each of the two widths.
#define __ANYHIP_MATH_FORM(T, suffix)                                                                         \
  __ANYHIP_LIBRARY T __anyhip_powi##suffix(T x, int n);                                                       \
  __ANYHIP_LIBRARY T __anyhip_ldexp##suffix(T x, int n);                                                      \
  __ANYHIP_LIBRARY int __anyhip_ilogb##suffix(T x);                                                           \
  __ANYHIP_LIBRARY T __anyhip_jn##suffix(int n, T x);                                                         \
  __ANYHIP_LIBRARY T __anyhip_yn##suffix(int n, T x);                                                         \
  __ANYHIP_LIBRARY T __anyhip_norm3d##suffix(T x, T y, T z);                                                  \
  __ANYHIP_LIBRARY T __anyhip_rnorm3d##suffix(T x, T y, T z);                                                 \
  __ANYHIP_LIBRARY T __anyhip_norm4d##suffix(T x, T y, T z, T w);                                             \
  __ANYHIP_LIBRARY T __anyhip_rnorm4d##suffix(T x, T y, T z, T w);                                            \
  __ANYHIP_LIBRARY_OUT T __anyhip_norm##suffix(int count, const T* values);                                   \
  __ANYHIP_LIBRARY_OUT T __anyhip_rnorm##suffix(int count, const T* values);                                  \
  __ANYHIP_LIBRARY_OUT T __anyhip_frexp##suffix(T x, int* exponent);                                          \
  __ANYHIP_LIBRARY_OUT T __anyhip_remquo##suffix(T x, T y, int* quotient);                                    \
  __ANYHIP_LIBRARY_OUT void __anyhip_sincos##suffix(T x, T* sine, T* cosine);                                 \
  __ANYHIP_LIBRARY_OUT void __anyhip_sincospi##suffix(T x, T* sine, T* cosine);                               \
  __ANYHIP_DEVICE__ T powi##suffix(T x, int n) { return __anyhip_powi##suffix(x, n); }                        \
  __ANYHIP_DEVICE__ T ldexp##suffix(T x, int n) { return __anyhip_ldexp##suffix(x, n); }                      \
  __ANYHIP_DEVICE__ T scalbn##suffix(T x, int n) { return __anyhip_ldexp##suffix(x, n); }                     \
  __ANYHIP_DEVICE__ T scalbln##suffix(T x, long n) {                                                          \
    return __anyhip_ldexp##suffix(x, n > 10000 ? 10000 : n < -10000 ? -10000 : (int)n);                       \
  }                                                                                                           \
  __ANYHIP_DEVICE__ int ilogb##suffix(T x) { return __anyhip_ilogb##suffix(x); }                              \
  __ANYHIP_DEVICE__ T jn##suffix(int n, T x) { return __anyhip_jn##suffix(n, x); }                            \
  __ANYHIP_DEVICE__ T yn##suffix(int n, T x) { return __anyhip_yn##suffix(n, x); }                            \
  __ANYHIP_DEVICE__ T norm3d##suffix(T x, T y, T z) { return __anyhip_norm3d##suffix(x, y, z); }              \
  __ANYHIP_DEVICE__ T rnorm3d##suffix(T x, T y, T z) { return __anyhip_rnorm3d##suffix(x, y, z); }            \
  __ANYHIP_DEVICE__ T norm4d##suffix(T x, T y, T z, T w) { return __anyhip_norm4d##suffix(x, y, z, w); }      \
  __ANYHIP_DEVICE__ T rnorm4d##suffix(T x, T y, T z, T w) { return __anyhip_rnorm4d##suffix(x, y, z, w); }    \
  __ANYHIP_DEVICE__ T norm##suffix(int count, const T* values) { return __anyhip_norm##suffix(count, values); } \
  __ANYHIP_DEVICE__ T rnorm##suffix(int count, const T* values) { return __anyhip_rnorm##suffix(count, values); } \
  __ANYHIP_DEVICE__ T frexp##suffix(T x, int* exponent) { return __anyhip_frexp##suffix(x, exponent); }       \
  __ANYHIP_DEVICE__ T remquo##suffix(T x, T y, int* quotient) { return __anyhip_remquo##suffix(x, y, quotient); } \
  __ANYHIP_DEVICE__ void sincospi##suffix(T x, T* sine, T* cosine) { __anyhip_sincospi##suffix(x, sine, cosine); }

__ANYHIP_MATH_FORM(double, )
__ANYHIP_MATH_FORM(float, f)

__ANYHIP_DEVICE__ void sincos(double x, double* sine, double* cosine) { __anyhip_sincos(x, sine, cosine); }
__ANYHIP_DEVICE__ void sincosf(float x, float* sine, float* cosine) {
#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
  *sine = sinf(x);
  *cosine = cosf(x);
#else
  __anyhip_sincosf(x, sine, cosine);
#endif
}

#undef __ANYHIP_MATH_FORM
#undef __ANYHIP_MATH1_CHOSEN
#undef __ANYHIP_CHOSEN
#undef __ANYHIP_MATH1
#undef __ANYHIP_MATH2

#endif
