#include "check.h"
#include <hip/hip_cooperative_groups.h>

__global__ void heap(int* sum) {
  int* p = (int*)malloc(4 * (threadIdx.x % 7 + 1));
  CHECK(p != nullptr);
  if (!p) return;
  *p = threadIdx.x;
  __syncthreads();
  CHECK(*p == (int)threadIdx.x);
  free(p);
  int* q = new int[4];
  q[3] = 7;
  atomicAdd(sum, q[3]);
  delete[] q;
  CHECK(malloc(1 << 30) == nullptr);
}

__global__ void whole_grid(int* cells) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  atomicAdd(&cells[0], 1);
  grid.sync();
  if (threadIdx.x == 0) atomicAdd(&cells[1], cells[0]);
  grid.sync();
  CHECK(cells[1] == (int)(gridDim.x * gridDim.x * blockDim.x));
}

int main() {
  int *cells, sum;
  HIP(hipMalloc(&cells, 64));
  HIP(hipMemset(cells, 0, 64));
  heap<<<2, 256>>>(cells);
  HIP(hipMemcpy(&sum, cells, 4, hipMemcpyDeviceToHost));
  printf("%d\n", sum);
  HIP(hipMemset(cells, 0, 64));
  void* arguments[] = {&cells};
  HIP(hipLaunchCooperativeKernel((void*)whole_grid, dim3(6), dim3(64), arguments, 0, 0));
  return report();
}
