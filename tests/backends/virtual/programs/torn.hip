// Half the workgroups store numbers again and again, as two and as four equal dwords, lanes at scattered addresses;
// the others load them at the same time and count what is of two minds. As look-back scans use memory.
#include <hip/hip_runtime.h>
#include <cstdio>

typedef unsigned two __attribute__((ext_vector_type(2)));
typedef unsigned four __attribute__((ext_vector_type(4)));
constexpr int ROUNDS = 10000;

template <class T> __device__ void put(volatile T* slot, unsigned n) { *slot = (T)n; }

__global__ void compete(volatile two* twos, volatile four* fours, unsigned* torn) {
  int lane = 63 - threadIdx.x;  // backwards: no vector access covers them
  for (unsigned n = 1; n <= ROUNDS; n++) {
    if (blockIdx.x & 1) {
      put(&twos[lane * 2], n);
      put(&fours[lane * 2], n);
    } else {
      two a = twos[lane * 2];
      four b = fours[lane * 2];
      if (a.x != a.y) atomicAdd(&torn[0], 1u);
      if (b.x != b.y || b.x != b.z || b.x != b.w) atomicAdd(&torn[1], 1u);
      a = twos[0];  // all lanes at one address
      b = fours[0];
      if (a.x != a.y) atomicAdd(&torn[2], 1u);
      if (b.x != b.y || b.x != b.z || b.x != b.w) atomicAdd(&torn[3], 1u);
    }
  }
}

int main() {
  two* twos;
  four* fours;
  unsigned *torn, said[4];
  if (hipMalloc(&twos, 128 * sizeof *twos) || hipMalloc(&fours, 128 * sizeof *fours) || hipMalloc(&torn, sizeof said) ||
      hipMemset(twos, 0, 128 * sizeof *twos) || hipMemset(fours, 0, 128 * sizeof *fours) ||
      hipMemset(torn, 0, sizeof said))
    return 1;
  compete<<<32, 64>>>(twos, fours, torn);
  if (hipMemcpy(said, torn, sizeof said, hipMemcpyDeviceToHost)) return 2;
  printf("torn %u %u %u %u\n", said[0], said[1], said[2], said[3]);
}
