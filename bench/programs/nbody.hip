// nbody: all-pairs gravity, 4096 bodies, float32, rsqrt; "nbody" reads global memory, "nbody_lds" stages
// 256-body tiles in LDS
#include "bench.hpp"

#define EPS2 0.01f
__global__ void nbody(const float4 *__restrict__ p, float4 *__restrict__ acc, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = p[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int j = 0; j < n; ++j) {
        float4 o = p[j];
        float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
        float inv = rsqrtf(dx * dx + dy * dy + dz * dz + EPS2);
        float s = o.w * inv * inv * inv;
        ax += dx * s;
        ay += dy * s;
        az += dz * s;
    }
    acc[i] = make_float4(ax, ay, az, 0.0f);
}

__global__ void nbody_lds(const float4 *__restrict__ p, float4 *__restrict__ acc, int n) {
    __shared__ float4 tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = p[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int t = 0; t < n; t += blockDim.x) {
        tile[threadIdx.x] = p[t + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < (int)blockDim.x; ++j) {
            float4 o = tile[j];
            float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
            float inv = rsqrtf(dx * dx + dy * dy + dz * dz + EPS2);
            float s = o.w * inv * inv * inv;
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        __syncthreads();
    }
    acc[i] = make_float4(ax, ay, az, 0.0f);
}

int main(int argc, char **argv) {
    const int n = 4096;
    std::vector<float> f(4 * n), R(4 * n, 0.0f);
    for (int i = 0; i < n; ++i) {
        for (int c = 0; c < 3; ++c)
            f[4 * i + c] = 2.0f * bench::u01(4 * i + c, 6) - 1.0f;
        f[4 * i + 3] = bench::u01(4 * i + 3, 6) / n;
    }
    for (int i = 0; i < n; ++i) { // host reference
        double a[3] = {0, 0, 0};
        for (int j = 0; j < n; ++j) {
            double dx = (double)f[4 * j] - f[4 * i], dy = (double)f[4 * j + 1] - f[4 * i + 1],
                   dz = (double)f[4 * j + 2] - f[4 * i + 2];
            double inv = 1.0 / std::sqrt(dx * dx + dy * dy + dz * dz + (double)EPS2),
                   s = f[4 * j + 3] * inv * inv * inv;
            a[0] += dx * s;
            a[1] += dy * s;
            a[2] += dz * s;
        }
        for (int c = 0; c < 3; ++c)
            R[4 * i + c] = (float)a[c];
    }
    bench::DevBuf<float> p(f), o(4 * n);
    const float4 *pp = (const float4 *)p.p;
    float4 *oo = (float4 *)o.p;
    if (bench::wanted(argc, argv, "nbody"))
        bench::run(
            "nbody", [&] { hipLaunchKernelGGL(nbody, dim3(n / 256), dim3(256), 0, 0, pp, oo, n); },
            [&](int k) {
                auto r = o.get();
                return bench::allclose(r, R, 1e-3, 1e-4);
            });
    if (bench::wanted(argc, argv, "nbody_lds"))
        bench::run(
            "nbody_lds", [&] { hipLaunchKernelGGL(nbody_lds, dim3(n / 256), dim3(256), 0, 0, pp, oo, n); },
            [&](int k) {
                auto r = o.get();
                return bench::allclose(r, R, 1e-3, 1e-4);
            });
    return bench::finish();
}
