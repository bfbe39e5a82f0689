// The system's HIP runtime as far as the backend calls it. Handles and addresses are integers; the rest is as
// the headers under include/hip declare it, which a test compares.
int hipGetDeviceCount(int *count);
int hipSetDevice(int deviceId);
int hipGetDevicePropertiesR0600(void *prop, int deviceId);
const char *hipGetErrorString(int hipError);
int hipMalloc(uintptr_t *ptr, size_t size);
int hipMallocManaged(uintptr_t *dev_ptr, size_t size, unsigned int flags);
int hipHostMalloc(uintptr_t *ptr, size_t size, unsigned int flags);
int hipFree(uintptr_t ptr);
int hipHostFree(uintptr_t ptr);
int hipHostRegister(uintptr_t hostPtr, size_t sizeBytes, unsigned int flags);
int hipHostUnregister(uintptr_t hostPtr);
int hipMemGetInfo(size_t *free, size_t *total);
int hipStreamCreateWithPriority(uintptr_t *stream, unsigned int flags, int priority);
int hipStreamDestroy(uintptr_t stream);
int hipStreamQuery(uintptr_t stream);
int hipStreamSynchronize(uintptr_t stream);
int hipStreamWaitEvent(uintptr_t stream, uintptr_t event, unsigned int flags);
int hipDeviceSynchronize(void);
int hipDeviceReset(void);
int hipEventCreateWithFlags(uintptr_t *event, unsigned int flags);
int hipEventDestroy(uintptr_t event);
int hipEventRecord(uintptr_t event, uintptr_t stream);
int hipEventQuery(uintptr_t event);
int hipEventSynchronize(uintptr_t event);
int hipEventElapsedTime(float *ms, uintptr_t start, uintptr_t stop);
int hipMemcpyAsync(uintptr_t dst, uintptr_t src, size_t sizeBytes, int kind, uintptr_t stream);
int hipMemcpy2DAsync(uintptr_t dst, size_t dpitch, uintptr_t src, size_t spitch, size_t width, size_t height,
                     int kind, uintptr_t stream);
int hipMemsetAsync(uintptr_t dst, int value, size_t sizeBytes, uintptr_t stream);
int hipMemsetD16Async(uintptr_t dest, unsigned short value, size_t count, uintptr_t stream);
int hipMemsetD32Async(uintptr_t dst, int value, size_t count, uintptr_t stream);
int hipLaunchHostFunc(uintptr_t stream, uintptr_t fn, uintptr_t userData);
int hipModuleLoadData(uintptr_t *module, const void *image);
int hipModuleUnload(uintptr_t module);
int hipModuleGetGlobal(uintptr_t *dptr, size_t *bytes, uintptr_t hmod, const char *name);
int hipModuleGetFunction(uintptr_t *function, uintptr_t module, const char *kname);
int hipFuncGetAttribute(int *value, int attrib, uintptr_t hfunc);
int hipModuleLaunchKernel(uintptr_t f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                          unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                          unsigned int sharedMemBytes, uintptr_t stream, uintptr_t kernelParams, void **extra);
int hipModuleLaunchCooperativeKernel(uintptr_t f, unsigned int gridDimX, unsigned int gridDimY,
                                     unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                     unsigned int blockDimZ, unsigned int sharedMemBytes, uintptr_t stream,
                                     uintptr_t kernelParams);
