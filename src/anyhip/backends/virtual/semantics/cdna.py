"""What gfx90a and gfx950 have beside gfx942's instructions.

Facts: CDNA2 ISA guide, V_MAD_F32 ("denormals are flushed"; the product is rounded before the sum); CDNA4 ISA
guide, V_BITOP3_B32, V_PRNG_B32, V_CVT_PK_F16_F32.
"""

from __future__ import annotations

from anyhip.backends.virtual.semantics import mixed, op
from anyhip.backends.virtual.semantics.convert import pack_halves
from anyhip.backends.virtual.semantics.scalar import resize
from anyhip.backends.virtual.value import Builder, Value
from anyhip.isa.decode import Instruction

_SMALLEST = 2.0**-126


# -- unfused multiply-add
def _flushed(x: Value) -> Value:
    """Zero with its sign for a denormal."""
    zero = (x.int_bits() & 0x80000000).bitcast("float")
    return x.abs().cmp("olt", _SMALLEST).select(zero, x)


@op("v_mac_f32", "v_mad_f32", "v_madmk_f32", "v_madak_f32")
def multiply_add(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """Two roundings; denormals count as zeros and are not made."""
    return _flushed(_flushed(_flushed(x) * _flushed(y)) + _flushed(z))


@op("v_mad_legacy_f32")
def multiply_add_legacy(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """As ``v_mad_f32``, but 0 times anything is 0."""
    x, y = _flushed(x), _flushed(y)
    product = (x.eq(0.0) | y.eq(0.0)).select(0.0, _flushed(x * y))
    return _flushed(product + _flushed(z))


# -- bits
def _truth_table(b: Builder, table: int, x: Value, y: Value, z: Value) -> Value:
    """Bit ``4 x + 2 y + z`` of the table, for each bit of the sources."""
    out = b.const(x.type, 0)
    for row in range(8):
        if table >> row & 1:
            terms = [v if row >> bit & 1 else ~v for v, bit in ((x, 2), (y, 1), (z, 0))]
            out = out | (terms[0] & terms[1] & terms[2])
    return out


@mixed("v_bitop3_b32")
def bitwise(b: Builder, instruction: Instruction, sources: list[Value]) -> Value:
    """Any function of three bits."""
    return _truth_table(b, instruction.fields["bitop3"], *sources)


@mixed("v_bitop3_b16")
def bitwise_half(b: Builder, instruction: Instruction, sources: list[Value]) -> Value:
    """The same on the halves that op_sel names."""
    halves = [
        (resize(source, "i32") >> (16 * (instruction.fields["op_sel"] >> i & 1))).trunc("i16")
        for i, source in enumerate(sources)
    ]
    return _truth_table(b, instruction.fields["bitop3"], *halves)


@op("v_prng_b32")
def pseudorandom(b: Builder, x: Value) -> Value:
    """The next state of a linear feedback shift register."""
    return (x << 1) ^ x.cmp("slt", 0).select(197, b.const("i32", 0))


# -- conversions
@op("v_cvt_f32_bf16")
def from_bfloat(b: Builder, x: Value) -> Value:
    """bf16 to f32, exactly."""
    return x.to("float")


@op("v_cvt_pk_f16_f32")
def pack_half(b: Builder, x: Value, y: Value) -> Value:
    """Two f32 to halves, to nearest even."""
    return pack_halves(x.to("half").int_bits(), y.to("half").int_bits())


@op("v_cvt_pk_bf16_f32")
def pack_bfloat(b: Builder, x: Value, y: Value) -> Value:
    """Two f32 to bf16, to nearest even."""
    return pack_halves(x.to("bfloat").int_bits(), y.to("bfloat").int_bits())
