"""One NVIDIA device: the backend contract, each method a call or two of the CUDA driver.

The device's primary context is made current before every call but launches, whose handles belong to a
context: a launch in the wrong one fails, and is tried again in the right one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from anyhip.backends.backend import Extent, Pitched
from anyhip.backends.nvidia import copies, ptx
from anyhip.backends.nvidia.driver import SUCCESS, Driver, result
from anyhip.backends.nvidia.module import NvidiaModule
from anyhip.backends.nvidia.properties import Property, device_properties, target_of
from anyhip.backends.nvidia.queues import Queues
from anyhip.codeobj import bundle
from anyhip.codeobj.bundle import Entry
from anyhip.codeobj.codeobject import CodeObject
from anyhip.errors import DeviceFault, HipError

__all__ = ["NvidiaDevice"]

_HOST_FLAGS = 0x1 | 0x2  # CU_MEMHOSTALLOC_PORTABLE | _DEVICEMAP, and the same of CU_MEMHOSTREGISTER
_GLOBAL = 0x1  # CU_MEM_ATTACH_GLOBAL
_INVALID_VALUE = 1  # CUDA_ERROR_INVALID_VALUE
_MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
_BUFFER_POINTER, _BUFFER_SIZE, _END = 1, 2, 0  # CU_LAUNCH_PARAM_*
_OUT_OF_MEMORY = "hipErrorOutOfMemory"


class NvidiaDevice(Queues):
    """One device (see :class:`anyhip.backends.backend.BackendDevice`).

    Args:
        ordinal: its number in the driver.
        index: its number among the backend's devices.

    Raises:
        HipError: the driver does not make a context on it.
    """

    def __init__(self, driver: Driver, ordinal: int, index: int) -> None:
        super().__init__(driver, driver.number("cuDeviceGet", ordinal))
        self.target = target_of(driver, self.number)
        self.properties: Mapping[str, Property] = device_properties(driver, self.number, index, self.target)
        self._launch = driver.lib.cuLaunchKernel
        self._memory: dict[int, str] = {}  # kind by address
        self._deferred: list[int] = []  # freed by host functions

    def select(self, entries: Sequence[Entry]) -> CodeObject:
        """The PTX for the highest compute capability that the device has."""
        fitting = [e for e in entries if e.target is not None and e.target.matches(self.target)]
        best = max(fitting, key=_rank) if fitting else bundle.select(entries, self.target)
        assert best.target is not None  # bundle.select() raises when nothing fits
        return ptx.read(best.data, best.target)

    def clear_faults(self) -> None:
        """Do nothing where there is no fault: after one, the driver works again in another process only.

        Raises:
            DeviceFault: there was a fault (CUDA Driver API, "CUresult": "the process must be terminated and
                relaunched"; resetting or renewing the primary context gives the same error).
        """
        if self._fault is not None:
            what = f"{self._fault.message}, and the NVIDIA driver does not recover in this process"
            raise DeviceFault(self._fault.code_name, what, "end the program and start it again")

    # -- memory
    def allocate(self, size: int, kind: str = "device") -> int:
        """Memory of a kind; hipErrorOutOfMemory says how much is left."""
        self.drain()
        self.enter()
        lib, address = self.driver.lib, self.driver.ffi.new("uintptr_t *")
        if kind == "device":
            status = lib.cuMemAlloc_v2(address, size)
        elif kind == "host":
            status = lib.cuMemHostAlloc(address, size, _HOST_FLAGS)
        else:
            status = lib.cuMemAllocManaged(address, size, _GLOBAL)
        if status and result(status).hip == _OUT_OF_MEMORY:
            free, total = self.memory_info()
            what = f"{size} bytes of {kind} memory: {free} of {total} are free on the device"
            raise HipError(_OUT_OF_MEMORY, what, "free something, or work in smaller pieces")
        self._check(status, f"{size} bytes of {kind} memory")
        self._memory[int(address[0])] = kind
        return int(address[0])

    def free(self, address: int) -> None:
        """Release memory."""
        if self._calls.inside:
            self._deferred.append(address)
            return
        self.drain()
        kind = self._memory.pop(address, None)
        if kind is None:
            raise HipError("hipErrorInvalidValue", f"{address:#x} is not the beginning of an allocation")
        self.enter()
        lib = self.driver.lib
        self.release(lib.cuMemFreeHost(address) if kind == "host" else lib.cuMemFree_v2(address), "cuMemFree")

    def drain(self) -> None:
        """Free what host functions freed."""
        while self._deferred and not self._calls.inside:
            self.free(self._deferred.pop())

    def register_host(self, address: int, size: int) -> None:
        """Let kernels access memory of the program's own, at the same address."""
        self.enter()
        self._check(self.driver.lib.cuMemHostRegister_v2(address, size, _HOST_FLAGS), "cuMemHostRegister")

    def unregister_host(self, address: int) -> None:
        """Undo :meth:`register_host`."""
        self.enter()
        self.release(self.driver.lib.cuMemHostUnregister(address), "cuMemHostUnregister")

    def memory_info(self) -> tuple[int, int]:
        """Free and total bytes."""
        self.drain()
        self.enter()
        free, total = self.driver.ffi.new("size_t *"), self.driver.ffi.new("size_t *")
        self._check(self.driver.lib.cuMemGetInfo_v2(free, total), "cuMemGetInfo")
        return int(free[0]), int(total[0])

    # -- work
    def copy(self, stream: int, dst: int, src: int, size: int) -> None:
        """Copy bytes; the driver tells host from device by the addresses."""
        self.enter()
        status = self.driver.lib.cuMemcpyAsync(dst, src, size, stream)
        if status:
            self._check(status, f"a copy of {size} bytes from {src:#x} to {dst:#x}")

    def copy_rect(self, stream: int, dst: Pitched, src: Pitched, extent: Extent) -> None:
        """Copy a box of bytes."""
        self.enter()
        for to, of, part in copies.slices(dst, src, extent):
            box = copies.box(self.driver.ffi, to, of, part)
            what = f"a copy of {part} bytes, rows and slices from {of[0]:#x} to {to[0]:#x}"
            self._check(self.driver.lib.cuMemcpy3DAsync_v2(box, stream), what)

    def fill(self, stream: int, dst: int, value: int, width: int, count: int) -> None:
        """``count`` elements of ``width`` (1, 2 or 4) bytes."""
        self.fill_rect(stream, (dst, count * width, count * width), value, width, (count * width, 1, 1))

    def fill_rect(self, stream: int, dst: Pitched, value: int, width: int, extent: Extent) -> None:
        """Fill a box of bytes with elements of ``width`` bytes."""
        self.enter()
        for function, args in copies.fill_calls(dst, value, width, extent):
            self._check(getattr(self.driver.lib, function)(*args, stream), function)

    # -- code
    def load(self, code: CodeObject) -> NvidiaModule:
        """Let the driver compile PTX for the device (it caches what it compiled)."""
        return NvidiaModule(self, code)

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
        """Run ``grid`` blocks of ``block`` threads; ``args`` is the address of a ``void *[]``."""
        if cooperative:
            alike = self.driver.lib.cuLaunchCooperativeKernel
            self._launch_carefully(
                partial(alike, kernel, *grid, *block, shared, stream, args), kernel, shared
            )
            return
        status = self._launch(kernel, *grid, *block, shared, stream, args, 0)
        if status:
            again = partial(self._launch, kernel, *grid, *block, shared, stream, args, 0)
            self._launch_carefully(again, kernel, shared)

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
        ffi = self.driver.ffi
        data, size = ffi.from_buffer(kernarg), ffi.new("size_t *", len(kernarg))
        places = (int(ffi.cast("uintptr_t", place)) for place in (data, size))
        extra = ffi.new("uintptr_t[5]", [_BUFFER_POINTER, next(places), _BUFFER_SIZE, next(places), _END])
        where = int(ffi.cast("uintptr_t", extra))
        again = partial(self._launch, kernel, *grid, *block, shared, stream, 0, where)
        self._launch_carefully(again, kernel, shared)

    def _launch_carefully(self, again: Callable[[], int], kernel: int, shared: int) -> None:
        """Launch in the right context, and let the kernel have the shared memory that it asks for.

        The driver grants more than 48 KiB of it only to kernels for which that was asked before.
        """
        self.enter()
        status = again()
        if status == _INVALID_VALUE and shared:
            set_attribute = self.driver.lib.cuFuncSetAttribute
            if set_attribute(kernel, _MAX_DYNAMIC_SHARED, shared) == SUCCESS:
                status = again()
        if status == _INVALID_VALUE:
            what = f"the driver refuses the launch: {result(status).name}"
            raise HipError(
                "hipErrorInvalidConfiguration", what, "compare the grid with hipDeviceProp_t::maxGridSize"
            )
        self._check(status, "the driver refuses the launch")

    def resident_blocks(self, kernel: int, block: int, shared: int) -> int:
        """Blocks of ``block`` threads that a multiprocessor holds at once."""
        self.enter()
        return self.driver.number("cuOccupancyMaxActiveBlocksPerMultiprocessor", kernel, block, shared)

    # -- peers
    def can_access_peer(self, peer: NvidiaDevice) -> bool:
        """Whether kernels here can access the other device's memory."""
        return bool(self.driver.number("cuDeviceCanAccessPeer", self.number, peer.number))

    def enable_peer_access(self, peer: NvidiaDevice) -> None:
        """Let kernels here access the other device's memory; HipError hipErrorPeerAccessAlreadyEnabled."""
        self.enter()
        self._check(self.driver.lib.cuCtxEnablePeerAccess(peer.context, 0), "cuCtxEnablePeerAccess")

    def disable_peer_access(self, peer: NvidiaDevice) -> None:
        """Undo :meth:`enable_peer_access`; HipError hipErrorPeerAccessNotEnabled."""
        self.enter()
        self._check(self.driver.lib.cuCtxDisablePeerAccess(peer.context), "cuCtxDisablePeerAccess")


def _rank(entry: Entry) -> tuple[int, int, bool]:
    """Higher compute capability first, then code that is for that architecture alone (``sm_90a``)."""
    target = entry.target
    assert target is not None  # select() keeps only entries with a target
    return target.major, target.minor, target.arch.endswith("a")
