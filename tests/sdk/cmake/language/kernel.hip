#include <hip/hip_runtime.h>

__device__ int seven_times(int x);
extern __device__ int calls;

__global__ void kernel(int *x) {
  x[threadIdx.x] = seven_times(x[threadIdx.x]);
  atomicAdd(&calls, 1);
}
