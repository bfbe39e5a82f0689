// Kernel launches besides <<<>>>, and dynamic shared memory.
#ifndef ANYHIP_DETAIL_LAUNCH_H
#define ANYHIP_DETAIL_LAUNCH_H

#include <hip/api/launch_abi.h>
#include <hip/detail/attributes.h>

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(symbol) symbol
#define HIP_DYNAMIC_SHARED(type, variable) extern __shared__ type variable[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

// Two steps, so that HIP_KERNEL_NAME expands first; the kernel's name may be a template with commas.
#define hipLaunchKernelGGLInternal(kernel, blocks, threads, shared_bytes, stream, ...) \
  do {                                                                                 \
    kernel<<<(blocks), (threads), (shared_bytes), (stream)>>>(__VA_ARGS__);            \
  } while (0)
#define hipLaunchKernelGGL(kernel, ...) hipLaunchKernelGGLInternal((kernel), __VA_ARGS__)
#define hipLaunchKernel_GGL hipLaunchKernelGGL

#if defined(__CUDA__)  // the CUDA front end
// The CUDA front end compiles only device code here, but it still type-checks the launches it meets.
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes = 0, void* stream = nullptr);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                                void* stream = nullptr);
#endif

#endif
