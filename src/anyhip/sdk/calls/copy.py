# ruff: noqa: D103 (the functions are HIP's own, and documented as such)
"""Copies and fills, in HIP's many spellings."""

from __future__ import annotations

from typing import Any

from anyhip.errors import HipError
from anyhip.runtime import copy, registration
from anyhip.runtime import device as devices_
from anyhip.runtime.copy import DEFAULT, DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_TO_DEVICE
from anyhip.runtime.stream import find
from anyhip.sdk.types import number, view

_HOST, _DEVICE, _ARRAY, _UNIFIED, _MANAGED = 1, 2, 10, 11, 3  # hipMemoryType
_PEER_KIND = DEVICE_TO_DEVICE


# ---- one dimension ----------------------------------------------------------------------------------------


def hipMemcpy(dst: int, src: int, size: int, kind: int, stream: int = 0) -> None:
    copy.copy(find(stream), dst, src, size, kind)


def hipMemcpyAsync(dst: int, src: int, size: int, kind: int, stream: int) -> None:
    copy.copy_async(find(stream), dst, src, size, kind)


def hipMemcpyWithStream(dst: int, src: int, size: int, kind: int, stream: int) -> None:
    copy.copy(find(stream), dst, src, size, kind)


def hipMemcpyHtoD(dst: int, src: int, size: int) -> None:
    copy.copy(find(0), dst, src, size, HOST_TO_DEVICE)


def hipMemcpyDtoH(dst: int, src: int, size: int) -> None:
    copy.copy(find(0), dst, src, size, DEVICE_TO_HOST)


def hipMemcpyDtoD(dst: int, src: int, size: int) -> None:
    copy.copy(find(0), dst, src, size, DEVICE_TO_DEVICE)


def hipMemcpyHtoDAsync(dst: int, src: int, size: int, stream: int) -> None:
    copy.copy_async(find(stream), dst, src, size, HOST_TO_DEVICE)


def hipMemcpyDtoHAsync(dst: int, src: int, size: int, stream: int) -> None:
    copy.copy_async(find(stream), dst, src, size, DEVICE_TO_HOST)


def hipMemcpyDtoDAsync(dst: int, src: int, size: int, stream: int) -> None:
    copy.copy_async(find(stream), dst, src, size, DEVICE_TO_DEVICE)


def hipMemcpyPeer(dst: int, dst_device: int, src: int, src_device: int, size: int) -> None:
    devices_.get(dst_device)
    copy.copy(devices_.get(src_device).default_stream, dst, src, size, _PEER_KIND)


def hipMemcpyPeerAsync(dst: int, dst_device: int, src: int, src_device: int, size: int, stream: int) -> None:
    devices_.get(dst_device)
    devices_.get(src_device)
    copy.copy_async(find(stream), dst, src, size, _PEER_KIND)


# ---- device variables -------------------------------------------------------------------------------------


def _in_symbol(symbol: int, size: int, offset: int) -> int:
    """Address of the bytes of a variable; hipErrorInvalidValue when they leave it."""
    address, length = registration.symbol(devices_.current(), symbol)
    if offset + size > length:
        raise HipError("hipErrorInvalidValue", f"{size} bytes at {offset}, the variable has {length}")
    return address + offset


def _symbol_kind(kind: int, allowed: tuple[int, ...]) -> None:
    if kind not in allowed:
        raise HipError("hipErrorInvalidMemcpyDirection", f"{kind} for a device variable")


def hipMemcpyToSymbol(symbol: int, src: int, size: int, offset: int, kind: int, stream: int = 0) -> None:
    _symbol_kind(kind, (HOST_TO_DEVICE, DEVICE_TO_DEVICE, DEFAULT))
    copy.copy(find(stream), _in_symbol(symbol, size, offset), src, size, kind)


def hipMemcpyToSymbolAsync(symbol: int, src: int, size: int, offset: int, kind: int, stream: int) -> None:
    _symbol_kind(kind, (HOST_TO_DEVICE, DEVICE_TO_DEVICE, DEFAULT))
    copy.copy_async(find(stream), _in_symbol(symbol, size, offset), src, size, kind)


def hipMemcpyFromSymbol(dst: int, symbol: int, size: int, offset: int, kind: int, stream: int = 0) -> None:
    _symbol_kind(kind, (DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT))
    copy.copy(find(stream), dst, _in_symbol(symbol, size, offset), size, kind)


def hipMemcpyFromSymbolAsync(dst: int, symbol: int, size: int, offset: int, kind: int, stream: int) -> None:
    _symbol_kind(kind, (DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT))
    copy.copy_async(find(stream), dst, _in_symbol(symbol, size, offset), size, kind)


# ---- two and three dimensions -----------------------------------------------------------------------------


def hipMemcpy2D(
    dst: int, dpitch: int, src: int, spitch: int, w: int, h: int, kind: int, stream: int = 0
) -> None:
    copy.copy_rect(find(stream), (dst, dpitch, dpitch * h), (src, spitch, spitch * h), (w, h, 1), kind, True)


def hipMemcpy2DAsync(
    dst: int, dpitch: int, src: int, spitch: int, w: int, h: int, kind: int, stream: int
) -> None:
    copy.copy_rect(find(stream), (dst, dpitch, dpitch * h), (src, spitch, spitch * h), (w, h, 1), kind, False)


def _drv_end(host: Any, device: Any, type_: int, x: int, y: int, pitch: int) -> int:
    if type_ == _ARRAY:
        raise HipError("hipErrorNotSupported", "arrays are not implemented yet")
    if type_ not in (_HOST, _DEVICE, _UNIFIED, _MANAGED):
        raise HipError("hipErrorInvalidValue", f"memory type {type_}")
    return number(host if type_ == _HOST else device) + y * pitch + x


def _param_2d(at: int, stream: int, wait: bool) -> None:
    p = view("hip_Memcpy2D *", at)
    dst_pitch, src_pitch = p.dstPitch or p.WidthInBytes, p.srcPitch or p.WidthInBytes
    dst = _drv_end(p.dstHost, p.dstDevice, int(p.dstMemoryType), p.dstXInBytes, p.dstY, dst_pitch)
    src = _drv_end(p.srcHost, p.srcDevice, int(p.srcMemoryType), p.srcXInBytes, p.srcY, src_pitch)
    extent = (p.WidthInBytes, p.Height, 1)
    copy.copy_rect(
        find(stream),
        (dst, dst_pitch, dst_pitch * p.Height),
        (src, src_pitch, src_pitch * p.Height),
        extent,
        4,
        wait,
    )


def hipMemcpyParam2D(parameters: int) -> None:
    _param_2d(parameters, 0, True)


def hipMemcpyParam2DAsync(parameters: int, stream: int) -> None:
    _param_2d(parameters, stream, False)


def hipDrvMemcpy2DUnaligned(parameters: int) -> None:
    _param_2d(parameters, 0, True)


def _pitched(end: Any, position: Any) -> copy.Pitched:
    slice_ = end.pitch * end.ysize
    address = number(end.ptr) + position.z * slice_ + position.y * end.pitch + position.x
    return address, end.pitch, slice_


def _copy_3d(at: int, stream: int, wait: bool) -> None:
    p = view("hipMemcpy3DParms *", at)
    if p.srcArray or p.dstArray:
        raise HipError("hipErrorNotSupported", "arrays are not implemented yet")
    extent = (p.extent.width, p.extent.height, p.extent.depth)
    copy.copy_rect(
        find(stream), _pitched(p.dstPtr, p.dstPos), _pitched(p.srcPtr, p.srcPos), extent, int(p.kind), wait
    )


def hipMemcpy3D(parameters: int, stream: int = 0) -> None:
    _copy_3d(parameters, stream, True)


def hipMemcpy3DAsync(parameters: int, stream: int) -> None:
    _copy_3d(parameters, stream, False)


def _drv_3d(at: int, stream: int, wait: bool) -> None:
    p = view("HIP_MEMCPY3D *", at)
    ends = []
    for s in ("dst", "src"):
        pitch = getattr(p, s + "Pitch") or p.WidthInBytes
        slice_ = pitch * (getattr(p, s + "Height") or p.Height)
        host, device, type_ = (getattr(p, s + field) for field in ("Host", "Device", "MemoryType"))
        address = _drv_end(host, device, int(type_), getattr(p, s + "XInBytes"), getattr(p, s + "Y"), pitch)
        ends.append((address + getattr(p, s + "Z") * slice_, pitch, slice_))
    copy.copy_rect(find(stream), ends[0], ends[1], (p.WidthInBytes, p.Height, p.Depth), 4, wait)


def hipDrvMemcpy3D(parameters: int) -> None:
    _drv_3d(parameters, 0, True)


def hipDrvMemcpy3DAsync(parameters: int, stream: int) -> None:
    _drv_3d(parameters, stream, False)


# ---- fills ------------------------------------------------------------------------------------------------


def hipMemset(dst: int, value: int, size: int, stream: int = 0) -> None:
    copy.fill(find(stream), dst, value, 1, size)


def hipMemsetAsync(dst: int, value: int, size: int, stream: int) -> None:
    copy.fill(find(stream), dst, value, 1, size)


def hipMemsetD8(dst: int, value: int, count: int) -> None:
    copy.fill(find(0), dst, value, 1, count)


def hipMemsetD16(dst: int, value: int, count: int) -> None:
    copy.fill(find(0), dst, value, 2, count)


def hipMemsetD32(dst: int, value: int, count: int) -> None:
    copy.fill(find(0), dst, value, 4, count)


def hipMemsetD8Async(dst: int, value: int, count: int, stream: int) -> None:
    copy.fill(find(stream), dst, value, 1, count)


def hipMemsetD16Async(dst: int, value: int, count: int, stream: int) -> None:
    copy.fill(find(stream), dst, value, 2, count)


def hipMemsetD32Async(dst: int, value: int, count: int, stream: int) -> None:
    copy.fill(find(stream), dst, value, 4, count)


def hipMemset2D(dst: int, pitch: int, value: int, width: int, height: int, stream: int = 0) -> None:
    copy.fill_rect(find(stream), (dst, pitch, pitch * height), value, 1, (width, height, 1))


def hipMemset2DAsync(dst: int, pitch: int, value: int, width: int, height: int, stream: int) -> None:
    copy.fill_rect(find(stream), (dst, pitch, pitch * height), value, 1, (width, height, 1))


def _fill_2d(dst: int, pitch: int, value: int, element: int, width: int, height: int, stream: int) -> None:
    copy.fill_rect(find(stream), (dst, pitch, pitch * height), value, element, (width * element, height, 1))


def hipMemsetD2D8(dst: int, pitch: int, value: int, width: int, height: int) -> None:
    _fill_2d(dst, pitch, value, 1, width, height, 0)


def hipMemsetD2D16(dst: int, pitch: int, value: int, width: int, height: int) -> None:
    _fill_2d(dst, pitch, value, 2, width, height, 0)


def hipMemsetD2D32(dst: int, pitch: int, value: int, width: int, height: int) -> None:
    _fill_2d(dst, pitch, value, 4, width, height, 0)


def hipMemsetD2D8Async(dst: int, pitch: int, value: int, width: int, height: int, stream: int) -> None:
    _fill_2d(dst, pitch, value, 1, width, height, stream)


def hipMemsetD2D16Async(dst: int, pitch: int, value: int, width: int, height: int, stream: int) -> None:
    _fill_2d(dst, pitch, value, 2, width, height, stream)


def hipMemsetD2D32Async(dst: int, pitch: int, value: int, width: int, height: int, stream: int) -> None:
    _fill_2d(dst, pitch, value, 4, width, height, stream)


def hipMemset3D(pitched_at: int, value: int, extent_at: int, stream: int = 0) -> None:
    end, extent = view("hipPitchedPtr *", pitched_at), view("hipExtent *", extent_at)
    where = (number(end.ptr), end.pitch, end.pitch * end.ysize)
    copy.fill_rect(find(stream), where, value, 1, (extent.width, extent.height, extent.depth))


def hipMemset3DAsync(pitched_at: int, value: int, extent_at: int, stream: int) -> None:
    hipMemset3D(pitched_at, value, extent_at, stream)
