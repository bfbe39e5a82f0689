#include "check.h"

__global__ void prints(const char* format) {
  if (threadIdx.x < 2)
    printf("%5d|%-6s|%08.3f|%x|%c|%llu|%p|%%|%e|%*d\n", threadIdx.x, "ab", 3.14159, 255, 'z', 1ull << 40, (void*)0x1234,
           1e10, 4, 7);
  printf("");
  if (threadIdx.x == 70) printf("%s %hhd %zu\n", (const char*)nullptr, (char)200, sizeof(int));
}

int main() {
  prints<<<1, 128>>>("");
  HIP(hipDeviceSynchronize());
  return 0;
}
