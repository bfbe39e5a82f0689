// hipCreateChannelDesc<T>(): the format of texture elements of type T, a scalar or a vector of 1, 2 or 4.
#ifndef HIP_INCLUDE_HIP_CHANNEL_DESCRIPTOR_H
#define HIP_INCLUDE_HIP_CHANNEL_DESCRIPTOR_H

#include <hip/driver_types.h>
#include <hip/hip_vector_types.h>

#if defined(__cplusplus)

namespace __anyhip {

template <typename T> struct channel_kind {
  static constexpr hipChannelFormatKind value =
      T(-1) < T(0) ? (T(1) / T(2) == T(0) ? hipChannelFormatKindSigned : hipChannelFormatKindFloat)
                   : hipChannelFormatKindUnsigned;
};
template <typename T> struct channel_layout {
  typedef T element;
  static constexpr int count = 1;
};
template <typename T, unsigned int n> struct channel_layout<HIP_vector_type<T, n>> {
  typedef T element;
  static constexpr int count = n;
};

}  // namespace __anyhip

template <typename T> inline hipChannelFormatDesc hipCreateChannelDesc() {
  typedef __anyhip::channel_layout<T> layout;
  const int bits = 8 * (int)sizeof(typename layout::element);
  hipChannelFormatDesc d;
  d.x = bits;
  d.y = layout::count > 1 ? bits : 0;
  d.z = layout::count > 2 ? bits : 0;
  d.w = layout::count > 3 ? bits : 0;
  d.f = __anyhip::channel_kind<typename layout::element>::value;
  return d;
}

#endif

#endif
