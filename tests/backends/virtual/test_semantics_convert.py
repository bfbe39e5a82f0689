"""Conversions and packing."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from anyhip.backends.virtual.semantics import MIXED, SEMANTICS
from backends.virtual.evaluate import BUILDER, call, raw, value

INF, NAN = math.inf, math.nan
M32 = 0xFFFFFFFF


def test_float_to_integer_truncates_and_saturates():
    x = [0.0, 1.9, -1.9, 2147483648.0, -2147483904.0, INF, -INF, NAN]
    most, least = 0x7FFFFFFF, 0x80000000
    assert call("v_cvt_i32_f32", x) == [0, 1, M32, most, least, most, least, 0]
    assert call("v_cvt_i32_f64", x) == [0, 1, M32, most, least, most, least, 0]
    x = [0.0, 1.9, -1.9, 4294967296.0, 4294967040.0, INF, -INF, NAN]
    assert call("v_cvt_u32_f32", x) == [0, 1, 0, M32, 4294967040, M32, 0, 0]
    assert call("v_cvt_u32_f64", x) == [0, 1, 0, M32, 4294967040, M32, 0, 0]
    x = [1.9, -1.9, 40000.0, -40000.0, NAN]
    assert call("v_cvt_i16_f16", x) == [1, 0xFFFF, 0x7FFF, 0x8000, 0]
    assert call("v_cvt_u16_f16", [1.9, -1.9, 40000.0, INF, NAN]) == [1, 0, 40000, 0xFFFF, 0]


def test_integer_to_float_rounds_to_even():
    assert call("v_cvt_f32_u32", [M32, 0x1000001, 7]) == [4294967296.0, 16777216.0, 7.0]
    assert call("v_cvt_f32_i32", [M32, 0x80000000]) == [-1.0, -2147483648.0]
    assert call("v_cvt_f64_u32", [M32]) == [4294967295.0]
    assert call("v_cvt_f64_i32", [M32]) == [-1.0]
    assert call("v_cvt_f16_u16", [0xFFFF, 2049]) == [INF, 2048.0]
    assert call("v_cvt_f16_i16", [0xFFFF, 2051]) == [-1.0, 2052.0]


def test_between_floats():
    tie = 1 + 2.0**-11
    assert call("v_cvt_f16_f32", [tie, 65519.0, 65520.0, 2.0**-25, 2.0**-24]) == [
        1.0,
        65504.0,
        INF,
        0.0,
        2.0**-24,
    ]
    assert call("v_cvt_f32_f16", [2.0**-24, 65504.0, -INF]) == [2.0**-24, 65504.0, -INF]
    assert call("v_cvt_f32_f64", [1 + 2.0**-24, 1e300, 2.0**-149]) == [1.0, INF, 2.0**-149]
    assert call("v_cvt_f64_f32", [2.0**-149]) == [2.0**-149]


def test_special_roundings():
    assert call("v_cvt_rpi_i32_f32", [0.5, 1.5, -0.5, 2.4, NAN, 1e20]) == [1, 2, 0, 2, 0, 0x7FFFFFFF]
    assert call("v_cvt_flr_i32_f32", [0.9, -0.1, -2.0, NAN, -1e20]) == [0, M32, M32 - 1, 0, 0x80000000]
    assert call("v_cvt_off_f32_i4", list(range(16))) == [n / 16 for n in [*range(8), *range(-8, 0)]]


@pytest.mark.parametrize("index", range(4))
def test_bytes(index):
    assert call(f"v_cvt_f32_ubyte{index}", [0x8090A0FF]) == [float(0x8090A0FF >> 8 * index & 255)]


def test_normalized():
    x = [1.0, -1.0, 0.5, 2.0, -2.0, NAN, 0.0]
    snorm = [32767, -32767 & 0xFFFF, 16384, 32767, -32767 & 0xFFFF, 0, 0]  # 16383.5 to even
    unorm = [65535, 0, 32768, 65535, 0, 0, 0]
    assert call("v_cvt_norm_i16_f16", x) == snorm
    assert call("v_cvt_norm_u16_f16", x) == unorm
    for kind in ("f32", "f16"):
        assert call(f"v_cvt_pknorm_i16_{kind}", x, x[::-1]) == [
            p | q << 16 for p, q in zip(snorm, snorm[::-1], strict=True)
        ]
        assert call(f"v_cvt_pknorm_u16_{kind}", x, x[::-1]) == [
            p | q << 16 for p, q in zip(unorm, unorm[::-1], strict=True)
        ]


def half(x: float) -> int:
    return int(np.float16(x).view(np.uint16))


def test_toward_zero():
    x = [1 + 2.0**-11 + 2.0**-20, -(1 + 3 * 2.0**-11), 65535.0, -1e30, INF, 2.0**-25, 1.5]
    expected = [1.0, -(1 + 2.0**-10), 65504.0, -65504.0, INF, 0.0, 1.5]
    got = call("v_cvt_pkrtz_f16_f32", x, [0.25] * len(x))
    assert got == [half(e) | half(0.25) << 16 for e in expected]
    assert call("v_cvt_pkrtz_f16_f32", [NAN], [0.0])[0] & 0x7C00 == 0x7C00
    assert call("v_cvt_pkrtz_f16_f32", [NAN], [0.0])[0] & 0x3FF


def test_packing():
    assert call("v_pack_b32_f16", [1.0], [-2.0]) == [half(1.0) | half(-2.0) << 16]
    assert call("v_sat_pk_u8_i16", [0x0100_0080, 0xFFFF_7FFF, 0x00FE_8000]) == [0xFF80, 0x00FF, 0xFE00]
    for name in ("v_cvt_pk_u8_f32", "v_cvt_pkaccum_u8_f32"):
        assert call(name, [200.9, 300.0, -5.0, NAN], [0, 1, 2, 7], [0x11223344] * 4) == [
            0x112233C8, 0x1122FF44, 0x11003344, 0x00223344,
        ]  # fmt: skip


# -- 8-bit floats, checked against their definition
def decode8(code: int, bias: int, mantissa_bits: int) -> float:
    if code == 0x80:
        return NAN
    exponent, mantissa = (code & 0x7F) >> mantissa_bits, code & ((1 << mantissa_bits) - 1)
    fraction = mantissa / (1 << mantissa_bits)
    size = math.ldexp(1 + fraction, exponent - bias) if exponent else math.ldexp(fraction, 1 - bias)
    return -size if code & 0x80 else size


FORMATS = {"fp8": (8, 3), "bf8": (16, 2)}


@pytest.mark.parametrize("kind", FORMATS)
def test_widening_every_code(kind):
    codes = list(range(256))
    expected = [decode8(code, *FORMATS[kind]) for code in codes]
    assert [str(x) for x in call(f"v_cvt_f32_{kind}", codes)] == [str(x) for x in expected]
    low, high = SEMANTICS[f"v_cvt_pk_f32_{kind}"](BUILDER, value("i32", [c | 0x4000 for c in codes]))
    assert [str(x) for x in low.data.tolist()] == [str(x) for x in expected]
    assert set(high.data.tolist()) == {decode8(0x40, *FORMATS[kind])}


def narrow(kind: str, x, y, old: int, op_sel: int = 0) -> list[int]:
    instruction = SimpleNamespace(fields={"op_sel": op_sel})
    sources = [value("float", x), value("float", y), value("i32", [old] * len(x))]
    return MIXED[f"v_cvt_pk_{kind}_f32"](BUILDER, instruction, sources).data.tolist()


@pytest.mark.parametrize("kind", FORMATS)
def test_narrowing(kind):
    codes = [c for c in range(256) if c != 0x80]
    numbers = [decode8(c, *FORMATS[kind]) for c in codes]
    assert narrow(kind, numbers, numbers, 0xABCD0000) == [0xABCD0000 | c << 8 | c for c in codes]
    assert narrow(kind, numbers, numbers, 0x0000ABCD, op_sel=8) == [c << 24 | c << 16 | 0xABCD for c in codes]
    # between two codes: to the nearer, ties to the even code
    for code in range(0x7F):
        low, high = decode8(code, *FORMATS[kind]), decode8(code + 1, *FORMATS[kind])
        middle = (low + high) / 2
        inside = [
            middle,
            np.nextafter(np.float32(middle), np.float32(0)),
            np.nextafter(np.float32(middle), np.float32(1e9)),
        ]
        assert [r & 0xFF for r in narrow(kind, inside, [0.0] * 3, 0)] == [code + (code & 1), code, code + 1]


@pytest.mark.parametrize("kind", FORMATS)
def test_what_does_not_fit_8_bits_is_nan(kind):
    assert [r & 0xFF for r in narrow(kind, [1e30, -1e30, INF, NAN, -0.0, -1e-30], [0.0] * 6, 0)] == [
        0x80
    ] * 4 + [0, 0]


def test_negation_before_narrowing():
    instruction = SimpleNamespace(fields={"neg": 1, "abs": 2})
    sources = [value("float", [1.0]), value("float", [-1.0]), value("i32", [0])]
    assert MIXED["v_cvt_pk_fp8_f32"](BUILDER, instruction, sources).data.tolist() == [0x40C0]


def test_denormal_half_from_bits():
    assert SEMANTICS["v_cvt_f32_f16"](BUILDER, raw("half", [1])).data.tolist() == [2.0**-24]
