/* The part of the CUDA driver API that the backend calls (CUDA Driver API reference). Handles and addresses are
   integers here, so that a call from Python makes no pointer object. Names with _v2 are what the library exports
   where its own header renames them. */

typedef uintptr_t address_t; /* CUdeviceptr or a host pointer */

int cuInit(unsigned int flags);
int cuDriverGetVersion(int *version);
int cuGetErrorName(int error, const char **text);
int cuGetErrorString(int error, const char **text);

/* devices and contexts */
int cuDeviceGetCount(int *count);
int cuDeviceGet(int *device, int ordinal);
int cuDeviceGetName(char *name, int room, int device);
int cuDeviceTotalMem_v2(size_t *bytes, int device);
int cuDeviceGetUuid_v2(char *uuid, int device); /* 16 bytes */
int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuDevicePrimaryCtxRetain(uintptr_t *context, int device);
int cuCtxSetCurrent(uintptr_t context);
int cuCtxSynchronize(void);
int cuDeviceCanAccessPeer(int *can, int device, int peer);
int cuCtxEnablePeerAccess(uintptr_t peer_context, unsigned int flags);
int cuCtxDisablePeerAccess(uintptr_t peer_context);

/* memory */
int cuMemGetInfo_v2(size_t *free, size_t *total);
int cuMemAlloc_v2(uintptr_t *address, size_t size);
int cuMemFree_v2(address_t address);
int cuMemHostAlloc(uintptr_t *address, size_t size, unsigned int flags);
int cuMemFreeHost(address_t address);
int cuMemAllocManaged(uintptr_t *address, size_t size, unsigned int flags);
int cuMemHostRegister_v2(address_t address, size_t size, unsigned int flags);
int cuMemHostUnregister(address_t address);

/* streams and events */
int cuStreamCreateWithPriority(uintptr_t *stream, unsigned int flags, int priority);
int cuCtxGetStreamPriorityRange(int *least, int *greatest);
int cuStreamDestroy_v2(uintptr_t stream);
int cuStreamQuery(uintptr_t stream);
int cuStreamSynchronize(uintptr_t stream);
int cuStreamWaitEvent(uintptr_t stream, uintptr_t event, unsigned int flags);
int cuEventCreate(uintptr_t *event, unsigned int flags);
int cuEventDestroy_v2(uintptr_t event);
int cuEventRecord(uintptr_t event, uintptr_t stream);
int cuEventQuery(uintptr_t event);
int cuEventSynchronize(uintptr_t event);
int cuEventElapsedTime(float *milliseconds, uintptr_t start, uintptr_t stop);

/* work */
typedef struct {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  int srcMemoryType;
  uintptr_t srcHost, srcDevice, srcArray, reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  int dstMemoryType;
  uintptr_t dstHost, dstDevice, dstArray, reserved1;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

int cuMemcpyAsync(address_t dst, address_t src, size_t size, uintptr_t stream);
int cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, uintptr_t stream);
int cuMemsetD8Async(address_t dst, unsigned char value, size_t count, uintptr_t stream);
int cuMemsetD16Async(address_t dst, unsigned short value, size_t count, uintptr_t stream);
int cuMemsetD32Async(address_t dst, unsigned int value, size_t count, uintptr_t stream);
int cuMemsetD2D8Async(address_t dst, size_t pitch, unsigned char value, size_t width, size_t height, uintptr_t stream);
int cuMemsetD2D16Async(address_t dst, size_t pitch, unsigned short value, size_t width, size_t height, uintptr_t stream);
int cuMemsetD2D32Async(address_t dst, size_t pitch, unsigned int value, size_t width, size_t height, uintptr_t stream);
int cuLaunchHostFunc(uintptr_t stream, uintptr_t function, uintptr_t argument);

/* code */
int cuModuleLoadDataEx(uintptr_t *module, const char *image, unsigned int count, int *options, uintptr_t *values);
int cuModuleUnload(uintptr_t module);
int cuModuleGetFunction(uintptr_t *function, uintptr_t module, const char *name);
int cuModuleGetGlobal_v2(uintptr_t *address, size_t *size, uintptr_t module, const char *name);
int cuFuncGetAttribute(int *value, int attribute, uintptr_t function);
int cuFuncSetAttribute(uintptr_t function, int attribute, int value);
int cuLaunchKernel(uintptr_t function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                   unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                   uintptr_t stream, uintptr_t arguments, uintptr_t extra);
int cuLaunchCooperativeKernel(uintptr_t function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                              unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                              uintptr_t stream, uintptr_t arguments);
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, uintptr_t function, int block, size_t shared);
