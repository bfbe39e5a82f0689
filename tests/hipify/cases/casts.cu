#include <cuda_runtime.h>

template <int N, int M> __global__ void kernel(int *p);

void attributes(cudaFuncAttributes *a, dim3 g, dim3 b, void **args)
{
    cudaFuncSetAttribute(kernel<8, 4>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    cudaFuncGetAttributes(a, (const void *)kernel<1, 2>);
    cudaFuncSetCacheConfig(nullptr, cudaFuncCachePreferL1);
    cudaLaunchKernel((void *)kernel<1, 2>, g, b, args, 0, 0);
    cudaLaunchCooperativeKernel(kernel<1, 2>, g, b, args);
    int *p;
    cudaMallocHost((void **)&p, 16);
    cudaMallocHost((void **)&p, 16, cudaHostAllocMapped | cudaHostAllocPortable);
    cudaEvent_t e;
    cudaEventCreate(&e);
    cudaEventCreate(&e, cudaEventDisableTiming);
}
