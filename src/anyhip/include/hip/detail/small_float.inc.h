// Arithmetic, comparisons and maths that __half and __hip_bfloat16 share. Included once for each, without a guard, with
// __ANYHIP_T for the type, __ANYHIP_T2 for the pair of it, and __ANYHIP_NO_CONTRACT (math_intrinsics.h). The type brings
// its operators, __hfma, __habs, __hisinf and __hisnan. Maths are evaluated in float, whose error is far below the type's.

// -- arithmetic
__ANYHIP_DEVICE__ __ANYHIP_T __hadd(__ANYHIP_T a, __ANYHIP_T b) { return a + b; }
__ANYHIP_DEVICE__ __ANYHIP_T __hsub(__ANYHIP_T a, __ANYHIP_T b) { return a - b; }
__ANYHIP_DEVICE__ __ANYHIP_T __hmul(__ANYHIP_T a, __ANYHIP_T b) { return a * b; }
__ANYHIP_DEVICE__ __ANYHIP_T __hdiv(__ANYHIP_T a, __ANYHIP_T b) { return a / b; }
__ANYHIP_DEVICE__ __ANYHIP_T __hneg(__ANYHIP_T a) { return -a; }
// The _rn forms are never merged into a fused multiply-add. Float holds their exact or once rounded results: its digits
// are more than twice the type's, so the second rounding does no harm.
__ANYHIP_DEVICE__ __ANYHIP_T __hadd_rn(__ANYHIP_T a, __ANYHIP_T b) { __ANYHIP_NO_CONTRACT return (float)a + (float)b; }
__ANYHIP_DEVICE__ __ANYHIP_T __hsub_rn(__ANYHIP_T a, __ANYHIP_T b) { __ANYHIP_NO_CONTRACT return (float)a - (float)b; }
__ANYHIP_DEVICE__ __ANYHIP_T __hmul_rn(__ANYHIP_T a, __ANYHIP_T b) { __ANYHIP_NO_CONTRACT return (float)a * (float)b; }
// Clamped to [0, 1]; a NaN becomes 0.
__ANYHIP_DEVICE__ __ANYHIP_T __anyhip_saturate(__ANYHIP_T h) {
  const float x = h;
  return x > 0.0f ? (x < 1.0f ? h : __ANYHIP_T(1.0f)) : __ANYHIP_T(0.0f);
}
__ANYHIP_DEVICE__ __ANYHIP_T __hadd_sat(__ANYHIP_T a, __ANYHIP_T b) { return __anyhip_saturate(a + b); }
__ANYHIP_DEVICE__ __ANYHIP_T __hsub_sat(__ANYHIP_T a, __ANYHIP_T b) { return __anyhip_saturate(a - b); }
__ANYHIP_DEVICE__ __ANYHIP_T __hmul_sat(__ANYHIP_T a, __ANYHIP_T b) { return __anyhip_saturate(a * b); }
__ANYHIP_DEVICE__ __ANYHIP_T __hfma_sat(__ANYHIP_T a, __ANYHIP_T b, __ANYHIP_T c) {
  return __anyhip_saturate(__hfma(a, b, c));
}
__ANYHIP_DEVICE__ __ANYHIP_T __hmax(__ANYHIP_T a, __ANYHIP_T b) { return __builtin_fmaxf(a, b); }
__ANYHIP_DEVICE__ __ANYHIP_T __hmin(__ANYHIP_T a, __ANYHIP_T b) { return __builtin_fminf(a, b); }
__ANYHIP_DEVICE__ __ANYHIP_T __hmax_nan(__ANYHIP_T a, __ANYHIP_T b) {
  return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b);
}
__ANYHIP_DEVICE__ __ANYHIP_T __hmin_nan(__ANYHIP_T a, __ANYHIP_T b) {
  return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b);
}

// -- comparisons; the u forms are true as well when either is a NaN
#define __ANYHIP_COMPARE(name, condition)                                                                      \
  __ANYHIP_DEVICE__ bool __h##name(__ANYHIP_T a, __ANYHIP_T b) {                                               \
    const float x = a, y = b;                                                                                  \
    return condition;                                                                                          \
  }                                                                                                            \
  __ANYHIP_DEVICE__ __ANYHIP_T2 __h##name##2(__ANYHIP_T2 a, __ANYHIP_T2 b) {                                   \
    return {__ANYHIP_T((float)__h##name(a.x, b.x)), __ANYHIP_T((float)__h##name(a.y, b.y))};                   \
  }                                                                                                            \
  __ANYHIP_DEVICE__ bool __hb##name##2(__ANYHIP_T2 a, __ANYHIP_T2 b) {                                         \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                         \
  }                                                                                                            \
  __ANYHIP_DEVICE__ unsigned int __h##name##2_mask(__ANYHIP_T2 a, __ANYHIP_T2 b) {                             \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                    \
  }
__ANYHIP_COMPARE(eq, x == y)
__ANYHIP_COMPARE(ne, x < y || x > y)
__ANYHIP_COMPARE(lt, x < y)
__ANYHIP_COMPARE(gt, x > y)
__ANYHIP_COMPARE(le, x <= y)
__ANYHIP_COMPARE(ge, x >= y)
__ANYHIP_COMPARE(equ, !(x < y || x > y))
__ANYHIP_COMPARE(neu, x != y)
__ANYHIP_COMPARE(ltu, !(x >= y))
__ANYHIP_COMPARE(gtu, !(x <= y))
__ANYHIP_COMPARE(leu, !(x > y))
__ANYHIP_COMPARE(geu, !(x < y))
#undef __ANYHIP_COMPARE

// -- maths, for one and for a pair
#define __ANYHIP_SMALL_MATH(name, expression)                                                                  \
  __ANYHIP_DEVICE__ __ANYHIP_T h##name(__ANYHIP_T h) { const float x = h; return expression; }                 \
  __ANYHIP_DEVICE__ __ANYHIP_T2 h2##name(__ANYHIP_T2 v) { return {h##name(v.x), h##name(v.y)}; }
__ANYHIP_SMALL_MATH(sqrt, __builtin_sqrtf(x))
__ANYHIP_SMALL_MATH(rsqrt, rsqrtf(x))
__ANYHIP_SMALL_MATH(rcp, 1.0f / x)
__ANYHIP_SMALL_MATH(log, logf(x))
__ANYHIP_SMALL_MATH(log2, log2f(x))
__ANYHIP_SMALL_MATH(log10, log10f(x))
__ANYHIP_SMALL_MATH(exp, expf(x))
__ANYHIP_SMALL_MATH(exp2, exp2f(x))
__ANYHIP_SMALL_MATH(exp10, exp10f(x))
__ANYHIP_SMALL_MATH(sin, sinf(x))
__ANYHIP_SMALL_MATH(cos, cosf(x))
__ANYHIP_SMALL_MATH(tanh, tanhf(x))
__ANYHIP_SMALL_MATH(tanh_approx, __tanhf(x))
__ANYHIP_SMALL_MATH(ceil, __builtin_ceilf(x))
__ANYHIP_SMALL_MATH(floor, __builtin_floorf(x))
__ANYHIP_SMALL_MATH(trunc, __builtin_truncf(x))
__ANYHIP_SMALL_MATH(rint, __builtin_rintf(x))
#undef __ANYHIP_SMALL_MATH

// -- pairs: each component by itself
#define __ANYHIP_PAIR1(name, scalar) \
  __ANYHIP_DEVICE__ __ANYHIP_T2 name(__ANYHIP_T2 a) { return {scalar(a.x), scalar(a.y)}; }
#define __ANYHIP_PAIR2(name, scalar) \
  __ANYHIP_DEVICE__ __ANYHIP_T2 name(__ANYHIP_T2 a, __ANYHIP_T2 b) { return {scalar(a.x, b.x), scalar(a.y, b.y)}; }
#define __ANYHIP_PAIR3(name, scalar)                                                        \
  __ANYHIP_DEVICE__ __ANYHIP_T2 name(__ANYHIP_T2 a, __ANYHIP_T2 b, __ANYHIP_T2 c) {         \
    return {scalar(a.x, b.x, c.x), scalar(a.y, b.y, c.y)};                                  \
  }
__ANYHIP_PAIR2(__hadd2, __hadd)
__ANYHIP_PAIR2(__hsub2, __hsub)
__ANYHIP_PAIR2(__hmul2, __hmul)
__ANYHIP_PAIR2(__h2div, __hdiv)
__ANYHIP_PAIR2(__hadd2_rn, __hadd_rn)
__ANYHIP_PAIR2(__hsub2_rn, __hsub_rn)
__ANYHIP_PAIR2(__hmul2_rn, __hmul_rn)
__ANYHIP_PAIR2(__hadd2_sat, __hadd_sat)
__ANYHIP_PAIR2(__hsub2_sat, __hsub_sat)
__ANYHIP_PAIR2(__hmul2_sat, __hmul_sat)
__ANYHIP_PAIR2(__hmax2, __hmax)
__ANYHIP_PAIR2(__hmin2, __hmin)
__ANYHIP_PAIR2(__hmax2_nan, __hmax_nan)
__ANYHIP_PAIR2(__hmin2_nan, __hmin_nan)
__ANYHIP_PAIR3(__hfma2, __hfma)
__ANYHIP_PAIR3(__hfma2_sat, __hfma_sat)
__ANYHIP_PAIR1(__hneg2, __hneg)
__ANYHIP_PAIR1(__habs2, __habs)
__ANYHIP_DEVICE__ __ANYHIP_T2 __hisnan2(__ANYHIP_T2 a) { return {(float)__hisnan(a.x), (float)__hisnan(a.y)}; }
__ANYHIP_DEVICE__ __ANYHIP_T2 __hisinf2(__ANYHIP_T2 a) {
  return {(float)(__hisinf(a.x) != 0), (float)(__hisinf(a.y) != 0)};
}
#undef __ANYHIP_PAIR1
#undef __ANYHIP_PAIR2
#undef __ANYHIP_PAIR3
