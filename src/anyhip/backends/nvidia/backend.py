"""NVIDIA's devices as the runtime sees them: how many there are, why there are none, and one by number."""

from __future__ import annotations

from anyhip.backends.installed import InstalledBackend
from anyhip.backends.nvidia import driver as drivers
from anyhip.backends.nvidia.device import NvidiaDevice
from anyhip.backends.nvidia.driver import Driver

__all__ = ["NvidiaBackend"]


class NvidiaBackend(InstalledBackend[Driver, NvidiaDevice]):
    """The NVIDIA devices that the driver shows (it applies CUDA_VISIBLE_DEVICES itself)."""

    name = "nvidia"
    vendor = "NVIDIA"

    def _load(self) -> Driver:
        return drivers.load()

    def _found(self, library: Driver) -> int:
        return library.number("cuDeviceGetCount")

    def _missing(self, library: Driver, found: int) -> str:
        if not found:
            return "the NVIDIA driver finds no device"
        return f"there is no NVIDIA device {self._only}: the driver finds {found}"

    def _make(self, library: Driver, ordinal: int, index: int) -> NvidiaDevice:
        return NvidiaDevice(library, ordinal, index)
