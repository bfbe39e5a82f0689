"""Where the C skin enters Python: functions by name, records made before main, and exceptions as error
codes.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

from anyhip.errors import (
    AnyHipError,
    CodeObjectError,
    DeviceFault,
    HipError,
    IsaError,
    ToolchainError,
    number,
)
from anyhip.runtime import device as devices_
from anyhip.runtime import registration

__all__ = ["failed", "receive", "resolve"]

STICKY = 0x10000  # as skin/call.c: the error stays until the device is reset
_OTHER_CODES: tuple[tuple[type[AnyHipError], str], ...] = (
    (CodeObjectError, "hipErrorInvalidImage"),
    (IsaError, "hipErrorInvalidImage"),
    (ToolchainError, "hipErrorInsufficientDriver"),
)
_SAID = ("hipErrorNoBinaryForGpu", "hipErrorInvalidImage")
_said: set[str] = set()


def resolve(module: str, name: str) -> Callable[..., int | None]:
    """The implementation of a C function: ``name`` in ``anyhip.sdk.calls.<module>``."""
    function: Callable[..., int | None] = getattr(importlib.import_module(f"anyhip.sdk.calls.{module}"), name)
    return function


def failed(error: BaseException, name: str) -> int:
    """The hipError_t of an exception that left the implementation of ``name``; says on stderr what a code
    cannot.

    A launch that fails is said aloud: programs that look at no error code print PASS otherwise. So is what is
    wrong with an image: the code alone helps nobody to mend it.
    """
    if isinstance(error, DeviceFault):
        devices_.current().fail(error)
        return number(error.code_name) | STICKY
    if isinstance(error, HipError):
        if "Launch" in name or error.code_name in _SAID:
            _say_once(f"anyhip: {name}: {error}")
        return number(error.code_name)
    if isinstance(error, AnyHipError):
        _say_once(f"anyhip: {name}: {error}")
        return number(
            next((code for kind, code in _OTHER_CODES if isinstance(error, kind)), "hipErrorUnknown")
        )
    if isinstance(error, KeyboardInterrupt):
        import _thread

        _thread.interrupt_main()  # the program that loaded the library sees it when its own code runs next
        return number("hipErrorUnknown")
    import traceback

    _say_once(f"anyhip: {name}: a mistake in AnyHIP itself\n" + "".join(traceback.format_exception(error)))
    return number("hipErrorUnknown")


def _say_once(text: str) -> None:
    if text not in _said:
        _said.add(text)
        print(text, file=sys.stderr, flush=True)


_RECEIVERS: tuple[Callable[[tuple[int, ...], str], Any], ...] = (
    lambda n, _: registration.binary(n[0], n[1]),
    lambda n, name: registration.function(n[0], n[1], name),
    lambda n, name: registration.variable(n[0], n[1], name, n[2]),
    lambda n, name: registration.managed_variable(devices_.current(), n[0], n[1], n[2], name, n[3]),
    lambda n, _: registration.unregister(n[0]),
)


def receive(kind: int, a: int, b: int, c: int, d: int, e: int, name: str) -> None:
    """One record of skin/launch.c; ``kind`` is an index of the receivers above."""
    _RECEIVERS[kind]((a, b, c, d, e), name)
