#include <hip/hip_runtime.h>
#include <hipblas/hipblas.h>

void multiply(hipblasHandle_t h, hipDataType chosen, hipblasComputeType_t right) {
  hipblasGemmEx(h, HIPBLAS_OP_N, HIPBLAS_OP_T, m, n, k, a, A, HIP_R_16F, m, B, HIP_R_16F, n, b, C, HIP_R_32F, k, HIPBLAS_COMPUTE_32F,
               HIPBLAS_GEMM_DEFAULT);
  hipblasGemmEx(h, ta, tb, m, n, k, a, A, HIP_R_16F, m, B, HIP_R_16F, n, b, C, HIP_R_32F, k, chosen, algo);
  hipblasGemmEx(h, ta, tb, m, n, k, a, A, HIP_R_16F, m, B, HIP_R_16F, n, b, C, HIP_R_32F, k, right, algo);
  hipblasGemmBatchedEx(h, ta, tb, m, n, k, a, A, t, m, B, t, n, b, C, t, k, 8, HIPBLAS_COMPUTE_32F, algo);
  hipblasGemmStridedBatchedEx(h, ta, tb, m, n, k, a, A, t, m, 1, B, t, n, 1, b, C, t, k, 1, 8, HIPBLAS_COMPUTE_64F, algo);
  hipblasCgemm(h, ta, tb, m, n, k, a, A, m, B, n, b, C, k);
  hipblasDsyrk_64(h, uplo, ta, n, k, a, A, n, b, C, n);
  int CUDA_R_local = HIP_R_16BF;
}
