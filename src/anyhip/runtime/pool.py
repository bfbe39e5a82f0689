"""Memory pools: owners of stream-ordered allocations, with the counters that HIP lets programs read."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from anyhip.errors import HipError
from anyhip.runtime import memory

if TYPE_CHECKING:
    from anyhip.runtime.device import Device

__all__ = ["Pool", "current", "default", "find", "set_current"]

# hipMemPoolAttr
_REUSE = (1, 2, 3)
RELEASE_THRESHOLD, RESERVED_NOW, RESERVED_HIGH, USED_NOW, USED_HIGH = range(4, 9)

_handles = itertools.count(0x10000, 0x10)
_pools: dict[int, Pool] = {}
_defaults: dict[int, Pool] = {}  # by device index
_currents: dict[int, Pool] = {}


class Pool:
    """A pool of a device's memory; what is freed goes back to the device at once."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.handle = next(_handles)
        self._ids: set[int] = set()
        self._settings = dict.fromkeys(_REUSE, 1) | {RELEASE_THRESHOLD: 0}
        self._high = 0
        _pools[self.handle] = self

    def allocate(self, size: int) -> int:
        """Address of new memory; HipError hipErrorOutOfMemory."""
        address = memory.allocate(self.device, size, pool=True)
        self._ids.add(address)
        self._high = max(self._high, self._used())
        return address

    def _used(self) -> int:
        known = {address: memory.find(address) for address in self._ids}
        live = {
            address: a for address, a in known.items() if a is not None and a.address == address and a.pool
        }
        self._ids = set(live)
        return sum(a.size for a in live.values())

    def attribute(self, number: int) -> int:
        """A hipMemPoolAttr; HipError hipErrorInvalidValue for one that HIP does not have."""
        if number in self._settings:
            return self._settings[number]
        if number in (RESERVED_NOW, USED_NOW):
            return self._used()
        if number in (RESERVED_HIGH, USED_HIGH):
            return self._high
        raise HipError("hipErrorInvalidValue", f"pool attribute {number}")

    def set_attribute(self, number: int, value: int) -> None:
        """Set one; high-water marks can only be reset to zero."""
        if number in (RESERVED_HIGH, USED_HIGH) and value == 0:
            self._high = 0
        elif number in self._settings:
            self._settings[number] = value
        else:
            raise HipError("hipErrorInvalidValue", f"pool attribute {number} = {value}")

    def close(self) -> None:
        """Destroy the pool; HipError hipErrorInvalidValue for a device's default one."""
        if self in _defaults.values():
            raise HipError("hipErrorInvalidValue", "a device's default pool cannot be destroyed")
        del _pools[self.handle]
        for index in [index for index, pool in _currents.items() if pool is self]:
            del _currents[index]


def default(device: Device) -> Pool:
    """The pool that every device has."""
    pool = _defaults.get(device.index)
    if pool is None or pool.device is not device:
        pool = _defaults[device.index] = Pool(device)
    return pool


def current(device: Device) -> Pool:
    """The pool that hipMallocAsync takes from."""
    pool = _currents.get(device.index)
    return pool if pool is not None and pool.device is device else default(device)


def set_current(device: Device, pool: Pool) -> None:
    """Let hipMallocAsync take from another pool; HipError hipErrorInvalidValue for one of another device."""
    if pool.device is not device:
        raise HipError("hipErrorInvalidValue", "the pool belongs to another device")
    _currents[device.index] = pool


def find(handle: int) -> Pool:
    """The pool that a hipMemPool_t names; HipError hipErrorInvalidValue."""
    pool = _pools.get(handle)
    if pool is None:
        raise HipError("hipErrorInvalidValue", f"{handle:#x} is not a memory pool")
    return pool
