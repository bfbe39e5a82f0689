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
  CHECK((float)__shfl(__half((float)threadIdx.x), 5) == (float)(threadIdx.x / warpSize * warpSize + 5));
}

__global__ void bfloats() {
  const __hip_bfloat16 a = 1.5f, b = 2.25f;
  CHECK((float)(a + b) == 3.75f && (float)(a * b) == 3.375f && (float)__hfma(a, b, a) == 4.875f);
  CHECK(__bfloat16_as_ushort(__float2bfloat16(1.00390625f)) == 0x3f80);   // a tie, to even
  CHECK(__bfloat16_as_ushort(__float2bfloat16(1.01171875f)) == 0x3f82);
  CHECK(__bfloat16_as_ushort(__double2bfloat16(1.00390625 + 1e-15)) == 0x3f81);
  CHECK(__bfloat16_as_ushort(__float2bfloat16_rz(1.0117f)) == 0x3f81);
  CHECK(__hisnan(__float2bfloat16(__int_as_float(0x7f800001))));
}

int main() {
  halves<<<1, 64>>>();
  bfloats<<<1, 64>>>();
  return report();
}
