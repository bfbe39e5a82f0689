"""What an encoding adds to an instruction: absolute value and negation of sources, omod and clamp of
results.

Facts: CDNA3 ISA, chapters 6.2 ("Input modifiers", "Output modifiers") and 6.3; RDNA4 ISA,
7.2.3 (omod); which instructions keep the
upper half of a register that they write 16 bits of: the CDNA3 pseudo-code and LLVM's
``zeroesHigh16BitsOfDest``.
"""

from __future__ import annotations

__all__ = ["PRESERVES_HIGH_HALF", "apply_output_modifiers", "apply_source_modifiers"]

from anyhip.backends.virtual.semantics.arithmetic import flush
from anyhip.backends.virtual.value import FLOATS, Builder, Value

# A 16-bit result clears bits 31:16 of its register on GFX9, but for these, which keep them. (VOP3's op_sel[3]
# makes any of them write the upper half and keep the lower.)
PRESERVES_HIGH_HALF = frozenset(
    ["v_mad_f16", "v_mad_u16", "v_mad_i16", "v_fma_f16", "v_div_fixup_f16", "v_add_i16", "v_sub_i16"]
    + [f"v_{name}3_{type}" for name in ("min", "max", "med") for type in ("f16", "i16", "u16")]
)

_OMOD = {1: 2.0, 2: 4.0, 3: 0.5}


def apply_source_modifiers(b: Builder, value: Value, neg: bool, abs: bool) -> Value:
    """|value| and then -value, on the sign bit; also for untyped sources (v_cndmask_b32), which are bits."""
    sign = 1 << (value.bits - 1)
    if value.type in FLOATS:
        value = value.abs() if abs else value
        return -value if neg else value
    value = value & ~sign if abs else value
    return value ^ sign if neg else value


def apply_output_modifiers(b: Builder, value: Value, clamp: bool, omod: int) -> Value:
    """Multiply by 2, 4 or 1/2 (omod 1, 2, 3), then clamp to [0, 1]; NaN gives 0 if MODE.DX10_CLAMP is set.

    Hardware cannot scale IEEE results: omod has no effect where MODE.IEEE is set (HIP's default) or denormal
    results are allowed; where it has, it flushes them, and makes +0 of -0. Integers come back as they are:
    what saturates them is ``integer.CLAMPED``.
    """
    if value.type not in FLOATS:
        return value
    if omod and b.mode.scales_outputs(value.type):
        value = flush(value * _OMOD[omod]) + 0.0
    if clamp:
        clamped = value.cmp("ogt", 0.0).select(value.cmp("olt", 1.0).select(value, 1.0), 0.0)
        value = clamped if b.mode.clamps_nan else value.isnan().select(value, clamped)
    return value
