// scan: exclusive prefix sum of 1M float32, Blelloch in LDS, 512 elements per 256-thread block, three levels
// (2048, 4, 1 blocks)
#include "bench.hpp"

__global__ void scan_block(const float *__restrict__ in, float *__restrict__ out, float *__restrict__ sums,
                           int n) {
    __shared__ float s[512];
    int t = threadIdx.x, base = blockIdx.x * 512;
    s[2 * t] = (base + 2 * t < n) ? in[base + 2 * t] : 0.0f;
    s[2 * t + 1] = (base + 2 * t + 1 < n) ? in[base + 2 * t + 1] : 0.0f;
    int off = 1;
    for (int d = 256; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = off * (2 * t + 1) - 1, b = off * (2 * t + 2) - 1;
            s[b] += s[a];
        }
        off *= 2;
    }
    __syncthreads();
    if (t == 0) {
        sums[blockIdx.x] = s[511];
        s[511] = 0.0f;
    }
    for (int d = 1; d < 512; d *= 2) {
        off >>= 1;
        __syncthreads();
        if (t < d) {
            int a = off * (2 * t + 1) - 1, b = off * (2 * t + 2) - 1;
            float v = s[a];
            s[a] = s[b];
            s[b] += v;
        }
    }
    __syncthreads();
    if (base + 2 * t < n)
        out[base + 2 * t] = s[2 * t];
    if (base + 2 * t + 1 < n)
        out[base + 2 * t + 1] = s[2 * t + 1];
}

__global__ void scan_add(float *__restrict__ out, const float *__restrict__ sums, int n) {
    int t = threadIdx.x, i = blockIdx.x * 512 + 2 * t;
    float v = sums[blockIdx.x];
    if (i < n)
        out[i] += v;
    if (i + 1 < n)
        out[i + 1] += v;
}

int main() {
    const int n = 1 << 20, b1 = n / 512, b2 = (b1 + 511) / 512;
    std::vector<float> in(n), R(n);
    double acc = 0;
    for (int i = 0; i < n; ++i) {
        in[i] = (float)(bench::rnd(i, 9) & 3u);
        R[i] = (float)acc;
        acc += in[i];
    }
    bench::DevBuf<float> d(in), o(n), s1(b1), o1(b1), s2(b2), o2(b2), s3(1);
    bench::run(
        "scan",
        [&] {
            hipLaunchKernelGGL(scan_block, dim3(b1), dim3(256), 0, 0, (const float *)d.p, o.p, s1.p, n);
            hipLaunchKernelGGL(scan_block, dim3(b2), dim3(256), 0, 0, (const float *)s1.p, o1.p, s2.p, b1);
            hipLaunchKernelGGL(scan_block, dim3(1), dim3(256), 0, 0, (const float *)s2.p, o2.p, s3.p, b2);
            hipLaunchKernelGGL(scan_add, dim3(b2), dim3(256), 0, 0, o1.p, (const float *)o2.p, b1);
            hipLaunchKernelGGL(scan_add, dim3(b1), dim3(256), 0, 0, o.p, (const float *)o1.p, n);
        },
        [&](int k) {
            auto r = o.get();
            return r == R;
        });
    return bench::finish();
}
