// The float functions on the representation of a number, and exact remainders.
#ifndef ANYHIP_DEVICELIB_SINGLE_REPRESENTATION_H
#define ANYHIP_DEVICELIB_SINGLE_REPRESENTATION_H

#include "representation.h"
#include "single.h"

namespace anyhip {

// |x| = m 2^exponent, 1 <= m < 2, for finite x != 0.
struct normalized_float {
  float m;
  int exponent;
};
ANYHIP_INLINE normalized_float normalize(float x) {
  const float size = absolute(x);
  const bool tiny = size < 0x1p-126f;
  const u32 bits = bits_as<u32>(tiny ? size * 0x1p24f : size);
  return {bits_as<float>((bits & 0x007fffffu) | 0x3f800000u), (int)(bits >> 23) - (tiny ? 151 : 127)};
}
// x * 2^n for any x and |n| <= 280, rounded once for 1/4 <= |x| < 4 or where nothing is lost.
ANYHIP_INLINE float scale_float(float x, int n) {
#if defined(__AMDGCN__)
  return __builtin_ldexpf(x, n);
#else
  const int half = n >> 1, quarter = half >> 1, rest = n - half, third = rest >> 1;
  const float first = power_of_two_float(quarter) * power_of_two_float(half - quarter);
  return x * first * power_of_two_float(third) * power_of_two_float(rest - third);
#endif
}

// |x| = quotient |y| + remainder in whole numbers, for finite x and y, y != 0: twelve bits of the quotient a turn, each a
// multiple that fused arithmetic takes off exactly. Only the quotient's low bits are kept.
struct division_float {
  float remainder;  // in units of 2^exponent of y
  u32 quotient;
};
ANYHIP_INLINE division_float divide_step(float rest, float divisor, float inverse, u32 quotient, int bits) {
  const float guess = __builtin_truncf(rest * inverse);
  float left = fused(-guess, divisor, rest);
  u32 digit = (u32)guess;
  const bool over = left < 0.0f;
  left = over ? left + divisor : left;
  digit = over ? digit - 1 : digit;
  const bool under = left >= divisor;
  left = under ? left - divisor : left;
  digit = under ? digit + 1 : digit;
  return {left, (quotient << bits) + digit};
}
ANYHIP_INLINE division_float divide_whole(normalized_float x, normalized_float y) {
  int turns = x.exponent - y.exponent;
  if (turns < 0) return {x.m * 0.5f, 0};  // the remainder is x itself; only half of y's unit is asked for
  const float inverse = reciprocal(y.m);
  const int first = turns % 12;
  division_float d = divide_step(x.m * power_of_two_float(first), y.m, inverse, 0, 0);
  for (turns -= first; turns > 0; turns -= 12) {
    d = divide_step(d.remainder * 0x1p12f, y.m, inverse, d.quotient, 12);
  }
  return d;
}

// fmod, and with `nearest` the remainder of the quotient rounded to nearest, ties to even.
template <bool nearest> ANYHIP_INLINE float remainder_of(float x, float y, int* quotient) {
  const bool invalid = x != x || y != y || absolute(x) == kInfinityF || y == 0.0f;
  const bool itself = x == 0.0f || absolute(y) == kInfinityF;
  *quotient = 0;
  if (invalid || itself) return invalid ? kNaNF : x;
  const normalized_float a = normalize(x), b = normalize(y);
  if (!nearest && a.exponent < b.exponent) return x;
  if (nearest && a.exponent < b.exponent - 1) return x;
  division_float d = divide_whole(a, b);
  bool flipped = false;
  if (nearest) {
    const float other = b.m - d.remainder;
    flipped = d.remainder > other || (d.remainder == other && (d.quotient & 1) != 0);
    d.remainder = flipped ? other : d.remainder;
    d.quotient += flipped ? 1 : 0;
    const int low = (int)(d.quotient & 0x7fffffff);
    *quotient = ((bits_as<u32>(x) ^ bits_as<u32>(y)) >> 31) != 0 ? -low : low;
  }
  const float size = scale_float(d.remainder, b.exponent);
  const bool negative = (bits_as<u32>(x) >> 31 != 0) != (flipped && size != 0.0f);
  return negative ? -size : size;
}

}  // namespace anyhip

ANYHIP_EXPORT float __anyhip_ldexpf(float x, int n) {
#if defined(__AMDGCN__)
  return __builtin_ldexpf(x, n);
#else
  using namespace anyhip;
  if (x == 0.0f || is_nan(x) || absolute(x) == kInfinityF) return x;
  const normalized_float a = normalize(x);  // clamped where the result has long been 0 or infinite
  const int exponent = a.exponent + (n > 600 ? 600 : n < -600 ? -600 : n);
  return scale_float(with_sign(a.m, x), exponent > 200 ? 200 : exponent < -200 ? -200 : exponent);
#endif
}
ANYHIP_EXPORT int __anyhip_ilogbf(float x) {
  using namespace anyhip;
  if (x == 0.0f) return kIlogbZero;
  if (is_nan(x)) return kIlogbNan;
  return absolute(x) == kInfinityF ? kIlogbInfinity : normalize(x).exponent;
}
ANYHIP_EXPORT float __anyhip_logbf(float x) {
  using namespace anyhip;
  if (x == 0.0f) return -kInfinityF;
  return is_nan(x) || absolute(x) == kInfinityF ? x * x : (float)normalize(x).exponent;
}
ANYHIP_EXPORT_OUT float __anyhip_frexpf(float x, int* exponent) {
  using namespace anyhip;
  const bool ordinary = x != 0.0f && absolute(x) < kInfinityF;
  const normalized_float a = normalize(x);
  *exponent = ordinary ? a.exponent + 1 : 0;
  return ordinary ? with_sign(a.m * 0.5f, x) : x;
}
ANYHIP_EXPORT float __anyhip_nextafterf(float x, float y) {
  using namespace anyhip;
  if (x != x || y != y) return kNaNF;
  if (x == y) return y;
  if (x == 0.0f) return with_sign(bits_as<float>(1u), y);
  const u32 bits = bits_as<u32>(x);
  return bits_as<float>((y > x) == (x > 0.0f) ? bits + 1 : bits - 1);
}
ANYHIP_EXPORT float __anyhip_fmodf(float x, float y) {
  int quotient;
  return anyhip::remainder_of<false>(x, y, &quotient);
}
ANYHIP_EXPORT float __anyhip_remainderf(float x, float y) {
  int quotient;
  return anyhip::remainder_of<true>(x, y, &quotient);
}
ANYHIP_EXPORT_OUT float __anyhip_remquof(float x, float y, int* quotient) {
  return anyhip::remainder_of<true>(x, y, quotient);
}

#endif
