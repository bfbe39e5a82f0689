#include <hip/hip_runtime.h>

template <int N, int M> __global__ void kernel(int *p);

void attributes(hipFuncAttributes *a, dim3 g, dim3 b, void **args)
{
    hipFuncSetAttribute(reinterpret_cast<const void*>(kernel<8, 4>), hipFuncAttributeMaxDynamicSharedMemorySize, 65536);
    hipFuncGetAttributes(a, (const void *)kernel<1, 2>);
    hipFuncSetCacheConfig(nullptr, hipFuncCachePreferL1);
    hipLaunchKernel((void *)kernel<1, 2>, g, b, args, 0, 0);
    hipLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel<1, 2>), g, b, args);
    int *p;
    hipHostMalloc((void **)&p, 16);
    hipHostMalloc((void **)&p, 16, hipHostMallocMapped | hipHostMallocPortable);
    hipEvent_t e;
    hipEventCreate(&e);
    hipEventCreateWithFlags(&e, hipEventDisableTiming);
}
