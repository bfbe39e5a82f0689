// Functions on the representation of a number, and exact remainders.
#ifndef ANYHIP_DEVICELIB_REPRESENTATION_H
#define ANYHIP_DEVICELIB_REPRESENTATION_H

#include "common.h"

namespace anyhip {

constexpr int kIlogbZero = -2147483647 - 1, kIlogbNan = -2147483647 - 1, kIlogbInfinity = 2147483647;

ANYHIP_INLINE int clamp_exponent(int n) { return n > 2200 ? 2200 : n < -2200 ? -2200 : n; }

// |x| = quotient |y| + remainder in whole numbers, by long division of the significands, 11 bits a turn
// (53 + 11 bits fill a word). Only the quotient's low bits are kept.
struct division {
  double remainder;
  u32 quotient;
};
ANYHIP_HELPER division divide_whole(double x, double y) {  // finite, y > 0, x >= 0
  if (x < y) return {x, 0};
  const int y_exponent = exponent_of(y);
  int turns = exponent_of(x) - y_exponent;
  u64 rest = (u64)scale(x, 52 - exponent_of(x));
  const u64 divisor = (u64)scale(y, 52 - y_exponent);
  u32 quotient = (u32)(rest / divisor);
  rest %= divisor;
  while (turns > 0) {
    const int step = turns < 11 ? turns : 11;
    rest <<= step;
    quotient = (quotient << step) + (u32)(rest / divisor);
    rest %= divisor;
    turns -= step;
  }
  return {scale((double)rest, y_exponent - 52), quotient};
}

ANYHIP_INLINE bool remainder_special(double x, double y, double* result) {
  if (is_nan(x) || is_nan(y) || is_inf(x) || y == 0.0) {
    *result = kNaN;
    return true;
  }
  *result = x;
  return is_inf(y) || x == 0.0;
}

// IEEE remainder: the quotient to nearest, ties to even.
ANYHIP_INLINE double remainder_of(double x, double y, int* quotient) {
  double special;
  *quotient = 0;
  if (remainder_special(x, y, &special)) return special;
  const double divisor = absolute(y);
  division d = divide_whole(absolute(x), divisor);
  // Compare the remainder with the half of the divisor without forming either doubled value.
  const double other = divisor - d.remainder;
  if (d.remainder > other || (d.remainder == other && (d.quotient & 1))) {
    d.remainder = -other;
    d.quotient += 1;
  }
  const int low = (int)(d.quotient & 0x7fffffff);
  *quotient = (x < 0.0) != (y < 0.0) ? -low : low;
  const double result = x < 0.0 ? -d.remainder : d.remainder;
  return result == 0.0 ? with_sign(0.0, x) : result;
}

}  // namespace anyhip

ANYHIP_EXPORT double __anyhip_ldexp(double x, int n) { return anyhip::scale_any(x, anyhip::clamp_exponent(n)); }
ANYHIP_EXPORT int __anyhip_ilogb(double x) {
  using namespace anyhip;
  if (x == 0.0) return kIlogbZero;
  if (is_nan(x)) return kIlogbNan;
  return is_inf(x) ? kIlogbInfinity : exponent_of(x);
}
ANYHIP_EXPORT double __anyhip_logb(double x) {
  using namespace anyhip;
  if (x == 0.0) return -kInfinity;
  return is_nan(x) || is_inf(x) ? x * x : (double)exponent_of(x);
}

ANYHIP_EXPORT_OUT double __anyhip_frexp(double x, int* exponent) {
  using namespace anyhip;
  *exponent = 0;
  if (x == 0.0 || is_nan(x) || is_inf(x)) return x;
  *exponent = exponent_of(x) + 1;
  return scale(x, -*exponent);
}

ANYHIP_EXPORT double __anyhip_nextafter(double x, double y) {
  using namespace anyhip;
  if (is_nan(x) || is_nan(y)) return kNaN;
  if (x == y) return y;
  if (x == 0.0) return with_sign(bits_as<double>((u64)1), y);
  const u64 bits = bits_as<u64>(x);
  return bits_as<double>((y > x) == (x > 0.0) ? bits + 1 : bits - 1);
}

ANYHIP_EXPORT double __anyhip_fmod(double x, double y) {
  using namespace anyhip;
  double special;
  if (remainder_special(x, y, &special)) return special;
  return with_sign(divide_whole(absolute(x), absolute(y)).remainder, x);
}
ANYHIP_EXPORT double __anyhip_remainder(double x, double y) {
  int quotient;
  return anyhip::remainder_of(x, y, &quotient);
}
ANYHIP_EXPORT_OUT double __anyhip_remquo(double x, double y, int* quotient) {
  return anyhip::remainder_of(x, y, quotient);
}

#endif
