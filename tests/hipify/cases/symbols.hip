#include "hip/hip_runtime.h"

__constant__ float weights[16];
__device__ int counter;
template <typename T> __device__ T table[4];

void copies(std::vector<float> &v, float *host, hipStream_t s)
{
    hipMemcpyToSymbol(HIP_SYMBOL(weights), v.data(), sizeof(float) * (v.size() + f(1, 2)));
    CHECK(hipMemcpyFromSymbol(v.data(), HIP_SYMBOL(weights), 64, 0, hipMemcpyDeviceToHost));
    hipMemcpyToSymbolAsync(
        HIP_SYMBOL(weights), // the table
        host, 64, 0, hipMemcpyHostToDevice, s);
    hipMemcpyFromSymbol(host, HIP_SYMBOL(table<float>), 16);
    hipMemcpyToSymbol(HIP_SYMBOL(counter), host, 4);
    void *address; size_t size;
    hipGetSymbolAddress(&address, HIP_SYMBOL(counter));
    hipGetSymbolSize(&size, HIP_SYMBOL(weights));
}
