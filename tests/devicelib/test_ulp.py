"""Every function of the device library against long double, within HIP's documented bounds.

The float functions of one argument are measured on every float there is where slow tests run.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from anyhip import toolchain

HERE = Path(__file__).resolve().parent
LIBRARY = HERE.parents[1] / "src" / "anyhip" / "devicelib"


def bounds() -> dict[tuple[str, str], float]:
    lines = [line for line in (HERE / "bounds.tsv").read_text().splitlines() if not line.startswith("#")]
    header = lines[0].split("\t")[1:]
    return {
        (name, width): float(value)
        for name, *values in (line.split("\t") for line in lines[1:])
        for width, value in zip(header, values, strict=True)
        if value != "-"
    }


def measured_on_the_host() -> dict[tuple[str, str], float]:
    """The bounds of what runs here; those of 16-bit types and intrinsics are accuracy.hip's."""
    return {row: bound for row, bound in bounds().items() if row[1] in ("f32", "f64") and row[0][:2] != "__"}


def build(name: str, folder: Path) -> Path:
    """A program of this folder, with the device library compiled for the host."""
    chosen = toolchain.find()
    toolchain.check(
        [*chosen.clang, *chosen.cxx_flags, f"--target={chosen.host_triple}", "-std=c++17", "-O3",
         "-march=native", "-fno-exceptions", f"-I{LIBRARY}", "-c", str(HERE / f"{name}.cpp"),
         "-o", str(folder / f"{name}.o")]
    )  # fmt: skip
    toolchain.check([*chosen.cc, str(folder / f"{name}.o"), "-lm", "-o", str(folder / name)])
    return folder / name


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], float]:
    program = build("ulp", tmp_path_factory.mktemp("ulp"))
    lines = toolchain.check([str(program)]).stdout.splitlines()
    return {(name, width): float(error) for name, width, error, *_ in (line.split() for line in lines)}


@pytest.mark.parametrize(("function", "width"), measured_on_the_host())
def test_errors_are_within_the_documented_bound(
    measured: dict[tuple[str, str], float], function: str, width: str
) -> None:
    assert measured[function, width] <= bounds()[function, width]


def test_nothing_is_measured_without_a_bound(measured: dict[tuple[str, str], float]) -> None:
    # y1's float error near zero, where y1 itself is huge, is bounded by its ulp
    assert set(measured) - set(measured_on_the_host()) == {("y1_abs", "f32")}


UNARY = [
    "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "sinh", "cosh", "tanh", "asinh",
    "acosh", "atanh", "sin", "cos", "tan", "sinpi", "cospi", "asin", "acos", "atan", "cbrt", "rcbrt", "rsqrt",
    "erf", "erfc", "erfcx", "erfinv", "erfcinv", "normcdf", "normcdfinv", "tgamma", "lgamma",
]  # fmt: skip


@pytest.fixture(scope="module")
def exhaustive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("exhaustive", tmp_path_factory.mktemp("exhaustive"))


def worst(exhaustive: Path, function: str, stride: int) -> tuple[float, int]:
    """The largest error in ulp, and over how many floats."""
    error, _, count = toolchain.check([str(exhaustive), function, str(stride)]).stdout.split()
    return float(error), int(count)


@pytest.mark.parametrize("function", UNARY)
def test_floats_all_over_the_range(exhaustive: Path, function: str) -> None:
    error, _ = worst(exhaustive, function, 65521)  # a prime: all signs, exponents and special values
    assert error <= bounds()[function, "f32"]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("function", UNARY)
def test_every_float(exhaustive: Path, function: str) -> None:
    error, count = worst(exhaustive, function, 1)
    assert count == 2**32
    assert error <= bounds()[function, "f32"]
