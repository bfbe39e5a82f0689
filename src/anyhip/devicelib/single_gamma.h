// The float gamma function and the logarithm of its size.
#ifndef ANYHIP_DEVICELIB_SINGLE_GAMMA_H
#define ANYHIP_DEVICELIB_SINGLE_GAMMA_H

#include "single_logarithm.h"
#include "single_trigonometric.h"

namespace anyhip {

constexpr float kLogRootTwoPiF = 0x1.d67f1cp-1f, kLogPiF = 0x1.250d04p+0f;

ANYHIP_INLINE ff add(ff a, ff b) {
  const ff sum = two_sum(a.hi, b.hi);
  return quick_sum(sum.hi, sum.lo + (a.lo + b.lo));
}
// log gamma(x) for x >= 4, by Stirling's series.
ANYHIP_INLINE ff log_gamma_large(float x) {
  const float r = reciprocal(x);
  const float series = horner(stirling_float, r * r) * r;
  ff l = log_wide(x);
  l = quick_sum(l.hi, l.lo);
  const ff main = multiply(l, two_sum(x, -0.5f));
  return add(add(quick_sum(main.hi, main.lo), ff{-x, 0.0f}), quick_sum(kLogRootTwoPiF, series));
}
// x in [0, 4) as u in [0, 1) above a whole number, and what gamma(x) is times gamma(1 + u).
struct gamma_step {
  float u, factor, divisor;
};
ANYHIP_INLINE gamma_step step_gamma(float x) {
  const float whole = __builtin_floorf(x), u = x - whole;
  const float factor = x >= 3.0f ? (x - 1.0f) * (x - 2.0f) : x >= 2.0f ? x - 1.0f : 1.0f;
  return {u, factor, x < 1.0f ? x : 1.0f};
}
ANYHIP_INLINE float gamma_small(float x) {  // 2^-60 < x < 4
  const gamma_step s = step_gamma(x);
  const ff inverse = multiply(series(gamma_float_first, gamma_float, s.u - 0.5f), s.divisor);
  const ff result = divide(ff{s.factor, 0.0f}, inverse);
  return result.hi + result.lo;
}
// log gamma(x), 0 < x < 4, with its zeros at 1 and 2 as factors.
ANYHIP_INLINE float log_gamma_small(float x) {
  const float v = x >= 3.0f ? x - 3.0f : x >= 2.0f ? x - 2.0f : x >= 1.0f ? x - 1.0f : x;
  const bool third = x >= 2.0f && x < 2.5f;  // from above: log gamma(1 + v) + log(1 + v) is small here
  const ff over = series(lgamma_float_first, lgamma_float, v - 0.5f);
  const float core = v * (v - 1.0f) * (over.hi + over.lo);
  // gamma(x) is gamma(1 + v) times this
  const float product = x < 1.0f ? x : x < 2.0f ? 1.0f : x < 3.0f ? x - 1.0f : (x - 1.0f) * (x - 2.0f);
  const float log_product = third ? log1p_of(v, 0.0f, 0.0f) : log_plain(product);
  return x < 1.0f ? core - log_product : core + log_product;
}
ANYHIP_INLINE float log_gamma_positive(float x) {
  const float small = log_gamma_small(at_most(x, 4.0f));
  const float bounded = at_least(x, 4.0f);
  const ff large = log_gamma_large(at_most(bounded, 0x1p30f));
  const float huge = x * (log_wide(bounded).hi - 1.0f);
  return x < 4.0f ? small : x < 0x1p30f ? large.hi + large.lo : x > 0x1.fp122f ? kInfinityF : huge;
}

}  // namespace anyhip

ANYHIP_EXPORT float __anyhip_tgammaf(float x) {
  using namespace anyhip;
  const float size = absolute(x);
  const ff log_size = log_gamma_large(at_least(at_most(size, 50.0f), 4.0f));
  const float near = gamma_small(at_least(at_most(size, 3.9999998f), 0x1p-40f));
  const float sine = sine_of_turns(x, reduce_turns(x));
  float result;
  if (x > 0.0f) {
    result = size < 4.0f ? near : size > 36.0f ? kInfinityF : exp_of(log_size);
  } else {  // gamma(x) = -pi/(x sin(pi x) gamma(-x))
    const scaled_float e = exp_scaled(-log_size.hi, -log_size.lo);
    const float below = size * sine;
    const float small = quotient_of(kPiF, below * near);
    const float large = scale_near_one(e.value.hi * quotient_of(kPiF, below), e.k);
    result = size < 4.0f ? small : size > 46.0f ? with_sign(0.0f, sine) : large;
  }
  const bool whole = is_whole(x) && x < 0.0f;
  result = size < 0x1p-30f ? 1.0f / x : result;
  return whole ? kNaNF : x == kInfinityF || is_nan(x) ? x : result;
}
ANYHIP_EXPORT float __anyhip_lgammaf(float x) {
  using namespace anyhip;
  const float size = absolute(x);
  float result = log_gamma_positive(size);
  if (x < 0.0f) {
    const float sine = absolute(sine_of_turns(x, reduce_turns(x)));
    const ff product = two_product(size, sine);
    ff reflected = log_wide(product.hi);
    result = (kLogPiF - reflected.hi) - (reflected.lo + product.lo / product.hi) - result;
    result = size < 0x1p-30f ? -log_wide(size).hi : is_whole(x) ? kInfinityF : result;
  }
  return is_nan(x) ? x : size == kInfinityF || x == 0.0f ? kInfinityF : result;
}

#endif
