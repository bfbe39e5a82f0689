#include <hip/hip_runtime.h>

template <int factor>
__global__ void times(int *x) {
  x[threadIdx.x] *= factor;
}

// The sum of 0 … 63, each multiplied on the device; -1 where HIP reports an error.
template <int factor>
static int sum() {
  int host[64], *device, total = 0;
  for (int i = 0; i < 64; i++) host[i] = i;
  if (hipMalloc(&device, sizeof host) || hipMemcpy(device, host, sizeof host, hipMemcpyHostToDevice)) return -1;
  times<factor><<<1, 64>>>(device);
  if (hipMemcpy(host, device, sizeof host, hipMemcpyDeviceToHost) || hipFree(device)) return -1;
  for (int value : host) total += value;
  return total;
}
