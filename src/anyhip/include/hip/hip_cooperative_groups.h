// Cooperative groups: thread_block, tiles of a wave, the lanes that are active, the whole grid.
#ifndef HIP_INCLUDE_HIP_HIP_COOPERATIVE_GROUPS_H
#define HIP_INCLUDE_HIP_HIP_COOPERATIVE_GROUPS_H

#include <hip/hip_runtime.h>

#if defined(__cplusplus) && defined(__ANYHIP_KERNEL_LANGUAGE__)
#  include <hip/detail/groups.h>
#  include <hip/detail/groups_tile.h>
#  include <hip/detail/groups_grid.h>
#endif

#endif
