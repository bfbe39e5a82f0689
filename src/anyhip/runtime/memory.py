"""Memory: what was allocated or registered, by address; allocation, freeing and lookups inside of
allocations.
"""

from __future__ import annotations

import bisect
import itertools
from _thread import allocate_lock

from anyhip.errors import HipError
from anyhip.runtime import device as devices_
from anyhip.runtime.device import Device
from anyhip.runtime.stream import Stream

__all__ = ["Allocation", "allocate", "find", "free", "free_async", "register", "unregister"]

DEVICE, HOST, MANAGED, REGISTERED = "device", "host", "managed", "registered"
_ids = itertools.count(1)


class Allocation:
    """A range of memory that HIP knows.

    Attributes:
        kind: device, host, managed or registered (host memory of the program's own).
        flags: as given to the call that made it.
        pool: it came from a memory pool, so that freeing it does not wait for the device.
        lasting: it holds a variable of the program, which outlives hipDeviceReset.
    """

    __slots__ = ("address", "device", "flags", "id", "kind", "lasting", "pool", "size")

    def __init__(self, address: int, size: int, kind: str, device: Device, flags: int, pool: bool) -> None:
        self.address = address
        self.size = size
        self.kind = kind
        self.device = device
        self.flags = flags
        self.pool = pool
        self.id = next(_ids)
        self.lasting = False


_by_address: dict[int, Allocation] = {}
_addresses: list[int] = []
_lock = allocate_lock()


def allocate(device: Device, size: int, kind: str = DEVICE, flags: int = 0, pool: bool = False) -> int:
    """Memory of ``size`` bytes; its address.

    Raises:
        HipError: hipErrorOutOfMemory; hipErrorInvalidValue for a size below 1.
    """
    if size <= 0:
        raise HipError("hipErrorInvalidValue", f"an allocation of {size} bytes")
    if kind == DEVICE and size > device.backend.memory_info()[1]:
        free_bytes, total = device.backend.memory_info()
        raise HipError("hipErrorOutOfMemory", f"{size} bytes asked for, {free_bytes} of {total} are free")
    address = device.backend.allocate(size, kind)
    _remember(Allocation(address, size, kind, device, flags, pool))
    return address


def register(device: Device, address: int, size: int, flags: int = 0) -> None:
    """Let the devices use host memory of the program's own (hipHostRegister).

    Raises:
        HipError: hipErrorInvalidValue, or hipErrorHostMemoryAlreadyRegistered when it overlaps a known range.
    """
    if not address or size <= 0:
        raise HipError("hipErrorInvalidValue", "a null pointer or an empty range")
    if find(address) or find(address + size - 1):
        raise HipError("hipErrorHostMemoryAlreadyRegistered", f"{address:#x}")
    device.backend.register_host(address, size)
    _remember(Allocation(address, size, REGISTERED, device, flags, False))


def unregister(address: int) -> None:
    """Undo :func:`register`.

    Raises:
        HipError: hipErrorHostMemoryNotRegistered.
    """
    allocation = _by_address.get(address)
    if allocation is None or allocation.kind != REGISTERED:
        raise HipError("hipErrorHostMemoryNotRegistered", f"{address:#x}")
    _forget(allocation)
    allocation.device.backend.unregister_host(address)


def find(address: int) -> Allocation | None:
    """The allocation that an address lies in."""
    with _lock:
        position = bisect.bisect_right(_addresses, address) - 1
        if position < 0:
            return None
        allocation = _by_address[_addresses[position]]
    return allocation if address < allocation.address + allocation.size else None


def free(address: int, kinds: tuple[str, ...] = (DEVICE, MANAGED)) -> None:
    """Free memory after the work of its device (hipFree, hipHostFree); null is nothing.

    Raises:
        HipError: hipErrorInvalidValue for an address that no allocation of these kinds starts at, so for a
            second free too.
    """
    if not address:
        return
    allocation = _by_address.get(address)
    if allocation is None or allocation.kind not in kinds:
        raise HipError("hipErrorInvalidValue", _not_freeable(address, allocation))
    if allocation.device.fault is None and not allocation.pool:
        allocation.device.sync()
    _forget(allocation)
    allocation.device.backend.free(address)


def _not_freeable(address: int, allocation: Allocation | None) -> str:
    inside = allocation or find(address)
    if allocation is not None:
        return f"{address:#x} is {allocation.kind} memory, which this call does not free"
    if inside is not None:
        return f"{address:#x} lies {address - inside.address} bytes inside an allocation"
    return f"{address:#x} is no allocation, or was freed before"


def free_async(address: int, stream: Stream) -> None:
    """Free memory in a stream's order (hipFreeAsync); null is nothing.

    Raises:
        HipError: hipErrorInvalidValue for an address that no device allocation starts at.
    """
    if not address:
        return
    allocation = _by_address.get(address)
    if allocation is None or allocation.kind != DEVICE:
        raise HipError("hipErrorInvalidValue", _not_freeable(address, allocation))
    stream.device.check()
    _forget(allocation)
    backend = allocation.device.backend
    stream.device.backend.host_call(stream.queue, lambda: backend.free(address))


def used(device: Device, pool: bool) -> int:
    """Bytes allocated on a device, from pools or otherwise."""
    return sum(a.size for a in list(_by_address.values()) if a.device is device and a.pool is pool)


def drop_all(device: Device) -> None:
    """Free every allocation of a device (hipDeviceReset)."""
    for allocation in [a for a in _by_address.values() if a.device is device and not a.lasting]:
        _forget(allocation)
        if allocation.kind == REGISTERED:
            device.backend.unregister_host(allocation.address)
        else:
            device.backend.free(allocation.address)


def current_allocate(size: int, kind: str = DEVICE, flags: int = 0) -> int:
    """Allocate on the calling thread's device."""
    return allocate(devices_.current(), size, kind, flags)


def _remember(allocation: Allocation) -> None:
    with _lock:
        _by_address[allocation.address] = allocation
        bisect.insort(_addresses, allocation.address)


def _forget(allocation: Allocation) -> None:
    with _lock:
        del _by_address[allocation.address]
        position = bisect.bisect_left(_addresses, allocation.address)
        del _addresses[position]
