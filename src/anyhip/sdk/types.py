"""C's view of memory: :data:`ffi` knows every type of the HIP API, and reads and writes them at addresses.

The module ``anyhip_hip_types`` is made beside the C library, from the headers; it needs no parser to run.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

from anyhip.errors import HipError

__all__ = ["array", "ffi", "number", "put", "put_bytes", "put_handle", "text", "view"]

MODULE = "anyhip_hip_types"


def _load() -> Any:
    try:
        return importlib.import_module(MODULE).ffi
    except ModuleNotFoundError:  # Python came first, not the C library: make (or find) the SDK
        from anyhip.sdk import root

        sys.path.append(str(root.ensure() / "python"))
        return importlib.import_module(MODULE).ffi


ffi: Any = _load()


def put(type_: str, address: int, value: object) -> None:
    """Store an output, such as ``put("size_t *", pointer, 4)``.

    Raises:
        HipError: hipErrorInvalidValue for a null pointer.
    """
    if not address:
        raise HipError("hipErrorInvalidValue", f"a null {type_}")
    ffi.cast(type_, address)[0] = value


def put_handle(address: int, handle: int) -> None:
    """Store a pointer-sized output; hipErrorInvalidValue for a null pointer."""
    put("uintptr_t *", address, handle)


def view(type_: str, address: int) -> Any:
    """A structure at an address, e.g. ``view("hipMemcpy3DParms *", p).extent.width``.

    Raises:
        HipError: hipErrorInvalidValue for a null pointer.
    """
    if not address:
        raise HipError("hipErrorInvalidValue", f"a null {type_}")
    return ffi.cast(type_, address)


def array(type_: str, address: int, count: int) -> list[Any]:
    """``count`` numbers at an address.

    Raises:
        HipError: hipErrorInvalidValue for a null pointer.
    """
    if not address:
        raise HipError("hipErrorInvalidValue", f"a null {type_}")
    return ffi.unpack(ffi.cast(type_, address), count) if count else []


def number(pointer: Any) -> int:
    """The address that a pointer field holds."""
    return int(ffi.cast("uintptr_t", pointer))


def text(address: int) -> str:
    """The C string at an address.

    Raises:
        HipError: hipErrorInvalidValue for a null pointer.
    """
    if not address:
        raise HipError("hipErrorInvalidValue", "a null string")
    return ffi.string(ffi.cast("char *", address)).decode(errors="surrogateescape")  # type: ignore[no-any-return]


def put_bytes(address: int, data: bytes, room: int) -> None:
    """Store text or bytes with a final NUL, cut to ``room``.

    Raises:
        HipError: hipErrorInvalidValue for a null pointer or no room.
    """
    if not address or room <= 0:
        raise HipError("hipErrorInvalidValue", "no room for the answer")
    ffi.memmove(ffi.cast("char *", address), data[: room - 1] + b"\0", min(len(data), room - 1) + 1)
