// The vector template. Sizes and alignments are HIP's: 2 and 4 components are aligned to their whole size,
// 3 to one component. The default constructor is trivial, as __shared__ arrays need.
#ifndef ANYHIP_DETAIL_VECTOR_TEMPLATE_H
#define ANYHIP_DETAIL_VECTOR_TEMPLATE_H

#define __ANYHIP_VEC_FN __attribute__((always_inline)) __host__ __device__ constexpr

namespace __anyhip {
template <class A, class B> struct same_type { static constexpr bool value = false; };
template <class A> struct same_type<A, A> { static constexpr bool value = true; };
template <bool condition, class T = void> struct enable_when {};
template <class T> struct enable_when<true, T> { typedef T type; };
}  // namespace __anyhip

template <typename T, unsigned int n> struct HIP_vector_type;

// Components may be given in other arithmetic types, and missing ones are zero: CUDA's vectors are
// aggregates, and programs write both `float4 v = {0}` and `uint2 v = {i, j}` with int i.
template <typename T> struct HIP_vector_type<T, 1> {
  typedef T value_type;
  T x;
  HIP_vector_type() = default;
  __ANYHIP_VEC_FN HIP_vector_type(T x_) : x(x_) {}
};

template <typename T> struct alignas(2 * sizeof(T)) HIP_vector_type<T, 2> {
  typedef T value_type;
  T x, y;
  HIP_vector_type() = default;
  __ANYHIP_VEC_FN HIP_vector_type(T x_) : x(x_), y() {}
  template <class A, class B>
  __ANYHIP_VEC_FN HIP_vector_type(A x_, B y_) : x(static_cast<T>(x_)), y(static_cast<T>(y_)) {}
};

template <typename T> struct HIP_vector_type<T, 3> {
  typedef T value_type;
  T x, y, z;
  HIP_vector_type() = default;
  __ANYHIP_VEC_FN HIP_vector_type(T x_) : x(x_), y(), z() {}
  template <class A, class B, class C = T>
  __ANYHIP_VEC_FN HIP_vector_type(A x_, B y_, C z_ = C())
      : x(static_cast<T>(x_)), y(static_cast<T>(y_)), z(static_cast<T>(z_)) {}
  // uint3 and dim3 stand for one another, as they do in CUDA.
  template <class D, class = typename __anyhip::enable_when<__anyhip::same_type<D, dim3>::value &&
                                                            __anyhip::same_type<T, unsigned int>::value>::type>
  __ANYHIP_VEC_FN HIP_vector_type(const D& d) : x(d.x), y(d.y), z(d.z) {}
  template <class D, class = typename __anyhip::enable_when<__anyhip::same_type<D, dim3>::value &&
                                                            __anyhip::same_type<T, unsigned int>::value>::type>
  __ANYHIP_VEC_FN operator D() const { return D(x, y, z); }
};

template <typename T> struct alignas(4 * sizeof(T)) HIP_vector_type<T, 4> {
  typedef T value_type;
  T x, y, z, w;
  HIP_vector_type() = default;
  __ANYHIP_VEC_FN HIP_vector_type(T x_) : x(x_), y(), z(), w() {}
  template <class A, class B, class C = T, class D = T>
  __ANYHIP_VEC_FN HIP_vector_type(A x_, B y_, C z_ = C(), D w_ = D())
      : x(static_cast<T>(x_)), y(static_cast<T>(y_)), z(static_cast<T>(z_)), w(static_cast<T>(w_)) {}
};

#endif
