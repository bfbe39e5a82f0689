"""The kernel language on the virtual GPU: each program checks itself or prints what is compared here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

KERNELS = Path(__file__).resolve().parent / "kernels"
SOURCES = Path(__file__).resolve().parents[2] / "src"

EXPECTED = {
    "lanes": "all right\n",
    "numbers": "all right\n",
    "small_floats": "all right\n",
    "math": "all right\n",
    "heap_and_grid": "3584\nall right\n",
    # 1024 threads: 1024 % 100 = 24 = 0x18 steps past the wrap, upwards and downwards from zero
    "atomics": "1024 -1024 1023 -1023 2048 1024 ffffffff 0 0 18 4c 1024 1023 3 1024 1024 -1 "
    "512 -1023 80000000000 1023 1024 1024\n",
    "output": "    0|ab    |0003.142|ff|z|1099511627776|0x1234|%|1.000000e+10|   7\n"
    "    1|ab    |0003.142|ff|z|1099511627776|0x1234|%|1.000000e+10|   7\n"
    "(null) -56 4\n",
}


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "anyhip", "run", str(KERNELS / f"{program}.hip")],
        capture_output=True, text=True, check=False, timeout=240,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
    )  # fmt: skip


@pytest.mark.parametrize("program", EXPECTED)
def test_a_program_says_what_it_should(program: str) -> None:
    done = run(program)
    assert (done.stdout, done.stderr, done.returncode) == (EXPECTED[program], "", 0)


def test_an_assertion_prints_its_place_and_is_an_error_of_the_launch() -> None:
    done = run("assertion")
    assert (done.stdout, done.returncode) == ("hipErrorAssert\n", 0)
    message = "assertion.hip:4: void asserts(int): Device-side assertion `(int)threadIdx.x < limit' failed."
    printed = [line for line in done.stderr.splitlines() if "Device-side" in line]
    assert len(printed) == 2
    assert all(line.endswith(message) for line in printed)


def test_every_program_is_run() -> None:
    assert {path.stem for path in KERNELS.glob("*.hip")} == {*EXPECTED, "assertion"}
