// blackscholes: 4M European options, float32, exp/log/sqrt/erf
#include "bench.hpp"

__device__ inline float cnd(float d) { return 0.5f * (1.0f + erff(d * 0.70710678118654752440f)); }
__global__ void blackscholes(const float *__restrict__ S, const float *__restrict__ X,
                             const float *__restrict__ T, float *__restrict__ call, float *__restrict__ put,
                             float r, float v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = S[i], x = X[i], t = T[i];
        float st = sqrtf(t);
        float d1 = (logf(s / x) + (r + 0.5f * v * v) * t) / (v * st);
        float d2 = d1 - v * st;
        float c1 = cnd(d1), c2 = cnd(d2);
        float e = expf(-r * t);
        call[i] = s * c1 - x * e * c2;
        put[i] = x * e * (1.0f - c2) - s * (1.0f - c1);
    }
}

int main() {
    const int n = 1 << 22;
    const float r = 0.02f, v = 0.30f;
    std::vector<float> S(n), X(n), T(n), RC(n), RP(n);
    for (int i = 0; i < n; ++i) {
        S[i] = 5.0f + 25.0f * bench::u01(i, 10);
        X[i] = 1.0f + 99.0f * bench::u01(i, 11);
        T[i] = 0.25f + 9.75f * bench::u01(i, 12);
        double s = S[i], x = X[i], t = T[i], st = std::sqrt(t), rr = r, vv = v;
        double d1 = (std::log(s / x) + (rr + 0.5 * vv * vv) * t) / (vv * st), d2 = d1 - vv * st;
        double c1 = 0.5 * std::erfc(-d1 * M_SQRT1_2), c2 = 0.5 * std::erfc(-d2 * M_SQRT1_2),
               e = std::exp(-rr * t);
        RC[i] = (float)(s * c1 - x * e * c2);
        RP[i] = (float)(x * e * (1 - c2) - s * (1 - c1));
    }
    bench::DevBuf<float> s(S), x(X), t(T), c(n), p(n);
    bench::run(
        "blackscholes",
        [&] {
            hipLaunchKernelGGL(blackscholes, dim3(n / 256), dim3(256), 0, 0, (const float *)s.p,
                               (const float *)x.p, (const float *)t.p, c.p, p.p, r, v, n);
        },
        [&](int k) {
            auto a = c.get(), b = p.get();
            return bench::allclose(a, RC, 1e-4, 1e-4) && bench::allclose(b, RP, 1e-4, 1e-4);
        });
    return bench::finish();
}
