"""Who is measured: AnyHIP's virtual GPU, native C++, and OpenCL runtimes for CPUs where installed."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench import references
from bench.results import Kernel, Samples, parse

__all__ = ["Peer", "UnavailableError", "find", "NAMES"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
NAMES = {
    "anyhip": "HIP on the virtual GPU",
    "native": "C++ over all cores",
    "intel": "Intel's OpenCL runtime for CPUs",
    "pocl": "PoCL",
}
NATIVE_FLAGS = [
    "-std=c++17",
    "-O3",
    "-march=native",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fopenmp-simd",
]
LONGEST = 600  # seconds that a program may take


class UnavailableError(Exception):
    """A peer that is not installed; the text says what is missing."""


@dataclass
class Peer:
    """One way to run the kernels.

    Attributes:
        name: as in :data:`NAMES`.
        about: versions, for the heading.
        command: words before the kernels' names; ``{program}`` is replaced by the kernel's program.
        env: variables to add.
    """

    name: str
    about: str
    command: Sequence[str]
    env: dict[str, str] = field(default_factory=dict)

    def measure(self, program: str, kernels: Sequence[Kernel], runs: int, check: bool) -> dict[str, Samples]:
        """Run the kernels of one program.

        Args:
            check: also compare what a peer computes with the reference (HIP programs always do so).
        """
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            env = os.environ | self.env | {"BENCH_RUNS": str(runs)}
            if check and self.name != "anyhip":
                env["BENCH_DUMP"] = folder
            words = [word.format(program=program) for word in self.command]
            names = [kernel.name for kernel in kernels]
            try:
                done = subprocess.run(
                    [*words, *names], env=env, capture_output=True, text=True, timeout=LONGEST, check=False
                )
            except subprocess.TimeoutExpired:
                return {name: Samples(problem=f"took over {LONGEST} s") for name in names}
            found = parse(done.stdout)
            for name in names:
                one = found.setdefault(name, Samples(problem=_last_line(done.stderr) or "no result"))
                if "BENCH_DUMP" in env and not one.problem:
                    one.problem = references.complaint_about_file(name, Path(folder) / f"{name}.bin")
            return {name: found[name] for name in names}


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def find(name: str, programs: Sequence[str], folder: Path) -> Peer:
    """Prepare a peer: compile what it needs into ``folder``.

    Raises:
        UnavailableError: it is not installed.
    """
    return {"anyhip": _anyhip, "native": _native, "intel": _intel, "pocl": _pocl}[name](programs, folder)


def _anyhip(programs: Sequence[str], folder: Path) -> Peer:
    import anyhip

    for program in programs:
        compile_program(program, folder / program)
    return Peer("anyhip", f"AnyHIP {anyhip.__version__}", [str(folder / "{program}")], python_path())


def python_path() -> dict[str, str]:
    """The variable that makes a child process find this checkout's packages."""
    return {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])}


def compile_program(program: str, output: Path) -> None:
    """Compile a HIP program of this folder with hipcc.

    Raises:
        RuntimeError: with what the compiler said.
    """
    source = HERE / "programs" / f"{program}.hip"
    words = [sys.executable, "-m", "anyhip.tools.hipcc", "-O3", str(source), "-o", str(output)]
    done = subprocess.run(words, env=os.environ | python_path(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"hipcc failed on {source}:\n{done.stderr}")


def _native(programs: Sequence[str], folder: Path) -> Peer:
    output = str(folder / "native")
    sources = [str(HERE / "native" / "peer.cpp"), "-o", output]
    gxx = shutil.which("g++")
    if gxx:
        words, about = [gxx, *NATIVE_FLAGS, "-fopenmp"], "g++, OpenMP"
    else:
        from anyhip import toolchain

        # no OpenMP library comes with it; its threads are created for each loop
        words, about = [*toolchain.find().cxx, *NATIVE_FLAGS], "the toolchain's clang, std::thread"
    done = subprocess.run([*words, *sources], capture_output=True, text=True, check=False)
    if done.returncode:
        raise UnavailableError(f"the native peer does not compile: {_last_line(done.stderr)}")
    # waiting threads sleep, or their spinning would count as CPU time
    return Peer("native", about, [output], {"OMP_WAIT_POLICY": "passive"})


def _opencl(name: str, icd: Path) -> Peer:
    if importlib.util.find_spec("pyopencl") is None:
        raise UnavailableError("pyopencl is not installed (pip install pyopencl)")
    env = python_path() | {"OCL_ICD_VENDORS": str(icd), "PYOPENCL_NO_CACHE": "1", "POCL_KERNEL_CACHE": "0"}
    words = [sys.executable, "-W", "ignore", str(HERE / "opencl" / "driver.py")]
    done = subprocess.run(words, env=os.environ | env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UnavailableError(f"{NAMES[name]} does not start: {_last_line(done.stderr)}")
    about = done.stdout.partition("DEVICE ")[2].partition("|")[0].strip()
    return Peer(name, about.partition("  ")[0], words, env)


def _intel(programs: Sequence[str], folder: Path) -> Peer:
    library = Path(sys.prefix) / "lib" / "libintelocl.so"
    if not library.exists():
        raise UnavailableError("not installed (pip install pyopencl intel-opencl-rt intel-cmplr-lib-rt)")
    icd = folder / "intel.icd"
    icd.write_text(f"{library}\n")
    return _opencl("intel", icd)


def _pocl(programs: Sequence[str], folder: Path) -> Peer:
    icd = Path("/etc/OpenCL/vendors/pocl.icd")
    if not icd.exists():
        raise UnavailableError("not installed (apt install pocl-opencl-icd, and pip install pyopencl)")
    return _opencl("pocl", icd)
