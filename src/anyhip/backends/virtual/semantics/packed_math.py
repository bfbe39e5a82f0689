"""Packed arithmetic (VOP3P): one element's meaning, and dot products of packed registers.

The executor calls a PACKED function for the low and for the high element, after op_sel, op_sel_hi, neg and
neg_hi chose and negated its sources. Dot products take whole registers as i32. Facts: CDNA3 ISA, chapter
12.13.
"""

from __future__ import annotations

from anyhip.backends.virtual.semantics import CLAMPED, SEMANTICS, clamped, integer, op, ordering, packed, real
from anyhip.backends.virtual.value import Builder, Value

# packed name -> the instruction that does the same to one element
_SAME_AS = {
    "v_pk_add_i16": "v_add_i16",
    "v_pk_sub_i16": "v_sub_i16",
    "v_pk_add_u16": "v_add_u16",
    "v_pk_sub_u16": "v_sub_u16",
    "v_pk_mul_lo_u16": "v_mul_lo_u16",
    "v_pk_mad_i16": "v_mad_i16",
    "v_pk_mad_u16": "v_mad_u16",
    "v_pk_lshlrev_b16": "v_lshlrev_b16",
    "v_pk_lshrrev_b16": "v_lshrrev_b16",
    "v_pk_ashrrev_i16": "v_ashrrev_i16",
    "v_pk_max_i16": "v_max_i16",
    "v_pk_min_i16": "v_min_i16",
    "v_pk_max_u16": "v_max_u16",
    "v_pk_min_u16": "v_min_u16",
    "v_pk_fma_f16": "v_fma_f16",
    "v_pk_fmac_f16": "v_fma_f16",
    "v_pk_add_f16": "v_add_f16",
    "v_pk_mul_f16": "v_mul_f16",
    "v_pk_min_f16": "v_min_f16",
    "v_pk_max_f16": "v_max_f16",
    "v_pk_fma_f32": "v_fma_f32",
    "v_pk_mul_f32": "v_mul_f32",
    "v_pk_add_f32": "v_add_f32",
}
_FAMILIES = (integer, ordering, real)  # whose instructions must be registered first

for _packed, _single in _SAME_AS.items():
    packed(_packed)(SEMANTICS[_single])
    if _single in CLAMPED:
        clamped(_packed)(CLAMPED[_single])


# -- dot products
def _elements(x: Value, bits: int, signed: bool) -> list[Value]:
    """The elements of a register, lowest first, widened to i32."""
    out = []
    for low in range(0, 32, bits):
        raised = x << (32 - bits - low) if low + bits < 32 else x
        out.append(raised.ashr(32 - bits) if signed else raised >> (32 - bits))
    return out


def _dot(x: Value, y: Value, total: Value, bits: int, signed: bool) -> Value:
    for p, q in zip(_elements(x, bits, signed), _elements(y, bits, signed), strict=True):
        total = total + p * q
    return total


def _dot_saturating(x: Value, y: Value, total: Value, bits: int, signed: bool) -> Value:
    def widen(v: Value) -> Value:
        return v.sext("i64") if signed else v.zext("i64")

    wide = widen(total)
    for p, q in zip(_elements(x, bits, signed), _elements(y, bits, signed), strict=True):
        wide = wide + widen(p) * widen(q)
    if signed:
        return wide.smax(-(1 << 31)).smin((1 << 31) - 1).trunc("i32")
    return wide.umin((1 << 32) - 1).trunc("i32")


def _register_dot(names: tuple[str, ...], bits: int, signed: bool) -> None:
    @op(*names)
    def dot(b: Builder, x: Value, y: Value, total: Value) -> Value:
        return _dot(x, y, total, bits, signed)

    @clamped(*names)
    def dot_saturating(b: Builder, x: Value, y: Value, total: Value) -> Value:
        return _dot_saturating(x, y, total, bits, signed)


_register_dot(("v_dot2_i32_i16", "v_dot2c_i32_i16"), 16, True)
_register_dot(("v_dot2_u32_u16",), 16, False)
_register_dot(("v_dot4_i32_i8", "v_dot4c_i32_i8"), 8, True)
_register_dot(("v_dot4_u32_u8",), 8, False)
_register_dot(("v_dot8_i32_i4", "v_dot8c_i32_i4"), 4, True)
_register_dot(("v_dot8_u32_u4",), 4, False)


def halves(x: Value) -> tuple[Value, Value]:
    """An i32 as two half values, low first."""
    return x.trunc("i16").bitcast("half"), (x >> 16).trunc("i16").bitcast("half")


@op("v_dot2_f32_f16", "v_dot2c_f32_f16")
def dot2_f16(b: Builder, x: Value, y: Value, total: Value) -> Value:
    """Products exact in f32; the low one is added first, each addition rounded."""
    for p, q in zip(halves(x), halves(y), strict=True):
        total = p.to("float").fma(q.to("float"), total)
    return total
