// What every part of the device library uses. The same text compiles for AMDGPU, for NVPTX and, in tests, for
// the host, so nothing here may call a library function.
#ifndef ANYHIP_DEVICELIB_COMMON_H
#define ANYHIP_DEVICELIB_COMMON_H

#if defined(__HIP__) || defined(__CUDA__)
#  define ANYHIP_INLINE static inline __attribute__((always_inline, device))
#  define ANYHIP_HELPER static __attribute__((device))  // the compiler decides whether to inline
#  define ANYHIP_MEMBER inline __attribute__((always_inline, device))
#  define ANYHIP_EXPORT extern "C" __attribute__((device, const, nothrow))
#  define ANYHIP_EXPORT_OUT extern "C" __attribute__((device, nothrow))
#  define ANYHIP_TABLE static constexpr __attribute__((device))
#else
#  define ANYHIP_INLINE static inline __attribute__((always_inline))
#  define ANYHIP_HELPER static
#  define ANYHIP_MEMBER inline __attribute__((always_inline))
#  define ANYHIP_EXPORT extern "C"
#  define ANYHIP_EXPORT_OUT extern "C"
#  define ANYHIP_TABLE static constexpr
#endif

// Compensated arithmetic below depends on every rounding happening where it is written.
#if defined(__clang__)
#  pragma clang fp contract(off)
#endif

typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned __int128 u128;

#include "coefficients.h"

namespace anyhip {

using namespace anyhip_coefficients;

template <typename To, typename From> ANYHIP_INLINE To bits_as(From x) { return __builtin_bit_cast(To, x); }

constexpr double kInfinity = __builtin_inf();
constexpr double kNaN = __builtin_nan("");
constexpr double kPiHi = 0x1.921fb54442d18p+1, kPiLo = 0x1.1a62633145c07p-53;
constexpr double kLn2 = 0x1.62e42fefa39efp-1;
// ln 2 in parts: the first has 20 trailing zeros, so that a whole number of up to 20 bits times it is exact.
constexpr double kLn2Hi = 0x1.62e42fefp-1, kLn2Mid = 0x1.473de6af278edp-34, kLn2Lo = -0x1.9ff0342542fc3p-90;

ANYHIP_INLINE double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
ANYHIP_INLINE double absolute(double x) { return __builtin_fabs(x); }
ANYHIP_INLINE double with_sign(double x, double sign) { return __builtin_copysign(x, sign); }
ANYHIP_INLINE bool is_nan(double x) { return x != x; }
ANYHIP_INLINE bool is_inf(double x) { return __builtin_fabs(x) == __builtin_inf(); }

// A polynomial with constant coefficients, lowest power first; the loop unrolls into immediates.
template <int n> ANYHIP_INLINE double horner(const double (&c)[n], double x) {
  double sum = c[n - 1];
#pragma unroll
  for (int i = n - 2; i >= 0; --i) sum = fused(sum, x, c[i]);
  return sum;
}

// 2^n for a normal result.
ANYHIP_INLINE double power_of_two(int n) { return bits_as<double>((u64)(n + 1023) << 52); }

// x * 2^n for |n| <= 2100, rounded once as long as x * 2^(n/2) is normal.
ANYHIP_INLINE double scale(double x, int n) {
#if defined(__AMDGCN__)
  return __builtin_ldexp(x, n);
#else
  const int half = n / 2;
  const int first = half > 1000 ? 1000 : half < -1000 ? -1000 : half;
  const int rest = n - first;
  const int second = rest > 1000 ? 1000 : rest < -1000 ? -1000 : rest;
  const int third = rest - second;
  if (third == 0) return x * power_of_two(first) * power_of_two(second);
  return x * power_of_two(first) * power_of_two(third) * power_of_two(second);
#endif
}

ANYHIP_INLINE int exponent_of(double x) {  // e of |x| = m 2^e, 1 <= m < 2, for finite x != 0
  const int biased = (int)(bits_as<u64>(x) >> 52) & 0x7ff;
  if (biased != 0) return biased - 1023;
  return ((int)(bits_as<u64>(x * 0x1p54) >> 52) & 0x7ff) - 1077;
}

// The same for any x: brought near 1 first, so that only the last factor rounds.
ANYHIP_INLINE double scale_any(double x, int n) {
#if defined(__AMDGCN__)
  return __builtin_ldexp(x, n);
#else
  if (x == 0.0 || is_nan(x) || is_inf(x)) return x;
  const int exponent = exponent_of(x);
  int target = exponent + n;
  target = target > 2000 ? 2000 : target < -2000 ? -2000 : target;
  return scale(scale(x, -exponent), target);
#endif
}

// A number as the unevaluated sum of two: 106 bits.
struct dd {
  double hi, lo;
};

ANYHIP_INLINE dd two_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
// |a| >= |b|
ANYHIP_INLINE dd quick_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
ANYHIP_INLINE dd two_product(double a, double b) {
  const double product = a * b;
  return {product, fused(a, b, -product)};
}
ANYHIP_INLINE dd add(dd a, dd b) {
  const dd s = two_sum(a.hi, b.hi);
  return quick_sum(s.hi, s.lo + (a.lo + b.lo));
}
ANYHIP_INLINE dd add(dd a, double b) {
  const dd s = two_sum(a.hi, b);
  return quick_sum(s.hi, s.lo + a.lo);
}
ANYHIP_INLINE dd multiply(dd a, dd b) {
  const dd p = two_product(a.hi, b.hi);
  return quick_sum(p.hi, p.lo + fused(a.hi, b.lo, a.lo * b.hi));
}
ANYHIP_INLINE dd multiply(dd a, double b) {
  const dd p = two_product(a.hi, b);
  return quick_sum(p.hi, fused(a.lo, b, p.lo));
}
ANYHIP_INLINE dd divide(dd a, dd b) {
  const double quotient = a.hi / b.hi;
  const double rest = (fused(-quotient, b.hi, a.hi) + a.lo) - quotient * b.lo;
  return quick_sum(quotient, rest / b.hi);
}
ANYHIP_INLINE dd square_root(dd a) {
  if (a.hi <= 0.0) return {a.hi, 0.0};
  const double root = __builtin_sqrt(a.hi);
  return quick_sum(root, (fused(-root, root, a.hi) + a.lo) / (2.0 * root));
}
ANYHIP_INLINE dd negate(dd a) { return {-a.hi, -a.lo}; }

}  // namespace anyhip

#endif
