// Roots and lengths.
#ifndef ANYHIP_DEVICELIB_ROOTS_H
#define ANYHIP_DEVICELIB_ROOTS_H

#include "common.h"

namespace anyhip {

// The cube root of a finite x > 0: a guess from the bits (a third of the exponent), three Newton steps, and a
// last one in double-double.
ANYHIP_INLINE dd cube_root(double x) {
  const bool subnormal = x < 0x1p-1022;
  if (subnormal) x *= 0x1p54;
  double t = bits_as<double>(bits_as<u64>(x) / 3 + 0x2a9f7893782da1ceull);
  for (int i = 0; i < 4; ++i) t = t - (t - x / (t * t)) * (1.0 / 3.0);
  const dd cube = multiply(two_product(t, t), t);
  const double rest = (x - cube.hi) - cube.lo;
  const double unit = subnormal ? 0x1p-18 : 1.0;
  return {t * unit, rest / (3.0 * t * t) * unit};
}

// Lengths of up to four components, or of many: squares are summed in double-double after scaling by a
// power of two, so that none overflows or is lost.
ANYHIP_INLINE int length_exponent(double largest) { return (int)(bits_as<u64>(largest) >> 52) - 1023; }
ANYHIP_INLINE dd add_square(dd sum, double x, double unit) {
  x *= unit;
  return add(sum, two_product(x, x));
}
ANYHIP_INLINE double larger(double a, double b) { return b > a ? b : a; }

template <bool reciprocal> ANYHIP_INLINE double finish_length(dd sum, int exponent) {
  const dd length = square_root(sum);
  if (!reciprocal) return scale(length.hi + length.lo, exponent);
  const dd inverse = divide({1.0, 0.0}, length);
  return scale(inverse.hi + inverse.lo, -exponent);
}
template <bool reciprocal> ANYHIP_INLINE double length_of(double x, double y, double z, double w) {
  x = absolute(x), y = absolute(y), z = absolute(z), w = absolute(w);
  if (is_inf(x) || is_inf(y) || is_inf(z) || is_inf(w)) return reciprocal ? 0.0 : kInfinity;
  if (is_nan(x) || is_nan(y) || is_nan(z) || is_nan(w)) return kNaN;
  const double largest = larger(larger(x, y), larger(z, w));
  if (largest == 0.0) return reciprocal ? kInfinity : 0.0;
  int exponent = length_exponent(largest);
  exponent = exponent > 1000 ? 1000 : exponent < -1000 ? -1000 : exponent;
  const double unit = power_of_two(-exponent);
  dd sum = two_product(x * unit, x * unit);
  sum = add_square(sum, y, unit);
  sum = add_square(sum, z, unit);
  sum = add_square(sum, w, unit);
  return finish_length<reciprocal>(sum, exponent);
}
template <bool reciprocal> ANYHIP_INLINE double length_of_many(int count, const double* values) {
  double largest = 0.0;
  bool infinite = false, nan = false;
  for (int i = 0; i < count; ++i) {
    infinite |= is_inf(values[i]);
    nan |= is_nan(values[i]);
    largest = larger(largest, absolute(values[i]));
  }
  if (infinite) return reciprocal ? 0.0 : kInfinity;
  if (nan) return kNaN;
  if (largest == 0.0) return reciprocal ? kInfinity : 0.0;
  int exponent = length_exponent(largest);
  exponent = exponent > 1000 ? 1000 : exponent < -1000 ? -1000 : exponent;
  const double unit = power_of_two(-exponent);
  dd sum = {0.0, 0.0};
  for (int i = 0; i < count; ++i) sum = add_square(sum, values[i], unit);
  return finish_length<reciprocal>(sum, exponent);
}

}  // namespace anyhip

ANYHIP_EXPORT double __anyhip_cbrt(double x) {
  using namespace anyhip;
  if (x == 0.0 || is_nan(x) || is_inf(x)) return x;
  const dd root = cube_root(absolute(x));
  return with_sign(root.hi + root.lo, x);
}
ANYHIP_EXPORT double __anyhip_rcbrt(double x) {
  using namespace anyhip;
  if (x == 0.0 || is_nan(x) || is_inf(x)) return 1.0 / x;
  return with_sign(divide({1.0, 0.0}, cube_root(absolute(x))).hi, x);
}

ANYHIP_EXPORT double __anyhip_rsqrt(double x) {
  using namespace anyhip;
  if (!(x > 0.0) || is_inf(x)) return 1.0 / __builtin_sqrt(x);
  const dd inverse = divide({1.0, 0.0}, square_root({x, 0.0}));
  return inverse.hi + inverse.lo;
}

#define ANYHIP_LENGTHS(plain, inverse, parameters, arguments, T, suffix, core)                                  \
  ANYHIP_EXPORT T __anyhip_##plain##suffix parameters { return (T)anyhip::core<false> arguments; }              \
  ANYHIP_EXPORT T __anyhip_##inverse##suffix parameters { return (T)anyhip::core<true> arguments; }
ANYHIP_LENGTHS(hypot, rhypot, (double x, double y), (x, y, 0.0, 0.0), double, , length_of)
ANYHIP_LENGTHS(norm3d, rnorm3d, (double x, double y, double z), (x, y, z, 0.0), double, , length_of)
ANYHIP_LENGTHS(norm4d, rnorm4d, (double x, double y, double z, double w), (x, y, z, w), double, , length_of)
#undef ANYHIP_LENGTHS

ANYHIP_EXPORT_OUT double __anyhip_norm(int n, const double* v) { return anyhip::length_of_many<false>(n, v); }
ANYHIP_EXPORT_OUT double __anyhip_rnorm(int n, const double* v) { return anyhip::length_of_many<true>(n, v); }

#endif
