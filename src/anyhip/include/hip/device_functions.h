// Everything a kernel may call besides maths.
#ifndef HIP_INCLUDE_HIP_DEVICE_FUNCTIONS_H
#define HIP_INCLUDE_HIP_DEVICE_FUNCTIONS_H

#include <hip/hip_common.h>

#if defined(__cplusplus) && defined(__ANYHIP_KERNEL_LANGUAGE__)
#  include <hip/detail/builtin_vars.h>
#  include <hip/detail/sync.h>
#  include <hip/detail/warp.h>
#  include <hip/detail/atomics.h>
#  include <hip/detail/integer.h>
#  include <hip/detail/convert.h>
#  include <hip/detail/memory.h>
#  include <hip/detail/diagnostics.h>
#endif

#endif
