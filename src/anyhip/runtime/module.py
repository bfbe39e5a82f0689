"""Modules: code objects loaded on a device, with their kernels and variables."""

from __future__ import annotations

import itertools
import os
from typing import TYPE_CHECKING

from anyhip.errors import CodeObjectError, HipError
from anyhip.runtime.kernel import Kernel

if TYPE_CHECKING:
    from anyhip.runtime.device import Device

__all__ = ["Module", "find", "load_data", "load_file"]

_handles = itertools.count(0x10000, 0x10)
_modules: dict[int, Module] = {}


class Module:
    """A code object loaded on one device.

    Attributes:
        handle: what hipModule_t holds.
        loaded: the backend's module.
    """

    __slots__ = ("_kernels", "device", "handle", "loaded")

    def __init__(self, device: Device, data: bytes) -> None:
        from anyhip.codeobj import bundle

        try:
            code = device.backend.select(bundle.unbundle(data))
        except CodeObjectError as error:
            raise HipError("hipErrorInvalidImage", error.message, error.hint) from error
        self.device = device
        self.loaded = device.backend.load(code)
        self.handle = next(_handles)
        self._kernels: dict[str, Kernel] = {}
        _modules[self.handle] = self

    def kernel(self, name: str) -> Kernel:
        """The kernel of that (mangled) name.

        Raises:
            HipError: hipErrorNotFound, naming what there is.
        """
        kernel = self._kernels.get(name)
        if kernel is None:
            try:
                number = self.loaded.kernel(name)
            except KeyError:
                raise HipError("hipErrorNotFound", f"no kernel {name!r}", self._there_is()) from None
            kernel = self._kernels[name] = Kernel(self, name, number)
        return kernel

    @property
    def kernel_names(self) -> list[str]:
        """Every kernel that can be launched."""
        return [name for name, info in self.loaded.code.kernels.items() if info.kind == "normal"]

    def symbol(self, name: str) -> tuple[int, int]:
        """Address and size of a device variable.

        Raises:
            HipError: hipErrorNotFound.
        """
        try:
            return self.loaded.symbol(name)
        except KeyError:
            raise HipError("hipErrorNotFound", f"no device variable {name!r}") from None

    def unload(self) -> None:
        """Free the module after the device's work.

        Raises:
            HipError: hipErrorNotFound when it was unloaded before.
        """
        if _modules.pop(self.handle, None) is None:
            raise HipError("hipErrorNotFound", "the module was unloaded before")
        if self.device.fault is None:
            self.device.sync()
        for kernel in self._kernels.values():
            kernel.forget()
        self.loaded.unload()

    def _there_is(self) -> str:
        names = self.kernel_names
        shown = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
        return f'the module has {shown or "no kernels"}; C++ names are mangled unless declared extern "C"'


def load_data(device: Device, data: bytes) -> Module:
    """Load an ELF file or an offload bundle.

    Raises:
        HipError: hipErrorInvalidImage; hipErrorNoBinaryForGpu when nothing in it fits the device.
    """
    if not data:
        raise HipError("hipErrorInvalidImage", "the image is empty")
    return Module(device, data)


def load_file(device: Device, path: str) -> Module:
    """Load a file.

    Raises:
        HipError: hipErrorFileNotFound, else as :func:`load_data`.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise HipError("hipErrorFileNotFound", f"{os.fspath(path)}: {error.strerror}") from error
    return load_data(device, data)


def find(handle: int) -> Module:
    """The module that a hipModule_t names.

    Raises:
        HipError: hipErrorInvalidResourceHandle's number.
    """
    module = _modules.get(handle)
    if module is None:
        raise HipError("hipErrorInvalidHandle", f"{handle:#x} is not a module, or one already unloaded")
    return module
