# ruff: noqa: D103 (the functions are HIP's own, and documented as such)
"""Events."""

from __future__ import annotations

from anyhip.errors import HipError, number
from anyhip.runtime import device as devices_
from anyhip.runtime import stream
from anyhip.runtime.event import Event, find
from anyhip.sdk.types import put, put_handle


def hipEventCreate(handle: int) -> None:
    hipEventCreateWithFlags(handle, 0)


def hipEventCreateWithFlags(handle: int, flags: int) -> None:
    if not handle:
        raise HipError("hipErrorInvalidValue", "a null hipEvent_t *")
    put_handle(handle, Event.create(devices_.current(), flags).handle)


def hipEventDestroy(handle: int) -> None:
    find(handle).close()


def hipEventRecord(handle: int, stream_handle: int) -> None:
    find(handle).record(stream.find(stream_handle))


def hipEventRecordWithFlags(handle: int, stream_handle: int, flags: int) -> None:
    if flags & ~0x1:
        raise HipError("hipErrorInvalidValue", f"flags {flags:#x}")
    hipEventRecord(handle, stream_handle)


def hipEventSynchronize(handle: int) -> None:
    find(handle).sync()


def hipEventQuery(handle: int) -> int | None:
    return None if find(handle).done else number("hipErrorNotReady")


def hipEventElapsedTime(milliseconds: int, start: int, stop: int) -> None:
    if not milliseconds:
        raise HipError("hipErrorInvalidValue", "a null float *")
    put("float *", milliseconds, find(stop) - find(start))
