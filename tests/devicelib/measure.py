"""Measure the maths functions and record it: ``python tests/devicelib/measure.py [--stride N]``.

Out: ``measured.tsv``, from which ``docs/make_maths.py`` makes its page. Float functions of one argument are
measured on every N-th float (1: all, which takes hours of one core), the others as ``ulp.cpp`` and
``programs/accuracy.hip`` sample them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_ulp import UNARY, bounds, build, worst

from anyhip import toolchain

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parents[1] / "src"
HEAD = "# Largest errors measured, in ulp; made by measure.py. count: floats taken, if not a sample.\n"
WIDTHS = ("f32", "f64", "f16", "bf16")


def on_the_host(folder: Path, stride: int) -> tuple[dict[tuple[str, str], float], dict[str, int]]:
    """Errors by function and width, and the number of arguments of those that are swept."""
    lines = toolchain.check([str(build("ulp", folder))]).stdout.splitlines()
    found = {(name, width): float(error) for name, width, error, *_ in (line.split() for line in lines)}
    sweep, counts = build("exhaustive", folder), {}
    for name in UNARY:
        error, counts[name] = worst(sweep, name, stride)
        found[name, "f32"] = max(error, found.get((name, "f32"), 0.0))
    return found, counts


def on_the_device() -> dict[tuple[str, str], float]:
    """What the program measures that the host cannot: 16-bit types and intrinsics."""
    program = HERE / "programs" / "accuracy.hip"
    done = subprocess.run(
        [sys.executable, "-m", "anyhip", "run", str(program), "--", str(HERE / "bounds.tsv"),
         "4096", "intrinsics", "sixteen_bits"],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(SOURCES)},
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{program.name} failed:\n{done.stdout}{done.stderr}")
    rows = [line.split() for line in done.stdout.splitlines() if " bound " in line]
    return {(row[0], row[1]): float(row[2]) for row in rows}


def main() -> None:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stride", type=int, default=1, help="every N-th float")
    stride = parser.parse_args().stride
    device = on_the_device()
    with tempfile.TemporaryDirectory() as folder:
        host, counts = on_the_host(Path(folder), stride)
    found = device | host
    names = list(dict.fromkeys(name for name, _ in bounds()))
    lines = ["\t".join(("function", *WIDTHS, "count"))]
    for name in names:
        cells = [f"{found[name, width]:.3f}" if (name, width) in found else "-" for width in WIDTHS]
        lines.append("\t".join((name, *cells, str(counts.get(name, "-")))))
    (HERE / "measured.tsv").write_text(HEAD + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
