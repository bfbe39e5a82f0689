#include <hip/hip_runtime.h>

__device__ int calls = 100;

__device__ int seven_times(int x) { return 7 * x; }
