"""NVIDIA's devices as the runtime sees them: how many there are, why there are none, and one by number."""

from __future__ import annotations

from anyhip.backends.nvidia import driver as drivers
from anyhip.backends.nvidia.device import NvidiaDevice
from anyhip.backends.nvidia.driver import AbsentError, Driver
from anyhip.errors import HipError, UsageError

__all__ = ["NvidiaBackend"]

_NO_DEVICE = 100  # CUDA_ERROR_NO_DEVICE


class NvidiaBackend:
    """The NVIDIA devices that the driver shows (it applies CUDA_VISIBLE_DEVICES itself).

    Args:
        spec: what follows ``nvidia:`` in ANYHIP_DEVICE: the number of the one device to offer; empty: all.
        driver: another driver than the machine's, for tests.

    Raises:
        UsageError: a spec that is no number.
    """

    name = "nvidia"

    def __init__(self, spec: str = "", driver: Driver | None = None) -> None:
        if spec and not spec.isdecimal():
            raise UsageError(
                f"ANYHIP_DEVICE=nvidia:{spec}: {spec!r} is no device number", "use nvidia or nvidia:0"
            )
        self._only = int(spec) if spec else None
        self._driver = driver
        self._reason = ""
        self._ordinals: list[int] | None = None
        self._devices: dict[int, NvidiaDevice] = {}

    def count(self) -> int:
        """How many devices there are; 0 when the driver is absent."""
        if self._ordinals is None:
            self._ordinals = self._find()
        return len(self._ordinals)

    def _find(self) -> list[int]:
        try:
            self._driver = self._driver or drivers.load()
            found = self._driver.number("cuDeviceGetCount")
        except (AbsentError, HipError) as error:
            self._reason = error.message
            return []
        if not found:
            self._reason = "the NVIDIA driver finds no device"
        elif self._only is not None and self._only >= found:
            self._reason = f"there is no NVIDIA device {self._only}: the driver finds {found}"
            return []
        return list(range(found)) if self._only is None else [self._only]

    def device(self, index: int) -> NvidiaDevice:
        """The device of that number, made at the first call.

        Raises:
            HipError: hipErrorInvalidDevice, or what the driver says.
        """
        count = self.count()
        if not 0 <= index < count or self._driver is None or self._ordinals is None:
            raise HipError("hipErrorInvalidDevice", f"NVIDIA device {index} of {count}")
        if index not in self._devices:
            self._devices[index] = NvidiaDevice(self._driver, self._ordinals[index], index)
        return self._devices[index]

    def absent_reason(self) -> str:
        """Why there is no device; empty when there is one."""
        return "" if self.count() else self._reason
