// matmul: C = A*B, square float32, 16x16 LDS tiles; sizes 512 and 1024
#include "bench.hpp"

#define TILE 16
__global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                       int n) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float acc = 0.0f;
    for (int t = 0; t < n / TILE; ++t) {
        As[ty][tx] = A[row * n + t * TILE + tx];
        Bs[ty][tx] = B[(t * TILE + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = acc;
}

static void one(int n, const char *name) {
    std::vector<float> A(n * n), B(n * n), R(n * n);
    for (int i = 0; i < n * n; ++i) {
        A[i] = bench::u01(i, 4) - 0.5f;
        B[i] = bench::u01(i, 5) - 0.5f;
    }
    for (int i = 0; i < n; ++i) { // host reference
        std::vector<double> r(n, 0.0);
        for (int k = 0; k < n; ++k) {
            double a = A[i * n + k];
            for (int j = 0; j < n; ++j)
                r[j] += a * B[k * n + j];
        }
        for (int j = 0; j < n; ++j)
            R[i * n + j] = (float)r[j];
    }
    bench::DevBuf<float> a(A), b(B), c(n * n);
    bench::run(
        name,
        [&] {
            hipLaunchKernelGGL(matmul, dim3(n / TILE, n / TILE), dim3(TILE, TILE), 0, 0, (const float *)a.p,
                               (const float *)b.p, c.p, n);
        },
        [&](int k) {
            auto o = c.get();
            return bench::allclose(o, R, 1e-4, 1e-3);
        });
}

int main(int argc, char **argv) {
    if (bench::wanted(argc, argv, "matmul512"))
        one(512, "matmul512");
    if (bench::wanted(argc, argv, "matmul1024"))
        one(1024, "matmul1024");
    return bench::finish();
}
