"""A driver that runs nothing: it records calls, keeps books on handles and memory, and can be told to fail.

Memory is the host's own (so copies and fills really happen), time is a counter, kernels do nothing.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from cffi import FFI as FFI_

from anyhip.backends.nvidia import native
from anyhip.backends.nvidia.backend import NvidiaBackend
from anyhip.backends.nvidia.device import NvidiaDevice
from anyhip.backends.nvidia.driver import Driver

FFI = FFI_()
FFI.cdef(native.declarations())
ATTRIBUTES = {
    1: 1024,
    2: 1024,
    3: 1024,
    4: 64,
    5: 2**31 - 1,
    6: 65535,
    7: 65535,
    8: 49152,
    10: 32,
    16: 132,
    39: 2048,
    75: 9,
    76: 0,
    81: 233472,
    82: 65536,
    97: 232448,
    106: 32,
}
FUNCTION_ATTRIBUTES = {0: 512, 1: 1024, 2: 0, 3: 16, 4: 40, 5: 90, 6: 90, 7: 0, 8: 49152, 9: -1}


class FakeLibrary:
    """Stands for what cffi makes of ``libcuda.so.1``.

    Attributes:
        calls: (function, arguments) in order; pointers that results go to are left out.
        answers: CUresults that the next calls of a function give instead of working.
        busy: how often streams and events answer "not ready" before they are done.
    """

    def __init__(self, count: int = 1) -> None:
        self.count = count
        self.calls: list[tuple[Any, ...]] = []
        self.answers: dict[str, deque[int]] = {}
        self.busy = 0
        self.free_bytes, self.total_bytes = 100 << 20, 141 << 30
        self.globals = {b"counter": (0x7000, 4)}
        self.functions: set[bytes] = {b"kernel", b"other"}
        self.log = b""
        self.current = 0
        self.memory: dict[int, Any] = {}
        self.host_functions: list[tuple[int, int]] = []
        self._handles = itertools.count(0x1000, 0x10)

    def answer(self, function: str, *results: int) -> None:
        self.answers.setdefault(function, deque()).extend(results)

    def named(self, function: str) -> list[tuple[Any, ...]]:
        return [call[1:] for call in self.calls if call[0] == function]

    def __getattr__(self, name: str) -> Callable[..., int]:
        if not name.startswith("cu"):
            raise AttributeError(name)
        work = getattr(type(self), "_" + name, None)

        def call(*args: Any) -> int:
            self.calls.append((name, *(arg for arg in args if isinstance(arg, (int, bytes, float)))))
            waiting = self.answers.get(name)
            if waiting and (status := waiting.popleft()):
                return status
            if work is not None:
                return work(self, *args) or 0
            if args and not isinstance(args[0], (int, bytes)):
                args[0][0] = next(self._handles)  # a new handle
            return 0

        return call

    def _cuGetErrorString(self, error: int, text: Any) -> int:
        self._kept = FFI.new("char[]", f"words for {error}".encode())
        text[0] = self._kept
        return 0

    def _cuDeviceGetCount(self, count: Any) -> None:
        count[0] = self.count

    def _cuDeviceGet(self, device: Any, ordinal: int) -> None:
        device[0] = 100 + ordinal

    def _cuDeviceGetName(self, name: Any, room: int, device: int) -> None:
        FFI.memmove(name, b"NVIDIA Fake\0", 12)

    def _cuDeviceTotalMem_v2(self, size: Any, device: int) -> None:
        size[0] = self.total_bytes

    def _cuDeviceGetUuid_v2(self, uuid: Any, device: int) -> None:
        FFI.memmove(uuid, bytes(range(16)), 16)

    def _cuDeviceGetAttribute(self, value: Any, attribute: int, device: int) -> int:
        value[0] = ATTRIBUTES.get(attribute, 0)
        return 0 if attribute in ATTRIBUTES else 1

    def _cuDeviceCanAccessPeer(self, value: Any, device: int, peer: int) -> None:
        value[0] = int(device != peer)

    def _cuCtxSetCurrent(self, context: int) -> None:
        self.current = context

    def _cuCtxGetStreamPriorityRange(self, least: Any, greatest: Any) -> None:
        least[0], greatest[0] = 0, -5

    def _cuMemGetInfo_v2(self, free: Any, total: Any) -> None:
        free[0], total[0] = self.free_bytes, self.total_bytes

    def _allocate(self, address: Any, size: int, flags: int = 0) -> int:
        if size > self.free_bytes:
            return 2
        block = FFI.new("char[]", size)
        address[0] = int(FFI.cast("uintptr_t", block))
        self.memory[address[0]] = block
        return 0

    _cuMemAlloc_v2 = _cuMemHostAlloc = _cuMemAllocManaged = _allocate  # noqa: N815

    def _free(self, address: int) -> int:
        return 0 if self.memory.pop(address, None) is not None else 1

    _cuMemFree_v2 = _cuMemFreeHost = _free  # noqa: N815

    def _query(self, handle: int) -> int:
        self.busy -= 1
        return 600 if self.busy >= 0 else 0

    _cuStreamQuery = _cuEventQuery = _query  # noqa: N815

    def _cuEventElapsedTime(self, elapsed: Any, start: int, stop: int) -> None:
        elapsed[0] = 2.5

    def _cuMemcpyAsync(self, dst: int, src: int, size: int, stream: int) -> None:
        FFI.memmove(FFI.cast("char *", dst), FFI.cast("char *", src), size)

    def _cuMemcpy3DAsync_v2(self, box: Any, stream: int) -> None:
        for z, y in itertools.product(range(box.Depth), range(box.Height)):
            dst = box.dstDevice + (z * box.dstHeight + y) * box.dstPitch
            src = box.srcDevice + (z * box.srcHeight + y) * box.srcPitch
            FFI.memmove(FFI.cast("char *", dst), FFI.cast("char *", src), box.WidthInBytes)

    def _fill(self, dst: int, element: bytes, count: int) -> None:
        FFI.memmove(FFI.cast("char *", dst), element * count, len(element) * count)

    def _cuMemsetD8Async(self, dst: int, value: int, count: int, stream: int) -> None:
        self._fill(dst, value.to_bytes(1, "little"), count)

    def _cuMemsetD32Async(self, dst: int, value: int, count: int, stream: int) -> None:
        self._fill(dst, value.to_bytes(4, "little"), count)

    def _cuMemsetD2D16Async(
        self, dst: int, pitch: int, value: int, width: int, height: int, stream: int
    ) -> None:
        for row in range(height):
            self._fill(dst + row * pitch, value.to_bytes(2, "little"), width)

    def _cuLaunchHostFunc(self, stream: int, function: int, argument: int) -> None:
        self.host_functions.append((function, argument))

    def run_host_functions(self) -> None:
        """What the driver does on its own thread, some time later."""
        for function, argument in self.host_functions:
            FFI.cast("void(*)(uintptr_t)", function)(argument)
        self.host_functions.clear()

    def _cuModuleLoadDataEx(self, module: Any, image: bytes, count: int, options: Any, values: Any) -> int:
        chosen = dict(zip(options, values, strict=True))
        FFI.memmove(FFI.cast("char *", chosen[5]), self.log + b"\0", len(self.log) + 1)
        module[0] = next(self._handles)
        return 218 if self.log else 0

    def _cuModuleGetFunction(self, function: Any, module: int, name: bytes) -> int:
        function[0] = next(self._handles)
        return 0 if name in self.functions else 500

    def _cuModuleGetGlobal_v2(self, address: Any, size: Any, module: int, name: bytes) -> int:
        if name not in self.globals:
            return 500
        address[0], size[0] = self.globals[name]
        return 0

    def _cuFuncGetAttribute(self, value: Any, attribute: int, function: int) -> None:
        value[0] = FUNCTION_ATTRIBUTES[attribute]

    def _cuOccupancyMaxActiveBlocksPerMultiprocessor(
        self, blocks: Any, function: int, block: int, shared: int
    ) -> None:
        blocks[0] = 2048 // block


def backend(count: int = 1, spec: str = "") -> tuple[NvidiaBackend, FakeLibrary]:
    library = FakeLibrary(count)
    return NvidiaBackend(spec, Driver(FFI, library)), library


def device(answers: Iterable[tuple[str, int]] = ()) -> tuple[NvidiaDevice, FakeLibrary]:
    made, library = backend()
    one = made.device(0)
    library.calls.clear()
    for function, status in answers:
        library.answer(function, status)
    return one, library
