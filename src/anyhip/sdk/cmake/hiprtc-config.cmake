# find_package(hiprtc): the target hiprtc::hiprtc, the compiler for programs that compile kernels while they run.
get_filename_component(_anyhip_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

set(hiprtc_FOUND TRUE)
set(hiprtc_VERSION "@VERSION@")

if(NOT TARGET hiprtc::hiprtc)
  add_library(hiprtc::hiprtc SHARED IMPORTED)
  set_target_properties(hiprtc::hiprtc PROPERTIES
    IMPORTED_LOCATION "${_anyhip_root}/lib/libhiprtc.so.7"
    IMPORTED_SONAME "libhiprtc.so.7"
    INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1"
    INTERFACE_INCLUDE_DIRECTORIES "${_anyhip_root}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_anyhip_root}/include")
endif()

unset(_anyhip_root)
