// Measures one float function of the device library, compiled for the host, on every float there is:
// "exhaustive NAME [stride]" prints the worst error in ulp, its argument and the number of arguments.
//
// References are in double: the C library's, which are within 1 ulp of double, 2e-9 of float's; the library's own, which
// ulp.cpp measures, where C has none. Special values count: an infinity or a NaN in the wrong place is an infinite error.
#include "devicelib.hip"
#include "reference.h"
#include <stdlib.h>

static double rsqrt_double(double x) { return 1 / sqrt(x); }
static double rcbrt_double(double x) { return __anyhip_rcbrt(x); }
static double tgamma_double(double x) { return x < 0 && x == floor(x) ? (double)NAN : tgamma(x); }

struct function {
  const char* name;
  void (*single)(const float*, float*, int);
  double (*exact)(double);
};
#define ALL(apply)                                                                                           \
  apply(exp, exp) apply(exp2, exp2) apply(exp10, exp10) apply(expm1, expm1) apply(log, log)                  \
  apply(log2, log2) apply(log10, log10) apply(log1p, log1p) apply(sinh, sinh) apply(cosh, cosh)              \
  apply(tanh, tanh) apply(asinh, asinh) apply(acosh, acosh) apply(atanh, atanh) apply(sin, sin)              \
  apply(cos, cos) apply(tan, tan) apply(sinpi, __anyhip_sinpi) apply(cospi, __anyhip_cospi)                  \
  apply(asin, asin) apply(acos, acos) apply(atan, atan) apply(cbrt, cbrt) apply(rcbrt, rcbrt_double)         \
  apply(rsqrt, rsqrt_double) apply(erf, erf) apply(erfc, erfc) apply(erfcx, __anyhip_erfcx)                  \
  apply(erfinv, __anyhip_erfinv) apply(erfcinv, __anyhip_erfcinv) apply(normcdf, __anyhip_normcdf)           \
  apply(normcdfinv, __anyhip_normcdfinv) apply(tgamma, tgamma_double) apply(lgamma, __anyhip_lgamma)
#define LOOP(name, exact)                                                                                    \
  static void all_##name(const float* x, float* y, int n) {                                                  \
    for (int i = 0; i < n; ++i) y[i] = __anyhip_##name##f(x[i]);                                             \
  }
ALL(LOOP)
#define ROW(name, exact) {#name, all_##name, exact},
static const function kFunctions[] = {ALL(ROW)};

// lgamma's bound of HIP's conformance tests leaves out where it crosses zero again and again.
static bool counts(const function& f, float x) {
  return strcmp(f.name, "lgamma") != 0 || !(x > -11.0001f && x < -2.2637f);
}
static double distance(float got, double exact) {
  if (!(fabs(exact) < 0x1p120) || !(fabs(exact) > 0x1p-100)) return error_in_ulp(got, exact, 24, -149);
  const u64 exponent = anyhip::bits_as<u64>(exact) & 0x7ff0000000000000ull;
  const double unit = anyhip::bits_as<double>(exponent - (23ull << 52));
  return fabs((double)got - exact) / unit;
}

int main(int count, char** words) {
  const u64 stride = count > 2 ? strtoull(words[2], nullptr, 0) : 1;
  enum { kBlock = 4096 };
  static float x[kBlock], y[kBlock];
  for (const function& f : kFunctions) {
    if (count < 2 || strcmp(f.name, words[1]) != 0) continue;
    worst w;
    u64 seen = 0;
    for (u64 bits = 0; bits < (1ull << 32);) {
      int n = 0;
      for (; n < kBlock && bits < (1ull << 32); ++n, bits += stride) x[n] = anyhip::bits_as<float>((u32)bits);
      f.single(x, y, n);
      seen += n;
      for (int i = 0; i < n; ++i) {
        if (!counts(f, x[i])) continue;
        const double e = distance(y[i], f.exact((double)x[i]));
        if (!(e <= w.error)) w.take(e, x[i], 0);
      }
    }
    printf("%.4f %a %llu\n", w.error, w.x, seen);
    return 0;
  }
  fprintf(stderr, "exhaustive NAME [stride], NAME one of:");
  for (const function& f : kFunctions) fprintf(stderr, " %s", f.name);
  fprintf(stderr, "\n");
  return 1;
}
