"""The CUDA driver: ``libcuda.so.1`` in, its functions out, and what their answers mean."""

from __future__ import annotations

import ctypes
from functools import cache as once
from pathlib import Path
from typing import Any, NamedTuple

from anyhip import tables
from anyhip.backends.installed import AbsentError
from anyhip.backends.nvidia import native
from anyhip.errors import DeviceFault, HipError

__all__ = ["AbsentError", "Driver", "Result", "load", "result"]

LIBRARY = "libcuda.so.1"
SUCCESS, NOT_READY = 0, 600
_TELL_MORE = "run it with ANYHIP_DEVICE=virtual, which names the work-item, the address and the source line"


class Result(NamedTuple):
    """One CUresult.

    Attributes:
        name: as CUDA spells it.
        hip: name of the hipError_t that it becomes.
        fault: for errors that end all work of the process on the device, what a kernel did.
    """

    name: str
    hip: str
    fault: str


@once
def _results() -> dict[int, Result]:
    path = Path(__file__).with_name("errors.tsv")
    rows = tables.read(path)
    return {int(row["number"]): Result(row["name"], row["hip"], row["fault"]) for row in rows}


def result(number: int) -> Result:
    """What is known of a CUresult; hipErrorUnknown for one newer than the table."""
    return _results().get(number) or Result(f"CUresult {number}", "hipErrorUnknown", "")


class Driver:
    """The functions of the driver.

    Attributes:
        ffi: makes and reads C data.
        lib: the functions, by the names in ``driver.h``.
    """

    def __init__(self, ffi: Any, lib: Any) -> None:
        self.ffi = ffi
        self.lib = lib
        _results()  # read now: what is freed while Python shuts down may ask, and cannot read files

    def check(self, status: int, what: str = "") -> None:
        """Raise what a CUresult other than success means.

        Args:
            what: what was tried, for the message.

        Raises:
            DeviceFault: a kernel did what the device forbids; from then on everything fails.
            HipError: the call failed.
        """
        if status == SUCCESS:
            return
        known = result(status)
        if known.fault:
            raise DeviceFault(known.hip, f"a kernel {known.fault} ({known.name})", _TELL_MORE)
        said = f"{known.name}: {self.sentence(status)}"
        raise HipError(known.hip, f"{what}: {said}" if what else said)

    def sentence(self, status: int) -> str:
        """The driver's own words for an error."""
        text = self.ffi.new("const char **")
        if self.lib.cuGetErrorString(status, text) or text[0] == self.ffi.NULL:
            return "the driver does not say what that is"
        return str(self.ffi.string(text[0]).decode())

    def number(self, function: str, *args: Any) -> int:
        """Call a function whose first parameter is where an int goes.

        Raises:
            HipError: it failed.
        """
        value = self.ffi.new("int *")
        self.check(getattr(self.lib, function)(value, *args), function)
        return int(value[0])

    def handle(self, function: str, *args: Any) -> int:
        """Call a function whose first parameter is where a handle or an address goes.

        Raises:
            DeviceFault: earlier work of the device failed.
            HipError: it failed.
        """
        value = self.ffi.new("uintptr_t *")
        self.check(getattr(self.lib, function)(value, *args), function)
        return int(value[0])


@once
def load() -> Driver:
    """The driver, initialised.

    Raises:
        AbsentError: there is none, or it does not start.
    """
    try:
        ctypes.CDLL(LIBRARY)  # nothing is compiled for a driver that is not there
    except OSError as error:
        raise AbsentError(f"there is no NVIDIA driver: {error}", "install NVIDIA's driver") from error
    module = native.load()
    why = module.lib.anyhip_open(LIBRARY.encode())
    if why != module.ffi.NULL:
        said = module.ffi.string(why).decode(errors="replace")
        raise AbsentError(f"the NVIDIA driver does not load: {said}", "install NVIDIA's driver")
    driver = Driver(module.ffi, module.lib)
    status = driver.lib.cuInit(0)
    if status != SUCCESS:
        raise AbsentError(
            f"the NVIDIA driver does not start: {result(status).name}: {driver.sentence(status)}",
            "see what `nvidia-smi` says",
        )
    return driver
