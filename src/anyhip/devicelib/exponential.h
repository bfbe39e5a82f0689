// exp, log and what is made of them: powers, hyperbolic functions and their inverses.
#ifndef ANYHIP_DEVICELIB_EXPONENTIAL_H
#define ANYHIP_DEVICELIB_EXPONENTIAL_H

#include "common.h"

namespace anyhip {

// x = k ln2 + r, |r| <= ln2/2.
struct reduced_exponent {
  double r, r_lo;
  int k;
};
ANYHIP_INLINE reduced_exponent reduce_exponent(dd x) {
  const double k = __builtin_rint(x.hi * (1.0 / kLn2));
  const double high = fused(-k, kLn2Hi, x.hi);  // exact
  const dd r = two_sum(high, -k * kLn2Mid);
  const double low = r.lo - fused(k, kLn2Mid, -(k * kLn2Mid)) - k * kLn2Lo + x.lo;
  const dd sum = quick_sum(r.hi, low);
  return {sum.hi, sum.lo, (int)k};
}

// exp(r) - 1 to some 2^-56 of itself.
ANYHIP_INLINE dd exp_minus_one(double r, double r_lo) {
  const double tail = r * r * horner(exp64, r);
  const dd e = quick_sum(r, tail);
  return quick_sum(e.hi, e.lo + fused(r_lo, r, r_lo));
}

// exp of a two-part argument, for |x| < 800.
ANYHIP_INLINE double exp_of(dd x) {
  const reduced_exponent a = reduce_exponent(x);
  const double tail = fused(a.r * a.r, horner(exp64, a.r), fused(a.r_lo, a.r, a.r_lo));
  return scale(1.0 + (a.r + tail), a.k);
}
ANYHIP_INLINE double exp_clamped(dd x) {
  if (is_nan(x.hi)) return x.hi;
  if (x.hi > 709.79) return kInfinity;
  if (x.hi < -745.2) return 0.0;
  return exp_of(x);
}

ANYHIP_INLINE dd expm1_dd(double x) {  // |x| < 700
  const reduced_exponent a = reduce_exponent({x, 0.0});
  const dd e = exp_minus_one(a.r, a.r_lo);
  if (a.k == 0) return e;
  const double power = power_of_two(a.k);
  return add(add({e.hi * power, e.lo * power}, power), -1.0);
}

// x = m 2^k with sqrt(1/2) <= m < sqrt 2, for finite x > 0.
struct split_number {
  double m;
  int k;
};
ANYHIP_INLINE split_number split(double x) {
  int k = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    k = -54;
  }
  const u64 bits = bits_as<u64>(x) - 0x3fe6a09e667f3bcdull;  // sqrt(1/2)
  const int exponent = (int)((long long)bits >> 52);
  return {bits_as<double>((bits & 0x000fffffffffffffull) + 0x3fe6a09e667f3bcdull), exponent + k};
}

// log m as 2 atanh((m-1)/(m+1)), the first two terms of the series in double-double: about 2^-65.
ANYHIP_INLINE dd log_mantissa(double m) {
  const dd s = divide({m - 1.0, 0.0}, two_sum(m, 1.0));
  const dd z = multiply(s, s);
  const dd cube = multiply(multiply(s, z), dd{0x1.5555555555555p-1, 0x1.5555555555555p-55});
  const double tail = s.hi * z.hi * z.hi * horner(log64, z.hi);
  const dd sum = quick_sum(2.0 * s.hi, cube.hi);
  return quick_sum(sum.hi, sum.lo + (2.0 * s.lo + cube.lo + tail));
}
ANYHIP_INLINE dd log_of(double x) {  // finite x > 0
  const split_number a = split(x);
  const dd l = log_mantissa(a.m);
  const double k = (double)a.k;
  const dd sum = two_sum(k * kLn2Hi, l.hi);
  return quick_sum(sum.hi, sum.lo + (l.lo + k * kLn2Mid));
}
ANYHIP_INLINE dd log_of(dd x) {
  const dd l = log_of(x.hi);
  return quick_sum(l.hi, l.lo + x.lo / x.hi);
}

// What every logarithm answers outside (0, inf): true when that decides.
ANYHIP_INLINE bool log_special(double x, double* result) {
  if (x > 0.0 && x < kInfinity) return false;
  *result = x == 0.0 ? -kInfinity : x > 0.0 || is_nan(x) ? x : kNaN;
  return true;
}
// k * unit + log(m) * factor: a logarithm to another base, exact for powers of two when unit is.
ANYHIP_INLINE double log_to_base(double x, dd unit, dd factor) {
  const split_number a = split(x);
  const dd l = multiply(log_mantissa(a.m), factor);
  const dd whole = multiply(unit, (double)a.k);
  return add(whole, l).hi;
}
constexpr double kInvLn2Hi = 0x1.71547652b82fep+0, kInvLn2Lo = 0x1.777d0ffda0d24p-56;
constexpr double kInvLn10Hi = 0x1.bcb7b1526e50ep-2, kInvLn10Lo = 0x1.95355baaafad3p-57;
constexpr double kLog10Of2Hi = 0x1.34413509f79ffp-2, kLog10Of2Lo = -0x1.9dc1da994fd21p-59;
constexpr double kLn10Hi = 0x1.26bb1bbb55516p+1, kLn10Lo = -0x1.f48ad494ea3e9p-53;

// |x|^y for finite x != 0 and finite y.
ANYHIP_INLINE double positive_power(double x, double y) {
  if (absolute(y) > 0x1p70) y = with_sign(0x1p70, y);  // decided anyway, and now nothing overflows
  return exp_clamped(multiply(log_of(x), y));
}
ANYHIP_INLINE bool is_whole(double x) { return __builtin_trunc(x) == x; }
ANYHIP_INLINE bool is_odd(double x) {
  return is_whole(x) && absolute(x) < 0x1p53 && !is_whole(x * 0.5);
}

// C's Annex F around the power of positive finite numbers.
ANYHIP_INLINE double power_of(double x, double y) {
  if (x == 1.0 || y == 0.0) return 1.0;
  if (is_nan(x) || is_nan(y)) return kNaN;
  const double size = absolute(x);
  const bool negative = __builtin_signbit(x) && is_odd(y);
  double result;
  if (is_inf(y)) {
    result = size == 1.0 ? 1.0 : (size > 1.0) == (y > 0.0) ? kInfinity : 0.0;
  } else if (size == 0.0 || is_inf(size)) {
    result = (size == 0.0) == (y < 0.0) ? kInfinity : 0.0;
  } else {
    if (x < 0.0 && !is_whole(y)) return kNaN;
    result = positive_power(size, y);
  }
  return negative ? -result : result;
}


}  // namespace anyhip

ANYHIP_EXPORT double __anyhip_exp(double x) { return anyhip::exp_clamped({x, 0.0}); }
ANYHIP_EXPORT double __anyhip_exp2(double x) {
  using namespace anyhip;
  if (is_nan(x)) return x;
  if (x > 1024.0) return kInfinity;
  if (x < -1080.0) return 0.0;
  const double k = __builtin_rint(x);
  const dd r = multiply(dd{kLn2, 0x1.abc9e3b39803fp-56}, x - k);
  const double tail = fused(r.hi * r.hi, horner(exp64, r.hi), fused(r.lo, r.hi, r.lo));
  return scale(1.0 + (r.hi + tail), (int)k);
}
ANYHIP_EXPORT double __anyhip_exp10(double x) {
  using namespace anyhip;
  if (is_nan(x)) return x;
  if (x > 310.0) return kInfinity;
  if (x < -330.0) return 0.0;
  return exp_clamped(multiply(dd{kLn10Hi, kLn10Lo}, x));
}
ANYHIP_EXPORT double __anyhip_expm1(double x) {
  using namespace anyhip;
  if (is_nan(x) || x == 0.0) return x;
  if (x > 709.79) return kInfinity;
  if (x < -40.0) return -1.0;
  if (x > 40.0) return exp_of({x, 0.0});
  if (absolute(x) < 0x1p-54) return x;
  return expm1_dd(x).hi;
}

ANYHIP_EXPORT double __anyhip_log(double x) {
  double special;
  return anyhip::log_special(x, &special) ? special : anyhip::log_of(x).hi;
}
ANYHIP_EXPORT double __anyhip_log2(double x) {
  using namespace anyhip;
  double special;
  return log_special(x, &special) ? special : log_to_base(x, {1.0, 0.0}, {kInvLn2Hi, kInvLn2Lo});
}
ANYHIP_EXPORT double __anyhip_log10(double x) {
  using namespace anyhip;
  double special;
  return log_special(x, &special) ? special : log_to_base(x, {kLog10Of2Hi, kLog10Of2Lo}, {kInvLn10Hi, kInvLn10Lo});
}
ANYHIP_EXPORT double __anyhip_log1p(double x) {
  using namespace anyhip;
  double special;
  if (absolute(x) < 0x1p-54) return x;
  if (log_special(1.0 + x, &special)) return is_nan(x) ? x : special;
  return log_of(two_sum(1.0, x)).hi;
}

ANYHIP_EXPORT double __anyhip_pow(double x, double y) { return anyhip::power_of(x, y); }

ANYHIP_EXPORT double __anyhip_powi(double x, int n) { return __anyhip_pow(x, (double)n); }

#endif
