"""Exponential, logarithm, sine and cosine: their bounds in ULP, and what special arguments give."""

from __future__ import annotations

import math

import numpy as np
import pytest

from anyhip.backends.virtual.semantics import SEMANTICS
from backends.virtual.evaluate import BUILDER, call, raw

INF, NAN = math.inf, math.nan
RANDOM = np.random.default_rng(13)
TAU = np.longdouble("6.283185307179586476925286766559006")


def largest_error(name: str, x: np.ndarray, exact) -> float:
    """In units of the last place of the exact result."""
    x = x.astype(np.float32)
    expected = exact(x.astype(np.longdouble))
    got = SEMANTICS[name](BUILDER, BUILDER.value("float", x)).data
    ulp = np.maximum(np.spacing(np.abs(expected).astype(np.float32)), np.float32(2.0**-149))
    return float(np.max(np.abs(got.astype(np.longdouble) - expected) / ulp.astype(np.longdouble)))


@pytest.mark.parametrize("name", ["v_exp_f32", "v_exp_legacy_f32"])
def test_exp_is_within_one_ulp(name):
    x = np.concatenate([RANDOM.uniform(-126, 128, 40_000), RANDOM.uniform(-1, 1, 40_000)])
    assert largest_error(name, x, np.exp2) < 1.0


@pytest.mark.parametrize("name", ["v_log_f32", "v_log_legacy_f32"])
def test_log_is_within_one_ulp(name):
    x = np.concatenate([np.exp2(RANDOM.uniform(-126, 128, 40_000)), 1 + RANDOM.uniform(-0.01, 0.01, 40_000)])
    assert largest_error(name, x, np.log2) < 0.51


def whole_angle(x):
    return (x - np.rint(x)) * TAU


@pytest.mark.parametrize(("name", "function"), [("v_sin_f32", np.sin), ("v_cos_f32", np.cos)])
def test_circular_functions(name, function):
    x = np.concatenate([RANDOM.uniform(-256, 256, 40_000), RANDOM.uniform(-1, 1, 40_000)])
    quarters = (x * 4).astype(np.float32)
    x = x[quarters != np.rint(quarters)]  # where the exact result is 0 or 1, tested below
    assert largest_error(name, x, lambda v: function(whole_angle(v))) < 1.1


def texts(numbers) -> list[str]:
    return [str(n) for n in numbers]


def test_exact_results():
    assert call("v_exp_f32", [0.0, -0.0, 1.0, -1.0, 127.0, -126.0]) == [
        1.0,
        1.0,
        2.0,
        0.5,
        2.0**127,
        2.0**-126,
    ]
    assert call("v_log_f32", [1.0, 2.0, 0.5, 2.0**127, 2.0**-126]) == [0.0, 1.0, -1.0, 127.0, -126.0]
    turns = [0.0, 0.25, 0.5, 0.75, 1.0, 100.25, -0.25, -100.75]
    assert call("v_sin_f32", turns) == [0.0, 1.0, 0.0, -1.0, 0.0, 1.0, -1.0, 1.0]
    assert call("v_cos_f32", turns) == [1.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0]


def test_special_arguments():
    assert texts(call("v_exp_f32", [INF, -INF, NAN, 128.0, 1e30, -1e30])) == [
        "inf",
        "0.0",
        "nan",
        "inf",
        "inf",
        "0.0",
    ]
    assert texts(call("v_log_f32", [INF, 0.0, -0.0, -1.0, -INF, NAN])) == [
        "inf",
        "-inf",
        "-inf",
        "nan",
        "nan",
        "nan",
    ]
    assert texts(call("v_sin_f32", [INF, -INF, NAN, 0.0, -0.0])) == ["nan", "nan", "nan", "0.0", "-0.0"]
    assert texts(call("v_cos_f32", [INF, -INF, NAN, 0.0])) == ["nan", "nan", "nan", "1.0"]


def test_out_of_range_angles():
    assert call("v_sin_f32", [256.25, -300.25, 1e30]) == [0.0, 0.0, 0.0]
    assert call("v_cos_f32", [256.5, -300.5, 1e30]) == [1.0, 1.0, 1.0]
    assert call("v_sin_f32", [255.25, 256.0]) == [1.0, 0.0]


def test_f32_flushes_denormals():
    denormal = raw("float", [0x00400000])
    assert call("v_exp_f32", [-126.5, -130.0]) == [0.0, 0.0]
    assert call("v_log_f32", denormal) == [-INF]
    assert call("v_sin_f32", denormal) == [0.0]


def test_halves():
    half = np.linspace(-10, 10, 64).astype(np.float16)
    wide = half.astype(np.float64)
    for name, exact in (("v_exp_f16", np.exp2), ("v_sin_f16", lambda x: np.sin(whole_angle(x)))):
        got = np.array(call(name, half), np.float16)
        expected = exact(wide).astype(np.float64)
        error = np.abs(got.astype(np.float64) - expected)
        assert np.all(
            error <= 0.51 * np.spacing(np.abs(expected).astype(np.float16)).astype(np.float64) + 1e-9
        ), name
    assert call("v_log_f16", [8.0, 2.0**-24]) == [3.0, -24.0]
    assert call("v_exp_f16", [-24.0, 16.0]) == [2.0**-24, INF]
    assert call("v_cos_f16", [0.5, 0.25]) == [-1.0, 0.0]
