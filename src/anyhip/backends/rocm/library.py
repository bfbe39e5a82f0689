"""The machine's ``libamdhip64``: looked for by path, opened beside AnyHIP's own, its answers as exceptions.

AnyHIP's C library has the same name and the same functions, and a program may have loaded it. So the system's
is never asked for by name alone, its calls to itself stay in it (RTLD_DEEPBIND), and a file that is AnyHIP's
is passed over.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from anyhip import config, tables
from anyhip.backends.installed import AbsentError
from anyhip.errors import DeviceFault, HipError

__all__ = ["AbsentError", "Library", "candidates", "load"]

NOT_READY = "hipErrorNotReady"
_NAMES = ("libamdhip64.so.8", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so")  # newest first
_OURS = b"anyhip.sdk"  # the Python package that our library starts; no other has it
_DEEPBIND = getattr(os, "RTLD_DEEPBIND", 0)
# After these the runtime accepts no more work: what a kernel did, not what a call was given.
_FAULTS = {
    "hipErrorIllegalAddress": "accessed memory that is not there",
    "hipErrorLaunchFailure": "failed",
    "hipErrorLaunchTimeOut": "took too long",
    "hipErrorAssert": "failed an assertion",
    "hipErrorECCNotCorrectable": "met a memory error",
}


class Library:
    """The functions of one ``libamdhip64``.

    Args:
        path: its file.

    Attributes:
        ffi: makes and reads C data.
        lib: the functions, by their names in ``functions.h``.

    Raises:
        AbsentError: it cannot be loaded.
    """

    def __init__(self, path: Path) -> None:
        import cffi

        self.path = path
        self.ffi = cffi.FFI()
        text = Path(__file__).with_name("functions.h").read_text(encoding="utf-8")
        self.ffi.cdef(text)
        try:
            self.lib: Any = self.ffi.dlopen(str(path), os.RTLD_NOW | os.RTLD_LOCAL | _DEEPBIND)
        except OSError as error:
            raise AbsentError(f"{path} does not load: {error}", "reinstall ROCm's HIP runtime") from error
        self._names = {int(row["number"]): row["name"] for row in tables.load("errors")}

    def name(self, status: int) -> str:
        """A hipError_t by name; hipErrorUnknown for one that AnyHIP does not know."""
        return self._names.get(status, "hipErrorUnknown")

    def check(self, status: int, what: str) -> None:
        """Raise what an answer other than hipSuccess means.

        Args:
            what: the function that was called.

        Raises:
            DeviceFault: a kernel did what the device forbids.
            HipError: the call failed.
        """
        if not status:
            return
        name = self.name(status)
        if name in _FAULTS:
            raise DeviceFault(
                name, f"a kernel {_FAULTS[name]}, says {what}", "run it on ANYHIP_DEVICE=virtual"
            )
        text = self.ffi.string(self.lib.hipGetErrorString(status)).decode(errors="replace")
        raise HipError(name, f"{what}: {text}")

    def call(self, function: str, *args: Any) -> None:
        """Call a function that only says whether it worked."""
        self.check(getattr(self.lib, function)(*args), function)

    def get(self, kind: str, function: str, *args: Any) -> Any:
        """Call a function whose first parameter is where its result goes; ``kind`` is the result's C type."""
        place = self.ffi.new(f"{kind} *")
        self.check(getattr(self.lib, function)(place, *args), function)
        return place[0]

    def ready(self, function: str, handle: int) -> bool:
        """The answer of hipStreamQuery or hipEventQuery."""
        status = getattr(self.lib, function)(handle)
        if status and self.name(status) == NOT_READY:
            return False
        self.check(status, function)
        return True


def load() -> Library:
    """The system's library.

    Raises:
        AbsentError: there is none but AnyHIP's own, or it does not load.
    """
    passed_over = []
    for path in candidates():
        if _is_ours(path):
            passed_over.append(str(path))
            continue
        return Library(path)
    also = f" ({', '.join(passed_over)} is AnyHIP's own)" if passed_over else ""
    raise AbsentError(
        f"no libamdhip64 of ROCm's was found{also}", "install ROCm, or set ROCM_PATH to its folder"
    )


def candidates() -> Iterator[Path]:
    """Files that may be the system's library: in ROCM_PATH, in ROCm's usual place, where the loader looks."""
    roots = [config.get_path("ROCM_PATH"), config.get_path("HIP_PATH"), Path("/opt/rocm")]
    folders = [root / part for root in roots if root is not None for part in ("lib", "lib64")]
    folders += [Path(place) for place in os.environ.get("LD_LIBRARY_PATH", "").split(":") if place]
    folders += [Path("/usr/lib") / f"{os.uname().machine}-linux-gnu", Path("/usr/lib64"), Path("/usr/lib")]
    seen: set[Path] = set()
    for folder in folders:
        for name in _NAMES:
            path = folder / name
            if path.is_file() and path.resolve() not in seen:
                seen.add(path.resolve())
                yield path


def _is_ours(path: Path) -> bool:
    return _OURS in path.read_bytes()
