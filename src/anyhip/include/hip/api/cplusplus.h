// C++ conveniences over the C API: typed pointers, kernels as functions, device variables as themselves.
#ifndef ANYHIP_API_CPLUSPLUS_H
#define ANYHIP_API_CPLUSPLUS_H

// Reserved names for template parameters: programs define macros called A, N, P and T.

#include <hip/api/copy.h>
#include <hip/api/device_attributes.h>
#include <hip/api/graph.h>
#include <hip/api/launch.h>
#include <hip/api/managed.h>
#include <hip/api/memory.h>
#include <hip/api/pools.h>

// Allocation into a pointer of any type.
template <class __T>
static inline hipError_t hipMalloc(__T **pointer, size_t size) {
  return hipMalloc(reinterpret_cast<void **>(pointer), size);
}
template <class __T>
static inline hipError_t hipMallocPitch(__T **pointer, size_t *pitch, size_t width, size_t height) {
  return hipMallocPitch(reinterpret_cast<void **>(pointer), pitch, width, height);
}
template <class __T>
static inline hipError_t hipHostMalloc(__T **pointer, size_t size, unsigned int flags = hipHostMallocDefault) {
  return hipHostMalloc(reinterpret_cast<void **>(pointer), size, flags);
}
template <class __T>
static inline hipError_t hipHostAlloc(__T **pointer, size_t size, unsigned int flags = hipHostAllocDefault) {
  return hipHostAlloc(reinterpret_cast<void **>(pointer), size, flags);
}
template <class __T>
static inline hipError_t hipMallocManaged(__T **pointer, size_t size, unsigned int flags = hipMemAttachGlobal) {
  return hipMallocManaged(reinterpret_cast<void **>(pointer), size, flags);
}
template <class __T>
static inline hipError_t hipExtMallocWithFlags(__T **pointer, size_t size, unsigned int flags) {
  return hipExtMallocWithFlags(reinterpret_cast<void **>(pointer), size, flags);
}
template <class __T>
static inline hipError_t hipHostGetDevicePointer(__T **device, void *host, unsigned int flags = 0) {
  return hipHostGetDevicePointer(reinterpret_cast<void **>(device), host, flags);
}
template <class __T>
static inline hipError_t hipMallocFromPoolAsync(__T **pointer, size_t size, hipMemPool_t pool, hipStream_t stream) {
  return hipMallocFromPoolAsync(reinterpret_cast<void **>(pointer), size, pool, stream);
}
template <class __T>
static inline hipError_t hipMallocAsync(__T **pointer, size_t size, hipStream_t stream) {
  return hipMallocAsync(reinterpret_cast<void **>(pointer), size, stream);
}
template <class __T>
static inline hipError_t hipMallocAsync(__T **pointer, size_t size, hipMemPool_t pool, hipStream_t stream) {
  return hipMallocFromPoolAsync(reinterpret_cast<void **>(pointer), size, pool, stream);
}

// Device variables by name: the host shadow's address identifies the variable.
template <class __T>
static inline const void *anyhip_symbol(const __T &symbol) {
  return &reinterpret_cast<const char &>(const_cast<const char &>(reinterpret_cast<const volatile char &>(symbol)));
}
template <class __T>
static inline hipError_t hipGetSymbolAddress(void **address, const __T &symbol) {
  return hipGetSymbolAddress(address, anyhip_symbol(symbol));
}
template <class __T>
static inline hipError_t hipGetSymbolSize(size_t *size, const __T &symbol) {
  return hipGetSymbolSize(size, anyhip_symbol(symbol));
}
template <class __T>
static inline hipError_t hipMemcpyToSymbol(const __T &symbol, const void *src, size_t count, size_t offset = 0,
                                           hipMemcpyKind kind = hipMemcpyHostToDevice) {
  return hipMemcpyToSymbol(anyhip_symbol(symbol), src, count, offset, kind);
}
template <class __T>
static inline hipError_t hipMemcpyToSymbolAsync(const __T &symbol, const void *src, size_t count, size_t offset,
                                                hipMemcpyKind kind, hipStream_t stream = nullptr) {
  return hipMemcpyToSymbolAsync(anyhip_symbol(symbol), src, count, offset, kind, stream);
}
template <class __T>
static inline hipError_t hipMemcpyFromSymbol(void *dst, const __T &symbol, size_t count, size_t offset = 0,
                                             hipMemcpyKind kind = hipMemcpyDeviceToHost) {
  return hipMemcpyFromSymbol(dst, anyhip_symbol(symbol), count, offset, kind);
}
template <class __T>
static inline hipError_t hipMemcpyFromSymbolAsync(void *dst, const __T &symbol, size_t count, size_t offset,
                                                  hipMemcpyKind kind, hipStream_t stream = nullptr) {
  return hipMemcpyFromSymbolAsync(dst, anyhip_symbol(symbol), count, offset, kind, stream);
}

// Kernels as functions, where the C API takes const void*.
template <class... __A>
static inline hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, void (*kernel)(__A...)) {
  return hipFuncGetAttributes(attributes, reinterpret_cast<const void *>(kernel));
}
template <class... __A>
static inline hipError_t hipFuncSetAttribute(void (*kernel)(__A...), hipFuncAttribute attribute, int value) {
  return hipFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value);
}
template <class... __A>
static inline hipError_t hipFuncSetCacheConfig(void (*kernel)(__A...), hipFuncCache_t config) {
  return hipFuncSetCacheConfig(reinterpret_cast<const void *>(kernel), config);
}
template <class... __A>
static inline hipError_t hipLaunchKernel(void (*kernel)(__A...), dim3 grid, dim3 block, void **args,
                                         size_t shared = 0, hipStream_t stream = nullptr) {
  return hipLaunchKernel(reinterpret_cast<const void *>(kernel), grid, block, args, shared, stream);
}
template <class __T>
static inline hipError_t hipLaunchCooperativeKernel(__T kernel, dim3 grid, dim3 block, void **args,
                                                    unsigned int shared, hipStream_t stream) {
  return hipLaunchCooperativeKernel(reinterpret_cast<const void *>(kernel), grid, block, args, shared, stream);
}
template <class... __A, class... __P>
static inline hipError_t hipLaunchKernelEx(const hipLaunchConfig_t *config, void (*kernel)(__A...), __P &&...values) {
  return [&](__A... converted) {
    void *args[] = {&converted...};
    return ::hipLaunchKernelExC(config, reinterpret_cast<const void *>(kernel), args);
  }(static_cast<__P &&>(values)...);
}

// Occupancy.
template <class __T>
static inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, __T kernel, int block_size,
                                                                      size_t shared) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void *>(kernel), block_size,
                                                      shared);
}
template <class __T>
static inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, __T kernel,
                                                                               int block_size, size_t shared,
                                                                               unsigned int flags) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void *>(kernel),
                                                               block_size, shared, flags);
}
template <class __T>
static inline hipError_t hipOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, __T kernel,
                                                           size_t shared = 0, int block_size_limit = 0) {
  return hipOccupancyMaxPotentialBlockSize(grid_size, block_size, reinterpret_cast<const void *>(kernel), shared,
                                           block_size_limit);
}
template <class __T>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeWithFlags(int *grid_size, int *block_size, __T kernel,
                                                                    size_t shared = 0, int block_size_limit = 0,
                                                                    unsigned int = 0) {
  return hipOccupancyMaxPotentialBlockSize(grid_size, block_size, reinterpret_cast<const void *>(kernel), shared,
                                           block_size_limit);
}
template <class __T>
static inline hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t *shared, __T kernel, int blocks,
                                                                  int block_size) {
  return hipOccupancyAvailableDynamicSMemPerBlock(shared, reinterpret_cast<const void *>(kernel), blocks,
                                                  block_size);
}

// The block size with the most resident work-items, where dynamic shared memory depends on the block size.
template <class __F, class __T>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid_size, int *block_size,
                                                                                __T kernel, __F shared,
                                                                                int limit = 0,
                                                                                unsigned int flags = 0) {
  if (!grid_size || !block_size || !kernel) return hipErrorInvalidValue;
  int device = 0, units = 0, wave = 0;
  hipFuncAttributes attributes;
  hipError_t status = hipGetDevice(&device);
  if (!status) status = hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device);
  if (!status) status = hipDeviceGetAttribute(&wave, hipDeviceAttributeWarpSize, device);
  if (!status) status = hipFuncGetAttributes(&attributes, reinterpret_cast<const void *>(kernel));
  if (status) return status;
  if (limit <= 0 || limit > attributes.maxThreadsPerBlock) limit = attributes.maxThreadsPerBlock;
  int best_size = 0, best_blocks = 0;
  for (int rounded = (limit + wave - 1) / wave * wave; rounded > 0; rounded -= wave) {
    int size = rounded < limit ? rounded : limit, blocks = 0;
    status = hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, size, shared(size), flags);
    if (status) return status;
    if (size * blocks > best_size * best_blocks) best_size = size, best_blocks = blocks;
  }
  *grid_size = best_blocks * units;
  *block_size = best_size;
  return hipSuccess;
}
template <class __F, class __T>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMem(int *grid_size, int *block_size, __T kernel,
                                                                       __F shared, int limit = 0) {
  return hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid_size, block_size, kernel, shared, limit);
}

#endif
