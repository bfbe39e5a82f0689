#include "check.h"
#include <hip/hip_fp16.h>

struct Cells {
  int i[6];
  unsigned u[5];
  float f[6];
  double d[2];
  unsigned long long q[2];
  unsigned short h[2];
  __half2 pair;
};

__global__ void everything(Cells* c) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&c->i[0], 1);
  atomicSub(&c->i[1], 1);
  atomicMax(&c->i[2], n);
  atomicMin(&c->i[3], -n);
  int old = c->i[4], seen;
  do {
    seen = old;
    old = atomicCAS(&c->i[4], seen, seen + 2);
  } while (old != seen);
  atomicAdd_system(&c->i[5], 1);
  atomicOr(&c->u[0], 1u << (n % 32));
  atomicAnd(&c->u[1], ~(1u << (n % 32)));
  atomicXor(&c->u[2], 1u << (n % 32));
  atomicInc(&c->u[3], 99);
  atomicDec(&c->u[4], 99);
  atomicAdd(&c->f[0], 1.0f);
  atomicMax(&c->f[1], (float)n);
  atomicExch(&c->f[2], 3.0f);
  unsafeAtomicAdd(&c->f[3], 1.0f);
  safeAtomicAdd(&c->f[4], 1.0f);
  atomicMax(&c->f[5], -1.0f - n);
  atomicAdd(&c->d[0], 0.5);
  atomicMin(&c->d[1], (double)-n);
  atomicAdd(&c->q[0], 1ull << 33);
  atomicMax(&c->q[1], (unsigned long long)n);
  unsigned short before = c->h[1], expected;
  do {
    expected = before;
    before = atomicCAS(&c->h[1], expected, (unsigned short)(expected + 1));
  } while (before != expected);
  atomicAdd(&c->pair, __float2half2_rn(1.0f));
}

int main() {
  Cells cells = {}, *device;
  cells.u[1] = ~0u;
  cells.f[5] = -1e6f;
  HIP(hipMalloc(&device, sizeof cells));
  HIP(hipMemcpy(device, &cells, sizeof cells, hipMemcpyHostToDevice));
  everything<<<4, 256>>>(device);
  HIP(hipMemcpy(&cells, device, sizeof cells, hipMemcpyDeviceToHost));
  for (int x : cells.i) printf("%d ", x);
  for (unsigned x : cells.u) printf("%x ", x);
  for (float x : cells.f) printf("%g ", x);
  printf("%g %g %llx %llu %d %g\n", cells.d[0], cells.d[1], cells.q[0], cells.q[1], cells.h[1], (float)cells.pair.y);
  return 0;
}
