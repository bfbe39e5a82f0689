#include <hip/hip_runtime.h>
int main()
{
    hipFree(0); // éÿ
    asm volatile("mov.u32 %0, %laneid;" : "=r"(x));
    asm("cpuid");
}
