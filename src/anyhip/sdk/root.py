"""A folder shaped like a ROCm installation: libraries under every name that is asked for, headers,
commands.
"""

from __future__ import annotations

import shlex
import sys
from functools import cache
from pathlib import Path

from anyhip import cache as store
from anyhip.sdk import abi
from anyhip.sdk.header import include_dir

__all__ = ["HIP_VERSION", "ensure"]

HIP_VERSION = (7, 2, 0)
_STEMS = {abi.HIP: "libamdhip64.so", abi.RTC: "libhiprtc.so"}
_OTHER_MAJORS = (6, 8)  # the same functions, for programs linked against another ROCm
_COMMANDS = {
    "hipcc": "anyhip.tools.hipcc",
    "hipconfig": "anyhip.tools.hipconfig",
}


@cache
def ensure() -> Path:
    """The folder, built into the cache at the first call and whenever something in it changes.

    Raises:
        ToolchainError: this Python has no shared library, or the compiler failed.
    """
    parts = [*abi.key_parts(), Path(__file__), sys.executable]
    return store.build(store.path("sdk", store.digest(*parts)), _make)


def _make(root: Path) -> None:
    root.mkdir(parents=True)
    abi.build(root)
    for library, stem in _STEMS.items():
        for name in (stem, *(f"{stem}.{major}" for major in _OTHER_MAJORS)):
            (root / "lib" / name).symlink_to(library)
    (root / "include").symlink_to(include_dir())
    _write(root / ".info" / "version", ".".join(map(str, HIP_VERSION)) + "-anyhip\n")
    _write(root / "share" / "hip" / "version", _version_file())
    for name, module in _COMMANDS.items():
        _script(root / "bin" / name, module)
    _write(root / "bin" / ".hipVersion", _version_file())


def _version_file() -> str:
    names = ("MAJOR", "MINOR", "PATCH")
    return "".join(f"HIP_VERSION_{name}={n}\n" for name, n in zip(names, HIP_VERSION, strict=True))


def _script(path: Path, module: str) -> None:
    """A command that runs a module with the Python and the anyhip that made this folder."""
    package = Path(__file__).resolve().parent.parent.parent
    python = shlex.quote(sys.executable)
    add = f"PYTHONPATH={shlex.quote(str(package))}${{PYTHONPATH:+:$PYTHONPATH}} "
    _write(path, f'#!/bin/sh\n{add}exec {python} -m {module} "$@"\n')
    path.chmod(path.stat().st_mode | 0o111)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
