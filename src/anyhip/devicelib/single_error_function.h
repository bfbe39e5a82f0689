// The float error function's family.
#ifndef ANYHIP_DEVICELIB_SINGLE_ERROR_FUNCTION_H
#define ANYHIP_DEVICELIB_SINGLE_ERROR_FUNCTION_H

#include "single_logarithm.h"

namespace anyhip {

constexpr float kTwoOverRootPiF = 0x1.20dd76p+0f;
constexpr float kRootHalfF = 0x1.6a09e6p-1f, kRootHalfTailF = 0x1.9fcef4p-27f, kRootTwoF = 0x1.6a09e6p+0f;

// exp(x^2) erfc(x) for 0 <= x < 2^60: a polynomial in t = (x - 4)/(x + 4) over 1 + 2x.
ANYHIP_INLINE ff erfcx_positive(float x) {
  // t from 2x/(x + 4), which is exact where x is small and the polynomial steep; what t lacks enters by the slope.
  const float u = x * reciprocal(x + 4.0f);
  const float t = fused(2.0f, u, -1.0f), t_lo = fused(2.0f, u, -1.0f - t);
  ff whole = series(erfcx_whole_first, erfcx_whole, t);
  whole.lo = fused(t_lo, fused(2.0f * erfcx_whole[1], t, erfcx_whole[0]), whole.lo);
  return divide(whole, quick_sum(fused(2.0f, x, 1.0f), 0.0f));
}
// erfc(x + x_lo), 0 <= x.
ANYHIP_INLINE float erfc_positive(float x, float x_lo) {
  x = at_most(x, 11.0f);
  const ff square = two_product(x, x);
  const scaled_float e = exp_scaled(-square.hi, fused(-2.0f * x, x_lo, -square.lo));
  const ff value = multiply(e.value, erfcx_positive(x));
  return scale_near_one(value.hi + value.lo, e.k);
}
ANYHIP_INLINE float erf_centre_of(float x) { return fused(x, horner(erf_centre, x * x), x); }
ANYHIP_INLINE float erfc_of(float x, float x_lo) {
  const float tail = erfc_positive(absolute(x), with_sign(1.0f, x) * x_lo);
  const float near = 1.0f - fused(x, horner(erf_centre, x * x), x + x_lo);
  return absolute(x) < 0.5f ? near : x < 0.0f ? 2.0f - tail : tail;
}

// erfinv(x) from w = -log(1 - x^2), for w < 17.7: the argument x itself is a factor.
ANYHIP_INLINE float inverse_erf_by_log(float x, float w) {
  const ff near = series(inverse_erf_near_first, inverse_erf_near, w - 3.0f);
  const ff far = series(inverse_erf_far_first, inverse_erf_far, estimated_root(w) - 3.0f);
  const float high = w < 6.0f ? near.hi : far.hi, low = w < 6.0f ? near.lo : far.lo;
  return fused(x, high, x * low);
}
ANYHIP_INLINE float inverse_erfc_of(float c) {  // 0 < c < 2
  const float x = 1.0f - c, other = 2.0f - c;
  // log(c) + log(2 - c): the product would lose the smaller factor's place below 2^-126 only
  const float w = -log_plain(c * other);
  const float near = inverse_erf_by_log(x, at_most(w, 17.0f));
  const ff far = series(inverse_erfc_far_first, inverse_erfc_far, estimated_root(at_least(w, 16.0f)) - 7.0f);
  return w < 16.0f ? near : far.hi + far.lo;
}

}  // namespace anyhip

ANYHIP_EXPORT float __anyhip_erff(float x) {
  using namespace anyhip;
  const float size = at_most(absolute(x), 4.0f);
  const float far = 1.0f - exp_bounded(-size * horner(erf_tail, size));
  const float near = erf_centre_of(x);
  return absolute(x) < 0.925f ? near : with_sign(far, x);
}
ANYHIP_EXPORT float __anyhip_erfcf(float x) { return anyhip::erfc_of(x, 0.0f); }
ANYHIP_EXPORT float __anyhip_erfcxf(float x) {
  using namespace anyhip;
  const float size = absolute(x);
  const ff value = erfcx_positive(at_most(size, 0x1p50f));
  const float far = size > 0x1p50f ? 0.5f * kTwoOverRootPiF / size : value.hi + value.lo;
  const float bounded = at_most(size, 9.5f);
  const ff square = two_product(bounded, bounded);
  const scaled_float e = exp_scaled(square.hi, square.lo);
  const float left = 2.0f * scale_near_one(e.value.hi, e.k) - value.hi;
  return x >= 0.0f || is_nan(x) ? far : x < -9.4f ? kInfinityF : left;
}
ANYHIP_EXPORT float __anyhip_erfinvf(float x) {
  using namespace anyhip;
  const float size = absolute(x);
  const float w = -log_plain(fused(-x, x, 1.0f));
  const float result = inverse_erf_by_log(x, w);
  return size < 1.0f ? result : size == 1.0f ? with_sign(kInfinityF, x) : kNaNF;
}
ANYHIP_EXPORT float __anyhip_erfcinvf(float x) {
  using namespace anyhip;
  const float result = inverse_erfc_of(x);
  const float special = x == 0.0f ? kInfinityF : x == 2.0f ? -kInfinityF : kNaNF;
  return x > 0.0f && x < 2.0f ? result : special;
}
ANYHIP_EXPORT float __anyhip_normcdff(float x) {
  using namespace anyhip;
  const float bounded = at_least(at_most(x, 15.0f), -15.0f);
  const ff argument = multiply(ff{-kRootHalfF, -kRootHalfTailF}, bounded);
  return 0.5f * erfc_of(argument.hi, argument.lo);
}
ANYHIP_EXPORT float __anyhip_normcdfinvf(float x) { return -anyhip::kRootTwoF * __anyhip_erfcinvf(2.0f * x); }

#endif
