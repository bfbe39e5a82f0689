// sin, cos, tan and their -pi forms. Arguments are reduced to |r| <= pi/4 with about 2^-70 of relative error:
// by three parts of pi/2 while the multiple is below 2^20, by 2/pi to 1,200 bits (Payne and Hanek) beyond.
#ifndef ANYHIP_DEVICELIB_TRIGONOMETRIC_H
#define ANYHIP_DEVICELIB_TRIGONOMETRIC_H

#include "common.h"

namespace anyhip {

constexpr double kHalfPi1 = 0x1.921fb54442d18p+0, kHalfPi2 = 0x1.1a62633145c07p-54, kHalfPi3 = -0x1.f1976b7ed8fbcp-110;
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;

struct reduced_angle {
  double r, r_lo;
  int quadrant;
};

// The bits of `words` from bit `position` on, 64 of them.
ANYHIP_INLINE u64 window(int position) {
  const int word = position >> 6, shift = position & 63;
  const u64 first = two_over_pi[word], second = two_over_pi[word + 1];
  return shift ? (first << shift) | (second >> (64 - shift)) : first;
}

// x = M 2^e. Of x * 2/pi only the part modulo 4 matters, so the bits of 2/pi above 2^(1-e) are left out.
ANYHIP_HELPER reduced_angle reduce_large_angle(double x) {
  const u64 bits = bits_as<u64>(absolute(x));
  const int e = (int)(bits >> 52) - 1075;
  const u64 mantissa = (bits & 0x000fffffffffffffull) | 0x0010000000000000ull;
  const int position = e - 2 + 64;  // the table starts with one word of zeros
  const u128 low = (u128)mantissa * window(position + 128);
  const u128 middle = (u128)mantissa * window(position + 64) + (u64)(low >> 64);
  const u64 high = mantissa * window(position) + (u64)(middle >> 64);
  int quadrant = (int)(high >> 62);
  u128 fraction = ((u128)((high << 2) | ((u64)middle >> 62)) << 64) | (((u64)middle << 2) | ((u64)low >> 62));
  const bool above_half = (fraction >> 127) != 0;
  if (above_half) {
    quadrant += 1;
    fraction = -fraction;
  }
  if (fraction == 0) return {0.0, 0.0, quadrant};
  const u64 top = (u64)(fraction >> 64);
  const int zeros = top ? __builtin_clzll(top) : 64 + __builtin_clzll((u64)fraction);
  fraction <<= zeros;
  const double hi = (double)(u64)(fraction >> 75) * 0x1p-53;
  const double lo = (double)(u64)((fraction << 53) >> 64) * 0x1p-117;
  const double unit = power_of_two(-zeros);
  dd r = multiply(dd{hi, lo}, dd{kHalfPi1, kHalfPi2});
  r = {r.hi * unit, r.lo * unit};
  if (above_half != (x < 0.0)) r = negate(r);
  return {r.hi, r.lo, x < 0.0 ? -quadrant : quadrant};
}

ANYHIP_INLINE reduced_angle reduce_angle(double x) {  // finite
  if (absolute(x) > 0x1p20) return reduce_large_angle(x);
  const double n = __builtin_rint(x * kTwoOverPi);
  const double r = fused(-n, kHalfPi1, x);  // exact
  const dd product = two_product(n, kHalfPi2);
  const dd sum = two_sum(r, -product.hi);
  const dd result = quick_sum(sum.hi, sum.lo - product.lo - n * kHalfPi3);
  return {result.hi, result.lo, (int)n};
}

// sin and cos of r + r_lo, as a leading part and a small correction.
ANYHIP_INLINE dd sin_kernel(double r, double r_lo) {
  const double z = r * r;
  return {r, fused(z * r, horner(sin64, z), fused(-0.5 * z, r_lo, r_lo))};
}
ANYHIP_INLINE dd cos_kernel(double r, double r_lo) {
  const double z = r * r, half = 0.5 * z, whole = 1.0 - half;
  const double rest = (1.0 - whole) - half;
  return {whole, rest + fused(z * z, horner(cos64, z), fused(0.5, fused(-r, r, z), -r * r_lo))};
}

// Turns by quarter: (sin, cos) -> (cos, -sin).
ANYHIP_INLINE double sine_at(double sine, double cosine, int quadrant) {
  const double value = quadrant & 1 ? cosine : sine;
  return quadrant & 2 ? -value : value;
}
ANYHIP_INLINE void sine_and_cosine(reduced_angle a, double* sine, double* cosine) {
  const dd s = sin_kernel(a.r, a.r_lo), c = cos_kernel(a.r, a.r_lo);
  const double s_sum = s.hi + s.lo, c_sum = c.hi + c.lo;
  *sine = sine_at(s_sum, c_sum, a.quadrant);
  *cosine = sine_at(s_sum, c_sum, a.quadrant + 1);
}

// x = n/2 + f exactly, then pi f in two parts.
ANYHIP_INLINE reduced_angle reduce_turns(double x) {  // finite
  const double n = __builtin_rint(2.0 * x);
  const double f = fused(-0.5, n, x);
  const dd r = multiply(dd{kPiHi, kPiLo}, f);
  return {r.hi, r.lo, (int)(n - 4.0 * __builtin_floor(0.25 * n))};
}

}  // namespace anyhip

ANYHIP_EXPORT double __anyhip_sin(double x) {
  using namespace anyhip;
  if (is_inf(x) || is_nan(x)) return kNaN;
  if (absolute(x) < 0x1p-27) return x;
  double sine, cosine;
  sine_and_cosine(reduce_angle(x), &sine, &cosine);
  return sine;
}
ANYHIP_EXPORT double __anyhip_cos(double x) {
  using namespace anyhip;
  if (is_inf(x) || is_nan(x)) return kNaN;
  double sine, cosine;
  sine_and_cosine(reduce_angle(x), &sine, &cosine);
  return cosine;
}
ANYHIP_EXPORT_OUT void __anyhip_sincos(double x, double* sine, double* cosine) {
  using namespace anyhip;
  if (is_inf(x) || is_nan(x)) {
    *sine = *cosine = kNaN;
    return;
  }
  sine_and_cosine(reduce_angle(x), sine, cosine);
  if (absolute(x) < 0x1p-27) *sine = x;
}
ANYHIP_EXPORT double __anyhip_tan(double x) {
  using namespace anyhip;
  if (is_inf(x) || is_nan(x)) return kNaN;
  if (absolute(x) < 0x1p-27) return x;
  const reduced_angle a = reduce_angle(x);
  const dd s = sin_kernel(a.r, a.r_lo), c = cos_kernel(a.r, a.r_lo);
  const dd sine = quick_sum(s.hi, s.lo), cosine = quick_sum(c.hi, c.lo);
  return a.quadrant & 1 ? -divide(cosine, sine).hi : divide(sine, cosine).hi;
}

ANYHIP_EXPORT_OUT void __anyhip_sincospi(double x, double* sine, double* cosine) {
  using namespace anyhip;
  if (is_inf(x) || is_nan(x)) {
    *sine = *cosine = kNaN;
    return;
  }
  sine_and_cosine(reduce_turns(x), sine, cosine);
  if (is_whole(x)) *sine = with_sign(0.0, x);
  if (*cosine == 0.0) *cosine = 0.0;
}
ANYHIP_EXPORT double __anyhip_sinpi(double x) {
  double sine, cosine;
  __anyhip_sincospi(x, &sine, &cosine);
  return sine;
}
ANYHIP_EXPORT double __anyhip_cospi(double x) {
  double sine, cosine;
  __anyhip_sincospi(x, &sine, &cosine);
  return cosine;
}

#endif
