"""Events: points in a stream's work that can be waited for and timed."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from anyhip.errors import DeviceFault, HipError
from anyhip.runtime.device import Device

if TYPE_CHECKING:
    from anyhip.runtime.stream import Stream

__all__ = ["Event", "find"]

BLOCKING_SYNC = 0x1
DISABLE_TIMING = 0x2
INTERPROCESS = 0x4
_RELEASE = 0x20000000 | 0x40000000 | 0x80000000
_KNOWN = BLOCKING_SYNC | DISABLE_TIMING | INTERPROCESS | _RELEASE

_handles = itertools.count(0x10000, 0x10)
_events: dict[int, Event] = {}


class Event:
    """A point in a stream's work; ``stop - start`` is the milliseconds between two of them.

    Attributes:
        handle: what hipEvent_t holds.
        mark: the backend's number for it.
    """

    __slots__ = ("device", "flags", "handle", "mark", "recorded")

    def __init__(self, device: Device, mark: int, flags: int) -> None:
        self.device = device
        self.mark = mark
        self.flags = flags
        self.handle = next(_handles)
        self.recorded = False

    @classmethod
    def create(cls, device: Device, flags: int = 0) -> Event:
        """A new event.

        Raises:
            HipError: hipErrorInvalidValue for flags that HIP does not have, or that exclude each other.
        """
        releases = bin(flags & _RELEASE).count("1")
        interprocess_timed = flags & INTERPROCESS and not flags & DISABLE_TIMING
        if flags & ~_KNOWN or releases > 1 or interprocess_timed:
            raise HipError("hipErrorInvalidValue", f"event flags {flags:#x}")
        self = cls(device, device.backend.create_event(), flags)
        _events[self.handle] = self
        return self

    def record(self, stream: Stream) -> None:
        """Mark the work enqueued so far.

        Raises:
            HipError: hipErrorInvalidHandle when the event belongs to another device than the stream.
        """
        stream.device.check()
        if stream.device is not self.device:
            raise HipError("hipErrorInvalidHandle", "the event belongs to another device than the stream")
        self.device.backend.record_event(self.mark, stream.queue)
        self.recorded = True

    @property
    def done(self) -> bool:
        """Whether the marked work has completed; True for an event that was never recorded."""
        self.device.check()
        return not self.recorded or self.device.backend.event_done(self.mark)

    def sync(self) -> None:
        """Wait for the marked work.

        Raises:
            DeviceFault: a kernel failed, now or earlier.
        """
        self.device.check()
        if self.recorded:
            try:
                self.device.backend.wait_event(self.mark)
            except DeviceFault as fault:
                self.device.fail(fault)
                raise

    def __sub__(self, start: Event) -> float:
        """Milliseconds from ``start`` to this event.

        Raises:
            HipError: hipErrorInvalidHandle when one was not recorded or does not time, hipErrorNotReady
                while one has not completed.
        """
        if not (self.recorded and start.recorded):
            raise HipError("hipErrorInvalidHandle", "an event that was never recorded")
        if (self.flags | start.flags) & DISABLE_TIMING:
            raise HipError("hipErrorInvalidHandle", "an event created with hipEventDisableTiming")
        if self.device is not start.device:
            raise HipError("hipErrorInvalidHandle", "events of two devices")
        if not (self.done and start.done):
            raise HipError("hipErrorNotReady")
        return self.device.backend.elapsed_ms(start.mark, self.mark)

    def close(self) -> None:
        """Destroy the event."""
        if _events.pop(self.handle, None) is not None:
            self.device.backend.destroy_event(self.mark)


def find(handle: int) -> Event:
    """The event that a hipEvent_t names.

    Raises:
        HipError: hipErrorInvalidHandle for null (hipErrorInvalidResourceHandle is the same number) or one
        destroyed.
    """
    event = _events.get(handle)
    if event is None:
        raise HipError("hipErrorInvalidHandle", f"{handle:#x} is not an event, or one already destroyed")
    return event
