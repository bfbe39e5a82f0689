// The bfloat16 types and C++'s operators on them.
#ifndef ANYHIP_DETAIL_BFLOAT_TYPES_H
#define ANYHIP_DETAIL_BFLOAT_TYPES_H

#include <hip/detail/attributes.h>
#include <hip/hip_vector_types.h>

struct __hip_bfloat16_raw {
  unsigned short x;
};
struct __hip_bfloat162_raw {
  unsigned short x, y;
};

#define __ANYHIP_BF_FN __attribute__((always_inline)) __host__ __device__

namespace __anyhip {
__ANYHIP_HOST_DEVICE__ float bf16_to_float(unsigned short bits) {
  return __builtin_bit_cast(float, (unsigned int)bits << 16);
}
// To nearest, ties to even; a NaN keeps its sign and becomes quiet.
__ANYHIP_HOST_DEVICE__ unsigned short bf16_from_float(float x) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, x);
  if (x != x) return (unsigned short)((bits >> 16) | 0x40);
  return (unsigned short)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
// Round to odd in float keeps enough of a double for one correct rounding to bfloat16 afterwards.
__ANYHIP_HOST_DEVICE__ unsigned short bf16_from_double(double x) {
  const float nearest = (float)x;
  unsigned int bits = __builtin_bit_cast(unsigned int, nearest);
  if (x == x && (double)nearest != x) {
    const bool too_large = (nearest < 0 ? -(double)nearest : (double)nearest) > (x < 0 ? -x : x);
    bits = (too_large ? bits - 1 : bits) | 1;
  }
  return bf16_from_float(__builtin_bit_cast(float, bits));
}
}  // namespace __anyhip

struct __hip_bfloat16 {
 private:
  unsigned short bits_;

 public:
  __hip_bfloat16() = default;
  __ANYHIP_BF_FN __hip_bfloat16(float x) : bits_(__anyhip::bf16_from_float(x)) {}
  __ANYHIP_BF_FN __hip_bfloat16(double x) : bits_(__anyhip::bf16_from_double(x)) {}
  __ANYHIP_BF_FN __hip_bfloat16(int x) : bits_(__anyhip::bf16_from_double(x)) {}
  __ANYHIP_BF_FN __hip_bfloat16(unsigned int x) : bits_(__anyhip::bf16_from_double(x)) {}
  __ANYHIP_BF_FN __hip_bfloat16(short x) : bits_(__anyhip::bf16_from_float(x)) {}
  __ANYHIP_BF_FN __hip_bfloat16(unsigned short x) : bits_(__anyhip::bf16_from_float(x)) {}
  __ANYHIP_BF_FN __hip_bfloat16(long x) : bits_(__anyhip::bf16_from_double((double)x)) {}
  __ANYHIP_BF_FN __hip_bfloat16(unsigned long x) : bits_(__anyhip::bf16_from_double((double)x)) {}
  __ANYHIP_BF_FN __hip_bfloat16(long long x) : bits_(__anyhip::bf16_from_double((double)x)) {}
  __ANYHIP_BF_FN __hip_bfloat16(unsigned long long x) : bits_(__anyhip::bf16_from_double((double)x)) {}
  __ANYHIP_BF_FN constexpr __hip_bfloat16(const __hip_bfloat16_raw& raw) : bits_(raw.x) {}

  __ANYHIP_BF_FN operator float() const { return __anyhip::bf16_to_float(bits_); }
  __ANYHIP_BF_FN constexpr operator __hip_bfloat16_raw() const { return {bits_}; }
  __ANYHIP_BF_FN explicit operator bool() const { return (bits_ & 0x7fff) != 0; }
  __ANYHIP_BF_FN explicit operator double() const { return (double)(float)*this; }
  __ANYHIP_BF_FN explicit operator int() const { return (int)(float)*this; }
  __ANYHIP_BF_FN explicit operator unsigned int() const { return (unsigned int)(float)*this; }
  __ANYHIP_BF_FN explicit operator short() const { return (short)(float)*this; }
  __ANYHIP_BF_FN explicit operator unsigned short() const { return (unsigned short)(float)*this; }
  __ANYHIP_BF_FN explicit operator long long() const { return (long long)(float)*this; }
  __ANYHIP_BF_FN explicit operator unsigned long long() const { return (unsigned long long)(float)*this; }
};

struct alignas(4) __hip_bfloat162 {
  __hip_bfloat16 x, y;
  __hip_bfloat162() = default;
  __ANYHIP_BF_FN __hip_bfloat162(const __hip_bfloat16& x_, const __hip_bfloat16& y_) : x(x_), y(y_) {}
  __ANYHIP_BF_FN __hip_bfloat162(const __hip_bfloat162_raw& raw)
      : x(__hip_bfloat16_raw{raw.x}), y(__hip_bfloat16_raw{raw.y}) {}
  __ANYHIP_BF_FN operator __hip_bfloat162_raw() const { return {__hip_bfloat16_raw(x).x, __hip_bfloat16_raw(y).x}; }
  __ANYHIP_BF_FN operator float2() const { return float2((float)x, (float)y); }
};

#define __ANYHIP_BF_OPERATOR(op)                                                                                  \
  __ANYHIP_HOST_DEVICE__ __hip_bfloat16 operator op(const __hip_bfloat16& a, const __hip_bfloat16& b) {           \
    return (float)a op(float) b;                                                                                  \
  }                                                                                                               \
  __ANYHIP_HOST_DEVICE__ __hip_bfloat16& operator op##=(__hip_bfloat16& a, const __hip_bfloat16& b) {             \
    return a = a op b;                                                                                            \
  }                                                                                                               \
  __ANYHIP_HOST_DEVICE__ __hip_bfloat162 operator op(const __hip_bfloat162& a, const __hip_bfloat162& b) {        \
    return {a.x op b.x, a.y op b.y};                                                                              \
  }                                                                                                               \
  __ANYHIP_HOST_DEVICE__ __hip_bfloat162& operator op##=(__hip_bfloat162& a, const __hip_bfloat162& b) {          \
    return a = a op b;                                                                                            \
  }
__ANYHIP_BF_OPERATOR(+)
__ANYHIP_BF_OPERATOR(-)
__ANYHIP_BF_OPERATOR(*)
__ANYHIP_BF_OPERATOR(/)
#undef __ANYHIP_BF_OPERATOR

#define __ANYHIP_BF_COMPARE(op)                                                                          \
  __ANYHIP_HOST_DEVICE__ bool operator op(const __hip_bfloat16& a, const __hip_bfloat16& b) {            \
    return (float)a op(float) b;                                                                         \
  }
__ANYHIP_BF_COMPARE(==)
__ANYHIP_BF_COMPARE(!=)
__ANYHIP_BF_COMPARE(<)
__ANYHIP_BF_COMPARE(>)
__ANYHIP_BF_COMPARE(<=)
__ANYHIP_BF_COMPARE(>=)
#undef __ANYHIP_BF_COMPARE

__ANYHIP_HOST_DEVICE__ __hip_bfloat16 operator-(const __hip_bfloat16& a) {
  return __hip_bfloat16_raw{(unsigned short)(__hip_bfloat16_raw(a).x ^ 0x8000)};
}
__ANYHIP_HOST_DEVICE__ __hip_bfloat162 operator-(const __hip_bfloat162& a) { return {-a.x, -a.y}; }

#undef __ANYHIP_BF_FN

#endif
