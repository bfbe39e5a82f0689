// Maths for kernels: C's <math.h>, HIP's additions, fast intrinsics, and the overloads of C++.
#ifndef HIP_INCLUDE_HIP_MATH_FUNCTIONS_H
#define HIP_INCLUDE_HIP_MATH_FUNCTIONS_H

#include <hip/hip_common.h>

#if defined(__cplusplus) && defined(__ANYHIP_KERNEL_LANGUAGE__)
#  include <hip/detail/target.h>
#  include <hip/detail/math_builtin.h>
#  include <hip/detail/math_approximate.h>
#  include <hip/detail/math_library.h>
#  include <hip/detail/math_overloads.h>
#  include <hip/detail/math_intrinsics.h>
#  include <hip/detail/math_std.h>
#endif

#endif
