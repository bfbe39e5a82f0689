"""Host functions in stream order: Python callables in, what ``cuLaunchHostFunc`` wants out.

The driver runs them on a thread of its own, where no function of the driver may be called: memory that is
freed there is freed by the next call from another thread.
"""

from __future__ import annotations

import itertools
from _thread import _local
from collections.abc import Callable
from typing import Any

__all__ = ["HostCalls"]


class _Thread(_local):
    inside = False


class HostCalls:
    """The pending host functions of a device.

    Attributes:
        function: address of the C function that runs one; its argument is what :meth:`add` returned.
    """

    def __init__(self, ffi: Any) -> None:
        self._thread = _Thread()
        self._numbers = itertools.count(1)
        self._pending: dict[int, Callable[[], None]] = {}
        self._callback = ffi.callback("void(uintptr_t)", self._run)  # lives as long as the device
        self.function = int(ffi.cast("uintptr_t", self._callback))

    def add(self, function: Callable[[], None]) -> int:
        """Remember a function until it ran."""
        number = next(self._numbers)
        self._pending[number] = function
        return number

    def drop(self, number: int) -> None:
        """Forget a function that could not be enqueued."""
        del self._pending[number]

    @property
    def inside(self) -> bool:
        """Whether the calling thread is running a host function."""
        return self._thread.inside

    def _run(self, number: int) -> None:
        self._thread.inside = True
        try:
            self._pending.pop(number)()
        finally:
            self._thread.inside = False
