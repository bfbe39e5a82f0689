// saxpy: y = a*x + y, 16M float32
#include "bench.hpp"

__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

int main() {
    const int n = 1 << 24;
    const float a = 2.5f;
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; ++i) {
        x[i] = bench::u01(i, 1);
        y[i] = bench::u01(i, 2);
    }
    bench::DevBuf<float> dx(x), dy(y);
    bench::run(
        "saxpy",
        [&] { hipLaunchKernelGGL(saxpy, dim3(n / 256), dim3(256), 0, 0, n, a, (const float *)dx.p, dy.p); },
        [&](int k) {
            auto o = dy.get();
            std::vector<double> r(n);
            for (int i = 0; i < n; ++i)
                r[i] = y[i] + (double)k * a * x[i];
            return bench::allclose(o, r, 1e-5, 1e-5);
        });
    return bench::finish();
}
