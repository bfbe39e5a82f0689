# ruff: noqa: D103 (the functions are HIP's own, and documented as such)
"""Streams, callbacks in stream order, and values written in stream order."""

from __future__ import annotations

import ctypes

from anyhip.errors import HipError, number
from anyhip.runtime import copy, event, stream
from anyhip.runtime import device as devices_
from anyhip.runtime.stream import Stream, find
from anyhip.sdk.types import array, put, put_handle

_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)  # hipStreamCallback_t
_WAIT_EXTERNAL = 0x1


def hipStreamCreate(handle: int) -> None:
    _create(handle, 0, 0)


def hipStreamCreateWithFlags(handle: int, flags: int) -> None:
    _create(handle, flags, 0)


def hipStreamCreateWithPriority(handle: int, flags: int, priority: int) -> None:
    _create(handle, flags, priority)


def _create(handle: int, flags: int, priority: int) -> None:
    if not handle:
        raise HipError("hipErrorInvalidValue", "a null hipStream_t *")
    put_handle(handle, Stream.create(devices_.current(), flags, priority).handle)


def hipExtStreamCreateWithCUMask(handle: int, words: int, mask: int) -> None:
    """The mask is a share of the compute units; the work of a stream may use all of them."""
    if not any(array("uint32_t *", mask, words)):
        raise HipError("hipErrorInvalidValue", "an empty mask of compute units")
    _create(handle, 0, 0)


def hipStreamDestroy(handle: int) -> None:
    if handle in (0, stream.LEGACY, stream.PER_THREAD):
        raise HipError("hipErrorInvalidHandle", "the null and per-thread streams cannot be destroyed")
    find(handle).close()


def hipStreamSynchronize(handle: int) -> None:
    find(handle).sync()


def hipStreamQuery(handle: int) -> int | None:
    return None if find(handle).done else number("hipErrorNotReady")


def hipStreamGetFlags(handle: int, flags: int) -> None:
    put("unsigned int *", flags, find(handle).flags)


def hipStreamGetPriority(handle: int, priority: int) -> None:
    put("int *", priority, find(handle).priority)


def hipStreamGetDevice(handle: int, device: int) -> None:
    put("int *", device, find(handle).device.index)


def hipStreamGetId(handle: int, id_: int) -> None:
    put("unsigned long long *", id_, find(handle).handle)


def hipStreamWaitEvent(handle: int, event_handle: int, flags: int) -> None:
    if flags & ~_WAIT_EXTERNAL:
        raise HipError("hipErrorInvalidValue", f"flags {flags:#x}")
    find(handle).wait(event.find(event_handle))


def hipLaunchHostFunc(handle: int, function: int, argument: int) -> None:
    if not function:
        raise HipError("hipErrorInvalidValue", "a null function")
    queue = find(handle)
    queue.device.check()
    queue.device.backend.host_call_c(queue.queue, function, argument)


def hipStreamAddCallback(handle: int, function: int, argument: int, flags: int) -> None:
    if not function or flags:
        raise HipError("hipErrorInvalidValue", "a null function, or flags that are not 0")
    call = _CALLBACK(function)
    find(handle).host_call(lambda: call(handle, 0, argument))


def hipStreamWriteValue32(handle: int, address: int, value: int, flags: int) -> None:
    if flags:
        raise HipError("hipErrorInvalidValue", f"flags {flags:#x}")
    copy.fill(find(handle), address, value, 4, 1)


def hipStreamWriteValue64(handle: int, address: int, value: int, flags: int) -> None:
    if flags:
        raise HipError("hipErrorInvalidValue", f"flags {flags:#x}")
    word = ctypes.c_uint64(value)
    copy.copy_async(find(handle), address, ctypes.addressof(word), 8, copy.HOST_TO_DEVICE)


def hipStreamIsCapturing(handle: int, status: int) -> None:
    """No stream captures yet: hipStreamCaptureStatusNone."""
    find(handle)
    put("int *", status, 0)
