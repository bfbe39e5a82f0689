"""AMD's devices as the runtime sees them: how many there are, why there are none, and one by number."""

from __future__ import annotations

from anyhip.backends.installed import InstalledBackend
from anyhip.backends.rocm import library as libraries
from anyhip.backends.rocm.device import RocmDevice
from anyhip.backends.rocm.library import Library

__all__ = ["RocmBackend"]


class RocmBackend(InstalledBackend[Library, RocmDevice]):
    """The devices that the system's HIP runtime shows."""

    name = "rocm"
    vendor = "ROCm"

    def _load(self) -> Library:
        return libraries.load()

    def _found(self, library: Library) -> int:
        return int(library.get("int", "hipGetDeviceCount"))

    def _missing(self, library: Library, found: int) -> str:
        wanted = "no device" if self._only is None else f"no device {self._only}, of {found}"
        return f"{library.path} finds {wanted}"

    def _make(self, library: Library, ordinal: int, index: int) -> RocmDevice:
        return RocmDevice(library, ordinal)
