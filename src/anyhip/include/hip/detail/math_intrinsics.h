// The __ intrinsics: fast and approximate (__sinf …), or with a rounding in their name.
#ifndef ANYHIP_DETAIL_MATH_INTRINSICS_H
#define ANYHIP_DETAIL_MATH_INTRINSICS_H

#include <hip/detail/math_approximate.h>
#include <hip/detail/math_library.h>

__ANYHIP_DEVICE__ float __expf(float x) { return __anyhip::approximate_expf(x); }
__ANYHIP_DEVICE__ float __exp2f(float x) { return __anyhip::approximate_exp2f(x); }
__ANYHIP_DEVICE__ float __exp10f(float x) { return __anyhip::approximate_exp10f(x); }
__ANYHIP_DEVICE__ float __logf(float x) { return __anyhip::approximate_logf(x); }
__ANYHIP_DEVICE__ float __log2f(float x) { return __anyhip::approximate_log2f(x); }
__ANYHIP_DEVICE__ float __log10f(float x) { return __anyhip::approximate_log10f(x); }
__ANYHIP_DEVICE__ float __sinf(float x) { return __anyhip::approximate_sinf(x); }
__ANYHIP_DEVICE__ float __cosf(float x) { return __anyhip::approximate_cosf(x); }
__ANYHIP_DEVICE__ void __sincosf(float x, float* sine, float* cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
// HIP's documentation holds these to 1 ulp, so they are the full functions.
__ANYHIP_DEVICE__ float __tanf(float x) { return __anyhip_tanf(x); }
__ANYHIP_DEVICE__ float __powf(float x, float y) { return __anyhip_powf(x, y); }
__ANYHIP_DEVICE__ float __tanhf(float x) { return tanhf(x); }
__ANYHIP_DEVICE__ float __fdividef(float x, float y) { return x / y; }
// A NaN becomes 0.
__ANYHIP_DEVICE__ float __saturatef(float x) { return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f); }

// Round-to-nearest arithmetic that is never merged into a fused multiply-add.
#define __ANYHIP_NO_CONTRACT _Pragma("clang fp contract(off)")
#define __ANYHIP_ROUNDED(prefix, T, suffix)                                                        \
  __ANYHIP_DEVICE__ T __##prefix##add_rn(T x, T y) { __ANYHIP_NO_CONTRACT return x + y; }          \
  __ANYHIP_DEVICE__ T __##prefix##sub_rn(T x, T y) { __ANYHIP_NO_CONTRACT return x - y; }          \
  __ANYHIP_DEVICE__ T __##prefix##mul_rn(T x, T y) { __ANYHIP_NO_CONTRACT return x * y; }          \
  __ANYHIP_DEVICE__ T __##prefix##div_rn(T x, T y) { return x / y; }                               \
  __ANYHIP_DEVICE__ T __##prefix##rcp_rn(T x) { return T(1) / x; }                                 \
  __ANYHIP_DEVICE__ T __##prefix##sqrt_rn(T x) { return __builtin_sqrt##suffix(x); }
__ANYHIP_ROUNDED(f, float, f)
__ANYHIP_ROUNDED(d, double, )
#undef __ANYHIP_ROUNDED
__ANYHIP_DEVICE__ float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__ANYHIP_DEVICE__ double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
__ANYHIP_DEVICE__ float __frsqrt_rn(float x) { return rsqrtf(x); }

#endif
