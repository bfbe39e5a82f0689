// copy: 1 GiB to the device, back, and within it, with the C library's memcpy beside it. Usage: copy [MIB]
#include "bench.hpp"

static void line(const char *name, std::vector<double> seconds, bool ok) {
    bench::Samples samples;
    for (double s : seconds)
        samples.add(s, s, 0);
    samples.print(name, ok ? "ok" : "FAIL");
}

int main(int argc, char **argv) {
    const size_t bytes = (size_t)(argc > 1 ? std::atoi(argv[1]) : 1024) << 20;
    std::vector<char> a(bytes), b(bytes);
    for (size_t i = 0; i < bytes; i++)
        a[i] = (char)(i * 31 >> 3);
    bench::DevBuf<char> d(bytes), e(bytes);
    std::vector<double> host, up, down, across;
    auto timed = [](std::vector<double> &into, auto &&work) {
        double start = bench::now();
        work();
        into.push_back(bench::now() - start);
    };
    const int runs = (int)bench::setting("BENCH_RUNS", 5);
    for (int run = -1; run < runs; run++) { // interleaved; the first touches the pages
        timed(host, [&] { std::memcpy(b.data(), a.data(), bytes); });
        timed(up, [&] { HIP_CHECK(hipMemcpy(d.p, a.data(), bytes, hipMemcpyHostToDevice)); });
        timed(across, [&] {
            HIP_CHECK(hipMemcpy(e.p, d.p, bytes, hipMemcpyDeviceToDevice));
            HIP_CHECK(hipDeviceSynchronize());
        });
        timed(down, [&] { HIP_CHECK(hipMemcpy(b.data(), e.p, bytes, hipMemcpyDeviceToHost)); });
        if (run < 0) {
            host.clear(), up.clear(), across.clear(), down.clear();
            HIP_CHECK(hipMemset(e.p, 0, 64));
            HIP_CHECK(hipMemcpy(e.p, d.p, 64, hipMemcpyDeviceToDevice));
        }
    }
    bool ok = a == b;
    line("memcpy", host, ok);
    line("copy_to_device", up, ok);
    line("copy_on_device", across, ok);
    line("copy_to_host", down, ok);
    return !ok;
}
