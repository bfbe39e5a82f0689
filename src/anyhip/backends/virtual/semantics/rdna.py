"""Vector instructions that only RDNA has, apart from dot products: exclusive or of three, conversions, mixed
minima and maxima, IEEE 754-2019 minima and maxima, DX9 multiplication.

Facts: AMD RDNA3 and RDNA4 ISA guides, "Instructions", VOP1 to VOP3P.
"""

from __future__ import annotations

from collections.abc import Callable

from anyhip.backends.virtual.semantics import SEMANTICS, op, ordering, packed, transcendental
from anyhip.backends.virtual.semantics.convert import pack_halves
from anyhip.backends.virtual.semantics.ordering import quiet, real_max, real_min
from anyhip.backends.virtual.semantics.real import mul_legacy
from anyhip.backends.virtual.value import Builder, Value

Binary = Callable[[Builder, Value, Value], Value]
_FAMILIES = (ordering, transcendental)  # whose instructions must be registered first
_LARGEST = float.fromhex("0x1.fffffep127")  # finite f32


# -- bits and conversions
@op("v_xor3_b32")
def _xor3(b: Builder, x: Value, y: Value, z: Value) -> Value:
    return x ^ y ^ z


@op("v_cvt_i32_i16")
def _widen_signed(b: Builder, x: Value) -> Value:
    return x.sext("i32")


@op("v_cvt_u32_u16")
def _widen_unsigned(b: Builder, x: Value) -> Value:
    return x.zext("i32")


@op("v_cvt_pk_i16_f32")
def _pack_signed(b: Builder, x: Value, y: Value) -> Value:
    return pack_halves(x.to("i16", signed=True), y.to("i16", signed=True))


@op("v_cvt_pk_u16_f32")
def _pack_unsigned(b: Builder, x: Value, y: Value) -> Value:
    return pack_halves(x.to("i16"), y.to("i16"))


# -- multiplication
@op("v_fma_legacy_f32", "v_fmac_legacy_f32")
def fma_legacy(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """0 times anything is 0, so that the sum is z."""
    return (x.eq(0.0) | y.eq(0.0)).select(z, x.fma(y, z))


@op("v_mullit_f32")
def multiply_light(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """x * y by DX9's rules where y is more than the least number and z more than 0, else the least number."""
    usable = y.cmp("ogt", -_LARGEST) & z.cmp("ogt", 0.0)
    return usable.select(mul_legacy(b, x, y), -_LARGEST)


# -- a minimum and then a maximum, or the other way round
def _register_both(name: str, first: Binary, second: Binary) -> None:
    @op(name)
    def both(b: Builder, x: Value, y: Value, z: Value) -> Value:
        return second(b, first(b, x, y), z)


for _type in ("f16", "f32", "i32", "u32"):
    _least, _most = SEMANTICS[f"v_min_{_type}"], SEMANTICS[f"v_max_{_type}"]
    _register_both(f"v_minmax_{_type}", _least, _most)
    _register_both(f"v_maxmin_{_type}", _most, _least)


# -- IEEE 754-2019: a NaN operand makes the result NaN
def minimum(b: Builder, x: Value, y: Value) -> Value:
    """The smaller of two numbers, -0 being less than +0; NaN where one is NaN."""
    return x.isnan().select(quiet(x), y.isnan().select(quiet(y), real_min(b, x, y)))


def maximum(b: Builder, x: Value, y: Value) -> Value:
    """The larger of two numbers, +0 being more than -0; NaN where one is NaN."""
    return x.isnan().select(quiet(x), y.isnan().select(quiet(y), real_max(b, x, y)))


for _type in ("f16", "f32", "f64"):
    op(f"v_minimum_{_type}")(minimum)
    op(f"v_maximum_{_type}")(maximum)
for _type in ("f16", "f32"):
    _register_both(f"v_minimum3_{_type}", minimum, minimum)
    _register_both(f"v_maximum3_{_type}", maximum, maximum)
    _register_both(f"v_minimummaximum_{_type}", minimum, maximum)
    _register_both(f"v_maximumminimum_{_type}", maximum, minimum)
packed("v_pk_minimum_f16")(minimum)
packed("v_pk_maximum_f16")(maximum)
packed("v_pk_minimum3_f16")(SEMANTICS["v_minimum3_f16"])
packed("v_pk_maximum3_f16")(SEMANTICS["v_maximum3_f16"])

# -- transcendental instructions with a scalar source and a scalar destination
for _word in ("exp", "log", "rcp", "rsq", "sqrt"):
    for _type in ("f16", "f32"):
        op(f"v_s_{_word}_{_type}")(SEMANTICS[f"v_{_word}_{_type}"])
