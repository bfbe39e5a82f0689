// daxpy: y = a*x + y, 8M float64
#include "bench.hpp"

__global__ void daxpy(int n, double a, const double *__restrict__ x, double *__restrict__ y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

int main() {
    const int n = 1 << 23;
    const double a = 2.5;
    std::vector<double> x(n), y(n);
    for (int i = 0; i < n; ++i) {
        x[i] = bench::u01(i, 1);
        y[i] = bench::u01(i, 2);
    }
    bench::DevBuf<double> dx(x), dy(y);
    bench::run(
        "daxpy",
        [&] { hipLaunchKernelGGL(daxpy, dim3(n / 256), dim3(256), 0, 0, n, a, (const double *)dx.p, dy.p); },
        [&](int k) {
            auto o = dy.get();
            std::vector<double> r(n);
            for (int i = 0; i < n; ++i)
                r[i] = y[i] + k * a * x[i];
            return bench::allclose(o, r, 1e-12, 1e-12);
        });
    return bench::finish();
}
