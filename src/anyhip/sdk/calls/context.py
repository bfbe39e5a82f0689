# ruff: noqa: D103 (the functions are HIP's own, and documented as such)
"""Driver-API contexts: in HIP each is its device's primary context, whoever created it."""

from __future__ import annotations

from anyhip.errors import HipError
from anyhip.runtime import device as devices_
from anyhip.runtime.device import Device, thread
from anyhip.sdk.calls import device as device_calls
from anyhip.sdk.types import put, put_handle

_FIRST_HANDLE = 0x100  # hipCtx_t of device 0
_API_VERSION = 4  # as AMD's runtime reports


def _handle(device: Device) -> int:
    return _FIRST_HANDLE + device.index


def _find(handle: int) -> Device:
    if not _FIRST_HANDLE <= handle < _FIRST_HANDLE + len(devices_.devices()):
        raise HipError("hipErrorInvalidContext", f"{handle:#x} is not a context")
    return devices_.get(handle - _FIRST_HANDLE)


def _stack() -> list[Device]:
    if thread.contexts is None:
        thread.contexts = []
    return thread.contexts


def hipCtxCreate(context: int, flags: int, number: int) -> None:
    device = devices_.get(number)
    put_handle(context, _handle(device))
    devices_.set_flags(device, flags)
    device.primary_active = True
    _stack().append(device)
    device.set_current()


def hipCtxDestroy(context: int) -> None:
    device = _find(context)
    stack = _stack()
    if device in stack:
        stack.remove(device)
    (stack[-1] if stack else devices_.get(0)).set_current()


def hipCtxPushCurrent(context: int) -> None:
    device = _find(context)
    _stack().append(device)
    device.set_current()


def hipCtxPopCurrent(context: int) -> None:
    stack = _stack()
    if not stack:
        raise HipError("hipErrorInvalidContext", "no context was pushed")
    popped = stack.pop()
    if context:
        put_handle(context, _handle(popped))
    (stack[-1] if stack else devices_.get(0)).set_current()


def hipCtxSetCurrent(context: int) -> None:
    """Replace the top of the thread's stack; null takes it away."""
    stack = _stack()
    if stack:
        stack.pop()
    if context:
        stack.append(_find(context))
        stack[-1].set_current()


def hipCtxGetCurrent(context: int) -> None:
    put_handle(context, _handle(devices_.current()))


def hipCtxGetDevice(number: int) -> None:
    put("int *", number, devices_.current().index)


def hipCtxSynchronize() -> None:
    devices_.current().sync()


def hipCtxGetFlags(flags: int) -> None:
    put("unsigned int *", flags, devices_.current().flags)


def hipCtxGetApiVersion(context: int, version: int) -> None:
    put("unsigned int *", version, _API_VERSION)


def hipCtxGetCacheConfig(config: int) -> None:
    device_calls.hipDeviceGetCacheConfig(config)


def hipCtxSetCacheConfig(config: int) -> None:
    device_calls.hipDeviceSetCacheConfig(config)


def hipCtxGetSharedMemConfig(config: int) -> None:
    device_calls.hipDeviceGetSharedMemConfig(config)


def hipCtxSetSharedMemConfig(config: int) -> None:
    device_calls.hipDeviceSetSharedMemConfig(config)


def hipCtxEnablePeerAccess(context: int, flags: int) -> None:
    device_calls.hipDeviceEnablePeerAccess(_find(context).index, flags)


def hipCtxDisablePeerAccess(context: int) -> None:
    device_calls.hipDeviceDisablePeerAccess(_find(context).index)


def hipDevicePrimaryCtxRetain(context: int, number: int) -> None:
    device = devices_.get(number)
    put_handle(context, _handle(device))
    device.primary_active = True


def hipDevicePrimaryCtxRelease(number: int) -> None:
    devices_.get(number).primary_active = False


def hipDevicePrimaryCtxReset(number: int) -> None:
    devices_.get(number).reset()


def hipDevicePrimaryCtxSetFlags(number: int, flags: int) -> None:
    if devices_.get(number).primary_active:
        raise HipError("hipErrorContextAlreadyInUse")
    devices_.set_flags(devices_.get(number), flags)


def hipDevicePrimaryCtxGetState(number: int, flags: int, active: int) -> None:
    device = devices_.get(number)
    put("unsigned int *", flags, device.flags)
    put("int *", active, int(device.primary_active))
