// The machine's own functions: approximate, without reduction of large angles.
#ifndef ANYHIP_DETAIL_MATH_APPROXIMATE_H
#define ANYHIP_DETAIL_MATH_APPROXIMATE_H

#include <hip/detail/target.h>

namespace __anyhip {

// log2(e), ln 2, log2(10), log10(2)
__ANYHIP_DEVICE__ float approximate_expf(float x) { return fast_exp2(x * 0x1.715476p+0f); }
__ANYHIP_DEVICE__ float approximate_exp2f(float x) { return fast_exp2(x); }
__ANYHIP_DEVICE__ float approximate_exp10f(float x) { return fast_exp2(x * 0x1.a934f0p+1f); }
__ANYHIP_DEVICE__ float approximate_logf(float x) { return fast_log2(x) * 0x1.62e430p-1f; }
__ANYHIP_DEVICE__ float approximate_log2f(float x) { return fast_log2(x); }
__ANYHIP_DEVICE__ float approximate_log10f(float x) { return fast_log2(x) * 0x1.344136p-2f; }
__ANYHIP_DEVICE__ float approximate_sinf(float x) { return fast_sin(x); }
__ANYHIP_DEVICE__ float approximate_cosf(float x) { return fast_cos(x); }
__ANYHIP_DEVICE__ float approximate_tanf(float x) { return fast_sin(x) * fast_rcp(fast_cos(x)); }
__ANYHIP_DEVICE__ float approximate_powf(float x, float y) { return fast_exp2(y * fast_log2(x)); }

}  // namespace __anyhip

#endif
