/* licence */

#ifdef USE_TIMERS
#include <timer.h>
#endif
#include <hip/hip_runtime.h>
 // the runtime
#include <hip/hip_runtime_api.h>
#include <hipcub/hipcub.hpp>
#include <cooperative_groups/reduce.h>
#ifdef A
#include <hipblas/hipblas.h>
#else
#include <hipblas/hipblas.h>
#endif
#include <hipblas/hipblas.h>
using Reduce = hipcub::BlockReduce<int, 128>;
struct S { int cub; } s;
int n = s.cub;
int cub_size = 0;
auto policy = thrust::hip::par.on(0);
cuda::std::array<int, 2> pair;
