// The harness of the HIP programs: device buffers, timing with HIP events, checks.
#pragma once
#include <hip/hip_runtime.h>

#include "measure.hpp"

#define HIP_CHECK(call)                                                                                      \
    do {                                                                                                     \
        hipError_t error_ = (call);                                                                          \
        if (error_ != hipSuccess) {                                                                          \
            std::fprintf(stderr, "%s:%d %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorString(error_));    \
            std::exit(2);                                                                                    \
        }                                                                                                    \
    } while (0)

namespace bench {

template <class T> struct DevBuf {
    T *p = nullptr;
    size_t n = 0;

    explicit DevBuf(size_t count) : n(count) { HIP_CHECK(hipMalloc((void **)&p, n * sizeof(T))); }
    DevBuf(const std::vector<T> &host) : DevBuf(host.size()) { put(host); }
    DevBuf(const DevBuf &) = delete;
    ~DevBuf() { (void)hipFree(p); }

    void put(const std::vector<T> &host) {
        HIP_CHECK(hipMemcpy(p, host.data(), n * sizeof(T), hipMemcpyHostToDevice));
    }
    std::vector<T> get() const {
        std::vector<T> host(n);
        HIP_CHECK(hipMemcpy(host.data(), p, n * sizeof(T), hipMemcpyDeviceToHost));
        return host;
    }
};

inline bool close(double a, double b, double rtol, double atol = 0) {
    return std::fabs(a - b) <= atol + rtol * std::fabs(b);
}

template <class A, class B> bool allclose(const A &got, const B &want, double rtol, double atol) {
    if (got.size() != want.size())
        return false;
    for (size_t i = 0; i < got.size(); i++)
        if (!close(got[i], want[i], rtol, atol)) {
            std::fprintf(stderr, "mismatch at %zu: got %g want %g\n", i, (double)got[i], (double)want[i]);
            return false;
        }
    return true;
}

inline int &failures() {
    static int count = 0;
    return count;
}

// The program's exit code.
inline int finish() { return failures() ? 1 : 0; }

// Whether the command line asks for this kernel: it names it, or none.
inline bool wanted(int argc, char **argv, const char *kernel) {
    for (int i = 1; i < argc; i++)
        if (!std::strcmp(argv[i], kernel))
            return true;
    return argc < 2;
}

// Measure a kernel.
//   launch()   enqueues its whole sequence of launches
//   check(k)   whether the output is right after k sequences
//   scale      see bench::repeat
template <class Launch, class Check>
void run(const char *kernel, Launch launch, Check check, double scale = 1.0) {
    launch();
    HIP_CHECK(hipDeviceSynchronize());
    int count = 1;
    bool ok = check(count);
    launch(), count++;
    HIP_CHECK(hipDeviceSynchronize());
    hipEvent_t start, stop;
    HIP_CHECK(hipEventCreate(&start));
    HIP_CHECK(hipEventCreate(&stop));
    Samples samples = repeat(
        [&] {
            HIP_CHECK(hipEventRecord(start, 0));
            launch(), count++;
            HIP_CHECK(hipEventRecord(stop, 0));
            HIP_CHECK(hipEventSynchronize(stop));
            float ms = 0;
            HIP_CHECK(hipEventElapsedTime(&ms, start, stop));
            return 1e-3 * (double)ms;
        },
        scale);
    ok = check(count) && ok;
    failures() += !ok;
    samples.print(kernel, ok ? "ok" : "FAIL");
    (void)hipEventDestroy(start);
    (void)hipEventDestroy(stop);
}

} // namespace bench
