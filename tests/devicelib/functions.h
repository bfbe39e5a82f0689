// The functions that are measured, their references, and their ranges for float and for double. Included where UNARY, INVERSE
// (whose references also get the answer under test) and BINARY say what to do with a row.
static void exponentials() {
  UNARY(exp, expl, -104, 89, -746, 710)
  UNARY(exp2, exp2l, -150, 128, -1075, 1024)
  UNARY(exp10, exp10_wide, -45, 38.5, -323, 308.3)
  UNARY(expm1, expm1l, -20, 88, -50, 709)
  UNARY(log, logl, 1e-45, 3e38, 1e-320, 1e308)
  UNARY(log2, log2l, 1e-45, 3e38, 1e-320, 1e308)
  UNARY(log10, log10l, 1e-45, 3e38, 1e-320, 1e308)
  UNARY(log1p, log1pl, -0.99999, 1e10, -0.999999999, 1e100)
  UNARY(sinh, sinhl, -89.4, 89.4, -710.4, 710.4)
  UNARY(cosh, coshl, -89.4, 89.4, -710.4, 710.4)
  UNARY(tanh, tanhl, -10, 10, -22, 22)
  UNARY(asinh, asinhl, -1e30, 1e30, -1e300, 1e300)
  UNARY(acosh, acoshl, 1, 1e3, 1, 1e10)
  UNARY(atanh, atanhl, -1, 1, -1, 1)
  BINARY(pow, powl, 1e-3, 100, 1e-3, 300)
}

static void angles() {
  UNARY(sin, sinl, -1e9, 1e9, -1e7, 1e7)
  UNARY(cos, cosl, -1e9, 1e9, -1e7, 1e7)
  UNARY(tan, tanl, -1e9, 1e9, -1e7, 1e7)
  UNARY(sinpi, sinpi_wide, -100, 100, -100, 100)
  UNARY(cospi, cospi_wide, -100, 100, -100, 100)
  UNARY(asin, asinl, -1, 1, -1, 1)
  UNARY(acos, acosl, -1, 1, -1, 1)
  UNARY(atan, atanl, -1e10, 1e10, -1e18, 1e18)
  BINARY(atan2, atan2l, -1e10, 1e10, -1e18, 1e18)
}

static void others() {
  UNARY(cbrt, cbrtl, -1e38, 1e38, -1e308, 1e308)
  UNARY(rcbrt, rcbrt_wide, 1e-45, 1e38, 1e-310, 1e308)
  UNARY(rsqrt, rsqrt_wide, 1e-45, 1e38, 1e-310, 1e308)
  BINARY(hypot, hypotl, -1e20, 1e20, -1e300, 1e300)
  BINARY(rhypot, rhypot_wide, 1e-20, 1e20, 1e-200, 1e200)
  UNARY(erf, erfl, -5, 5, -7, 7)
  UNARY(erfc, erfcl, -5, 10, -7, 26.5)
  UNARY(erfcx, erfcx_wide, -9, 1e4, -26, 1e10)
  INVERSE(erfinv, erfinv_wide, -0.9999999, 0.9999999, -0.99999999999, 0.99999999999)
  INVERSE(erfcinv, erfcinv_wide, 1e-38, 1.99999, 1e-300, 1.9999999)
  UNARY(normcdf, normcdf_wide, -14, 6, -37.5, 9)
  INVERSE(normcdfinv, normcdfinv_wide, 1e-38, 0.999999, 1e-300, 0.99999999)
  UNARY(tgamma, tgammal, 1e-30, 35, 1e-300, 171.6)
  UNARY(lgamma, lgammal, 1e-30, 1e30, 1e-300, 1e300)
}
