#include <cuda_runtime.h>
__device__ unsigned f(unsigned a, unsigned b, float& y) {
  unsigned r;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  asm volatile("{\n\t lop3.b32 %0,%1, %2,%3, 0xca;\n\t}" : "=r"(r) : "r"(a), "r"(b + 1), "r"(f(a, b, y)));
  asm("ex2.approx.ftz.f32 %0, %1;"
      : "=f"(y)
      : "f"(y));
  asm volatile("membar.gl;" ::: "memory");
  asm("trap;");
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
  asm("add.u32 %0, %1, %2; add.u32 %0, %0, 1;" : "=r"(r) : "r"(a), "r"(b));
  asm("popc.b32 %[out], %[in];" : [out] "=r"(r) : [in] "r"(a));
  asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
  asm("nop");
  return r;
}
