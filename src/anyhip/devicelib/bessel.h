// Bessel functions of whole order. Below 25 the power series, summed in double-double so that its cancellation
// (a factor of 2^33 at worst) is harmless; beyond, Hankel's asymptotic expansion.
#ifndef ANYHIP_DEVICELIB_BESSEL_H
#define ANYHIP_DEVICELIB_BESSEL_H

#include "exponential.h"
#include "trigonometric.h"

namespace anyhip {

constexpr double kBesselSwitch = 25.0;
constexpr double kEulerHi = 0x1.2788cfc6fb619p-1, kEulerLo = -0x1.6cb90701fbfabp-58;
constexpr dd kTwoOverPiParts = {0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55};

// Sums of (sign x^2/4)^k / (k! (k + order)!), and of the same terms times H_k + H_(k + order), for order 0 and 1.
struct bessel_sums {
  dd plain, harmonic;
};
template <bool with_harmonic> ANYHIP_HELPER bessel_sums bessel_series(double x, int order, double sign) {
  const dd z = multiply(two_product(0.5 * x, 0.5 * x), sign);
  dd term = {1.0, 0.0}, plain = term;
  dd weight = {(double)order, 0.0}, harmonic = {(double)order, 0.0};
  for (int k = 1; k < 120; ++k) {
    term = divide(multiply(term, z), {(double)k * (k + order), 0.0});
    plain = add(plain, term);
    if (with_harmonic) {
      weight = add(weight, add(divide({1.0, 0.0}, {(double)k, 0.0}), divide({1.0, 0.0}, {(double)(k + order), 0.0})));
      harmonic = add(harmonic, multiply(term, weight));
    }
    if (absolute(term.hi) * 16.0 < absolute(plain.hi) * 0x1p-70 || absolute(term.hi) < 0x1p-90) break;
  }
  return {plain, harmonic};
}

// P and Q of Hankel's expansion (DLMF 10.17): a_k = a_(k-1) (4 order^2 - (2k - 1)^2) / (8k), over x^k.
struct hankel_parts {
  double p, q;
};
ANYHIP_INLINE hankel_parts hankel(double x, int order) {
  double term = 1.0, p = 1.0, q = 0.0;
  const double square = 4.0 * order * order;
  for (int k = 1; k <= 26; ++k) {
    const double odd = 2.0 * k - 1.0;
    const double next = term * (square - odd * odd) / (8.0 * k * x);
    if (absolute(next) > absolute(term) && k > 2) break;
    term = next;
    const double signed_term = k & 2 ? -term : term;
    if (k & 1) q += signed_term;
    else p += signed_term;
    if (absolute(term) < 0x1p-60) break;
  }
  return {p, q};
}

struct bessel_pair {
  double j, y;
};
// With w = x - order pi/2 - pi/4: J = sqrt(2/(pi x)) (P cos w - Q sin w), Y = the same with (P sin w + Q cos w).
ANYHIP_HELPER bessel_pair bessel_far(double x, int order) {
  double sine, cosine;
  __anyhip_sincos(x, &sine, &cosine);
  const double root_half = 0x1.6a09e667f3bcdp-1;
  // sin and cos of x - pi/4; a quarter turn more for order 1
  double sin_w = (sine - cosine) * root_half, cos_w = (sine + cosine) * root_half;
  if (order == 1) {
    const double turned = sin_w;
    sin_w = -cos_w;
    cos_w = turned;
  }
  const hankel_parts h = hankel(x, order);
  const double size = __builtin_sqrt(kTwoOverPi / x);
  return {size * (h.p * cos_w - h.q * sin_w), size * (h.p * sin_w + h.q * cos_w)};
}

ANYHIP_INLINE double bessel_j(double x, int order) {  // order 0 or 1, x >= 0
  if (is_nan(x)) return x;
  if (is_inf(x)) return 0.0;
  if (x >= kBesselSwitch) return bessel_far(x, order).j;
  const dd sum = bessel_series<false>(x, order, -1.0).plain;
  return order == 0 ? sum.hi + sum.lo : multiply(sum, 0.5 * x).hi;
}
ANYHIP_INLINE double bessel_y(double x, int order) {
  if (is_nan(x)) return x;
  if (x <= 0.0) return x == 0.0 ? -kInfinity : kNaN;
  if (is_inf(x)) return 0.0;
  if (x >= kBesselSwitch) return bessel_far(x, order).y;
  if (order == 1 && x < 0x1p-600) return -kTwoOverPi / x;
  const bessel_sums sums = bessel_series<true>(x, order, -1.0);
  const dd log_half = add(log_of(0.5 * x), dd{kEulerHi, kEulerLo});  // log(x/2) + Euler's constant
  // DLMF 10.8.2 for both orders: the harmonic sum enters halved.
  dd value = add(multiply(log_half, sums.plain), multiply(sums.harmonic, -0.5));
  if (order == 1) value = add(multiply(value, 0.5 * x), divide({-1.0, 0.0}, {x, 0.0}));
  return multiply(value, kTwoOverPiParts).hi;
}

// exp(x)/sqrt(2 pi x) times the expansion, all of whose signs alternate away: DLMF 10.40.1.
ANYHIP_INLINE double bessel_i(double x, int order) {  // x >= 0
  if (is_nan(x) || is_inf(x)) return x;
  if (x < kBesselSwitch) {
    const dd sum = bessel_series<false>(x, order, 1.0).plain;
    return order == 0 ? sum.hi + sum.lo : multiply(sum, 0.5 * x).hi;
  }
  if (x > 714.0) return kInfinity;
  double term = 1.0, sum = 1.0;
  const double square = 4.0 * order * order;
  for (int k = 1; k <= 40; ++k) {
    const double odd = 2.0 * k - 1.0;
    term *= (odd * odd - square) / (8.0 * k * x);
    sum += term;
    if (absolute(term) < 0x1p-58) break;
  }
  const reduced_exponent a = reduce_exponent({x, 0.0});
  const dd e = add(exp_minus_one(a.r, a.r_lo), 1.0);
  return scale(e.hi * (sum / __builtin_sqrt(2.0 * kPiHi * x)), a.k);
}

// Orders above 1: upwards while the order is below x; else Miller's way, downwards from far above and scaled.
ANYHIP_HELPER double bessel_jn(int n, double x) {  // n >= 2, x > 0
  if ((double)n <= x) {
    double before = bessel_j(x, 0), now = bessel_j(x, 1);
    for (int k = 1; k < n; ++k) {
      const double next = 2.0 * k / x * now - before;
      before = now;
      now = next;
    }
    return now;
  }
  const int start = 2 * ((n + (int)__builtin_sqrt(160.0 * n) + 20) / 2);
  double above = 0.0, now = 1.0, wanted = 0.0, total = 0.0;
  for (int k = start; k > 0; --k) {
    const double below = 2.0 * k / x * now - above;
    above = now;
    now = below;
    if (absolute(now) > 0x1p500) {
      now *= 0x1p-500, above *= 0x1p-500, wanted *= 0x1p-500, total *= 0x1p-500;
    }
    if ((k & 1) != 0) total += now;  // J_0, J_2, J_4 …
    if (k == n) wanted = above;
  }
  return wanted / (2.0 * total - now);  // J_0 + 2 (J_2 + J_4 + …) = 1
}
ANYHIP_HELPER double bessel_yn(int n, double x) {  // n >= 2, x > 0
  double before = bessel_y(x, 0), now = bessel_y(x, 1);
  for (int k = 1; k < n && now > -kInfinity; ++k) {
    const double next = 2.0 * k / x * now - before;
    before = now;
    now = next;
  }
  return now;
}

}  // namespace anyhip

ANYHIP_EXPORT double __anyhip_j0(double x) { return anyhip::bessel_j(anyhip::absolute(x), 0); }
ANYHIP_EXPORT double __anyhip_j1(double x) {
  const double value = anyhip::bessel_j(anyhip::absolute(x), 1);
  return x < 0.0 ? -value : value;
}
ANYHIP_EXPORT double __anyhip_y0(double x) { return anyhip::bessel_y(x, 0); }
ANYHIP_EXPORT double __anyhip_y1(double x) { return anyhip::bessel_y(x, 1); }
ANYHIP_EXPORT double __anyhip_jn(int n, double x) {
  using namespace anyhip;
  const int order = n < 0 ? -n : n;
  // J_-n(x) = J_n(-x) = (-1)^n J_n(x)
  const bool flipped = (n < 0) != (x < 0.0) && (order & 1);
  const double size = absolute(x);
  double value;
  if (order < 2) value = bessel_j(size, order);
  else if (is_nan(size)) return x;
  else value = size == 0.0 || is_inf(size) ? 0.0 : bessel_jn(order, size);
  return flipped ? -value : value;
}
ANYHIP_EXPORT double __anyhip_yn(int n, double x) {
  using namespace anyhip;
  const int order = n < 0 ? -n : n;
  double value;
  if (order < 2) value = bessel_y(x, order);
  else if (is_nan(x)) return x;
  else if (x <= 0.0) value = x == 0.0 ? -kInfinity : kNaN;
  else value = is_inf(x) ? 0.0 : bessel_yn(order, x);
  return n < 0 && (order & 1) ? -value : value;
}
ANYHIP_EXPORT double __anyhip_cyl_bessel_i0(double x) { return anyhip::bessel_i(anyhip::absolute(x), 0); }
ANYHIP_EXPORT double __anyhip_cyl_bessel_i1(double x) {
  const double value = anyhip::bessel_i(anyhip::absolute(x), 1);
  return x < 0.0 ? -value : value;
}

ANYHIP_EXPORT float __anyhip_j0f(float x) { return (float)__anyhip_j0((double)x); }
ANYHIP_EXPORT float __anyhip_j1f(float x) { return (float)__anyhip_j1((double)x); }
ANYHIP_EXPORT float __anyhip_y0f(float x) { return (float)__anyhip_y0((double)x); }
ANYHIP_EXPORT float __anyhip_y1f(float x) { return (float)__anyhip_y1((double)x); }
ANYHIP_EXPORT float __anyhip_jnf(int n, float x) { return (float)__anyhip_jn(n, (double)x); }
ANYHIP_EXPORT float __anyhip_ynf(int n, float x) { return (float)__anyhip_yn(n, (double)x); }
ANYHIP_EXPORT float __anyhip_cyl_bessel_i0f(float x) { return (float)__anyhip_cyl_bessel_i0((double)x); }
ANYHIP_EXPORT float __anyhip_cyl_bessel_i1f(float x) { return (float)__anyhip_cyl_bessel_i1((double)x); }

#endif
