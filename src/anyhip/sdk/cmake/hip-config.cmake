# find_package(hip): targets hip::host (headers and runtime), hip::device (the same, for a C++ compiler that
# compiles HIP) and hip::amdhip64 (the library alone). GPU_TARGETS or AMDGPU_TARGETS names what hip::device
# compiles for.
get_filename_component(_anyhip_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

set(hip_FOUND TRUE)
set(HIP_FOUND TRUE)
set(HIP_VERSION "@VERSION@")
set(HIP_VERSION_STRING "@VERSION@")
set(HIP_VERSION_MAJOR @MAJOR@)
set(HIP_VERSION_MINOR @MINOR@)
set(HIP_VERSION_PATCH @PATCH@)
set(HIP_PLATFORM "amd")
set(HIP_COMPILER "clang")
set(HIP_RUNTIME "rocclr")
set(HIP_ROOT_DIR "${_anyhip_root}")
set(hip_INCLUDE_DIR "${_anyhip_root}/include")
set(hip_INCLUDE_DIRS "${hip_INCLUDE_DIR}")
set(HIP_INCLUDE_DIRS "${hip_INCLUDE_DIR}")
set(hip_LIB_INSTALL_DIR "${_anyhip_root}/lib")
set(hip_BIN_INSTALL_DIR "${_anyhip_root}/bin")
set(hip_LIBRARY hip::host)
set(hip_LIBRARIES hip::host)
set(hip_HIPCC_EXECUTABLE "${_anyhip_root}/bin/hipcc")
set(hip_HIPCONFIG_EXECUTABLE "${_anyhip_root}/bin/hipconfig")
set(HIP_HIPCC_EXECUTABLE "${hip_HIPCC_EXECUTABLE}")
set(HIP_HIPCONFIG_EXECUTABLE "${hip_HIPCONFIG_EXECUTABLE}")
set(HIP_CXX_COMPILER "${_anyhip_root}/llvm/bin/clang++")

if(NOT TARGET hip::amdhip64)
  add_library(hip::amdhip64 SHARED IMPORTED)
  set_target_properties(hip::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${_anyhip_root}/lib/libamdhip64.so.7"
    IMPORTED_SONAME "libamdhip64.so.7")
endif()

if(NOT TARGET hip::host)
  add_library(hip::host INTERFACE IMPORTED)
  set_target_properties(hip::host PROPERTIES
    INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1"
    INTERFACE_INCLUDE_DIRECTORIES "${_anyhip_root}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_anyhip_root}/include"
    INTERFACE_LINK_LIBRARIES "hip::amdhip64")
endif()

if(NOT TARGET hip::device)
  set(_anyhip_options "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-x hip>")
  foreach(_anyhip_target IN LISTS GPU_TARGETS AMDGPU_TARGETS)
    list(APPEND _anyhip_options "$<$<COMPILE_LANGUAGE:CXX>:--offload-arch=${_anyhip_target}>")
  endforeach()
  list(REMOVE_DUPLICATES _anyhip_options)
  add_library(hip::device INTERFACE IMPORTED)
  set_target_properties(hip::device PROPERTIES
    INTERFACE_COMPILE_OPTIONS "${_anyhip_options}"
    INTERFACE_LINK_OPTIONS "$<$<LINK_LANGUAGE:CXX>:--hip-link>"
    INTERFACE_LINK_LIBRARIES "hip::host")
  unset(_anyhip_options)
endif()

unset(_anyhip_root)
