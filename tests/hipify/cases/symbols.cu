#include "cuda_runtime.h"

__constant__ float weights[16];
__device__ int counter;
template <typename T> __device__ T table[4];

void copies(std::vector<float> &v, float *host, cudaStream_t s)
{
    cudaMemcpyToSymbol(weights, v.data(), sizeof(float) * (v.size() + f(1, 2)));
    CHECK(cudaMemcpyFromSymbol(v.data(), weights, 64, 0, cudaMemcpyDeviceToHost));
    cudaMemcpyToSymbolAsync(
        weights, // the table
        host, 64, 0, cudaMemcpyHostToDevice, s);
    cudaMemcpyFromSymbol(host, table<float>, 16);
    cudaMemcpyToSymbol(HIP_SYMBOL(counter), host, 4);
    void *address; size_t size;
    cudaGetSymbolAddress(&address, counter);
    cudaGetSymbolSize(&size, weights);
}
