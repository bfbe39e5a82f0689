// shfl_reduce: sum of 16M float32 with __shfl_down, 512 elements per 256-thread block, three levels.
// Works for any warpSize (wave32, wave64); every warp takes part in both shuffle stages.
#include "bench.hpp"

__device__ inline float warp_sum(float v) {
    for (int o = warpSize / 2; o > 0; o >>= 1)
        v += __shfl_down(v, o);
    return v;
}

__global__ void shfl_reduce(const float *__restrict__ in, float *__restrict__ out, int n) {
    __shared__ float ws[256];
    int t = threadIdx.x;
    int lane = t % warpSize, wid = t / warpSize;
    int i = blockIdx.x * (blockDim.x * 2) + t;
    float v = 0.0f;
    if (i < n)
        v = in[i];
    if (i + (int)blockDim.x < n)
        v += in[i + blockDim.x];
    v = warp_sum(v);
    if (lane == 0)
        ws[wid] = v;
    __syncthreads();
    v = 0.0f;
    for (int w = lane; w < (int)(blockDim.x / warpSize); w += warpSize)
        v += ws[w];
    v = warp_sum(v);
    if (t == 0)
        out[blockIdx.x] = v;
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
        "shfl_reduce",
        [&] {
            hipLaunchKernelGGL(shfl_reduce, dim3(b1), dim3(256), 0, 0, (const float *)d.p, p1.p, n);
            hipLaunchKernelGGL(shfl_reduce, dim3(b2), dim3(256), 0, 0, (const float *)p1.p, p2.p, b1);
            hipLaunchKernelGGL(shfl_reduce, dim3(1), dim3(256), 0, 0, (const float *)p2.p, o.p, b2);
        },
        [&](int k) {
            auto r = o.get();
            return bench::close(r[0], ref, 1e-5);
        });
    return bench::finish();
}
