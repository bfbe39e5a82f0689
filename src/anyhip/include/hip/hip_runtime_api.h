// The HIP host API (HIP 7.2): plain C, with C++ conveniences at the end.
// Each file under hip/api/ is one subject: its types, its constants, its functions.
#ifndef HIP_INCLUDE_HIP_HIP_RUNTIME_API_H
#define HIP_INCLUDE_HIP_HIP_RUNTIME_API_H

#include <hip/api/base.h>
#include <hip/api/errors.h>
#include <hip/api/handles.h>
#include <hip/driver_types.h>
#include <hip/linker_types.h>
#include <hip/surface_types.h>
#include <hip/texture_types.h>

#include <hip/api/device.h>
#include <hip/api/device_attributes.h>
#include <hip/api/control.h>
#include <hip/api/context.h>
#include <hip/api/execution_context.h>

#include <hip/api/memory.h>
#include <hip/api/copy.h>
#include <hip/api/managed.h>
#include <hip/api/pools.h>
#include <hip/api/texture.h>
#include <hip/api/interop.h>

#include <hip/api/stream.h>
#include <hip/api/event.h>
#include <hip/api/module.h>
#include <hip/api/launch.h>
#include <hip/api/launch_abi.h>
#include <hip/api/graph.h>
#include <hip/api/per_thread.h>

#ifndef HIP_SYMBOL
#define HIP_SYMBOL(symbol) symbol
#endif

#if defined(__cplusplus) && !defined(__HIP_DISABLE_CPP_FUNCTIONS__)
#include <hip/api/cplusplus.h>
#endif

#endif
