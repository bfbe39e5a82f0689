#include "check.h"
#include <cmath>

// Functions on the device against the host's: enough of them to exercise what differs from a host build of the
// device library, which tests/devicelib measures whole.
#define FUNCTIONS(apply) \
  apply(sin) apply(tanh) apply(exp) apply(log) apply(cbrt) apply(erf) apply(round) apply(sqrt) apply(logb)

#define KERNELS(name)                                                                                            \
  __global__ void device_##name(float* f, double* d) {                                                           \
    f[threadIdx.x] = name(f[threadIdx.x]);                                                                       \
    d[threadIdx.x] = std::name(d[threadIdx.x]);                                                                  \
  }
FUNCTIONS(KERNELS)

__global__ void others(float* f, double* d) {
  const float x = f[1];
  const double y = d[1];
  f[0] = powf(x, 3.5f), f[1] = atan2f(x, -2.f), f[2] = hypotf(x, 3.f), f[3] = fmodf(7.5f, x), f[4] = rsqrtf(x);
  f[5] = std::pow(x, 3), f[6] = ldexpf(x, 5), f[7] = fmaf(x, x, x), f[8] = remainderf(7.5f, x), f[9] = fdimf(x, 0.1f);
  d[0] = pow(y, 3.5), d[1] = atan2(y, -2.), d[2] = hypot(y, 3.), d[3] = fmod(7.5, y), d[4] = rsqrt(y);
  d[5] = std::pow(y, 3), d[6] = ldexp(y, 5), d[7] = fma(y, y, y), d[8] = remainder(7.5, y), d[9] = fdim(y, 0.1);
}

static const int kCount = 64;
static float host_f[kCount], got_f[kCount], *device_f;
static double host_d[kCount], got_d[kCount], *device_d;
static int bad;

static void load() {
  for (int i = 0; i < kCount; ++i) host_f[i] = host_d[i] = (i + 0.5f) / kCount;
  HIP(hipMemcpy(device_f, host_f, sizeof host_f, hipMemcpyHostToDevice));
  HIP(hipMemcpy(device_d, host_d, sizeof host_d, hipMemcpyHostToDevice));
}
static void fetch() {
  HIP(hipMemcpy(got_f, device_f, sizeof got_f, hipMemcpyDeviceToHost));
  HIP(hipMemcpy(got_d, device_d, sizeof got_d, hipMemcpyDeviceToHost));
}
static void compare(const char* name, int i, double exact_f, double exact_d) {
  const double unit_f = std::nextafter(std::fabs((float)exact_f), INFINITY) - std::fabs((float)exact_f);
  const double unit_d = std::nextafter(std::fabs(exact_d), INFINITY) - std::fabs(exact_d);
  if (std::fabs(got_f[i] - exact_f) <= 1.5 * unit_f && std::fabs(got_d[i] - exact_d) <= 3 * unit_d) return;
  printf("%s of number %d: %.9g for %.9g, %.17g for %.17g\n", name, i, got_f[i], exact_f, got_d[i], exact_d);
  bad = 1;
}

int main() {
  HIP(hipMalloc(&device_f, sizeof host_f));
  HIP(hipMalloc(&device_d, sizeof host_d));
#define RUN(name)                                                                                                \
  load();                                                                                                        \
  device_##name<<<1, kCount>>>(device_f, device_d);                                                              \
  fetch();                                                                                                       \
  for (int i = 0; i < kCount; ++i) compare(#name, i, std::name((double)host_f[i]), std::name(host_d[i]));
  FUNCTIONS(RUN)
  load();
  const double x = host_f[1];
  others<<<1, 1>>>(device_f, device_d);
  fetch();
  const double exact[] = {pow(x, 3.5),  atan2(x, -2), hypot(x, 3),    fmod(7.5, x),      1 / sqrt(x),
                          pow(x, 3),    ldexp(x, 5),  fma(x, x, x),   remainder(7.5, x), 0};
  for (int i = 0; i < 9; ++i) compare("others", i, exact[i], exact[i]);
  if (!bad) printf("all right\n");
  return bad;
}
