// Measures the device library, compiled for the host, against long double: one line a function,
// "name width worst_error_in_ulp worst_argument". Reference precision is 64 bits, so errors are good to 0.001 ulp.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "devicelib.hip"

typedef long double wide;

static u64 state = 88172645463325252ull;
static u64 random_bits() {
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

static void report(const char* name, const char* width, const worst& w) {
  printf("%s %s %.3f %a %a\n", name, width, w.error, w.x, w.y);
}

static const int kPoints = 20000;

#define UNARY(name, reference, low32, high32, low64, high64)                                                 \
  {                                                                                                          \
    worst f, d;                                                                                              \
    for (int i = 0; i < kPoints; ++i) {                                                                      \
      const float a = (float)sample(low32, high32);                                                          \
      f.take(error_in_ulp(__anyhip_##name##f(a), reference((wide)a), 24, -149), a, 0);                       \
      const double b = sample(low64, high64);                                                                \
      d.take(error_in_ulp(__anyhip_##name(b), reference((wide)b), 53, -1074), b, 0);                         \
    }                                                                                                        \
    report(#name, "f32", f);                                                                                 \
    report(#name, "f64", d);                                                                                 \
  }
#define BINARY(name, reference, low32, high32, low64, high64)                                                \
  {                                                                                                          \
    worst f, d;                                                                                              \
    for (int i = 0; i < kPoints; ++i) {                                                                      \
      const float a = (float)sample(low32, high32), a2 = (float)sample(low32, high32);                       \
      f.take(error_in_ulp(__anyhip_##name##f(a, a2), reference((wide)a, (wide)a2), 24, -149), a, a2);        \
      const double b = sample(low64, high64), b2 = sample(low64, high64);                                    \
      d.take(error_in_ulp(__anyhip_##name(b, b2), reference((wide)b, (wide)b2), 53, -1074), b, b2);          \
    }                                                                                                        \
    report(#name, "f32", f);                                                                                 \
    report(#name, "f64", d);                                                                                 \
  }

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
static wide erfinv_wide(wide p) {
  wide y = (wide)__anyhip_erfinv((double)p);
  for (int i = 0; i < 3; ++i) {
    const wide residual = fabsl(p) > 0.5L ? (p > 0 ? (1 - p) - erfcl(y) : erfcl(-y) - (1 + p)) : erfl(y) - p;
    y -= residual * kRootPi / 2 * expl(y * y);
  }
  return y;
}
static wide erfcinv_wide(wide c) {
  if (c > 0.5L) return erfinv_wide(1 - c);
  wide y = (wide)__anyhip_erfcinv((double)c);
  for (int i = 0; i < 3; ++i) y += (erfcl(y) - c) / c * (kRootPi / 2 * erfcx_wide(y));
  return y;
}
static wide normcdf_wide(wide x) { return 0.5L * erfcl(-x * 0.707106781186547524400844362104849039L); }
static wide normcdfinv_wide(wide p) { return -1.41421356237309504880168872420969808L * erfcinv_wide(2 * p); }

static void elementary() {
  UNARY(exp, expl, -104, 89, -746, 710)
  UNARY(exp2, exp2l, -150, 128, -1075, 1024)
  UNARY(exp10, exp10_wide, -45, 38.5, -323, 308.3)
  UNARY(expm1, expm1l, -20, 88, -50, 709)
  UNARY(log, logl, 1e-45, 3e38, 1e-320, 1e308)
  UNARY(log2, log2l, 1e-45, 3e38, 1e-320, 1e308)
  UNARY(log10, log10l, 1e-45, 3e38, 1e-320, 1e308)
  UNARY(log1p, log1pl, -0.99999, 1e10, -0.999999999, 1e100)
  UNARY(sinh, sinhl, -89.4, 89.4, -710.4, 710.4)
  UNARY(cosh, coshl, -89.4, 89.4, -710.4, 710.4)
  UNARY(tanh, tanhl, -10, 10, -22, 22)
  UNARY(asinh, asinhl, -1e30, 1e30, -1e300, 1e300)
  UNARY(acosh, acoshl, 1, 1e3, 1, 1e10)
  UNARY(atanh, atanhl, -1, 1, -1, 1)
  BINARY(pow, powl, 1e-3, 100, 1e-3, 300)
}

static void angles() {
  UNARY(sin, sinl, -1e9, 1e9, -1e7, 1e7)
  UNARY(cos, cosl, -1e9, 1e9, -1e7, 1e7)
  UNARY(tan, tanl, -1e9, 1e9, -1e7, 1e7)
  UNARY(sinpi, sinpi_wide, -100, 100, -100, 100)
  UNARY(cospi, cospi_wide, -100, 100, -100, 100)
  UNARY(asin, asinl, -1, 1, -1, 1)
  UNARY(acos, acosl, -1, 1, -1, 1)
  UNARY(atan, atanl, -1e10, 1e10, -1e18, 1e18)
  BINARY(atan2, atan2l, -1e10, 1e10, -1e18, 1e18)
}

static void others() {
  UNARY(cbrt, cbrtl, -1e38, 1e38, -1e308, 1e308)
  UNARY(rcbrt, rcbrt_wide, 1e-45, 1e38, 1e-310, 1e308)
  UNARY(rsqrt, rsqrt_wide, 1e-45, 1e38, 1e-310, 1e308)
  BINARY(hypot, hypotl, -1e20, 1e20, -1e300, 1e300)
  BINARY(rhypot, rhypot_wide, 1e-20, 1e20, 1e-200, 1e200)
  UNARY(erf, erfl, -5, 5, -7, 7)
  UNARY(erfc, erfcl, -5, 10, -7, 26.5)
  UNARY(erfcx, erfcx_wide, -9, 1e4, -26, 1e10)
  UNARY(erfinv, erfinv_wide, -0.9999999, 0.9999999, -0.99999999999, 0.99999999999)
  UNARY(erfcinv, erfcinv_wide, 1e-38, 1.99999, 1e-300, 1.9999999)
  UNARY(normcdf, normcdf_wide, -14, 6, -37.5, 9)
  UNARY(normcdfinv, normcdfinv_wide, 1e-38, 0.999999, 1e-300, 0.99999999)
  UNARY(tgamma, tgammal, 1e-30, 35, 1e-300, 171.6)
  UNARY(lgamma, lgammal, 1e-30, 1e30, 1e-300, 1e300)
}

static void exact_ones() {
  BINARY(fmod, fmodl, -1e38, 1e38, -1e308, 1e308)
  BINARY(remainder, remainderl, -1e38, 1e38, -1e308, 1e308)
}

// Arguments of all sizes: the C library reduces them by itself.
static void huge_angles() {
  worst s, c, t;
  for (int i = 0; i < kPoints; ++i) {
    const double x = anyhip::bits_as<double>((random_bits() >> 12) | ((1043 + random_bits() % 1003) << 52));
    s.take(error_in_ulp(__anyhip_sin(x), sinl(x), 53, -1074), x, 0);
    c.take(error_in_ulp(__anyhip_cos(x), cosl(x), 53, -1074), x, 0);
    t.take(error_in_ulp(__anyhip_tan(x), tanl(x), 53, -1074), x, 0);
  }
  worst s32, c32, t32;
  for (int i = 0; i < kPoints; ++i) {
    const float x = anyhip::bits_as<float>((u32)(random_bits() >> 41) | (u32)(150 + random_bits() % 105) << 23);
    s32.take(error_in_ulp(__anyhip_sinf(x), sinl(x), 24, -149), x, 0);
    c32.take(error_in_ulp(__anyhip_cosf(x), cosl(x), 24, -149), x, 0);
    t32.take(error_in_ulp(__anyhip_tanf(-x), tanl(-x), 24, -149), x, 0);
  }
  report("sin_huge", "f32", s32);
  report("cos_huge", "f32", c32);
  report("tan_huge", "f32", t32);
  report("sin_huge", "f64", s);
  report("cos_huge", "f64", c);
  report("tan_huge", "f64", t);
}

#define BESSEL(name, reference)                                                                              \
  {                                                                                                          \
    worst near32, far32, far64;                                                                              \
    for (int i = 0; i < kPoints; ++i) {                                                                      \
      const float a = (float)sample(1e-3, 8);                                                                \
      near32.take(fmin(error_in_ulp(__anyhip_##name##f(a), reference((wide)a), 24, -149),                    \
                       1e6 * (double)fabsl(__anyhip_##name##f(a) - reference((wide)a))), a, 0);              \
      const double b = sample(1e-3, 1000);                                                                   \
      far32.take((double)fabsl(__anyhip_##name##f((float)b) - reference((wide)(float)b)) * 1e6, b, 0);       \
      far64.take((double)(fabsl(__anyhip_##name(b) - reference((wide)b)) /                                   \
                          fmaxl(1, fabsl(reference((wide)b)))) * 1e12, b, 0);                                \
    }                                                                                                        \
    report(#name "_near", "f32", near32);                                                                    \
    report(#name "_abs", "f32", far32);                                                                      \
    report(#name "_abs", "f64", far64);                                                                      \
  }

static void bessel() {
  BESSEL(j0, j0l)
  BESSEL(j1, j1l)
  BESSEL(y0, y0l)
  BESSEL(y1, y1l)
}

int main() {
  elementary();
  angles();
  others();
  exact_ones();
  huge_angles();
  bessel();
  return 0;
}
