// Component-wise operators of the vector template; a scalar operand is taken for every component.
#ifndef ANYHIP_DETAIL_VECTOR_OPERATORS_H
#define ANYHIP_DETAIL_VECTOR_OPERATORS_H

#define __ANYHIP_VEC_T(n) HIP_vector_type<T, n>


#define __ANYHIP_VEC_BINARY_N(n, op)                                                                     \
  template <typename T>                                                                                  \
  __ANYHIP_VEC_FN __ANYHIP_VEC_T(n) operator op(const __ANYHIP_VEC_T(n)& a, const __ANYHIP_VEC_T(n)& b) { \
    return __ANYHIP_VEC_JOIN_##n(op);                                                                    \
  }
#define __ANYHIP_VEC_JOIN_1(op) __ANYHIP_VEC_T(1)(T(a.x op b.x))
#define __ANYHIP_VEC_JOIN_2(op) __ANYHIP_VEC_T(2)(T(a.x op b.x), T(a.y op b.y))
#define __ANYHIP_VEC_JOIN_3(op) __ANYHIP_VEC_T(3)(T(a.x op b.x), T(a.y op b.y), T(a.z op b.z))
#define __ANYHIP_VEC_JOIN_4(op) __ANYHIP_VEC_T(4)(T(a.x op b.x), T(a.y op b.y), T(a.z op b.z), T(a.w op b.w))

namespace __anyhip {
template <typename T> __ANYHIP_VEC_FN HIP_vector_type<T, 1> splat(HIP_vector_type<T, 1>*, T s) { return {s}; }
template <typename T> __ANYHIP_VEC_FN HIP_vector_type<T, 2> splat(HIP_vector_type<T, 2>*, T s) { return {s, s}; }
template <typename T> __ANYHIP_VEC_FN HIP_vector_type<T, 3> splat(HIP_vector_type<T, 3>*, T s) {
  return {s, s, s};
}
template <typename T> __ANYHIP_VEC_FN HIP_vector_type<T, 4> splat(HIP_vector_type<T, 4>*, T s) {
  return {s, s, s, s};
}
// Names the type only for scalars that convert to T, so that other operands leave these templates out.
template <typename T, typename S> using scalar_for = decltype(T(S()));
}  // namespace __anyhip

#define __ANYHIP_VEC_BINARY(op)                                                                       \
  __ANYHIP_VEC_BINARY_N(1, op) __ANYHIP_VEC_BINARY_N(2, op)                                           \
  __ANYHIP_VEC_BINARY_N(3, op) __ANYHIP_VEC_BINARY_N(4, op)                                           \
  template <typename T, unsigned int n, typename S, typename = __anyhip::scalar_for<T, S>>            \
  __ANYHIP_VEC_FN __ANYHIP_VEC_T(n) operator op(const __ANYHIP_VEC_T(n)& a, S s) {                    \
    return a op __anyhip::splat(static_cast<__ANYHIP_VEC_T(n)*>(nullptr), T(s));                      \
  }                                                                                                   \
  template <typename T, unsigned int n, typename S, typename = __anyhip::scalar_for<T, S>>            \
  __ANYHIP_VEC_FN __ANYHIP_VEC_T(n) operator op(S s, const __ANYHIP_VEC_T(n)& a) {                    \
    return __anyhip::splat(static_cast<__ANYHIP_VEC_T(n)*>(nullptr), T(s)) op a;                      \
  }                                                                                                   \
  template <typename T, unsigned int n>                                                               \
  __ANYHIP_VEC_FN __ANYHIP_VEC_T(n)& operator op##=(__ANYHIP_VEC_T(n)& a, const __ANYHIP_VEC_T(n)& b) { \
    return a = a op b;                                                                                \
  }                                                                                                   \
  template <typename T, unsigned int n, typename S, typename = __anyhip::scalar_for<T, S>>            \
  __ANYHIP_VEC_FN __ANYHIP_VEC_T(n)& operator op##=(__ANYHIP_VEC_T(n)& a, S s) {                      \
    return a = a op s;                                                                                \
  }

__ANYHIP_VEC_BINARY(+)
__ANYHIP_VEC_BINARY(-)
__ANYHIP_VEC_BINARY(*)
__ANYHIP_VEC_BINARY(/)
__ANYHIP_VEC_BINARY(%)
__ANYHIP_VEC_BINARY(&)
__ANYHIP_VEC_BINARY(|)
__ANYHIP_VEC_BINARY(^)
__ANYHIP_VEC_BINARY(<<)
__ANYHIP_VEC_BINARY(>>)

#define __ANYHIP_VEC_UNARY(op)                                                               \
  template <typename T> __ANYHIP_VEC_FN __ANYHIP_VEC_T(1) operator op(const __ANYHIP_VEC_T(1)& a) { \
    return __ANYHIP_VEC_T(1)(T(op a.x));                                                     \
  }                                                                                          \
  template <typename T> __ANYHIP_VEC_FN __ANYHIP_VEC_T(2) operator op(const __ANYHIP_VEC_T(2)& a) { \
    return __ANYHIP_VEC_T(2)(T(op a.x), T(op a.y));                                          \
  }                                                                                          \
  template <typename T> __ANYHIP_VEC_FN __ANYHIP_VEC_T(3) operator op(const __ANYHIP_VEC_T(3)& a) { \
    return __ANYHIP_VEC_T(3)(T(op a.x), T(op a.y), T(op a.z));                               \
  }                                                                                          \
  template <typename T> __ANYHIP_VEC_FN __ANYHIP_VEC_T(4) operator op(const __ANYHIP_VEC_T(4)& a) { \
    return __ANYHIP_VEC_T(4)(T(op a.x), T(op a.y), T(op a.z), T(op a.w));                    \
  }

__ANYHIP_VEC_UNARY(-)
__ANYHIP_VEC_UNARY(~)

#define __ANYHIP_VEC_STEP(op, plain)                                                         \
  template <typename T, unsigned int n> __ANYHIP_VEC_FN __ANYHIP_VEC_T(n)& operator op(__ANYHIP_VEC_T(n)& a) { \
    return a = a plain T(1);                                                                 \
  }                                                                                          \
  template <typename T, unsigned int n> __ANYHIP_VEC_FN __ANYHIP_VEC_T(n) operator op(__ANYHIP_VEC_T(n)& a, int) { \
    __ANYHIP_VEC_T(n) before = a;                                                            \
    a = a plain T(1);                                                                        \
    return before;                                                                           \
  }

__ANYHIP_VEC_STEP(++, +)
__ANYHIP_VEC_STEP(--, -)

template <typename T> __ANYHIP_VEC_FN bool operator==(const __ANYHIP_VEC_T(1)& a, const __ANYHIP_VEC_T(1)& b) {
  return a.x == b.x;
}
template <typename T> __ANYHIP_VEC_FN bool operator==(const __ANYHIP_VEC_T(2)& a, const __ANYHIP_VEC_T(2)& b) {
  return a.x == b.x && a.y == b.y;
}
template <typename T> __ANYHIP_VEC_FN bool operator==(const __ANYHIP_VEC_T(3)& a, const __ANYHIP_VEC_T(3)& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
template <typename T> __ANYHIP_VEC_FN bool operator==(const __ANYHIP_VEC_T(4)& a, const __ANYHIP_VEC_T(4)& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
template <typename T, unsigned int n>
__ANYHIP_VEC_FN bool operator!=(const __ANYHIP_VEC_T(n)& a, const __ANYHIP_VEC_T(n)& b) {
  return !(a == b);
}

#undef __ANYHIP_VEC_T
#undef __ANYHIP_VEC_BINARY_N
#undef __ANYHIP_VEC_BINARY
#undef __ANYHIP_VEC_UNARY
#undef __ANYHIP_VEC_STEP

#endif
