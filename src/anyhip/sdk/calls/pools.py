# ruff: noqa: D103 (the functions are HIP's own, and documented as such)
"""Stream-ordered allocation and memory pools."""

from __future__ import annotations

from anyhip.errors import HipError
from anyhip.runtime import device as devices_
from anyhip.runtime import memory, pool, stream
from anyhip.sdk.types import put, put_handle, view

_INT_ATTRIBUTES = (1, 2, 3)
_DEVICE_LOCATION = 1  # hipMemLocationTypeDevice
_PINNED = 1  # hipMemAllocationTypePinned


def _store(pointer: int, size: int, owner: pool.Pool, handle: int) -> None:
    if not pointer:
        raise HipError("hipErrorInvalidValue", "a null void **")
    stream.find(handle).device.check()
    put_handle(pointer, 0)
    if size:
        put_handle(pointer, owner.allocate(size))


def hipMallocAsync(pointer: int, size: int, handle: int) -> None:
    _store(pointer, size, pool.current(stream.find(handle).device), handle)


def hipMallocFromPoolAsync(pointer: int, size: int, pool_handle: int, handle: int) -> None:
    _store(pointer, size, pool.find(pool_handle), handle)


def hipFreeAsync(address: int, handle: int) -> None:
    memory.free_async(address, stream.find(handle))


def hipDeviceGetDefaultMemPool(handle: int, number: int) -> None:
    put_handle(handle, pool.default(devices_.get(number)).handle)


def hipDeviceGetMemPool(handle: int, number: int) -> None:
    put_handle(handle, pool.current(devices_.get(number)).handle)


def hipDeviceSetMemPool(number: int, handle: int) -> None:
    pool.set_current(devices_.get(number), pool.find(handle))


def hipMemPoolCreate(handle: int, properties: int) -> None:
    p = view("hipMemPoolProps *", properties)
    if int(p.allocType) != _PINNED or int(p.location.type) != _DEVICE_LOCATION:
        raise HipError("hipErrorInvalidValue", "pools hold pinned memory of a device")
    put_handle(handle, pool.Pool(devices_.get(p.location.id)).handle)


def hipMemPoolDestroy(handle: int) -> None:
    pool.find(handle).close()


def hipMemPoolTrimTo(handle: int, keep: int) -> None:
    """Freed memory goes back to the device at once, so there is nothing to trim."""
    pool.find(handle)


def hipMemPoolGetAttribute(handle: int, attribute: int, value: int) -> None:
    answer = pool.find(handle).attribute(attribute)
    put("int *" if attribute in _INT_ATTRIBUTES else "uint64_t *", value, answer)


def hipMemPoolSetAttribute(handle: int, attribute: int, value: int) -> None:
    type_ = "int *" if attribute in _INT_ATTRIBUTES else "uint64_t *"
    pool.find(handle).set_attribute(attribute, view(type_, value)[0])
