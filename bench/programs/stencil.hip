// stencil: 2D 5-point average on 2048x2048 float32, borders copied; "stencil" from global memory,
// "stencil_lds" with an 18x18 LDS tile
#include "bench.hpp"

#define BS 16
__global__ void stencil(const float *__restrict__ in, float *__restrict__ out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int i = y * w + x;
    float c = in[i];
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
        c = 0.2f * (c + in[i - 1] + in[i + 1] + in[i - w] + in[i + w]);
    out[i] = c;
}

__global__ void stencil_lds(const float *__restrict__ in, float *__restrict__ out, int w, int h) {
    __shared__ float s[BS + 2][BS + 2];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * BS + tx, y = blockIdx.y * BS + ty, i = y * w + x;
    s[ty + 1][tx + 1] = in[i];
    if (tx == 0 && x > 0)
        s[ty + 1][0] = in[i - 1];
    if (tx == BS - 1 && x < w - 1)
        s[ty + 1][BS + 1] = in[i + 1];
    if (ty == 0 && y > 0)
        s[0][tx + 1] = in[i - w];
    if (ty == BS - 1 && y < h - 1)
        s[BS + 1][tx + 1] = in[i + w];
    __syncthreads();
    float c = s[ty + 1][tx + 1];
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
        c = 0.2f * (c + s[ty + 1][tx] + s[ty + 1][tx + 2] + s[ty][tx + 1] + s[ty + 2][tx + 1]);
    out[i] = c;
}

int main(int argc, char **argv) {
    const int w = 2048, h = 2048;
    std::vector<float> in(w * h), R(w * h);
    for (int i = 0; i < w * h; ++i)
        in[i] = bench::u01(i, 7);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int i = y * w + x;
            R[i] = in[i];
            if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
                R[i] = (float)(0.2 * ((double)in[i] + in[i - 1] + in[i + 1] + in[i - w] + in[i + w]));
        }
    bench::DevBuf<float> a(in), o(w * h);
    if (bench::wanted(argc, argv, "stencil"))
        bench::run(
            "stencil",
            [&] {
                hipLaunchKernelGGL(stencil, dim3(w / BS, h / BS), dim3(BS, BS), 0, 0, (const float *)a.p, o.p,
                                   w, h);
            },
            [&](int k) {
                auto r = o.get();
                return bench::allclose(r, R, 1e-5, 1e-6);
            });
    if (bench::wanted(argc, argv, "stencil_lds"))
        bench::run(
            "stencil_lds",
            [&] {
                hipLaunchKernelGGL(stencil_lds, dim3(w / BS, h / BS), dim3(BS, BS), 0, 0, (const float *)a.p,
                                   o.p, w, h);
            },
            [&](int k) {
                auto r = o.get();
                return bench::allclose(r, R, 1e-5, 1e-6);
            });
    return bench::finish();
}
