#include <cuda_runtime.h>
// No warp functions here: 32 is the side of a tile.
__global__ void transpose(float* out, const float* in) {
  int x = threadIdx.x % 32, y = threadIdx.x / 32;
  int warp_id = threadIdx.x >> 5;
  out[x * 32 + y] = in[y * 32 + x] + warp_id;
}
