// transpose: 2048x2048 float32 through a 32x33 LDS tile, 32x8 threads
#include "bench.hpp"

#define TD 32
#define TR 8
__global__ void transpose(const float *__restrict__ in, float *__restrict__ out, int w, int h) {
    __shared__ float tile[TD][TD + 1];
    int x = blockIdx.x * TD + threadIdx.x, y = blockIdx.y * TD + threadIdx.y;
    for (int j = 0; j < TD; j += TR)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * TD + threadIdx.x;
    y = blockIdx.x * TD + threadIdx.y;
    for (int j = 0; j < TD; j += TR)
        out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
    const int w = 2048, h = 2048;
    std::vector<float> in(w * h), R(w * h);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            in[y * w + x] = (float)(y * w + x);
            R[x * h + y] = (float)(y * w + x);
        }
    bench::DevBuf<float> a(in), o(w * h);
    bench::run(
        "transpose",
        [&] {
            hipLaunchKernelGGL(transpose, dim3(w / TD, h / TD), dim3(TD, TR), 0, 0, (const float *)a.p, o.p,
                               w, h);
        },
        [&](int k) {
            auto r = o.get();
            return r == R;
        });
    return bench::finish();
}
