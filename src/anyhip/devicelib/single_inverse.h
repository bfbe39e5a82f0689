// The float inverse trigonometric and inverse hyperbolic functions.
#ifndef ANYHIP_DEVICELIB_SINGLE_INVERSE_H
#define ANYHIP_DEVICELIB_SINGLE_INVERSE_H

#include "single_logarithm.h"
#include "single_trigonometric.h"

namespace anyhip {

constexpr ff kHalfPiParts = {kHalfPi1F, kHalfPi2F};

// The angle whose sine is |x|, or that whose sine is sqrt((1 - |x|)/2) where |x| > 1/2.
ANYHIP_INLINE ff asin_part(float size, bool far) {
  const float half = fused(-0.5f, size, 0.5f);  // exact where it is used
  const float z = far ? half : size * size;
  const float root = estimated_root(half);
  const float missing = fused(-root, root, half) * reciprocal(at_least(root + root, 0x1p-40f));
  const float s = far ? root : size;
  return {s, fused(s * z, horner(asin_tail, z), far ? missing : 0.0f)};
}
ANYHIP_INLINE float near_angle(ff base, float sign, ff part) {
  const ff sum = quick_sum(base.hi, sign * part.hi);
  return sum.hi + fused(sign, part.lo, sum.lo + base.lo);
}

// small/large for 0 <= small <= large, without overflow or loss below the normal range: the quotient times `lift`.
struct lifted_quotient {
  ff value;
  bool tiny;  // below 2^-50, lifted by 2^100
};
ANYHIP_INLINE lifted_quotient quotient_in_range(float small, float large) {
  const float factor = large > 0x1p60f ? 0x1p-80f : large < 0x1p-40f ? 0x1p100f : 1.0f;
  const bool tiny = small < large * 0x1p-50f;
  const float numerator = small * factor * (tiny ? 0x1p50f : 1.0f) * (tiny ? 0x1p50f : 1.0f);
  const ff q = divide(numerator, large * factor);
  return {q, tiny};
}
// The angle past `base` (or short of it, sign -1) of a slope q.
ANYHIP_INLINE float angle_from(ff base, float sign, ff q, bool tiny) {
  const float z = tiny ? 0.0f : q.hi * q.hi;
  const float rest = fused(q.hi * z, horner(atan_tail, z), fused(-0.5f * z, q.lo, q.lo));  // 1/(1 + z), nearly
  const float unit = tiny ? 0x1p-100f : 1.0f;
  return near_angle(base, sign, {q.hi * unit, rest * unit});
}

ANYHIP_INLINE float angle_of(float y, float x) {
  float height = absolute(y), width = absolute(x);
  const bool endless = height == kInfinityF || width == kInfinityF;
  height = endless ? (height == kInfinityF ? 1.0f : 0.0f) : height;
  width = endless ? (width == kInfinityF ? 1.0f : 0.0f) : width;
  const bool steep = height > width, left = bits_as<int>(x) < 0;
  const float large = steep ? height : width, small = steep ? width : height;
  const lifted_quotient q = quotient_in_range(small, large == 0.0f ? 1.0f : large);
  const float turns = steep ? 1.0f : left ? 2.0f : 0.0f;
  const float sign = steep != left ? -1.0f : 1.0f;
  const float angle = angle_from({turns * kHalfPi1F, turns * kHalfPi2F}, sign, q.value, q.tiny);
  return x != x || y != y ? kNaNF : with_sign(angle, y);
}

}  // namespace anyhip

ANYHIP_EXPORT float __anyhip_asinf(float x) {
  using namespace anyhip;
  const float size = absolute(x);
  const bool far = size > 0.5f;
  const ff part = asin_part(size, far);
  const float result = far ? near_angle(kHalfPiParts, -2.0f, part) : part.hi + part.lo;
  return size <= 1.0f ? with_sign(result, x) : kNaNF;
}
ANYHIP_EXPORT float __anyhip_acosf(float x) {
  using namespace anyhip;
  const float size = absolute(x);
  const bool far = size > 0.5f, left = x < 0.0f;
  const float turns = far ? (left ? 2.0f : 0.0f) : 1.0f;
  const float sign = (far ? 2.0f : 1.0f) * (far == left ? -1.0f : 1.0f);
  const float outer = near_angle({turns * kHalfPi1F, turns * kHalfPi2F}, sign, asin_part(size, far));
  return size <= 1.0f ? outer : kNaNF;
}
ANYHIP_EXPORT float __anyhip_atan2f(float y, float x) { return anyhip::angle_of(y, x); }
ANYHIP_EXPORT float __anyhip_atanf(float x) {
  using namespace anyhip;
  const float size = absolute(x);
  const bool steep = size > 1.0f;
  const ff inverse = divide(1.0f, at_least(at_most(size, 0x1p60f), 1.0f));
  const ff base = {steep ? kHalfPi1F : 0.0f, steep ? kHalfPi2F : 0.0f};
  const float angle = angle_from(base, steep ? -1.0f : 1.0f, {steep ? inverse.hi : size, steep ? inverse.lo : 0.0f}, false);
  return is_nan(x) ? x : with_sign(angle, x);
}

ANYHIP_EXPORT float __anyhip_asinhf(float x) {
  using namespace anyhip;
  const float size = absolute(x), z = x * x;
  const float near = fused(x * z, horner(asinh_tail, z), x);
  // log(1 + t) at t = |x| + (sqrt(x^2 + 1) - 1), or of 2|x|
  const bool huge = size > 0x1p40f;
  const float bounded = at_most(size, 0x1p40f);
  const ff square = two_product(bounded, bounded);
  const ff sum = two_sum(square.hi, 1.0f);
  const ff root = square_root(ff{sum.hi, sum.lo + square.lo});
  const ff less = two_sum(root.hi, -1.0f);
  const ff t = two_sum(bounded, less.hi);
  const float far = log1p_of(huge ? size : t.hi, huge ? 0.0f : t.lo + (less.lo + root.lo), huge ? 1.0f : 0.0f);
  return with_sign(size < 0.5f ? near : size < kInfinityF ? far : size, x);
}
ANYHIP_EXPORT float __anyhip_acoshf(float x) {
  using namespace anyhip;
  const bool huge = x > 0x1p40f;
  const float bounded = at_most(x, 0x1p40f);
  // log(1 + t) at t = (x - 1) + sqrt((x - 1)(x + 1)), or of 2x
  const ff less = two_sum(bounded, -1.0f), more = two_sum(bounded, 1.0f);
  const ff square = multiply(less, more);
  const ff root = square_root(ff{at_least(square.hi, 0x1p-60f), square.lo});
  const ff t = two_sum(less.hi, root.hi);
  const float far = log1p_of(huge ? x : t.hi, huge ? 0.0f : t.lo + (less.lo + root.lo), huge ? 1.0f : 0.0f);
  return x > 1.0f && x < kInfinityF ? far : x == 1.0f ? 0.0f : x > 1.0f ? x : kNaNF;
}
ANYHIP_EXPORT float __anyhip_atanhf(float x) {
  using namespace anyhip;
  const float size = absolute(x), z = x * x;
  const float near = fused(x * z, horner(atanh_tail, z), x);
  const float bounded = at_least(at_most(size, 0x1.fffffep-1f), 0.5f);
  const ff t = divide(bounded + bounded, 1.0f - bounded);
  const float far = 0.5f * log1p_of(t.hi, t.lo, 0.0f);
  const float beyond = size == 1.0f ? kInfinityF : kNaNF;
  return size < 0.5f ? near : with_sign(size < 1.0f ? far : beyond, x);
}

#endif
