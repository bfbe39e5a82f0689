"""Real GPUs behind a library that a machine may have: counted once, each made once, absent with a reason."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from anyhip.errors import AnyHipError, HipError, UsageError

__all__ = ["FUNCTION_ATTRIBUTES", "AbsentError", "InstalledBackend"]

Library = TypeVar("Library")
Device = TypeVar("Device")

# hipFuncAttributes' fields by hipFunction_attribute (driver_types.h), whose numbers are CUDA's as well.
FUNCTION_ATTRIBUTES = {
    "maxThreadsPerBlock": 0, "sharedSizeBytes": 1, "constSizeBytes": 2, "localSizeBytes": 3, "numRegs": 4,
    "ptxVersion": 5, "binaryVersion": 6, "cacheModeCA": 7, "maxDynamicSharedSizeBytes": 8,
    "preferredShmemCarveout": 9,
}  # fmt: skip


class AbsentError(AnyHipError):
    """The library is not there or does not start, or finds no device; the message says which."""


class InstalledBackend(ABC, Generic[Library, Device]):
    """The devices that a vendor's library shows; it applies its own masks of the environment.

    Args:
        spec: what follows ``NAME:`` in ANYHIP_DEVICE: the number of the one device to offer; empty: all.
        library: another library than the machine's, for tests.

    Raises:
        UsageError: a spec that is no number.
    """

    name: str  # in ANYHIP_DEVICE
    vendor: str  # in messages

    def __init__(self, spec: str = "", library: Library | None = None) -> None:
        if spec and not spec.isdecimal():
            raise UsageError(
                f"ANYHIP_DEVICE={self.name}:{spec}: {spec!r} is no device number",
                f"use {self.name} or {self.name}:0",
            )
        self._only = int(spec) if spec else None
        self._library = library
        self._reason = ""
        self._ordinals: list[int] | None = None
        self._devices: dict[int, Device] = {}

    @abstractmethod
    def _load(self) -> Library:
        """The machine's library. Raises AbsentError."""

    @abstractmethod
    def _found(self, library: Library) -> int:
        """How many devices the library shows. Raises HipError."""

    @abstractmethod
    def _missing(self, library: Library, found: int) -> str:
        """Why nothing is left of the devices that were found."""

    @abstractmethod
    def _make(self, library: Library, ordinal: int, index: int) -> Device:
        """The device that is the library's ``ordinal`` and this backend's ``index``."""

    def count(self) -> int:
        """How many devices there are; 0 where the library is absent."""
        if self._ordinals is None:
            self._ordinals = self._find()
        return len(self._ordinals)

    def _find(self) -> list[int]:
        try:
            self._library = self._library or self._load()
            found = self._found(self._library)
        except (AbsentError, HipError) as error:
            self._reason = error.message
            return []
        if not found or (self._only is not None and self._only >= found):
            self._reason = self._missing(self._library, found)
            return []
        return list(range(found)) if self._only is None else [self._only]

    def device(self, index: int) -> Device:
        """The device of that number, made at the first call.

        Raises:
            HipError: hipErrorInvalidDevice, or what the library says.
        """
        count = self.count()
        if not 0 <= index < count or self._library is None or self._ordinals is None:
            raise HipError("hipErrorInvalidDevice", f"{self.vendor} device {index} of {count}")
        if index not in self._devices:
            self._devices[index] = self._make(self._library, self._ordinals[index], index)
        return self._devices[index]

    def absent_reason(self) -> str:
        """Why there is no device; empty when there is one."""
        return "" if self.count() else self._reason
