// OpenGL interoperation.
#ifndef HIP_INCLUDE_HIP_HIP_GL_INTEROP_H
#define HIP_INCLUDE_HIP_HIP_GL_INTEROP_H

#include <hip/api/interop.h>

HIP_C_BEGIN

typedef unsigned int GLuint;
typedef unsigned int GLenum;

typedef enum hipGLDeviceList {
  hipGLDeviceListAll = 1,
  hipGLDeviceListCurrentFrame = 2,
  hipGLDeviceListNextFrame = 3,
} hipGLDeviceList;

hipError_t hipGLGetDevices(unsigned int *pHipDeviceCount, int *pHipDevices,
    unsigned int hipDeviceCount, hipGLDeviceList deviceList);
hipError_t hipGraphicsGLRegisterBuffer(hipGraphicsResource **resource, GLuint buffer,
    unsigned int flags);
hipError_t hipGraphicsGLRegisterImage(hipGraphicsResource **resource, GLuint image, GLenum target,
    unsigned int flags);

HIP_C_END

#endif
