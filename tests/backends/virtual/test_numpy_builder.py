"""The NumPy builder: every operation against Python's exact integers and rationals."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from anyhip.backends.virtual.numpy_builder import NumpyBuilder

b = NumpyBuilder()
RANDOM = random.Random(3)
NUMBERS = [0, 1, 5, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF] + [RANDOM.getrandbits(32) for _ in range(20)]
PAIRS = [(x, y) for x in NUMBERS for y in NUMBERS]
X, Y = ([p[i] for p in PAIRS] for i in (0, 1))


def signed(x: int) -> int:
    return x - (1 << 32) if x >> 31 else x


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        ("add", lambda x, y: x + y),
        ("sub", lambda x, y: x - y),
        ("mul", lambda x, y: x * y),
        ("and", lambda x, y: x & y),
        ("or", lambda x, y: x | y),
        ("xor", lambda x, y: x ^ y),
        ("umin", min),
        ("umax", max),
        ("smin", lambda x, y: min(x, y, key=signed)),
        ("smax", lambda x, y: max(x, y, key=signed)),
    ],
)
def test_integer_operations(op, expected):
    result = b.binary(op, b.value("i32", X), b.value("i32", Y))
    assert result.data.tolist() == [expected(x, y) & 0xFFFFFFFF for x, y in PAIRS]


@pytest.mark.parametrize(("op", "expected"), [("shl", lambda x, n: x << n), ("lshr", lambda x, n: x >> n)])
def test_shifts(op, expected):
    counts = [y & 31 for y in Y]
    result = b.binary(op, b.value("i32", X), b.value("i32", counts))
    assert result.data.tolist() == [expected(x, n) & 0xFFFFFFFF for x, n in zip(X, counts, strict=True)]


def test_arithmetic_shift():
    counts = [y & 31 for y in Y]
    result = b.value("i32", X).ashr(b.value("i32", counts))
    assert result.data.tolist() == [(signed(x) >> n) & 0xFFFFFFFF for x, n in zip(X, counts, strict=True)]


@pytest.mark.parametrize("op", ["sdiv", "srem", "udiv", "urem"])
def test_division_truncates(op):
    pairs = [(x, y) for x, y in PAIRS if y]
    read = signed if op[0] == "s" else int
    expected = []
    for x, y in ((read(x), read(y)) for x, y in pairs):
        quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        expected.append((quotient if op.endswith("div") else x - quotient * y) & 0xFFFFFFFF)
    left, right = (b.value("i32", [p[i] for p in pairs]) for i in (0, 1))
    assert b.binary(op, left, right).data.tolist() == expected


@pytest.mark.parametrize(
    ("op", "x", "expected"),
    [
        ("ctpop", 0xF0F0_0001, 9), ("ctlz", 0x0000_8000, 16), ("ctlz", 0, 32), ("cttz", 0x0000_8000, 15),
        ("cttz", 0, 32), ("bitreverse", 0x8000_0001, 0x8000_0001), ("bitreverse", 0x0000_0006, 0x6000_0000),
        ("bswap", 0x11223344, 0x44332211),
    ],
)  # fmt: skip
def test_bit_operations(op, x, expected):
    assert int(b.const("i32", x).unary(op).data) == expected


def test_funnel_shifts():
    high, low = b.const("i32", 0x11223344), b.const("i32", 0x55667788)
    assert int(b.ternary("fshl", high, low, b.const("i32", 8)).data) == 0x22334455
    assert int(b.ternary("fshr", high, low, b.const("i32", 8)).data) == 0x44556677
    assert int(b.ternary("fshl", high, low, b.const("i32", 0)).data) == 0x11223344
    assert int(b.ternary("fshr", high, low, b.const("i32", 0)).data) == 0x55667788


def test_uniform_and_lanes_mix():
    lanes = b.value("i32", range(64))
    assert lanes.uniform is False
    total = lanes + b.const("i32", 3)
    assert (total.uniform, total.data.tolist()) == (False, [n + 3 for n in range(64)])
    assert (b.const("i32", 1) + 2).uniform is True
    assert b.lane_id().data.tolist() == list(range(64))


def test_types_must_agree():
    with pytest.raises(TypeError, match="add of i32 and i64"):
        b.binary("add", b.const("i32", 1), b.const("i64", 1))


# -- one rounding
def random_floats(dtype, count):
    width = np.dtype(dtype).itemsize * 8
    bits = [RANDOM.getrandbits(width) for _ in range(count)]
    values = np.array(bits, f"u{width // 8}").view(dtype)
    return values[np.isfinite(values)]


def nearest(exact: Fraction, dtype) -> float:
    """A rational to the nearest float, ties to even, by trying the neighbours."""
    with np.errstate(all="ignore"):
        guess = dtype(float(exact))
        near = [guess, np.nextafter(guess, dtype(-np.inf)), np.nextafter(guess, dtype(np.inf))]
    finite = [x for x in near if np.isfinite(x)]
    width = np.dtype(dtype).itemsize * 8
    return min(
        finite, key=lambda x: (abs(Fraction(float(x)) - exact), int(np.asarray(x).view(f"u{width // 8}")) & 1)
    )


@pytest.mark.parametrize(("kind", "dtype", "scale"), [("half", np.float16, 9), ("float", np.float32, 60)])
def test_fma_rounds_once(kind, dtype, scale):
    count = 400
    with np.errstate(all="ignore"):
        x, y = (
            dtype(2.0 ** RANDOM.uniform(-scale, scale)) * (np.arange(count) % 7 + 1).astype(dtype)
            for _ in "xy"
        )
        y = (y * dtype(1.0009765625)).astype(dtype)
        # Near cancellation and far apart: where double rounding would show.
        z = (-(x.astype(np.float64) * y) * np.array([1, 2.0**-30, 2.0**30, 2.0**-12] * (count // 4))).astype(
            dtype
        )
    result = b.ternary("fma", b.value(kind, x), b.value(kind, y), b.value(kind, z)).data
    for i in range(count):
        exact = (
            Fraction(float(x[i])) * Fraction(float(y[i])) + Fraction(float(z[i]))
            if np.isfinite(z[i])
            else None
        )
        if exact is not None and np.isfinite(result[i]) and exact:
            assert result[i] == nearest(exact, dtype), (x[i], y[i], z[i])


def test_fma_f32_double_rounding_case():
    # x*y is just above a tie of f32 at z's scale; rounding to double first would lose that.
    x, y, z = 1 + 2.0**-23, 2.0**-24 * (1 + 2.0**-23), 1.0
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    assert exact > 1 + Fraction(1, 2**24)
    assert float(b.const("float", x).fma(y, z).data) == 1 + 2.0**-23


def test_fma_f64_is_exact():
    x = 1 + 2.0**-30
    assert float(b.const("double", x).fma(x, -(1 + 2.0**-29)).data) == 2.0**-60


@pytest.mark.parametrize("kind", ["half", "float", "double"])
def test_casts_to_integer_saturate(kind):
    big = {"half": 65504.0, "float": 1e30, "double": 1e300}[kind]
    x = b.value(kind, [0.0, -0.9, 1.9, -1.9, big, -big, math.inf, -math.inf, math.nan])
    most, least = (0x7FFFFFFF, 0x80000000)
    top = 65504 if kind == "half" else most
    bottom = -65504 & 0xFFFFFFFF if kind == "half" else least
    assert x.to("i32", signed=True).data.tolist() == [0, 0, 1, 0xFFFFFFFF, top, bottom, most, least, 0]
    top = 65504 if kind == "half" else 0xFFFFFFFF
    assert x.to("i32").data.tolist() == [0, 0, 1, 0, top, 0, 0xFFFFFFFF, 0, 0]


def test_cast_to_64_bits_at_its_ends():
    x = b.value("double", [2.0**63, -(2.0**63), 2.0**63 - 1024, 2.0**64])
    assert x.to("i64", signed=True).data.tolist() == [2**63 - 1, 2**63, 2**63 - 1024, 2**63 - 1]
    assert x.to("i64").data.tolist() == [2**63, 0, 2**63 - 1024, 2**64 - 1]


def test_integer_to_float_rounds_to_even():
    x = b.value("i32", [0x1000001, 0x1000003, 0xFFFFFFFF])
    assert x.to("float").data.tolist() == [16777216.0, 16777220.0, 4294967296.0]
    assert x.to("float", signed=True).data.tolist() == [16777216.0, 16777220.0, -1.0]


def test_bfloat():
    x = b.value("float", [1.0, 1 + 2.0**-8, 1 + 3 * 2.0**-8, math.nan]).to("bfloat")
    assert x.data.tolist()[:3] == [0x3F80, 0x3F80, 0x3F82]  # ties to even
    assert x.isnan().data.tolist() == [False, False, False, True]
    assert (b.const("bfloat", 1.5) * 2.0).to("float").data == 3.0
    assert b.const("bfloat", 1.5).fma(2.0, 0.5).to("float").data == 3.5


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        ("oeq", [0, 0, 1, 0]), ("one", [1, 1, 0, 0]), ("olt", [1, 0, 0, 0]), ("ogt", [0, 1, 0, 0]),
        ("ueq", [0, 0, 1, 1]), ("une", [1, 1, 0, 1]), ("uge", [0, 1, 1, 1]), ("uno", [0, 0, 0, 1]),
        ("ord", [1, 1, 1, 0]),
    ],
)  # fmt: skip
def test_float_comparisons(predicate, expected):
    x, y = b.value("float", [1.0, 2.0, 0.0, math.nan]), b.value("float", [2.0, 1.0, -0.0, 1.0])
    assert b.compare(predicate, x, y).data.tolist() == [bool(e) for e in expected]


def test_i128_products():
    x = b.const("i64", -1).zext("i128")
    high = ((x * x) >> 64).trunc("i64")
    assert int(high.data) == 2**64 - 2


def test_sign_bit_operations_keep_nan_bits():
    nan = b.const("i32", 0x7F800001).bitcast("float")
    assert int((-nan).int_bits().data) == 0xFF800001
    assert int((-nan).abs().int_bits().data) == 0x7F800001
    assert int(nan.unary("canonicalize").int_bits().data) == 0x7FC00001
