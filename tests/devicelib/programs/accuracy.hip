// Measures the maths functions on the device against long double on the host and compares with HIP's bounds. One line a
// function: its name, its type, the largest error in ulp and the argument, the bound. Exit code 1 where a bound is broken.
//
//     hipcc accuracy.hip -o accuracy && ./accuracy [bounds.tsv [points [group…]]]
//
// Sampled for float (4,096 arguments) and double (2,048), all arguments there are for __half and __hip_bfloat16. Rows of the
// __ intrinsics count as HIP's documentation does: the error of the argument where it is largest in absolute terms.
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <map>
#include <string>
#include <vector>

#include "../reference.h"

#define HIP(call)                                                              \
  do {                                                                         \
    const hipError_t error = (call);                                           \
    if (error != hipSuccess) {                                                 \
      printf("line %d: %s\n", __LINE__, hipGetErrorName(error));               \
      exit(2);                                                                 \
    }                                                                          \
  } while (0)

// -- the device's side
template <typename F, typename T> __global__ void unary(const T* x, T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = F::value(x[i]);
}
template <typename F, typename T> __global__ void binary(const T* x, const T* x2, T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = F::value(x[i], x2[i]);
}

template <typename T> struct Column {
  T* data = nullptr;
  explicit Column(size_t n) { HIP(hipMalloc(&data, n * sizeof(T))); }
  explicit Column(const std::vector<T>& v) : Column(v.size()) {
    HIP(hipMemcpy(data, v.data(), v.size() * sizeof(T), hipMemcpyHostToDevice));
  }
  Column(const Column&) = delete;
  ~Column() { (void)hipFree(data); }
  std::vector<T> fetch(size_t n) const {
    std::vector<T> v(n);
    HIP(hipMemcpy(v.data(), data, n * sizeof(T), hipMemcpyDeviceToHost));
    return v;
  }
};
template <typename F, typename T> std::vector<T> on_device(const std::vector<T>& x) {
  const int n = (int)x.size();
  const Column<T> in(x), out(x.size());
  unary<F, T><<<(n + 255) / 256, 256>>>(in.data, out.data, n);
  HIP(hipGetLastError());
  return out.fetch(x.size());
}
template <typename F, typename T> std::vector<T> on_device(const std::vector<T>& x, const std::vector<T>& x2) {
  const int n = (int)x.size();
  const Column<T> in(x), in2(x2), out(x.size());
  binary<F, T><<<(n + 255) / 256, 256>>>(in.data, in2.data, out.data, n);
  HIP(hipGetLastError());
  return out.fetch(x.size());
}

// -- bounds and the report
static std::map<std::string, double> bounds;  // "name type"
static bool broken;
static int points = 4096;

static void read_bounds(const std::string& path) {
  FILE* file = fopen(path.c_str(), "r");
  if (file == nullptr) {
    printf("cannot read %s\n", path.c_str());
    exit(2);
  }
  char line[400], name[64], cell[4][32];
  while (fgets(line, sizeof line, file) != nullptr) {
    if (line[0] == '#') continue;
    const int n = sscanf(line, "%63s %31s %31s %31s %31s", name, cell[0], cell[1], cell[2], cell[3]);
    static const char* const kTypes[] = {"f32", "f64", "f16", "bf16"};
    for (int i = 0; i + 1 < n; ++i) {
      char* end;
      const double value = strtod(cell[i], &end);
      if (end != cell[i]) bounds[std::string(name) + " " + kTypes[i]] = value;
    }
  }
  fclose(file);
}
static void report(const char* name, const char* type, const worst& w) {
  const auto found = bounds.find(std::string(name) + " " + type);
  const bool bad = found == bounds.end() || !(w.error <= found->second);
  broken |= bad;
  printf("%-16s %-4s %8.4f %-24a bound %s%s\n", name, type, w.error, w.x,
         found == bounds.end() ? "?" : std::to_string(found->second).substr(0, 5).c_str(), bad ? " BROKEN" : "");
}

template <typename T> struct format;
template <> struct format<float> { static constexpr int digits = 24, lowest = -149, points = 1; static constexpr const char* name = "f32"; };
template <> struct format<double> { static constexpr int digits = 53, lowest = -1074, points = 2; static constexpr const char* name = "f64"; };
template <> struct format<__half> { static constexpr int digits = 11, lowest = -24; static constexpr const char* name = "f16"; };
template <> struct format<__hip_bfloat16> { static constexpr int digits = 8, lowest = -133; static constexpr const char* name = "bf16"; };

template <typename T> double distance(T got, wide exact) {
  return error_in_ulp((double)(T)got, exact, format<T>::digits, format<T>::lowest);
}
template <typename F, typename T, typename R> void measure(const char* name, double low, double high, R reference) {
  std::vector<T> x(points / format<T>::points);
  for (T& v : x) v = (T)sample(low, high);
  const std::vector<T> y = on_device<F>(x);
  worst w;
  for (size_t i = 0; i < x.size(); ++i) w.take(distance(y[i], reference((wide)x[i], (wide)y[i])), x[i], 0);
  report(name, format<T>::name, w);
}
template <typename F, typename T, typename R> void measure2(const char* name, double low, double high, R reference) {
  std::vector<T> x(points / format<T>::points), x2(x.size());
  for (size_t i = 0; i < x.size(); ++i) x[i] = (T)sample(low, high), x2[i] = (T)sample(low, high);
  const std::vector<T> y = on_device<F>(x, x2);
  worst w;
  for (size_t i = 0; i < x.size(); ++i) w.take(distance(y[i], reference((wide)x[i], (wide)x2[i])), x[i], x2[i]);
  report(name, format<T>::name, w);
}
// Every number of a 16-bit type. Their functions overflow to infinity where the exact value is beyond the largest number.
template <typename F, typename T, typename R> void measure_all(const char* name, R reference) {
  std::vector<T> x(65536);
  for (unsigned i = 0; i < 65536; ++i) {
    const unsigned short bits = (unsigned short)i;
    memcpy(&x[i], &bits, sizeof bits);
  }
  const std::vector<T> y = on_device<F>(x);
  const wide limit = ldexpl(2 - ldexpl(1, 1 - format<T>::digits), format<T>::digits == 11 ? 15 : 127);
  worst w;
  for (size_t i = 0; i < x.size(); ++i) {
    const wide exact = reference((wide)(float)x[i]);
    const double got = (double)(float)y[i];
    const bool overflow = isinf(got) && fabsl(exact) > limit && (got > 0) == (exact > 0);
    w.take(overflow ? 0 : distance(y[i], exact), (double)(float)x[i], 0);
  }
  report(name, format<T>::name, w);
}
// As HIP's documentation measures the intrinsics; or the largest absolute error, in millionths.
template <typename F, typename R>
void measure_intrinsic(const char* name, double low, double high, R reference, bool absolute = false) {
  std::vector<float> x(points);
  for (float& v : x) v = (float)sample(low, high);
  const std::vector<float> y = on_device<F>(x);
  wide largest = -1;
  worst w;
  for (size_t i = 0; i < x.size(); ++i) {
    const wide exact = reference((wide)x[i]), off = fabsl((wide)y[i] - exact);
    if (off <= largest) continue;
    largest = off;
    w = worst();
    w.take(absolute ? 1e6 * (double)off : distance(y[i], exact), x[i], 0);
  }
  report(name, "f32", w);
}

// -- what is measured
#define STRUCT1(name, T, call) struct name { static __device__ T value(T x) { return call; } };
#define STRUCT2(name, T, call) struct name { static __device__ T value(T x, T y) { return call; } };
#define WITH(reference) [](wide x, wide) { return reference(x); }
#define BOTH1(name, reference, low32, high32, low64, high64)                            \
  {                                                                                     \
    STRUCT1(S, float, name##f(x)) STRUCT1(D, double, name(x))                           \
    measure<S, float>(#name, low32, high32, reference);                                 \
    measure<D, double>(#name, low64, high64, reference);                                \
  }
#define UNARY(name, reference, low32, high32, low64, high64) BOTH1(name, WITH(reference), low32, high32, low64, high64)
#define INVERSE(name, reference, low32, high32, low64, high64) BOTH1(name, reference, low32, high32, low64, high64)
#define BINARY(name, reference, low32, high32, low64, high64)                           \
  {                                                                                     \
    STRUCT2(S, float, name##f(x, y)) STRUCT2(D, double, name(x, y))                     \
    measure2<S, float>(#name, low32, high32, reference);                                \
    measure2<D, double>(#name, low64, high64, reference);                               \
  }
#define SMALL(name, reference)                                                          \
  {                                                                                     \
    STRUCT1(H, __half, h##name(x)) STRUCT1(B, __hip_bfloat16, h##name(x))               \
    measure_all<H, __half>("h" #name, reference);                                       \
    measure_all<B, __hip_bfloat16>("h" #name, reference);                               \
  }
#define INTRINSIC(name, reference, low, high)                                           \
  {                                                                                     \
    STRUCT1(S, float, name(x))                                                          \
    measure_intrinsic<S>(#name, low, high, reference);                                  \
  }
#define ABSOLUTE(name, reference, low, high)                                            \
  {                                                                                     \
    STRUCT1(S, float, name(x))                                                          \
    measure_intrinsic<S>(#name "_abs", low, high, reference, true);                     \
  }
static wide rcp_wide(wide x) { return 1 / x; }

#include "../functions.h"

static void sixteen_bits() {
  SMALL(sqrt, sqrtl)
  SMALL(rsqrt, rsqrt_wide)
  SMALL(rcp, rcp_wide)
  SMALL(exp, expl)
  SMALL(exp2, exp2l)
  SMALL(exp10, exp10_wide)
  SMALL(log, logl)
  SMALL(log2, log2l)
  SMALL(log10, log10l)
  SMALL(sin, sinl)
  SMALL(cos, cosl)
  SMALL(tanh, tanhl)
  SMALL(ceil, ceill)
  SMALL(floor, floorl)
  SMALL(trunc, truncl)
  SMALL(rint, rintl)
}
static void intrinsics() {
  INTRINSIC(__expf, expl, -10, 10)
  INTRINSIC(__exp10f, exp10_wide, -4, 4)
  INTRINSIC(__logf, logl, 1e-6, 1e6)
  INTRINSIC(__log2f, log2l, 1e-6, 1e6)
  INTRINSIC(__log10f, log10l, 1e-6, 1e6)
  ABSOLUTE(__sinf, sinl, -3.1415926, 3.1415926)
  ABSOLUTE(__cosf, cosl, -3.1415926, 3.1415926)
  INTRINSIC(__tanf, tanl, -4.618, 4.618)
  INTRINSIC(__frcp_rn, rcp_wide, -100, 100)
  INTRINSIC(__frsqrt_rn, rsqrt_wide, 0.01, 100)
  INTRINSIC(__fsqrt_rn, sqrtl, 0, 100)
}

int main(int count, char** words) {
  std::string path = __FILE__;
  path = path.substr(0, path.find_last_of('/') + 1) + "../bounds.tsv";
  read_bounds(count > 1 ? words[1] : path);
  if (count > 2) points = atoi(words[2]);
  const struct {
    const char* name;
    void (*run)();
  } groups[] = {{"exponentials", exponentials}, {"angles", angles}, {"others", others},
                {"intrinsics", intrinsics}, {"sixteen_bits", sixteen_bits}};
  for (const auto& group : groups) {
    bool wanted = count <= 3;
    for (int i = 3; i < count; ++i) wanted |= strcmp(words[i], group.name) == 0;
    if (wanted) group.run();
  }
  printf(broken ? "bounds are broken\n" : "all right\n");
  return broken;
}
