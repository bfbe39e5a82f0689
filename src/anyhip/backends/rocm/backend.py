"""AMD's devices as the runtime sees them: how many there are, why there are none, and one by number."""

from __future__ import annotations

from anyhip.backends.rocm import library as libraries
from anyhip.backends.rocm.device import RocmDevice
from anyhip.backends.rocm.library import AbsentError, Library
from anyhip.errors import HipError, UsageError

__all__ = ["RocmBackend"]


class RocmBackend:
    """The devices that the system's HIP runtime shows; it applies the masks of the environment itself.

    Args:
        spec: what follows ``rocm:`` in ANYHIP_DEVICE: the number of the one device to offer; empty: all.
        library: another library than the machine's, for tests.

    Raises:
        UsageError: a spec that is no number.
    """

    name = "rocm"

    def __init__(self, spec: str = "", library: Library | None = None) -> None:
        if spec and not spec.isdecimal():
            raise UsageError(f"ANYHIP_DEVICE=rocm:{spec}: {spec!r} is no device number", "use rocm or rocm:0")
        self._only = int(spec) if spec else None
        self._library = library
        self._reason = ""
        self._ordinals: list[int] | None = None
        self._devices: dict[int, RocmDevice] = {}

    def count(self) -> int:
        """How many devices there are; 0 where there is no library."""
        if self._ordinals is None:
            self._ordinals = self._find()
        return len(self._ordinals)

    def _find(self) -> list[int]:
        try:
            self._library = self._library or libraries.load()
            found = int(self._library.get("int", "hipGetDeviceCount"))
        except (AbsentError, HipError) as error:
            self._reason = error.message
            return []
        if not found or (self._only is not None and self._only >= found):
            wanted = "no device" if self._only is None else f"no device {self._only}, of {found}"
            self._reason = f"{self._library.path} finds {wanted}"
            return []
        return list(range(found)) if self._only is None else [self._only]

    def device(self, index: int) -> RocmDevice:
        """The device of that number, made at the first call.

        Raises:
            HipError: hipErrorInvalidDevice, or what the library says.
        """
        count = self.count()
        if not 0 <= index < count or self._library is None or self._ordinals is None:
            raise HipError("hipErrorInvalidDevice", f"ROCm device {index} of {count}")
        if index not in self._devices:
            self._devices[index] = RocmDevice(self._library, self._ordinals[index])
        return self._devices[index]

    def absent_reason(self) -> str:
        """Why there is no device; empty when there is one."""
        return "" if self.count() else self._reason
