// launch: time of one small kernel launch (1 block of 64 threads writing 64 ints), 1000 launches back to back
// then one wait
#include "bench.hpp"

__global__ void tick(int *p, int v) { p[threadIdx.x] = v; }
int main() {
    bench::DevBuf<int> o(64);
    bench::run(
        "launch",
        [&] {
            for (int i = 0; i < 1000; ++i)
                hipLaunchKernelGGL(tick, dim3(1), dim3(64), 0, 0, o.p, i);
        },
        [&](int k) {
            auto r = o.get();
            return std::all_of(r.begin(), r.end(), [](int v) { return v == 999; });
        },
        1e-3);
    return bench::finish();
}
