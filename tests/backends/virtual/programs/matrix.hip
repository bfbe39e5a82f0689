// Matrix products by the matrix cores' builtins, one wave a tile, against the host's.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef short short4v __attribute__((ext_vector_type(4)));
typedef float float4v __attribute__((ext_vector_type(4)));
typedef float float16v __attribute__((ext_vector_type(16)));
typedef double double4v __attribute__((ext_vector_type(4)));
typedef int int4v __attribute__((ext_vector_type(4)));

constexpr int SIZE = 64;

__global__ void halves(const _Float16 *a, const _Float16 *b, float *d) {
  int lane = threadIdx.x, row = 16 * blockIdx.y, column = 16 * blockIdx.x;
  float4v sum = {0, 0, 0, 0};
  for (int k = 0; k < SIZE; k += 16) {
    half4 left, right;
    for (int i = 0; i < 4; i++) {
      int depth = k + 4 * (lane / 16) + i;
      left[i] = a[(row + lane % 16) * SIZE + depth];
      right[i] = b[depth * SIZE + column + lane % 16];
    }
    sum = __builtin_amdgcn_mfma_f32_16x16x16f16(left, right, sum, 0, 0, 0);
  }
  for (int i = 0; i < 4; i++) d[(row + 4 * (lane / 16) + i) * SIZE + column + lane % 16] = sum[i];
}

__global__ void floats(const float *a, const float *b, float *d) {
  int lane = threadIdx.x, row = 32 * blockIdx.y, column = 32 * blockIdx.x;
  float16v sum = {};
  for (int k = 0; k < SIZE; k += 2) {
    int depth = k + lane / 32;
    sum = __builtin_amdgcn_mfma_f32_32x32x2f32(a[(row + lane % 32) * SIZE + depth],
                                               b[depth * SIZE + column + lane % 32], sum, 0, 0, 0);
  }
  for (int i = 0; i < 16; i++)
    d[(row + 8 * (i / 4) + 4 * (lane / 32) + i % 4) * SIZE + column + lane % 32] = sum[i];
}

__global__ void doubles(const double *a, const double *b, double *d) {
  int lane = threadIdx.x, row = 16 * blockIdx.y, column = 16 * blockIdx.x;
  double4v sum = {0, 0, 0, 0};
  for (int k = 0; k < SIZE; k += 4) {
    int depth = k + lane / 16;
    sum = __builtin_amdgcn_mfma_f64_16x16x4f64(a[(row + lane % 16) * SIZE + depth],
                                               b[depth * SIZE + column + lane % 16], sum, 0, 0, 0);
  }
  for (int i = 0; i < 4; i++) d[(row + 4 * i + lane / 16) * SIZE + column + lane % 16] = sum[i];
}

__global__ void bytes(const signed char *a, const signed char *b, int *d) {
  int lane = threadIdx.x, row = 16 * blockIdx.y, column = 16 * blockIdx.x;
  int4v sum = {0, 0, 0, 0};
  for (int k = 0; k < SIZE; k += 32) {
    long left = 0, right = 0;
    for (int i = 0; i < 8; i++) {
      int depth = k + 8 * (lane / 16) + i;
      left |= (long)(unsigned char)a[(row + lane % 16) * SIZE + depth] << (8 * i);
      right |= (long)(unsigned char)b[depth * SIZE + column + lane % 16] << (8 * i);
    }
    sum = __builtin_amdgcn_mfma_i32_16x16x32_i8(left, right, sum, 0, 0, 0);
  }
  for (int i = 0; i < 4; i++) d[(row + 4 * (lane / 16) + i) * SIZE + column + lane % 16] = sum[i];
}

// The same through accumulation registers, for C, D and A; only with few waves does the compiler hand them out.
__attribute__((amdgpu_waves_per_eu(1, 1))) __global__ void __launch_bounds__(64)
    accumulated(const _Float16 *a, const _Float16 *b, float *d) {
  int lane = threadIdx.x, row = 16 * blockIdx.y, column = 16 * blockIdx.x;
  float4v sum = {0, 0, 0, 0};
  for (int k = 0; k < SIZE; k += 16) {
    half4 left, right;
    for (int i = 0; i < 4; i++) {
      int depth = k + 4 * (lane / 16) + i;
      left[i] = a[(row + lane % 16) * SIZE + depth];
      right[i] = b[depth * SIZE + column + lane % 16];
    }
    asm volatile("v_mfma_f32_16x16x16_f16 %0, %1, %2, %0\n\ts_nop 15" : "+a"(sum) : "a"(left), "v"(right));
  }
  for (int i = 0; i < 4; i++) d[(row + 4 * (lane / 16) + i) * SIZE + column + lane % 16] = sum[i];
}

template <class In, class Out, class Kernel> void check(const char *name, Kernel kernel, int tile) {
  std::vector<In> a(SIZE * SIZE), b(SIZE * SIZE);
  std::vector<Out> d(SIZE * SIZE);
  for (int i = 0; i < SIZE * SIZE; i++) a[i] = (In)(i * 7 % 23 - 11), b[i] = (In)(i * 5 % 19 - 9);
  In *da, *db;
  Out *dd;
  (void)hipMalloc(&da, sizeof(In) * SIZE * SIZE);
  (void)hipMalloc(&db, sizeof(In) * SIZE * SIZE);
  (void)hipMalloc(&dd, sizeof(Out) * SIZE * SIZE);
  (void)hipMemcpy(da, a.data(), sizeof(In) * SIZE * SIZE, hipMemcpyHostToDevice);
  (void)hipMemcpy(db, b.data(), sizeof(In) * SIZE * SIZE, hipMemcpyHostToDevice);
  kernel<<<dim3(SIZE / tile, SIZE / tile), 64>>>(da, db, dd);
  (void)hipMemcpy(d.data(), dd, sizeof(Out) * SIZE * SIZE, hipMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) {
      int exact = 0;
      for (int k = 0; k < SIZE; k++) exact += (int)a[i * SIZE + k] * (int)b[k * SIZE + j];
      wrong += d[i * SIZE + j] != (Out)exact;
    }
  printf("%s %d\n", name, wrong);
}

int main() {
  check<_Float16, float>("halves", halves, 16);
  check<_Float16, float>("accumulated", accumulated, 16);
  check<float, float>("floats", floats, 32);
  check<double, double>("doubles", doubles, 16);
  check<signed char, int>("bytes", bytes, 16);
}
