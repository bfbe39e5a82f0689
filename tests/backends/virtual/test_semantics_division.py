"""Reciprocals, roots, and division by the sequence that LLVM emits, which must equal IEEE division."""

from __future__ import annotations

import math

import numpy as np
import pytest

from anyhip.backends.virtual.semantics import SEMANTICS
from backends.virtual.evaluate import BUILDER, call, raw

INF, NAN = math.inf, math.nan
RANDOM = np.random.default_rng(11)


def divide_f32(n, d):
    """LLVM's expansion of an IEEE f32 division with denormals on (AMDGPU LowerFDIV32)."""
    scaled_d, _ = SEMANTICS["v_div_scale_f32"](BUILDER, d, d, n)
    scaled_n, scaled = SEMANTICS["v_div_scale_f32"](BUILDER, n, d, n)
    r = SEMANTICS["v_rcp_f32"](BUILDER, scaled_d)
    r = (-scaled_d).fma(r, 1.0).fma(r, r)
    q = scaled_n * r
    q = (-scaled_d).fma(q, scaled_n).fma(r, q)
    rest = (-scaled_d).fma(q, scaled_n)
    return SEMANTICS["v_div_fixup_f32"](
        BUILDER, SEMANTICS["v_div_fmas_f32"](BUILDER, rest, r, q, scaled), d, n
    )


def divide_f64(n, d):
    """LLVM's expansion of an f64 division (AMDGPU LowerFDIV64)."""
    scaled_d, _ = SEMANTICS["v_div_scale_f64"](BUILDER, d, d, n)
    r = SEMANTICS["v_rcp_f64"](BUILDER, scaled_d)
    for _ in range(2):
        r = r.fma((-scaled_d).fma(r, 1.0), r)
    scaled_n, scaled = SEMANTICS["v_div_scale_f64"](BUILDER, n, d, n)
    q = scaled_n * r
    rest = (-scaled_d).fma(q, scaled_n)
    return SEMANTICS["v_div_fixup_f64"](
        BUILDER, SEMANTICS["v_div_fmas_f64"](BUILDER, rest, r, q, scaled), d, n
    )


def of_exponents(exponents, dtype):
    signs = RANDOM.choice([-1.0, 1.0], len(exponents))
    with np.errstate(all="ignore"):
        return (signs * np.ldexp(RANDOM.uniform(1, 2, len(exponents)), exponents)).astype(dtype)


def of_few_bits(exponents, dtype):
    """Short significands: quotients that lie half-way between two denormals."""
    with np.errstate(all="ignore"):
        return np.ldexp(RANDOM.integers(1, 64, len(exponents)).astype(float), exponents).astype(dtype)


def cases(dtype, count):
    info = np.finfo(dtype)
    least, most = info.minexp - info.nmant, info.maxexp - 1
    everywhere = [RANDOM.integers(least, most + 1, count) for _ in range(2)]
    yield "anything", *(of_exponents(e, dtype) for e in everywhere)
    top = RANDOM.integers(info.minexp, 0, count)
    below = np.clip(top - info.minexp + RANDOM.integers(-8, info.nmant + 3, count), least, most)
    yield "denormal quotients", of_exponents(top, dtype), of_exponents(below, dtype)
    yield "ties", of_few_bits(top, dtype), of_few_bits(np.minimum(below, most - 6), dtype)
    low = [RANDOM.integers(least, info.minexp + 5, count) for _ in range(2)]
    yield "denormal operands", *(of_exponents(e, dtype) for e in low)
    special = np.array(
        [0, -0.0, 1, INF, -INF, NAN, info.smallest_subnormal, info.tiny, info.max, -info.max], dtype
    )
    grid = np.meshgrid(special, special)
    yield "special", grid[0].ravel(), grid[1].ravel()


@pytest.mark.parametrize(
    ("kind", "dtype", "divide", "count"),
    [("float", np.float32, divide_f32, 20_000), ("double", np.float64, divide_f64, 3_000)],
)
def test_division_is_correctly_rounded(kind, dtype, divide, count):
    for what, n, d in cases(dtype, count):
        got = divide(BUILDER.value(kind, n), BUILDER.value(kind, d)).data
        with np.errstate(all="ignore"):
            expected = n / d
        width = f"u{np.dtype(dtype).itemsize}"
        wrong = (got.view(width) != expected.view(width)) & ~(np.isnan(got) & np.isnan(expected))
        where = np.flatnonzero(wrong)[:3]
        assert not len(where), f"{what}: {[(n[i], d[i], got[i], expected[i]) for i in where]}"


def test_division_of_halves():
    x, y = [1.0, 0.0, -6.0, 1.0, INF, 5.0, NAN], [3.0, 0.0, 0.0, INF, INF, 2.0, 1.0]
    quotient = [0.25, 9.0, 9.0, 9.0, 9.0, -2.5, 9.0]
    for name in ("v_div_fixup_f16", "v_div_fixup_legacy_f16"):
        got = call(name, quotient, y, x)
        assert [str(g) for g in got] == ["0.25", "nan", "-inf", "0.0", "nan", "2.5", "nan"]


def test_invalid_divisions_give_the_default_nan():
    zero = BUILDER.value("float", [0.0])
    assert SEMANTICS["v_div_fixup_f32"](BUILDER, zero, zero, zero).int_bits().data.tolist() == [0xFFC00000]


@pytest.mark.parametrize(("name", "bound"), [("v_rcp_f32", 0.5), ("v_sqrt_f32", 0.5), ("v_rsq_f32", 0.51)])
def test_reciprocals_and_roots(name, bound):
    x = np.exp2(RANDOM.uniform(-126, 126, 50_000)).astype(np.float32)
    exact = {"v_rcp_f32": lambda v: 1 / v, "v_sqrt_f32": np.sqrt, "v_rsq_f32": lambda v: 1 / np.sqrt(v)}[name]
    expected = exact(x.astype(np.longdouble))
    got = SEMANTICS[name](BUILDER, BUILDER.value("float", x)).data
    ulp = np.spacing(expected.astype(np.float32)).astype(np.longdouble)
    assert np.max(np.abs(got.astype(np.longdouble) - expected) / ulp) <= bound


def texts(numbers) -> list[str]:
    return [str(n) for n in numbers]


def test_special_arguments():
    x = [0.0, -0.0, INF, -INF, -1.0, NAN]
    assert texts(call("v_rcp_f32", x)) == ["inf", "-inf", "0.0", "-0.0", "-1.0", "nan"]
    assert texts(call("v_rcp_iflag_f32", x)) == texts(call("v_rcp_f32", x))
    assert texts(call("v_rsq_f32", x)) == ["inf", "-inf", "0.0", "nan", "nan", "nan"]
    assert texts(call("v_sqrt_f32", x)) == ["0.0", "-0.0", "inf", "nan", "nan", "nan"]
    for kind in ("f16", "f64"):
        assert texts(call(f"v_rcp_{kind}", x)) == ["inf", "-inf", "0.0", "-0.0", "-1.0", "nan"]
        assert texts(call(f"v_rsq_{kind}", x)) == ["inf", "-inf", "0.0", "nan", "nan", "nan"]
        assert texts(call(f"v_sqrt_{kind}", x)) == ["0.0", "-0.0", "inf", "nan", "nan", "nan"]


def test_f32_flushes_denormals():
    denormal = raw("float", [0x00400000, 0x80400000])
    assert texts(call("v_rcp_f32", denormal)) == ["inf", "-inf"]
    assert texts(call("v_rsq_f32", denormal)) == ["inf", "-inf"]
    assert texts(call("v_sqrt_f32", denormal)) == ["0.0", "-0.0"]
    assert texts(call("v_rcp_f32", [2.0**127, -(2.0**127)])) == ["0.0", "-0.0"]
    assert call("v_rcp_f16", [2.0**-14]) == [2.0**14]
    assert call("v_rcp_f64", [2.0**1023]) == [2.0**-1023]


def test_ordinary_values():
    assert call("v_rcp_f16", [3.0]) == [float(np.float16(1 / 3))]
    assert call("v_rsq_f64", [4.0, 0.25]) == [0.5, 2.0]
    assert call("v_rsq_f16", [4.0]) == [0.5]
    assert call("v_sqrt_f64", [2.0]) == [math.sqrt(2.0)]
    assert call("v_sqrt_f16", [2.0]) == [float(np.sqrt(np.float16(2)))]


def test_fmas_scales_by_the_third_sources_exponent():
    assert call("v_div_fmas_f32", [0.0, 0.0, 0.0], [0.0] * 3, [4.0, 0.5, 4.0], [1, 1, 0]) == [
        2.0**66,
        2.0**-65,
        4.0,
    ]
    assert call("v_div_fmas_f64", [0.0, 0.0, 0.0], [0.0] * 3, [4.0, 0.5, 4.0], [1, 1, 0]) == [
        2.0**130,
        2.0**-129,
        4.0,
    ]
