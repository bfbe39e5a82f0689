// The device functions under std::. Declared before <cmath>, they keep the C++ library's own constexpr versions,
// which clang would otherwise take for device code, to the host; <cmath> itself adds the host's.
#ifndef ANYHIP_DETAIL_MATH_STD_H
#define ANYHIP_DETAIL_MATH_STD_H

namespace std {
using ::abs; using ::acos; using ::acosh; using ::asin; using ::asinh; using ::atan; using ::atan2;
using ::atanh; using ::cbrt; using ::ceil; using ::copysign; using ::cos; using ::cosh; using ::erf;
using ::erfc; using ::exp; using ::exp2; using ::expm1; using ::fabs; using ::fdim; using ::floor;
using ::fma; using ::fmax; using ::fmin; using ::fmod; using ::frexp; using ::hypot; using ::ilogb;
using ::isfinite; using ::isinf; using ::isnan; using ::isnormal; using ::labs; using ::llabs;
using ::ldexp; using ::lgamma; using ::llrint; using ::llround; using ::log; using ::log10; using ::log1p;
using ::log2; using ::logb; using ::lrint; using ::lround; using ::modf; using ::nan; using ::nanf;
using ::nearbyint; using ::nextafter; using ::pow; using ::remainder; using ::remquo; using ::rint;
using ::round; using ::scalbln; using ::scalbn; using ::signbit; using ::sin; using ::sinh; using ::sqrt;
using ::tan; using ::tanh; using ::tgamma; using ::trunc;
using ::acosf; using ::acoshf; using ::asinf; using ::asinhf; using ::atanf; using ::atan2f; using ::atanhf;
using ::cbrtf; using ::ceilf; using ::copysignf; using ::cosf; using ::coshf; using ::erff; using ::erfcf;
using ::expf; using ::exp2f; using ::expm1f; using ::fabsf; using ::fdimf; using ::floorf; using ::fmaf;
using ::fmaxf; using ::fminf; using ::fmodf; using ::frexpf; using ::hypotf; using ::ilogbf; using ::ldexpf;
using ::lgammaf; using ::llrintf; using ::llroundf; using ::logf; using ::log10f; using ::log1pf;
using ::log2f; using ::logbf; using ::lrintf; using ::lroundf; using ::modff; using ::nearbyintf;
using ::nextafterf; using ::powf; using ::remainderf; using ::remquof; using ::rintf; using ::roundf;
using ::scalblnf; using ::scalbnf; using ::sinf; using ::sinhf; using ::sqrtf; using ::tanf; using ::tanhf;
using ::tgammaf; using ::truncf;
}  // namespace std

#endif
