// reduce: sum of 16M float32, LDS tree with __syncthreads, 512 elements per 256-thread block, three levels
#include "bench.hpp"

__global__ void reduce(const float *__restrict__ in, float *__restrict__ out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * (blockDim.x * 2) + t;
    float v = 0.0f;
    if (i < n)
        v = in[i];
    if (i + (int)blockDim.x < n)
        v += in[i + blockDim.x];
    s[t] = v;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

int main() {
    const int n = 1 << 24, b1 = n / 512, b2 = (b1 + 511) / 512;
    std::vector<float> in(n);
    double ref = 0;
    for (int i = 0; i < n; ++i) {
        in[i] = bench::u01(i, 3);
        ref += in[i];
    }
    bench::DevBuf<float> d(in), p1(b1), p2(b2), o(1);
    bench::run(
        "reduce",
        [&] {
            hipLaunchKernelGGL(reduce, dim3(b1), dim3(256), 0, 0, (const float *)d.p, p1.p, n);
            hipLaunchKernelGGL(reduce, dim3(b2), dim3(256), 0, 0, (const float *)p1.p, p2.p, b1);
            hipLaunchKernelGGL(reduce, dim3(1), dim3(256), 0, 0, (const float *)p2.p, o.p, b2);
        },
        [&](int k) {
            auto r = o.get();
            return bench::close(r[0], ref, 1e-5);
        });
    return bench::finish();
}
