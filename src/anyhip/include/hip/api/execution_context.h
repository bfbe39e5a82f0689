// Execution contexts: a share of a device's compute units.
#ifndef ANYHIP_API_EXECUTION_CONTEXT_H
#define ANYHIP_API_EXECUTION_CONTEXT_H

#include <hip/api/handles.h>

HIP_C_BEGIN

#define HIP_RESOURCE_ABI_BYTES 40

typedef enum hipDevResourceType {
  hipDevResourceTypeInvalid = 0,
  hipDevResourceTypeSm = 1,
  hipDevResourceTypeWorkqueueConfig = 1000,
  hipDevResourceTypeWorkqueue = 10000,
} hipDevResourceType;

typedef enum hipDevSmResourceGroup_flags {
  hipDevSmResourceGroupDefault = 0,
  hipDevSmResourceGroupBackfill = 0x1,
} hipDevSmResourceGroup_flags;

typedef enum hipDevSmResourceSplitByCount_flags {
  hipDevSmResourceSplitIgnoreSmCoscheduling = 0x1,
  hipDevSmResourceSplitMaxPotentialClusterSize = 0x2,
} hipDevSmResourceSplitByCount_flags;

typedef enum hipDevWorkqueueConfigScope {
  hipDevWorkqueueConfigScopeDeviceCtx = 0,
  hipDevWorkqueueConfigScopeGreenCtxBalanced = 1,
} hipDevWorkqueueConfigScope;

typedef struct hipDevSmResource {
  unsigned int smCount;
  unsigned int minSmPartitionSize;
  unsigned int smCoscheduledAlignment;
  unsigned int flags;
} hipDevSmResource;

typedef struct hipDevWorkqueueConfigResource {
  int device;
  unsigned int wqConcurrencyLimit;
  hipDevWorkqueueConfigScope sharingScope;
} hipDevWorkqueueConfigResource;

typedef struct hipDevWorkqueueResource {
  unsigned char reserved[40];
} hipDevWorkqueueResource;

typedef struct hipDevResource_st {
  hipDevResourceType type;
  unsigned char _internal_padding[92];
  union {
    hipDevSmResource sm;
    hipDevWorkqueueConfigResource wqConfig;
    hipDevWorkqueueResource wq;
    unsigned char _oversize[40];
  };
  struct hipDevResource_st *nextResource;
} hipDevResource;

typedef struct hipDevSmResourceGroupParams_st {
  unsigned int smCount;
  unsigned int coscheduledSmCount;
  unsigned int preferredCoscheduledSmCount;
  unsigned int flags;
  unsigned int reserved[12];
} hipDevSmResourceGroupParams;

hipError_t hipDevResourceGenerateDesc(hipDevResourceDesc_t *phDesc, hipDevResource *resources,
    unsigned int nbResources);
hipError_t hipDevSmResourceSplit(hipDevResource *result, unsigned int nbGroups,
    const hipDevResource *input, hipDevResource *remainder, unsigned int flags,
    hipDevSmResourceGroupParams *groupParams);
hipError_t hipDevSmResourceSplitByCount(hipDevResource *result, unsigned int *nbGroups,
    const hipDevResource *input, hipDevResource *remainder, unsigned int flags,
    unsigned int minCount);
hipError_t hipDeviceGetDevResource(hipDevice_t device, hipDevResource *resource,
    hipDevResourceType type);
hipError_t hipDeviceGetExecutionCtx(hipExecutionCtx_t *ctx, int device);
hipError_t hipExecutionCtxDestroy(hipExecutionCtx_t ctx);
hipError_t hipExecutionCtxGetDevResource(hipExecutionCtx_t ctx, hipDevResource *resource,
    hipDevResourceType type);
hipError_t hipExecutionCtxGetDevice(int *device, hipExecutionCtx_t ctx);
hipError_t hipExecutionCtxGetId(hipExecutionCtx_t ctx, unsigned long long *ctxId);
hipError_t hipExecutionCtxRecordEvent(hipExecutionCtx_t ctx, hipEvent_t event);
hipError_t hipExecutionCtxStreamCreate(hipStream_t *stream, hipExecutionCtx_t greenctx,
    unsigned int flags, int priority);
hipError_t hipExecutionCtxSynchronize(hipExecutionCtx_t ctx);
hipError_t hipExecutionCtxWaitEvent(hipExecutionCtx_t ctx, hipEvent_t event);
hipError_t hipGreenCtxCreate(hipExecutionCtx_t *ctx, hipDevResourceDesc_t desc, int device,
    unsigned int flags);
hipError_t hipStreamGetDevResource(hipStream_t hStream, hipDevResource *resource,
    hipDevResourceType type);

HIP_C_END

#endif
