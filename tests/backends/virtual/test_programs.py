"""Whole programs that use what compilers emit only when asked, from source to output."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).resolve().parent / "programs"
SOURCES = Path(__file__).resolve().parents[3] / "src"
SHAPES = ["64x1x1", "256x1x1", "100x1x1", "1x64x1", "16x16x1", "32x8x1"]
SHAPES += ["8x8x4", "48x3x2", "33x5x1", "4x4x4", "16x1x7", "64x4x1"]
EXPECTED = {  # wrong elements
    "lanes": "".join(f"{shape}: 0 0 0 0 0\n" for shape in SHAPES),
    "matrix": "halves 0\naccumulated 0\nfloats 0\ndoubles 0\nbytes 0\n",
    "wave_matrix": "halves 0\nbytes 0\n",
    "torn": "torn 0 0 0 0\n",
    "split_barrier": "exchanged 0\nfirst 1, members 8\n",
}
RUNS = [
    ("lanes", "gfx942"),
    ("lanes", "gfx1100"),
    ("torn", "gfx942"),
    ("torn", "gfx1100"),
    ("matrix", "gfx942"),
    ("wave_matrix", "gfx1100"),
    ("wave_matrix", "gfx1201"),
    ("split_barrier", "gfx1201"),
]


@pytest.mark.parametrize(("program", "device"), RUNS)
def test_a_program_says_what_it_should(program: str, device: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "anyhip", "run", str(PROGRAMS / f"{program}.hip"), f"--offload-arch={device}"],
        capture_output=True, text=True, check=False, timeout=240,
        env={**os.environ, "PYTHONPATH": str(SOURCES), "ANYHIP_DEVICE": f"virtual:{device}"},
    )  # fmt: skip
    assert (done.stdout, done.stderr, done.returncode) == (EXPECTED[program], "", 0)


def test_every_program_is_run() -> None:
    assert {path.stem for path in PROGRAMS.glob("*.hip")} == {program for program, _ in RUNS}
