// atomic_add: 1M float32 atomicAdd into 1024 global bins
#include "bench.hpp"

__global__ void atomic_add(const int *__restrict__ idx, const float *__restrict__ val, float *bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[idx[i]], val[i]);
}

int main() {
    const int n = 1 << 20;
    std::vector<int> idx(n);
    std::vector<float> val(n);
    std::vector<double> R(1024, 0.0);
    for (int i = 0; i < n; ++i) {
        idx[i] = (int)(bench::rnd(i, 14) & 1023u);
        val[i] = bench::u01(i, 15);
        R[idx[i]] += val[i];
    }
    bench::DevBuf<int> di(idx);
    bench::DevBuf<float> dv(val), b(1024);
    bench::run(
        "atomic_add",
        [&] {
            HIP_CHECK(hipMemsetAsync(b.p, 0, 1024 * 4, 0));
            hipLaunchKernelGGL(atomic_add, dim3(n / 256), dim3(256), 0, 0, (const int *)di.p,
                               (const float *)dv.p, b.p, n);
        },
        [&](int k) {
            auto r = b.get();
            return bench::allclose(r, R, 1e-4, 1e-3);
        });
    return bench::finish();
}
