#include <hip/hip_runtime.h>

extern __device__ int calls;
__global__ void kernel(int *x);

int main() {
  int host[64], *device, counted = 0, total = 0;
  for (int i = 0; i < 64; i++) host[i] = i;
  if (hipMalloc(&device, sizeof host) || hipMemcpy(device, host, sizeof host, hipMemcpyHostToDevice)) return 1;
  kernel<<<1, 64>>>(device);
  if (hipMemcpy(host, device, sizeof host, hipMemcpyDeviceToHost)) return 2;
  if (hipMemcpyFromSymbol(&counted, HIP_SYMBOL(calls), sizeof counted)) return 3;
  for (int value : host) total += value;
  return total == 7 * 2016 && counted == 164 ? 0 : 4;
}
