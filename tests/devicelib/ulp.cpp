// Measures the device library, compiled for the host, against long double: one line a function,
// "name width worst_error_in_ulp worst_argument".
#include "devicelib.hip"
#include "reference.h"

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
#define INVERSE(name, reference, low32, high32, low64, high64)                                               \
  {                                                                                                          \
    worst f, d;                                                                                              \
    for (int i = 0; i < kPoints; ++i) {                                                                      \
      const float a = (float)sample(low32, high32);                                                          \
      const float got = __anyhip_##name##f(a);                                                               \
      f.take(error_in_ulp(got, reference((wide)a, (wide)__anyhip_##name((double)a)), 24, -149), a, 0);       \
      const double b = sample(low64, high64), got64 = __anyhip_##name(b);                                    \
      d.take(error_in_ulp(got64, reference((wide)b, (wide)got64), 53, -1074), b, 0);                         \
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

#include "functions.h"

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
  exponentials();
  angles();
  others();
  exact_ones();
  huge_angles();
  bessel();
  return 0;
}
