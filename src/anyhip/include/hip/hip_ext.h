// AMD's extensions to launching.
#ifndef HIP_INCLUDE_HIP_HIP_EXT_H
#define HIP_INCLUDE_HIP_HIP_EXT_H

#include <hip/api/launch.h>

HIP_C_BEGIN

hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX,
    uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ, uint32_t localWorkSizeX,
    uint32_t localWorkSizeY, uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream,
    void **kernelParams, void **extra, hipEvent_t startEvent HIP_DEFAULT(0),
    hipEvent_t stopEvent HIP_DEFAULT(0), uint32_t flags HIP_DEFAULT(0));
HIP_OLD hipError_t hipHccModuleLaunchKernel(hipFunction_t f, uint32_t gx, uint32_t gy, uint32_t gz,
    uint32_t lx, uint32_t ly, uint32_t lz, size_t sharedMemBytes, hipStream_t hStream,
    void **kernelParams, void **extra, hipEvent_t startEvent HIP_DEFAULT(0),
    hipEvent_t stopEvent HIP_DEFAULT(0));

HIP_C_END

#endif
