// Driver-API contexts, kept for old programs.
#ifndef ANYHIP_API_CONTEXT_H
#define ANYHIP_API_CONTEXT_H

#include <hip/api/device.h>

HIP_C_BEGIN

HIP_OLD hipError_t hipCtxCreate(hipCtx_t *ctx, unsigned int flags, hipDevice_t device);
HIP_OLD hipError_t hipCtxDestroy(hipCtx_t ctx);
HIP_OLD hipError_t hipCtxDisablePeerAccess(hipCtx_t peerCtx);
HIP_OLD hipError_t hipCtxEnablePeerAccess(hipCtx_t peerCtx, unsigned int flags);
HIP_OLD hipError_t hipCtxGetApiVersion(hipCtx_t ctx, unsigned int *apiVersion);
HIP_OLD hipError_t hipCtxGetCacheConfig(hipFuncCache_t *cacheConfig);
HIP_OLD hipError_t hipCtxGetCurrent(hipCtx_t *ctx);
HIP_OLD hipError_t hipCtxGetDevice(hipDevice_t *device);
HIP_OLD hipError_t hipCtxGetFlags(unsigned int *flags);
HIP_OLD hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig *pConfig);
HIP_OLD hipError_t hipCtxPopCurrent(hipCtx_t *ctx);
HIP_OLD hipError_t hipCtxPushCurrent(hipCtx_t ctx);
HIP_OLD hipError_t hipCtxSetCacheConfig(hipFuncCache_t cacheConfig);
HIP_OLD hipError_t hipCtxSetCurrent(hipCtx_t ctx);
HIP_OLD hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config);
HIP_OLD hipError_t hipCtxSynchronize(void);
HIP_OLD hipError_t hipDevicePrimaryCtxGetState(hipDevice_t dev, unsigned int *flags, int *active);
HIP_OLD hipError_t hipDevicePrimaryCtxRelease(hipDevice_t dev);
HIP_OLD hipError_t hipDevicePrimaryCtxReset(hipDevice_t dev);
HIP_OLD hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *pctx, hipDevice_t dev);
HIP_OLD hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t dev, unsigned int flags);

HIP_C_END

#endif
