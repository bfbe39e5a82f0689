"""A device's primary context: made current for the calling thread, and what the driver's calls answered."""

from __future__ import annotations

from anyhip.backends.nvidia.driver import SUCCESS, Driver, result
from anyhip.errors import DeviceFault

__all__ = ["Context"]


class Context:
    """The context that everything of a device lives in.

    Args:
        number: the driver's CUdevice.

    Raises:
        HipError: the driver does not make a context on it.
    """

    def __init__(self, driver: Driver, number: int) -> None:
        self.driver = driver
        self.number = number
        self._set_current = driver.lib.cuCtxSetCurrent
        self._fault: DeviceFault | None = None
        # the primary context, which other users of CUDA in the process share
        self.context = driver.handle("cuDevicePrimaryCtxRetain", number)

    def enter(self) -> None:
        """Make the device's context the calling thread's."""
        status = self._set_current(self.context)
        if status:
            self._check(status, "cuCtxSetCurrent")

    def _check(self, status: int, what: str = "") -> None:
        if status == SUCCESS:
            return
        try:
            self.driver.check(status, what)
        except DeviceFault as fault:
            self._fault = fault
            raise

    def release(self, status: int, what: str) -> None:
        """Look at what freeing something answered. A fault is for those who wait; then all is gone anyway."""
        if status != SUCCESS and not result(status).fault:
            self._check(status, what)
