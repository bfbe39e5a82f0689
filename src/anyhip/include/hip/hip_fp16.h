// 16-bit floating point: __half, __half2 and their functions.
#ifndef HIP_INCLUDE_HIP_HIP_FP16_H
#define HIP_INCLUDE_HIP_HIP_FP16_H

#include <hip/hip_common.h>

#if defined(__cplusplus)
#  include <hip/detail/half_types.h>
#  if defined(__ANYHIP_KERNEL_LANGUAGE__)
#    include <hip/detail/half_convert.h>
#    include <hip/detail/half_scalar.h>
#    include <hip/detail/half_atomics.h>
#  endif
#else
typedef struct { unsigned short x; } __half_raw;
typedef struct { unsigned short x, y; } __half2_raw;
#endif

#endif
