// C++ conveniences over the C API: typed pointers, kernels as functions, device variables as themselves.
#ifndef ANYHIP_API_CPLUSPLUS_H
#define ANYHIP_API_CPLUSPLUS_H

#include <hip/api/copy.h>
#include <hip/api/device_attributes.h>
#include <hip/api/graph.h>
#include <hip/api/launch.h>
#include <hip/api/managed.h>
#include <hip/api/memory.h>
#include <hip/api/pools.h>

// Allocation into a pointer of any type.
template <class T>
static inline hipError_t hipMalloc(T **pointer, size_t size) {
  return hipMalloc(reinterpret_cast<void **>(pointer), size);
}
template <class T>
static inline hipError_t hipMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
  return hipMallocPitch(reinterpret_cast<void **>(pointer), pitch, width, height);
}
template <class T>
static inline hipError_t hipHostMalloc(T **pointer, size_t size, unsigned int flags = hipHostMallocDefault) {
  return hipHostMalloc(reinterpret_cast<void **>(pointer), size, flags);
}
template <class T>
static inline hipError_t hipHostAlloc(T **pointer, size_t size, unsigned int flags = hipHostAllocDefault) {
  return hipHostAlloc(reinterpret_cast<void **>(pointer), size, flags);
}
template <class T>
static inline hipError_t hipMallocManaged(T **pointer, size_t size, unsigned int flags = hipMemAttachGlobal) {
  return hipMallocManaged(reinterpret_cast<void **>(pointer), size, flags);
}
template <class T>
static inline hipError_t hipExtMallocWithFlags(T **pointer, size_t size, unsigned int flags) {
  return hipExtMallocWithFlags(reinterpret_cast<void **>(pointer), size, flags);
}
template <class T>
static inline hipError_t hipHostGetDevicePointer(T **device, void *host, unsigned int flags = 0) {
  return hipHostGetDevicePointer(reinterpret_cast<void **>(device), host, flags);
}
template <class T>
static inline hipError_t hipMallocFromPoolAsync(T **pointer, size_t size, hipMemPool_t pool, hipStream_t stream) {
  return hipMallocFromPoolAsync(reinterpret_cast<void **>(pointer), size, pool, stream);
}
template <class T>
static inline hipError_t hipMallocAsync(T **pointer, size_t size, hipStream_t stream) {
  return hipMallocAsync(reinterpret_cast<void **>(pointer), size, stream);
}
template <class T>
static inline hipError_t hipMallocAsync(T **pointer, size_t size, hipMemPool_t pool, hipStream_t stream) {
  return hipMallocFromPoolAsync(reinterpret_cast<void **>(pointer), size, pool, stream);
}

// Device variables by name: the host shadow's address identifies the variable.
template <class T>
static inline const void *anyhip_symbol(const T &symbol) {
  return &reinterpret_cast<const char &>(const_cast<const char &>(reinterpret_cast<const volatile char &>(symbol)));
}
template <class T>
static inline hipError_t hipGetSymbolAddress(void **address, const T &symbol) {
  return hipGetSymbolAddress(address, anyhip_symbol(symbol));
}
template <class T>
static inline hipError_t hipGetSymbolSize(size_t *size, const T &symbol) {
  return hipGetSymbolSize(size, anyhip_symbol(symbol));
}
template <class T>
static inline hipError_t hipMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                           hipMemcpyKind kind = hipMemcpyHostToDevice) {
  return hipMemcpyToSymbol(anyhip_symbol(symbol), src, count, offset, kind);
}
template <class T>
static inline hipError_t hipMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset,
                                                hipMemcpyKind kind, hipStream_t stream = nullptr) {
  return hipMemcpyToSymbolAsync(anyhip_symbol(symbol), src, count, offset, kind, stream);
}
template <class T>
static inline hipError_t hipMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                             hipMemcpyKind kind = hipMemcpyDeviceToHost) {
  return hipMemcpyFromSymbol(dst, anyhip_symbol(symbol), count, offset, kind);
}
template <class T>
static inline hipError_t hipMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset,
                                                  hipMemcpyKind kind, hipStream_t stream = nullptr) {
  return hipMemcpyFromSymbolAsync(dst, anyhip_symbol(symbol), count, offset, kind, stream);
}

// Kernels as functions, where the C API takes const void*.
template <class... A>
static inline hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, void (*kernel)(A...)) {
  return hipFuncGetAttributes(attributes, reinterpret_cast<const void *>(kernel));
}
template <class... A>
static inline hipError_t hipFuncSetAttribute(void (*kernel)(A...), hipFuncAttribute attribute, int value) {
  return hipFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value);
}
template <class... A>
static inline hipError_t hipFuncSetCacheConfig(void (*kernel)(A...), hipFuncCache_t config) {
  return hipFuncSetCacheConfig(reinterpret_cast<const void *>(kernel), config);
}
template <class... A>
static inline hipError_t hipLaunchKernel(void (*kernel)(A...), dim3 grid, dim3 block, void **args,
                                         size_t shared = 0, hipStream_t stream = nullptr) {
  return hipLaunchKernel(reinterpret_cast<const void *>(kernel), grid, block, args, shared, stream);
}
template <class T>
static inline hipError_t hipLaunchCooperativeKernel(T kernel, dim3 grid, dim3 block, void **args,
                                                    unsigned int shared, hipStream_t stream) {
  return hipLaunchCooperativeKernel(reinterpret_cast<const void *>(kernel), grid, block, args, shared, stream);
}
template <class... A, class... P>
static inline hipError_t hipLaunchKernelEx(const hipLaunchConfig_t *config, void (*kernel)(A...), P &&...values) {
  return [&](A... converted) {
    void *args[] = {&converted...};
    return ::hipLaunchKernelExC(config, reinterpret_cast<const void *>(kernel), args);
  }(static_cast<P &&>(values)...);
}

// Occupancy.
template <class T>
static inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int block_size,
                                                                      size_t shared) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void *>(kernel), block_size,
                                                      shared);
}
template <class T>
static inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T kernel,
                                                                               int block_size, size_t shared,
                                                                               unsigned int flags) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void *>(kernel),
                                                               block_size, shared, flags);
}
template <class T>
static inline hipError_t hipOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, T kernel,
                                                           size_t shared = 0, int block_size_limit = 0) {
  return hipOccupancyMaxPotentialBlockSize(grid_size, block_size, reinterpret_cast<const void *>(kernel), shared,
                                           block_size_limit);
}
template <class T>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeWithFlags(int *grid_size, int *block_size, T kernel,
                                                                    size_t shared = 0, int block_size_limit = 0,
                                                                    unsigned int = 0) {
  return hipOccupancyMaxPotentialBlockSize(grid_size, block_size, reinterpret_cast<const void *>(kernel), shared,
                                           block_size_limit);
}
template <class T>
static inline hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t *shared, T kernel, int blocks,
                                                                  int block_size) {
  return hipOccupancyAvailableDynamicSMemPerBlock(shared, reinterpret_cast<const void *>(kernel), blocks,
                                                  block_size);
}

// The block size with the most resident work-items, where dynamic shared memory depends on the block size.
template <class SharedOfBlock, class T>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid_size, int *block_size,
                                                                                T kernel, SharedOfBlock shared,
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
template <class SharedOfBlock, class T>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMem(int *grid_size, int *block_size, T kernel,
                                                                       SharedOfBlock shared, int limit = 0) {
  return hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid_size, block_size, kernel, shared, limit);
}

#endif
