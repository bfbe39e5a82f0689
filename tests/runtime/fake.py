"""A device without code: real memory and copies on ctypes buffers, work done when enqueued, launches kept."""

from __future__ import annotations

import ctypes
import itertools
from types import SimpleNamespace
from typing import Any

from anyhip.errors import DeviceFault, HipError

TOTAL = 1 << 30
PROPERTIES: dict[str, Any] = {
    "name": "Fake GPU", "uuid": "0123456789abcdef", "major": 9, "minor": 4, "totalGlobalMem": TOTAL,
    "warpSize": 64,
    "sharedMemPerBlock": 65536, "sharedMemPerMultiprocessor": 65536, "maxThreadsPerBlock": 1024,
    "maxThreadsPerMultiProcessor": 2048, "regsPerMultiprocessor": 131072, "multiProcessorCount": 304,
    "maxThreadsDim": (1024, 1024, 1024), "maxGridSize": (2147483647, 65536, 65536), "pciBusID": 0xC1,
    "clockRate": 2100000, "maxBlocksPerMultiProcessor": 32,
}  # fmt: skip


def kernel_info(**changes: Any) -> SimpleNamespace:
    """A kernel of a made-up code object."""
    facts = {"kind": "normal", "args": (), "attributes": {"maxThreadsPerBlock": 1024, "numRegs": 32}}
    return SimpleNamespace(**{**facts, **changes})


class FakeModule:
    def __init__(self, device: FakeDevice, code: Any) -> None:
        self.device = device
        self.code = code
        self.unloaded = False
        self._symbols = {name: (device.allocate(size), size) for name, size in code.symbols.items()}

    def symbol(self, name: str) -> tuple[int, int]:
        return self._symbols[name]

    def kernel(self, name: str) -> int:
        self.code.kernels[name]
        return list(self.code.kernels).index(name) + 1

    def attributes(self, kernel: int) -> dict[str, int]:
        found: dict[str, int] = list(self.code.kernels.values())[kernel - 1].attributes
        return found

    def unload(self) -> None:
        self.unloaded = True


class FakeDevice:
    """``launches`` records; ``fault`` is raised by the next wait; ``code`` is what every image selects."""

    def __init__(self) -> None:
        self.target = SimpleNamespace(arch="gfx942", id="gfx942:sramecc+:xnack-")
        self.properties = dict(PROPERTIES)
        self.default_stream = 1
        self.buffers: dict[int, Any] = {}
        self.launches: list[tuple[Any, ...]] = []
        self.pending: set[int] = set()  # streams that are not done
        self.fault: DeviceFault | None = None
        self.code = SimpleNamespace(kernels={"k": kernel_info()}, symbols={"table": 64})
        self.registered: dict[int, int] = {}
        self.waits = 0
        self._numbers = itertools.count(2)
        self._clock = itertools.count(1)
        self._events: dict[int, int] = {}

    def select(self, entries: Any) -> Any:
        if not entries:
            raise HipError("hipErrorNoBinaryForGpu", "nothing there")
        return self.code

    def allocate(self, size: int, kind: str = "device") -> int:
        buffer = ctypes.create_string_buffer(size + 256)
        address = -(-ctypes.addressof(buffer) // 256) * 256
        self.buffers[address] = buffer
        return address

    def free(self, address: int) -> None:
        del self.buffers[address]

    def clear_faults(self) -> None:
        self.fault = None

    def memory_info(self) -> tuple[int, int]:
        return TOTAL - sum(len(b) - 256 for b in self.buffers.values()), TOTAL

    def register_host(self, address: int, size: int) -> None:
        self.registered[address] = size

    def unregister_host(self, address: int) -> None:
        del self.registered[address]

    def create_stream(self, *, blocking: bool = True, priority: int = 0) -> int:
        return next(self._numbers)

    def destroy_stream(self, stream: int) -> None: ...

    def stream_done(self, stream: int) -> bool:
        return stream not in self.pending

    def wait_stream(self, stream: int) -> None:
        self.waits += 1
        if self.fault is not None:
            raise self.fault

    def wait_all(self) -> None:
        self.wait_stream(0)

    def create_event(self) -> int:
        return next(self._numbers)

    def destroy_event(self, event: int) -> None: ...

    def record_event(self, event: int, stream: int) -> None:
        self._events[event] = next(self._clock)

    def stream_wait_event(self, stream: int, event: int) -> None: ...

    def event_done(self, event: int) -> bool:
        return event in self._events and not self.pending

    def wait_event(self, event: int) -> None:
        self.wait_stream(0)

    def elapsed_ms(self, start: int, stop: int) -> float:
        return float(self._events[stop] - self._events[start])

    def copy(self, stream: int, dst: int, src: int, size: int) -> None:
        ctypes.memmove(dst, src, size)

    def copy_rect(self, stream: int, dst: Any, src: Any, extent: Any) -> None:
        for z in range(extent[2]):
            for y in range(extent[1]):
                ctypes.memmove(dst[0] + z * dst[2] + y * dst[1], src[0] + z * src[2] + y * src[1], extent[0])

    def fill(self, stream: int, dst: int, value: int, width: int, count: int) -> None:
        ctypes.memmove(dst, value.to_bytes(width, "little") * count, width * count)

    def fill_rect(self, stream: int, dst: Any, value: int, width: int, extent: Any) -> None:
        for z in range(extent[2]):
            for y in range(extent[1]):
                self.fill(stream, dst[0] + z * dst[2] + y * dst[1], value, width, extent[0] // width)

    def host_call(self, stream: int, function: Any) -> None:
        function()

    def host_call_c(self, stream: int, function: int, argument: int) -> None:
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(function)(argument)

    def load(self, code: Any) -> FakeModule:
        return FakeModule(self, code)

    def launch(self, *args: Any) -> None:
        self.launches.append(args)

    def launch_packed(self, *args: Any) -> None:
        self.launches.append(args)


class FakeBackend:
    name = "fake"

    def __init__(self, devices: int = 1) -> None:
        self.devices = [FakeDevice() for _ in range(devices)]

    def count(self) -> int:
        return len(self.devices)

    def device(self, index: int) -> FakeDevice:
        return self.devices[index]

    def absent_reason(self) -> str:
        return "no device was made"
