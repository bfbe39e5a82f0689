// hip_bfloat16: HIP's older bfloat16 class, kept beside __hip_bfloat16 (hip/hip_bf16.h) for programs that use it.
#ifndef HIP_INCLUDE_HIP_HIP_BFLOAT16_H
#define HIP_INCLUDE_HIP_HIP_BFLOAT16_H

#include <hip/detail/attributes.h>

#if defined(__cplusplus)

#  include <hip/detail/bfloat_types.h>

struct hip_bfloat16 {
  unsigned short data;
  enum truncate_t { truncate };

  hip_bfloat16() = default;
  __attribute__((always_inline)) __host__ __device__ explicit hip_bfloat16(float x)
      : data(__anyhip::bf16_from_float(x)) {}
  __attribute__((always_inline)) __host__ __device__ explicit hip_bfloat16(float x, truncate_t)
      : data(x != x ? __anyhip::bf16_from_float(x)
                    : (unsigned short)(__builtin_bit_cast(unsigned int, x) >> 16)) {}
  __attribute__((always_inline)) __host__ __device__ operator float() const { return __anyhip::bf16_to_float(data); }
  __attribute__((always_inline)) __host__ __device__ explicit operator bool() const { return (data & 0x7fff) != 0; }
  static __host__ __device__ hip_bfloat16 round_to_bfloat16(float x) { return hip_bfloat16(x); }
  static __host__ __device__ hip_bfloat16 round_to_bfloat16(float x, truncate_t) { return hip_bfloat16(x, truncate); }
  __attribute__((always_inline)) __host__ __device__ hip_bfloat16& operator=(float x) { return *this = hip_bfloat16(x); }
  hip_bfloat16& operator=(const hip_bfloat16&) = default;
  hip_bfloat16(const hip_bfloat16&) = default;
};

#  define __ANYHIP_OLD_BF(op)                                                                \
    __ANYHIP_HOST_DEVICE__ hip_bfloat16 operator op(hip_bfloat16 a, hip_bfloat16 b) {        \
      return hip_bfloat16((float)a op(float) b);                                             \
    }                                                                                        \
    __ANYHIP_HOST_DEVICE__ hip_bfloat16& operator op##=(hip_bfloat16& a, hip_bfloat16 b) { return a = a op b; }
__ANYHIP_OLD_BF(+)
__ANYHIP_OLD_BF(-)
__ANYHIP_OLD_BF(*)
__ANYHIP_OLD_BF(/)
#  undef __ANYHIP_OLD_BF

#else
typedef struct { unsigned short data; } hip_bfloat16;
#endif

#endif
