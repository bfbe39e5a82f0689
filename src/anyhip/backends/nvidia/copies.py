"""Boxes of bytes in, the driver's calls that copy or fill them out.

The driver counts a slice in rows of its pitch. A slice of another size, which HIP allows, is copied alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from anyhip.backends.backend import Extent, Pitched

__all__ = ["box", "fill_calls", "slices"]

_UNIFIED = 4  # CU_MEMORYTYPE_UNIFIED: the driver tells host from device by the address


def slices(dst: Pitched, src: Pitched, extent: Extent) -> Iterator[tuple[Pitched, Pitched, Extent]]:
    """The parts of a box that the driver copies in one call each: all of it, or slice by slice."""
    width, height, depth = extent
    if depth == 1 or not (dst[2] % dst[1] or src[2] % src[1]):
        yield dst, src, extent
        return
    for number in range(depth):
        to, of = ((end[0] + number * end[2], end[1], end[2]) for end in (dst, src))
        yield to, of, (width, height, 1)


def box(ffi: Any, dst: Pitched, src: Pitched, extent: Extent) -> Any:
    """A ``CUDA_MEMCPY3D``."""
    made = ffi.new("CUDA_MEMCPY3D *")
    made.srcMemoryType = made.dstMemoryType = _UNIFIED
    made.srcDevice, made.srcPitch, made.srcHeight = src[0], src[1], src[2] // src[1]
    made.dstDevice, made.dstPitch, made.dstHeight = dst[0], dst[1], dst[2] // dst[1]
    made.WidthInBytes, made.Height, made.Depth = extent
    return made


def fill_calls(dst: Pitched, value: int, width: int, extent: Extent) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Names of the driver's functions and their arguments but the stream, which fill a box.

    Args:
        width: bytes of an element.
    """
    address, pitch, slice_ = dst
    row, height, depth = extent
    bits, value = 8 * width, value & ((1 << 8 * width) - 1)
    count = row // width
    if depth == 1 or slice_ == row * height:
        height, depth = height * depth, 1
    for number in range(depth):
        start = address + number * slice_
        if height == 1 or pitch == row:
            yield f"cuMemsetD{bits}Async", (start, value, count * height)
        else:
            yield f"cuMemsetD2D{bits}Async", (start, pitch, value, count, height)
