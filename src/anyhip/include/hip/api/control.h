// The current device: selection, limits, synchronisation, peers, profiling and logging switches.
#ifndef ANYHIP_API_CONTROL_H
#define ANYHIP_API_CONTROL_H

#include <hip/api/device.h>
#include <hip/api/device_attributes.h>
#include <hip/driver_types.h>

HIP_C_BEGIN

hipError_t hipChooseDeviceR0600(int *device, const hipDeviceProp_tR0600 *prop);
hipError_t hipDeviceGetAttribute(int *pi, hipDeviceAttribute_t attr, int deviceId);
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *cacheConfig);
hipError_t hipDeviceGetLimit(size_t *pValue, enum hipLimit_t limit);
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *pConfig);
hipError_t hipDeviceGetTexture1DLinearMaxWidth(size_t *max_width, const hipChannelFormatDesc *desc,
    int device);
hipError_t hipDeviceReset(void);
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t cacheConfig);
hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value);
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config);
hipError_t hipDeviceSynchronize(void);
hipError_t hipExtGetLinkTypeAndHopCount(int device1, int device2, uint32_t *linktype,
    uint32_t *hopcount);
hipError_t hipGetDevice(int *deviceId);
hipError_t hipGetDeviceCount(int *count);
hipError_t hipGetDeviceFlags(unsigned int *flags);
hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600 *prop, int deviceId);
hipError_t hipSetDevice(int deviceId);
hipError_t hipSetDeviceFlags(unsigned int flags);
hipError_t hipSetValidDevices(int *device_arr, int len);

hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attr, int srcDevice,
    int dstDevice);
hipError_t hipDeviceCanAccessPeer(int *canAccessPeer, int deviceId, int peerDeviceId);
hipError_t hipDeviceDisablePeerAccess(int peerDeviceId);
hipError_t hipDeviceEnablePeerAccess(int peerDeviceId, unsigned int flags);

HIP_OLD hipError_t hipProfilerStart(void);
HIP_OLD hipError_t hipProfilerStop(void);

hipError_t hipExtDisableLogging(void);
hipError_t hipExtEnableLogging(void);
hipError_t hipExtSetLoggingParams(size_t log_level, size_t log_size, size_t log_mask);

HIP_C_END

#endif
