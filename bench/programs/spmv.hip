// spmv: CSR y = A*x, 65536 rows, 8..24 non-zeros a row (about 1M), float32, one thread per row
#include "bench.hpp"

__global__ void spmv(const int *__restrict__ ptr, const int *__restrict__ col, const float *__restrict__ val,
                     const float *__restrict__ x, float *__restrict__ y, int rows) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        float acc = 0.0f;
        for (int j = ptr[r]; j < ptr[r + 1]; ++j)
            acc += val[j] * x[col[j]];
        y[r] = acc;
    }
}

int main() {
    const int rows = 65536;
    std::vector<int> ptr(rows + 1, 0);
    for (int r = 0; r < rows; ++r)
        ptr[r + 1] = ptr[r] + 8 + (int)(bench::rnd(r, 16) % 17u);
    const int nnz = ptr[rows];
    std::vector<int> col(nnz);
    std::vector<float> val(nnz), x(rows), R(rows);
    for (int j = 0; j < nnz; ++j) {
        col[j] = (int)(bench::rnd(j, 17) & 65535u);
        val[j] = bench::u01(j, 18) - 0.5f;
    }
    for (int r = 0; r < rows; ++r)
        x[r] = bench::u01(r, 19);
    for (int r = 0; r < rows; ++r) {
        double a = 0;
        for (int j = ptr[r]; j < ptr[r + 1]; ++j)
            a += (double)val[j] * x[col[j]];
        R[r] = (float)a;
    }
    bench::DevBuf<int> dp(ptr), dc(col);
    bench::DevBuf<float> dv(val), dx(x), dy(rows);
    bench::run(
        "spmv",
        [&] {
            hipLaunchKernelGGL(spmv, dim3(rows / 256), dim3(256), 0, 0, (const int *)dp.p, (const int *)dc.p,
                               (const float *)dv.p, (const float *)dx.p, dy.p, rows);
        },
        [&](int k) {
            auto r = dy.get();
            return bench::allclose(r, R, 1e-4, 1e-4);
        });
    return bench::finish();
}
