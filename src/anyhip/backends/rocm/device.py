"""One AMD GPU: each method of the contract is a call of the system's HIP runtime."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence

from anyhip.backends.backend import Extent, Pitched
from anyhip.backends.rocm import properties
from anyhip.backends.rocm.library import Library
from anyhip.backends.rocm.module import RocmModule
from anyhip.codeobj import bundle, codeobject
from anyhip.codeobj.bundle import Entry
from anyhip.codeobj.codeobject import CodeObject
from anyhip.target import Target

__all__ = ["RocmDevice"]

_DEFAULT_KIND = 4  # hipMemcpyDefault: the runtime tells by the addresses
_NONBLOCKING = 1  # hipStreamNonBlocking
_MANAGED_GLOBAL = 1  # hipMemAttachGlobal
_BUFFER, _SIZE, _END = 1, 2, 3  # HIP_LAUNCH_PARAM_BUFFER_POINTER, …_BUFFER_SIZE, …_END
_FILLS = {1: "hipMemsetAsync", 2: "hipMemsetD16Async", 4: "hipMemsetD32Async"}


class RocmDevice:
    """See :class:`anyhip.backends.backend.BackendDevice`.

    Args:
        ordinal: the library's number of the device.

    Raises:
        HipError: what the library says of the device.
    """

    default_stream = 0

    def __init__(self, library: Library, ordinal: int) -> None:
        self._library = library
        self._ordinal = ordinal
        self.properties: Mapping[str, properties.Property] = properties.read(library, ordinal)
        self.target = Target.parse(str(self.properties["gcnArchName"]))
        self._host: set[int] = set()
        self._numbers = itertools.count(1)
        self._pending: dict[int, Callable[[], None]] = {}
        self._callback = library.ffi.callback("void(uintptr_t)", self._run)  # lives as long as the device

    def enter(self) -> Library:
        """Make the device current for the calling thread; returns the library."""
        self._library.call("hipSetDevice", self._ordinal)
        return self._library

    def select(self, entries: Sequence[Entry]) -> CodeObject:
        """The code object of a fat binary that this device runs."""
        entry = bundle.select(entries, self.target)
        return codeobject.load(entry.data, entry.id)

    # -- memory
    def allocate(self, size: int, kind: str = "device") -> int:
        """Memory of a kind."""
        library = self.enter()
        if kind == "host":
            address = int(library.get("uintptr_t", "hipHostMalloc", size, 0))
            self._host.add(address)
            return address
        if kind == "managed":
            return int(library.get("uintptr_t", "hipMallocManaged", size, _MANAGED_GLOBAL))
        return int(library.get("uintptr_t", "hipMalloc", size))

    def free(self, address: int) -> None:
        """Give memory back."""
        library = self.enter()
        host = address in self._host
        self._host.discard(address)
        library.call("hipHostFree" if host else "hipFree", address)

    def register_host(self, address: int, size: int) -> None:
        """Let kernels access the program's own memory."""
        self.enter().call("hipHostRegister", address, size, 0)

    def unregister_host(self, address: int) -> None:
        """Undo it."""
        self.enter().call("hipHostUnregister", address)

    def memory_info(self) -> tuple[int, int]:
        """Free and total bytes."""
        library = self.enter()
        free, total = library.ffi.new("size_t *"), library.ffi.new("size_t *")
        library.call("hipMemGetInfo", free, total)
        return int(free[0]), int(total[0])

    # -- streams and events
    def create_stream(self, *, blocking: bool = True, priority: int = 0) -> int:
        """Handle of a new stream."""
        flags = 0 if blocking else _NONBLOCKING
        return int(self.enter().get("uintptr_t", "hipStreamCreateWithPriority", flags, priority))

    def destroy_stream(self, stream: int) -> None:
        """Release the stream once its work is done."""
        self.enter().call("hipStreamDestroy", stream)

    def stream_done(self, stream: int) -> bool:
        """Whether all work of the stream has completed."""
        return self.enter().ready("hipStreamQuery", stream)

    def wait_stream(self, stream: int) -> None:
        """Return when all work of the stream has completed."""
        self.enter().call("hipStreamSynchronize", stream)

    def wait_all(self) -> None:
        """Return when all work of the device has completed."""
        self.enter().call("hipDeviceSynchronize")

    def clear_faults(self) -> None:
        """Reset the device."""
        self.enter().call("hipDeviceReset")

    def create_event(self) -> int:
        """Handle of a new event."""
        return int(self.enter().get("uintptr_t", "hipEventCreateWithFlags", 0))

    def destroy_event(self, event: int) -> None:
        """Release the event."""
        self.enter().call("hipEventDestroy", event)

    def record_event(self, event: int, stream: int) -> None:
        """Let the event complete when the stream's work so far has."""
        self.enter().call("hipEventRecord", event, stream)

    def stream_wait_event(self, stream: int, event: int) -> None:
        """Hold later work of the stream until the event has completed."""
        self.enter().call("hipStreamWaitEvent", stream, event, 0)

    def event_done(self, event: int) -> bool:
        """Whether the event's last record has completed."""
        return self.enter().ready("hipEventQuery", event)

    def wait_event(self, event: int) -> None:
        """Return when the event's last record has completed."""
        self.enter().call("hipEventSynchronize", event)

    def elapsed_ms(self, start: int, stop: int) -> float:
        """Milliseconds between two completed events."""
        return float(self.enter().get("float", "hipEventElapsedTime", start, stop))

    # -- work
    def copy(self, stream: int, dst: int, src: int, size: int) -> None:
        """Copy bytes between any two places."""
        self.enter().call("hipMemcpyAsync", dst, src, size, _DEFAULT_KIND, stream)

    def copy_rect(self, stream: int, dst: Pitched, src: Pitched, extent: Extent) -> None:
        """Copy a box, a slice at a time."""
        library = self.enter()
        width, height, depth = extent
        for z in range(depth):
            to, of = dst[0] + z * dst[2], src[0] + z * src[2]
            library.call("hipMemcpy2DAsync", to, dst[1], of, src[1], width, height, _DEFAULT_KIND, stream)

    def fill(self, stream: int, dst: int, value: int, width: int, count: int) -> None:
        """Elements of 1, 2 or 4 bytes."""
        value &= (1 << 8 * width) - 1
        signed = value - (1 << 32) if width == 4 and value >> 31 else value
        self.enter().call(_FILLS[width], dst, signed, count, stream)

    def fill_rect(self, stream: int, dst: Pitched, value: int, width: int, extent: Extent) -> None:
        """Fill a box, a row at a time."""
        for z in range(extent[2]):
            for y in range(extent[1]):
                self.fill(stream, dst[0] + z * dst[2] + y * dst[1], value, width, extent[0] // width)

    def host_call(self, stream: int, function: Callable[[], None]) -> None:
        """Call back into Python in stream order."""
        number = next(self._numbers)
        self._pending[number] = function
        self.host_call_c(stream, int(self._library.ffi.cast("uintptr_t", self._callback)), number)

    def _run(self, number: int) -> None:
        self._pending.pop(number)()

    def host_call_c(self, stream: int, function: int, argument: int) -> None:
        """Call a C function in stream order."""
        self.enter().call("hipLaunchHostFunc", stream, function, argument)

    # -- code
    def load(self, code: CodeObject) -> RocmModule:
        """Place a code object on the device."""
        return RocmModule(self, code)

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
        """Run a kernel; ``args`` points to pointers to its arguments."""
        library = self.enter()
        if cooperative:
            library.call("hipModuleLaunchCooperativeKernel", kernel, *grid, *block, shared, stream, args)
        else:
            none = library.ffi.NULL
            library.call("hipModuleLaunchKernel", kernel, *grid, *block, shared, stream, args, none)

    def launch_packed(
        self,
        stream: int,
        kernel: int,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        shared: int,
        kernarg: bytes,
    ) -> None:
        """Run a kernel whose arguments are laid out."""
        library = self.enter()
        ffi = library.ffi
        packed, size = ffi.from_buffer(kernarg), ffi.new("size_t *", len(kernarg))
        words = [
            ffi.cast("void *", _BUFFER),
            packed,
            ffi.cast("void *", _SIZE),
            size,
            ffi.cast("void *", _END),
        ]
        extra = ffi.new("void *[]", words)
        library.call("hipModuleLaunchKernel", kernel, *grid, *block, shared, stream, 0, extra)
