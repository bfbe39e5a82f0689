# ruff: noqa: D103 (the functions are HIP's own, and documented as such)
"""Managed memory: advice and prefetching, which change where pages are and never what a program reads."""

from __future__ import annotations

from anyhip.errors import HipError
from anyhip.runtime import device as devices_
from anyhip.runtime import memory, stream
from anyhip.sdk.types import view

_HOST = -1  # hipCpuDeviceId
_ADVICE = (1, 2, 3, 4, 5, 6, 100, 101)
_ATTACH_FLAGS = (0x1, 0x2, 0x4)
_DEVICE_LOCATION = 1
_HOST_LOCATIONS = (2, 3, 4)  # hipMemLocationTypeHost, HostNuma, HostNumaCurrent


def _check(address: int, size: int, number: int) -> None:
    allocation = memory.find(address)
    if allocation is None or size <= 0 or address + size > allocation.address + allocation.size:
        raise HipError("hipErrorInvalidValue", f"{address:#x}+{size:#x} is not in one allocation")
    if number != _HOST:
        devices_.get(number)


def _location(at: int) -> int:
    place = view("hipMemLocation *", at)
    if int(place.type) in _HOST_LOCATIONS:
        return _HOST
    if int(place.type) != _DEVICE_LOCATION:
        raise HipError("hipErrorInvalidValue", f"memory location {int(place.type)}")
    return int(place.id)


def hipMemAdvise(address: int, size: int, advice: int, number: int) -> None:
    if advice not in _ADVICE:
        raise HipError("hipErrorInvalidValue", f"advice {advice}")
    _check(address, size, number)


def hipMemAdvise_v2(address: int, size: int, advice: int, location: int) -> None:
    hipMemAdvise(address, size, advice, _location(location))


def hipMemPrefetchAsync(address: int, size: int, number: int, handle: int) -> None:
    _check(address, size, number)
    stream.find(handle).device.check()


def hipMemPrefetchAsync_v2(address: int, size: int, location: int, flags: int, handle: int) -> None:
    if flags:
        raise HipError("hipErrorInvalidValue", f"flags {flags:#x}")
    hipMemPrefetchAsync(address, size, _location(location), handle)


def hipStreamAttachMemAsync(handle: int, address: int, size: int, flags: int) -> None:
    if not address or flags not in _ATTACH_FLAGS:
        raise HipError("hipErrorInvalidValue", f"a null pointer, or flags {flags:#x}")
    stream.find(handle).device.check()
