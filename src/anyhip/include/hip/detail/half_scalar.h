// Arithmetic, comparisons and maths of __half. Maths are evaluated in float, whose error is far below half's.
#ifndef ANYHIP_DETAIL_HALF_SCALAR_H
#define ANYHIP_DETAIL_HALF_SCALAR_H

#include <hip/detail/half_convert.h>
#include <hip/math_functions.h>

namespace __anyhip {
__ANYHIP_DEVICE__ __half half_saturate(_Float16 x) {
  return x > (_Float16)0 ? (x < (_Float16)1 ? x : (_Float16)1) : (_Float16)0;  // a NaN becomes 0
}
}  // namespace __anyhip

__ANYHIP_DEVICE__ __half __hadd(__half a, __half b) { return a + b; }
__ANYHIP_DEVICE__ __half __hsub(__half a, __half b) { return a - b; }
__ANYHIP_DEVICE__ __half __hmul(__half a, __half b) { return a * b; }
__ANYHIP_DEVICE__ __half __hdiv(__half a, __half b) { return a / b; }
__ANYHIP_DEVICE__ __half __hadd_rn(__half a, __half b) { return a + b; }
__ANYHIP_DEVICE__ __half __hsub_rn(__half a, __half b) { return a - b; }
__ANYHIP_DEVICE__ __half __hmul_rn(__half a, __half b) { return a * b; }
__ANYHIP_DEVICE__ __half __hadd_sat(__half a, __half b) { return __anyhip::half_saturate((a + b).data); }
__ANYHIP_DEVICE__ __half __hsub_sat(__half a, __half b) { return __anyhip::half_saturate((a - b).data); }
__ANYHIP_DEVICE__ __half __hmul_sat(__half a, __half b) { return __anyhip::half_saturate((a * b).data); }
__ANYHIP_DEVICE__ __half __hfma(__half a, __half b, __half c) {
  return __builtin_elementwise_fma(a.data, b.data, c.data);
}
__ANYHIP_DEVICE__ __half __hfma_sat(__half a, __half b, __half c) {
  return __anyhip::half_saturate(__hfma(a, b, c).data);
}
__ANYHIP_DEVICE__ __half __hneg(__half a) { return -a; }
__ANYHIP_DEVICE__ __half __habs(__half a) { return __ushort_as_half(__half_as_ushort(a) & 0x7fff); }
__ANYHIP_DEVICE__ bool __hisnan(__half a) { return a.data != a.data; }
__ANYHIP_DEVICE__ int __hisinf(__half a) {
  const unsigned short bits = __half_as_ushort(a);
  return bits == 0x7c00 ? 1 : bits == 0xfc00 ? -1 : 0;
}

// The u forms are true as well when either is a NaN.
#define __ANYHIP_HALF_COMPARE(name, op)                                                                       \
  __ANYHIP_DEVICE__ bool __h##name(__half a, __half b) { return a.data op b.data; }                           \
  __ANYHIP_DEVICE__ bool __h##name##u(__half a, __half b) { return __hisnan(a) || __hisnan(b) || a.data op b.data; }
__ANYHIP_HALF_COMPARE(eq, ==)
__ANYHIP_HALF_COMPARE(lt, <)
__ANYHIP_HALF_COMPARE(gt, >)
__ANYHIP_HALF_COMPARE(le, <=)
__ANYHIP_HALF_COMPARE(ge, >=)
#undef __ANYHIP_HALF_COMPARE
__ANYHIP_DEVICE__ bool __hne(__half a, __half b) { return !__hisnan(a) && !__hisnan(b) && a.data != b.data; }
__ANYHIP_DEVICE__ bool __hneu(__half a, __half b) { return a.data != b.data; }

__ANYHIP_DEVICE__ __half __hmax(__half a, __half b) { return (_Float16)__builtin_fmaxf(a, b); }
__ANYHIP_DEVICE__ __half __hmin(__half a, __half b) { return (_Float16)__builtin_fminf(a, b); }
__ANYHIP_DEVICE__ __half __hmax_nan(__half a, __half b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }
__ANYHIP_DEVICE__ __half __hmin_nan(__half a, __half b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }

#define __ANYHIP_HALF_MATH(name, expression) \
  __ANYHIP_DEVICE__ __half h##name(__half h) { const float x = h; return (_Float16)(expression); }
__ANYHIP_HALF_MATH(sqrt, __builtin_sqrtf(x))
__ANYHIP_HALF_MATH(rsqrt, rsqrtf(x))
__ANYHIP_HALF_MATH(rcp, 1.0f / x)
__ANYHIP_HALF_MATH(log, logf(x))
__ANYHIP_HALF_MATH(log2, log2f(x))
__ANYHIP_HALF_MATH(log10, log10f(x))
__ANYHIP_HALF_MATH(exp, expf(x))
__ANYHIP_HALF_MATH(exp2, exp2f(x))
__ANYHIP_HALF_MATH(exp10, exp10f(x))
__ANYHIP_HALF_MATH(sin, sinf(x))
__ANYHIP_HALF_MATH(cos, cosf(x))
__ANYHIP_HALF_MATH(tanh, tanhf(x))
__ANYHIP_HALF_MATH(ceil, __builtin_ceilf(x))
__ANYHIP_HALF_MATH(floor, __builtin_floorf(x))
__ANYHIP_HALF_MATH(trunc, __builtin_truncf(x))
__ANYHIP_HALF_MATH(rint, __builtin_rintf(x))
#undef __ANYHIP_HALF_MATH

#endif
