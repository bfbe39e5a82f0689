"""Minima, maxima and medians: integers, and floating point with AMD's rules for NaN and for the two zeros.

A number wins over a quiet NaN, and a signaling NaN over a number if MODE.IEEE is set (HIP's default), made
quiet. -0 is less than +0. Facts: CDNA3, RDNA3 and RDNA4 ISA, V_MIN_F32, V_MAX_F32, V_MED3_F32, V_MIN_NUM_F32.
"""

from __future__ import annotations

from collections.abc import Callable

from anyhip.backends.virtual.semantics import op
from anyhip.backends.virtual.value import FORMAT, Builder, Value

Binary = Callable[[Builder, Value, Value], Value]


def real_min(b: Builder, x: Value, y: Value) -> Value:
    """The smaller of two numbers; the other operand where one is a quiet NaN."""
    equal_bits = (x.int_bits() | y.int_bits()).bitcast(x.type)  # -0 if either zero is negative
    return _extreme(b, x, y, "olt", equal_bits)


def real_max(b: Builder, x: Value, y: Value) -> Value:
    """The larger of two numbers; the other operand where one is a quiet NaN."""
    equal_bits = (x.int_bits() & y.int_bits()).bitcast(x.type)  # +0 if either zero is positive
    return _extreme(b, x, y, "ogt", equal_bits)


def _extreme(b: Builder, first: Value, second: Value, wins: str, equal_bits: Value) -> Value:
    """The operand that wins; ``equal_bits`` where they are equal."""
    mode = b.mode
    if mode.ieee and first.data is second.data:  # how compilers quieten a number: nothing to compare
        return quiet(first)
    x, y = (first, second) if mode.first_nan else (second, first)
    winner = x.cmp(wins, y).select(x, y)  # y where x is NaN
    of_two_nans = quiet(x) if mode.numbers_win else x
    result = y.isnan().select(of_two_nans, x.eq(y).select(equal_bits, winner))
    if not mode.ieee:
        return b.mark_quiet(result) if mode.numbers_win else result
    for operand in (second, first):  # the first counts most
        if not b.never_signaling(operand):
            result = is_signaling(operand).select(quiet(operand), result)
    return b.mark_quiet(result)


def is_signaling(x: Value) -> Value:
    """Whether a float is a signaling NaN: with the quiet bit turned it is beyond the least quiet NaN."""
    bias, mantissa_bits = FORMAT[x.type]
    quiet_bit = 1 << (mantissa_bits - 1)
    least_quiet = (2 * bias + 1) << mantissa_bits | quiet_bit
    magnitude = (x.int_bits() ^ quiet_bit) & ((1 << (x.bits - 1)) - 1)
    return magnitude.cmp("sgt", least_quiet)


def quiet(x: Value) -> Value:
    """``x`` with a signaling NaN made quiet."""
    return x if x.builder.never_signaling(x) else x.unary("canonicalize")


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
