// printf, assert and abort inside kernels.
#ifndef ANYHIP_DETAIL_DIAGNOSTICS_H
#define ANYHIP_DETAIL_DIAGNOSTICS_H

#include <hip/detail/target.h>

extern "C" {

// clang lowers the call itself (buffered printf on AMDGPU, vprintf on NVPTX).
__device__ int printf(const char* format, ...);

// What the C library's assert() macro calls: the device library's on AMDGPU; on NVPTX the driver's, whose last
// argument is the size of a character.
__device__ __attribute__((noreturn, cold)) void __assertfail(const char* expression, const char* file,
                                                             unsigned int line, const char* function, size_t) noexcept;
#if defined(__NVPTX__)
__device__ inline __attribute__((noreturn, cold)) void __assert_fail(const char* expression, const char* file,
                                                                     unsigned int line, const char* function) noexcept {
  __assertfail(expression, file, line, function, 1);
}
#else
__device__ __attribute__((noreturn, cold)) void __assert_fail(const char* expression, const char* file,
                                                              unsigned int line, const char* function) noexcept;
#endif

__device__ inline __attribute__((noreturn, cold)) void abort() noexcept { __anyhip::trap(); }

}  // extern "C"

#endif
