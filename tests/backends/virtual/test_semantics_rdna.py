"""What RDNA's own ALU instructions compute, against values of the manuals' pseudo-code."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from anyhip.backends.virtual import semantics
from anyhip.isa import opcodes
from backends.virtual.evaluate import BUILDER, call, raw, value

M16, M32 = 0xFFFF, 0xFFFFFFFF
NAN, INF = math.nan, math.inf
LARGEST = float(np.finfo(np.float32).max)


def bits(x: float) -> int:
    return struct.unpack("<I", struct.pack("<f", x))[0]


def same(made: float, wanted: float) -> bool:
    if math.isnan(wanted):
        return math.isnan(made)
    return made == wanted and math.copysign(1, made) == math.copysign(1, wanted)


# -- 16 bits
def test_logic_of_halves():
    assert call("v_and_b16", [0xF0F0], [0x3C3C]) == [0x3030]
    assert call("v_or_b16", [0xF0F0], [0x3C3C]) == [0xFCFC]
    assert call("v_xor_b16", [0xF0F0], [0x3C3C]) == [0xCCCC]
    assert call("v_not_b16", [0xF0F0]) == [0x0F0F]
    assert call("v_xor3_b32", [0xFF00FF00], [0x0FF00FF0], [0x12345678]) == [0xF0F0F0F0 ^ 0x12345678]
    assert call("v_cndmask_b16", [1, 1], [2, 2], [0, 1]) == [1, 2]
    assert call("v_swap_b16", [1], [2]) == ([1], [2])  # source 0 to vdst, the old vdst to source 0


def test_widening():
    assert call("v_cvt_i32_i16", [0x8000, 0x7FFF]) == [0xFFFF8000, 0x7FFF]
    assert call("v_cvt_u32_u16", [0x8000, 0x7FFF]) == [0x8000, 0x7FFF]


@pytest.mark.parametrize(("x", "signed", "unsigned"), [
    (1.9, 1, 1), (-1.9, -1 & M16, 0), (40000.0, 0x7FFF, 40000),
    (-4e9, 0x8000, 0), (1e9, 0x7FFF, M16), (NAN, 0, 0),
])  # fmt: skip
def test_packed_integers_saturate(x, signed, unsigned):
    assert call("v_cvt_pk_i16_f32", [x], [2.0]) == [2 << 16 | signed]
    assert call("v_cvt_pk_u16_f32", [3.0], [x]) == [unsigned << 16 | 3]


# -- multiplication
def test_dx9_multiplication():
    assert call("v_fma_legacy_f32", [0.0, INF, 2.0], [INF, -0.0, 3.0], [5.0, 6.0, 1.0]) == [5.0, 6.0, 7.0]
    assert call("v_fmamk_f16", [2.0], [3.0], [1.0]) == [7.0]
    assert call("v_fmaak_f16", [2.0], [3.0], [1.0]) == [7.0]


def test_multiplication_for_lighting():
    x = [2.0, 2.0, 2.0, 2.0, 2.0, 0.0, 2.0]
    y = [3.0, -INF, -LARGEST, NAN, 3.0, INF, 3.0]
    z = [1.0, 1.0, 1.0, 1.0, 0.0, 1.0, NAN]
    assert call("v_mullit_f32", x, y, z) == [6.0, -LARGEST, -LARGEST, -LARGEST, -LARGEST, 0.0, -LARGEST]


# -- minima and maxima
def test_minimum_and_then_maximum():
    assert call("v_maxmin_i32", [-5, 9], [3, 20], [10, 10]) == [3, 10]
    assert call("v_minmax_i32", [-5, 9], [3, 20], [-1 & M32, 10]) == [-1 & M32, 10]
    assert call("v_maxmin_u32", [M32], [3], [10]) == [10]
    assert call("v_minmax_u32", [M32], [3], [10]) == [10]
    assert call("v_maxmin_f32", [1.0, NAN], [2.0, 2.0], [1.5, NAN]) == [1.5, 2.0]
    assert call("v_minmax_f16", [1.0, NAN], [2.0, 2.0], [1.5, NAN]) == [1.5, 2.0]


@pytest.mark.parametrize(("x", "y", "least", "most"), [
    (1.0, 2.0, 1.0, 2.0), (2.0, 1.0, 1.0, 2.0), (0.0, -0.0, -0.0, 0.0), (-0.0, 0.0, -0.0, 0.0),
    (NAN, 1.0, NAN, NAN), (1.0, NAN, NAN, NAN), (INF, NAN, NAN, NAN), (-INF, INF, -INF, INF),
])  # fmt: skip
@pytest.mark.parametrize("form", ["v_{}_f16", "v_{}_f32", "v_{}_f64", "v_pk_{}_f16", "s_{}_f16", "s_{}_f32"])
def test_nan_wins_in_minimum_and_maximum(form, x, y, least, most):
    arguments = (x, y) if form[0] == "s" else ([x], [y])
    for word, wanted in (("minimum", least), ("maximum", most)):
        name = form.format(word)
        kind = {"6": "half", "2": "float", "4": "double"}[name[-1]]
        made = call(name, *(value(kind, a) for a in arguments))
        assert same(made if form[0] == "s" else made[0], wanted)


def test_three_operands_of_ieee_minima():
    assert call("v_minimum3_f32", [3.0], [1.0], [2.0]) == [1.0]
    assert call("v_maximum3_f16", [3.0], [1.0], [2.0]) == [3.0]
    assert math.isnan(call("v_minimum3_f32", [3.0], [NAN], [2.0])[0])
    assert call("v_minimummaximum_f32", [3.0], [1.0], [2.0]) == [2.0]
    assert call("v_maximumminimum_f32", [3.0], [1.0], [2.0]) == [2.0]
    assert math.isnan(call("v_maximumminimum_f16", [3.0], [1.0], [NAN])[0])


# -- dot products
def modified(name: str, *sources: int | float, **fields: int):
    kinds = ["i32", "i32", "float" if "_f32_" in name else "i32"]
    values = [value(kind, [x]) for kind, x in zip(kinds, sources, strict=True)]
    instruction = type("Instruction", (), {"fields": fields})()
    return semantics.MIXED[name](BUILDER, instruction, values).data.tolist()[0]


@pytest.mark.parametrize(("signs", "wanted"), [(0, 255 * 255 + 5), (1, -255 + 5), (2, -255 + 5), (3, 1 + 5)])
def test_signs_of_dot_products(signs, wanted):
    assert modified("v_dot4_i32_iu8", 0xFF, 0xFF, 5, neg=signs) == wanted & M32
    wanted4 = {0: 15 * 15, 1: -15, 2: -15, 3: 1}[signs] + 5
    assert modified("v_dot8_i32_iu4", 0xF0000000, 0xF0000000, 5, neg=signs) == wanted4 & M32


def test_dot_product_saturates_as_signed():
    assert modified("v_dot4_i32_iu8", 0xFF, 0xFF, 0x7FFFFFFF, clamp=1) == 0x7FFFFFFF
    assert modified("v_dot4_i32_iu8", 0xFF, 0xFF, 0x7FFFFFFF) == 0x7FFFFFFF + 255 * 255


def pair(low: float, high: float, kind: str = "half") -> int:
    if kind == "bfloat":
        return bits(low) >> 16 | bits(high) >> 16 << 16
    return int(np.float16(low).view(np.uint16)) | int(np.float16(high).view(np.uint16)) << 16


@pytest.mark.parametrize(("fields", "wanted"), [
    ({"op_sel_hi": 7}, 2 * 10 + 3 * 100 + 1),
    ({"op_sel_hi": 7, "op_sel": 1}, 3 * 10 + 3 * 100 + 1),
    ({"op_sel_hi": 5}, 2 * 10 + 3 * 10 + 1),
    ({"op_sel_hi": 7, "neg": 1}, -2 * 10 + 3 * 100 + 1),
    ({"op_sel_hi": 7, "neg_hi": 2}, 2 * 10 - 3 * 100 + 1),
    ({"op_sel_hi": 7, "neg": 4}, 2 * 10 + 3 * 100 - 1),
    ({"op_sel_hi": 7, "clamp": 1}, 1),
])  # fmt: skip
@pytest.mark.parametrize("kind", ["half", "bfloat"])
def test_halves_of_dot_products(kind, fields, wanted):
    name = "v_dot2_f32_f16" if kind == "half" else "v_dot2_f32_bf16"
    assert modified(name, pair(2, 3, kind), pair(10, 100, kind), 1.0, **fields) == wanted


def test_dot_products_into_halves():
    assert call("v_dot2_f16_f16", [pair(2, 3)], [pair(10, 100)], [0.5]) == [320.5]
    wide = call(
        "v_dot2_bf16_bf16", [pair(2, 3, "bfloat")], [pair(10, 100, "bfloat")], raw("bfloat", [0x3F80])
    )
    assert BUILDER.value("bfloat", wide).data.tolist() == [bits(320.0) >> 16]  # 321 has nine significant bits


# -- 8-bit floats
FP8 = {0x00: 0.0, 0x80: -0.0, 0x01: 2.0**-9, 0x08: 2.0**-6, 0x38: 1.0, 0x7E: 448.0, 0x7F: NAN, 0xFE: -448.0}
BF8 = {0x00: 0.0, 0x01: 2.0**-16, 0x04: 2.0**-14, 0x3C: 1.0, 0x7B: 57344.0, 0x7C: INF, 0xFC: -INF, 0x7D: NAN}


@pytest.mark.parametrize(("kind", "codes"), [("fp8", FP8), ("bf8", BF8)])
def test_ocp_codes(kind, codes):
    made = call(f"v_cvt_f32_{kind}_ocp", list(codes))
    assert all(same(a, b) for a, b in zip(made, codes.values(), strict=True))


@pytest.mark.parametrize(("kind", "codes"), [("fp8", FP8), ("bf8", BF8)])
def test_ocp_codes_come_back(kind, codes):
    function = semantics.MIXED[f"v_cvt_pk_{kind}_f32_ocp"]
    instruction = type("Instruction", (), {"fields": {}})()
    for code, number in codes.items():
        if number == number:
            sources = [value("float", [number]), value("float", [1.0]), value("i32", [0xABCD0000])]
            one = {"fp8": 0x38, "bf8": 0x3C}[kind]
            assert function(BUILDER, instruction, sources).data.tolist() == [0xABCD0000 | one << 8 | code]


@pytest.mark.parametrize(("number", "noise", "byte"), [
    (1.0, 0, 0x38), (1.0, M32, 0x38), (1.0625, 0, 0x38), (1.0625, 0x7FFFFFFF, 0x38),
    (1.0625, 0x80000000, 0x39),
    (-1.0625, M32, 0xB9), (500.0, 0, 0x7F),
])  # fmt: skip
def test_stochastic_rounding(number, noise, byte):
    instruction = type("Instruction", (), {"fields": {"byte_sel": 2}})()
    sources = [value("float", [number]), value("i32", [noise]), value("i32", [0x11223344])]
    made = semantics.MIXED["v_cvt_sr_fp8_f32_ocp"](BUILDER, instruction, sources)
    assert made.data.tolist() == [0x11003344 | byte << 16]


def test_canonical_names():
    names = {
        (row.generation, row.name): semantics.canonical(row)
        for g in ("gfx942", "gfx1201")
        for row in opcodes.load(g)
    }
    assert names["gfx942", "v_cvt_f32_fp8"] == "v_cvt_f32_fp8"
    assert names["gfx1201", "v_cvt_f32_fp8"] == "v_cvt_f32_fp8_ocp"
    assert names["gfx1201", "v_add_nc_u32"] == "v_add_u32"


# -- scalar floats
def test_scalar_floats():
    assert call("s_add_f32", 1.5, 2.25) == 3.75
    assert call("s_sub_f16", 1.5, 2.25) == -0.75
    assert call("s_fmac_f32", 2.0, 3.0, 1.0) == 7.0
    assert call("s_fmaak_f32", 2.0, 3.0, 1.0) == 7.0
    assert call("s_fmamk_f32", 2.0, 3.0, 1.0) == 7.0
    assert call("s_rndne_f32", 2.5) == 2.0
    assert call("s_cvt_u32_f32", -1.0) == 0
    assert call("s_cvt_i32_f32", NAN) == 0
    assert call("s_cvt_hi_f32_f16", 0x3C000000) == 1.0
    assert call("s_min_num_f32", NAN, 2.0) == 2.0
    assert call("s_cvt_pk_rtz_f16_f32", 1.0, 65536.0) == 0x7BFF3C00
    assert call("s_cmp_nlt_f32", NAN, 1.0) is True
    assert call("s_cmp_lt_f16", NAN, 1.0) is False


def test_scalar_integers():
    assert call("s_mul_u64", 1 << 40 | 3, 1 << 30 | 5) == (((1 << 40) | 3) * ((1 << 30) | 5)) % (1 << 64)
    assert call("s_add_nc_u64", (1 << 64) - 1, 2) == 1
    assert call("s_sub_nc_u64", 1, 2) == (1 << 64) - 1
    assert call("s_pack_hl_b32_b16", 0x11112222, 0x33334444) == 0x44441111
