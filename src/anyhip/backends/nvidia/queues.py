"""Streams and events of a device, waiting for them, and host functions in their order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from anyhip.backends.nvidia.context import Context
from anyhip.backends.nvidia.driver import NOT_READY, Driver
from anyhip.backends.nvidia.host_calls import HostCalls
from anyhip.backends.nvidia.waiting import interruptible, poll
from anyhip.errors import DeviceFault, HipError

__all__ = ["Queues"]

_NON_BLOCKING = 0x1  # CU_STREAM_NON_BLOCKING


class Queues(Context):
    """The part of :class:`~anyhip.backends.nvidia.device.NvidiaDevice` that orders work and waits for it."""

    def __init__(self, driver: Driver, number: int) -> None:
        super().__init__(driver, number)
        self.default_stream = 0  # the null stream of the current context
        self._streams: set[int] = set()
        self._calls = HostCalls(driver.ffi)

    def drain(self) -> None:
        """Do what host functions left undone, because they must not call the driver."""

    # -- streams
    def create_stream(self, *, blocking: bool = True, priority: int = 0) -> int:
        """A stream; HIP's priority -1 is the driver's greatest, the others are its least."""
        self.enter()
        flags = 0 if blocking else _NON_BLOCKING
        stream = self.driver.handle(
            "cuStreamCreateWithPriority", flags, self._greatest() if priority < 0 else 0
        )
        self._streams.add(stream)
        return stream

    def _greatest(self) -> int:
        least, greatest = self.driver.ffi.new("int *"), self.driver.ffi.new("int *")
        self._check(self.driver.lib.cuCtxGetStreamPriorityRange(least, greatest))
        return int(greatest[0])

    def destroy_stream(self, stream: int) -> None:
        """Release the stream once its work is done (does not wait)."""
        self._streams.discard(stream)
        self.enter()
        self.release(self.driver.lib.cuStreamDestroy_v2(stream), "cuStreamDestroy")

    def stream_done(self, stream: int) -> bool:
        """Whether all work of the stream has completed."""
        self.enter()
        return self._done(self.driver.lib.cuStreamQuery(stream))

    def _done(self, status: int) -> bool:
        if status == NOT_READY:
            return False
        self._check(status)
        return True

    def _wait(self, query: Callable[[int], int], synchronize: Callable[[int], int], handle: int) -> None:
        """Until ``handle`` is done; by polling where Ctrl-C must be heard."""
        self._check(poll(partial(query, handle)) if interruptible() else synchronize(handle))

    def wait_stream(self, stream: int) -> None:
        """Return when all work of the stream has completed.

        Raises:
            DeviceFault: some of it, or earlier work of the device, failed.
        """
        self.enter()
        self._wait(self.driver.lib.cuStreamQuery, self.driver.lib.cuStreamSynchronize, stream)
        self.drain()

    def wait_all(self) -> None:
        """Return when all work of the device has completed.

        Raises:
            DeviceFault: some of it failed.
        """
        self.enter()
        if interruptible():
            for stream in (self.default_stream, *self._streams):
                self._check(poll(partial(self.driver.lib.cuStreamQuery, stream)))
        self._check(self.driver.lib.cuCtxSynchronize())
        self.drain()

    # -- events
    def create_event(self) -> int:
        """An event that was not recorded yet."""
        self.enter()
        return self.driver.handle("cuEventCreate", 0)

    def destroy_event(self, event: int) -> None:
        """Release the event; a pending record of it still happens."""
        self.enter()
        self.release(self.driver.lib.cuEventDestroy_v2(event), "cuEventDestroy")

    def record_event(self, event: int, stream: int) -> None:
        """Mark this place in the stream."""
        self.enter()
        self._check(self.driver.lib.cuEventRecord(event, stream), "cuEventRecord")

    def stream_wait_event(self, stream: int, event: int) -> None:
        """Later work of the stream waits for the event's last record."""
        self.enter()
        self._check(self.driver.lib.cuStreamWaitEvent(stream, event, 0), "cuStreamWaitEvent")

    def event_done(self, event: int) -> bool:
        """Whether the last record was reached; True also for an event that was never recorded."""
        self.enter()
        return self._done(self.driver.lib.cuEventQuery(event))

    def wait_event(self, event: int) -> None:
        """Return when the last record was reached.

        Raises:
            DeviceFault: work of the device failed.
        """
        self.enter()
        self._wait(self.driver.lib.cuEventQuery, self.driver.lib.cuEventSynchronize, event)

    def elapsed_ms(self, start: int, stop: int) -> float:
        """Milliseconds between two completed events.

        Raises:
            HipError: hipErrorNotReady: one is not complete; hipErrorInvalidHandle: one was never recorded.
        """
        self.enter()
        elapsed = self.driver.ffi.new("float *")
        status = self.driver.lib.cuEventElapsedTime(elapsed, start, stop)
        self._check(status, "an event without a time")
        return float(elapsed[0])

    def host_call(self, stream: int, function: Callable[[], None]) -> None:
        """Call back into Python in stream order, on a thread of the driver's."""
        number = self._calls.add(function)
        try:
            self.host_call_c(stream, self._calls.function, number)
        except (DeviceFault, HipError):
            self._calls.drop(number)
            raise

    def host_call_c(self, stream: int, function: int, argument: int) -> None:
        """Call a C ``void(*)(void*)`` in stream order, without Python."""
        self.enter()
        self._check(self.driver.lib.cuLaunchHostFunc(stream, function, argument), "cuLaunchHostFunc")
