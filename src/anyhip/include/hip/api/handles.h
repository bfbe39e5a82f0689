// Opaque handles and the two small values that every other file needs: dim3 and the UUID.
#ifndef ANYHIP_API_HANDLES_H
#define ANYHIP_API_HANDLES_H

#include <hip/api/errors.h>

HIP_C_BEGIN

typedef struct dim3 {
  uint32_t x;
  uint32_t y;
  uint32_t z;
#ifdef __cplusplus
  constexpr HIP_HOST_DEVICE dim3(uint32_t width = 1, uint32_t height = 1, uint32_t depth = 1)
      : x(width), y(height), z(depth) {}
#endif
} dim3;

typedef struct hipUUID_t {
  char bytes[16];
} hipUUID;

typedef int hipDevice_t;
typedef void *hipDeviceptr_t;

typedef struct ihipCtx_t *hipCtx_t;
typedef struct ihipExecutionCtx_t *hipExecutionCtx_t;
typedef struct ihipDevResourceDesc_t *hipDevResourceDesc_t;
typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef struct ihipLinkState_t *hipLinkState_t;
typedef struct ihipLibrary_t *hipLibrary_t;
typedef struct ihipKernel_t *hipKernel_t;
typedef struct ihipMemPoolHandle_t *hipMemPool_t;
typedef struct ihipGraph *hipGraph_t;
typedef struct hipGraphNode *hipGraphNode_t;
typedef struct hipGraphExec *hipGraphExec_t;
typedef struct hipUserObject *hipUserObject_t;
typedef void *hipExternalMemory_t;
typedef void *hipExternalSemaphore_t;
typedef struct _hipGraphicsResource hipGraphicsResource;
typedef hipGraphicsResource *hipGraphicsResource_t;
typedef struct ihipMemGenericAllocationHandle *hipMemGenericAllocationHandle_t;
typedef struct hipArray *hipArray_t;
typedef const struct hipArray *hipArray_const_t;

typedef void (*hipHostFn_t)(void *userData);

HIP_C_END

#endif
