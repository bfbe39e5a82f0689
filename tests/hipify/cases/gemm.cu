#include <cublas_v2.h>

void multiply(cublasHandle_t h, cudaDataType_t chosen, cublasComputeType_t right) {
  cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, a, A, CUDA_R_16F, m, B, CUDA_R_16F, n, b, C, CUDA_R_32F, k, CUDA_R_32F,
               CUBLAS_GEMM_DEFAULT);
  cublasGemmEx(h, ta, tb, m, n, k, a, A, CUDA_R_16F, m, B, CUDA_R_16F, n, b, C, CUDA_R_32F, k, chosen, algo);
  cublasGemmEx(h, ta, tb, m, n, k, a, A, CUDA_R_16F, m, B, CUDA_R_16F, n, b, C, CUDA_R_32F, k, right, algo);
  cublasGemmBatchedEx(h, ta, tb, m, n, k, a, A, t, m, B, t, n, b, C, t, k, 8, CUBLAS_COMPUTE_32F, algo);
  cublasGemmStridedBatchedEx(h, ta, tb, m, n, k, a, A, t, m, 1, B, t, n, 1, b, C, t, k, 1, 8, CUDA_C_64F, algo);
  cublasCgemm(h, ta, tb, m, n, k, a, A, m, B, n, b, C, k);
  cublasDsyrk_64(h, uplo, ta, n, k, a, A, n, b, C, n);
  int CUDA_R_local = CUDA_R_16BF;
}
