"""The helpers of IEEE division: reciprocals, roots, and v_div_scale, v_div_fmas, v_div_fixup.

A compiler divides by scaling both operands away from the ends of the range (div_scale), refining a
reciprocal with fma, undoing the scale in the last fma (div_fmas) and mending the special cases (div_fixup).
Facts: CDNA3 ISA. Its pseudo-code does not divide correctly as printed, so where it cannot be meant this
follows from what LLVM's expansion needs (the tests divide with that expansion and compare with IEEE
division):

- v_div_fmas scales by 2**64 (f64: 2**128), up if its third source has an exponent field above the bias,
  else down;
- "denormal" quotients and reciprocals are those of the operands' own type, and those that round to zero
  count;
- a denominator whose reciprocal and quotient are both denormal is scaled down, not up;
- v_div_fixup makes infinity of a NaN quotient of ordinary operands: the refinement overflowed.

Reciprocals and roots are rounded correctly, so they are within the 1 ULP that the manual promises. The f32
ones flush denormal inputs and results to a zero of the same sign, as the manual says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from anyhip.backends.virtual.semantics import op
from anyhip.backends.virtual.semantics.arithmetic import copysign, flush
from anyhip.backends.virtual.semantics.ordering import quiet
from anyhip.backends.virtual.value import FORMAT, Builder, Value


def default_nan(b: Builder, type: str) -> Value:
    """The NaN with its sign set that the manual's examples give for invalid operations."""
    integer, bits = {"half": ("i16", 0xFE00), "float": ("i32", 0xFFC00000), "double": ("i64", 0xFFF8 << 48)}[
        type
    ]
    return b.const(integer, bits).bitcast(type)


@op("v_rcp_f32", "v_rcp_iflag_f32")
def _rcp_f32(b: Builder, x: Value) -> Value:
    return flush(b.const("float", 1.0) / flush(x))


@op("v_rcp_f16", "v_rcp_f64")
def _rcp(b: Builder, x: Value) -> Value:
    return b.const(x.type, 1.0) / x


@op("v_sqrt_f32")
def _sqrt_f32(b: Builder, x: Value) -> Value:
    return flush(x).unary("sqrt")


@op("v_sqrt_f16", "v_sqrt_f64")
def _sqrt(b: Builder, x: Value) -> Value:
    return x.unary("sqrt")


@op("v_rsq_f32")
def rsq_f32(b: Builder, x: Value) -> Value:
    """Within 0.5002 ULP (all normal arguments measured; the manual promises 1 ULP).

    A root and a division would cost the host three times as much as this: a first guess from the exponent
    (3.4 % off), then two steps of third order, the second with
    the residual 1 - x r r kept to twice the precision.
    """
    x = flush(x)
    r = (b.const("i32", 0x5F375A86) - (x.int_bits() >> 1)).bitcast("float")
    for exact in (False, True):
        product = x * r
        residual = (-product).fma(r, 1.0)
        if exact:
            residual = (-x.fma(r, -product)).fma(r, residual)
        r = (r * residual).fma(residual.fma(0.375, 0.5), r)
    ordinary = x.cmp("ogt", 0.0) & x.cmp("olt", math.inf)
    infinity = ((x.int_bits() & 0x80000000) | 0x7F800000).bitcast("float")
    invalid = x.isnan().select(quiet(x), default_nan(b, "float"))
    return ordinary.select(r, x.eq(0.0).select(infinity, x.eq(math.inf).select(0.0, invalid)))


@op("v_rsq_f16")
def _rsq_f16(b: Builder, x: Value) -> Value:
    return (b.const("float", 1.0) / x.to("float").unary("sqrt")).to("half")


@op("v_rsq_f64")
def rsq_f64(b: Builder, x: Value) -> Value:
    """Two roundings: within 1 ULP (the manual promises far less)."""
    return b.const("double", 1.0) / x.unary("sqrt")


@dataclass(frozen=True)
class Scaling:
    """Limits of v_div_scale for one type: powers of two and differences of exponent fields."""

    scale: int
    far_apart: int
    tiny_numerator: int
    fixup_underflow: int


SCALING = {"float": Scaling(64, 96, 23, -150), "double": Scaling(128, 768, 53, -1075)}


def _exponent(x: Value) -> Value:
    bias, mantissa_bits = FORMAT[x.type]
    return ((x.int_bits() >> mantissa_bits) & (2 * bias + 1)).trunc("i32")


def _would_be_denormal(numerator: Value | float, denominator: Value) -> Value:
    """Whether the quotient is below the smallest normal number (also if it rounds to zero)."""
    bias, _ = FORMAT[denominator.type]
    return (denominator.lift(numerator) / denominator).abs().cmp("olt", 2.0 ** (1 - bias))


@op("v_div_scale_f32", "v_div_scale_f64")
def div_scale(b: Builder, x: Value, denominator: Value, numerator: Value) -> tuple[Value, Value]:
    """``x`` (one of the other two) scaled, and whether v_div_fmas must scale back."""
    limits = SCALING[x.type]
    bias, _ = FORMAT[x.type]
    up, down = x * 2.0**limits.scale, x * 2.0**-limits.scale
    is_denominator, is_numerator = x.eq(denominator), x.eq(numerator)
    zero = numerator.eq(0.0) | denominator.eq(0.0)
    far = (_exponent(numerator) - _exponent(denominator)).cmp("sge", limits.far_apart)
    tiny_denominator = denominator.abs().cmp("olt", 2.0 ** (1 - bias))
    tiny_reciprocal = _would_be_denormal(1.0, denominator)
    tiny_quotient = _would_be_denormal(numerator, denominator)
    tiny_numerator = _exponent(numerator).cmp("sle", limits.tiny_numerator)

    denominator_up, denominator_down = is_denominator.select(up, x), is_denominator.select(down, x)
    nothing = b.const("i1", 0)
    both = tiny_reciprocal & tiny_quotient
    cases = (
        (zero, default_nan(b, x.type), nothing),
        (far, denominator_up, ~nothing),
        (tiny_denominator, up, nothing),
        (both, denominator_down, ~nothing),
        (tiny_reciprocal, down, nothing),
        (tiny_quotient, is_numerator.select(up, x), ~nothing),
        (tiny_numerator, up, nothing),
    )
    result, flag = x, nothing
    for condition, value, mark in reversed(cases):
        result, flag = condition.select(value, result), condition.select(mark, flag)
    return result, flag


@op("v_div_fmas_f32", "v_div_fmas_f64")
def div_fmas(b: Builder, x: Value, y: Value, z: Value, scaled: Value) -> Value:
    """x*y + z, times 2**±scale where ``scaled``; a denormal result is rounded once."""
    limits = SCALING[x.type]
    bias, mantissa_bits = FORMAT[x.type]
    total = x.fma(y, z)
    up = _exponent(z).cmp("sgt", bias)
    raised = total * 2.0**limits.scale
    if b.rounds is not None and b.rounds.rounding(x.type):  # one way twice is that way once
        lowered = total * 2.0**-limits.scale
    else:
        lowered = _scale_down_once(x, y, z, total, limits.scale, 1 - bias - mantissa_bits)
    return scaled.select(up.select(raised, lowered), total)


def _scale_down_once(x: Value, y: Value, z: Value, total: Value, scale: int, grid: int) -> Value:
    """(x*y + z) * 2**-scale rounded once, given total = x*y + z rounded.

    The second rounding errs only where ``total`` lies half-way between two denormals: then the first
    rounding's error (exact here, z being the quotient and x*y its small correction) decides.

    Args:
        grid: exponent of the smallest denormal.
    """
    result = total * 2.0**-scale
    left = total - result * 2.0**scale
    error = x.fma(y, z - total)
    half_way = left.abs().eq(2.0 ** (grid - 1 + scale))
    wrong = half_way & (
        (left.cmp("ogt", 0.0) & error.cmp("ogt", 0.0)) | (left.cmp("olt", 0.0) & error.cmp("olt", 0.0))
    )
    # The next denormal in the direction of ``left``.
    return wrong.select(result + copysign(2.0**grid, left), result)


@op("v_div_fixup_f16", "v_div_fixup_f32", "v_div_fixup_f64", "v_div_fixup_legacy_f16")
def div_fixup(b: Builder, quotient: Value, denominator: Value, numerator: Value) -> Value:
    """The quotient, or the answer IEEE 754 gives for zeros, infinities, NaNs and underflow."""
    infinity = float("inf")
    sign = (denominator.int_bits() ^ numerator.int_bits()).bitcast(quotient.type)
    zero_below, zero_above = denominator.eq(0.0), numerator.eq(0.0)
    infinite_below, infinite_above = denominator.abs().eq(infinity), numerator.abs().eq(infinity)
    cases = [
        (numerator.isnan(), quiet(numerator)),
        (denominator.isnan(), quiet(denominator)),
        ((zero_below & zero_above) | (infinite_below & infinite_above), default_nan(b, quotient.type)),
        (zero_below | infinite_above, copysign(infinity, sign)),
        (infinite_below | zero_above, copysign(0.0, sign)),
    ]
    if quotient.type in SCALING:
        difference = _exponent(numerator) - _exponent(denominator)
        cases.append((difference.slt(SCALING[quotient.type].fixup_underflow), copysign(0.0, sign)))
        cases.append((quotient.isnan(), copysign(infinity, sign)))
    result = copysign(quotient.abs(), sign)
    for condition, value in reversed(cases):
        result = condition.select(value, result)
    return result
