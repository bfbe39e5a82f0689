// printf, assert and abort inside kernels.
#ifndef ANYHIP_DETAIL_DIAGNOSTICS_H
#define ANYHIP_DETAIL_DIAGNOSTICS_H

#include <hip/detail/target.h>

extern "C" {

// clang lowers the call itself (buffered printf on AMDGPU, vprintf on NVPTX).
__device__ int printf(const char* format, ...);

// What the C library's assert() macro calls; the body is in the device library.
__device__ __attribute__((noreturn, cold)) void __assert_fail(const char* expression, const char* file,
                                                              unsigned int line, const char* function) noexcept;
__device__ __attribute__((noreturn, cold)) void __assertfail(const char* expression, const char* file,
                                                             unsigned int line, const char* function, size_t) noexcept;

__device__ inline __attribute__((noreturn, cold)) void abort() noexcept { __anyhip::trap(); }

}  // extern "C"

#endif
