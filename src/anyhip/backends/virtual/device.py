"""The virtual GPU as a backend: :class:`VirtualBackend` counts devices, :class:`VirtualDevice` is one.

Every method is a call or two of the native engine; Python adds what only it can say: faults as exceptions,
translation at a kernel's first launch, and the text that kernels print. Memory is the host's own, so kernels
may also read and write the host's variables, as on an APU.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from anyhip import config
from anyhip.backends.backend import Extent, Pitched
from anyhip.backends.virtual import engine, faults
from anyhip.backends.virtual.layout import LaneForm
from anyhip.backends.virtual.module import LoadedKernel, VirtualModule
from anyhip.backends.virtual.output import write_records
from anyhip.backends.virtual.properties import Property, device_properties, host_memory
from anyhip.codeobj import bundle, codeobject
from anyhip.codeobj.bundle import Entry
from anyhip.codeobj.codeobject import CodeObject
from anyhip.errors import HipError, UsageError
from anyhip.target import Target, product

__all__ = ["VirtualBackend", "VirtualDevice"]

_POLL_NS = 100_000_000  # waits return to Python this often, so that Ctrl-C is seen
_OUTPUT_MOST = 4 << 20  # bytes of undecoded output after which a launch decodes them
_SPEC = re.compile(r"(?P<target>gfx.+)?x(?P<count>[0-9]+)")

_calls: dict[int, Callable[[], None]] = {}
_call_ids = itertools.count(1)


class VirtualBackend:
    """Virtual devices of one architecture.

    Args:
        spec: what follows ``virtual:`` in ANYHIP_DEVICE: a target id and how many, e.g. ``gfx942x2``.

    Raises:
        UsageError: a spec that cannot be read, or an architecture of which no product is known.
    """

    name = "virtual"

    def __init__(self, spec: str = "", count: int = 1) -> None:
        match = _SPEC.fullmatch(spec)
        self._target = Target.parse(_overridden() or (match["target"] if match else spec) or "gfx942")
        self._count = int(match["count"]) if match else count
        if self._target.isa != "amdgcn" or product(self._target.arch) is None:
            raise UsageError(f"no virtual device can be made of {self._target.arch}", "use virtual:gfx942")
        self._devices: dict[int, VirtualDevice] = {}

    def count(self) -> int:
        """How many devices there are."""
        return self._count

    def device(self, index: int) -> VirtualDevice:
        """The device of that number, made at the first call."""
        if not 0 <= index < self._count:
            raise HipError("hipErrorInvalidDevice", f"virtual device {index} of {self._count}")
        if index not in self._devices:
            self._devices[index] = VirtualDevice(self._target, index)
        return self._devices[index]

    def absent_reason(self) -> str:
        """Virtual devices are never absent."""
        return ""


def _overridden() -> str:
    """The architecture that HSA_OVERRIDE_GFX_VERSION names, in hexadecimal digits as AMD names them.

    Raises:
        UsageError: three numbers are not what it is.
    """
    text = config.get("HSA_OVERRIDE_GFX_VERSION")
    if not text:
        return ""
    match = re.fullmatch(r"([0-9]+)\.([0-9]|1[0-5])\.([0-9]|1[0-5])", text)
    if match is None:
        raise UsageError(f"HSA_OVERRIDE_GFX_VERSION={text} is no version", "write it as 10.3.0 for gfx1030")
    return f"gfx{match[1]}{int(match[2]):x}{int(match[3]):x}"


class VirtualDevice:
    """One virtual GPU (see :class:`anyhip.backends.backend.BackendDevice`).

    Args:
        memory: bytes that can be allocated; 0: the product's, as far as the host has them.
    """

    def __init__(self, target: Target, index: int = 0, memory: int = 0) -> None:
        made_of = product(target.arch)
        memory = memory or min(made_of.memory_bytes if made_of else host_memory(), host_memory())
        self.target = target
        self.properties: Mapping[str, Property] = device_properties(target, index, memory)
        module = engine.load()
        self._ffi: Any = module.ffi
        self._lib: Any = module.lib
        self._handle: int = self._lib.device_create(memory)
        if not self._handle:
            raise HipError("hipErrorOutOfMemory", "no memory for a virtual device")
        self.default_stream: int = self._lib.device_null_stream(self._handle)
        self._kernels: dict[int, LoadedKernel] = {}
        self._printing: set[int] = set()  # kernels that print
        self._launch = self._lib.kernel_launch
        self._not_translated: int = self._lib.ENGINE_NOT_TRANSLATED
        _install_calls(self._ffi)

    def select(self, entries: Sequence[Entry]) -> CodeObject:
        """The code object of a fat binary that this device runs."""
        entry = bundle.select(entries, self.target)
        return codeobject.load(entry.data, entry.id)

    # -- memory
    def allocate(self, size: int, kind: str = "device") -> int:
        """Memory of its own pages; whatever is past its end faults. The kinds differ in nothing here."""
        address: int = self._lib.memory_allocate(self._handle, size)
        if not address:
            free, total = self.memory_info()
            raise HipError(
                "hipErrorOutOfMemory",
                f"{size} bytes of {kind} memory: {free} of {total} are free",
                "free something, or work in smaller pieces",
            )
        return address

    def free(self, address: int) -> None:
        """Release memory; later accesses to it fault."""
        if self._lib.memory_free(self._handle, address):
            raise HipError("hipErrorInvalidValue", f"{address:#x} is not the beginning of an allocation")

    def register_host(self, address: int, size: int) -> None:
        """Kernels can access all of the host's memory anyway."""

    def unregister_host(self, address: int) -> None:
        """Kernels can access all of the host's memory anyway."""

    def memory_info(self) -> tuple[int, int]:
        """Free and total bytes."""
        total: int = self._lib.memory_total(self._handle)
        return max(total - self._lib.memory_used(self._handle), 0), total

    # -- streams
    def create_stream(self, *, blocking: bool = True, priority: int = 0) -> int:
        """A stream; priorities make no difference here."""
        stream: int = self._lib.stream_create(self._handle, blocking)
        if not stream:
            raise HipError("hipErrorOutOfMemory", "no memory for a stream")
        return stream

    def destroy_stream(self, stream: int) -> None:
        """Release the stream once its work is done (does not wait)."""
        self._lib.stream_destroy(stream)

    def stream_done(self, stream: int) -> bool:
        """Whether all work of the stream has completed."""
        return bool(self._lib.stream_done(stream))

    def wait_stream(self, stream: int) -> None:
        """Return when all work of the stream has completed.

        Raises:
            DeviceFault: some of it failed.
        """
        if self._wait(self._lib.stream_wait, stream) == 2:
            self._attend(self._lib.stream_fault, stream)

    def wait_all(self) -> None:
        """Return when all work of the device has completed.

        Raises:
            DeviceFault: some of it failed.
        """
        if self._wait(self._lib.device_wait, self._handle) == 2:
            self._attend(self._lib.device_fault, self._handle)

    def _wait(self, wait: Callable[[int, int], int], handle: int) -> int:
        try:
            while not (done := wait(handle, _POLL_NS)):
                pass
        except KeyboardInterrupt:
            self.abort()
            raise
        return done

    def _attend(self, find_fault: Callable[[int, Any], int], handle: int) -> None:
        self.flush_output()
        fault = self._ffi.new("struct engine_fault *")
        if find_fault(handle, fault):
            raise faults.explain(fault, self._source, self._nearest)

    def _source(self, kernel: int) -> faults.KernelSource:
        loaded = self._kernels.get(kernel)
        return loaded.source if loaded else faults.KernelSource("of an unloaded module")

    def _nearest(self, address: int) -> str:
        found = self._ffi.new("struct engine_allocation *")
        known = self._lib.memory_nearest(self._handle, address, found)
        return faults.nearest(address, found) if known else "and nothing is allocated"

    def abort(self) -> None:
        """End running kernels at their next yield and drop queued ones; the device stays usable."""
        self._lib.device_abort(self._handle)
        while not self._lib.device_wait(self._handle, _POLL_NS):
            self._lib.device_abort(self._handle)

    def clear_faults(self) -> None:
        """Make every stream usable again after a fault (hipDeviceReset)."""
        self._lib.device_clear_faults(self._handle)

    def settle(self) -> None:
        """Wait for all work, whatever became of it."""
        self._wait(self._lib.device_wait, self._handle)
        self.flush_output()

    # -- events
    def create_event(self) -> int:
        """An event that was not recorded yet."""
        event: int = self._lib.event_create()
        if not event:
            raise HipError("hipErrorOutOfMemory", "no memory for an event")
        return event

    def destroy_event(self, event: int) -> None:
        """Release the event; a pending record of it still happens."""
        self._lib.event_destroy(event)

    def record_event(self, event: int, stream: int) -> None:
        """Mark this place in the stream."""
        self._check(self._lib.event_record(event, stream))

    def stream_wait_event(self, stream: int, event: int) -> None:
        """Later work of the stream waits for the event's last record."""
        self._check(self._lib.stream_wait_event(stream, event))

    def event_done(self, event: int) -> bool:
        """Whether the last record was reached; True also for an event that was never recorded."""
        return bool(self._lib.event_done(event))

    def wait_event(self, event: int) -> None:
        """Return when the last record was reached.

        Raises:
            DeviceFault: work of its stream failed.
        """
        if self._wait(self._lib.event_wait, event) == 2:
            self._attend(self._lib.event_fault, event)

    def elapsed_ms(self, start: int, stop: int) -> float:
        """Milliseconds between two completed events.

        Raises:
            HipError: hipErrorNotReady: one is not complete; hipErrorInvalidHandle: one was never recorded.
        """
        elapsed: float = self._lib.event_elapsed_ms(start, stop)
        if elapsed != elapsed:
            done = self.event_done(start) and self.event_done(stop)
            raise HipError("hipErrorInvalidHandle" if done else "hipErrorNotReady", "an event without a time")
        return elapsed

    # -- work
    def copy(self, stream: int, dst: int, src: int, size: int) -> None:
        """Copy bytes; a small copy on an idle stream is done at once."""
        self._check(self._lib.enqueue_copy(stream, dst, src, size))

    def copy_rect(self, stream: int, dst: Pitched, src: Pitched, extent: Extent) -> None:
        """Copy a box of bytes."""
        self._check(self._lib.enqueue_copy_rect(stream, *dst, *src, *extent))

    def fill(self, stream: int, dst: int, value: int, width: int, count: int) -> None:
        """``count`` elements of ``width`` (1, 2 or 4) bytes."""
        self.fill_rect(stream, (dst, 0, 0), value, width, (count * width, 1, 1))

    def fill_rect(self, stream: int, dst: Pitched, value: int, width: int, extent: Extent) -> None:
        """Fill a box of bytes with elements of ``width`` bytes."""
        self._check(self._lib.enqueue_fill_rect(stream, *dst, value & 0xFFFFFFFF, width, *extent))

    def host_call(self, stream: int, function: Callable[[], None]) -> None:
        """Call back into Python in stream order, on a thread of the engine's."""
        number = next(_call_ids)
        _calls[number] = function
        self._check(self._lib.enqueue_python_call(stream, number))

    def host_call_c(self, stream: int, function: int, argument: int) -> None:
        """Call a C ``void(*)(void*)`` in stream order, without Python."""
        self._check(self._lib.enqueue_call(stream, function, argument))

    def _check(self, status: int) -> None:
        if status:
            faults.raise_status(self._lib, status)

    # -- code
    def load(self, code: CodeObject) -> VirtualModule:
        """Put a code object into the device's memory."""
        return VirtualModule(self, code)

    def add_kernel(self, loaded: LoadedKernel) -> None:
        """Know a module's kernel by its handle."""
        self._kernels[loaded.handle] = loaded

    def remove_kernel(self, loaded: LoadedKernel) -> None:
        """Forget a kernel and close its library; its work must have completed."""
        self._printing.discard(loaded.handle)
        del self._kernels[loaded.handle]
        self._lib.kernel_destroy(loaded.handle)

    def loaded_kernel(self, handle: int) -> LoadedKernel:
        """The kernel of a handle. KeyError if its module is not loaded."""
        return self._kernels[handle]

    def _prepare(self, kernel: int, block: tuple[int, int, int]) -> None:
        loaded = self._kernels[kernel]
        loaded.prepare(LaneForm(self._lib.kernel_lanes(*block)))
        if loaded.prints:
            self._printing.add(kernel)

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
        """Run ``grid`` workgroups of ``block`` work-items; ``args`` is the address of a ``void *[]``."""
        status = self._launch(stream, kernel, *grid, *block, shared, args, cooperative)
        if status == self._not_translated:
            self._prepare(kernel, block)
            status = self._launch(stream, kernel, *grid, *block, shared, args, cooperative)
        if status:
            faults.raise_status(self._lib, status)
        if kernel in self._printing:
            self._flush_if_large()

    def launch_packed(
        self,
        stream: int,
        kernel: int,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        shared: int,
        kernarg: bytes,
    ) -> None:
        """As :meth:`launch`, with the explicit arguments already laid out."""
        launch = self._lib.kernel_launch_packed
        status = launch(stream, kernel, *grid, *block, shared, kernarg, len(kernarg))
        if status == self._not_translated:
            self._prepare(kernel, block)
            status = launch(stream, kernel, *grid, *block, shared, kernarg, len(kernarg))
        self._check(status)
        if kernel in self._printing:
            self._flush_if_large()

    # -- output
    def _flush_if_large(self) -> None:
        if self._lib.device_output_pending(self._handle) > _OUTPUT_MOST:
            self.flush_output()

    def flush_output(self) -> None:
        """Write what completed kernels printed, through C's stdio."""
        if not self._lib.device_output_pending(self._handle):
            return
        write_records(self._ffi, self._lib, self._handle, self._formats)

    def _formats(self, kernel: int) -> Mapping[int, str]:
        loaded = self._kernels.get(kernel)
        return loaded.module.code.printf_formats if loaded else {}


def _install_calls(ffi: Any) -> None:
    """Let the engine call Python; once a process is enough, again does no harm."""

    def run(number: int) -> None:
        _calls.pop(number)()

    ffi.def_extern(name="anyhip_python_call")(run)
