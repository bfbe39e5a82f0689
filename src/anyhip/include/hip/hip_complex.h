// Complex numbers: hipFloatComplex and hipDoubleComplex, which are float2 and double2.
#ifndef HIP_INCLUDE_HIP_HIP_COMPLEX_H
#define HIP_INCLUDE_HIP_HIP_COMPLEX_H

#include <hip/hip_vector_types.h>

#if defined(__cplusplus)

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

// z = x / y after Smith: the larger part of y divides, so that nothing overflows on the way.
#define __ANYHIP_COMPLEX(Complex, T, s, make, absolute, root)                                                      \
  __ANYHIP_HOST_DEVICE__ Complex make(T x, T y) { return Complex(x, y); }                                          \
  __ANYHIP_HOST_DEVICE__ T hipCreal##s(Complex z) { return z.x; }                                                  \
  __ANYHIP_HOST_DEVICE__ T hipCimag##s(Complex z) { return z.y; }                                                  \
  __ANYHIP_HOST_DEVICE__ Complex hipConj##s(Complex z) { return Complex(z.x, -z.y); }                              \
  __ANYHIP_HOST_DEVICE__ T hipCsqabs##s(Complex z) { return z.x * z.x + z.y * z.y; }                               \
  __ANYHIP_HOST_DEVICE__ Complex hipCadd##s(Complex a, Complex b) { return Complex(a.x + b.x, a.y + b.y); }        \
  __ANYHIP_HOST_DEVICE__ Complex hipCsub##s(Complex a, Complex b) { return Complex(a.x - b.x, a.y - b.y); }        \
  __ANYHIP_HOST_DEVICE__ Complex hipCmul##s(Complex a, Complex b) {                                                \
    return Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                                  \
  }                                                                                                                \
  __ANYHIP_HOST_DEVICE__ Complex hipCdiv##s(Complex a, Complex b) {                                                \
    if (absolute(b.x) >= absolute(b.y)) {                                                                          \
      const T r = b.y / b.x, d = b.x + r * b.y;                                                                    \
      return Complex((a.x + a.y * r) / d, (a.y - a.x * r) / d);                                                    \
    }                                                                                                              \
    const T r = b.x / b.y, d = b.y + r * b.x;                                                                      \
    return Complex((a.x * r + a.y) / d, (a.y * r - a.x) / d);                                                      \
  }                                                                                                                \
  __ANYHIP_HOST_DEVICE__ T hipCabs##s(Complex z) {                                                                 \
    const T x = absolute(z.x), y = absolute(z.y), large = x > y ? x : y, small = x > y ? y : x;                    \
    if (large == T(0) || __builtin_isinf(large)) return large;                                        \
    const T ratio = small / large;                                                                                 \
    return large * root(T(1) + ratio * ratio);                                                                     \
  }                                                                                                                \
  __ANYHIP_HOST_DEVICE__ Complex hipCfma##s(Complex p, Complex q, Complex r) {                                     \
    return Complex(p.x * q.x + r.x - p.y * q.y, q.x * p.y + r.y + p.x * q.y);                                      \
  }
__ANYHIP_COMPLEX(hipFloatComplex, float, f, make_hipFloatComplex, __builtin_fabsf, __builtin_sqrtf)
__ANYHIP_COMPLEX(hipDoubleComplex, double, , make_hipDoubleComplex, __builtin_fabs, __builtin_sqrt)
#undef __ANYHIP_COMPLEX

__ANYHIP_HOST_DEVICE__ hipComplex make_hipComplex(float x, float y) { return hipComplex(x, y); }
__ANYHIP_HOST_DEVICE__ hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) {
  return hipFloatComplex((float)z.x, (float)z.y);
}
__ANYHIP_HOST_DEVICE__ hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) {
  return hipDoubleComplex((double)z.x, (double)z.y);
}

#endif

#endif
