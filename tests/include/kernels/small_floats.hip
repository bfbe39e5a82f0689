#include "check.h"
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

__global__ void halves() {
  const __half a = 1.5f, b = 2.25f;
  CHECK((float)(a + b) == 3.75f && (float)(a * b) == 3.375f && (float)__hfma(a, b, a) == 4.875f);
  CHECK((float)hsqrt(b) == 1.5f && a < b && __hgt(b, a) && __hneu(a, b));
  CHECK(__half_as_ushort(__float2half_rz(1.0006f)) == 0x3c00 && __half_as_ushort(__float2half_ru(1.0001f)) == 0x3c01);
  CHECK(__half2float(__float2half(65519.f)) == 65504.f && __half_as_ushort(__float2half(65520.f)) == 0x7c00);
  CHECK(__half2int_rn(__float2half(2.5f)) == 2 && __half2int_ru(b) == 3 && __half2int_rd(__hneg(b)) == -3);
  CHECK(__half_as_ushort(__int2half_rz(70000)) == 0x7bff && __half_as_ushort(__int2half_rn(70000)) == 0x7c00);
  const __half2 sum = __hadd2(__floats2half2_rn(1, 2), __floats2half2_rn(3, 4));
  CHECK(__low2float(sum) == 4 && __high2float(sum) == 6 && __hbeq2(sum, sum));
  CHECK((float)__hmax(a, __ushort_as_half(0x7e00)) == 1.5f && __hisnan(__hmax_nan(a, __ushort_as_half(0x7e00))));
  CHECK((float)__hisinf2(__floats2half2_rn(1, 1e9f)).y == 1 && __hne2_mask(sum, __floats2half2_rn(4, 7)) == 0xffff0000u);
  CHECK((float)__hfma(a, b, __hneg(__hmul_rn(a, b))) == 0 && (float)__hmul_sat(b, b) == 1 && (float)h2tanh(sum).x < 1);
  CHECK((float)__shfl(__half((float)threadIdx.x), 5) == (float)(threadIdx.x / warpSize * warpSize + 5));
}

__global__ void bfloats() {
  const __hip_bfloat16 a = 1.5f, b = 2.25f;
  CHECK((float)(a + b) == 3.75f && (float)(a * b) == 3.375f && (float)__hfma(a, b, a) == 4.875f);
  CHECK(__bfloat16_as_ushort(__float2bfloat16(1.00390625f)) == 0x3f80);   // a tie, to even
  CHECK(__bfloat16_as_ushort(__float2bfloat16(1.01171875f)) == 0x3f82);
  CHECK(__bfloat16_as_ushort(__double2bfloat16(1.00390625 + 1e-15)) == 0x3f81);
  CHECK(__bfloat16_as_ushort(__float2bfloat16_rz(1.0117f)) == 0x3f81);
  CHECK(__bfloat16_as_ushort(__float2bfloat16_ru(1.0001f)) == 0x3f81 && __bfloat16_as_ushort(__float2bfloat16_rd(-1.0001f)) == 0xbf81);
  CHECK(__bfloat16_as_ushort(__float2bfloat16_rz(-3e38f)) == 0xff61 && __bfloat16_as_ushort(__float2bfloat16_ru(3.4e38f)) == 0x7f80);
  CHECK(__bfloat16_as_ushort(__int2bfloat16_rd(257)) == 0x4380 && __bfloat16_as_ushort(__ll2bfloat16_ru(257)) == 0x4381);
  CHECK(__bfloat16_as_ushort(__float2bfloat16_rd(-0.f)) == 0x8000 && __bfloat162uchar_rz(__float2bfloat16(7.9f)) == 7);
  const __hip_bfloat162 pair = __floats2bfloat162_rn(1, __int_as_float(0x7fc00000));
  CHECK(__hbeq2(__hadd2(pair, pair), pair) == false && (float)__heq2(pair, pair).x == 1 && (float)__hisnan2(pair).y == 1);
  CHECK(__hequ2_mask(pair, __floats2bfloat162_rn(2, 3)) == 0xffff0000u && (float)__hfma_sat(b, b, a) == 1);
  CHECK((float)htanh(__float2bfloat16(100.f)) == 1 && (float)h2exp2(__floats2bfloat162_rn(3, 4)).y == 16);
  CHECK(__hisnan(__float2bfloat16(__int_as_float(0x7f800001))));
}

int main() {
  halves<<<1, 64>>>();
  bfloats<<<1, 64>>>();
  return report();
}
