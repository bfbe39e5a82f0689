"""Kernels: what can be launched, its attributes, and how many workgroups of it fit on a compute unit."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING

from anyhip.errors import HipError

if TYPE_CHECKING:
    from anyhip.codeobj.codeobject import KernelInfo
    from anyhip.runtime.device import Device
    from anyhip.runtime.module import Module

__all__ = ["Kernel", "find"]

_handles = itertools.count(0x10000, 0x10)
_kernels: dict[int, Kernel] = {}
_SIMDS = 4  # of a compute unit, on every AMD GPU
_LDS_GRANULE = 512


class Kernel:
    """A kernel of a loaded module.

    Attributes:
        handle: what hipFunction_t holds.
        number: the backend's number for it.
    """

    __slots__ = ("_attributes", "handle", "info", "module", "name", "number", "settings")

    def __init__(self, module: Module, name: str, number: int) -> None:
        self.module = module
        self.name = name
        self.number = number
        self.info: KernelInfo = module.loaded.code.kernels[name]
        self.settings: dict[int, int] = {}  # hipFuncSetAttribute
        self._attributes: Mapping[str, int] | None = None
        self.handle = next(_handles)
        _kernels[self.handle] = self

    def __repr__(self) -> str:
        return f"<Kernel {self.name} on device {self.device.index}>"

    @property
    def device(self) -> Device:
        """Where it is loaded."""
        return self.module.device

    @property
    def attributes(self) -> Mapping[str, int]:
        """hipFuncAttributes by field name."""
        if self._attributes is None:
            self._attributes = self.module.loaded.attributes(self.number)
        return self._attributes

    @property
    def max_block(self) -> int:
        """Work-items a workgroup may have."""
        return self.attributes["maxThreadsPerBlock"]

    def forget(self) -> None:
        """Its module is unloaded."""
        _kernels.pop(self.handle, None)
        stale = [key for key, entry in self.device.kernels.items() if entry[0] is self]
        for key in stale:
            del self.device.kernels[key]

    def blocks_per_unit(self, block: int, shared: int) -> int:
        """Workgroups of ``block`` work-items with ``shared`` dynamic LDS bytes that a compute unit holds.

        Raises:
            HipError: hipErrorInvalidValue for a block size that cannot be launched.
        """
        if block <= 0:
            raise HipError("hipErrorInvalidValue", f"a block of {block} work-items")
        if block > self.max_block:
            return 0
        wave = self.device.fact("warpSize")
        waves = -(-block // wave)
        slots = self.device.fact("maxThreadsPerMultiProcessor") // wave
        blocks = min(slots, self._waves_by_registers() * _SIMDS) // waves
        lds = self.attributes.get("sharedSizeBytes", 0) + shared
        capacity = self.device.fact("sharedMemPerMultiprocessor")
        if lds > (self.device.fact("sharedMemPerBlockOptin") or self.device.fact("sharedMemPerBlock")):
            return 0
        if lds:
            blocks = min(blocks, capacity // (-(-lds // _LDS_GRANULE) * _LDS_GRANULE))
        most = self.device.fact("maxBlocksPerMultiProcessor")
        return min(blocks, most) if most else blocks

    def _waves_by_registers(self) -> int:
        """Waves a SIMD holds, by vector registers: the file has 512 a lane on CDNA, allocated by eights."""
        per_unit = self.device.fact("regsPerMultiprocessor")
        wave = self.device.fact("warpSize")
        file = max(per_unit // (_SIMDS * wave), 1)
        used = max(-(-self.attributes.get("numRegs", 1) // 8) * 8, 8)
        return max(file // used, 1)

    def best_block(self, shared: int, limit: int = 0) -> tuple[int, int]:
        """Grid and block size with the most resident work-items (hipOccupancyMaxPotentialBlockSize)."""
        wave = self.device.fact("warpSize")
        units = self.device.fact("multiProcessorCount")
        top = min(limit or self.max_block, self.max_block)
        best = (0, 0, 0)
        for rounded in range(-(-top // wave) * wave, 0, -wave):
            block = min(rounded, top)
            blocks = self.blocks_per_unit(block, shared)
            if block * blocks > best[0]:
                best = (block * blocks, blocks, block)
        return best[1] * units, best[2]


def find(handle: int) -> Kernel:
    """The kernel that a hipFunction_t names.

    Raises:
        HipError: hipErrorInvalidHandle (hipErrorInvalidResourceHandle's number).
    """
    kernel = _kernels.get(handle)
    if kernel is None:
        raise HipError("hipErrorInvalidHandle", f"{handle:#x} is not a kernel of a loaded module")
    return kernel
