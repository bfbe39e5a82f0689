// Integer intrinsics.
#ifndef ANYHIP_DETAIL_INTEGER_H
#define ANYHIP_DETAIL_INTEGER_H

#include <hip/detail/target.h>

__ANYHIP_DEVICE__ int __popc(unsigned int x) { return __builtin_popcount(x); }
__ANYHIP_DEVICE__ int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__ANYHIP_DEVICE__ int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
__ANYHIP_DEVICE__ int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }

// One form of each size in each signedness, so that no argument is ambiguous.
__ANYHIP_DEVICE__ int __ffs(int x) { return __builtin_ffs(x); }
__ANYHIP_DEVICE__ int __ffs(unsigned int x) { return __builtin_ffs((int)x); }
__ANYHIP_DEVICE__ int __ffsll(long long x) { return __builtin_ffsll(x); }
__ANYHIP_DEVICE__ int __ffsll(unsigned long long x) { return __builtin_ffsll((long long)x); }
__ANYHIP_DEVICE__ int __ffsll(long x) { return __builtin_ffsll((long long)x); }
__ANYHIP_DEVICE__ int __ffsll(unsigned long x) { return __builtin_ffsll((long long)x); }
__ANYHIP_DEVICE__ int __ffsll(int x) { return __builtin_ffsll((long long)x); }
__ANYHIP_DEVICE__ int __ffsll(unsigned int x) { return __builtin_ffsll((long long)x); }

__ANYHIP_DEVICE__ unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
__ANYHIP_DEVICE__ unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }

__ANYHIP_DEVICE__ unsigned int __lastbit_u32_u32(unsigned int x) { return x == 0 ? ~0u : (unsigned)__builtin_ctz(x); }
__ANYHIP_DEVICE__ unsigned int __lastbit_u32_u64(unsigned long long x) {
  return x == 0 ? ~0u : (unsigned)__builtin_ctzll(x);
}

// The position of the |n|-th bit that is set: from `base` upwards, or downwards for a negative n; for 0 that of `base` itself.
// All ones where there is none.
__ANYHIP_DEVICE__ unsigned int __fns64(unsigned long long mask, unsigned int base, int n) {
  const unsigned long long from = ~0ull << (base & 63), upto = from ^ (from << 1);
  if (n == 0) return (mask & upto) != 0 ? base : ~0u;
  unsigned long long left = n > 0 ? mask & from : mask & (~from | upto);
  for (int count = n > 0 ? n : -n; count > 1; --count) {
    if (left == 0) return ~0u;
    left = n > 0 ? left & (left - 1) : left & ~(1ull << (63 - __builtin_clzll(left)));
  }
  if (left == 0) return ~0u;
  return (unsigned)(n > 0 ? __builtin_ctzll(left) : 63 - __builtin_clzll(left));
}
__ANYHIP_DEVICE__ unsigned int __fns32(unsigned long long mask, unsigned int base, int n) {
  return __fns64((unsigned int)mask, base, n);
}

// Bits [offset, offset + width) of a word, and a word with those bits replaced.
__ANYHIP_DEVICE__ unsigned int __bitextract_u32(unsigned int x, unsigned int offset, unsigned int width) {
  offset &= 31;
  width &= 31;
  return width == 0 ? 0 : (x << (32 - offset - width)) >> (32 - width);
}
__ANYHIP_DEVICE__ unsigned long long __bitextract_u64(unsigned long long x, unsigned int offset, unsigned int width) {
  offset &= 63;
  width &= 63;
  return width == 0 ? 0 : (x << (64 - offset - width)) >> (64 - width);
}
__ANYHIP_DEVICE__ unsigned int __bitinsert_u32(unsigned int x, unsigned int y, unsigned int offset, unsigned int width) {
  const unsigned mask = (1u << (width & 31)) - 1;
  return (x & ~(mask << (offset & 31))) | ((y & mask) << (offset & 31));
}
__ANYHIP_DEVICE__ unsigned long long __bitinsert_u64(unsigned long long x, unsigned long long y, unsigned int offset,
                                                     unsigned int width) {
  const unsigned long long mask = (1ull << (width & 63)) - 1;
  return (x & ~(mask << (offset & 63))) | ((y & mask) << (offset & 63));
}

// Byte i of the result is byte (selector >> 4i) & 7 of the eight bytes y:x; bit 3 repeats its sign instead.
__ANYHIP_DEVICE__ unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  const unsigned long long bytes = ((unsigned long long)y << 32) | x;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned int byte = (unsigned)(bytes >> (8 * ((selector >> (4 * i)) & 7))) & 0xff;
    result |= byte << (8 * i);
  }
  return result;
}

// 24-bit products of the low 24 bits.
__ANYHIP_DEVICE__ int __mul24(int x, int y) { return ((x << 8) >> 8) * ((y << 8) >> 8); }
__ANYHIP_DEVICE__ unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffff) * (y & 0xffffff); }

__ANYHIP_DEVICE__ int __mulhi(int x, int y) { return (int)(((long long)x * y) >> 32); }
__ANYHIP_DEVICE__ unsigned int __umulhi(unsigned int x, unsigned int y) {
  return (unsigned)(((unsigned long long)x * y) >> 32);
}
__ANYHIP_DEVICE__ long long __mul64hi(long long x, long long y) { return (long long)(((__int128)x * y) >> 64); }
__ANYHIP_DEVICE__ unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return (unsigned long long)(((unsigned __int128)x * y) >> 64);
}

// The 64 bits high:low shifted; the c forms stop at 32 instead of wrapping.
__ANYHIP_DEVICE__ unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return (unsigned)(((((unsigned long long)high << 32) | low) << (shift & 31)) >> 32);
}
__ANYHIP_DEVICE__ unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
__ANYHIP_DEVICE__ unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return (unsigned)((((unsigned long long)high << 32) | low) >> (shift & 31));
}
__ANYHIP_DEVICE__ unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

__ANYHIP_DEVICE__ unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return (x > y ? x - y : y - x) + z;
}
__ANYHIP_DEVICE__ unsigned int __sad(int x, int y, unsigned int z) {
  return (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x) + z;
}

// Averages without overflow, rounded down (hadd) or up (rhadd).
__ANYHIP_DEVICE__ int __hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
__ANYHIP_DEVICE__ int __rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
__ANYHIP_DEVICE__ unsigned int __uhadd(unsigned int x, unsigned int y) { return (x & y) + ((x ^ y) >> 1); }
__ANYHIP_DEVICE__ unsigned int __urhadd(unsigned int x, unsigned int y) { return (x | y) - ((x ^ y) >> 1); }

#endif
