// Inverse trigonometric functions, the hyperbolic functions and their inverses.
#ifndef ANYHIP_DEVICELIB_INVERSE_H
#define ANYHIP_DEVICELIB_INVERSE_H

#include "exponential.h"
#include "trigonometric.h"

namespace anyhip {

// asin of s + s_lo = sqrt(w), for 0 <= w <= 1/4.
ANYHIP_INLINE dd asin_of_root(double w) {
  const dd s = square_root({w, 0.0});
  return {s.hi, fused(s.hi * w, horner(asin64, w), s.lo)};
}

// atan(y/x) for 0 <= y <= x, x > 0: past tan(pi/8) it is pi/4 + atan((y - x)/(y + x)).
ANYHIP_INLINE dd atan_of_ratio(double y, double x) {
  const bool far = y > 0.41421356237309503 * x;
  const dd numerator = far ? two_sum(y, -x) : dd{y, 0.0};
  const dd denominator = far ? two_sum(y, x) : dd{x, 0.0};
  const dd q = divide(numerator, denominator);
  const double z = q.hi * q.hi;
  const dd angle = quick_sum(q.hi, fused(q.hi * z, horner(atan64, z), q.lo));
  return far ? add(dd{0.5 * kHalfPi1, 0.5 * kHalfPi2}, angle) : angle;
}

// The angle of (x, y) around a core for the first octant. Infinities and zeros are finite cases of it.
template <typename Core> ANYHIP_INLINE double angle_of(double y, double x, Core core) {
  if (is_nan(x) || is_nan(y)) return kNaN;
  double height = absolute(y), width = absolute(x);
  if (is_inf(height) || is_inf(width)) {
    height = is_inf(height) ? 1.0 : 0.0;
    width = is_inf(width) ? 1.0 : 0.0;
  }
  return with_sign(core(height, width, __builtin_signbit(x)), y);
}
struct angle_core {
  ANYHIP_MEMBER double operator()(double y, double x, bool left) const {
    const bool steep = y > x;
    double large = steep ? y : x, small = steep ? x : y;
    if (large == 0.0) return left ? kPiHi : 0.0;
    if (small < large * 0x1p-80) {  // the angle is that of the axis, or the quotient itself
      if (!steep && !left) return small / large;
      small = 0.0;
    }
    // Clear of overflow and of subnormal rounding errors.
    const double factor = large > 0x1p900 ? 0x1p-200 : large < 0x1p-800 ? 0x1p200 : 1.0;
    dd angle = atan_of_ratio(small * factor, large * factor);
    if (steep) angle = add(dd{kHalfPi1, kHalfPi2}, negate(angle));
    if (left) angle = add(dd{kPiHi, kPiLo}, negate(angle));
    return angle.hi + angle.lo;
  }
};

}  // namespace anyhip

ANYHIP_EXPORT double __anyhip_asin(double x) {
  using namespace anyhip;
  const double size = absolute(x);
  if (!(size <= 1.0)) return kNaN;
  if (size < 0x1p-27) return x;
  if (size <= 0.5) {
    const double z = x * x;
    return fused(x * z, horner(asin64, z), x);
  }
  const dd half = asin_of_root(0.5 * (1.0 - size));
  const dd result = add(dd{kHalfPi1, kHalfPi2}, dd{-2.0 * half.hi, -2.0 * half.lo});
  return with_sign(result.hi + result.lo, x);
}
ANYHIP_EXPORT double __anyhip_acos(double x) {
  using namespace anyhip;
  const double size = absolute(x);
  if (!(size <= 1.0)) return kNaN;
  if (size <= 0.5) {
    const double z = x * x;
    const dd angle = quick_sum(x, x * z * horner(asin64, z));
    return add(dd{kHalfPi1, kHalfPi2}, negate(angle)).hi;
  }
  const dd half = asin_of_root(0.5 * (1.0 - size));
  const dd angle = quick_sum(2.0 * half.hi, 2.0 * half.lo);
  return x > 0.0 ? angle.hi : add(dd{kPiHi, kPiLo}, negate(angle)).hi;
}
ANYHIP_EXPORT double __anyhip_atan2(double y, double x) { return anyhip::angle_of(y, x, anyhip::angle_core()); }
ANYHIP_EXPORT double __anyhip_atan(double x) { return anyhip::angle_of(x, 1.0, anyhip::angle_core()); }

ANYHIP_EXPORT double __anyhip_sinh(double x) {
  using namespace anyhip;
  const double size = absolute(x);
  if (is_nan(x) || size < 0x1p-27) return x;
  if (size > 711.0) return with_sign(kInfinity, x);
  if (size > 40.0) {
    const reduced_exponent a = reduce_exponent({size, 0.0});
    const dd e = exp_minus_one(a.r, a.r_lo);
    return with_sign(scale(1.0 + (e.hi + e.lo), a.k - 1), x);
  }
  const dd e = expm1_dd(size);
  const dd sum = add(e, divide(e, add(e, 1.0)));
  return with_sign(0.5 * sum.hi, x);
}
ANYHIP_EXPORT double __anyhip_cosh(double x) {
  using namespace anyhip;
  const double size = absolute(x);
  if (is_nan(x)) return x;
  if (size > 711.0) return kInfinity;
  if (size > 40.0) return absolute(__anyhip_sinh(size));
  const dd e = add(expm1_dd(size), 1.0);
  return 0.5 * add(e, divide({1.0, 0.0}, e)).hi;
}
ANYHIP_EXPORT double __anyhip_tanh(double x) {
  using namespace anyhip;
  const double size = absolute(x);
  if (is_nan(x) || size < 0x1p-28) return x;
  if (size > 20.0) return with_sign(1.0, x);
  const dd e = expm1_dd(2.0 * size);
  return with_sign(divide(e, add(e, 2.0)).hi, x);
}

ANYHIP_EXPORT double __anyhip_asinh(double x) {
  using namespace anyhip;
  const double size = absolute(x);
  if (is_nan(x) || is_inf(x) || size < 0x1p-28) return x;
  if (size > 0x1p400) return with_sign(add(log_of(size), dd{kLn2, 0x1.abc9e3b39803fp-56}).hi, x);
  const dd root = square_root(add(two_product(size, size), 1.0));
  return with_sign(log_of(add(root, size)).hi, x);
}
ANYHIP_EXPORT double __anyhip_acosh(double x) {
  using namespace anyhip;
  if (!(x >= 1.0)) return kNaN;
  if (is_inf(x)) return x;
  if (x > 0x1p400) return add(log_of(x), dd{kLn2, 0x1.abc9e3b39803fp-56}).hi;
  const dd root = square_root(add(two_product(x, x), -1.0));
  return log_of(add(root, x)).hi;
}
ANYHIP_EXPORT double __anyhip_atanh(double x) {
  using namespace anyhip;
  const double size = absolute(x);
  if (is_nan(x) || size < 0x1p-28) return x;
  if (size >= 1.0) return size == 1.0 ? with_sign(kInfinity, x) : kNaN;
  return with_sign(0.5 * log_of(divide(two_sum(1.0, size), two_sum(1.0, -size))).hi, x);
}

#endif
