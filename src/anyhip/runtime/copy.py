"""Copies and fills: what may be copied where, in which order, and when the caller waits."""

from __future__ import annotations

import ctypes

from anyhip.errors import HipError
from anyhip.runtime import memory
from anyhip.runtime.stream import Stream

__all__ = ["copy", "copy_async", "copy_rect", "fill", "fill_rect"]

# hipMemcpyKind
HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT = range(5)
DEVICE_TO_DEVICE_NO_CU = 1024
_KINDS = frozenset((0, 1, 2, 3, 4, DEVICE_TO_DEVICE_NO_CU))
_STAGED = 64 * 1024  # a pageable source up to this size is read before the call returns, as drivers do

Pitched = tuple[int, int, int]
Extent = tuple[int, int, int]


def check_kind(kind: int) -> None:
    """Raise hipErrorInvalidMemcpyDirection for a number that is no hipMemcpyKind."""
    if kind not in _KINDS:
        raise HipError("hipErrorInvalidMemcpyDirection", f"{kind} is not a hipMemcpyKind")


def _check_range(address: int, size: int, role: str) -> memory.Allocation | None:
    """The allocation that a range lies in, None for pageable host memory.

    Raises:
        HipError: hipErrorInvalidValue for null, or when the range leaves its allocation.
    """
    if not address:
        raise HipError("hipErrorInvalidValue", f"the {role} is null")
    allocation = memory.find(address)
    if allocation is not None and address + size > allocation.address + allocation.size:
        left = allocation.address + allocation.size - address
        raise HipError("hipErrorInvalidValue", f"{size} bytes, but the {role}'s allocation has {left} left")
    return allocation


def copy(stream: Stream, dst: int, src: int, size: int, kind: int = DEFAULT) -> None:
    """Copy after the stream's work, and wait (hipMemcpy).

    Raises:
        HipError: hipErrorInvalidValue for null or for a range that leaves its allocation,
            hipErrorInvalidMemcpyDirection.
        DeviceFault: earlier work of the device failed.
    """
    check_kind(kind)
    if size == 0:
        return
    _check_range(dst, size, "destination")
    _check_range(src, size, "source")
    stream.device.check()
    if dst != src:
        stream.device.backend.copy(stream.queue, dst, src, size)
    stream.sync()


def copy_async(stream: Stream, dst: int, src: int, size: int, kind: int = DEFAULT) -> None:
    """Copy in stream order (hipMemcpyAsync). Pageable memory behaves as with a driver: a small source is
    read before the call returns, a pageable destination is written before it returns.

    Raises:
        HipError: as :func:`copy`.
    """
    check_kind(kind)
    if size == 0:
        return
    to = _check_range(dst, size, "destination")
    source = _check_range(src, size, "source")
    stream.device.check()
    if dst == src:
        return
    if to is not None and source is None and size <= _STAGED:
        _copy_staged(stream, dst, src, size)
        return
    stream.device.backend.copy(stream.queue, dst, src, size)
    if to is None or source is None:
        stream.sync()


def _copy_staged(stream: Stream, dst: int, src: int, size: int) -> None:
    staging = ctypes.create_string_buffer(size)
    ctypes.memmove(staging, src, size)
    backend = stream.device.backend
    backend.copy(stream.queue, dst, ctypes.addressof(staging), size)
    if not backend.stream_done(stream.queue):
        kept = [staging]
        backend.host_call(stream.queue, kept.clear)  # the copy reads it until then


def copy_rect(stream: Stream, dst: Pitched, src: Pitched, extent: Extent, kind: int, wait: bool) -> None:
    """Copy rows and slices; each end is (address, bytes a row, bytes a slice), the extent in bytes, rows,
    slices.

    Raises:
        HipError: hipErrorInvalidPitchValue when a row is wider than its pitch, else as :func:`copy`.
    """
    check_kind(kind)
    width, height, depth = extent
    if not (width and height and depth):
        return
    for role, end in (("destination", dst), ("source", src)):
        if width > end[1]:
            raise HipError("hipErrorInvalidPitchValue", f"rows of {width} bytes, {role} pitch {end[1]}")
        _check_range(end[0], _span(end, extent), role)
    stream.device.check()
    stream.device.backend.copy_rect(stream.queue, dst, src, extent)
    if wait or memory.find(dst[0]) is None or memory.find(src[0]) is None:
        stream.sync()


def _span(end: Pitched, extent: Extent) -> int:
    return (extent[2] - 1) * end[2] + (extent[1] - 1) * end[1] + extent[0]


def fill(stream: Stream, dst: int, value: int, width: int, count: int, wait: bool = False) -> None:
    """Set ``count`` elements of ``width`` bytes, in stream order; host memory is set when the call returns.

    Raises:
        HipError: hipErrorInvalidValue for null, unknown memory, a misaligned destination or a range that
            leaves its allocation.
    """
    if count == 0:
        return
    allocation = _check_range(dst, width * count, "destination")
    if allocation is None or dst % width:
        problem = f"not aligned to {width} bytes" if allocation else "not memory that HIP allocated"
        raise HipError("hipErrorInvalidValue", f"{dst:#x} is {problem}")
    stream.device.check()
    stream.device.backend.fill(stream.queue, dst, value & ((1 << 8 * width) - 1), width, count)
    if wait or allocation.kind != memory.DEVICE:
        stream.sync()


def fill_rect(
    stream: Stream, dst: Pitched, value: int, width: int, extent: Extent, wait: bool = False
) -> None:
    """Set rows and slices of elements of ``width`` bytes; the extent is in bytes, rows and slices.

    Raises:
        HipError: as :func:`fill`.
    """
    if not (extent[0] and extent[1] and extent[2]):
        return
    if extent[0] > dst[1] and extent[1] * extent[2] > 1:
        raise HipError("hipErrorInvalidValue", f"rows of {extent[0]} bytes, pitch {dst[1]}")
    allocation = _check_range(dst[0], _span(dst, extent), "destination")
    if allocation is None:
        raise HipError("hipErrorInvalidValue", f"{dst[0]:#x} is not memory that HIP allocated")
    stream.device.check()
    stream.device.backend.fill_rect(stream.queue, dst, value & ((1 << 8 * width) - 1), width, extent)
    if wait or allocation.kind != memory.DEVICE:
        stream.sync()
