#include <hip/hip_runtime.h>
#include <rocblas/rocblas.h>
#include <hip/hip_fp16.h>
void scale(rocblas_handle h, rocsparse_handle s, float *x, rocblas_half *y, hipStream_t q)
{
    rocblas_set_stream(h, q);
    rocblas_sscal(h, 4, &alpha, x, 1);
    rocsparse_sgpsv_interleaved_batch(s, 0, m, ds, dl, d, du, dw, x, count(1, 2), count(1, 2), buffer);
    rocsparse_scsrgeam(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18);
    miopenSoftmaxForward_V2(a0, a3, a4, a5, a6, a7, a8, algorithm, mode);
}
