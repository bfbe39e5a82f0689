// Macros that every API header uses.
#ifndef ANYHIP_API_BASE_H
#define ANYHIP_API_BASE_H

#include <hip/hip_common.h>

#if !defined(__HIPCC_RTC__)
#include <stddef.h>
#include <stdint.h>
#endif

#ifdef __cplusplus
#define HIP_C_BEGIN extern "C" {
#define HIP_C_END }
#define HIP_DEFAULT(value) = value
#else
#define HIP_C_BEGIN
#define HIP_C_END
#define HIP_DEFAULT(value)
#endif

#ifndef HIP_PUBLIC_API
#define HIP_PUBLIC_API __attribute__((visibility("default")))
#endif

// In C++17 a forgotten hipError_t is a warning.
#if defined(__cplusplus) && __cplusplus >= 201703L
#define HIP_NODISCARD [[nodiscard]]
#else
#define HIP_NODISCARD
#endif

#ifndef HIP_DEPRECATED
#if defined(HIP_NO_DEPRECATION) || defined(ANYHIP_PARSE)
#define HIP_DEPRECATED(message)
#else
#define HIP_DEPRECATED(message) __attribute__((deprecated(message)))
#endif
#endif
#define HIP_OLD HIP_DEPRECATED("kept for old programs; HIP may drop it")

// Host and device attributes exist only where clang compiles HIP or CUDA.
#if defined(__HIP__) || defined(__CUDA__)
#define HIP_HOST_DEVICE __attribute__((host)) __attribute__((device))
#else
#define HIP_HOST_DEVICE
#endif

#endif
