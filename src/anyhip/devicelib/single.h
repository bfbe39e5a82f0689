// Arithmetic for the float functions: everything in float, without branches where that is cheaper than a branch,
// and with a second float (`ff`, 48 bits) through the steps that decide the last bit.
#ifndef ANYHIP_DEVICELIB_SINGLE_H
#define ANYHIP_DEVICELIB_SINGLE_H

#include "common.h"
#include "coefficients_float.h"

namespace anyhip {

constexpr float kInfinityF = __builtin_inff(), kNaNF = __builtin_nanf("");
// Constants as the nearest float and the rest.
constexpr float kLn2F = 0x1.62e430p-1f;
constexpr float kLn2TailF = -0x1.05c610p-29f;
constexpr float kInvLn2F = 0x1.715476p+0f, kInvLn2TailF = 0x1.4ae0c0p-26f;
constexpr float kInvLn10F = 0x1.bcb7b2p-2f, kInvLn10TailF = -0x1.5b2336p-27f;
constexpr float kLn10F = 0x1.26bb1cp+1f, kLn10TailF = -0x1.12aabap-25f;
constexpr float kLog10Of2HiF = 0x1.344000p-2f, kLog10Of2LoF = 0x1.3509f8p-18f;

ANYHIP_INLINE float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
ANYHIP_INLINE float absolute(float x) { return __builtin_fabsf(x); }
ANYHIP_INLINE float with_sign(float x, float sign) { return __builtin_copysignf(x, sign); }
ANYHIP_INLINE bool is_nan(float x) { return x != x; }
// Unlike fmin and fmax these keep a NaN: one comparison and one selection.
ANYHIP_INLINE float at_most(float x, float high) { return x > high ? high : x; }
ANYHIP_INLINE float at_least(float x, float low) { return x < low ? low : x; }

template <int n> ANYHIP_INLINE float horner(const float (&c)[n], float x) {
  float sum = c[n - 1];
#pragma unroll
  for (int i = n - 2; i >= 0; --i) sum = fused(sum, x, c[i]);
  return sum;
}

// The machine's estimates, within 1 ulp and without subnormal numbers; the host's are rounded correctly.
ANYHIP_INLINE float reciprocal(float x) {
#if defined(__AMDGCN__)
  return __builtin_amdgcn_rcpf(x);
#elif defined(__NVPTX__)
  return __nvvm_rcp_approx_ftz_f(x);
#else
  return 1.0f / x;
#endif
}
ANYHIP_INLINE float estimated_root(float x) {
#if defined(__AMDGCN__)
  return __builtin_amdgcn_sqrtf(x);
#elif defined(__NVPTX__)
  return __nvvm_sqrt_approx_ftz_f(x);
#else
  return __builtin_sqrtf(x);
#endif
}

// To the nearest whole number, |x| < 2^22, as a float and as the low bits of an integer.
struct whole_number {
  float value;
  int bits;  // only its low 22 bits count
};
ANYHIP_INLINE whole_number nearest_whole(float x, float factor) {
  const float shifted = fused(x, factor, 0x1.8p23f);
  return {shifted - 0x1.8p23f, bits_as<int>(shifted)};
}
// x * 2^n for a normal x of about 1 and -160 < n <= 128, rounded once: two factors, both normal.
ANYHIP_INLINE float scale_near_one(float x, int n) {
  const int half = n >> 1;
  const float first = bits_as<float>((int)((u32)half << 23) + 0x3f800000);
  const float second = bits_as<float>((int)((u32)(n - half) << 23) + 0x3f800000);
  return x * first * second;
}
// 2^n, -126 <= n <= 127, from the low bits of an integer.
ANYHIP_INLINE float power_of_two_float(int n) { return bits_as<float>((int)((u32)n << 23) + 0x3f800000); }

struct ff {
  float hi, lo;
};
// |a| >= |b|, or a = 0
ANYHIP_INLINE ff quick_sum(float a, float b) {
  const float sum = a + b;
  return {sum, b - (sum - a)};
}
ANYHIP_INLINE ff two_sum(float a, float b) {
  const float sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
ANYHIP_INLINE ff two_product(float a, float b) {
  const float product = a * b;
  return {product, fused(a, b, -product)};
}
ANYHIP_INLINE ff multiply(ff a, ff b) {
  const ff p = two_product(a.hi, b.hi);
  return {p.hi, p.lo + fused(a.hi, b.lo, a.lo * b.hi)};
}
ANYHIP_INLINE ff multiply(ff a, float b) {
  const ff p = two_product(a.hi, b);
  return {p.hi, fused(a.lo, b, p.lo)};
}
// For operands between 2^-60 and 2^60, whose quotients need no scaling.
ANYHIP_INLINE ff divide(ff a, ff b) {
  const float r = reciprocal(b.hi);
  const float quotient = a.hi * r;
  return {quotient, (fused(-quotient, b.hi, a.hi) + fused(-quotient, b.lo, a.lo)) * r};
}
ANYHIP_INLINE ff divide(float a, float b) {
  const float r = reciprocal(b), quotient = a * r;
  return {quotient, fused(-quotient, b, a) * r};
}
ANYHIP_INLINE float quotient_of(float a, float b) {
  const float r = reciprocal(b), quotient = a * r;
  return fused(fused(-quotient, b, a), r, quotient);
}
// The root of a positive a.
ANYHIP_INLINE ff square_root(ff a) {
  const float root = estimated_root(a.hi);
  return {root, (fused(-root, root, a.hi) + a.lo) * reciprocal(root + root)};
}

// A polynomial whose constant term has two parts.
template <int n> ANYHIP_INLINE ff series(const float (&first)[2], const float (&rest)[n], float x) {
  const ff sum = quick_sum(first[0], x * horner(rest, x));
  return {sum.hi, sum.lo + first[1]};
}

}  // namespace anyhip

#endif
