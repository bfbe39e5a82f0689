#include <cublas_v2.h>
#include <cuda_fp16.h>
void scale(cublasHandle_t h, cusparseHandle_t s, float *x, __half *y, cudaStream_t q)
{
    cublasSetStream(h, q);
    cublasSscal(h, 4, &alpha, x, 1);
    cusparseSgpsvInterleavedBatch(s, 0, m, ds, dl, d, du, dw, x, count(1, 2), buffer);
    cusparseScsrgeam2(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
    cudnnSoftmaxForward(a0, algorithm, mode, a3, a4, a5, a6, a7, a8);
}
