// cudaMalloc(&p, 4); <<<1, 1>>>
/* #include <cuda_runtime.h>
   cudaFree(p); */
const char *a = "cudaMalloc \" cudaFree", *b = R"x(cudaMalloc )" cudaFree)x", c = '"';
const char *d = u8"cudaSuccess" L"cudaSuccess";
// a line comment goes on \
cudaMalloc here
int big = 1'000'000, cudaMallocCount = 0, my_cudaMalloc = 0x1p+3, cudaMalloc_ = 1e-5;
#error don't use cudaMalloc
#if 0
it's cudaFree
#endif
cudaError_t last = cudaGetLast\
Error();
