#include <hip/hip_runtime.h>
int main()
{
    hipFree(0); // éÿ
    x = __lane_id();
    asm("cpuid");
}
