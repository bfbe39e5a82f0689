// The layer that differs between vendors: everything else in these headers is written over it.
#ifndef ANYHIP_DETAIL_TARGET_H
#define ANYHIP_DETAIL_TARGET_H

#include <hip/detail/attributes.h>

namespace __anyhip {
typedef unsigned int u32;
typedef unsigned long long u64;
}  // namespace __anyhip

#if defined(__AMDGCN__)
#  include <hip/detail/target_amdgcn.h>
#elif defined(__NVPTX__)
#  include <hip/detail/target_nvptx.h>
#else
#  include <hip/detail/target_host.h>
#endif

#endif
