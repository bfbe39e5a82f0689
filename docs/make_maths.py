"""Write docs/maths.md from the measured errors and HIP's bounds: ``python docs/make_maths.py``.

In: ``tests/devicelib/measured.tsv`` (made by ``measure.py`` beside it) and ``bounds.tsv``. Out: the page, on
stdout with ``--print``. ``tests/test_docs.py`` fails while page and tables disagree.
"""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "devicelib"
PAGE = Path(__file__).parent / "maths.md"
HEAD = """# Maths in kernels

Made by `python docs/make_maths.py` from measurements; how to repeat them is below.

All functions of HIP's maths reference are AnyHIP's own (`src/anyhip/devicelib`), the same code for AMD and
NVIDIA targets. `float` functions compute in `float` and have next to no branches. The tables give the
largest error found, in units in the last place (ulp) of the exact result, and the bound that HIP documents
(HIP 7, "HIP math API"; where that says nothing, the bound of its conformance tests). Special values
(infinities, NaN, zeros of both signs, subnormal numbers, arguments outside the domain) are those of C's
Annex F.

`-ffast-math` and `-fgpu-approx-transcendentals` replace `expf`, `exp2f`, `exp10f`, `logf`, `log2f`,
`log10f`, `sinf`, `cosf`, `tanf`, `sincosf` and `powf` by the machine's approximate instructions, as the
intrinsics `__expf`, `__sinf` and so on are. `-fgpu-flush-denormals-to-zero` compiles the device library to
flush as well.

"""
TAIL = """
## How this was measured

- `float` functions of one argument: the device library compiled for the host, on evenly spread bit patterns
  of all floats (their number is in the table), against C's double functions. `make conformance` takes every
  float there is. The only machine-dependent steps are reciprocals and roots: within 1 ulp on GPUs, rounded
  correctly here, so results there may differ by a fraction of an ulp.
- The others: 20,000 arguments or pairs each, half evenly over the range and half over its exponents,
  against `long double`.
- 16-bit types and intrinsics: on the virtual GPU, all 65,536 arguments of the 16-bit types.
- `tests/devicelib/programs/accuracy.hip` measures all of it on any device: `hipcc accuracy.hip -o accuracy
  && ./accuracy`.
- `python tests/devicelib/measure.py` records, `python docs/make_maths.py` writes this page.

The error of `lgamma` is that outside [-11, -2.26], where it crosses zero. Rows named `_huge` take arguments
up to the largest number; rows named `_abs` are absolute errors, in millionths (`double` Bessel functions:
millionths of millionths).
"""
KINDS = {
    "float and double": ("f32", "f64"),
    "__half and __hip_bfloat16": ("f16", "bf16"),
    "Intrinsics": ("f32",),
}


def table(name: str) -> dict[str, dict[str, str]]:
    """The rows of one of the two tables by function."""
    lines = [line for line in (FOLDER / name).read_text("utf-8").splitlines() if not line.startswith("#")]
    header = lines[0].split("\t")
    return {line.split("\t")[0]: dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:]}


def kind(function: str, row: dict[str, str]) -> str:
    """Which table of the page a function belongs to."""
    if function.startswith("__"):
        return "Intrinsics"
    return "float and double" if row["f32"] != "-" or row["f64"] != "-" else "__half and __hip_bfloat16"


def page() -> str:
    """The whole page."""
    measured, bounds = table("measured.tsv"), table("bounds.tsv")
    parts = []
    for title, widths in KINDS.items():
        swept = title == "float and double"
        cells = [f"{width} | bound" for width in widths] + (["floats measured"] if swept else [])
        lines = [f"## {title}", "", f"| function | {' | '.join(cells)} |"]
        lines.append("| --- |" + " ---: |" * (2 * len(widths) + swept))
        for function, row in bounds.items():
            if kind(function, row) != title:
                continue
            got = measured[function]
            values = [f"{got[width]} | {row[width]}" for width in widths]
            if swept:
                values.append("sample" if got["count"] == "-" else f"{int(got['count']):,}")
            lines.append(f"| `{function}` | {' | '.join(values)} |")
        parts.append("\n".join(lines) + "\n")
    return HEAD + "\n".join(parts) + TAIL


def main() -> None:
    """Print or write the page."""
    if "--print" in sys.argv[1:]:
        print(page(), end="")
    else:
        PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
