"""Waiting for the driver: blocked inside it, or asking again and again where Ctrl-C must be seen."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable

from anyhip.backends.nvidia.driver import NOT_READY

__all__ = ["interruptible", "poll"]

_SPIN_SECONDS = 200e-6  # short work is waited for without a sleep
_SHORTEST, _LONGEST = 20e-6, 0.02


def interruptible() -> bool:
    """Whether the calling thread is the one in which Python raises KeyboardInterrupt.

    In a C program that entered Python through the C interface Ctrl-C stays the program's own; Python knows no
    command line there.
    """
    if not sys.orig_argv or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return False
    import threading

    return threading.current_thread() is threading.main_thread()


def poll(query: Callable[[], int]) -> int:
    """Call ``query`` until it answers something else than "not ready"; the answer.

    Sleeps grow with the time waited, so that they add at most a per cent to it.
    """
    start = time.monotonic()
    while (status := query()) == NOT_READY:
        waited = time.monotonic() - start
        if waited > _SPIN_SECONDS:
            time.sleep(min(max(waited / 100, _SHORTEST), _LONGEST))
    return status
