#include <cassert>
#include "check.h"

__global__ void asserts(int limit) { assert((int)threadIdx.x < limit); }

int main() {
  asserts<<<1, 64>>>(64);
  HIP(hipDeviceSynchronize());
  asserts<<<1, 64>>>(62);
  printf("%s\n", hipGetErrorName(hipDeviceSynchronize()));
  return 0;
}
