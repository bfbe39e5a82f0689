"""ANYHIP_TIMEOUT: a kernel without end becomes an error that names it; device and process live on."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from anyhip.backends.virtual import engine
from anyhip.errors import DeviceFault, UsageError
from backends.virtual.engine_kernels import Kernel, Words

PROGRAM = Path(__file__).resolve().parent / "endless.hip"
SOURCES = Path(__file__).resolve().parents[3] / "src"


@pytest.fixture
def limit(monkeypatch):
    """A limit of one second, as the variable sets it."""
    monkeypatch.setenv("ANYHIP_TIMEOUT", "1")
    engine.lib().engine_limit(engine.time_limit() * 1_000_000_000)
    yield
    engine.lib().engine_limit(0)


def test_a_kernel_without_end_times_out(device, limit) -> None:
    flag, good = Words(1, ctypes.c_uint32), Words(4, ctypes.c_uint64)
    Kernel(device, "spin_until")(flag.address, grid=(3, 1, 1))
    with pytest.raises(DeviceFault) as caught:
        device.wait_stream(device.default_stream)
    fault = caught.value
    assert fault.code_name == "hipErrorLaunchTimeOut"
    assert "kernel spin_until: workgroup (" in fault.message
    assert "had not ended 1 s after the kernel began" in fault.message
    assert "ANYHIP_TIMEOUT=1" in fault.hint
    device.clear_faults()
    Kernel(device, "count")(good.address)
    device.wait_stream(device.default_stream)


def test_kernels_that_end_in_time_do_not_notice(device, limit) -> None:
    words = Words(4, ctypes.c_uint64)
    for _ in range(3):
        Kernel(device, "count")(words.address)
    device.wait_stream(device.default_stream)


def test_a_program_gets_the_documented_error() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "anyhip", "run", str(PROGRAM), "-g"],
        capture_output=True, text=True, check=False, timeout=240,
        env={**os.environ, "PYTHONPATH": str(SOURCES), "ANYHIP_TIMEOUT": "1"},
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        "wait hipErrorLaunchTimeOut", "launch hipErrorLaunchTimeOut", "reset hipSuccess",
        "again hipSuccess 63",
    ]  # fmt: skip
    for said in (
        "kernel endless(int volatile*): workgroup (",
        "endless.hip:7",
        "ANYHIP_TIMEOUT=1 stopped it",
    ):
        assert said in done.stderr
    assert "2 of the 3 waves left in its workgroup wait at a barrier" in done.stderr


@pytest.mark.parametrize("value", ["-1", "soon"])
def test_the_variable_must_be_a_time(monkeypatch, value: str) -> None:
    monkeypatch.setenv("ANYHIP_TIMEOUT", value)
    with pytest.raises(UsageError, match="ANYHIP_TIMEOUT"):
        engine.time_limit()
