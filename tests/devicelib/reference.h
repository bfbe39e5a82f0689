// What the measurements of the device library share: samples, distances in ulp, and functions in long double. Reference
// precision is 64 bits, so errors of double are good to 0.001 ulp.
#ifndef ANYHIP_TESTS_DEVICELIB_REFERENCE_H
#define ANYHIP_TESTS_DEVICELIB_REFERENCE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef long double wide;

static unsigned long long state = 88172645463325252ull;
static unsigned long long random_bits() {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}
static double uniform() { return (double)(random_bits() >> 11) * 0x1p-53; }

// Half of the points even over the interval, half over its exponents.
static double sample(double low, double high) {
  if (random_bits() & 1) return low + (high - low) * uniform();
  const double bound = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
  for (;;) {
    double x = bound * exp2(-(double)(random_bits() % 40)) * (0.5 + 0.5 * uniform());
    if (low < 0 && (high <= 0 || (random_bits() & 1))) x = -x;
    if (x >= low && x <= high) return x;
    if (low > 0) return low * pow(high / low, uniform());
    if (high < 0) return high * pow(low / high, uniform());
  }
}

// The distance in units of the last place of the exact result; subnormal results have the smallest unit.
static double error_in_ulp(double got, wide exact, int digits, int lowest) {
  if (isnan(got) || isnan(exact)) return isnan(got) && isnan(exact) ? 0 : INFINITY;
  const wide limit = ldexpl(1, digits == 24 ? 128 : 1024);
  if (isinf(got)) return fabsl(exact) >= limit * (1 - ldexpl(1, -digits)) && (got > 0) == (exact > 0) ? 0 : INFINITY;
  int exponent;
  frexpl(exact, &exponent);
  int unit = exponent - digits;
  if (exact == 0 || unit < lowest) unit = lowest;
  return (double)(fabsl((wide)got - exact) / ldexpl(1, unit));
}

struct worst {
  double error = 0, x = 0, y = 0;
  void take(double e, double at, double at_y) {
    if (e > error || isnan(e)) error = e, x = at, y = at_y;
  }
};

static const wide kPi = 3.14159265358979323846264338327950288L;
static const wide kRootPi = 1.77245385090551602729816748334114518L;

static wide exp10_wide(wide x) { return powl(10, x); }
static wide sinpi_wide(wide x) {
  const wide r = x - 2 * roundl(x / 2), size = fabsl(r);
  return copysignl(sinl(kPi * (size > 0.5L ? 1 - size : size)), r);
}
static wide cospi_wide(wide x) {
  const wide r = fabsl(x - 2 * roundl(x / 2));  // near 1/2 the sine of what is missing is exact
  return r > 0.25L && r < 0.75L ? sinl(kPi * (0.5L - r)) : cosl(kPi * r);
}
static wide rcbrt_wide(wide x) { return 1 / cbrtl(x); }
static wide rsqrt_wide(wide x) { return 1 / sqrtl(x); }
static wide rhypot_wide(wide x, wide y) { return 1 / hypotl(x, y); }
static wide erfcx_wide(wide x) {
  if (x > 100) {
    const wide z = 1 / (2 * x * x);
    return (1 - z * (1 - 3 * z * (1 - 5 * z * (1 - 7 * z)))) / (x * kRootPi);
  }
  // exp(x^2) with the square in two parts, as 64 bits are not enough for its whole part.
  const wide square = x * x, rest = fmal(x, x, -square);
  return expl(square) * (1 + rest) * erfcl(x);
}
// Newton's steps from what was got: if that is right they stay there.
static wide erfinv_wide(wide p, wide got) {
  wide y = got;
  for (int i = 0; i < 3; ++i) {
    const wide residual = fabsl(p) > 0.5L ? (p > 0 ? (1 - p) - erfcl(y) : erfcl(-y) - (1 + p)) : erfl(y) - p;
    y -= residual * kRootPi / 2 * expl(y * y);
  }
  return y;
}
static wide erfcinv_wide(wide c, wide got) {
  if (c > 0.5L) return erfinv_wide(1 - c, got);
  wide y = got;
  for (int i = 0; i < 3; ++i) y += (erfcl(y) - c) / c * (kRootPi / 2 * erfcx_wide(y));
  return y;
}
static wide normcdf_wide(wide x) { return 0.5L * erfcl(-x * 0.707106781186547524400844362104849039L); }
static wide normcdfinv_wide(wide p, wide got) {
  const wide root = 1.41421356237309504880168872420969808L;
  return -root * erfcinv_wide(2 * p, -got / root);
}

#endif
