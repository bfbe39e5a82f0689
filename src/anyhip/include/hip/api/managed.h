// Managed memory: advice, prefetching, attributes of ranges.
#ifndef ANYHIP_API_MANAGED_H
#define ANYHIP_API_MANAGED_H

#include <hip/driver_types.h>

HIP_C_BEGIN

typedef enum hipMemoryAdvise {
  hipMemAdviseSetReadMostly = 1,
  hipMemAdviseUnsetReadMostly = 2,
  hipMemAdviseSetPreferredLocation = 3,
  hipMemAdviseUnsetPreferredLocation = 4,
  hipMemAdviseSetAccessedBy = 5,
  hipMemAdviseUnsetAccessedBy = 6,
  hipMemAdviseSetCoarseGrain = 100,
  hipMemAdviseUnsetCoarseGrain = 101,
} hipMemoryAdvise;

typedef enum hipMemRangeCoherencyMode {
  hipMemRangeCoherencyModeFineGrain = 0,
  hipMemRangeCoherencyModeCoarseGrain = 1,
  hipMemRangeCoherencyModeIndeterminate = 2,
} hipMemRangeCoherencyMode;

typedef enum hipMemRangeAttribute {
  hipMemRangeAttributeReadMostly = 1,
  hipMemRangeAttributePreferredLocation = 2,
  hipMemRangeAttributeAccessedBy = 3,
  hipMemRangeAttributeLastPrefetchLocation = 4,
  hipMemRangeAttributeCoherencyMode = 100,
} hipMemRangeAttribute;

hipError_t hipDrvMemDiscardAndPrefetchBatchAsync(hipDeviceptr_t *dptrs, size_t *sizes, size_t count,
    hipMemLocation *prefetchLocs, size_t *prefetchLocIdxs, size_t numPrefetchLocs,
    unsigned long long flags, hipStream_t stream);
hipError_t hipDrvMemDiscardBatchAsync(hipDeviceptr_t *dptrs, size_t *sizes, size_t count,
    unsigned long long flags, hipStream_t stream);
hipError_t hipMallocManaged(void **dev_ptr, size_t size,
    unsigned int flags HIP_DEFAULT(hipMemAttachGlobal));
hipError_t hipMemAdvise(const void *dev_ptr, size_t count, hipMemoryAdvise advice, int device);
hipError_t hipMemAdvise_v2(const void *dev_ptr, size_t count, hipMemoryAdvise advice,
    hipMemLocation location);
hipError_t hipMemDiscardAndPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
    hipMemLocation *prefetchLocs, size_t *prefetchLocIdxs, size_t numPrefetchLocs,
    unsigned long long flags, hipStream_t stream);
hipError_t hipMemDiscardBatchAsync(void **dev_ptrs, size_t *sizes, size_t count,
    unsigned long long flags, hipStream_t stream);
hipError_t hipMemPrefetchAsync(const void *dev_ptr, size_t count, int device,
    hipStream_t stream HIP_DEFAULT(0));
hipError_t hipMemPrefetchAsync_v2(const void *dev_ptr, size_t count, hipMemLocation location,
    unsigned int flags, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipMemPrefetchBatchAsync(void **dev_ptrs, size_t *sizes, size_t count,
    hipMemLocation *prefetch_locs, size_t *prefetch_loc_idxs, size_t num_prefetch_locs,
    unsigned long long flags, hipStream_t stream);
hipError_t hipMemRangeGetAttribute(void *data, size_t data_size, hipMemRangeAttribute attribute,
    const void *dev_ptr, size_t count);
hipError_t hipMemRangeGetAttributes(void **data, size_t *data_sizes,
    hipMemRangeAttribute *attributes, size_t num_attributes, const void *dev_ptr, size_t count);
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *dev_ptr, size_t length HIP_DEFAULT(0),
    unsigned int flags HIP_DEFAULT(hipMemAttachSingle));

HIP_C_END

#endif
