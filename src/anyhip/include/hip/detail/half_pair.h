// The functions of __half2: those of __half for each component, and atomics.
#ifndef ANYHIP_DETAIL_HALF_PAIR_H
#define ANYHIP_DETAIL_HALF_PAIR_H

#include <hip/detail/half_scalar.h>

#define __ANYHIP_PAIR1(name, scalar) \
  __ANYHIP_DEVICE__ __half2 name(__half2 a) { return {scalar(a.x), scalar(a.y)}; }
#define __ANYHIP_PAIR2(name, scalar) \
  __ANYHIP_DEVICE__ __half2 name(__half2 a, __half2 b) { return {scalar(a.x, b.x), scalar(a.y, b.y)}; }
#define __ANYHIP_PAIR3(name, scalar)                                      \
  __ANYHIP_DEVICE__ __half2 name(__half2 a, __half2 b, __half2 c) {       \
    return {scalar(a.x, b.x, c.x), scalar(a.y, b.y, c.y)};                \
  }
__ANYHIP_PAIR2(__hadd2, __hadd)
__ANYHIP_PAIR2(__hsub2, __hsub)
__ANYHIP_PAIR2(__hmul2, __hmul)
__ANYHIP_PAIR2(__h2div, __hdiv)
__ANYHIP_PAIR2(__hadd2_rn, __hadd)
__ANYHIP_PAIR2(__hsub2_rn, __hsub)
__ANYHIP_PAIR2(__hmul2_rn, __hmul)
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
__ANYHIP_PAIR1(__hisnan2, __hisnan)
__ANYHIP_PAIR1(h2sqrt, hsqrt)
__ANYHIP_PAIR1(h2rsqrt, hrsqrt)
__ANYHIP_PAIR1(h2rcp, hrcp)
__ANYHIP_PAIR1(h2log, hlog)
__ANYHIP_PAIR1(h2log2, hlog2)
__ANYHIP_PAIR1(h2log10, hlog10)
__ANYHIP_PAIR1(h2exp, hexp)
__ANYHIP_PAIR1(h2exp2, hexp2)
__ANYHIP_PAIR1(h2exp10, hexp10)
__ANYHIP_PAIR1(h2sin, hsin)
__ANYHIP_PAIR1(h2cos, hcos)
__ANYHIP_PAIR1(h2tanh, htanh)
__ANYHIP_PAIR1(h2ceil, hceil)
__ANYHIP_PAIR1(h2floor, hfloor)
__ANYHIP_PAIR1(h2trunc, htrunc)
__ANYHIP_PAIR1(h2rint, hrint)

// Comparisons give 1.0 or 0.0 a component; the b forms whether both hold.
#define __ANYHIP_PAIR_COMPARE(name)                                                                            \
  __ANYHIP_DEVICE__ __half2 __h##name##2(__half2 a, __half2 b) {                                               \
    return {__half((float)__h##name(a.x, b.x)), __half((float)__h##name(a.y, b.y))};                           \
  }                                                                                                            \
  __ANYHIP_DEVICE__ bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
__ANYHIP_PAIR_COMPARE(eq)
__ANYHIP_PAIR_COMPARE(ne)
__ANYHIP_PAIR_COMPARE(lt)
__ANYHIP_PAIR_COMPARE(gt)
__ANYHIP_PAIR_COMPARE(le)
__ANYHIP_PAIR_COMPARE(ge)
__ANYHIP_PAIR_COMPARE(equ)
__ANYHIP_PAIR_COMPARE(neu)
__ANYHIP_PAIR_COMPARE(ltu)
__ANYHIP_PAIR_COMPARE(gtu)
__ANYHIP_PAIR_COMPARE(leu)
__ANYHIP_PAIR_COMPARE(geu)
#undef __ANYHIP_PAIR_COMPARE
#undef __ANYHIP_PAIR1
#undef __ANYHIP_PAIR2
#undef __ANYHIP_PAIR3

// Both halves at once, as one 32-bit compare-and-swap.
__ANYHIP_DEVICE__ __half2 atomicAdd(__half2* address, __half2 value) {
  unsigned int* word = (unsigned int*)address;
  unsigned int old = __scoped_atomic_load_n(word, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  unsigned int next;
  do {
    next = __builtin_bit_cast(unsigned int, __builtin_bit_cast(__half2, old) + value);
  } while (!__scoped_atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                               __MEMORY_SCOPE_DEVICE));
  return __builtin_bit_cast(__half2, old);
}
__ANYHIP_DEVICE__ __half2 unsafeAtomicAdd(__half2* address, __half2 value) { return atomicAdd(address, value); }

// One half, through the aligned word that holds it.
__ANYHIP_DEVICE__ __half atomicAdd(__half* address, __half value) {
  unsigned int* word = (unsigned int*)((unsigned long)address & ~3ul);
  const unsigned int shift = ((unsigned long)address & 2) * 8;
  unsigned int old = __scoped_atomic_load_n(word, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  unsigned int next;
  do {
    const __half sum = __ushort_as_half((unsigned short)(old >> shift)) + value;
    next = (old & ~(0xffffu << shift)) | (unsigned int)__half_as_ushort(sum) << shift;
  } while (!__scoped_atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                               __MEMORY_SCOPE_DEVICE));
  return __ushort_as_half((unsigned short)(old >> shift));
}

#endif
