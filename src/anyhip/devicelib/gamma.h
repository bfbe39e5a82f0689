// The gamma function and the logarithm of its size.
#ifndef ANYHIP_DEVICELIB_GAMMA_H
#define ANYHIP_DEVICELIB_GAMMA_H

#include "exponential.h"
#include "trigonometric.h"

namespace anyhip {

constexpr double kLogRootTwoPi = 0x1.d67f1c864beb5p-1, kLogRootTwoPiLo = -0x1.65b5a1b7ff5dfp-55;

// log gamma(x) by Stirling's series, x >= 8.
ANYHIP_INLINE dd log_gamma_large(double x) {
  const dd main = multiply(log_of(x), x - 0.5);
  const double series = horner(stirling64, 1.0 / (x * x)) / x;
  return add(add(add(main, -x), dd{kLogRootTwoPi, kLogRootTwoPiLo}), series);
}

// gamma(x) for x >= 8 (infinite past 171.63).
ANYHIP_INLINE double gamma_large(double x) {
  if (x > 171.7) return kInfinity;
  return exp_clamped(log_gamma_large(x));
}
// gamma(x) for 0 < x < 8: down to [1, 2) by gamma(x) = (x - 1) gamma(x - 1), or up by one.
ANYHIP_INLINE dd gamma_small(double x) {
  dd product = {1.0, 0.0};
  double low = x;
  for (; low >= 2.0; low -= 1.0) product = multiply(product, low - 1.0);
  dd result = divide(product, {1.0, 0.0});
  if (low < 1.0) {
    result = divide(result, {low, 0.0});
    return divide(result, {horner(gamma64, low - 0.5), 0.0});
  }
  return divide(result, {horner(gamma64, low - 1.5), 0.0});
}

// log gamma(x) for 0 < x < 8.
ANYHIP_INLINE double log_gamma_small(double x) {
  if (x < 0.5) {  // gamma(x) = gamma(1 + x)/x
    const double rest = x * (x - 1.0) * horner(lgamma64, x - 0.5);
    return add(negate(log_of(x)), rest).hi;
  }
  if (x < 1.0) {  // u = x - 1 in [-1/2, 0): one step up to [1, 2), u' = x
    const dd l = log_of(x);
    return add(negate(l), x * (x - 1.0) * horner(lgamma64, x - 0.5)).hi;
  }
  double product = 1.0, low = x;
  for (; low >= 2.5; low -= 1.0) product *= low - 1.0;
  const bool upper = low >= 2.0;  // [2, 2.5) is (x - 1) gamma(x - 1) with x - 1 in [1, 1.5)
  const double u = upper ? low - 2.0 : low - 1.0;
  const double core = u * (u - 1.0) * horner(lgamma64, u - 0.5);
  double result = core;
  if (upper) result += __anyhip_log1p(u);
  if (product == 1.0) return result + 0.0;  // lgamma(1) is +0
  return add(log_of(product), result).hi;
}
ANYHIP_INLINE double log_gamma_positive(double x) {
  if (x < 8.0) return log_gamma_small(x);
  if (x > 2.55e305) return kInfinity;
  if (x > 0x1p60) return x * (log_of(x).hi - 1.0);
  return log_gamma_large(x).hi;
}

}  // namespace anyhip

ANYHIP_EXPORT double __anyhip_tgamma(double x) {
  using namespace anyhip;
  if (is_nan(x) || x == kInfinity) return x;
  if (x == 0.0) return with_sign(kInfinity, x);
  if (x >= 8.0) return gamma_large(x);
  if (x > 0.0) {
    if (x < 0x1p-60) return 1.0 / x;
    return gamma_small(x).hi;
  }
  if (is_whole(x)) return kNaN;
  if (x > -0x1p-60) return 1.0 / x;
  // gamma(x) = -pi/(x sin(pi x) gamma(-x)); past the range of gamma(-x) in logarithms.
  const double sine = __anyhip_sinpi(x), size = -x;
  if (size < 8.0) {
    const dd below = multiply(multiply(gamma_small(size), sine), size);
    return divide({kPiHi, kPiLo}, below).hi;
  }
  if (size > 190.0) return with_sign(0.0, sine);
  const dd log_size = add(add(log_gamma_large(size), log_of(absolute(sine) * size)), negate(log_of(kPiHi)));
  return with_sign(exp_clamped(negate(log_size)), sine);
}
ANYHIP_EXPORT double __anyhip_lgamma(double x) {
  using namespace anyhip;
  if (is_nan(x)) return x;
  if (is_inf(x)) return kInfinity;
  if (x > 0.0) return log_gamma_positive(x);
  if (is_whole(x)) return kInfinity;
  const double size = -x;
  if (size < 0x1p-60) return -log_of(size).hi;
  const double sine = absolute(__anyhip_sinpi(x));
  const double reflected = log_of(divide({kPiHi, kPiLo}, two_product(size, sine))).hi;
  return reflected - log_gamma_positive(size);
}

#endif
