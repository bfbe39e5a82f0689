"""Packed arithmetic (VOP3P): one element's meaning.

The executor calls a PACKED function for the low and for the high element, after op_sel, op_sel_hi, neg and
neg_hi chose and negated its sources. Facts: CDNA3 ISA, chapter 12.13.
"""

from __future__ import annotations

from anyhip.backends.virtual.semantics import CLAMPED, SEMANTICS, clamped, integer, ordering, packed, real
from anyhip.backends.virtual.value import Value

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


def halves(x: Value) -> tuple[Value, Value]:
    """An i32 as two half values, low first."""
    return x.trunc("i16").bitcast("half"), (x >> 16).trunc("i16").bitcast("half")
