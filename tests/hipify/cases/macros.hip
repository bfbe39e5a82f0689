#ifndef THING_H
#define THING_H
#include <hip/hip_runtime.h>
#ifdef __HIPCC__
#define BOTH __host__ __device__
#endif
#if defined(__HIP_DEVICE_COMPILE__) || !defined __HIP_DEVICE_COMPILE__
#endif
#ifdef __HIP_DEVICE_COMPILE__
#endif
#if __CUDA_ARCH__ >= 600 && defined(__CUDA_ARCH__)
#endif
#if CUDART_VERSION >= 11000
#endif
#ifdef HIP_INCLUDE_HIP_DRIVER_TYPES_H
static const char *name(hipError_t e) { return hipGetErrorName(e); }
#endif
void host_part(void *data);
#define GEMM(T) hipblas##T##gemm
#endif
