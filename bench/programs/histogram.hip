// histogram: 256 bins over 16M uint8, LDS atomics, 256 blocks x 256 threads, grid stride
#include "bench.hpp"

__global__ void histogram(const unsigned char *__restrict__ data, unsigned int *__restrict__ bins, int n) {
    __shared__ unsigned int h[256];
    int t = threadIdx.x;
    h[t] = 0u;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&h[data[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[t], h[t]);
}

int main() {
    const int n = 1 << 24;
    std::vector<unsigned char> d(n);
    std::vector<unsigned int> R(256, 0u);
    for (int i = 0; i < n; ++i) {
        d[i] = (unsigned char)(bench::rnd(i, 8) & 255u);
        ++R[d[i]];
    }
    bench::DevBuf<unsigned char> a(d);
    bench::DevBuf<unsigned int> b(256);
    bench::run(
        "histogram",
        [&] {
            HIP_CHECK(hipMemsetAsync(b.p, 0, 256 * 4, 0));
            hipLaunchKernelGGL(histogram, dim3(256), dim3(256), 0, 0, (const unsigned char *)a.p, b.p, n);
        },
        [&](int k) {
            auto r = b.get();
            return r == R;
        });
    return bench::finish();
}
