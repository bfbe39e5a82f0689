// The __ intrinsics: fast and approximate (__sinf …), or with a rounding in their name.
#ifndef ANYHIP_DETAIL_MATH_INTRINSICS_H
#define ANYHIP_DETAIL_MATH_INTRINSICS_H

#include <hip/detail/target.h>

// log2(e), ln 2, log2(10), log10(2)
__ANYHIP_DEVICE__ float __expf(float x) { return __anyhip::fast_exp2(x * 0x1.715476p+0f); }
__ANYHIP_DEVICE__ float __exp10f(float x) { return __anyhip::fast_exp2(x * 0x1.a934f0p+1f); }
__ANYHIP_DEVICE__ float __exp2f(float x) { return __anyhip::fast_exp2(x); }
__ANYHIP_DEVICE__ float __logf(float x) { return __anyhip::fast_log2(x) * 0x1.62e430p-1f; }
__ANYHIP_DEVICE__ float __log10f(float x) { return __anyhip::fast_log2(x) * 0x1.344136p-2f; }
__ANYHIP_DEVICE__ float __log2f(float x) { return __anyhip::fast_log2(x); }
__ANYHIP_DEVICE__ float __sinf(float x) { return __anyhip::fast_sin(x); }
__ANYHIP_DEVICE__ float __cosf(float x) { return __anyhip::fast_cos(x); }
__ANYHIP_DEVICE__ float __tanf(float x) { return __anyhip::fast_sin(x) * __anyhip::fast_rcp(__anyhip::fast_cos(x)); }
__ANYHIP_DEVICE__ void __sincosf(float x, float* sine, float* cosine) {
  *sine = __anyhip::fast_sin(x);
  *cosine = __anyhip::fast_cos(x);
}
__ANYHIP_DEVICE__ float __powf(float x, float y) { return __anyhip::fast_exp2(y * __anyhip::fast_log2(x)); }
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
