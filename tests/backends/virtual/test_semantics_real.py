"""Floating-point instructions that are exact or rounded once, against NumPy and Python."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from anyhip.backends.virtual.semantics import SEMANTICS
from backends.virtual.evaluate import BUILDER, call, raw, value

INF, NAN = math.inf, math.nan
KINDS = {
    "f16": ("half", np.float16, np.uint16),
    "f32": ("float", np.float32, np.uint32),
    "f64": ("double", np.float64, np.uint64),
}
RANDOM = np.random.default_rng(7)
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.25, 1e-3, -700.5, INF, -INF, NAN]


def random_bits(kind: str, count: int) -> np.ndarray:
    _, dtype, unsigned = KINDS[kind]
    bits = RANDOM.integers(0, 1 << 8 * np.dtype(dtype).itemsize, count, dtype=np.uint64)
    return bits.astype(unsigned).view(dtype)


def samples(kind: str, count: int = 2000) -> np.ndarray:
    _, dtype, _ = KINDS[kind]
    edges = [np.finfo(dtype).tiny, np.finfo(dtype).smallest_subnormal, np.finfo(dtype).max]
    return np.concatenate([np.array(SPECIAL, dtype), np.array(edges, dtype), random_bits(kind, count)])


def evaluate(name: str, kind: str, *arrays: np.ndarray) -> np.ndarray:
    result = SEMANTICS[name](BUILDER, *(BUILDER.value(KINDS[kind][0], a) for a in arrays))
    return result.data


def same(result: np.ndarray, expected: np.ndarray) -> bool:
    """Equal bits, any NaN being any other."""
    width = f"u{result.dtype.itemsize}"
    nan = np.isnan(result) & np.isnan(expected)
    return bool(np.all(nan | (result.view(width) == expected.astype(result.dtype).view(width))))


ARITHMETIC = {"add": np.add, "sub": np.subtract, "subrev": lambda x, y: y - x, "mul": np.multiply}


@pytest.mark.parametrize(
    "name", [f"v_{o}_{k}" for o in ARITHMETIC for k in ("f16", "f32")] + ["v_add_f64", "v_mul_f64"]
)
def test_arithmetic(name):
    _, operation, kind = name.split("_")
    x, y = samples(kind), samples(kind)[::-1].copy()
    with np.errstate(all="ignore"):
        assert same(evaluate(name, kind, x, y), ARITHMETIC[operation](x, y))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("word", "function"), [("trunc", np.trunc), ("ceil", np.ceil), ("floor", np.floor), ("rndne", np.rint)]
)
def test_rounding(word, function, kind):
    x = samples(kind)
    with np.errstate(all="ignore"):
        assert same(evaluate(f"v_{word}_{kind}", kind, x), function(x))


@pytest.mark.parametrize("kind", KINDS)
def test_fract(kind):
    x = samples(kind)
    result = evaluate(f"v_fract_{kind}", kind, x)
    finite = np.isfinite(x)
    assert np.all((result[finite] >= 0) & (result[finite] < 1))
    assert np.all(np.isnan(result[~finite]))
    largest = np.nextafter(KINDS[kind][1](1), KINDS[kind][1](0))
    tiny_negative = np.array([-np.finfo(KINDS[kind][1]).tiny, 2.75, -2.75], KINDS[kind][1])
    assert evaluate(f"v_fract_{kind}", kind, tiny_negative).tolist() == [largest, 0.75, 0.25]


FMA = ["v_fma_f16", "v_fma_f32", "v_fma_f64", "v_fmac_f32", "v_fmac_f64", "v_fma_legacy_f16", "v_fmaak_f32"]


@pytest.mark.parametrize("name", FMA)
def test_fma_has_one_rounding(name):
    eps = float(np.finfo(KINDS[name[-3:]][1]).eps)
    assert call(name, [1 + eps], [1 + eps], [-1 - 2 * eps]) == [eps * eps]


def test_order_of_fmamk():
    assert call("v_fmamk_f32", [3.0], [5.0], [7.0]) == [22.0]
    assert call("v_madmk_f16", [3.0], [5.0], [7.0]) == [22.0]


@pytest.mark.parametrize("name", ["v_mad_f16", "v_mad_legacy_f16", "v_mac_f16", "v_madak_f16"])
def test_mad_f16_rounds_twice(name):
    eps = 2.0**-10
    assert call(name, [1 + eps], [1 + eps], [-1 - 2 * eps]) == [0.0]
    assert call(name, [2.0], [3.0], [0.5]) == [6.5]


def test_mul_legacy():
    assert call("v_mul_legacy_f32", [0.0, -0.0, 2.0, 0.0], [INF, NAN, 3.0, -1.0]) == [0.0, 0.0, 6.0, 0.0]


# -- minima and maxima
def reference_min(x: float, y: float) -> float:
    if math.isnan(x) or math.isnan(y):
        return y if math.isnan(x) else x
    if x == y == 0:
        return x if math.copysign(1, x) < 0 else y
    return min(x, y)


def reference_max(x: float, y: float) -> float:
    if math.isnan(x) or math.isnan(y):
        return y if math.isnan(x) else x
    if x == y == 0:
        return y if math.copysign(1, x) < 0 else x
    return max(x, y)


def bits_of(numbers) -> list[str]:
    return ["nan" if math.isnan(n) else float(n).hex() for n in numbers]


EXACT = [0.0, -0.0, 1.0, -1.0, 2.0, -3.5, INF, -INF, NAN]


@pytest.mark.parametrize("kind", KINDS)
def test_min_max(kind):
    pairs = list(itertools.product(EXACT, repeat=2))
    x, y = ([p[i] for p in pairs] for i in (0, 1))
    assert bits_of(call(f"v_min_{kind}", x, y)) == bits_of(reference_min(*p) for p in pairs)
    assert bits_of(call(f"v_max_{kind}", x, y)) == bits_of(reference_max(*p) for p in pairs)


@pytest.mark.parametrize("kind", ["f16", "f32"])
def test_min3_max3_med3(kind):
    triples = list(itertools.product(EXACT, repeat=3))
    columns = [[t[i] for t in triples] for i in range(3)]
    smallest = [reference_min(reference_min(x, y), z) for x, y, z in triples]
    largest = [reference_max(reference_max(x, y), z) for x, y, z in triples]
    assert bits_of(call(f"v_min3_{kind}", *columns)) == bits_of(smallest)
    assert bits_of(call(f"v_max3_{kind}", *columns)) == bits_of(largest)
    median = call(f"v_med3_{kind}", *columns)
    for triple, low, got in zip(triples, smallest, median, strict=True):
        expected = low if any(map(math.isnan, triple)) else sorted(triple)[1]
        assert got == expected or (math.isnan(got) and math.isnan(expected)), triple


def test_max_of_a_number_with_itself_makes_nan_quiet():
    signaling = raw("float", [0x7FA00000])
    assert SEMANTICS["v_max_f32"](BUILDER, signaling, signaling).int_bits().data.tolist() == [0x7FE00000]


# -- comparisons
REAL = {
    "f": lambda x, y: False, "lt": lambda x, y: x < y, "eq": lambda x, y: x == y, "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y, "lg": lambda x, y: x < y or x > y, "ge": lambda x, y: x >= y,
    "o": lambda x, y: x == x and y == y, "u": lambda x, y: x != x or y != y,
    "nge": lambda x, y: not x >= y, "nlg": lambda x, y: not (x < y or x > y), "ngt": lambda x, y: not x > y,
    "nle": lambda x, y: not x <= y, "neq": lambda x, y: x != y, "nlt": lambda x, y: not x < y,
    "tru": lambda x, y: True,
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("word", REAL)
def test_comparisons(word, kind):
    pairs = list(itertools.product(EXACT, repeat=2))
    x, y = ([p[i] for p in pairs] for i in (0, 1))
    result = call(f"v_cmp_{word}_{kind}", x, y)
    expected = [REAL[word](*p) for p in pairs]
    assert (result if isinstance(result, list) else [result] * len(x)) == expected
    assert call(f"v_cmpx_{word}_{kind}", x, y) == (result, result)


CLASSES = {
    "f16": [0x7D00, 0x7E00, 0xFC00, 0xBC00, 0x8001, 0x8000, 0x0000, 0x0001, 0x3C00, 0x7C00],
    "f32": [
        0x7F800001,
        0x7FC00000,
        0xFF800000,
        0xBF800000,
        0x80000001,
        0x80000000,
        0,
        1,
        0x3F800000,
        0x7F800000,
    ],
    "f64": [
        0x7FF << 52 | 1,
        0x7FF8 << 48,
        0xFFF << 52,
        0xBFF << 52,
        1 << 63 | 1,
        1 << 63,
        0,
        1,
        0x3FF << 52,
        0x7FF << 52,
    ],
}


@pytest.mark.parametrize("kind", CLASSES)
def test_class(kind):
    numbers = raw(KINDS[kind][0], CLASSES[kind])
    for bit in range(10):
        assert call(f"v_cmp_class_{kind}", numbers, [1 << bit] * 10) == [i == bit for i in range(10)]
    assert call(f"v_cmp_class_{kind}", numbers, [0x3FF] * 10) == [True] * 10
    assert call(f"v_cmp_class_{kind}", numbers, [0xFFFFFC00] * 10) == [False] * 10


# -- taking apart and scaling
@pytest.mark.parametrize(("kind", "exponent"), [("f16", "i16"), ("f32", "i32"), ("f64", "i32")])
def test_frexp(kind, exponent):
    x = samples(kind)
    mantissa = evaluate(f"v_frexp_mant_{kind}", kind, x)
    power = evaluate(f"v_frexp_exp_{exponent}_{kind}", kind, x)
    with np.errstate(all="ignore"):
        expected, expected_power = np.frexp(x)
    assert same(mantissa, expected)
    finite = np.isfinite(x)
    assert power.view(f"i{power.dtype.itemsize}")[finite].tolist() == expected_power[finite].tolist()
    assert not power[~finite].any()


@pytest.mark.parametrize(("kind", "reach"), [("f16", 60), ("f32", 400), ("f64", 2300)])
def test_ldexp(kind, reach):
    x = samples(kind)
    n = RANDOM.integers(-reach, reach, len(x))
    expected = np.array([_ldexp(float(v), int(k)) for v, k in zip(x, n, strict=True)])
    if kind != "f64":
        # ldexp of a float is exact in double, so this rounds once.
        with np.errstate(all="ignore"):
            expected = expected.astype(KINDS[kind][1])
    powers = value("i16" if kind == "f16" else "i32", n)
    result = SEMANTICS[f"v_ldexp_{kind}"](BUILDER, BUILDER.value(KINDS[kind][0], x), powers).data
    assert same(result, expected)


def _ldexp(x: float, n: int) -> float:
    try:
        return math.ldexp(x, n)
    except OverflowError:
        return math.copysign(INF, x)


def test_ldexp_of_extreme_counts():
    assert call("v_ldexp_f32", [1.0, 1.0, 0.0], [-(2**31), 2**31 - 1, 2**31 - 1]) == [0.0, INF, 0.0]
    assert call("v_ldexp_f64", [1.0, 1.0], [-(2**31), 2**31 - 1]) == [0.0, INF]
    assert call("v_ldexp_f16", [1.0, 1.0], [-(2**15), 2**15 - 1]) == [0.0, INF]


def test_cube_faces():
    x, y, z = (
        [3.0, -3.0, 1.0, 1.0, 1.0, 1.0],
        [1.0, 1.0, 3.0, -3.0, 1.0, 1.0],
        [2.0, 2.0, 2.0, 2.0, 3.0, -3.0],
    )
    assert call("v_cubeid_f32", x, y, z) == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert call("v_cubema_f32", x, y, z) == [6.0, -6.0, 6.0, -6.0, 6.0, -6.0]
    assert call("v_cubesc_f32", x, y, z) == [-2.0, 2.0, 1.0, 1.0, 1.0, -1.0]
    assert call("v_cubetc_f32", x, y, z) == [-1.0, -1.0, 2.0, -2.0, -1.0, -1.0]
