// The HIP kernel language and runtime API.
#ifndef HIP_INCLUDE_HIP_HIP_RUNTIME_H
#define HIP_INCLUDE_HIP_HIP_RUNTIME_H

#include <hip/hip_version.h>
#include <hip/hip_common.h>
#include <hip/detail/attributes.h>
#if !defined(__HIPCC_RTC__)  // a program compiled at run time is device code alone
#  include <hip/hip_runtime_api.h>
#  include <hip/channel_descriptor.h>
#endif
#include <hip/hip_vector_types.h>
#include <hip/library_types.h>

#if defined(__cplusplus) && defined(__ANYHIP_KERNEL_LANGUAGE__)
#  include <hip/detail/c_library.h>
#  include <hip/detail/launch.h>
#  include <hip/detail/builtin_vars.h>
#  include <hip/device_functions.h>
#  include <hip/math_functions.h>
#endif

#endif
