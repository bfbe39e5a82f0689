#include "check.h"
#include <cmath>

__global__ void bits() {
  CHECK(__popc(0xff00ff) == 16 && __popcll(~0ull) == 64);
  CHECK(__clz(1) == 31 && __clz(0) == 32 && __clzll(1) == 63 && __clzll(0) == 64);
  CHECK(__ffs(8) == 4 && __ffs(0) == 0 && __ffsll(1ll << 40) == 41);
  CHECK(__brev(1) == 0x80000000 && __brevll(1) == 1ull << 63);
  CHECK(__byte_perm(0x03020100, 0x07060504, 0x7531) == 0x07050301);
  CHECK(__mul24(-3, 5) == -15 && __umul24(0x1000003, 5) == 15);
  CHECK(__mulhi(1 << 30, 8) == 2 && __umulhi(0x80000000u, 4) == 2);
  CHECK(__mul64hi(1ll << 62, 8) == 2 && __umul64hi(1ull << 63, 4) == 2);
  CHECK(__funnelshift_l(0x80000000u, 1, 1) == 3 && __funnelshift_r(2, 1, 1) == 0x80000001u);
  CHECK(__funnelshift_lc(5, 6, 40) == 5 && __funnelshift_rc(5, 6, 40) == 6);
  CHECK(__sad(-3, 4, 10u) == 17 && __usad(3, 4, 1) == 2);
  CHECK(__hadd(7, 4) == 5 && __rhadd(7, 4) == 6 && __hadd(-3, -4) == -4 && __uhadd(~0u, ~0u) == ~0u);
  CHECK(__fns32(0b101100, 0, 2) == 3 && __fns32(0b101100, 5, -2) == 3 && __fns32(0b101100, 2, 0) == 2);
  CHECK(__fns64(1ull << 40, 41, 1) == ~0u && __fns64(3ull << 62, 63, -2) == 62 && __fns32(2, 0, 0) == ~0u);
  CHECK(__lastbit_u32_u32(12) == 2 && __lastbit_u32_u64(0) == ~0u);
  CHECK(min(3, 5) == 3 && max(3u, 5) == 5 && min(2.0f, 1) == 1.f && max(1.0, 2.0f) == 2.0);
}

__global__ void conversions() {
  CHECK(__float2int_rn(2.5f) == 2 && __float2int_ru(2.1f) == 3 && __float2int_rd(-2.1f) == -3);
  CHECK(__float2int_rz(-2.9f) == -2 && __double2ll_rn(-0.5) == 0 && __double2uint_ru(1.5) == 2);
  CHECK(__int2float_ru(16777217) == 16777218.f && __int2float_rd(16777217) == 16777216.f);
  CHECK(__int2float_rz(-16777217) == -16777216.f && __int2float_rd(-16777217) == -16777218.f);
  CHECK(__double2float_ru(1 + 1e-12) == 1.00000011920928955f && __double2float_rd(1 + 1e-12) == 1.f);
  CHECK(__double2float_rd(1e300) == 3.4028234663852886e38f && __double2float_rz(-1e-300) == 0.f);
  CHECK(__ull2float_rz(~0ull) == 18446742974197923840.f && __ull2float_rn(~0ull) == 18446744073709551616.f);
  CHECK(__ll2double_rd((1ll << 62) + 1) == 4611686018427387904.0);
  CHECK(__hiloint2double(0x3ff00000, 0) == 1.0 && __double2hiint(1.0) == 0x3ff00000);
  CHECK(__float_as_int(1.0f) == 0x3f800000 && __longlong_as_double(0x4000000000000000ll) == 2.0);
  CHECK(__saturatef(2.f) == 1 && __saturatef(-1.f) == 0 && __saturatef(__int_as_float(0x7fc00000)) == 0);
  CHECK(__fdividef(1.f, 4.f) == .25f && __frcp_rn(4.f) == .25f && __fsqrt_rn(9.f) == 3.f);
}

__global__ void classes() {
  const float tiny = __int_as_float(1), infinite = __int_as_float(0x7f800000), invalid = __int_as_float(0x7fc00000);
  CHECK(isgreater(2.f, 1.f) && isless(1., 2.) && islessequal(1.f, 1.f) && !isgreaterequal(1., invalid));
  CHECK(isunordered(invalid, 1.f) && islessgreater(1., 2.) && !islessgreater(invalid, 2.f));
  CHECK(fpclassify(invalid) == FP_NAN && fpclassify(infinite) == FP_INFINITE && fpclassify(0.) == FP_ZERO);
  CHECK(fpclassify(tiny) == FP_SUBNORMAL && fpclassify((double)tiny) == FP_NORMAL && !__finitef(infinite));
}

__global__ void vectors() {
  const float4 v = {1};  // missing components are zero
  CHECK(v == make_float4(1, 0, 0, 0));
  const int3 i = make_int3(1, 2, 3) * 2 + make_int3(1, 1, 1);
  CHECK(i == make_int3(3, 5, 7) && i != make_int3(3, 5, 8));
  uint2 u = {7u, 9u};
  u <<= 1;
  u ^= make_uint2(1, 1);
  CHECK(u == make_uint2(15, 19));
  double2 d = make_double2(1, 2);
  CHECK(d++ == make_double2(1, 2) && d == make_double2(2, 3) && -d == make_double2(-2, -3) && 6.0 / d == make_double2(3, 2));
  const dim3 grid = gridDim;
  const uint3 block = blockIdx;
  CHECK(grid.x == 3 && grid.y == 2 && grid.z == 1 && block.x < 3 && block.y < 2 && block.z == 0);
  const dim3 back = block;
  CHECK(back.x == blockIdx.x && sizeof(float3) == 12 && alignof(float4) == 16 && alignof(double4) == 32);
}

int main() {
  bits<<<1, 1>>>();
  conversions<<<1, 1>>>();
  classes<<<1, 1>>>();
  vectors<<<dim3(3, 2), 1>>>();
  return report();
}
