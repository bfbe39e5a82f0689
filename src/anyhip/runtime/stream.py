"""Streams: queues of work of one device, and the handles by which C knows them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING

from anyhip.errors import DeviceFault, HipError
from anyhip.runtime import device as devices_
from anyhip.runtime.device import Device, thread

if TYPE_CHECKING:
    from anyhip.runtime.event import Event

__all__ = ["Stream", "find"]

NONBLOCKING = 0x1  # hipStreamNonBlocking
LEGACY = 1  # hipStreamLegacy
PER_THREAD = 2  # hipStreamPerThread
GREATEST_PRIORITY, LEAST_PRIORITY = -1, 1

_handles = itertools.count(0x10000, 0x10)  # never a pointer of the program, never 0, 1 or 2
_streams: dict[int, Stream] = {}


class Stream:
    """A queue of work.

    Attributes:
        handle: what hipStream_t holds; 0 for a null stream.
        queue: the backend's number for it.
        flags: hipStreamNonBlocking or 0.
    """

    __slots__ = ("device", "flags", "handle", "priority", "queue")

    def __init__(self, device: Device, queue: int, handle: int, flags: int, priority: int) -> None:
        self.device = device
        self.queue = queue
        self.handle = handle
        self.flags = flags
        self.priority = priority

    @classmethod
    def null(cls, device: Device) -> Stream:
        """The null stream of a device."""
        return cls(device, device.backend.default_stream, 0, 0, 0)

    @classmethod
    def create(cls, device: Device, flags: int = 0, priority: int = 0) -> Stream:
        """A new stream.

        Raises:
            HipError: hipErrorInvalidValue for flags that HIP does not have.
        """
        if flags & ~NONBLOCKING:
            raise HipError("hipErrorInvalidValue", f"stream flags {flags:#x}")
        priority = max(GREATEST_PRIORITY, min(LEAST_PRIORITY, priority))
        queue = device.backend.create_stream(blocking=not flags, priority=priority)
        self = cls(device, queue, next(_handles), flags, priority)
        _streams[self.handle] = self
        return self

    def __repr__(self) -> str:
        return f"<Stream {self.handle:#x} of device {self.device.index}>"

    def __cuda_stream__(self) -> tuple[int, int]:
        """The protocol by which other libraries take a stream: version 0 and the handle."""
        return 0, self.handle

    def sync(self) -> None:
        """Wait for the stream's work.

        Raises:
            DeviceFault: a kernel failed, now or earlier.
        """
        self.device.check()
        try:
            self.device.backend.wait_stream(self.queue)
        except DeviceFault as fault:
            self.device.fail(fault)
            raise

    @property
    def done(self) -> bool:
        """Whether all its work has completed."""
        self.device.check()
        return self.device.backend.stream_done(self.queue)

    def wait(self, event: Event) -> None:
        """Let later work of this stream wait for an event."""
        if event.recorded:
            self.device.backend.stream_wait_event(self.queue, event.mark)

    def record(self, event: Event | None = None) -> Event:
        """Record an event (a new one when none is given) after the work enqueued so far."""
        event = event or self.device.create_event()
        event.record(self)
        return event

    def host_call(self, function: Callable[[], None]) -> None:
        """Call a Python function in stream order, on a thread of the backend."""
        self.device.check()
        self.device.backend.host_call(self.queue, function)

    def close(self) -> None:
        """Destroy the stream; its work still completes.

        Raises:
            HipError: hipErrorInvalidResourceHandle for a null stream or one already destroyed.
        """
        if _streams.pop(self.handle, None) is None:
            raise HipError("hipErrorInvalidHandle", "not a stream that can be destroyed")
        self.device.backend.destroy_stream(self.queue)


def find(handle: int, code: str = "hipErrorContextIsDestroyed") -> Stream:
    """The stream that a hipStream_t names; 0 and hipStreamLegacy are the current device's null stream.

    Args:
        handle: the hipStream_t.
        code: the error for a handle that is no stream.
    """
    if handle == 0 or handle == LEGACY:
        return devices_.current().default_stream
    if handle == PER_THREAD:
        return _per_thread()
    stream = _streams.get(handle)
    if stream is None:
        raise HipError(code, f"{handle:#x} is not a stream, or one already destroyed")
    return stream


def _per_thread() -> Stream:
    device = devices_.current()
    streams = thread.per_thread_streams
    if streams is None:
        streams = thread.per_thread_streams = {}
    stream = streams.get(device.index)
    if stream is None:
        queue = device.backend.create_stream(blocking=True, priority=0)
        stream = streams[device.index] = Stream(device, queue, PER_THREAD, 0, 0)
    return stream


def drop_all(device: Device) -> None:
    """Destroy every stream of a device (hipDeviceReset)."""
    for stream in [s for s in _streams.values() if s.device is device]:
        stream.close()
    if thread.per_thread_streams is not None:
        stale = thread.per_thread_streams.pop(device.index, None)
        if stale is not None:
            device.backend.destroy_stream(stale.queue)
