// Platform macros. One host pass serves every vendor, so the platform that a *host* pass names is
// AMD, the one whose API HIP is written in; a device pass names the vendor it compiles for.
#ifndef HIP_COMMON_H
#define HIP_COMMON_H

#include <hip/hip_version.h>

#if defined(__NVPTX__)
#  undef __HIP_PLATFORM_AMD__
#  undef __HIP_PLATFORM_HCC__
#  ifndef __HIP_PLATFORM_NVIDIA__
#    define __HIP_PLATFORM_NVIDIA__ 1
#  endif
#elif !defined(__HIP_PLATFORM_AMD__) && !defined(__HIP_PLATFORM_NVIDIA__)
#  define __HIP_PLATFORM_AMD__ 1
#endif

// clang defines this one by itself for HIP; the CUDA front end (NVPTX device passes) does not.
#if defined(__NVPTX__) && defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
#  define __HIP_DEVICE_COMPILE__ 1
#endif
#if !defined(__HIP_DEVICE_COMPILE__)
#  define __HIP_DEVICE_COMPILE__ 0
#endif

// Set when kernels can be written in this translation unit (HIP or CUDA front end of clang).
#if defined(__clang__) && (defined(__HIP__) || defined(__CUDA__))
#  define __ANYHIP_KERNEL_LANGUAGE__ 1
#  ifndef __HIPCC__
#    define __HIPCC__ 1
#  endif
#endif

// Programs compiled at run time have no C library; these are the names of its types that HIP code uses.
#if defined(__HIPCC_RTC__)
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
#endif

#endif
