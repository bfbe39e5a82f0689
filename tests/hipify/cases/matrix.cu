#include <mma.h>
using namespace nvcuda;
__global__ void product(half* p) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0}, {%1};" : "=f"(x) : "r"(y));
  int wmma = 0;
}
