// bfloat16: __hip_bfloat16, __hip_bfloat162 and their functions. The value is kept as its bits and every
// operation goes through float, which holds all bfloat16 numbers exactly.
#ifndef HIP_INCLUDE_HIP_HIP_BF16_H
#define HIP_INCLUDE_HIP_HIP_BF16_H

#include <hip/hip_common.h>

#if defined(__cplusplus)
#  include <hip/detail/bfloat_types.h>
#  if defined(__ANYHIP_KERNEL_LANGUAGE__)
#    include <hip/detail/bfloat_functions.h>
#  endif
#endif

#endif
