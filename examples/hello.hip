// Eight threads in two blocks say who they are.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void hello() { printf("hello from thread %d of block %d\n", threadIdx.x, blockIdx.x); }

int main() {
    hello<<<2, 4>>>();
    hipError_t error = hipDeviceSynchronize();
    if (error != hipSuccess) std::fprintf(stderr, "%s\n", hipGetErrorString(error));
    return error == hipSuccess ? 0 : 1;
}
