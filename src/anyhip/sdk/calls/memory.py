# ruff: noqa: D103 (the functions are HIP's own, and documented as such)
"""Memory: allocation, freeing, host memory, pointers."""

from __future__ import annotations

from typing import Any

from anyhip.errors import HipError
from anyhip.runtime import device as devices_
from anyhip.runtime import memory, registration
from anyhip.runtime.memory import DEVICE, HOST, MANAGED, REGISTERED
from anyhip.sdk.types import number, put, put_handle, view

_TYPES = {DEVICE: 2, HOST: 1, MANAGED: 3, REGISTERED: 1}  # hipMemoryType
_HOST_FLAGS = 0x7 | 0xF0000000
_REGISTER_FLAGS = 0xF | 0x80000000
_MANAGED_FLAGS = (0x1, 0x2)
_EXT_FLAGS = (0x0, 0x1, 0x2, 0x3, 0x4)
_PITCH = 256


def _store(pointer: int, size: int, kind: str = DEVICE, flags: int = 0) -> None:
    """Allocate into ``*pointer``; no bytes give a null pointer and success."""
    if not pointer:
        raise HipError("hipErrorInvalidValue", "a null void **")
    put_handle(pointer, 0)
    if size:
        put_handle(pointer, memory.current_allocate(size, kind, flags))


def hipMalloc(pointer: int, size: int) -> None:
    _store(pointer, size)


def hipExtMallocWithFlags(pointer: int, size: int, flags: int) -> None:
    if flags not in _EXT_FLAGS:
        raise HipError("hipErrorInvalidValue", f"flags {flags:#x}")
    _store(pointer, size, DEVICE, flags)


def hipFree(address: int) -> None:
    memory.free(address, (DEVICE, MANAGED))


def hipHostMalloc(pointer: int, size: int, flags: int) -> None:
    coherent = flags & 0xC0000000
    if flags & ~_HOST_FLAGS or coherent == 0xC0000000:
        raise HipError("hipErrorInvalidValue", f"flags {flags:#x}")
    _store(pointer, size, HOST, flags)


def hipHostAlloc(pointer: int, size: int, flags: int) -> None:
    hipHostMalloc(pointer, size, flags)


def hipMallocHost(pointer: int, size: int) -> None:
    hipHostMalloc(pointer, size, 0)


def hipMemAllocHost(pointer: int, size: int) -> None:
    hipHostMalloc(pointer, size, 0)


def hipHostFree(address: int) -> None:
    memory.free(address, (HOST,))


def hipFreeHost(address: int) -> None:
    memory.free(address, (HOST,))


def hipMallocManaged(pointer: int, size: int, flags: int) -> None:
    if flags not in _MANAGED_FLAGS:
        raise HipError("hipErrorInvalidValue", f"flags {flags:#x}")
    if not size:
        raise HipError("hipErrorInvalidValue", "no bytes")
    _store(pointer, size, MANAGED, flags)


def hipMallocPitch(pointer: int, pitch: int, width: int, height: int) -> None:
    aligned = -(-width // _PITCH) * _PITCH
    put("size_t *", pitch, aligned)
    _store(pointer, aligned * height)


def hipMemAllocPitch(pointer: int, pitch: int, width: int, height: int, element: int) -> None:
    if element not in (4, 8, 16):
        raise HipError("hipErrorInvalidValue", f"elements of {element} bytes")
    hipMallocPitch(pointer, pitch, width, height)


def hipMalloc3D(pitched: int, extent_at: int) -> None:
    made, extent = view("hipPitchedPtr *", pitched), view("hipExtent *", extent_at)
    aligned = -(-extent.width // _PITCH) * _PITCH
    size = aligned * extent.height * extent.depth
    address = memory.current_allocate(size) if size else 0
    made.pitch, made.xsize, made.ysize = aligned, extent.width, extent.height
    put_handle(pitched, address)  # ptr is the first field


def hipHostRegister(address: int, size: int, flags: int) -> None:
    if flags & ~_REGISTER_FLAGS:
        raise HipError("hipErrorInvalidValue", f"flags {flags:#x}")
    memory.register(devices_.current(), address, size, flags)


def hipHostUnregister(address: int) -> None:
    if not address:
        raise HipError("hipErrorInvalidValue", "a null pointer")
    memory.unregister(address)


def hipHostGetDevicePointer(device: int, host: int, flags: int) -> None:
    allocation = memory.find(host)
    if flags or allocation is None or allocation.kind == DEVICE:
        raise HipError("hipErrorInvalidValue", f"{host:#x} is not host memory that devices can use")
    put_handle(device, host)


def hipHostGetFlags(flags: int, host: int) -> None:
    allocation = memory.find(host)
    if allocation is None or allocation.kind not in (HOST, REGISTERED):
        raise HipError("hipErrorInvalidValue", f"{host:#x} is not pinned host memory")
    put("unsigned int *", flags, allocation.flags)


def hipMemGetInfo(free: int, total: int) -> None:
    bytes_free, bytes_total = devices_.current().memory_info()
    if free:
        put("size_t *", free, bytes_free)
    if total:
        put("size_t *", total, bytes_total)


def hipMemPtrGetInfo(address: int, size: int) -> None:
    allocation = memory.find(address)
    if allocation is None:
        raise HipError("hipErrorInvalidValue", f"{address:#x} is not an allocation")
    put("size_t *", size, allocation.size)


def hipMemGetAddressRange(base: int, size: int, address: int) -> None:
    allocation = memory.find(address)
    if allocation is None:
        raise HipError("hipErrorNotFound", f"{address:#x} is not an allocation")
    if base:
        put_handle(base, allocation.address)
    if size:
        put("size_t *", size, allocation.size)


def hipPointerGetAttributes(attributes: int, address: int) -> None:
    made = view("hipPointerAttribute_t *", attributes)
    allocation = memory.find(address)
    view("char *", attributes)[0 : 8 * 5] = bytes(8 * 5)
    if allocation is None:  # HIP 6 and later: unregistered memory is an answer, not an error
        made.device = -2  # hipInvalidDeviceId
        return
    made.type = _TYPES[allocation.kind]
    made.device = allocation.device.index
    made.isManaged = allocation.kind == MANAGED
    made.allocationFlags = allocation.flags
    put_handle(attributes + 8, address)
    put_handle(attributes + 16, 0 if allocation.kind == DEVICE else address)


def _attribute(attribute: int, allocation: memory.Allocation, address: int) -> tuple[str, Any]:
    """Type and value of a hipPointer_attribute."""
    host = address if allocation.kind != DEVICE else 0
    known: dict[int, tuple[str, Any]] = {
        1: ("uintptr_t *", allocation.device.index + 1),
        2: ("int *", _TYPES[allocation.kind]),
        3: ("uintptr_t *", address),
        4: ("uintptr_t *", host),
        6: ("int *", 0),
        7: ("unsigned long long *", allocation.id),
        8: ("int *", int(allocation.kind == MANAGED)),
        9: ("int *", allocation.device.index),
        11: ("uintptr_t *", allocation.address),
        12: ("size_t *", allocation.size),
        13: ("int *", 1),
    }
    if attribute not in known:
        raise HipError("hipErrorInvalidValue", f"pointer attribute {attribute}")
    return known[attribute]


def hipPointerGetAttribute(value: int, attribute: int, address: int) -> None:
    allocation = memory.find(address)
    if allocation is None:
        raise HipError("hipErrorInvalidValue", f"{address:#x} is not memory that HIP knows")
    type_, answer = _attribute(attribute, allocation, address)
    put(type_, value, answer)


def hipDrvPointerGetAttributes(count: int, attributes: int, values: int, address: int) -> None:
    numbers, slots = view("hipPointer_attribute *", attributes), view("void **", values)
    allocation = memory.find(address)
    for i in range(count):
        if allocation is None:
            put("uintptr_t *", number(slots[i]), 0)
        else:
            type_, answer = _attribute(int(numbers[i]), allocation, address)
            put(type_, number(slots[i]), answer)


def hipPointerSetAttribute(value: int, attribute: int, address: int) -> None:
    """Only HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS (6) can be set."""
    if not value or attribute != 6 or memory.find(address) is None:
        raise HipError("hipErrorInvalidValue", f"pointer attribute {attribute}")


def hipGetSymbolAddress(address: int, symbol: int) -> None:
    put_handle(address, registration.symbol(devices_.current(), symbol)[0])


def hipGetSymbolSize(size: int, symbol: int) -> None:
    put("size_t *", size, registration.symbol(devices_.current(), symbol)[1])
