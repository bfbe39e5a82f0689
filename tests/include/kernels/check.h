// Each check counts its failures; main prints the lines of the checks that failed, or "all right".
#pragma once
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>

__device__ int failures[1024];
#define CHECK(condition) \
  if (!(condition)) atomicAdd(&failures[__LINE__ % 1024], 1)

#define HIP(call)                                                                \
  do {                                                                           \
    const hipError_t error = (call);                                             \
    if (error != hipSuccess) {                                                   \
      printf("line %d: %s\n", __LINE__, hipGetErrorName(error));                 \
      exit(1);                                                                   \
    }                                                                            \
  } while (0)

inline int report() {
  HIP(hipDeviceSynchronize());
  int counts[1024], bad = 0;
  HIP(hipMemcpyFromSymbol(counts, HIP_SYMBOL(failures), sizeof counts));
  for (int line = 0; line < 1024; ++line)
    if (counts[line]) {
      printf("line %d: failed %d times\n", line, counts[line]);
      ++bad;
    }
  if (!bad) printf("all right\n");
  return bad != 0;
}
