"""Launches: limits checked, kernels found by host function or handle, arguments handed to the backend.

The hot path (:func:`launch_host`) makes no object: a dict lookup, a few comparisons, and the backend's call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anyhip import config
from anyhip.errors import HipError
from anyhip.runtime import device as devices_
from anyhip.runtime import registration, stream
from anyhip.runtime.kernel import Kernel

if TYPE_CHECKING:
    from anyhip.runtime.device import Device
    from anyhip.runtime.stream import Stream

__all__ = ["launch_host", "launch_kernel", "launch_packed"]

Dim3 = tuple[int, int, int]
_SERIALIZE = ("HIP_LAUNCH_BLOCKING", "CUDA_LAUNCH_BLOCKING")
_blocking: bool | None = None


def _blocks() -> bool:
    """Whether each launch waits for its kernel (HIP_LAUNCH_BLOCKING and its kin)."""
    global _blocking
    if _blocking is None:
        _blocking = (
            any(config.get_flag(name) for name in _SERIALIZE) or config.get_int("AMD_SERIALIZE_KERNEL") >= 2
        )
    return _blocking


def _entry(device: Device, host: int) -> tuple[Any, ...]:
    """What a launch of a host function needs, kept in ``device.kernels`` from its first launch."""
    kernel = registration.host_kernel(device, host)
    entry = device.kernels[host] = (
        kernel,
        device.backend.launch,
        kernel.number,
        *_limits(device, kernel),
        _blocks(),
    )
    return entry


def _limits(device: Device, kernel: Kernel) -> tuple[int, int]:
    """Work-items a block, and dynamic LDS bytes."""
    static = kernel.attributes.get("sharedSizeBytes", 0)
    shared = device.fact("sharedMemPerBlockOptin") or device.fact("sharedMemPerBlock")
    return kernel.max_block, shared - static


def launch_host(host: int, grid: Dim3, block: Dim3, args: int, shared: int, stream_handle: int) -> None:
    """hipLaunchKernel: run the kernel that a host function stands for.

    Args:
        args: address of a C array of pointers to the arguments' bytes.

    Raises:
        HipError: hipErrorInvalidConfiguration, hipErrorInvalidValue, hipErrorLaunchFailure,
            hipErrorInvalidDeviceFunction, hipErrorNoBinaryForGpu.
        DeviceFault: earlier work of the device failed.
    """
    if stream_handle:
        queue = stream.find(stream_handle, "hipErrorInvalidValue")
        device = queue.device
    else:
        device = devices_.thread.device or devices_.current()
        queue = device.default_stream
    entry = device.kernels.get(host) or _entry(device, host)
    kernel, launch, number, most, lds, blocking = entry
    gx, gy, gz = grid
    bx, by, bz = block
    if not (gx and gy and gz) or not 0 < bx * by * bz <= most or shared > lds or device.fault is not None:
        _refuse(kernel, grid, block, shared, "hipErrorInvalidConfiguration")
    if (
        gx > 0x7FFFFFFF
        or (gy > 0xFFFF and gy * by > 0xFFFFFFFF)
        or gz * bz > 0xFFFFFFFF
        or gx * bx > 0xFFFFFFFF
    ):
        _refuse(kernel, grid, block, shared, "hipErrorInvalidConfiguration")
    launch(queue.queue, number, grid, block, shared, args)
    if blocking:
        queue.sync()


def _refuse(kernel: Kernel, grid: Dim3, block: Dim3, shared: int, shape_code: str) -> None:
    """Raise what is wrong with a launch."""
    device = kernel.device
    device.check()
    size = block[0] * block[1] * block[2]
    launch = f"{kernel.name}<<<{grid}, {block}, {shared}>>>"
    device_most = device.fact("maxThreadsPerBlock")
    most, lds = _limits(device, kernel)
    if 0 in grid or 0 in block:
        raise HipError(shape_code, f"{launch}: a dimension is zero")
    if size > device_most:
        raise HipError(shape_code, f"{launch}: {size} work-items a block, the device allows {device_most}")
    if shared > lds:
        raise HipError(
            "hipErrorInvalidValue", f"{launch}: {shared} bytes of dynamic shared memory, {lds} are left"
        )
    if size > most:
        raise HipError(
            "hipErrorLaunchFailure",
            f"{launch}: {size} work-items a block, the kernel was compiled for {most}",
            f"declare it __launch_bounds__({size}), or launch smaller blocks",
        )
    raise HipError("hipErrorInvalidConfiguration", f"{launch}: the grid is too large")


def _check(kernel: Kernel, grid: Dim3, block: Dim3, shared: int, shape_code: str) -> None:
    most, lds = _limits(kernel.device, kernel)
    good = all(grid) and all(block) and block[0] * block[1] * block[2] <= most and shared <= lds
    if (
        not good
        or kernel.device.fault is not None
        or any(g * b > 0xFFFFFFFF for g, b in zip(grid, block, strict=True))
    ):
        _refuse(kernel, grid, block, shared, shape_code)


def launch_kernel(
    kernel: Kernel,
    queue: Stream,
    grid: Dim3,
    block: Dim3,
    args: int,
    shared: int = 0,
    *,
    cooperative: bool = False,
    shape_code: str = "hipErrorInvalidValue",
) -> None:
    """Run a kernel of a module (hipModuleLaunchKernel with kernelParams).

    Args:
        args: address of a C array of pointers to the arguments' bytes.
        cooperative: all workgroups must be resident at once.
        shape_code: the error for a zero or too large dimension.

    Raises:
        HipError: as :func:`launch_host`; hipErrorCooperativeLaunchTooLarge.
    """
    _check(kernel, grid, block, shared, shape_code)
    if cooperative:
        _check_resident(kernel, grid, block, shared)
    if args == 0 and any(not arg.value_kind.startswith("hidden_") for arg in kernel.info.args):
        raise HipError("hipErrorInvalidValue", f"{kernel.name} takes arguments, none were given")
    backend = kernel.device.backend
    backend.launch(queue.queue, kernel.number, grid, block, shared, args, cooperative)
    if _blocks():
        queue.sync()


def _check_resident(kernel: Kernel, grid: Dim3, block: Dim3, shared: int) -> None:
    units = kernel.device.fact("multiProcessorCount")
    most = kernel.blocks_per_unit(block[0] * block[1] * block[2], shared) * units
    asked = grid[0] * grid[1] * grid[2]
    if asked > most:
        raise HipError("hipErrorCooperativeLaunchTooLarge", f"{kernel.name}: {asked} workgroups, {most} fit")


def launch_packed(
    kernel: Kernel,
    queue: Stream,
    grid: Dim3,
    block: Dim3,
    kernarg: bytes,
    shared: int = 0,
    shape_code: str = "hipErrorInvalidValue",
) -> None:
    """Run a kernel whose arguments are laid out already (HIP_LAUNCH_PARAM_BUFFER_POINTER).

    Raises:
        HipError: as :func:`launch_host`.
    """
    _check(kernel, grid, block, shared, shape_code)
    kernel.device.backend.launch_packed(queue.queue, kernel.number, grid, block, shared, kernarg)
    if _blocks():
        queue.sync()
