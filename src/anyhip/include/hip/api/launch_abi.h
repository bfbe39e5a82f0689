// What clang's generated code calls: registration of code objects, and <<<>>>.
#ifndef ANYHIP_API_LAUNCH_ABI_H
#define ANYHIP_API_LAUNCH_ABI_H

#include <hip/api/handles.h>

HIP_C_BEGIN

hipError_t __hipPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem,
    hipStream_t *stream);
hipError_t __hipPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem HIP_DEFAULT(0),
    hipStream_t stream HIP_DEFAULT(0));
void** __hipRegisterFatBinary(const void *data);
void __hipRegisterFunction(void **modules, const void *hostFunction, char *deviceFunction,
    const char *deviceName, unsigned int threadLimit, void *tid, void *bid, dim3 *blockDim,
    dim3 *gridDim, int *wSize);
void __hipRegisterManagedVar(void *hipModule, void **pointer, void *init_value, const char *name,
    size_t size, unsigned align);
void __hipRegisterSurface(void **modules, void *var, char *hostVar, char *deviceVar, int type,
    int ext);
void __hipRegisterTexture(void **modules, void *var, char *hostVar, char *deviceVar, int type,
    int norm, int ext);
void __hipRegisterVar(void **modules, void *var, char *hostVar, char *deviceVar, int ext,
    size_t size, int constant, int global);
void __hipUnregisterFatBinary(void **modules);

HIP_C_END

#endif
