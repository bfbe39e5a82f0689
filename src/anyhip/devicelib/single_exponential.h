// The float exponentials and hyperbolic functions.
#ifndef ANYHIP_DEVICELIB_SINGLE_EXPONENTIAL_H
#define ANYHIP_DEVICELIB_SINGLE_EXPONENTIAL_H

#include "single.h"

namespace anyhip {

// x = k ln2 + r, |r| <= ln2/2.
struct reduced_exponent_float {
  float r, r_lo;
  int k;
};
ANYHIP_INLINE reduced_exponent_float reduce_exponent(float x, float x_lo) {  // |x| < 2^21
  const whole_number k = nearest_whole(x, kInvLn2F);
  const float high = fused(-k.value, kLn2F, x);  // exact
  const float low = fused(-k.value, kLn2TailF, x_lo);
  const ff r = quick_sum(high, low);
  return {r.hi, r.lo, k.bits};
}

// exp(r + r_lo) - 1 - r for |r| <= ln2/2.
ANYHIP_INLINE float exp_rest(float r, float r_lo) {
  return fused(r * r, horner(exp_tail, r), fused(r_lo, r, r_lo));
}
// exp(r + r_lo) to some 2^-29 of itself.
ANYHIP_INLINE ff exp_core(float r, float r_lo) {
  const ff one = quick_sum(1.0f, r);
  return quick_sum(one.hi, one.lo + exp_rest(r, r_lo));
}
// exp(x + x_lo) as a number near 1 and an exponent of 2, for |x| < 2^21.
struct scaled_float {
  ff value;
  int k;
};
ANYHIP_INLINE scaled_float exp_scaled(float x, float x_lo) {
  const reduced_exponent_float a = reduce_exponent(x, x_lo);
  return {exp_core(a.r, a.r_lo), a.k};
}

// Arguments beyond which exp is 0 or infinite; a NaN passes.
ANYHIP_INLINE float clamp_exponent(float x) { return at_least(at_most(x, 89.0f), -104.5f); }

ANYHIP_INLINE float exp_of(float x) {
  x = clamp_exponent(x);
  const whole_number k = nearest_whole(x, kInvLn2F);
  const float r = fused(-k.value, kLn2TailF, fused(-k.value, kLn2F, x));
  return scale_near_one(fused(fused(horner(exp_tail, r), r, 1.0f), r, 1.0f), k.bits);
}
// exp(x) for -87 < x < 88: the exponent fits one factor.
ANYHIP_INLINE float exp_bounded(float x) {
  const whole_number k = nearest_whole(x, kInvLn2F);
  const float r = fused(-k.value, kLn2TailF, fused(-k.value, kLn2F, x));
  return fused(fused(horner(exp_tail, r), r, 1.0f), r, 1.0f) * power_of_two_float(k.bits);
}
// exp(x + x_lo), rounded nearly correctly.
ANYHIP_INLINE float exp_of(ff x) {
  const float clamped = clamp_exponent(x.hi);
  const scaled_float e = exp_scaled(clamped, clamped == x.hi ? x.lo : 0.0f);
  return scale_near_one(e.value.hi, e.k);
}

// (exp(x) - 1)/2 = 2^(k-1) (exp r - 1) + (2^(k-1) - 1/2): the two large parts are summed exactly.
ANYHIP_INLINE ff half_expm1(float x) {  // -60 < x < 89.1
  const reduced_exponent_float a = reduce_exponent(x, 0.0f);
  const float power = power_of_two_float(a.k - 1);
  const ff one = two_sum(power, -0.5f), whole = quick_sum(one.hi, power * a.r);
  return {whole.hi, fused(power, exp_rest(a.r, a.r_lo), whole.lo + one.lo)};
}

constexpr float kHyperbolicLimit = 0x1.65a9f8p+6f;  // log(2 x the largest float)

}  // namespace anyhip

ANYHIP_EXPORT float __anyhip_expf(float x) { return anyhip::exp_of(x); }
ANYHIP_EXPORT float __anyhip_exp2f(float x) {
  using namespace anyhip;
  x = at_least(at_most(x, 129.0f), -151.0f);
  const whole_number k = nearest_whole(x, 1.0f);
  const ff r = multiply(ff{kLn2F, kLn2TailF}, x - k.value);
  return scale_near_one(exp_core(r.hi, r.lo).hi, k.bits);
}
ANYHIP_EXPORT float __anyhip_exp10f(float x) {
  using namespace anyhip;
  x = at_least(at_most(x, 39.0f), -46.0f);
  const whole_number k = nearest_whole(x, 0x1.a934f0p+1f);  // log2(10)
  const float high = fused(-k.value, kLog10Of2HiF, x);  // exact
  const ff rest = quick_sum(high, -k.value * kLog10Of2LoF);
  const ff r = multiply(rest, ff{kLn10F, kLn10TailF});
  return scale_near_one(exp_core(r.hi, r.lo).hi, k.bits);
}
ANYHIP_EXPORT float __anyhip_expm1f(float x) {
  using namespace anyhip;
  const ff e = half_expm1(at_least(at_most(x, 89.0f), -20.0f));
  return absolute(x) < 0x1p-25f ? x : (e.hi + e.lo) * 2.0f;
}

ANYHIP_EXPORT float __anyhip_sinhf(float x) {
  using namespace anyhip;
  const float size = absolute(x), z = x * x;
  const float near = fused(x * z, horner(sinh_tail, z), x);
  // half of exp(|x|), less the half of its reciprocal
  const scaled_float e = exp_scaled(at_most(size, 90.0f), 0.0f);
  const float down = power_of_two_float(-1 - e.k);
  const float small = reciprocal(e.value.hi) * (size > 20.0f ? 0.0f : down);
  const float power = power_of_two_float(e.k - 2);
  const ff sum = quick_sum(e.value.hi * power * 2.0f, -small);
  const float far = size > kHyperbolicLimit ? kInfinityF : sum.hi + fused(e.value.lo * 2.0f, power, sum.lo);
  return size < 1.0f ? near : with_sign(far, x);
}
ANYHIP_EXPORT float __anyhip_coshf(float x) {
  using namespace anyhip;
  const float size = absolute(x);
  const scaled_float e = exp_scaled(at_most(size, 90.0f), 0.0f);
  const float small = reciprocal(e.value.hi) * (size > 20.0f ? 0.0f : power_of_two_float(-1 - e.k));
  const float power = power_of_two_float(e.k - 2);
  const ff sum = quick_sum(e.value.hi * power * 2.0f, small);
  return size > kHyperbolicLimit ? kInfinityF : sum.hi + fused(e.value.lo * 2.0f, power, sum.lo);
}
ANYHIP_EXPORT float __anyhip_tanhf(float x) {
  using namespace anyhip;
  const float size = absolute(x), z = x * x;
  const float near = fused(x * z, horner(tanh_tail, z), x);
  const float e = exp_bounded(at_most(size, 10.0f) * 2.0f);
  const float far = fused(-2.0f, reciprocal(e + 1.0f), 1.0f);
  return with_sign(size < 0.55f ? near : far, x);
}

#endif
