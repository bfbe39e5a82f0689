# What CMake's language HIP needs of the installation: its runtime, as a target that every HIP link gets.
get_filename_component(_anyhip_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET hip-lang::amdhip64)
  add_library(hip-lang::amdhip64 SHARED IMPORTED)
  set_target_properties(hip-lang::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${_anyhip_root}/lib/libamdhip64.so.7"
    IMPORTED_SONAME "libamdhip64.so.7"
    INTERFACE_INCLUDE_DIRECTORIES "${_anyhip_root}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_anyhip_root}/include")
endif()

if(NOT TARGET hip-lang::device)
  add_library(hip-lang::device INTERFACE IMPORTED)
  set_target_properties(hip-lang::device PROPERTIES
    INTERFACE_LINK_OPTIONS "$<$<LINK_LANGUAGE:HIP>:--hip-link>"
    INTERFACE_LINK_LIBRARIES "hip-lang::amdhip64")
endif()

set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET "hip-lang::device")
unset(_anyhip_root)
