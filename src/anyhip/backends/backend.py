"""The contract between the runtime and a kind of device.

Addresses, streams, events and kernels are plain integers (handles of the backend), so that a call costs
no object. Work is enqueued in stream order and runs asynchronously; a failure of enqueued work is raised
as :class:`~anyhip.errors.DeviceFault` by the next call that waits for its stream, and is sticky there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from anyhip.codeobj.bundle import Entry
from anyhip.codeobj.codeobject import CodeObject
from anyhip.target import Target

__all__ = ["Backend", "BackendDevice", "BackendModule", "Extent", "Pitched"]

Extent = tuple[int, int, int]  # width in bytes, height in rows, depth in slices
Pitched = tuple[int, int, int]  # address, bytes a row, bytes a slice


class BackendModule(Protocol):
    """A code object loaded on one device: its globals have addresses, its kernels handles."""

    code: CodeObject

    def symbol(self, name: str) -> tuple[int, int]:
        """Device address and size in bytes of a ``__device__`` or ``__constant__`` variable.

        Raises:
            KeyError: the module has no such variable.
        """
        ...

    def kernel(self, name: str) -> int:
        """Handle of a kernel, translated at its first launch. KeyError if absent."""
        ...

    def attributes(self, kernel: int) -> Mapping[str, int]:
        """hipFuncAttributes by field name: numRegs, sharedSizeBytes, localSizeBytes, maxThreadsPerBlock …"""
        ...

    def unload(self) -> None:
        """Free the module's memory. Work that uses it must have completed."""
        ...


class BackendDevice(Protocol):
    """One device. Every method may be called from any host thread."""

    target: Target
    properties: Mapping[str, int | str | bool | tuple[int, ...]]  # hipDeviceProp_t by field name
    default_stream: int  # HIP's null stream: waits for, and is waited for by, every blocking stream

    def select(self, entries: Sequence[Entry]) -> CodeObject:
        """The code object of a fat binary that this device runs.

        Raises:
            HipError: hipErrorNoBinaryForGpu, listing what is there.
        """
        ...

    # Memory. Addresses of the virtual GPU are host addresses.
    def allocate(self, size: int, kind: str = "device") -> int:
        """Memory of ``size`` > 0 bytes, 256-byte aligned; kind is device, host or managed.

        Raises:
            HipError: hipErrorOutOfMemory.
        """
        ...

    def free(self, address: int) -> None:
        """Give back what :meth:`allocate` returned; work that uses it must have completed."""
        ...

    def register_host(self, address: int, size: int) -> None:
        """Let kernels access host memory that the program allocated itself (hipHostRegister)."""
        ...

    def unregister_host(self, address: int) -> None:
        """Undo :meth:`register_host`."""
        ...

    def memory_info(self) -> tuple[int, int]:
        """Free and total bytes."""
        ...

    # Streams
    def create_stream(self, *, blocking: bool = True, priority: int = 0) -> int:
        """Handle of a new stream; a blocking one takes turns with the default stream."""
        ...

    def destroy_stream(self, stream: int) -> None:
        """Release the stream once its work is done (does not wait)."""
        ...

    def stream_done(self, stream: int) -> bool:
        """Whether all work of the stream has completed; does not wait."""
        ...

    def wait_stream(self, stream: int) -> None:
        """Return when all work of the stream has completed; Ctrl-C interrupts a Python caller."""
        ...

    def wait_all(self) -> None:
        """Return when all work of the device has completed."""
        ...

    def clear_faults(self) -> None:
        """Make every stream usable again after a fault (hipDeviceReset)."""
        ...

    # Events
    def create_event(self) -> int:
        """Handle of a new event, which counts as done until it is recorded."""
        ...

    def destroy_event(self, event: int) -> None:
        """Release the event; streams that wait for it go on waiting for its last record."""
        ...

    def record_event(self, event: int, stream: int) -> None:
        """Let the event complete, with the time, when the stream's work so far has."""
        ...

    def stream_wait_event(self, stream: int, event: int) -> None:
        """Hold later work of the stream until the event's last record has completed."""
        ...

    def event_done(self, event: int) -> bool:
        """True also for an event that was never recorded."""
        ...

    def wait_event(self, event: int) -> None:
        """Return when the event's last record has completed."""
        ...

    def elapsed_ms(self, start: int, stop: int) -> float:
        """Milliseconds between two completed events."""
        ...

    # Work
    def copy(self, stream: int, dst: int, src: int, size: int) -> None:
        """Copy bytes between any two places; host memory must stay valid until then."""
        ...

    def copy_rect(self, stream: int, dst: Pitched, src: Pitched, extent: Extent) -> None:
        """Copy a box of rows and slices between pitched places."""
        ...

    def fill(self, stream: int, dst: int, value: int, width: int, count: int) -> None:
        """``count`` elements of ``width`` (1, 2 or 4) bytes."""
        ...

    def fill_rect(self, stream: int, dst: Pitched, value: int, width: int, extent: Extent) -> None:
        """Fill a box with elements of ``width`` bytes."""
        ...

    def host_call(self, stream: int, function: Callable[[], None]) -> None:
        """Call back into Python in stream order."""
        ...

    def host_call_c(self, stream: int, function: int, argument: int) -> None:
        """Call a C ``void(*)(void*)`` in stream order, without Python."""
        ...

    # Code
    def load(self, code: CodeObject) -> BackendModule:
        """Place a code object's variables and code on the device."""
        ...

    def launch(
        self,
        stream: int,
        kernel: int,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        shared: int,
        args: int,
        cooperative: bool = False,
    ) -> None:
        """Run ``grid`` workgroups of ``block`` work-items.

        Args:
            grid: workgroups, each > 0 (checked by the runtime against the device's limits).
            shared: dynamic LDS bytes.
            args: address of a C array of pointers, one to each argument's bytes (``hipLaunchKernel``).
        """
        ...

    def launch_packed(
        self,
        stream: int,
        kernel: int,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        shared: int,
        kernarg: bytes,
    ) -> None:
        """As :meth:`launch`, with the explicit arguments laid out (HIP_LAUNCH_PARAM_BUFFER_POINTER)."""
        ...


class Backend(Protocol):
    """A kind of device: ``virtual``, ``nvidia`` or ``rocm``."""

    name: str

    def count(self) -> int:
        """Devices present; 0 when the driver is absent."""
        ...

    def device(self, index: int) -> BackendDevice:
        """The device of that number, the same object each time."""
        ...

    def absent_reason(self) -> str:
        """Why :meth:`count` is 0, in a sentence."""
        ...
