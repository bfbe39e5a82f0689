"""The maths functions as kernels call them, on the virtual GPU: the program that any device can run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parents[1] / "src"


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_device_keeps_the_bounds() -> None:
    program = HERE / "programs" / "accuracy.hip"
    done = subprocess.run(
        [sys.executable, "-m", "anyhip", "run", str(program), "--", str(HERE / "bounds.tsv"), "1024"],
        capture_output=True, text=True, check=False, timeout=1800,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
    )  # fmt: skip
    assert (done.stdout.splitlines()[-1:], done.stderr, done.returncode) == (["all right"], "", 0), (
        done.stdout
    )
