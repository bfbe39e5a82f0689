// bitonic: 1M float32 keys sorted ascending in blocks of 512, 256 threads per block, keys in LDS
#include "bench.hpp"

#define NB 512
__global__ void bitonic(const float *__restrict__ in, float *__restrict__ out) {
    __shared__ float s[NB];
    int t = threadIdx.x, base = blockIdx.x * NB;
    s[t] = in[base + t];
    s[t + NB / 2] = in[base + t + NB / 2];
    for (int size = 2; size <= NB; size <<= 1) {
        for (int stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            int pos = 2 * t - (t & (stride - 1));
            int up = ((t & (size / 2)) == 0) || (size == NB);
            float a = s[pos], b = s[pos + stride];
            if ((a > b) == (up != 0)) {
                s[pos] = b;
                s[pos + stride] = a;
            }
        }
    }
    __syncthreads();
    out[base + t] = s[t];
    out[base + t + NB / 2] = s[t + NB / 2];
}

int main() {
    const int n = 1 << 20;
    std::vector<float> in(n), R;
    for (int i = 0; i < n; ++i)
        in[i] = bench::u01(i, 13);
    R = in;
    for (int b = 0; b < n; b += NB)
        std::sort(R.begin() + b, R.begin() + b + NB);
    bench::DevBuf<float> d(in), o(n);
    bench::run(
        "bitonic",
        [&] { hipLaunchKernelGGL(bitonic, dim3(n / NB), dim3(NB / 2), 0, 0, (const float *)d.p, o.p); },
        [&](int k) {
            auto r = o.get();
            return r == R;
        });
    return bench::finish();
}
