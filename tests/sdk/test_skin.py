"""C programs over the skin, by themselves and inside a running Python."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from anyhip import toolchain
from anyhip.sdk import abi, header, root

SOURCES = Path(__file__).parent / "c"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compile a source of this folder against the skin."""
    folder = tmp_path_factory.mktemp("programs")

    def build(name: str, *flags: str) -> Path:
        output = folder / name.replace(".", "_")
        tools = toolchain.find()
        compiler = tools.cxx if name.endswith("pp") else tools.cc
        library = root.ensure() / "lib"
        toolchain.check(
            [*compiler, "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-result", *flags,
             f"-I{header.include_dir()}", SOURCES / name, "-o", output, library / abi.HIP, library / abi.RTC,
             f"-Wl,-rpath,{library}", "-lpthread"]
        )  # fmt: skip
        return output

    return build


def run(program: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run with almost no environment: the library must find everything by itself."""
    return subprocess.run(
        [program], env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def test_a_c_program(compiled: Callable[..., Path]) -> None:
    done = run(compiled("embedded.c"))
    assert done.stdout == "all checks passed\n", done.stderr
    assert done.stderr == "anyhip: hipIpcCloseMemHandle is not implemented by AnyHIP yet\n"
    assert done.returncode == 0


def test_no_device(compiled: Callable[..., Path]) -> None:
    done = run(compiled("embedded.c"), HIP_VISIBLE_DEVICES="-1")
    assert done.returncode == 1
    assert "check 1 failed" in done.stderr


def test_static_destructors(compiled: Callable[..., Path]) -> None:
    done = run(compiled("teardown.cpp", "-std=c++17"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_hiprtc(compiled: Callable[..., Path]) -> None:
    done = run(compiled("rtc.c"))
    said = "anyhip: hipModuleLaunchKernel: hipErrorInvalidValue: both kernelParams and extra are given\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, "", said)


def test_starting_is_quick(compiled: Callable[..., Path]) -> None:
    """Under 80 ms of CPU to the end of the first call."""
    program = compiled("startup.c")
    run(program)  # compiles the modules' bytecode
    measured = [tuple(map(float, run(program).stdout.split())) for _ in range(5)]
    assert min(first for first, _ in measured) < 80
    assert min(later for _, later in measured) < 8


def test_inside_a_running_python(compiled: Callable[..., Path]) -> None:
    """In a process of its own: tests of hipcc may have loaded a stub of the same soname into this one."""
    library = compiled("loop.c", "-shared", "-fPIC")
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("running_python.py"), library],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = "hipLaunchKernel: hipErrorInvalidConfiguration: k<<<"
    assert done.stderr.count(said) == 1  # said aloud, and once


def test_while_python_ends_releasing_succeeds_and_asking_does_not() -> None:
    """hipErrorDeinitialized is 4; what a stream holds goes with the process anyway."""
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("ending_python.py"), root.ensure() / "lib" / abi.HIP],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr, done.returncode) == ("0 4", "", 0)
