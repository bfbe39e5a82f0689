// __half and __half2: a _Float16 and a pair of them, with C++'s operators.
#ifndef ANYHIP_DETAIL_HALF_TYPES_H
#define ANYHIP_DETAIL_HALF_TYPES_H

#include <hip/detail/attributes.h>
#include <hip/hip_vector_types.h>

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

#define __ANYHIP_HALF_FN __attribute__((always_inline)) __host__ __device__

struct __half {
  _Float16 data;

  __half() = default;
  __ANYHIP_HALF_FN constexpr __half(_Float16 x) : data(x) {}
  __ANYHIP_HALF_FN constexpr __half(float x) : data((_Float16)x) {}
  __ANYHIP_HALF_FN constexpr __half(double x) : data((_Float16)x) {}
  __ANYHIP_HALF_FN constexpr __half(short x) : data((_Float16)x) {}
  __ANYHIP_HALF_FN constexpr __half(unsigned short x) : data((_Float16)x) {}
  __ANYHIP_HALF_FN constexpr __half(int x) : data((_Float16)x) {}
  __ANYHIP_HALF_FN constexpr __half(unsigned int x) : data((_Float16)x) {}
  __ANYHIP_HALF_FN constexpr __half(long x) : data((_Float16)x) {}
  __ANYHIP_HALF_FN constexpr __half(unsigned long x) : data((_Float16)x) {}
  __ANYHIP_HALF_FN constexpr __half(long long x) : data((_Float16)x) {}
  __ANYHIP_HALF_FN constexpr __half(unsigned long long x) : data((_Float16)x) {}
  __ANYHIP_HALF_FN __half(const __half_raw& raw) : data(__builtin_bit_cast(_Float16, raw.x)) {}

  __ANYHIP_HALF_FN constexpr operator float() const { return (float)data; }
  __ANYHIP_HALF_FN constexpr operator _Float16() const { return data; }
  __ANYHIP_HALF_FN operator __half_raw() const { return {__builtin_bit_cast(unsigned short, data)}; }
  __ANYHIP_HALF_FN constexpr explicit operator bool() const { return data != (_Float16)0; }
  __ANYHIP_HALF_FN constexpr explicit operator double() const { return (double)data; }
  __ANYHIP_HALF_FN constexpr explicit operator int() const { return (int)data; }
  __ANYHIP_HALF_FN constexpr explicit operator unsigned int() const { return (unsigned int)data; }
  __ANYHIP_HALF_FN constexpr explicit operator short() const { return (short)data; }
  __ANYHIP_HALF_FN constexpr explicit operator unsigned short() const { return (unsigned short)data; }
  __ANYHIP_HALF_FN constexpr explicit operator long long() const { return (long long)data; }
  __ANYHIP_HALF_FN constexpr explicit operator unsigned long long() const { return (unsigned long long)data; }

  __ANYHIP_HALF_FN __half& operator+=(const __half& o) { data = (_Float16)(data + o.data); return *this; }
  __ANYHIP_HALF_FN __half& operator-=(const __half& o) { data = (_Float16)(data - o.data); return *this; }
  __ANYHIP_HALF_FN __half& operator*=(const __half& o) { data = (_Float16)(data * o.data); return *this; }
  __ANYHIP_HALF_FN __half& operator/=(const __half& o) { data = (_Float16)(data / o.data); return *this; }
  __ANYHIP_HALF_FN __half& operator++() { data = (_Float16)(data + (_Float16)1); return *this; }
  __ANYHIP_HALF_FN __half& operator--() { data = (_Float16)(data - (_Float16)1); return *this; }
  __ANYHIP_HALF_FN __half operator++(int) { const __half before = *this; ++*this; return before; }
  __ANYHIP_HALF_FN __half operator--(int) { const __half before = *this; --*this; return before; }
  __ANYHIP_HALF_FN constexpr __half operator+() const { return *this; }
  __ANYHIP_HALF_FN constexpr __half operator-() const { return __half((_Float16)-data); }
};

__ANYHIP_HALF_FN constexpr inline __half operator+(const __half& a, const __half& b) { return (_Float16)(a.data + b.data); }
__ANYHIP_HALF_FN constexpr inline __half operator-(const __half& a, const __half& b) { return (_Float16)(a.data - b.data); }
__ANYHIP_HALF_FN constexpr inline __half operator*(const __half& a, const __half& b) { return (_Float16)(a.data * b.data); }
__ANYHIP_HALF_FN constexpr inline __half operator/(const __half& a, const __half& b) { return (_Float16)(a.data / b.data); }
__ANYHIP_HALF_FN constexpr inline bool operator==(const __half& a, const __half& b) { return a.data == b.data; }
__ANYHIP_HALF_FN constexpr inline bool operator!=(const __half& a, const __half& b) { return a.data != b.data; }
__ANYHIP_HALF_FN constexpr inline bool operator<(const __half& a, const __half& b) { return a.data < b.data; }
__ANYHIP_HALF_FN constexpr inline bool operator>(const __half& a, const __half& b) { return a.data > b.data; }
__ANYHIP_HALF_FN constexpr inline bool operator<=(const __half& a, const __half& b) { return a.data <= b.data; }
__ANYHIP_HALF_FN constexpr inline bool operator>=(const __half& a, const __half& b) { return a.data >= b.data; }

struct alignas(4) __half2 {
  __half x, y;

  __half2() = default;
  __ANYHIP_HALF_FN constexpr __half2(const __half& x_, const __half& y_) : x(x_), y(y_) {}
  __ANYHIP_HALF_FN explicit constexpr __half2(float s) : x(s), y(s) {}
  __ANYHIP_HALF_FN __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  __ANYHIP_HALF_FN operator __half2_raw() const { return {__half_raw(x).x, __half_raw(y).x}; }
  __ANYHIP_HALF_FN operator float2() const { return float2((float)x, (float)y); }

  __ANYHIP_HALF_FN __half2& operator+=(const __half2& o) { x += o.x; y += o.y; return *this; }
  __ANYHIP_HALF_FN __half2& operator-=(const __half2& o) { x -= o.x; y -= o.y; return *this; }
  __ANYHIP_HALF_FN __half2& operator*=(const __half2& o) { x *= o.x; y *= o.y; return *this; }
  __ANYHIP_HALF_FN __half2& operator/=(const __half2& o) { x /= o.x; y /= o.y; return *this; }
  __ANYHIP_HALF_FN constexpr __half2 operator-() const { return {-x, -y}; }
};

__ANYHIP_HALF_FN constexpr inline __half2 operator+(const __half2& a, const __half2& b) { return {a.x + b.x, a.y + b.y}; }
__ANYHIP_HALF_FN constexpr inline __half2 operator-(const __half2& a, const __half2& b) { return {a.x - b.x, a.y - b.y}; }
__ANYHIP_HALF_FN constexpr inline __half2 operator*(const __half2& a, const __half2& b) { return {a.x * b.x, a.y * b.y}; }
__ANYHIP_HALF_FN constexpr inline __half2 operator/(const __half2& a, const __half2& b) { return {a.x / b.x, a.y / b.y}; }
__ANYHIP_HALF_FN constexpr inline bool operator==(const __half2& a, const __half2& b) { return a.x == b.x && a.y == b.y; }
__ANYHIP_HALF_FN constexpr inline bool operator!=(const __half2& a, const __half2& b) { return !(a == b); }

typedef __half half;
typedef __half2 half2;

#undef __ANYHIP_HALF_FN

#endif
