"""Packed arithmetic, dot products, byte instructions, mixed precision, modifiers and lane tables."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from anyhip.backends.virtual.mode import Mode
from anyhip.backends.virtual.numpy_builder import NumpyBuilder
from anyhip.backends.virtual.semantics import MIXED, SEMANTICS
from anyhip.backends.virtual.semantics.lanes import dpp_source, swizzle_source
from anyhip.backends.virtual.semantics.modifiers import apply_output_modifiers, apply_source_modifiers
from anyhip.errors import UnsupportedInstruction
from backends.virtual.evaluate import BUILDER, call, raw, signed, value

M32 = 0xFFFFFFFF

X16, Y16 = [1, 0x7FFF, 0x8000, 0xFFFF], [2, 1, 0xFFFF, 0xFFFF]
INTEGER_ELEMENTS = {
    "v_pk_add_u16": lambda x, y: x + y,
    "v_pk_add_i16": lambda x, y: x + y,
    "v_pk_sub_u16": lambda x, y: x - y,
    "v_pk_sub_i16": lambda x, y: x - y,
    "v_pk_mul_lo_u16": lambda x, y: x * y,
    "v_pk_lshlrev_b16": lambda x, y: y << (x & 15),
    "v_pk_lshrrev_b16": lambda x, y: y >> (x & 15),
    "v_pk_ashrrev_i16": lambda x, y: signed(y, 16) >> (x & 15),
    "v_pk_min_u16": min,
    "v_pk_max_u16": max,
    "v_pk_min_i16": lambda x, y: min(x, y, key=lambda v: signed(v, 16)),
    "v_pk_max_i16": lambda x, y: max(x, y, key=lambda v: signed(v, 16)),
}


@pytest.mark.parametrize("name", INTEGER_ELEMENTS)
def test_packed_integers(name):
    expected = [INTEGER_ELEMENTS[name](x, y) & 0xFFFF for x, y in zip(X16, Y16, strict=True)]
    assert call(name, value("i16", X16), value("i16", Y16)) == expected


@pytest.mark.parametrize("name", ["v_pk_mad_u16", "v_pk_mad_i16"])
def test_packed_mad(name):
    sources = [value("i16", v) for v in (X16, Y16, [5, 5, 5, 5])]
    assert call(name, *sources) == [(x * y + 5) & 0xFFFF for x, y in zip(X16, Y16, strict=True)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("v_pk_add_f16", 3.5), ("v_pk_mul_f16", 3.0), ("v_pk_min_f16", 1.5), ("v_pk_max_f16", 2.0),
        ("v_pk_add_f32", 3.5), ("v_pk_mul_f32", 3.0),
    ],
)  # fmt: skip
def test_packed_floats(name, expected):
    kind = "half" if name.endswith("16") else "float"
    assert call(name, value(kind, [1.5]), value(kind, [2.0])) == [expected]


@pytest.mark.parametrize("name", ["v_pk_fma_f16", "v_pk_fmac_f16", "v_pk_fma_f32"])
def test_packed_fma(name):
    kind = "half" if name.endswith("16") else "float"
    assert call(name, *(value(kind, [v]) for v in (1.5, 2.0, 4.0))) == [7.0]


# -- dot products
def parts(x: int, bits: int, kind: str) -> list[int]:
    fields = [x >> at & ((1 << bits) - 1) for at in range(0, 32, bits)]
    return [signed(f, bits) for f in fields] if kind == "i" else fields


DOTS = {
    "v_dot2_i32_i16": (16, "i"), "v_dot2c_i32_i16": (16, "i"), "v_dot2_u32_u16": (16, "u"),
    "v_dot4_i32_i8": (8, "i"),
    "v_dot4c_i32_i8": (8, "i"), "v_dot4_u32_u8": (8, "u"), "v_dot8_i32_i4": (4, "i"),
    "v_dot8c_i32_i4": (4, "i"),
    "v_dot8_u32_u4": (4, "u"),
}  # fmt: skip
DOT_SOURCES = [
    (0x80FF7F01, 0xFF80017F, 100),
    (0x12345678, 0x9ABCDEF0, M32),
    (0x80008000, 0x80008000, 0x7FFFFFFF),
]


@pytest.mark.parametrize("name", DOTS)
def test_dot_products(name):
    bits, kind = DOTS[name]
    x, y, z = ([s[i] for s in DOT_SOURCES] for i in range(3))
    start = [signed(t, 32) if kind == "i" else t for t in z]
    totals = [
        t + sum(p * q for p, q in zip(parts(a, bits, kind), parts(b, bits, kind), strict=True))
        for a, b, t in zip(x, y, start, strict=True)
    ]
    assert call(name, x, y, z) == [t & M32 for t in totals]
    low, high = (-(1 << 31), (1 << 31) - 1) if kind == "i" else (0, M32)
    assert call(name, x, y, z, clamp=True) == [max(low, min(high, t)) & M32 for t in totals]


@pytest.mark.parametrize("name", ["v_dot2_f32_f16", "v_dot2c_f32_f16"])
def test_dot_product_of_halves(name):
    def pair(low: float, high: float) -> int:
        return int(np.float16(low).view(np.uint16)) | int(np.float16(high).view(np.uint16)) << 16

    assert call(name, [pair(1.5, -2.0)], [pair(4.0, 0.25)], [10.0]) == [15.5]


# -- bytes
def test_permute_bytes():
    high, low = 0x87654321, 0x12FD5680
    selectors = {
        0: 0x80,
        3: 0x12,
        4: 0x21,
        7: 0x87,
        8: 0x00,
        9: 0x00,
        10: 0x00,
        11: 0xFF,
        12: 0x00,
        13: 0xFF,
        255: 0xFF,
    }
    for selector, byte in selectors.items():
        assert call("v_perm_b32", [high], [low], [selector * 0x01010101]) == [byte * 0x01010101], selector
    assert call("v_perm_b32", [high], [low], [0x07040300]) == [0x87211280]
    assert call("v_perm_b32", [0], [0x00008000], [0x08080808]) == [M32]  # the sign of byte 1


def sad(x: int, y: int, masked: bool = False) -> int:
    pairs = [(x >> s & 255, y >> s & 255) for s in (0, 8, 16, 24)]
    return sum(abs(p - q) for p, q in pairs if q or not masked)


def test_sums_of_absolute_differences():
    x, y = 0x01FF8040, 0x00FE90FF
    assert call("v_sad_u8", [x], [y], [7]) == [sad(x, y) + 7]
    assert call("v_msad_u8", [x], [y], [7]) == [sad(x, y, True) + 7]
    assert call("v_sad_hi_u8", [x], [y], [7]) == [(sad(x, y) << 16) + 7]


def test_quad_sums():
    x, y = 0x0123456789ABCDEF, 0xFF008040
    windows = [x >> 8 * i & M32 for i in range(4)]
    totals = 0x0001_0002_FFFF_0004
    for name, masked in (("v_qsad_pk_u16_u8", False), ("v_mqsad_pk_u16_u8", True)):
        expected = sum(
            ((sad(w, y, masked) + (totals >> 16 * i & 0xFFFF)) & 0xFFFF) << 16 * i
            for i, w in enumerate(windows)
        )
        assert call(name, [x], [y], [totals]) == [expected]
    result = SEMANTICS["v_mqsad_u32_u8"](
        BUILDER, value("i64", [x]), value("i32", [y]), tuple(value("i32", [t]) for t in (1, 2, 3, M32))
    )
    assert [r.data.tolist()[0] for r in result] == [
        (sad(w, y, True) + t) & M32 for w, t in zip(windows, (1, 2, 3, M32), strict=True)
    ]


def test_average_of_bytes():
    assert call("v_lerp_u8", [0xFF03FF00], [0xFF02FE01], [0x01000101]) == [0xFF02FF01]


# -- 2/pi
TWO_OVER_PI_HEAD = 0xA2F9836E4E441529FC2757D1F534DDC0DB6295993C439041  # published first 192 binary places


def test_two_over_pi():
    top = TWO_OVER_PI_HEAD >> 192 - 53
    assert call("v_trig_preop_f64", [1.0], [0]) == [math.ldexp(top, -53)]
    second = TWO_OVER_PI_HEAD >> 192 - 106 & (1 << 53) - 1
    assert call("v_trig_preop_f64", [1.0], [1]) == [math.ldexp(second, -106)]
    large = math.ldexp(1.0, 1100 - 1023)  # exponent field 1100: 23 places further
    shifted = TWO_OVER_PI_HEAD >> 192 - 53 - 23 & (1 << 53) - 1
    assert call("v_trig_preop_f64", [large], [0]) == [math.ldexp(shifted, -76)]
    assert call("v_trig_preop_f64", [1.0], [31]) == [0.0]  # beyond place 1201


def arctangent_of_inverse(n: int, places: int) -> int:
    term = total = (1 << places) // n
    for k in range(3, 3000, 2):
        term //= -n * n
        total += term // k
    return total


def two_over_pi(places: int) -> int:
    """By Gauss' formula."""
    guard = places + 100
    quarter = 12 * arctangent_of_inverse(18, guard) + 8 * arctangent_of_inverse(57, guard)
    quarter -= 5 * arctangent_of_inverse(239, guard)
    return (1 << guard + places - 1) // quarter


@pytest.mark.parametrize("exponent", [1078, 1141, 1300, 1500, 1967, 1968, 2000, 2046])
@pytest.mark.parametrize("segment", [0, 1, 2, 5])
def test_two_over_pi_for_large_arguments(exponent, segment):
    shift = 53 * segment + exponent - 1077
    places = two_over_pi(1201) << shift >> 1201 - 53 & (1 << 53) - 1
    expected = math.ldexp(places, -53 - shift + (128 if exponent >= 1968 else 0))
    assert call("v_trig_preop_f64", [math.ldexp(1.5, exponent - 1023)], [segment]) == [expected]


# -- modifiers
def mixed(name: str, fields: dict[str, int], *sources: int) -> list[int]:
    instruction = SimpleNamespace(fields=fields)
    result = MIXED[name](BUILDER, instruction, [value("i32", [s]) for s in sources])
    return result.int_bits().data.tolist()


def single(x: float) -> int:
    return int(np.float32(x).view(np.uint32))


def halves(low: float, high: float) -> int:
    return int(np.float16(low).view(np.uint16)) | int(np.float16(high).view(np.uint16)) << 16


def test_fma_mix():
    assert mixed("v_fma_mix_f32", {}, single(2), single(3), single(4)) == [single(10)]
    fields = {"op_sel_hi": 0b011, "op_sel": 0b010}  # two halves, the second from the upper half
    assert mixed("v_fma_mix_f32", fields, halves(2, 9), halves(9, 3), single(4)) == [single(10)]
    assert mixed("v_fma_mix_f32", fields | {"neg": 1}, halves(2, 9), halves(9, 3), single(4)) == [single(-2)]
    assert mixed("v_fma_mix_f32", {"neg": 1, "neg_hi": 1}, single(-2), single(3), single(4)) == [single(-2)]
    assert mixed("v_fma_mix_f32", {"clamp": 1}, single(2), single(3), single(4)) == [single(1)]


def test_fma_mix_keeps_the_other_half():
    old = halves(7, 8)
    assert mixed("v_fma_mixlo_f16", {}, single(2), single(3), single(4), old) == [halves(10, 8)]
    assert mixed("v_fma_mixhi_f16", {}, single(2), single(3), single(4), old) == [halves(7, 10)]


def test_pk_mov():
    pairs = tuple(value("i32", [n]) for n in (1, 2)), tuple(value("i32", [n]) for n in (3, 4))
    for op_sel, expected in ((0, [1, 3]), (1, [2, 3]), (2, [1, 4]), (3, [2, 4])):
        result = MIXED["v_pk_mov_b32"](BUILDER, SimpleNamespace(fields={"op_sel": op_sel}), pairs)
        assert [part.data.tolist()[0] for part in result] == expected
    scalar = value("i64", 5 | 6 << 32)
    result = MIXED["v_pk_mov_b32"](BUILDER, SimpleNamespace(fields={"op_sel": 3}), (scalar, value("i32", 9)))
    assert [int(part.data) for part in result] == [6, 9]


def test_source_modifiers():
    x = value("float", [-2.0])
    assert apply_source_modifiers(BUILDER, x, False, True).data.tolist() == [2.0]
    assert apply_source_modifiers(BUILDER, x, True, True).data.tolist() == [-2.0]
    assert apply_source_modifiers(BUILDER, x, True, False).data.tolist() == [2.0]
    bits = raw("i32", [0x80000001])
    assert apply_source_modifiers(BUILDER, bits, True, False).data.tolist() == [1]
    assert apply_source_modifiers(BUILDER, bits, True, True).data.tolist() == [0x80000001]


def under(mode: Mode, x, clamp: bool, omod: int) -> list[float]:
    builder = NumpyBuilder()
    builder.mode = mode
    return apply_output_modifiers(builder, builder.value(x.type, x.data), clamp, omod).data.tolist()


def test_output_modifiers_scale_results_that_are_not_ieee():
    x = value("float", [-1.0, 0.25, 3.0, math.nan])
    flushing = Mode(bits=0x100)  # denormals flushed, DX10_CLAMP, not IEEE
    assert under(Mode(), x, True, 0) == [0.0, 0.25, 1.0, 0.0]
    for omod, factor in ((1, 2.0), (2, 4.0), (3, 0.5)):
        assert under(flushing, x, False, omod)[:3] == [-factor, 0.25 * factor, 3 * factor]
        assert under(Mode.default("gfx1201"), x, False, omod)[:3] == [-factor, 0.25 * factor, 3 * factor]
        assert under(Mode(), x, False, omod)[:3] == [-1.0, 0.25, 3.0]
        assert under(Mode(bits=0x130), x, False, omod)[:3] == [-1.0, 0.25, 3.0]  # denormals kept
        assert under(Mode(bits=0x300), x, False, omod)[:3] == [-1.0, 0.25, 3.0]  # IEEE
    assert under(flushing, x, True, 2) == [0.0, 1.0, 1.0, 0.0]


def test_scaled_results_lose_denormals_and_the_sign_of_zero():
    x = value("float", [-0.0, 2.0**-126, -(2.0**-127)])
    assert [math.copysign(1, y) for y in under(Mode(bits=0), x, False, 1)] == [1.0, 1.0, -1.0]
    assert under(Mode(bits=0), x, False, 3)[1] == 0.0


def test_clamping_nan_follows_dx10_clamp():
    x = value("float", [math.nan, 2.0, -0.0])
    kept = under(Mode(bits=0x2F0), x, True, 0)
    assert math.isnan(kept[0])
    assert kept[1:] == [1.0, 0.0]
    assert under(Mode(bits=0xF0, generation="gfx1201"), x, True, 0) == [0.0, 1.0, 0.0]


# -- lane tables
def test_dpp_controls():
    assert dpp_source(0x1B)[:8] == [3, 2, 1, 0, 7, 6, 5, 4]  # quad_perm:[3,2,1,0]
    assert dpp_source(0x101)[14:18] == [15, None, 17, 18]  # row_shl:1
    assert dpp_source(0x112)[:4] == [None, None, 0, 1]  # row_shr:2
    assert dpp_source(0x121)[:3] == [15, 0, 1]  # row_ror:1
    assert dpp_source(0x130)[62:] == [63, None]
    assert dpp_source(0x134)[62:] == [63, 0]
    assert dpp_source(0x138)[:2] == [None, 0]
    assert dpp_source(0x13C)[:2] == [63, 0]
    assert dpp_source(0x140)[16:20] == [31, 30, 29, 28]
    assert dpp_source(0x141)[8:12] == [15, 14, 13, 12]
    assert dpp_source(0x142)[15:18] == [None, 15, 15]
    assert dpp_source(0x143)[31:33] == [None, 31]
    assert dpp_source(0x153)[17] == 19  # row_newbcast:3
    with pytest.raises(UnsupportedInstruction, match="0x100"):
        dpp_source(0x100)


def test_swizzles():
    assert swizzle_source(0x801B)[:4] == [3, 2, 1, 0]  # quad mode
    assert swizzle_source(0x041F)[:4] == [1, 0, 3, 2]  # xor 1
    assert swizzle_source(0x001F) == list(range(64))
    assert swizzle_source(0x00A3)[5] == 5 & 3 | 5
    assert swizzle_source(0xC020)[30:34] == [31, 0, 33, 34]  # rotate left by one within 32
    assert swizzle_source(0xC420)[:2] == [31, 0]
    # the two tables of the manual's FFT modes, which count from 1
    listed = "1 11 9 19 5 15 d 1d 3 13 b 1b 7 17 f 1f 2 12 a 1a 6 16 e 1e 4 14 c 1c 8 18 10 20"
    assert swizzle_source(0xE000)[:32] == [int(n, 16) - 1 for n in listed.split()]
    listed = "1 9 5 d 3 b 7 f 2 a 6 e 4 c 8 10 11 19 15 1d 13 1b 17 1f 12 1a 16 1e 14 1c 18 20"
    assert swizzle_source(0xE010)[:32] == [int(n, 16) - 1 for n in listed.split()]
    assert swizzle_source(0xE01F) == list(range(64))
