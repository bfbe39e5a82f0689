// char1 … double4: small vectors with component-wise operators and make_ functions.
// C sees plain structures; C++ a template, instantiated only where used, so that the header stays cheap.
#ifndef HIP_INCLUDE_HIP_HIP_VECTOR_TYPES_H
#define HIP_INCLUDE_HIP_HIP_VECTOR_TYPES_H

#include <hip/api/handles.h>
#include <hip/detail/attributes.h>

#define __ANYHIP_VECTOR_SCALARS(apply)                                           \
  apply(char, signed char) apply(uchar, unsigned char) apply(short, short)       \
  apply(ushort, unsigned short) apply(int, int) apply(uint, unsigned int)        \
  apply(long, long) apply(ulong, unsigned long) apply(longlong, long long)       \
  apply(ulonglong, unsigned long long) apply(float, float) apply(double, double)

#if defined(__cplusplus)
#  include <hip/detail/vector_template.h>
#  include <hip/detail/vector_operators.h>

#  define __ANYHIP_VECTOR_TYPES(name, scalar)                                    \
    typedef HIP_vector_type<scalar, 1> name##1;                                  \
    typedef HIP_vector_type<scalar, 2> name##2;                                  \
    typedef HIP_vector_type<scalar, 3> name##3;                                  \
    typedef HIP_vector_type<scalar, 4> name##4;                                  \
    __ANYHIP_HOST_DEVICE__ constexpr name##1 make_##name##1(scalar x) { return name##1(x); }             \
    __ANYHIP_HOST_DEVICE__ constexpr name##2 make_##name##2(scalar x, scalar y) { return name##2(x, y); } \
    __ANYHIP_HOST_DEVICE__ constexpr name##3 make_##name##3(scalar x, scalar y, scalar z) {              \
      return name##3(x, y, z);                                                   \
    }                                                                            \
    __ANYHIP_HOST_DEVICE__ constexpr name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) {    \
      return name##4(x, y, z, w);                                                \
    }
#else
#  define __ANYHIP_VECTOR_TYPES(name, scalar)                                                    \
    typedef struct { scalar x; } name##1;                                                        \
    typedef struct { scalar x, y; } __attribute__((aligned(2 * sizeof(scalar)))) name##2;        \
    typedef struct { scalar x, y, z; } name##3;                                                  \
    typedef struct { scalar x, y, z, w; } __attribute__((aligned(4 * sizeof(scalar)))) name##4;
#endif

__ANYHIP_VECTOR_SCALARS(__ANYHIP_VECTOR_TYPES)

#undef __ANYHIP_VECTOR_TYPES
#undef __ANYHIP_VECTOR_SCALARS

#endif
