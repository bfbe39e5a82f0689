"""Dot products of packed registers, which come as i32 each.

Sums of floats add one product after the other to the third source, each step rounded once in f32; the
hardware's order and intermediate precision are not documented. Facts: CDNA3 ISA, chapter 12.13; RDNA3 and
RDNA4 ISA, VOP3P.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from anyhip.backends.virtual.semantics import clamped, mixed, op
from anyhip.backends.virtual.semantics.arithmetic import flush
from anyhip.backends.virtual.semantics.float8 import from_float8
from anyhip.backends.virtual.semantics.modifiers import apply_output_modifiers
from anyhip.backends.virtual.value import Builder, Value

Function = Callable[[Builder, Value, Value, Value], Value]
_CDNA = {"gfx90a", "gfx942", "gfx950"}


class Modified(Protocol):
    """An instruction, of which only its modifier fields matter."""

    @property
    def fields(self) -> dict[str, int]:
        """Modifiers by name."""
        ...


# -- integers
def elements(x: Value, bits: int, signed: bool) -> list[Value]:
    """The elements of a register, lowest first, widened to i32."""
    out = []
    for low in range(0, 32, bits):
        raised = x << (32 - bits - low) if low + bits < 32 else x
        out.append(raised.ashr(32 - bits) if signed else raised >> (32 - bits))
    return out


def _sum(x: list[Value], y: list[Value], total: Value) -> Value:
    for p, q in zip(x, y, strict=True):
        total = total + p * q
    return total


def _saturating_sum(x: list[Value], y: list[Value], total: Value, signed: bool) -> Value:
    def widen(v: Value) -> Value:
        return v.sext("i64") if signed else v.zext("i64")

    wide = widen(total)
    for p, q in zip(x, y, strict=True):
        wide = wide + widen(p) * widen(q)
    if signed:
        return wide.smax(-(1 << 31)).smin((1 << 31) - 1).trunc("i32")
    return wide.umin((1 << 32) - 1).trunc("i32")


def _plain(bits: int, signed: bool) -> Function:
    def dot(b: Builder, x: Value, y: Value, total: Value) -> Value:
        return _sum(elements(x, bits, signed), elements(y, bits, signed), total)

    return dot


def _saturating(bits: int, signed: bool) -> Function:
    def dot(b: Builder, x: Value, y: Value, total: Value) -> Value:
        return _saturating_sum(elements(x, bits, signed), elements(y, bits, signed), total, signed)

    return dot


def _register_integers(names: tuple[str, ...], bits: int, signed: bool) -> None:
    op(*names)(_plain(bits, signed))
    clamped(*names)(_saturating(bits, signed))


_register_integers(("v_dot2c_i32_i16",), 16, True)
_register_integers(("v_dot4_i32_i8", "v_dot4c_i32_i8"), 8, True)
_register_integers(("v_dot4_u32_u8",), 8, False)
_register_integers(("v_dot8_i32_i4", "v_dot8c_i32_i4"), 4, True)
_register_integers(("v_dot8_u32_u4",), 4, False)


def _register_either_sign(name: str, bits: int) -> None:
    @mixed(name)
    def dot(b: Builder, instruction: Modified, sources: Sequence[Value]) -> Value:
        """Bit 0 and bit 1 of neg say whether source 0 and source 1 are signed; the sum is signed."""
        signs = instruction.fields.get("neg", 0)
        x, y = (elements(source, bits, bool(signs >> i & 1)) for i, source in enumerate(sources[:2]))
        if instruction.fields.get("clamp", 0):
            return _saturating_sum(x, y, sources[2], signed=True)
        return _sum(x, y, sources[2])


_register_either_sign("v_dot4_i32_iu8", 8)
_register_either_sign("v_dot8_i32_iu4", 4)


# -- floats
def _real_halves(x: Value, type: str, flushes: bool) -> list[Value]:
    parts = [(x >> low if low else x).trunc("i16").bitcast(type) for low in (0, 16)]
    if flushes and type == "half":
        parts = [flush(part) for part in parts]
    wide = [part.to("float") for part in parts]
    return [flush(part) for part in wide] if flushes and type == "bfloat" else wide


def _real(type: str) -> Function:
    def dot(b: Builder, x: Value, y: Value, total: Value) -> Value:
        """Products are exact in f32; the low one is added first, each addition rounded.

        Whatever MODE says, CDNA's instructions flush denormals, and so do RDNA's that give bf16 (CDNA3 ISA,
        6.4; RDNA3 ISA, 7.2.4).
        """
        flushes = b.mode.generation in _CDNA or total.type == "bfloat"
        wide = total.to("float")
        wide = flush(wide) if flushes else wide
        for p, q in zip(_real_halves(x, type, flushes), _real_halves(y, type, flushes), strict=True):
            wide = p.fma(q, wide)
        return (flush(wide) if flushes else wide).to(total.type)

    return dot


op("v_dot2c_f32_f16")(_real("half"))
op("v_dot2c_f32_bf16")(_real("bfloat"))
op("v_dot2_f16_f16")(_real("half"))
op("v_dot2_bf16_bf16")(_real("bfloat"))


# -- halves that op_sel and op_sel_hi choose, and neg and neg_hi negate (VOP3P)
def _chosen(x: Value, position: int, fields: dict[str, int], negates: bool) -> Value:
    """The two elements that the modifiers make of a packed source, as a register again."""
    parts = []
    for choose, negate in (("op_sel", "neg"), ("op_sel_hi", "neg_hi")):
        upper = fields.get(choose, int(choose == "op_sel_hi") * 7) >> position & 1
        half = (x >> 16 if upper else x) & 0xFFFF
        parts.append(half ^ 0x8000 if negates and fields.get(negate, 0) >> position & 1 else half)
    return parts[0] | (parts[1] << 16)


def _register_chosen(name: str, function: Function, saturating: Function | None = None) -> None:
    real = saturating is None

    @mixed(name)
    def dot(b: Builder, instruction: Modified, sources: Sequence[Value]) -> Value:
        fields = instruction.fields
        x, y = (_chosen(source, i, fields, real) for i, source in enumerate(sources[:2]))
        clamp = bool(fields.get("clamp", 0))
        if saturating is not None:
            return (saturating if clamp else function)(b, x, y, sources[2])
        total = sources[2].bitcast("float")
        if fields.get("neg", 0) >> 2 & 1:
            total = -total
        return apply_output_modifiers(b, function(b, x, y, total), clamp, 0)


_register_chosen("v_dot2_f32_f16", _real("half"))
_register_chosen("v_dot2_f32_bf16", _real("bfloat"))
_register_chosen("v_dot2_i32_i16", _plain(16, True), _saturating(16, True))
_register_chosen("v_dot2_u32_u16", _plain(16, False), _saturating(16, False))


def _register_float8(first: str, second: str) -> None:
    @op(f"v_dot4_f32_{first}_{second}")
    def dot(b: Builder, x: Value, y: Value, total: Value) -> Value:
        """Products of the OCP formats' bytes, exact in f32, added from the lowest up."""
        for low in (0, 8, 16, 24):
            p, q = from_float8(x >> low, first, ocp=True), from_float8(y >> low, second, ocp=True)
            total = p.fma(q, total)
        return total


for _first in ("fp8", "bf8"):
    for _second in ("fp8", "bf8"):
        _register_float8(_first, _second)
