"""The CUDA driver's library: ``libcuda.so.1`` in, its functions and errors out.

cffi calls it without a compiled module: a launch costs half of what ctypes takes, and less than the driver's
own Python package. The declarations (``driver.h``) are parsed once, and kept in the cache as Python.
"""

from __future__ import annotations

import importlib.util
from functools import cache as once
from pathlib import Path
from typing import Any, NamedTuple

from anyhip import cache, tables
from anyhip.errors import AnyHipError, DeviceFault, HipError

__all__ = ["AbsentError", "Driver", "Result", "load", "result"]

LIBRARY = "libcuda.so.1"
SUCCESS, NOT_READY = 0, 600
_HEADER = Path(__file__).with_name("driver.h")
_TYPES_MODULE = "anyhip_cuda_types"
_TELL_MORE = "run it with ANYHIP_DEVICE=virtual, which names the work-item, the address and the source line"


class AbsentError(AnyHipError):
    """There is no driver, or it finds no device; the message says which."""


class Result(NamedTuple):
    """One CUresult.

    Attributes:
        name: as CUDA spells it.
        hip: name of the hipError_t that it becomes.
        fault: for errors that end all work of the device until it is reset, what a kernel did.
    """

    name: str
    hip: str
    fault: str


@once
def _results() -> dict[int, Result]:
    path = Path(__file__).with_name("errors.tsv")
    rows = tables.parse(path.read_text(encoding="utf-8"), path.name)
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

    def check(self, status: int, what: str = "") -> None:
        """Raise what a CUresult other than success means.

        Args:
            what: what was tried, for the message.

        Raises:
            DeviceFault: a kernel did what the device forbids; everything fails until the device is reset.
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


def types() -> Any:
    """A cffi object that knows ``driver.h``."""
    text = _HEADER.read_text(encoding="utf-8")
    key = cache.digest(text, _cffi_version())
    path = cache.build(cache.path("nvidia", key, ".py"), lambda target: _write_types(target, text))
    spec = importlib.util.spec_from_file_location(_TYPES_MODULE, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.ffi


def _cffi_version() -> str:
    import _cffi_backend

    return str(_cffi_backend.__version__)


def _write_types(target: Path, text: str) -> None:
    import cffi
    from cffi.recompiler import make_py_source

    ffi = cffi.FFI()
    ffi.cdef(text)
    make_py_source(ffi, _TYPES_MODULE, str(target))


@once
def load() -> Driver:
    """The driver, initialised.

    Raises:
        AbsentError: there is none, or it does not start.
    """
    ffi = types()
    try:
        driver = Driver(ffi, ffi.dlopen(LIBRARY))
    except OSError as error:
        raise AbsentError(f"there is no NVIDIA driver: {error}", "install NVIDIA's driver") from error
    status = driver.lib.cuInit(0)
    if status != SUCCESS:
        raise AbsentError(
            f"the NVIDIA driver does not start: {result(status).name}: {driver.sentence(status)}",
            "see what `nvidia-smi` says",
        )
    return driver
