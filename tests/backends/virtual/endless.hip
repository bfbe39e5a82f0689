// A kernel without end: the launch times out, the error sticks, and after a reset the device works.
#include <cstdio>
#include <hip/hip_runtime.h>

__global__ void endless(volatile int *flag) {
    if (threadIdx.x < 64)
        while (!*flag) // line 7
            ;
    __syncthreads();
}

__global__ void fill(int *out) { out[threadIdx.x] = threadIdx.x; }

int main() {
    int *flag, *out, host[64] = {};
    if (hipMalloc(&flag, 4) || hipMemset(flag, 0, 4))
        return 1;
    endless<<<2, 192>>>(flag);
    std::printf("wait %s\n", hipGetErrorName(hipDeviceSynchronize()));
    fill<<<1, 64>>>(flag);
    std::printf("launch %s\n", hipGetErrorName(hipGetLastError()));
    std::printf("reset %s\n", hipGetErrorName(hipDeviceReset()));
    hipError_t error = hipMalloc(&out, sizeof host);
    fill<<<1, 64>>>(out);
    error = error ? error : hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost);
    std::printf("again %s %d\n", hipGetErrorName(error), host[63]);
}
