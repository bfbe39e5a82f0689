"""Chosen values of the device library, compiled for the host and called one by one."""

from __future__ import annotations

import ctypes
import math
from pathlib import Path

import pytest

from anyhip import toolchain

HERE = Path(__file__).resolve().parent
LIBRARY = HERE.parents[1] / "src" / "anyhip" / "devicelib"


def rows() -> list[tuple[str, list[str], float, int]]:
    lines = [line for line in (HERE / "values.tsv").read_text().splitlines() if not line.startswith("#")]
    found = []
    for line in lines[1:]:
        function, arguments, expected, ulp = line.split("\t")
        found.append((function, arguments.split(), float.fromhex(expected), int(ulp)))
    return found


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("library")
    (folder / "all.cpp").write_text('#include "devicelib.hip"\n')
    output = folder / "library.so"
    toolchain.shared_library(
        output, [folder / "all.cpp"], include_dirs=[LIBRARY], flags=["-std=c++17", "-fno-exceptions"]
    )
    return ctypes.CDLL(str(output))


def call(library: ctypes.CDLL, name: str, arguments: list[str], *, single: bool = False) -> float:
    """A function of the library; arguments as the table spells them."""
    number = ctypes.c_float if single else ctypes.c_double
    function = getattr(library, f"__anyhip_{name}{'f' if single else ''}")
    function.restype = number
    return function(*(int(a[:-1]) if a[-1] == "i" else number(float.fromhex(a)) for a in arguments))


def same(got: float, expected: float) -> bool:
    if math.isnan(expected):
        return math.isnan(got)
    return got == expected and math.copysign(1, got) == math.copysign(1, expected)


@pytest.mark.parametrize(("function", "arguments", "expected", "ulp"), rows())
def test_doubles(
    library: ctypes.CDLL, function: str, arguments: list[str], expected: float, ulp: int
) -> None:
    got = call(library, function, arguments)
    assert same(got, expected) or (ulp and abs(got - expected) <= ulp * math.ulp(expected)), (got, expected)


def of_float(row: tuple[str, list[str], float, int]) -> bool:
    """Exact rows that mean the same in float: neighbours and the smallest numbers do not."""
    function, _, expected, ulp = row
    size = abs(expected)
    return (
        ulp == 0
        and function != "nextafter"
        and (size in (0, math.inf) or math.isnan(size) or 1e-30 < size < 1e30)
    )


SINGLES = [row for row in rows() if of_float(row)]


@pytest.mark.parametrize(("function", "arguments", "expected", "ulp"), SINGLES)
def test_special_cases_of_float(
    library: ctypes.CDLL, function: str, arguments: list[str], expected: float, ulp: int
) -> None:
    numbers = [float.fromhex(a) for a in arguments if a[-1] != "i"]
    if any(ctypes.c_float(x).value != x for x in numbers):
        pytest.skip("an argument is no float")
    assert same(call(library, function, arguments, single=True), ctypes.c_float(expected).value)


def special() -> list[tuple[str, str, str]]:
    text = (HERE / "special.tsv").read_text()
    header, *body = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return [
        (name, argument, expected)
        for name, *cells in body
        for argument, expected in zip(header[1:], cells, strict=True)
        if expected != "x"
    ]


@pytest.mark.parametrize("single", [False, True], ids=["double", "float"])
@pytest.mark.parametrize(("function", "argument", "expected"), special())
def test_special_arguments(
    library: ctypes.CDLL, function: str, argument: str, expected: str, single: bool
) -> None:
    assert same(call(library, function, [argument], single=single), float(expected))


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        ("hypot", "inf nan", "inf"), ("hypot", "nan -inf", "inf"), ("hypot", "0 -0", "0"),
        ("rhypot", "inf nan", "0"), ("rhypot", "0 0", "inf"), ("rhypot", "1 nan", "nan"),
        ("fmod", "inf 1", "nan"), ("fmod", "1 0", "nan"), ("fmod", "-0 1", "-0"), ("fmod", "5 inf", "5"),
        ("remainder", "1 0", "nan"), ("remainder", "-3 inf", "-3"), ("remainder", "-2 2", "-0"),
        ("pow", "-0 -3", "-inf"), ("pow", "-0 -2", "inf"), ("pow", "-0 3", "-0"), ("pow", "0 -inf", "inf"),
        ("pow", "-1 inf", "1"), ("pow", "nan 0", "1"), ("pow", "1 nan", "1"), ("pow", "-8 0.5", "nan"),
        ("pow", "-inf 3", "-inf"), ("pow", "-inf -3", "-0"), ("pow", "0.5 -inf", "inf"),
        ("pow", "2 -inf", "0"),
        ("atan2", "0 0", "0"), ("atan2", "-0 0", "-0"), ("atan2", "nan 1", "nan"), ("atan2", "-0 3", "-0"),
        ("nextafter", "1 nan", "nan"), ("nextafter", "-0 0", "0"), ("nextafter", "inf inf", "inf"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("single", [False, True], ids=["double", "float"])
def test_special_pairs(
    library: ctypes.CDLL, function: str, arguments: str, expected: str, single: bool
) -> None:
    assert same(call(library, function, arguments.split(), single=single), float(expected))


def test_functions_with_more_than_one_result(library: ctypes.CDLL) -> None:
    exponent, quotient = ctypes.c_int(), ctypes.c_int()
    sine, cosine = ctypes.c_double(), ctypes.c_double()
    library.__anyhip_frexp.restype = library.__anyhip_remquo.restype = ctypes.c_double
    assert library.__anyhip_frexp(ctypes.c_double(-24.0), ctypes.byref(exponent)) == -0.75
    assert exponent.value == 5
    assert library.__anyhip_frexp(ctypes.c_double(5e-324), ctypes.byref(exponent)) == 0.5
    assert exponent.value == -1073
    assert (
        library.__anyhip_remquo(ctypes.c_double(-29.0), ctypes.c_double(3.0), ctypes.byref(quotient)) == 1.0
    )
    assert quotient.value == -10
    library.__anyhip_sincos(ctypes.c_double(0.5), ctypes.byref(sine), ctypes.byref(cosine))
    assert (sine.value, cosine.value) == (math.sin(0.5), math.cos(0.5))
    library.__anyhip_sincospi(ctypes.c_double(-1.5), ctypes.byref(sine), ctypes.byref(cosine))
    assert (sine.value, cosine.value) == (1.0, 0.0)


def test_whole_exponents(library: ctypes.CDLL) -> None:
    for x, expected in [(1.0, 0), (8.5, 3), (5e-324, -1074), (0.0, -(2**31)), (math.inf, 2**31 - 1)]:
        assert library.__anyhip_ilogb(ctypes.c_double(x)) == expected


def test_lengths_of_many(library: ctypes.CDLL) -> None:
    library.__anyhip_norm.restype = library.__anyhip_rnorm.restype = ctypes.c_double
    values = (ctypes.c_double * 4)(1e300, 1e300, 1e300, 1e300)
    assert library.__anyhip_norm(4, values) == 2e300
    assert library.__anyhip_rnorm(4, values) == 5e-301
