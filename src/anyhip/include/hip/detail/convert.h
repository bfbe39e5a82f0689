// Conversions with a rounding mode, and reinterpretations of bits.
#ifndef ANYHIP_DETAIL_CONVERT_H
#define ANYHIP_DETAIL_CONVERT_H

#include <hip/detail/target.h>

#define __ANYHIP_REINTERPRET(name, From, To) \
  __ANYHIP_DEVICE__ To name(From x) { return __builtin_bit_cast(To, x); }
__ANYHIP_REINTERPRET(__float_as_int, float, int)
__ANYHIP_REINTERPRET(__float_as_uint, float, unsigned int)
__ANYHIP_REINTERPRET(__int_as_float, int, float)
__ANYHIP_REINTERPRET(__uint_as_float, unsigned int, float)
__ANYHIP_REINTERPRET(__double_as_longlong, double, long long)
__ANYHIP_REINTERPRET(__longlong_as_double, long long, double)
#undef __ANYHIP_REINTERPRET

__ANYHIP_DEVICE__ int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
__ANYHIP_DEVICE__ int __double2loint(double x) { return (int)__double_as_longlong(x); }
__ANYHIP_DEVICE__ double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)(((unsigned long long)(unsigned)high << 32) | (unsigned)low));
}

// Floating point to integer: round in floating point, then convert exactly.
#define __ANYHIP_TO_INTEGER(from, F, suffix, to, I)                                            \
  __ANYHIP_DEVICE__ I __##from##2##to##_rn(F x) { return (I)__builtin_rint##suffix(x); }       \
  __ANYHIP_DEVICE__ I __##from##2##to##_rz(F x) { return (I)x; }                               \
  __ANYHIP_DEVICE__ I __##from##2##to##_ru(F x) { return (I)__builtin_ceil##suffix(x); }       \
  __ANYHIP_DEVICE__ I __##from##2##to##_rd(F x) { return (I)__builtin_floor##suffix(x); }
__ANYHIP_TO_INTEGER(float, float, f, int, int)
__ANYHIP_TO_INTEGER(float, float, f, uint, unsigned int)
__ANYHIP_TO_INTEGER(float, float, f, ll, long long)
__ANYHIP_TO_INTEGER(float, float, f, ull, unsigned long long)
__ANYHIP_TO_INTEGER(double, double, , int, int)
__ANYHIP_TO_INTEGER(double, double, , uint, unsigned int)
__ANYHIP_TO_INTEGER(double, double, , ll, long long)
__ANYHIP_TO_INTEGER(double, double, , ull, unsigned long long)
#undef __ANYHIP_TO_INTEGER

namespace __anyhip {

// The neighbours of a number (not a NaN): its bits, seen as a magnitude, plus or minus one.
template <typename F, typename Bits> __ANYHIP_DEVICE__ F step(F x, bool away_from_zero) {
  const Bits bits = __builtin_bit_cast(Bits, x);
  return __builtin_bit_cast(F, away_from_zero ? Bits(bits + 1) : Bits(bits - 1));
}
template <typename F, typename Bits> __ANYHIP_DEVICE__ F next_above(F x) {
  if (x == F(0)) return __builtin_bit_cast(F, Bits(1));
  return step<F, Bits>(x, x > F(0));
}
template <typename F, typename Bits> __ANYHIP_DEVICE__ F next_below(F x) { return -next_above<F, Bits>(-x); }

// -1, 0 or 1 as the nearest number lies below, on or above the exact integer. A number that rounds up past
// the integer type's range (only 2^63 and 2^64 can) is above it.
template <typename F, typename I> __ANYHIP_DEVICE__ int compare_exact(F nearest, I exact, F type_limit) {
  if (nearest >= type_limit) return 1;
  const I back = (I)nearest;
  return back < exact ? -1 : back > exact;
}

}  // namespace __anyhip

// Integer to floating point: the nearest number, then one step if it lies on the wrong side.
#define __ANYHIP_FROM_INTEGER(from, I, to, F, Bits, limit)                                        \
  __ANYHIP_DEVICE__ F __##from##2##to##_rn(I x) { return (F)x; }                                  \
  __ANYHIP_DEVICE__ F __##from##2##to##_ru(I x) {                                                 \
    const F nearest = (F)x;                                                                       \
    return __anyhip::compare_exact(nearest, x, (F)limit) < 0 ? __anyhip::next_above<F, Bits>(nearest) : nearest; \
  }                                                                                               \
  __ANYHIP_DEVICE__ F __##from##2##to##_rd(I x) {                                                 \
    const F nearest = (F)x;                                                                       \
    return __anyhip::compare_exact(nearest, x, (F)limit) > 0 ? __anyhip::next_below<F, Bits>(nearest) : nearest; \
  }                                                                                               \
  __ANYHIP_DEVICE__ F __##from##2##to##_rz(I x) {                                                 \
    return x < 0 ? __##from##2##to##_ru(x) : __##from##2##to##_rd(x);                             \
  }
__ANYHIP_FROM_INTEGER(int, int, float, float, unsigned int, 0x1p31f)
__ANYHIP_FROM_INTEGER(uint, unsigned int, float, float, unsigned int, 0x1p32f)
__ANYHIP_FROM_INTEGER(ll, long long, float, float, unsigned int, 0x1p63f)
__ANYHIP_FROM_INTEGER(ull, unsigned long long, float, float, unsigned int, 0x1p64f)
__ANYHIP_FROM_INTEGER(ll, long long, double, double, unsigned long long, 0x1p63)
__ANYHIP_FROM_INTEGER(ull, unsigned long long, double, double, unsigned long long, 0x1p64)
#undef __ANYHIP_FROM_INTEGER

__ANYHIP_DEVICE__ double __int2double_rn(int x) { return (double)x; }
__ANYHIP_DEVICE__ double __uint2double_rn(unsigned int x) { return (double)x; }

__ANYHIP_DEVICE__ float __double2float_rn(double x) { return (float)x; }
__ANYHIP_DEVICE__ float __double2float_ru(double x) {
  const float nearest = (float)x;
  return (double)nearest < x ? __anyhip::next_above<float, unsigned int>(nearest) : nearest;
}
__ANYHIP_DEVICE__ float __double2float_rd(double x) {
  const float nearest = (float)x;
  return (double)nearest > x ? __anyhip::next_below<float, unsigned int>(nearest) : nearest;
}
__ANYHIP_DEVICE__ float __double2float_rz(double x) { return x < 0 ? __double2float_ru(x) : __double2float_rd(x); }

#endif
