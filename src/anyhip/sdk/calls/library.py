# ruff: noqa: D103 (the functions are HIP's own, and documented as such)
"""Libraries: code that belongs to no device, loaded on each at its first use there."""

from __future__ import annotations

import itertools
from typing import Any

from anyhip.errors import HipError
from anyhip.runtime import device as devices_
from anyhip.runtime import image
from anyhip.runtime.device import Device
from anyhip.runtime.kernel import Kernel
from anyhip.runtime.module import Module, load_data
from anyhip.sdk.calls import module as module_calls
from anyhip.sdk.types import ffi, number, put, put_handle, text, view

_handles = itertools.count(0x10000, 0x10)
_libraries: dict[int, _Library] = {}
_kernels: dict[int, _LibraryKernel] = {}


class _Library:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.handle = next(_handles)
        self.kernels: dict[str, _LibraryKernel] = {}
        self._modules: dict[Device, Module] = {}

    def on(self, device: Device) -> Module:
        if device not in self._modules:
            self._modules[device] = load_data(device, self.data)
        return self._modules[device]

    def kernel(self, name: str) -> _LibraryKernel:
        if name not in self.kernels:
            self.on(devices_.current()).kernel(name)
            self.kernels[name] = _LibraryKernel(self, name)
        return self.kernels[name]

    def unload(self) -> None:
        del _libraries[self.handle]
        for kernel in self.kernels.values():
            del _kernels[kernel.handle]
        for module in self._modules.values():
            module.unload()


class _LibraryKernel:
    def __init__(self, library: _Library, name: str) -> None:
        self.library = library
        self.name = name
        self.c_name: Any = ffi.new("char[]", name.encode())
        self.handle = next(_handles)
        _kernels[self.handle] = self

    def on(self, device: Device) -> Kernel:
        return self.library.on(device).kernel(self.name)


def _library(handle: int) -> _Library:
    if handle not in _libraries:
        raise HipError("hipErrorInvalidHandle", f"{handle:#x} is not a library, or one already unloaded")
    return _libraries[handle]


def _kernel(handle: int) -> _LibraryKernel:
    if handle not in _kernels:
        raise HipError("hipErrorInvalidHandle", f"{handle:#x} is not a kernel of a library")
    return _kernels[handle]


def _make(handle: int, data: bytes) -> None:
    library = _Library(data)
    library.on(devices_.current())  # errors of the image are this call's errors
    _libraries[library.handle] = library
    put_handle(handle, library.handle)


def hipLibraryLoadData(
    handle: int, data: int, jit: int, jit_values: int, jits: int, options: int, values: int, count: int
) -> None:
    """The options steer a JIT compiler; code objects need none."""
    if not handle:
        raise HipError("hipErrorInvalidValue", "a null hipLibrary_t *")
    _make(handle, image.read(data))


def hipLibraryLoadFromFile(
    handle: int, path: int, jit: int, jit_values: int, jits: int, options: int, values: int, count: int
) -> None:
    """The options steer a JIT compiler; code objects need none."""
    name = text(path)
    if not handle:
        raise HipError("hipErrorInvalidValue", "a null hipLibrary_t *")
    try:
        with open(name, "rb") as file:
            data = file.read()
    except OSError as error:
        raise HipError("hipErrorFileNotFound", f"{name}: {error.strerror}") from error
    _make(handle, data)


def hipLibraryUnload(handle: int) -> None:
    _library(handle).unload()


def hipLibraryGetKernel(kernel: int, handle: int, name: int) -> None:
    put_handle(kernel, _library(handle).kernel(text(name)).handle)


def hipLibraryGetKernelCount(count: int, handle: int) -> None:
    put("unsigned int *", count, len(_library(handle).on(devices_.current()).kernel_names))


def hipLibraryEnumerateKernels(kernels: int, count: int, handle: int) -> None:
    library = _library(handle)
    names = library.on(devices_.current()).kernel_names[:count]
    slots = view("uintptr_t *", kernels)
    for i, name in enumerate(names):
        slots[i] = library.kernel(name).handle


def hipLibraryGetGlobal(address: int, size: int, handle: int, name: int) -> None:
    where, length = _library(handle).on(devices_.current()).symbol(text(name))
    if address:
        put_handle(address, where)
    if size:
        put("size_t *", size, length)


def hipKernelGetFunction(function: int, handle: int) -> None:
    put_handle(function, _kernel(handle).on(devices_.current()).handle)


def hipKernelGetLibrary(library: int, handle: int) -> None:
    put_handle(library, _kernel(handle).library.handle)


def hipKernelGetName(name: int, handle: int) -> None:
    put_handle(name, number(_kernel(handle).c_name))


def hipKernelGetAttribute(value: int, attribute: int, handle: int, device: int) -> None:
    module_calls.hipFuncGetAttribute(value, attribute, _kernel(handle).on(devices_.get(device)).handle)
