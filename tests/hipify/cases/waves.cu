#include <cuda_runtime.h>
#define WARP_SIZE 32
#define TILE 32
constexpr int kWarpSize = 32, other = 32;
enum { THREADS_PER_WARP = (32) };
__device__ float sum(float x) {
  for (int o = 16; o > 0; o /= 2) x += __shfl_down(x, o);
  for (int o = 16; o > 0; o /= 2) x += __shfl_down(x, o, 32);
  for (int o = 16; o > 0; o /= 2) x += TILE;
  return x;
}
__global__ void k(float* p, int n) {
  __shared__ float a[warpSize];
  constexpr int size = warpSize;
  int tid = threadIdx.x, lane = tid & 31, w = threadIdx.x >> 5;
  int column = n % 32;
  int block = (threadIdx.x + threadIdx.y * blockDim.x) / 32;
  unsigned below = (1u << lane) - 1, flag = 1 << n;
  p[tid % 16] = sum(p[(lane + 31) & 31]);
}
int host() { int tid = 3; return tid & 31; }
