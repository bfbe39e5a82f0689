// The error function's family: erf, erfc, erfcx, their inverses, and the normal distribution.
#ifndef ANYHIP_DEVICELIB_ERROR_FUNCTION_H
#define ANYHIP_DEVICELIB_ERROR_FUNCTION_H

#include "exponential.h"

namespace anyhip {

constexpr double kTwoOverRootPi = 0x1.20dd750429b6dp+0, kTwoOverRootPiLo = 0x1.1ae3a914fed80p-56;
constexpr double kRootHalf = 0x1.6a09e667f3bcdp-1, kRootHalfLo = -0x1.bdd3413b26456p-55;
constexpr double kRootTwo = 0x1.6a09e667f3bcdp+0;

ANYHIP_INLINE double erf_small(double x) {  // |x| <= 1
  const double z = x * x;
  return fused(x, kTwoOverRootPi, x * fused(z, horner(erf64, z), kTwoOverRootPiLo));
}

// exp(x^2) erfc(x) for x >= 0, as a polynomial in t = (x - 4)/(x + 4) over 1 + 2x.
ANYHIP_INLINE dd erfcx_positive(double x) {
  const double t = (x - 4.0) / (x + 4.0);
  return divide({horner(erfcx64, t), 0.0}, two_sum(1.0, 2.0 * x));
}
// erfc(x + x_lo) for x >= 0: exp(-x^2) with the square in two parts.
ANYHIP_INLINE double erfc_positive(double x, double x_lo) {
  if (x > 27.3) return 0.0;
  const dd square = two_product(x, x);
  const reduced_exponent a = reduce_exponent({-square.hi, -(square.lo + 2.0 * x * x_lo)});
  const dd e = exp_minus_one(a.r, a.r_lo);
  const dd value = multiply(erfcx_positive(x), add(e, 1.0));
  return scale(value.hi + value.lo, a.k);
}
ANYHIP_INLINE double erfc_of(double x, double x_lo) {
  if (x < 0.5) {
    if (x < -1.0) return 2.0 - erfc_positive(-x, -x_lo);
    const double z = x * x;
    const dd e = quick_sum(x * kTwoOverRootPi,
                           fused(x, kTwoOverRootPi, -(x * kTwoOverRootPi)) + x_lo * kTwoOverRootPi +
                               x * fused(z, horner(erf64, z), kTwoOverRootPiLo));
    return add(negate(e), 1.0).hi;
  }
  return erfc_positive(x, x_lo);
}

// First guesses of the inverse: 2^-24 or better, from -log of the product of both complements.
ANYHIP_INLINE double inverse_erf_guess(double x, double w) {
  if (w < 6.0) return x * horner(erfinv_centre, w - 3.0);
  const double s = __builtin_sqrt(w);
  return with_sign(s < 7.0 ? horner(erfinv_tail, s - 4.0) : horner(erfinv_far, s - 17.0), x);
}
// One step of Halley's method on a residual scaled by exp(y^2): cubic, so 2^-24 becomes 2^-70.
ANYHIP_INLINE double halley(double y, double scaled_residual) {
  const double step = scaled_residual * (1.0 / kTwoOverRootPi);
  return y - step / fused(y, step, 1.0);
}

// y with erfc(y) = c, for 0 < c <= 1.
ANYHIP_INLINE double inverse_erfc_small(double c) {
  const double w = -log_of(c).hi - log_of(2.0 - c).hi;
  const double y = inverse_erf_guess(1.0 - c, w);
  // erfc(y)/c - 1 through logarithms, so that nothing underflows: both sides are near exp(-y^2).
  const dd square = two_product(y, y);
  const dd log_c = log_of(c);
  const dd log_scaled = log_of(erfcx_positive(y));
  const double difference = ((-square.hi - log_c.hi) + log_scaled.hi) + (-square.lo - log_c.lo + log_scaled.lo);
  const double scaled = erfcx_positive(y).hi;
  return halley(y, -scaled * difference * fused(0.5, -difference, 1.0));
}

ANYHIP_INLINE double inverse_erf_of(double x) {  // |x| < 1
  const double size = absolute(x);
  if (size > 0.5) return with_sign(inverse_erfc_small(1.0 - size), x);
  if (size < 0x1p-30) return x * (1.0 / kTwoOverRootPi);
  const double w = -log_of(fused(-x, x, 1.0)).hi;
  const double y = inverse_erf_guess(x, w);
  return halley(y, (erf_small(y) - x) * exp_of({y * y, 0.0}));
}
ANYHIP_INLINE double inverse_erfc_of(double c) {  // 0 < c < 2
  if (c > 1.5) return -inverse_erfc_small(2.0 - c);
  if (c < 0.5) return inverse_erfc_small(c);
  return inverse_erf_of(1.0 - c);
}

// erfc(-x/sqrt 2)/2.
ANYHIP_INLINE double normal_distribution(double x) {
  const dd argument = multiply(dd{-kRootHalf, -kRootHalfLo}, x);
  return 0.5 * erfc_of(argument.hi, argument.lo);
}

}  // namespace anyhip

ANYHIP_EXPORT double __anyhip_erf(double x) {
  using namespace anyhip;
  const double size = absolute(x);
  if (is_nan(x)) return x;
  if (size <= 1.0) return erf_small(x);
  return with_sign(size > 6.0 ? 1.0 : 1.0 - erfc_positive(size, 0.0), x);
}
ANYHIP_EXPORT double __anyhip_erfc(double x) {
  if (anyhip::is_nan(x)) return x;
  return x < -7.0 ? 2.0 : anyhip::erfc_of(x, 0.0);
}
ANYHIP_EXPORT double __anyhip_erfcx(double x) {
  using namespace anyhip;
  if (is_nan(x)) return x;
  if (x > 1e15) return 0.5 * kTwoOverRootPi / x;
  if (x >= 0.5) {
    const dd value = erfcx_positive(x);
    return value.hi + value.lo;
  }
  if (x >= 0.0) return erfc_of(x, 0.0) * exp_of(two_product(x, x));  // the polynomial loses digits here
  if (x < -26.7) return kInfinity;
  const double size = -x;
  const dd e = two_product(x, x);
  const double twice_exp = 2.0 * exp_of(e);
  return twice_exp - erfcx_positive(size).hi;
}

ANYHIP_EXPORT double __anyhip_erfinv(double x) {
  using namespace anyhip;
  const double size = absolute(x);
  if (!(size <= 1.0)) return kNaN;
  return size == 1.0 ? with_sign(kInfinity, x) : inverse_erf_of(x);
}
ANYHIP_EXPORT double __anyhip_erfcinv(double x) {
  using namespace anyhip;
  if (!(x >= 0.0 && x <= 2.0)) return kNaN;
  if (x == 0.0 || x == 2.0) return x == 0.0 ? kInfinity : -kInfinity;
  return inverse_erfc_of(x);
}
ANYHIP_EXPORT double __anyhip_normcdf(double x) {
  if (anyhip::is_nan(x)) return x;
  return x > 9.0 ? 1.0 : x < -39.0 ? 0.0 : anyhip::normal_distribution(x);
}
ANYHIP_EXPORT double __anyhip_normcdfinv(double x) {
  using namespace anyhip;
  if (!(x >= 0.0 && x <= 1.0)) return kNaN;
  if (x == 0.0 || x == 1.0) return x == 0.0 ? -kInfinity : kInfinity;
  return -kRootTwo * inverse_erfc_of(2.0 * x);
}

#endif
