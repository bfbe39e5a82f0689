#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda/barrier>
struct Config { int gridDim, blockDim, warpSize; int texture, cudaLaunches; };
static int min(int a, int b) { return a < b ? a : b; }
template <class T> T max(T a, T b) { return a < b ? b : a; }
#ifdef __DRIVER_TYPES_H__
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)
#endif
#ifdef __CUDA_RUNTIME_H__
int findCudaDevice() { return 0; }
#endif
__constant__ struct { float weights[4]; } params;
int main() {
  int gridDim = 4, blockDim = 32, warpSize = 64;
  int texture = min(gridDim, max(blockDim, warpSize));
  puts("usage: kernel<<<1, 1>>>(texture)");
  cudaLaunchCooperativeKernel((const void *)kernel, gridDim, blockDim, args);
  cudaMemcpyToSymbol(params, &host[f(1, (2))], sizeof(params));
  __nv_bfloat16 value = __float2bfloat16(1.0f);
  cuda::barrier<cuda::thread_scope_block> bar;
  return texture;
}
