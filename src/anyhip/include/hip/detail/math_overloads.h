// C++'s overloads: each function by its plain name for float and for integers (which count as double), the
// classification functions, and min and max.
#ifndef ANYHIP_DETAIL_MATH_OVERLOADS_H
#define ANYHIP_DETAIL_MATH_OVERLOADS_H

#include <hip/detail/vector_template.h>

namespace __anyhip {
template <typename T, typename R = double> using for_integer = typename enable_when<__is_integral(T), R>::type;
template <typename T, typename R> using for_floating = typename enable_when<__is_floating_point(T), R>::type;
template <typename F, typename I>
using for_float_and_integer = typename enable_when<__is_floating_point(F) && __is_integral(I), F>::type;
// The type in which C++ evaluates a function of two different arithmetic types.
template <typename A, typename B>
using for_mixed = typename enable_when<__is_arithmetic(A) && __is_arithmetic(B) && !same_type<A, B>::value &&
                                           !same_type<long double, A>::value && !same_type<long double, B>::value,
                                       double>::type;
}  // namespace __anyhip

#define __ANYHIP_OVERLOAD1(name)                                                    \
  __ANYHIP_DEVICE__ float name(float x) { return name##f(x); }                      \
  template <typename T> __ANYHIP_DEVICE__ __anyhip::for_integer<T> name(T x) { return name((double)x); }
#define __ANYHIP_OVERLOAD1_FLOAT(name) \
  __ANYHIP_DEVICE__ float name(float x) { return name##f(x); }
#define __ANYHIP_OVERLOAD2(name)                                                    \
  __ANYHIP_DEVICE__ float name(float x, float y) { return name##f(x, y); }          \
  template <typename A, typename B>                                                 \
  __ANYHIP_DEVICE__ __anyhip::for_mixed<A, B> name(A x, B y) {                      \
    return name((double)x, (double)y);                                              \
  }                                                                                 \
  template <typename T> __ANYHIP_DEVICE__ __anyhip::for_integer<T> name(T x, T y) { return name((double)x, (double)y); }

__ANYHIP_OVERLOAD1(ceil)
__ANYHIP_OVERLOAD1(floor)
__ANYHIP_OVERLOAD1(trunc)
__ANYHIP_OVERLOAD1(round)
__ANYHIP_OVERLOAD1(rint)
__ANYHIP_OVERLOAD1(nearbyint)
__ANYHIP_OVERLOAD1(fabs)
__ANYHIP_OVERLOAD1(sqrt)
__ANYHIP_OVERLOAD1(exp)
__ANYHIP_OVERLOAD1(exp2)
__ANYHIP_OVERLOAD1(exp10)
__ANYHIP_OVERLOAD1(expm1)
__ANYHIP_OVERLOAD1(log)
__ANYHIP_OVERLOAD1(log2)
__ANYHIP_OVERLOAD1(log10)
__ANYHIP_OVERLOAD1(log1p)
__ANYHIP_OVERLOAD1(logb)
__ANYHIP_OVERLOAD1(sin)
__ANYHIP_OVERLOAD1(cos)
__ANYHIP_OVERLOAD1(tan)
__ANYHIP_OVERLOAD1(sinpi)
__ANYHIP_OVERLOAD1(cospi)
__ANYHIP_OVERLOAD1(asin)
__ANYHIP_OVERLOAD1(acos)
__ANYHIP_OVERLOAD1(atan)
__ANYHIP_OVERLOAD1(sinh)
__ANYHIP_OVERLOAD1(cosh)
__ANYHIP_OVERLOAD1(tanh)
__ANYHIP_OVERLOAD1(asinh)
__ANYHIP_OVERLOAD1(acosh)
__ANYHIP_OVERLOAD1(atanh)
__ANYHIP_OVERLOAD1(cbrt)
__ANYHIP_OVERLOAD1(rcbrt)
__ANYHIP_OVERLOAD1(rsqrt)
__ANYHIP_OVERLOAD1(erf)
__ANYHIP_OVERLOAD1(erfc)
__ANYHIP_OVERLOAD1(erfcx)
__ANYHIP_OVERLOAD1(erfinv)
__ANYHIP_OVERLOAD1(erfcinv)
__ANYHIP_OVERLOAD1(normcdf)
__ANYHIP_OVERLOAD1(normcdfinv)
__ANYHIP_OVERLOAD1(tgamma)
__ANYHIP_OVERLOAD1(lgamma)
// <math.h> has these four under the same names for double only, and programs name variables so.
__ANYHIP_OVERLOAD1_FLOAT(j0)
__ANYHIP_OVERLOAD1_FLOAT(j1)
__ANYHIP_OVERLOAD1_FLOAT(y0)
__ANYHIP_OVERLOAD1_FLOAT(y1)
__ANYHIP_OVERLOAD2(copysign)
__ANYHIP_OVERLOAD2(fmin)
__ANYHIP_OVERLOAD2(fmax)
__ANYHIP_OVERLOAD2(fdim)
__ANYHIP_OVERLOAD2(atan2)
__ANYHIP_OVERLOAD2(hypot)
__ANYHIP_OVERLOAD2(fmod)
__ANYHIP_OVERLOAD2(remainder)
__ANYHIP_OVERLOAD2(nextafter)
__ANYHIP_OVERLOAD2(pow)

// A floating-point base with a whole exponent: as accurate as pow, and far cheaper when the exponent is small.
__ANYHIP_DEVICE__ float pow(float x, int n) { return powif(x, n); }
__ANYHIP_DEVICE__ double pow(double x, int n) { return powi(x, n); }

__ANYHIP_DEVICE__ float fma(float x, float y, float z) { return fmaf(x, y, z); }
__ANYHIP_DEVICE__ float modf(float x, float* whole) { return modff(x, whole); }
__ANYHIP_DEVICE__ float frexp(float x, int* exponent) { return frexpf(x, exponent); }
__ANYHIP_DEVICE__ float ldexp(float x, int n) { return ldexpf(x, n); }
__ANYHIP_DEVICE__ float scalbn(float x, int n) { return scalbnf(x, n); }
__ANYHIP_DEVICE__ float scalbln(float x, long n) { return scalblnf(x, n); }
__ANYHIP_DEVICE__ int ilogb(float x) { return ilogbf(x); }
__ANYHIP_DEVICE__ long lround(float x) { return lroundf(x); }
__ANYHIP_DEVICE__ long long llround(float x) { return llroundf(x); }
__ANYHIP_DEVICE__ long lrint(float x) { return lrintf(x); }
__ANYHIP_DEVICE__ long long llrint(float x) { return llrintf(x); }
__ANYHIP_DEVICE__ float remquo(float x, float y, int* quotient) { return remquof(x, y, quotient); }
__ANYHIP_DEVICE__ void sincos(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
__ANYHIP_DEVICE__ void sincospi(float x, float* sine, float* cosine) { sincospif(x, sine, cosine); }

// Host code gets templates, which step back for the C++ library's own functions where <cmath> is included.
#define __ANYHIP_CLASSIFY(name, builtin)                                            \
  template <typename T> inline __host__ __anyhip::for_floating<T, bool> name(T x) { return builtin(x); } \
  __ANYHIP_DEVICE__ bool name(float x) { return builtin(x); }                       \
  __ANYHIP_DEVICE__ bool name(double x) { return builtin(x); }                      \
  template <typename T> __ANYHIP_DEVICE__ __anyhip::for_integer<T, bool> name(T x) { return builtin((double)x); }
#undef signbit
#undef isfinite
#undef isnan
#undef isinf
#undef isnormal
__ANYHIP_CLASSIFY(signbit, __builtin_signbit)
__ANYHIP_CLASSIFY(isfinite, __builtin_isfinite)
__ANYHIP_CLASSIFY(isnan, __builtin_isnan)
__ANYHIP_CLASSIFY(isinf, __builtin_isinf)
__ANYHIP_CLASSIFY(isnormal, __builtin_isnormal)

// Comparisons that raise nothing, and the class of a number: macros of C's <math.h>, functions of C++'s <cmath>.
#undef isgreater
#undef isgreaterequal
#undef isless
#undef islessequal
#undef islessgreater
#undef isunordered
#undef fpclassify
#define __ANYHIP_RELATION(name)                                                     \
  __ANYHIP_DEVICE__ bool name(float x, float y) { return __builtin_##name(x, y); }   \
  __ANYHIP_DEVICE__ bool name(double x, double y) { return __builtin_##name(x, y); } \
  template <typename A, typename B, typename = __anyhip::for_mixed<A, B>>           \
  __ANYHIP_DEVICE__ bool name(A x, B y) { return __builtin_##name((double)x, (double)y); }
__ANYHIP_RELATION(isgreater)
__ANYHIP_RELATION(isgreaterequal)
__ANYHIP_RELATION(isless)
__ANYHIP_RELATION(islessequal)
__ANYHIP_RELATION(islessgreater)
__ANYHIP_RELATION(isunordered)
#undef __ANYHIP_RELATION
// The values of glibc's FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL
__ANYHIP_DEVICE__ int fpclassify(float x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
__ANYHIP_DEVICE__ int fpclassify(double x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
__ANYHIP_DEVICE__ bool __finitef(float x) { return __builtin_isfinite(x); }
__ANYHIP_DEVICE__ bool __finite(double x) { return __builtin_isfinite(x); }

// min and max of the built-in types, also of two different ones; as in CUDA they exist on the host too.
#define __ANYHIP_MIN_MAX(T)                                                         \
  __ANYHIP_HOST_DEVICE__ constexpr T min(T a, T b) { return b < a ? b : a; }        \
  __ANYHIP_HOST_DEVICE__ constexpr T max(T a, T b) { return a < b ? b : a; }
__ANYHIP_MIN_MAX(int)
__ANYHIP_MIN_MAX(unsigned int)
__ANYHIP_MIN_MAX(long)
__ANYHIP_MIN_MAX(unsigned long)
__ANYHIP_MIN_MAX(long long)
__ANYHIP_MIN_MAX(unsigned long long)
__ANYHIP_HOST_DEVICE__ float min(float a, float b) { return __builtin_fminf(a, b); }
__ANYHIP_HOST_DEVICE__ float max(float a, float b) { return __builtin_fmaxf(a, b); }
__ANYHIP_HOST_DEVICE__ double min(double a, double b) { return __builtin_fmin(a, b); }
__ANYHIP_HOST_DEVICE__ double max(double a, double b) { return __builtin_fmax(a, b); }

// Mixed pairs: CUDA converts signed to unsigned, and float to double.
#define __ANYHIP_MIN_MAX_MIXED(A, B, T)                                             \
  __ANYHIP_HOST_DEVICE__ T min(A a, B b) { return min((T)a, (T)b); }                \
  __ANYHIP_HOST_DEVICE__ T min(B a, A b) { return min((T)a, (T)b); }                \
  __ANYHIP_HOST_DEVICE__ T max(A a, B b) { return max((T)a, (T)b); }                \
  __ANYHIP_HOST_DEVICE__ T max(B a, A b) { return max((T)a, (T)b); }
__ANYHIP_MIN_MAX_MIXED(int, unsigned int, unsigned int)
__ANYHIP_MIN_MAX_MIXED(long, unsigned long, unsigned long)
__ANYHIP_MIN_MAX_MIXED(long long, unsigned long long, unsigned long long)
__ANYHIP_MIN_MAX_MIXED(int, long, long)
__ANYHIP_MIN_MAX_MIXED(int, long long, long long)
__ANYHIP_MIN_MAX_MIXED(unsigned int, unsigned long, unsigned long)
__ANYHIP_MIN_MAX_MIXED(unsigned int, unsigned long long, unsigned long long)
__ANYHIP_MIN_MAX_MIXED(int, unsigned long, unsigned long)
__ANYHIP_MIN_MAX_MIXED(int, unsigned long long, unsigned long long)
__ANYHIP_MIN_MAX_MIXED(unsigned int, long, long)
__ANYHIP_MIN_MAX_MIXED(unsigned int, long long, long long)
__ANYHIP_MIN_MAX_MIXED(float, double, double)

#define __ANYHIP_MIN_MAX_WHOLE(name)                                                \
  template <typename F, typename I>                                                 \
  __ANYHIP_HOST_DEVICE__ __anyhip::for_float_and_integer<F, I> name(F a, I b) { return name(a, (F)b); } \
  template <typename F, typename I>                                                 \
  __ANYHIP_HOST_DEVICE__ __anyhip::for_float_and_integer<F, I> name(I a, F b) { return name((F)a, b); }
__ANYHIP_MIN_MAX_WHOLE(min)
__ANYHIP_MIN_MAX_WHOLE(max)
#undef __ANYHIP_MIN_MAX_WHOLE

#undef __ANYHIP_MIN_MAX_MIXED
#undef __ANYHIP_MIN_MAX
#undef __ANYHIP_CLASSIFY
#undef __ANYHIP_OVERLOAD1
#undef __ANYHIP_OVERLOAD1_FLOAT
#undef __ANYHIP_OVERLOAD2

#endif
