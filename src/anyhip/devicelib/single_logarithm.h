// The float logarithms, powers and inverse hyperbolic functions.
#ifndef ANYHIP_DEVICELIB_SINGLE_LOGARITHM_H
#define ANYHIP_DEVICELIB_SINGLE_LOGARITHM_H

#include "single_exponential.h"

namespace anyhip {

// x = (1 + f) 2^k with |f| <= 1/3, for x > 0; subnormal numbers too.
struct split_float {
  float f, k;
};
ANYHIP_INLINE split_float split(float x) {
  const bool tiny = x < 0x1p-126f;
  const float y = tiny ? x * 0x1p24f : x;
  const int k = (bits_as<int>(y) - 0x3f2aaaab) >> 23;
  const float m = bits_as<float>((int)(bits_as<u32>(y) - ((u32)k << 23)));
  const float shift = tiny ? -24.0f : 0.0f;
  return {m - 1.0f, (float)k + shift};
}
// log(1 + f) - f
ANYHIP_INLINE float log_rest(float f) { return f * f * fused(horner(log_tail, f), f, -0.5f); }

ANYHIP_INLINE float log_plain(float x) {  // finite x > 0
  const split_float a = split(x);
  return fused(a.k, kLn2F, a.f + log_rest(a.f));
}

// What a logarithm answers outside (0, inf).
ANYHIP_INLINE float log_checked(float x, float result) {
  const float special = x == 0.0f ? -kInfinityF : x < 0.0f ? kNaNF : x;
  return x > 0.0f && x < kInfinityF ? result : special;
}

// k unit + (log(1 + f) + f_lo) factor, the large parts summed exactly. unit.hi has so few bits that k times it is exact.
ANYHIP_INLINE float log_sum(float k, float f, float rest, ff unit, ff factor) {
  const ff leading = two_product(f, factor.hi);
  const ff sum = quick_sum(k * unit.hi, leading.hi);
  return sum.hi + fused(rest, factor.hi, sum.lo + fused(k, unit.lo, fused(f, factor.lo, leading.lo)));
}

}  // namespace anyhip

ANYHIP_EXPORT float __anyhip_logf(float x) {
  using namespace anyhip;
  return log_checked(x, log_plain(x));
}
ANYHIP_EXPORT float __anyhip_log2f(float x) {
  using namespace anyhip;
  const split_float a = split(x);
  return log_checked(x, log_sum(a.k, a.f, log_rest(a.f), {1.0f, 0.0f}, {kInvLn2F, kInvLn2TailF}));
}
ANYHIP_EXPORT float __anyhip_log10f(float x) {
  using namespace anyhip;
  const split_float a = split(x);
  const ff unit = {kLog10Of2HiF, kLog10Of2LoF}, factor = {kInvLn10F, kInvLn10TailF};
  return log_checked(x, log_sum(a.k, a.f, log_rest(a.f), unit, factor));
}

namespace anyhip {

constexpr float kLn2HiF = 0x1.62e400p-1f, kLn2LoF = 0x1.7f7d1cp-20f;  // 15 bits and the rest

// log(1 + x + x_lo) + extra ln2, for x > -1: past a whole k ln2 it is the logarithm of 1 + f with
// f = x 2^-k + (2^-k - 1), so nothing is lost where 1 + x rounds.
ANYHIP_INLINE float log1p_of(float x, float x_lo, float extra) {
  const bool huge = x > 0x1p64f;  // where 2^-k has no room for k
  x = huge ? x * 0x1p-32f : x;
  const int k = (bits_as<int>(1.0f + x) - 0x3f2aaaab) >> 23;
  const float power = power_of_two_float(-k), one = power - 1.0f;
  const float f = fused(x, power, one);
  const float f_lo = fused(x, power, one - f) + x_lo * power;
  const float kf = (float)k + (huge ? 32.0f + extra : extra);
  const ff sum = quick_sum(kf * kLn2HiF, f);
  return sum.hi + (log_rest(f) + (fused(-f, f_lo, f_lo) + fused(kf, kLn2LoF, sum.lo)));
}

// log(x) to some 2^-45 of itself, for x > 0: q + q^3/12 + ... at q = 2(m - 1)/(m + 1), both terms in two parts.
ANYHIP_INLINE ff log_wide(float x) {
  const bool tiny = x < 0x1p-126f;
  const float y = tiny ? x * 0x1p24f : x;
  const int k = (bits_as<int>(y) - 0x3f3504f3) >> 23;  // sqrt(1/2)
  const float over = bits_as<float>((int)(bits_as<u32>(y) - ((u32)k << 23))) - 1.0f;
  const float kf = (float)k + (tiny ? -24.0f : 0.0f);
  const float r = reciprocal(over + 2.0f);
  const float q = (over + over) * r;
  const float missing = fused(-q, over, fused(-2.0f, q, over + over)) * r;
  ff z = two_product(q, q);
  z.lo = fused(q + q, missing, z.lo);
  ff series = quick_sum(0x1.555556p-4f, z.hi * horner(log_atanh, z.hi));  // 1/12 and what follows
  series.lo -= 0x1.555556p-30f;
  const ff cube = multiply(multiply(z, q), series);
  const ff sum = quick_sum(kf * kLn2HiF, q);
  const ff whole = quick_sum(sum.hi, cube.hi);
  return quick_sum(whole.hi, fused(kf, kLn2LoF, whole.lo + (sum.lo + (cube.lo + missing))));
}

// |x|^y for finite x != 0: exp(y log|x|).
ANYHIP_INLINE float positive_power(float x, float y, float y_lo) {
  const float size = absolute(y) > 0x1p40f ? with_sign(0x1p40f, y) : y;
  return exp_of(multiply(log_wide(x), ff{size, y_lo}));
}
ANYHIP_INLINE bool is_whole(float x) { return __builtin_truncf(x) == x; }
ANYHIP_INLINE bool is_odd(float x) {
  const float half = x * 0.5f;
  return is_whole(x) && __builtin_truncf(half) != half;
}

// C's Annex F around the power of positive numbers.
ANYHIP_INLINE float power_of(float x, float y, float y_lo) {
  const float size = absolute(x);
  const bool large = size > 1.0f;
  float result = positive_power(size, y, y_lo);
  const bool edge = size == 0.0f || size == kInfinityF || absolute(y) == kInfinityF;
  const float edge_value = large == (y > 0.0f) ? kInfinityF : 0.0f;
  result = edge ? (size == 1.0f ? 1.0f : edge_value) : result;
  const bool negative = bits_as<int>(x) < 0;
  result = negative && is_odd(y) ? -result : result;
  result = negative && !is_whole(y) && !edge ? kNaNF : result;
  result = x != x || y != y ? kNaNF : result;
  return x == 1.0f || y == 0.0f ? 1.0f : result;
}

}  // namespace anyhip

ANYHIP_EXPORT float __anyhip_log1pf(float x) {
  using namespace anyhip;
  const float result = log1p_of(x, 0.0f, 0.0f);
  const float special = x == -1.0f ? -kInfinityF : x < -1.0f ? kNaNF : x;
  return x > -1.0f && x < kInfinityF && absolute(x) >= 0x1p-26f ? result : special;
}
ANYHIP_EXPORT float __anyhip_powf(float x, float y) { return anyhip::power_of(x, y, 0.0f); }
ANYHIP_EXPORT float __anyhip_powif(float x, int n) {
  const float high = (float)n;
  const float power = anyhip::power_of(__builtin_fabsf(x), high, (float)((long long)n - (long long)high));
  return (n & 1) != 0 ? __builtin_copysignf(power, x) : power;
}

#endif
