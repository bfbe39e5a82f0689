"""Exponential, logarithm, sine and cosine, as polynomials.

``v_exp_f32`` and ``v_log_f32`` are within 1 ULP, as the manual promises; ``v_sin_f32`` and ``v_cos_f32``
(which have no stated bound) within 1.1 ULP of the sine of the exact angle. The f32 forms flush denormal
inputs and results to zero (CDNA3 ISA: "denormals are flushed"); the f16 forms compute in f32 and keep f16's
denormals. The coefficients are Taylor's.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from anyhip.backends.virtual.semantics import op
from anyhip.backends.virtual.semantics.arithmetic import copysign, flush
from anyhip.backends.virtual.semantics.division import default_nan
from anyhip.backends.virtual.value import Builder, Value

_INFINITY = float("inf")

_EXP2 = [math.log(2.0) ** k / math.factorial(k) for k in range(8)]
_LOG2 = [2.0 / math.log(2.0) / (2 * k + 1) for k in range(9)]
_SIN = [(-1) ** k * math.tau ** (2 * k + 1) / math.factorial(2 * k + 1) for k in range(6)]
_COS = [(-1) ** k * math.tau ** (2 * k) / math.factorial(2 * k) for k in range(7)]

TRIG_RANGE = 256.0  # revolutions that v_sin and v_cos accept


def polynomial(x: Value, coefficients: list[float]) -> Value:
    """c[0] + c[1]*x + ... by Horner's rule with fma."""
    *rest, last = coefficients
    total = x.lift(last)
    for coefficient in reversed(rest):
        total = total.fma(x, coefficient)
    return total


@op("v_exp_f32", "v_exp_legacy_f32")
def exp2(b: Builder, x: Value) -> Value:
    """2**x: 2**fraction by a polynomial, the whole part added to the exponent field.

    Results below the smallest normal number are flushed to 0.
    """
    whole = x.unary("rint")
    scaled = polynomial(x - whole, _EXP2).int_bits() + (whole.to("i32", signed=True) << 23)
    inside = x.cmp("olt", -126.0).select(0.0, scaled.bitcast("float"))
    return x.isnan().select(x + x, x.cmp("oge", 128.0).select(_INFINITY, inside))


@op("v_log_f32", "v_log_legacy_f32")
def log2(b: Builder, x: Value) -> Value:
    """The logarithm to base 2, in double.

    The exponent plus the atanh series of (m-1)/(m+1), for a significand m in [sqrt(1/2), sqrt(2)).
    """
    bits = flush(x).int_bits()
    # Taking sqrt(1/2)'s bits off first makes the exponent field count from there.
    base = 0x3F3504F3
    exponent = (bits - base).ashr(23)
    mantissa = (bits - (exponent << 23)).bitcast("float").to("double")
    s = (mantissa - 1.0) / (mantissa + 1.0)
    total = exponent.to("double", signed=True) + s * polynomial(s * s, _LOG2)
    finite = x.abs().cmp("olt", 2.0**-126).select(-_INFINITY, total.to("float"))
    negative = x.cmp("ole", -(2.0**-126))
    special = (x.cmp("oeq", _INFINITY) | x.isnan()).select(x + x, finite)
    return negative.select(default_nan(b, "float"), special)


def _sine_of_eighth(r: Value) -> Value:
    """sin(2*pi*r) for |r| <= 1/8: the leading coefficient in two parts, for its last bits."""
    square = r * r
    high = 6.28125  # exact in 8 bits
    tail = polynomial(square, [_SIN[0] - high, *_SIN[1:]])
    return r.fma(high, r * tail)


def _quadrants(x: Value, shift: int) -> tuple[Value, Value, Value]:
    """Sine and cosine of what quarter revolutions leave, and the number of quarters plus ``shift``."""
    quarters = (x * 4.0).unary("rint")
    rest = quarters.fma(-0.25, x)
    cosine = polynomial(rest * rest, _COS)
    return _sine_of_eighth(rest), cosine, quarters.to("i32", signed=True) + shift


def _circular(b: Builder, x: Value, shift: int, beyond: float) -> Value:
    inside = x.abs().cmp("ole", TRIG_RANGE)
    sine, cosine, quadrant = _quadrants(inside.select(x, 0.0), shift)
    value = (quadrant & 1).ne(0).select(cosine, sine)
    signed = (value.int_bits() ^ ((quadrant & 2) << 30)).bitcast("float")
    infinite = x.abs().cmp("oeq", _INFINITY).select(default_nan(b, "float"), b.const("float", beyond))
    return x.isnan().select(x + x, inside.select(signed, infinite))


@op("v_sin_f32")
def sin(b: Builder, x: Value) -> Value:
    """Sine of x revolutions; 0 for finite |x| > 256, NaN for infinities; zeros keep their sign."""
    y = flush(x)
    result = _circular(b, y, 0, 0.0)
    # Whole and half revolutions give an exact zero, of x's sign.
    return result.eq(0.0).select(copysign(0.0, x), result)


@op("v_cos_f32")
def cos(b: Builder, x: Value) -> Value:
    """Cosine of x revolutions; 1 for finite |x| > 256, NaN for infinities."""
    return _circular(b, flush(x), 1, 1.0)


def _register_half(name: str, wide: Callable[[Builder, Value], Value]) -> None:
    @op(f"v_{name}_f16")
    def through_float(b: Builder, x: Value) -> Value:
        return wide(b, x.to("float")).to("half")


for _name, _wide in {"exp": exp2, "log": log2, "sin": sin, "cos": cos}.items():
    _register_half(_name, _wide)
