# ruff: noqa: D103 (the functions are HIP's own, and documented as such)
"""Launches."""

from __future__ import annotations

from typing import Any

from anyhip.errors import HipError
from anyhip.runtime import event, kernel, launch, registration, stream
from anyhip.runtime.kernel import Kernel
from anyhip.runtime.launch import launch_host
from anyhip.runtime.stream import Stream
from anyhip.sdk.types import ffi, number, view

_BUFFER_POINTER, _BUFFER_SIZE, _END = 1, 2, 3  # HIP_LAUNCH_PARAM_*
_COOPERATIVE = 2  # hipLaunchAttributeCooperative
_CONFIGURATION = "hipErrorInvalidConfiguration"


def hipLaunchKernel(
    host: int, gx: int, gy: int, gz: int, bx: int, by: int, bz: int, args: int, shared: int, handle: int
) -> None:
    launch_host(host, (gx, gy, gz), (bx, by, bz), args, shared, handle)


def hipLaunchCooperativeKernel(
    host: int, gx: int, gy: int, gz: int, bx: int, by: int, bz: int, args: int, shared: int, handle: int
) -> None:
    queue = stream.find(handle)
    known = registration.host_kernel(queue.device, host)
    _run(known, queue, (gx, gy, gz), (bx, by, bz), args, shared, cooperative=True, shape_code=_CONFIGURATION)


def hipExtLaunchKernel(
    host: int, gx: int, gy: int, gz: int, bx: int, by: int, bz: int, args: int, shared: int, handle: int,
    start: int, stop: int, flags: int,
) -> None:  # fmt: skip
    queue = stream.find(handle)
    known = registration.host_kernel(queue.device, host)
    _timed(known, queue, (gx, gy, gz), (bx, by, bz), args, 0, shared, start, stop)


def hipModuleLaunchKernel(
    function: int,
    gx: int,
    gy: int,
    gz: int,
    bx: int,
    by: int,
    bz: int,
    shared: int,
    handle: int,
    args: int,
    extra: int,
) -> None:
    _launch(kernel.find(function), stream.find(handle), (gx, gy, gz), (bx, by, bz), args, extra, shared)


def hipModuleLaunchCooperativeKernel(
    function: int, gx: int, gy: int, gz: int, bx: int, by: int, bz: int, shared: int, handle: int, args: int
) -> None:
    _run(
        kernel.find(function), stream.find(handle), (gx, gy, gz), (bx, by, bz), args, shared, cooperative=True
    )


def hipExtModuleLaunchKernel(
    function: int, wx: int, wy: int, wz: int, bx: int, by: int, bz: int, shared: int, handle: int, args: int,
    extra: int, start: int, stop: int, flags: int,
) -> None:  # fmt: skip
    """The grid is given in work-items; it must be whole workgroups."""
    block = (bx, by, bz)
    if 0 in block or any(size % by_ for size, by_ in zip((wx, wy, wz), block, strict=True)):
        raise HipError(
            "hipErrorInvalidValue", f"{(wx, wy, wz)} work-items are no whole workgroups of {block}"
        )
    grid = (wx // bx, wy // by, wz // bz)
    _timed(kernel.find(function), stream.find(handle), grid, block, args, extra, shared, start, stop)


def hipHccModuleLaunchKernel(
    function: int, wx: int, wy: int, wz: int, bx: int, by: int, bz: int, shared: int, handle: int, args: int,
    extra: int, start: int, stop: int,
) -> None:  # fmt: skip
    hipExtModuleLaunchKernel(function, wx, wy, wz, bx, by, bz, shared, handle, args, extra, start, stop, 0)


def _cooperative(config: Any, count: int) -> bool:
    return any(int(a.id) == _COOPERATIVE and a.value.cooperative for a in config.attrs[0:count])


def hipLaunchKernelExC(config_at: int, host: int, args: int) -> None:
    c = view("hipLaunchConfig_t *", config_at)
    queue = stream.find(number(c.stream))
    known = registration.host_kernel(queue.device, host)
    grid, block = ((d.x, d.y, d.z) for d in (c.gridDim, c.blockDim))
    alike = _cooperative(c, c.numAttrs)
    _run(known, queue, grid, block, args, c.dynamicSmemBytes, cooperative=alike, shape_code=_CONFIGURATION)


def hipDrvLaunchKernelEx(config_at: int, function: int, args: int, extra: int) -> None:
    c = view("HIP_LAUNCH_CONFIG *", config_at)
    grid, block = (c.gridDimX, c.gridDimY, c.gridDimZ), (c.blockDimX, c.blockDimY, c.blockDimZ)
    known, queue = kernel.find(function), stream.find(number(c.hStream))
    if _cooperative(c, c.numAttrs):
        _run(known, queue, grid, block, args, c.sharedMemBytes, cooperative=True)
    else:
        _launch(known, queue, grid, block, args, extra, c.sharedMemBytes)


def _run(
    known: Kernel, queue: Stream, grid: launch.Dim3, block: launch.Dim3, args: int, shared: int, **how: Any
) -> None:
    launch.launch_kernel(known, queue, grid, block, args, shared, **how)


def _launch(
    known: Kernel, queue: Stream, grid: launch.Dim3, block: launch.Dim3, args: int, extra: int, shared: int
) -> None:
    """Launch with either of the two ways of passing arguments."""
    if args and extra:
        raise HipError("hipErrorInvalidValue", "both kernelParams and extra are given")
    if extra:
        launch.launch_packed(known, queue, grid, block, _packed(extra), shared)
    else:
        launch.launch_kernel(known, queue, grid, block, args, shared)


def _packed(extra: int) -> bytes:
    """The argument buffer that an ``extra`` list names."""
    items = view("uintptr_t *", extra)
    buffer, size, position = 0, 0, 0
    while items[position] != _END:
        key, value = items[position], items[position + 1]
        if key == _BUFFER_POINTER:
            buffer = value
        elif key == _BUFFER_SIZE:
            size = view("size_t *", value)[0]
        else:
            raise HipError("hipErrorInvalidValue", f"{key:#x} in the extra list")
        position += 2
    if not buffer:
        raise HipError("hipErrorInvalidValue", "the extra list names no buffer")
    return bytes(ffi.buffer(ffi.cast("char *", buffer), size))


def _timed(
    known: Kernel, queue: Stream, grid: launch.Dim3, block: launch.Dim3, args: int, extra: int, shared: int,
    start: int, stop: int,
) -> None:  # fmt: skip
    """Launch between two events, where they are given."""
    if start:
        event.find(start).record(queue)
    _launch(known, queue, grid, block, args, extra, shared)
    if stop:
        event.find(stop).record(queue)
