#ifndef THING_H
#define THING_H
#ifdef __CUDACC__
#define BOTH __host__ __device__
#endif
#if defined(__CUDA_ARCH__) || !defined __CUDA_ARCH__
#endif
#ifdef __CUDA_ARCH__
#endif
#if __CUDA_ARCH__ >= 600 && defined(__CUDA_ARCH__)
#endif
#if CUDART_VERSION >= 11000
#endif
#ifdef __DRIVER_TYPES_H__
static const char *name(cudaError_t e) { return cudaGetErrorName(e); }
#endif
void CUDART_CB host_part(void *data);
#define GEMM(T) cublas##T##gemm
#endif
