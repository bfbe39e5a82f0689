"""Minima, maxima and medians: integers, and floating point with AMD's rules for NaN and for the two zeros.

With MODE.IEEE set (HIP's default) a signaling NaN wins over a number; here every NaN is treated as quiet,
so a number wins over any NaN. -0 is less than +0. Facts: CDNA3 ISA, V_MIN_F32, V_MAX_F32, V_MED3_F32.
"""

from __future__ import annotations

from collections.abc import Callable

from anyhip.backends.virtual.semantics import op
from anyhip.backends.virtual.value import Builder, Value

Binary = Callable[[Builder, Value, Value], Value]


def real_min(b: Builder, x: Value, y: Value) -> Value:
    """The smaller of two numbers; the other operand where one is NaN."""
    equal_bits = (x.int_bits() | y.int_bits()).bitcast(x.type)  # -0 if either zero is negative
    smaller = x.cmp("olt", y).select(x, y)  # y where x is NaN
    return y.isnan().select(quiet(x), x.eq(y).select(equal_bits, smaller))


def real_max(b: Builder, x: Value, y: Value) -> Value:
    """The larger of two numbers; the other operand where one is NaN."""
    equal_bits = (x.int_bits() & y.int_bits()).bitcast(x.type)  # +0 if either zero is positive
    larger = x.cmp("ogt", y).select(x, y)  # y where x is NaN
    return y.isnan().select(quiet(x), x.eq(y).select(equal_bits, larger))


def quiet(x: Value) -> Value:
    """``x`` with a signaling NaN made quiet."""
    return x.unary("canonicalize")


def _real_min3(b: Builder, x: Value, y: Value, z: Value) -> Value:
    return real_min(b, real_min(b, x, y), z)


def _real_max3(b: Builder, x: Value, y: Value, z: Value) -> Value:
    return real_max(b, real_max(b, x, y), z)


def real_med3(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """The middle one; min3 if any is NaN."""
    top = _real_max3(b, x, y, z)
    middle = top.eq(x).select(real_max(b, y, z), top.eq(y).select(real_max(b, x, z), real_max(b, x, y)))
    any_nan = x.cmp("uno", y) | z.isnan()
    return any_nan.select(_real_min3(b, x, y, z), middle)


for _type in ("f16", "f32", "f64"):
    op(f"v_min_{_type}")(real_min)
    op(f"v_max_{_type}")(real_max)
for _type in ("f16", "f32"):
    op(f"v_min3_{_type}")(_real_min3)
    op(f"v_max3_{_type}")(_real_max3)
    op(f"v_med3_{_type}")(real_med3)


def _register_integers(sign: str, letter: str) -> None:
    def least(b: Builder, x: Value, y: Value) -> Value:
        return b.binary(f"{sign}min", x, y)

    def most(b: Builder, x: Value, y: Value) -> Value:
        return b.binary(f"{sign}max", x, y)

    def med3(b: Builder, x: Value, y: Value, z: Value) -> Value:
        return most(b, least(b, x, y), least(b, most(b, x, y), z))

    for width in ("16", "32"):
        kind = letter + width
        op(f"v_min_{kind}")(least)
        op(f"v_max_{kind}")(most)
        op(f"v_min3_{kind}")(lambda b, x, y, z: least(b, least(b, x, y), z))
        op(f"v_max3_{kind}")(lambda b, x, y, z: most(b, most(b, x, y), z))
        op(f"v_med3_{kind}")(med3)


_register_integers("s", "i")
_register_integers("u", "u")
