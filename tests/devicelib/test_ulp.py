"""Every function of the device library against long double, within HIP's documented bounds."""

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


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], float]:
    folder = tmp_path_factory.mktemp("ulp")
    chosen = toolchain.find()
    toolchain.check(
        [*chosen.clang, *chosen.cxx_flags, f"--target={chosen.host_triple}", "-std=c++17", "-O2",
         "-march=native", "-fno-exceptions", f"-I{LIBRARY}", "-c", str(HERE / "ulp.cpp"),
         "-o", str(folder / "ulp.o")]
    )  # fmt: skip
    toolchain.check([*chosen.cc, str(folder / "ulp.o"), "-lm", "-o", str(folder / "ulp")])
    lines = toolchain.check([str(folder / "ulp")]).stdout.splitlines()
    return {(name, width): float(error) for name, width, error, *_ in (line.split() for line in lines)}


@pytest.mark.parametrize(("function", "width"), bounds())
def test_errors_are_within_the_documented_bound(
    measured: dict[tuple[str, str], float], function: str, width: str
) -> None:
    assert measured[function, width] <= bounds()[function, width]


def test_nothing_is_measured_without_a_bound(measured: dict[tuple[str, str], float]) -> None:
    # y1's float error near zero, where y1 itself is huge, is bounded by its ulp
    assert set(measured) - set(bounds()) == {("y1_abs", "f32")}
