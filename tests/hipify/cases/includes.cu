/* licence */

#ifdef USE_TIMERS
#include <timer.h>
#endif
#include <cuda.h>
#include "cuda_runtime.h" // the runtime
  #include <device_launch_parameters.h>
#include <cuda_runtime_api.h>
#include "device_launch_parameters.h"
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cooperative_groups/reduce.h>
#ifdef A
#include <cublas_v2.h>
#else
#include <cublas_v2.h>
#endif
#include <cublas_v2.h>
using Reduce = cub::BlockReduce<int, 128>;
struct S { int cub; } s;
int n = s.cub;
int cub_size = 0;
auto policy = thrust::cuda::par.on(0);
cuda::std::array<int, 2> pair;
