#include <cstdio>
#include <cuda_runtime.h>

template <typename T, int N>
__global__ void scale(T *data, T factor)
{
    data[threadIdx.x] *= factor; // cudaMalloc in a comment stays
}

__global__ void nothing() {}

#define LAUNCH(kernel, grid, block, ...) \
    kernel<<<grid, block>>>(__VA_ARGS__)

int main()
{
    float *data;
    cudaMalloc(&data, 64 * sizeof(float));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    scale<float, 4><<<1, 64, 0, stream>>>(data, 2.0f);
    scale<float, (3 > 2)><<<dim3(1, 1), dim3(8, std::min(8, 9))>>>(
        data,  /* a comma, here */
        2.0f);
    nothing <<< 1,
                32 >>> ( );
    ns::inner::nothing<<<1, 1, sizeof(int) * 4>>>();
    LAUNCH((scale<float, 1>), 1, 64, data, 1.0f);
    printf("nothing<<<1, 1>>>() %s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
}
