#include <hip/hip_runtime.h>
#include <mma.h>
using namespace nvcuda;
texture<float, 2, hipReadModeElementType> image;
template <int n> struct texture_holder { int texture; };
__global__ void __launch_bounds__(256) child(int* p) { *p = 1; }
template <class T>
__global__ void __launch_bounds__(256, 2) parent(T* p) {
  child<<<1, 1>>>(p);
  hipDeviceSynchronize();
  nvcuda::wmma::load_matrix_sync(a, p, 16);
}
__device__ int table[] = {1, 2};
int main() {
  parent<<<1, 1>>>((int*)0);
  hipDeviceSynchronize();
}
