"""The device library as bitcode for one target, built from ``anyhip/devicelib`` at first use and cached.

clang links it into each device compile by need (``-mlink-builtin-bitcode``): functions that are not called
cost nothing.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from anyhip import cache
from anyhip import toolchain as compiler
from anyhip.errors import ToolchainError
from anyhip.target import Target

__all__ = ["bitcode", "build_ahead", "sources"]

ROOT = Path(__file__).resolve().parents[1] / "devicelib"


def sources() -> list[Path]:
    """The library's source files, each a translation unit."""
    return sorted(ROOT.glob("*.hip"))


def bitcode(target: Target, toolchain: compiler.Toolchain | None = None, flush: bool = False) -> Path | None:
    """The library for ``target``; None while the package has no device library.

    Args:
        flush: float's subnormal numbers count as zero, as where it is linked
            (``-fgpu-flush-denormals-to-zero``). Clang refuses to link code that was compiled otherwise.

    Raises:
        ToolchainError: the library does not compile, which is a fault of AnyHIP's, not of the user's.
    """
    chosen = toolchain or compiler.find()
    if not sources():
        return None
    return _bitcode(target, chosen, flush, cache.cache_dir())


def build_ahead(targets: Sequence[Target], toolchain: compiler.Toolchain, flush: bool = False) -> None:
    """Start building what is missing beside the caller's other work; whoever needs it waits for it."""

    def work() -> None:
        with contextlib.suppress(ToolchainError):  # said by the call that needs the library
            for target in targets:
                bitcode(target, toolchain, flush)

    threading.Thread(target=work, daemon=True).start()


@lru_cache(maxsize=64)
def _bitcode(target: Target, toolchain: compiler.Toolchain, flush: bool, _cache: Path) -> Path:
    version = str(target.code_object_version)
    key = cache.digest(toolchain.identity, target.arch, version, "flush" if flush else "", _state())
    return cache.build(
        cache.path("devicelib", key, ".bc"), lambda path: _build(target, toolchain, flush, path)
    )


def _state() -> str:
    """Changes whenever a file of the library does. Stat only: every compile asks."""
    files = sorted(ROOT.rglob("*"))
    return "\n".join(
        f"{file}:{file.stat().st_size}:{file.stat().st_mtime_ns}" for file in files if file.is_file()
    )


def _build(target: Target, toolchain: compiler.Toolchain, flush: bool, output: Path) -> None:
    """Compile all sources as one unit; ``-fgpu-rdc`` keeps the functions that nothing in it calls."""
    unit = "".join(f'#include "{source}"\n' for source in sources())
    if target.isa == "amdgcn":
        language = [
            "hip",
            "-nogpuinc",
            "-nogpulib",
            f"--offload-arch={target.arch}",
            f"-mcode-object-version={target.code_object_version}",
        ]
        language.append("-mprintf-kind=buffered")
    else:
        language = ["cuda", "-nocudainc", "-nocudalib", f"--cuda-gpu-arch={target.arch}"]
        language += ["-Wno-unknown-cuda-version", "-ffp-contract=fast-honor-pragmas"]
    if flush:
        language.append("-fgpu-flush-denormals-to-zero")
    argv = [
        *toolchain.clang, "-x", *language, "--cuda-device-only", "-O3", "-std=c++17", "-fgpu-rdc",
        *toolchain.cxx_flags, "-emit-llvm", "-c", "-", "-o", str(output),
    ]  # fmt: skip
    result = compiler.run(argv, input=unit)
    if result.returncode != 0:
        said = compiler.said(result)
        raise ToolchainError(f"the device library does not compile for {target.arch}:\n{said}")
