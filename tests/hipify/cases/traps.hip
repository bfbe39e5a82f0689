#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <cuda/barrier>
struct Config { int gridDim, blockDim, warpSize; int texture, cudaLaunches; };
static int min(int a, int b) { return a < b ? a : b; }
template <class T> T max(T a, T b) { return a < b ? b : a; }
#ifdef HIP_INCLUDE_HIP_DRIVER_TYPES_H
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)
#endif
#ifdef HIP_INCLUDE_HIP_HIP_RUNTIME_H
int findCudaDevice() { return 0; }
#endif
__constant__ struct { float weights[4]; } params;
int main() {
  int gridDim = 4, blockDim = 32, warpSize = 64;
  int texture = min(gridDim, max(blockDim, warpSize));
  puts("usage: kernel<<<1, 1>>>(texture)");
  hipLaunchCooperativeKernel((const void *)kernel, gridDim, blockDim, args);
  hipMemcpyToSymbol(HIP_SYMBOL(params), &host[f(1, (2))], sizeof(params));
  __hip_bfloat16 value = __float2bfloat16(1.0f);
  cuda::barrier<cuda::thread_scope_block> bar;
  return texture;
}
