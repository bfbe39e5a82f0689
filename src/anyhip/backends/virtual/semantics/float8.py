"""Conversions to and from 8-bit floats: fp8 (E4M3) and bf8 (E5M2).

gfx942's are the "FNUZ" formats: exponent biases 8 and 16, no infinity, no negative zero, 0x80 is NaN.
gfx950's and gfx12's are the OCP ones, here with the ending ``_ocp``: biases one less, a negative zero, NaN
where all bits of fp8's magnitude are set, infinity and NaNs at the top of bf8. A number out of range becomes
NaN, in OCP's bf8 infinity (MODE.FP16_OVFL = 0). Facts: CDNA3 ISA, chapter 2.8 ("data formats"); CDNA4 ISA,
"BF8 and FP8 Formats"; RDNA4 ISA.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from anyhip.backends.virtual.semantics import mixed, op
from anyhip.backends.virtual.semantics.modifiers import apply_source_modifiers
from anyhip.backends.virtual.semantics.scalar import resize
from anyhip.backends.virtual.value import Builder, Value

__all__ = ["from_float8", "magnitude_code", "to_float8"]

_FNUZ = {"fp8": (8, 3), "bf8": (16, 2)}  # exponent bias, mantissa bits


class Modified(Protocol):
    """An instruction, of which only its modifier fields matter."""

    @property
    def fields(self) -> dict[str, int]:
        """Modifiers by name."""
        ...


def from_float8(x: Value, kind: str, ocp: bool = False) -> Value:
    """The low byte of an i32 as f32."""
    bias, mantissa_bits = _FNUZ[kind]
    bias -= ocp
    normal = (((x & 0x7F) << (23 - mantissa_bits)) + ((127 - bias) << 23)).bitcast("float")
    fraction = (x & ((1 << mantissa_bits) - 1)).to("float")  # a product with a denormal float would be slow
    small = (x & 0x7F).ult(1 << mantissa_bits)
    magnitude = small.select(fraction * 2.0 ** (1 - bias - mantissa_bits), normal)
    signed = (magnitude.int_bits() | ((x & 0x80) << 24)).bitcast("float")
    if not ocp:
        return (x & 0xFF).eq(0x80).select(float("nan"), signed)
    if kind == "fp8":
        return (x & 0x7F).eq(0x7F).select(float("nan"), signed)
    infinite = (((x & 0x80) << 24) | 0x7F800000).bitcast("float")
    special = (x & 0x7F).eq(0x7C).select(infinite, float("nan"))
    return (x & 0x7F).cmp("uge", 0x7C).select(special, signed)


def magnitude_code(x: Value, bias: int, mantissa_bits: int, noise: Value | None) -> Value:
    """The magnitude of an f32 in a format's bits, unbounded: to nearest even, or with noise (an i32) cut off.

    Args:
        bias, mantissa_bits: of the format.
    """
    magnitude = x.abs()
    bits = magnitude.int_bits()
    cut = 23 - mantissa_bits
    least = 2.0 ** (bias - 1 + mantissa_bits)  # what scales the smallest denormal to 1
    if noise is None:
        rounded = (bits + ((1 << (cut - 1)) - 1) + ((bits >> cut) & 1)) >> cut
        denormal = (magnitude * least).unary("rint").to("i32")
    else:
        fraction = noise >> (32 - cut)
        rounded = (bits + fraction) >> cut
        denormal = (magnitude.to("double") * least + fraction.to("double") * 2.0**-cut).to("i32")
    normal = rounded - ((127 - bias) << mantissa_bits)
    return magnitude.cmp("olt", 2.0 ** (1 - bias)).select(denormal, normal)


def to_float8(x: Value, kind: str, ocp: bool = False, noise: Value | None = None) -> Value:
    """f32 to the low byte of an i32.

    Args:
        noise: an i32 whose upper bits are added to the bits that are cut off; None rounds to nearest even.
    """
    bias, mantissa_bits = _FNUZ[kind]
    code = magnitude_code(x, bias - ocp, mantissa_bits, noise)
    sign = (x.int_bits() >> 24) & 0x80
    if not ocp:
        signed = code.eq(0).select(0, code | sign)
        return (x.isnan() | code.cmp("ugt", 0x7F)).select(0x80, signed)
    if kind == "fp8":
        beyond = x.isnan() | code.cmp("uge", 0x7F)
        return beyond.select(0x7F, code) | sign
    return x.isnan().select(0x7F, code.umin(0x7C)) | sign


def _source(b: Builder, fields: dict[str, int], source: Value, position: int) -> Value:
    negate, absolute = (bool((fields.get(name, 0) >> position) & 1) for name in ("neg", "abs"))
    return apply_source_modifiers(b, source.bitcast("float"), negate, absolute)


def _register(kind: str, ocp: bool) -> None:
    ending = "_ocp" if ocp else ""

    @op(f"v_cvt_f32_{kind}{ending}")
    def widen(b: Builder, x: Value) -> Value:
        return from_float8(resize(x, "i32"), kind, ocp)

    @op(f"v_cvt_pk_f32_{kind}{ending}")
    def widen_two(b: Builder, x: Value) -> tuple[Value, Value]:
        word = resize(x, "i32")
        return from_float8(word, kind, ocp), from_float8(word >> 8, kind, ocp)

    @mixed(f"v_cvt_pk_{kind}_f32{ending}")
    def narrow_two(b: Builder, instruction: Modified, sources: Sequence[Value]) -> Value:
        """Two bytes in the half that op_sel[3] names; the third source is the destination's old content."""
        fields = instruction.fields
        low, high = (to_float8(_source(b, fields, x, i), kind, ocp) for i, x in enumerate(sources[:2]))
        word = low | (high << 8)
        if (fields.get("op_sel", 0) >> 3) & 1:
            return (sources[2] & 0xFFFF) | (word << 16)
        return (sources[2] & 0xFFFF0000) | word

    @mixed(f"v_cvt_sr_{kind}_f32{ending}")
    def narrow_stochastically(b: Builder, instruction: Modified, sources: Sequence[Value]) -> Value:
        """One byte, where byte_sel or op_sel[3:2] says.

        The manual's pseudo-code leaves open how it rounds after adding the noise; here it cuts off, as
        stochastic rounding does.
        """
        fields = instruction.fields
        byte = to_float8(_source(b, fields, sources[0], 0), kind, ocp, sources[1].int_bits())
        shift = 8 * fields.get("byte_sel", (fields.get("op_sel", 0) >> 2) & 3)
        return (sources[2] & ~(0xFF << shift)) | (byte << shift)


for _kind in _FNUZ:
    for _ocp in (False, True):
        _register(_kind, _ocp)
