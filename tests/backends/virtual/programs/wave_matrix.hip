// Matrix products by RDNA's matrix builtins, one wave of 32 lanes a tile, against the host's.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

#if defined(__GFX12__)
constexpr int HELD = 8;  // elements of a row of A in a lane; the lanes from 16 on have others
#else
constexpr int HELD = 16;  // the lanes from 16 on have copies
#endif
typedef _Float16 halves_t __attribute__((ext_vector_type(HELD)));
typedef float sums_t __attribute__((ext_vector_type(8)));
typedef int bytes_t __attribute__((ext_vector_type(HELD / 4)));
typedef int totals_t __attribute__((ext_vector_type(8)));

constexpr int SIZE = 64;

__device__ int depth(int lane, int i) {
#if defined(__GFX12__)
  return i + 8 * (lane / 16);  // any order of k will do that A and B share
#else
  return i;
#endif
}

__device__ int row_of(int lane, int i) {
#if defined(__GFX12__)
  return i + 8 * (lane / 16);
#else
  return 2 * i + lane / 16;
#endif
}

__global__ void halves(const _Float16 *a, const _Float16 *b, float *d) {
  int lane = threadIdx.x, row = 16 * blockIdx.y, column = 16 * blockIdx.x;
  sums_t sum = {};
  for (int k = 0; k < SIZE; k += 16) {
    halves_t left, right;
    for (int i = 0; i < HELD; i++) {
      left[i] = a[(row + lane % 16) * SIZE + k + depth(lane, i)];
      right[i] = b[(k + depth(lane, i)) * SIZE + column + lane % 16];
    }
#if defined(__GFX12__)
    sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(left, right, sum);
#elif defined(__GFX11__)
    sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(left, right, sum);
#endif
  }
  for (int i = 0; i < 8; i++) d[(row + row_of(lane, i)) * SIZE + column + lane % 16] = sum[i];
}

__global__ void bytes(const signed char *a, const signed char *b, int *d) {
  int lane = threadIdx.x, row = 16 * blockIdx.y, column = 16 * blockIdx.x;
  totals_t sum = {};
  for (int k = 0; k < SIZE; k += 16) {
    bytes_t left = {}, right = {};
    for (int i = 0; i < HELD; i++) {
      int x = a[(row + lane % 16) * SIZE + k + depth(lane, i)];
      int y = b[(k + depth(lane, i)) * SIZE + column + lane % 16];
      left[i / 4] |= (x & 255) << 8 * (i % 4);
      right[i / 4] |= (y & 255) << 8 * (i % 4);
    }
#if defined(__GFX12__)
    sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, left, true, right, sum, false);
#elif defined(__GFX11__)
    sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, left, true, right, sum, false);
#endif
  }
  for (int i = 0; i < 8; i++) d[(row + row_of(lane, i)) * SIZE + column + lane % 16] = sum[i];
}

template <class In, class Out>
void check(const char *name, void (*kernel)(const In *, const In *, Out *)) {
  std::vector<In> a(SIZE * SIZE), b(SIZE * SIZE);
  for (int i = 0; i < SIZE * SIZE; i++) {
    a[i] = (In)(i * 37 % 11 - 5);
    b[i] = (In)(i * 53 % 7 - 3);
  }
  In *left, *right;
  Out *result;
  (void)hipMalloc(&left, sizeof(In) * SIZE * SIZE);
  (void)hipMalloc(&right, sizeof(In) * SIZE * SIZE);
  (void)hipMalloc(&result, sizeof(Out) * SIZE * SIZE);
  (void)hipMemcpy(left, a.data(), sizeof(In) * SIZE * SIZE, hipMemcpyHostToDevice);
  (void)hipMemcpy(right, b.data(), sizeof(In) * SIZE * SIZE, hipMemcpyHostToDevice);
  kernel<<<dim3(SIZE / 16, SIZE / 16), 32>>>(left, right, result);
  std::vector<Out> d(SIZE * SIZE);
  (void)hipMemcpy(d.data(), result, sizeof(Out) * SIZE * SIZE, hipMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) {
      int sum = 0;
      for (int k = 0; k < SIZE; k++) sum += (int)a[i * SIZE + k] * (int)b[k * SIZE + j];
      wrong += d[i * SIZE + j] != (Out)sum;
    }
  printf("%s %d\n", name, wrong);
}

int main() {
  check<_Float16, float>("halves", halves);
  check<signed char, int>("bytes", bytes);
}
