// Quotients and products of numbers around the least normal one, against the host's with denormals flushed or kept.
#include <cmath>
#include <cstdio>
#include <hip/hip_runtime.h>

constexpr int count = 64;

__global__ void work(const float *a, const float *b, float *quotients, float *halves, float *roots) {
    int i = threadIdx.x;
    quotients[i] = a[i] / b[i];
    halves[i] = a[i] * 0.5f;
    roots[i] = sqrtf(a[i]);
}

static bool denormal(float x) { return std::fpclassify(x) == FP_SUBNORMAL; }

int main() {
    float *memory;
    if (hipMallocManaged(&memory, 5 * count * sizeof(float)))
        return 1;
    float *a = memory, *b = a + count, *quotients = b + count, *halves = quotients + count, *roots = halves + count;
    for (int i = 0; i < count; i++) {
        a[i] = std::ldexp(1.0f + i * 0.013f, i - 140 + (i > 32 ? 100 : 0));
        b[i] = 3.0f + i;
    }
    work<<<1, count>>>(a, b, quotients, halves, roots);
    if (hipDeviceSynchronize())
        return 1;
    int flushed = 0, kept = 0;
    for (int i = 0; i < count; i++) {
        float input = denormal(a[i]) ? 0 : a[i];
        float results[] = {quotients[i], halves[i], roots[i]};
        float ieee[] = {a[i] / b[i], a[i] * 0.5f, std::sqrt(a[i])};
        float zeros[] = {input / b[i], input * 0.5f, std::sqrt(input)};
        for (int k = 0; k < 3; k++) {
            flushed += results[k] != (denormal(zeros[k]) ? 0 : zeros[k]);
            kept += results[k] != ieee[k];
        }
    }
    std::printf("%s\n", !kept ? "kept" : !flushed ? "flushed" : "neither");
}
