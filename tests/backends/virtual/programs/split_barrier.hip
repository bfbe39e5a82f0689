// RDNA4's barrier in two halves: a wave that has arrived works on until it has to wait.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

constexpr int WAVE = 32, WAVES = 8, SIZE = WAVE * WAVES;

__global__ void exchange(int *out) {
  __shared__ int data[SIZE];
  int item = threadIdx.x;
  data[item] = item * 3;
  __syncthreads();
  out[item] = data[SIZE - 1 - item];
}

// A wave that has arrived waits in a loop of its own for what others do behind the barrier.
__global__ void arrive(int *out) {
  __shared__ volatile int ready, done[WAVES];
  int item = threadIdx.x, wave = item / WAVE;
  if (item == 0) ready = 0;
  done[wave] = 0;
  __syncthreads();
#if defined(__GFX12__)
  bool first = __builtin_amdgcn_s_barrier_signal_isfirst(-1);
  unsigned state = __builtin_amdgcn_s_get_barrier_state(-1);
  if (wave == 0)
    while (ready != WAVES - 1) __builtin_amdgcn_s_sleep(1);
  __builtin_amdgcn_s_barrier_wait(-1);
  if (wave != 0 && item % WAVE == 0) atomicAdd((int *)&ready, 1);
  out[item] = first << 16 | (state >> 4 & 127);
#endif
}

int main() {
  int *memory;
  std::vector<int> out(SIZE);
  (void)hipMalloc(&memory, sizeof(int) * SIZE);
  exchange<<<1, SIZE>>>(memory);
  (void)hipMemcpy(out.data(), memory, sizeof(int) * SIZE, hipMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < SIZE; i++) wrong += out[i] != (SIZE - 1 - i) * 3;
  printf("exchanged %d\n", wrong);
  arrive<<<1, SIZE>>>(memory);
  (void)hipMemcpy(out.data(), memory, sizeof(int) * SIZE, hipMemcpyDeviceToHost);
  int first = 0, members = 0;
  for (int i = 0; i < SIZE; i += WAVE) {
    first += out[i] >> 16;
    members += (out[i] & 127) == WAVES;
  }
  printf("first %d, members %d\n", first, members);
}
