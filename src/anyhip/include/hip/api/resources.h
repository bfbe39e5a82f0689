// What a texture or surface object reads: resources, views, samplers.
#ifndef ANYHIP_API_RESOURCES_H
#define ANYHIP_API_RESOURCES_H

#include <hip/api/arrays.h>

HIP_C_BEGIN

typedef enum hipResourceType {
  hipResourceTypeArray = 0x0,
  hipResourceTypeMipmappedArray = 0x1,
  hipResourceTypeLinear = 0x2,
  hipResourceTypePitch2D = 0x3,
} hipResourceType;

typedef enum HIPresourcetype_enum {
  HIP_RESOURCE_TYPE_ARRAY = 0x0,
  HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY = 0x1,
  HIP_RESOURCE_TYPE_LINEAR = 0x2,
  HIP_RESOURCE_TYPE_PITCH2D = 0x3,
} HIPresourcetype;

typedef HIPresourcetype hipResourcetype;
typedef enum HIPaddress_mode_enum {
  HIP_TR_ADDRESS_MODE_WRAP = 0,
  HIP_TR_ADDRESS_MODE_CLAMP = 1,
  HIP_TR_ADDRESS_MODE_MIRROR = 2,
  HIP_TR_ADDRESS_MODE_BORDER = 3,
} HIPaddress_mode;

typedef enum HIPfilter_mode_enum {
  HIP_TR_FILTER_MODE_POINT = 0,
  HIP_TR_FILTER_MODE_LINEAR = 1,
} HIPfilter_mode;

typedef struct HIP_TEXTURE_DESC_st {
  HIPaddress_mode addressMode[3];
  HIPfilter_mode filterMode;
  unsigned int flags;
  unsigned int maxAnisotropy;
  HIPfilter_mode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  float borderColor[4];
  int reserved[12];
} HIP_TEXTURE_DESC;

typedef enum hipResourceViewFormat {
  hipResViewFormatNone = 0x0,
  hipResViewFormatUnsignedChar1 = 0x1,
  hipResViewFormatUnsignedChar2 = 0x2,
  hipResViewFormatUnsignedChar4 = 0x3,
  hipResViewFormatSignedChar1 = 0x4,
  hipResViewFormatSignedChar2 = 0x5,
  hipResViewFormatSignedChar4 = 0x6,
  hipResViewFormatUnsignedShort1 = 0x7,
  hipResViewFormatUnsignedShort2 = 0x8,
  hipResViewFormatUnsignedShort4 = 0x9,
  hipResViewFormatSignedShort1 = 0xa,
  hipResViewFormatSignedShort2 = 0xb,
  hipResViewFormatSignedShort4 = 0xc,
  hipResViewFormatUnsignedInt1 = 0xd,
  hipResViewFormatUnsignedInt2 = 0xe,
  hipResViewFormatUnsignedInt4 = 0xf,
  hipResViewFormatSignedInt1 = 0x10,
  hipResViewFormatSignedInt2 = 0x11,
  hipResViewFormatSignedInt4 = 0x12,
  hipResViewFormatHalf1 = 0x13,
  hipResViewFormatHalf2 = 0x14,
  hipResViewFormatHalf4 = 0x15,
  hipResViewFormatFloat1 = 0x16,
  hipResViewFormatFloat2 = 0x17,
  hipResViewFormatFloat4 = 0x18,
  hipResViewFormatUnsignedBlockCompressed1 = 0x19,
  hipResViewFormatUnsignedBlockCompressed2 = 0x1a,
  hipResViewFormatUnsignedBlockCompressed3 = 0x1b,
  hipResViewFormatUnsignedBlockCompressed4 = 0x1c,
  hipResViewFormatSignedBlockCompressed4 = 0x1d,
  hipResViewFormatUnsignedBlockCompressed5 = 0x1e,
  hipResViewFormatSignedBlockCompressed5 = 0x1f,
  hipResViewFormatUnsignedBlockCompressed6H = 0x20,
  hipResViewFormatSignedBlockCompressed6H = 0x21,
  hipResViewFormatUnsignedBlockCompressed7 = 0x22,
} hipResourceViewFormat;

typedef enum HIPresourceViewFormat_enum {
  HIP_RES_VIEW_FORMAT_NONE = 0x0,
  HIP_RES_VIEW_FORMAT_UINT_1X8 = 0x1,
  HIP_RES_VIEW_FORMAT_UINT_2X8 = 0x2,
  HIP_RES_VIEW_FORMAT_UINT_4X8 = 0x3,
  HIP_RES_VIEW_FORMAT_SINT_1X8 = 0x4,
  HIP_RES_VIEW_FORMAT_SINT_2X8 = 0x5,
  HIP_RES_VIEW_FORMAT_SINT_4X8 = 0x6,
  HIP_RES_VIEW_FORMAT_UINT_1X16 = 0x7,
  HIP_RES_VIEW_FORMAT_UINT_2X16 = 0x8,
  HIP_RES_VIEW_FORMAT_UINT_4X16 = 0x9,
  HIP_RES_VIEW_FORMAT_SINT_1X16 = 0xa,
  HIP_RES_VIEW_FORMAT_SINT_2X16 = 0xb,
  HIP_RES_VIEW_FORMAT_SINT_4X16 = 0xc,
  HIP_RES_VIEW_FORMAT_UINT_1X32 = 0xd,
  HIP_RES_VIEW_FORMAT_UINT_2X32 = 0xe,
  HIP_RES_VIEW_FORMAT_UINT_4X32 = 0xf,
  HIP_RES_VIEW_FORMAT_SINT_1X32 = 0x10,
  HIP_RES_VIEW_FORMAT_SINT_2X32 = 0x11,
  HIP_RES_VIEW_FORMAT_SINT_4X32 = 0x12,
  HIP_RES_VIEW_FORMAT_FLOAT_1X16 = 0x13,
  HIP_RES_VIEW_FORMAT_FLOAT_2X16 = 0x14,
  HIP_RES_VIEW_FORMAT_FLOAT_4X16 = 0x15,
  HIP_RES_VIEW_FORMAT_FLOAT_1X32 = 0x16,
  HIP_RES_VIEW_FORMAT_FLOAT_2X32 = 0x17,
  HIP_RES_VIEW_FORMAT_FLOAT_4X32 = 0x18,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC1 = 0x19,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC2 = 0x1a,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC3 = 0x1b,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC4 = 0x1c,
  HIP_RES_VIEW_FORMAT_SIGNED_BC4 = 0x1d,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC5 = 0x1e,
  HIP_RES_VIEW_FORMAT_SIGNED_BC5 = 0x1f,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC6H = 0x20,
  HIP_RES_VIEW_FORMAT_SIGNED_BC6H = 0x21,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC7 = 0x22,
} HIPresourceViewFormat;

typedef struct hipResourceDesc {
  enum hipResourceType resType;
  union {
    struct {
      hipArray_t array;
    } array;
    struct {
      hipMipmappedArray_t mipmap;
    } mipmap;
    struct {
      void *devPtr;
      struct hipChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      struct hipChannelFormatDesc desc;
      size_t width;
      size_t height;
      size_t pitchInBytes;
    } pitch2D;
  } res;
} hipResourceDesc;

typedef struct HIP_RESOURCE_DESC_st {
  HIPresourcetype resType;
  union {
    struct {
      hipArray_t hArray;
    } array;
    struct {
      hipMipmappedArray_t hMipmappedArray;
    } mipmap;
    struct {
      hipDeviceptr_t devPtr;
      hipArray_Format format;
      unsigned int numChannels;
      size_t sizeInBytes;
    } linear;
    struct {
      hipDeviceptr_t devPtr;
      hipArray_Format format;
      unsigned int numChannels;
      size_t width;
      size_t height;
      size_t pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned int flags;
} HIP_RESOURCE_DESC;

struct hipResourceViewDesc {
  enum hipResourceViewFormat format;
  size_t width;
  size_t height;
  size_t depth;
  unsigned int firstMipmapLevel;
  unsigned int lastMipmapLevel;
  unsigned int firstLayer;
  unsigned int lastLayer;
};

typedef struct HIP_RESOURCE_VIEW_DESC_st {
  HIPresourceViewFormat format;
  size_t width;
  size_t height;
  size_t depth;
  unsigned int firstMipmapLevel;
  unsigned int lastMipmapLevel;
  unsigned int firstLayer;
  unsigned int lastLayer;
  unsigned int reserved[16];
} HIP_RESOURCE_VIEW_DESC;

#define HIP_TRSA_OVERRIDE_FORMAT 0x01
#define HIP_TRSF_READ_AS_INTEGER 0x01
#define HIP_TRSF_NORMALIZED_COORDINATES 0x02
#define HIP_TRSF_SRGB 0x10

HIP_C_END

#endif
