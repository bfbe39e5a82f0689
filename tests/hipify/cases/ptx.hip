#include <hip/hip_runtime.h>
__device__ unsigned f(unsigned a, unsigned b, float& y) {
  unsigned r;
  r = __lane_id();
  r = (a & (b + 1)) | (~a & (f(a, b, y)));
  y = exp2f(y);
  __threadfence();
  __builtin_trap();
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
  asm("add.u32 %0, %1, %2; add.u32 %0, %0, 1;" : "=r"(r) : "r"(a), "r"(b));
  asm("popc.b32 %[out], %[in];" : [out] "=r"(r) : [in] "r"(a));
  asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
  asm("nop");
  return r;
}
