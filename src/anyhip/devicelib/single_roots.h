// The float roots and lengths.
#ifndef ANYHIP_DEVICELIB_SINGLE_ROOTS_H
#define ANYHIP_DEVICELIB_SINGLE_ROOTS_H

#include "single.h"

namespace anyhip {

// x^(-1/3) of a positive x between 2^-102 and 2^102: a guess from the bits and two steps of third order, 2^-23.
ANYHIP_INLINE float inverse_cube_root(float x) {
  float r = bits_as<float>(0x54a2fa8cu - bits_as<u32>(x) / 3);
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const float e = fused(-x * r, r * r, 1.0f);
    r = fused(r * e, fused(e, 0x1.c71c72p-3f, 0x1.555556p-2f), r);  // 2/9, 1/3
  }
  return r;
}
// A power of eight that brings x to where nothing under- or overflows.
struct cube_scale {
  float up, root_up, root_down;
};
ANYHIP_INLINE cube_scale scale_for_cube_root(float size) {
  const bool small = size < 0x1p-100f, large = size > 0x1p100f;
  const float root_up = small ? 0x1p20f : large ? 0x1p-20f : 1.0f;
  return {small ? 0x1p60f : large ? 0x1p-60f : 1.0f, root_up, small ? 0x1p-20f : large ? 0x1p20f : 1.0f};
}

// Powers of two for a largest component: its square and that of what counts beside it stay normal.
struct length_scale {
  float up, down;
};
ANYHIP_INLINE length_scale scale_for_length(float largest) {
  const bool large = largest > 0x1p60f, small = largest < 0x1p-40f;
  return {large ? 0x1p-80f : small ? 0x1p100f : 1.0f, large ? 0x1p80f : small ? 0x1p-100f : 1.0f};
}
ANYHIP_INLINE ff add_square(ff sum, float x) {
  const ff square = two_product(x, x);
  const ff total = two_sum(sum.hi, square.hi);
  return quick_sum(total.hi, total.lo + (sum.lo + square.lo));
}
ANYHIP_INLINE float larger(float a, float b) { return b > a ? b : a; }
ANYHIP_INLINE bool is_endless(float x) { return absolute(x) == kInfinityF; }

template <bool inverse> ANYHIP_INLINE float finish_length(ff sum, length_scale scale) {
  const ff root = square_root(sum);
  if (!inverse) return (root.hi + root.lo) * scale.down;
  const ff quotient = divide(ff{1.0f, 0.0f}, root);
  return (quotient.hi + quotient.lo) * scale.up;
}
template <bool inverse> ANYHIP_INLINE float length_of(float x, float y, float z, float w) {
  const float largest = larger(larger(absolute(x), absolute(y)), larger(absolute(z), absolute(w)));
  const bool endless = is_endless(x) || is_endless(y) || is_endless(z) || is_endless(w);
  const bool nan = is_nan(x) || is_nan(y) || is_nan(z) || is_nan(w);
  const length_scale scale = scale_for_length(largest);
  ff sum = two_product(x * scale.up, x * scale.up);
  sum = add_square(sum, y * scale.up);
  if (!__builtin_constant_p(z) || z != 0.0f) sum = add_square(sum, z * scale.up);
  if (!__builtin_constant_p(w) || w != 0.0f) sum = add_square(sum, w * scale.up);
  const float result = finish_length<inverse>(sum, scale);
  const float limit = inverse ? 0.0f : kInfinityF, at_zero = inverse ? kInfinityF : 0.0f;
  return endless ? limit : nan ? kNaNF : largest == 0.0f ? at_zero : result;
}
template <bool inverse> ANYHIP_INLINE float length_of_many(int count, const float* values) {
  float largest = 0.0f;
  bool endless = false, nan = false;
  for (int i = 0; i < count; ++i) {
    endless |= is_endless(values[i]);
    nan |= is_nan(values[i]);
    largest = larger(largest, absolute(values[i]));
  }
  if (endless) return inverse ? 0.0f : kInfinityF;
  if (nan) return kNaNF;
  if (largest == 0.0f) return inverse ? kInfinityF : 0.0f;
  // Room for 2^31 components beside the largest
  const length_scale scale = largest > 0x1p40f ? length_scale{0x1p-100f, 0x1p100f} : scale_for_length(largest);
  ff sum = {0.0f, 0.0f};
  for (int i = 0; i < count; ++i) sum = add_square(sum, values[i] * scale.up);
  return finish_length<inverse>(sum, scale);
}

}  // namespace anyhip

ANYHIP_EXPORT float __anyhip_cbrtf(float x) {
  using namespace anyhip;
  const float size = absolute(x);
  const cube_scale scale = scale_for_cube_root(size);
  const float y = size * scale.up;
  const float r = inverse_cube_root(y), square = r * r;
  const float root = y * square;
  const ff squared = two_product(root, root);
  const float rest = fused(-squared.hi, root, y) - squared.lo * root;
  const float result = fused(rest, square * 0x1.555556p-2f, root) * scale.root_down;
  return size > 0.0f && size < kInfinityF ? with_sign(result, x) : x;
}
ANYHIP_EXPORT float __anyhip_rcbrtf(float x) {
  using namespace anyhip;
  const float size = absolute(x);
  const cube_scale scale = scale_for_cube_root(size);
  const float y = size * scale.up;
  const float r = inverse_cube_root(y);
  const ff cube = multiply(two_product(r, r), r);
  const float e = fused(-y, cube.lo, fused(-y, cube.hi, 1.0f));
  const float result = fused(r * e, 0x1.555556p-2f, r) * scale.root_up;
  const float special = size == 0.0f ? kInfinityF : size == kInfinityF ? 0.0f : x;
  return with_sign(size > 0.0f && size < kInfinityF ? result : special, x);
}

// The reciprocal root: an estimate within 2 ulp, refined by one step with the residual in two parts.
ANYHIP_EXPORT float __anyhip_rsqrtf(float x) {
  using namespace anyhip;
  const bool tiny = x < 0x1p-100f, large = x > 0x1p100f;
  const float y = x * (tiny ? 0x1p40f : large ? 0x1p-40f : 1.0f), unit = tiny ? 0x1p20f : large ? 0x1p-20f : 1.0f;
#if defined(__AMDGCN__)
  return __builtin_amdgcn_rsqf(y) * unit;  // within 1 ulp, but takes subnormal numbers for zero
#else
#  if defined(__NVPTX__)
  const float r = __nvvm_rsqrt_approx_ftz_f(y);
#  else
  const float r = 1.0f / __builtin_sqrtf(y);
#  endif
  const ff square = two_product(r, r);
  const float residual = fused(-y, square.lo, fused(-y, square.hi, 1.0f));
  const float root = y > 0.0f && y < kInfinityF ? fused(r * 0.5f, residual, r) : r;
  return root * unit;
#endif
}

#define ANYHIP_LENGTHS(plain, inverse, parameters, arguments)                                                   \
  ANYHIP_EXPORT float __anyhip_##plain##f parameters { return anyhip::length_of<false> arguments; }             \
  ANYHIP_EXPORT float __anyhip_##inverse##f parameters { return anyhip::length_of<true> arguments; }
ANYHIP_LENGTHS(hypot, rhypot, (float x, float y), (x, y, 0.0f, 0.0f))
ANYHIP_LENGTHS(norm3d, rnorm3d, (float x, float y, float z), (x, y, z, 0.0f))
ANYHIP_LENGTHS(norm4d, rnorm4d, (float x, float y, float z, float w), (x, y, z, w))
#undef ANYHIP_LENGTHS
ANYHIP_EXPORT_OUT float __anyhip_normf(int n, const float* v) { return anyhip::length_of_many<false>(n, v); }
ANYHIP_EXPORT_OUT float __anyhip_rnormf(int n, const float* v) { return anyhip::length_of_many<true>(n, v); }

#endif
