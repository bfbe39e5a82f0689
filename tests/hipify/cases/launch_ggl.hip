#include <cstdio>
#include <hip/hip_runtime.h>

template <typename T, int N>
__global__ void scale(T *data, T factor)
{
    data[threadIdx.x] *= factor; // x
}

__global__ void nothing() {}

#define LAUNCH(kernel, grid, block, ...) \
    hipLaunchKernelGGL(kernel, dim3(grid), dim3(block), 0, 0, __VA_ARGS__)

int main()
{
    float *data;
    hipMalloc(&data, 64 * sizeof(float));
    hipStream_t stream;
    hipStreamCreate(&stream);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<float, 4>), dim3(1), dim3(64), 0, stream, data, 2.0f);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<float, (3 > 2)>), dim3(1, 1), dim3(8, std::min(8, 9)), 0, 0,
        data,  /* a comma, here */
        2.0f);
    hipLaunchKernelGGL(nothing, dim3(1), dim3(32), 0, 0);
    hipLaunchKernelGGL(ns::inner::nothing, dim3(1), dim3(1), sizeof(int) * 4, 0);
    LAUNCH((scale<float, 1>), 1, 64, data, 1.0f);
    printf("nothing<<<1, 1>>>() %s\n", hipGetErrorString(hipGetLastError()));
    return 0;
}
