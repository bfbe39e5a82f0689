"""What executables register before main: fat binaries, kernels by host address, device variables.

Nothing is read when it is registered: a fat binary is unbundled and loaded on a device at the first launch or
symbol use there, so that a program built for other devices still starts, and says what it holds when it
matters.
"""

from __future__ import annotations

import ctypes
import struct
from _thread import allocate_lock
from typing import TYPE_CHECKING, NamedTuple

from anyhip.errors import HipError
from anyhip.runtime import image, memory
from anyhip.runtime.module import Module, load_data

if TYPE_CHECKING:
    from anyhip.runtime.device import Device
    from anyhip.runtime.kernel import Kernel

__all__ = ["FatBinary", "host_kernel", "symbol", "unregister"]

WRAPPER_MAGIC = 0x48495046  # "HIPF": CodeGen/CGCUDANV.cpp of clang


class _Variable(NamedTuple):
    binary: FatBinary
    name: str
    size: int


class _Managed(NamedTuple):
    name: str
    address: int


class FatBinary:
    """One ``__hipRegisterFatBinary``: a pointer to a bundle, and its modules by device.

    Args:
        wrapper: address of clang's wrapper record (magic, version, pointer to the bundle, unused).
    """

    def __init__(self, wrapper: int) -> None:
        magic, _, self._image = struct.unpack("<IIQ", ctypes.string_at(wrapper, 16))
        if magic != WRAPPER_MAGIC:
            raise HipError("hipErrorInvalidImage", f"a fat binary record that starts with {magic:#x}")
        self._modules: dict[Device, Module] = {}
        self._lock = allocate_lock()
        self.managed: list[_Managed] = []

    def module(self, device: Device) -> Module:
        """The code for a device, loaded at the first call.

        Raises:
            HipError: hipErrorNoBinaryForGpu, naming what the file holds.
        """
        module = self._modules.get(device)
        if module is None:
            with self._lock:  # two threads' first launches must share one copy of the variables
                module = self._modules.get(device) or self._load(device)
        return module

    def _load(self, device: Device) -> Module:
        if self.managed and device.kind == "nvidia":  # its variables are no pointers that could be set below
            raise HipError(
                "hipErrorNotSupported",
                f"__managed__ variables ({self.managed[0].name}) are not there on NVIDIA GPUs",
                "allocate them with hipMallocManaged and pass their addresses to the kernels",
            )
        module = load_data(device, image.read(self._image))
        for variable in self.managed:
            where, _ = module.symbol(variable.name)
            pointer = ctypes.c_uint64(variable.address)
            device.backend.copy(device.backend.default_stream, where, ctypes.addressof(pointer), 8)
            device.backend.wait_stream(device.backend.default_stream)
        self._modules[device] = module
        return module

    def unload(self) -> None:
        """Free what was loaded of it."""
        for module in self._modules.values():
            module.unload()
        self._modules.clear()


_binaries: dict[int, FatBinary] = {}
_functions: dict[int, tuple[FatBinary, str]] = {}
_variables: dict[int, _Variable] = {}


def binary(key: int, wrapper: int) -> None:
    """__hipRegisterFatBinary: ``key`` names it in the calls that follow."""
    _binaries[key] = FatBinary(wrapper)


def function(key: int, host: int, name: str) -> None:
    """__hipRegisterFunction."""
    _functions[host] = (_binaries[key], name)


def variable(key: int, host: int, name: str, size: int) -> None:
    """__hipRegisterVar."""
    _variables[host] = _Variable(_binaries[key], name, size)


def managed_variable(device: Device, key: int, pointer: int, initial: int, name: str, size: int) -> None:
    """__hipRegisterManagedVar: allocate it, copy its initial value, and point the program at it."""
    address = memory.allocate(device, size, memory.MANAGED)
    allocation = memory.find(address)
    assert allocation is not None
    allocation.lasting = True
    ctypes.memmove(address, initial, size)
    ctypes.c_uint64.from_address(pointer).value = address
    owner = _binaries[key]
    owner.managed.append(_Managed(name, address))
    _variables[pointer] = _Variable(owner, name, size)


def unregister(key: int) -> None:
    """__hipUnregisterFatBinary: a library is unloaded."""
    gone = _binaries.pop(key, None)
    if gone is None:
        return
    for host in [host for host, (owner, _) in _functions.items() if owner is gone]:
        del _functions[host]
    for host in [host for host, known in _variables.items() if known.binary is gone]:
        del _variables[host]
    gone.unload()


def host_kernel(device: Device, host: int) -> Kernel:
    """The kernel that a host function stands for.

    Raises:
        HipError: hipErrorInvalidDeviceFunction for an address nobody registered.
    """
    known = _functions.get(host)
    if known is None:
        raise HipError(
            "hipErrorInvalidDeviceFunction",
            f"{host:#x} is not a kernel of this program",
            "pass the __global__ function itself",
        )
    owner, name = known
    return owner.module(device).kernel(name)


def symbol(device: Device, host: int) -> tuple[int, int]:
    """Device address and size of the variable whose host shadow is at an address.

    Raises:
        HipError: hipErrorInvalidSymbol.
    """
    known = _variables.get(host)
    if known is None:
        raise HipError("hipErrorInvalidSymbol", f"{host:#x} is not a device variable of this program")
    for managed in known.binary.managed:
        if managed.name == known.name:
            return managed.address, known.size
    return known.binary.module(device).symbol(known.name)[0], known.size
