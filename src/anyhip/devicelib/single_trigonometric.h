// The float sine, cosine and tangent, and their -pi forms. Arguments are reduced to |r| <= pi/4 in two parts: by three
// floats of pi/2 below 2^17, by 96 bits of 2/pi (Payne and Hanek) beyond.
#ifndef ANYHIP_DEVICELIB_SINGLE_TRIGONOMETRIC_H
#define ANYHIP_DEVICELIB_SINGLE_TRIGONOMETRIC_H

#include "single.h"
#include "trigonometric.h"

namespace anyhip {

constexpr float kTwoOverPiF = 0x1.45f306p-1f, kPiF = 0x1.921fb6p+1f, kPiTailF = -0x1.777a5cp-24f;
constexpr float kHalfPi1F = 0x1.921fb6p+0f, kHalfPi2F = -0x1.777a5cp-25f, kHalfPi3F = -0x1.ee59dap-50f;

struct reduced_angle_float {
  float r, r_lo;
  int quadrant;  // only its low bits count
};
// 24 bits times 96 leave 62 of fraction, and no float comes nearer than 2^-31 to a multiple.
ANYHIP_HELPER reduced_angle_float reduce_large_float(float x) {
  const u32 bits = bits_as<u32>(x) & 0x7fffffff;
  const u64 mantissa = (bits & 0x007fffff) | 0x00800000;
  const int position = (int)(bits >> 23) - 150 - 2 + 64;
  const u64 turns = mantissa * window(position) + ((mantissa * (window(position + 64) >> 32)) >> 32);
  const int quadrant = (int)((turns + (1ull << 61)) >> 62);
  const double r = (double)(long long)(turns << 2) * (kHalfPi1 * 0x1p-64);
  const float high = (float)r, low = (float)(r - high);
  return x < 0.0f ? reduced_angle_float{-high, -low, -quadrant} : reduced_angle_float{high, low, quadrant};
}
ANYHIP_INLINE reduced_angle_float reduce_angle(float x) {  // finite
  if (__builtin_expect(absolute(x) > 0x1p17f, false)) return reduce_large_float(x);
  const whole_number n = nearest_whole(x, kTwoOverPiF);
  const float first = fused(-n.value, kHalfPi1F, x);  // exact
  const ff product = two_product(-n.value, kHalfPi2F);
  const ff sum = two_sum(first, product.hi);
  const ff r = quick_sum(sum.hi, fused(-n.value, kHalfPi3F, sum.lo + product.lo));
  return {r.hi, r.lo, n.bits};
}
// x = n/2 + f exactly, then pi f in two parts.
ANYHIP_INLINE reduced_angle_float reduce_turns(float x) {  // finite
  const float f = fused(-2.0f, __builtin_rintf(0.5f * x), x);  // modulo 2
  const whole_number n = nearest_whole(f, 2.0f);
  const ff r = multiply(ff{kPiF, kPiTailF}, fused(-0.5f, n.value, f));
  return {r.hi, r.lo, n.bits};
}

ANYHIP_INLINE float sine_of(reduced_angle_float a) {
  const float z = a.r * a.r;
  return a.r + fused(z * a.r, horner(sin_tail, z), fused(-0.5f * z, a.r_lo, a.r_lo));
}
ANYHIP_INLINE float cosine_of(reduced_angle_float a) {
  const float z = a.r * a.r, half = 0.5f * z, whole = 1.0f - half;
  const float z_lo = fused(a.r, a.r, -z);
  const float rest = ((1.0f - whole) - half) - fused(a.r, a.r_lo, 0.5f * z_lo);
  return whole + fused(z * z, horner(cos_tail, z), rest);
}
// Turns by quarter: (sin, cos) -> (cos, -sin).
ANYHIP_INLINE float sine_at(float sine, float cosine, int quadrant) {
  const float value = quadrant & 1 ? cosine : sine;
  return bits_as<float>(bits_as<u32>(value) ^ ((u32)(quadrant & 2) << 30));
}
ANYHIP_INLINE float tangent_of(reduced_angle_float a) {
  const float z = a.r * a.r;
  const float cube = z * a.r;
  const float cube_lo = fused(a.r, fused(a.r, a.r, -z), fused(z, a.r, -cube));
  const float series = horner(tan_tail, z);
  const float rest = fused(cube, series, fused(cube_lo, series, fused(z, a.r_lo, a.r_lo)));
  const ff t = quick_sum(a.r, rest);
  const ff inverse = divide(ff{-1.0f, 0.0f}, t);
  return a.quadrant & 1 ? inverse.hi + inverse.lo : t.hi;
}
ANYHIP_INLINE bool is_finite(float x) { return absolute(x) < __builtin_inff(); }

}  // namespace anyhip

ANYHIP_EXPORT float __anyhip_sinf(float x) {
  using namespace anyhip;
  const reduced_angle_float a = reduce_angle(x);
  const float result = sine_at(sine_of(a), cosine_of(a), a.quadrant);
  return is_finite(x) ? (x == 0.0f ? x : result) : kNaNF;
}
ANYHIP_EXPORT float __anyhip_cosf(float x) {
  using namespace anyhip;
  const reduced_angle_float a = reduce_angle(x);
  const float result = sine_at(sine_of(a), cosine_of(a), a.quadrant + 1);
  return is_finite(x) ? result : kNaNF;
}
ANYHIP_EXPORT_OUT void __anyhip_sincosf(float x, float* sine, float* cosine) {
  using namespace anyhip;
  const reduced_angle_float a = reduce_angle(x);
  const float s = sine_of(a), c = cosine_of(a);
  *sine = is_finite(x) ? (x == 0.0f ? x : sine_at(s, c, a.quadrant)) : kNaNF;
  *cosine = is_finite(x) ? sine_at(s, c, a.quadrant + 1) : kNaNF;
}
ANYHIP_EXPORT float __anyhip_tanf(float x) {
  using namespace anyhip;
  const float result = tangent_of(reduce_angle(x));
  return is_finite(x) ? (x == 0.0f ? x : result) : kNaNF;
}

namespace anyhip {
// Whole numbers give a zero of x's sign, halves a positive zero for the cosine.
ANYHIP_INLINE float sine_of_turns(float x, reduced_angle_float a) {
  const float result = sine_at(sine_of(a), cosine_of(a), a.quadrant);
  return is_finite(x) ? (__builtin_truncf(x) == x ? with_sign(0.0f, x) : result) : kNaNF;
}
ANYHIP_INLINE float cosine_of_turns(float x, reduced_angle_float a) {
  const float result = sine_at(sine_of(a), cosine_of(a), a.quadrant + 1);
  return is_finite(x) ? (result == 0.0f ? 0.0f : result) : kNaNF;
}
}  // namespace anyhip

ANYHIP_EXPORT float __anyhip_sinpif(float x) { return anyhip::sine_of_turns(x, anyhip::reduce_turns(x)); }
ANYHIP_EXPORT float __anyhip_cospif(float x) { return anyhip::cosine_of_turns(x, anyhip::reduce_turns(x)); }
ANYHIP_EXPORT_OUT void __anyhip_sincospif(float x, float* sine, float* cosine) {
  using namespace anyhip;
  const reduced_angle_float a = reduce_turns(x);
  *sine = sine_of_turns(x, a);
  *cosine = cosine_of_turns(x, a);
}

#endif
