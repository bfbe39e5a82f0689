"""A folder shaped like a ROCm installation: libraries under every name that is asked for, headers, commands,
CMake packages, a compiler under clang's names, and in ``cuda`` one under nvcc's.
"""

from __future__ import annotations

import shlex
import sys
from functools import cache
from pathlib import Path

from anyhip import cache as store
from anyhip import toolchain
from anyhip.hipcc.driver import HIP_VERSION
from anyhip.sdk import abi
from anyhip.sdk.header import include_dir

__all__ = ["ensure"]

_CMAKE = Path(__file__).parent / "cmake"
_STEMS = {abi.HIP: "libamdhip64.so", abi.RTC: "libhiprtc.so"}
_OTHER_MAJORS = (6, 8)  # the same functions, for programs linked against another ROCm
_COMMANDS = {  # file: module, function, and the name that it is given
    "bin/hipcc": ("anyhip.tools.hipcc", "main", ""),
    "bin/hipconfig": ("anyhip.tools.hipconfig", "main", ""),
    "bin/rocm_agent_enumerator": ("anyhip.tools.agents", "main", "rocm_agent_enumerator"),
    "cuda/bin/nvcc": ("anyhip.tools.nvcc", "main", ""),
    "bin/hipify-perl": ("anyhip.hipify.cli", "main_perl", ""),
    "bin/hipify-clang": ("anyhip.hipify.cli", "main_clang", ""),
    "lib/llvm/bin/clang": ("anyhip.tools.clang", "main", "clang"),
    "lib/llvm/bin/clang++": ("anyhip.tools.clang", "main", "clang++"),
    "lib/llvm/bin/amdclang": ("anyhip.tools.clang", "main", "clang"),
    "lib/llvm/bin/amdclang++": ("anyhip.tools.clang", "main", "clang++"),
    "lib/llvm/bin/offload-arch": ("anyhip.tools.agents", "main", "offload-arch"),
    "lib/llvm/bin/amdgpu-arch": ("anyhip.tools.agents", "main", "amdgpu-arch"),
}
_LINKS = {  # as ROCm has them, and clang++ where CMake looks in a prefix
    "llvm": "lib/llvm",
    "cuda/include": "../include",
    "cuda/lib64/libcudart.so": "../../lib/libamdhip64.so.7",
    "cuda/lib64/libcuda.so": "../../lib/libamdhip64.so.7",
    "cuda/lib64/libamdhip64.so.7": "../../lib/libamdhip64.so.7",
    "cuda/lib64/libnvrtc.so": "../../lib/libhiprtc.so.7",
    "cuda/lib64/libhiprtc.so.7": "../../lib/libhiprtc.so.7",
    "bin/amdclang": "../lib/llvm/bin/amdclang",
    "bin/amdclang++": "../lib/llvm/bin/amdclang++",
    "bin/clang++": "../lib/llvm/bin/clang++",
    "bin/offload-arch": "../lib/llvm/bin/offload-arch",
}
_PACKAGES = ("hip", "hip-lang", "hiprtc")


@cache
def ensure() -> Path:
    """The folder, built into the cache at the first call and whenever something in it changes.

    Raises:
        ToolchainError: this Python has no shared library, or the compiler failed.
    """
    parts = [*abi.key_parts(), Path(__file__), *sorted(_CMAKE.iterdir()), _python()]
    return store.build(store.path("sdk", store.digest(*parts)), _make)


def _python() -> str:
    """The running Python by one name, whichever it was started by: they must share one folder."""
    own = Path(sys.executable)
    names = (own.with_name(name) for name in ("python3", "python"))
    return str(next((path for path in names if path.exists() and path.samefile(own)), own))


def _make(root: Path) -> None:
    root.mkdir(parents=True)
    abi.build(root)
    for library, stem in _STEMS.items():
        for name in (stem, *(f"{stem}.{major}" for major in _OTHER_MAJORS)):
            (root / "lib" / name).symlink_to(library)
    (root / "include").symlink_to(include_dir())
    _write(root / ".info" / "version", f"{HIP_VERSION}-anyhip\n")
    _write(root / "share" / "hip" / "version", _version_file())
    for name, (module, function, argument) in _COMMANDS.items():
        _command(root / name, module, function, argument)
    _write(root / "bin" / ".hipVersion", _version_file())
    for name, words in _tools(toolchain.find()).items():
        _script(root / "lib" / "llvm" / "bin" / name, " ".join(shlex.quote(word) for word in words))
    for name, target in _LINKS.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to(target)
    for package in _PACKAGES:
        _package(root / "lib" / "cmake" / package, package)


def _tools(chosen: toolchain.Toolchain) -> dict[str, tuple[str, ...]]:
    """What lies beside clang, by LLVM's names: archives are made with these where there are no binutils."""
    ranlib = (chosen.clang[0], "ranlib") if chosen.kind == "zig" else (str(chosen.root / "llvm-ranlib"),)
    return {"ld.lld": chosen.lld, "llvm-ar": chosen.archiver, "llvm-ranlib": ranlib}


def _numbers() -> dict[str, str]:
    return dict(zip(("MAJOR", "MINOR", "PATCH"), HIP_VERSION.split("."), strict=True))


def _version_file() -> str:
    return "".join(f"HIP_VERSION_{name}={number}\n" for name, number in _numbers().items())


def _package(folder: Path, package: str) -> None:
    """A CMake package: its configuration and its version, with the numbers filled in."""
    numbers = {"VERSION": HIP_VERSION, **_numbers()}
    for source, name in ((f"{package}-config.cmake", ""), ("config-version.cmake", f"{package}-")):
        text = (_CMAKE / source).read_text()
        for word, value in numbers.items():
            text = text.replace(f"@{word}@", value)
        _write(folder / f"{name}{source}", text)


def _command(path: Path, module: str, function: str, argument: str) -> None:
    """A command of ours, run by the Python and the anyhip that made this folder."""
    package = Path(__file__).resolve().parent.parent.parent
    add = f"PYTHONPATH={shlex.quote(str(package))}${{PYTHONPATH:+:$PYTHONPATH}}"
    code = f"import sys; from {module} import {function}; sys.exit({function}({argument and repr(argument)}))"
    _script(path, f"{shlex.quote(_python())} -c {shlex.quote(code)}", add)


def _script(path: Path, command: str, variable: str = "") -> None:
    _write(path, f'#!/bin/sh\n{variable}{variable and " "}exec {command} "$@"\n')
    path.chmod(path.stat().st_mode | 0o111)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
