"""hipDeviceProp_t as the system's library fills it: bytes in, fields by name out.

The layout is read from AnyHIP's own header, which declares it as ROCm 6 and later have it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from anyhip.backends.rocm.library import Library

__all__ = ["read"]

_HEADER = Path(__file__).resolve().parents[2] / "include" / "hip" / "api" / "device.h"
_STRUCTS = [
    re.compile(rf"typedef struct(?: {name})? \{{[^{{}}]*\}} {name};")
    for name in ("hipDeviceArch_t", "hipDeviceProp_tR0600")
]
_UUID = "typedef struct { char bytes[16]; } hipUUID;\n"
_ROOM = 4096  # bytes: newer runtimes may fill a longer record

Property = int | str | bool | tuple[int, ...]


def read(library: Library, ordinal: int) -> dict[str, Property]:
    """The properties of the library's device of that number.

    Raises:
        HipError: what the library says.
    """
    import cffi

    ffi = cffi.FFI()
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", _HEADER.read_text(encoding="utf-8"), flags=re.DOTALL)
    ffi.cdef(_UUID + "\n".join(found.group() for one in _STRUCTS if (found := one.search(text))))
    room = library.ffi.new("char[]", _ROOM)
    library.call("hipGetDevicePropertiesR0600", room, ordinal)
    record = ffi.cast("hipDeviceProp_tR0600 *", int(library.ffi.cast("uintptr_t", room)))
    return {
        name: _plain(ffi, getattr(record, name))
        for name, field in ffi.typeof("hipDeviceProp_tR0600").fields
        if field.type.kind in ("primitive", "array") or field.type.cname == "hipUUID"
    }


def _plain(ffi: Any, value: Any) -> Property:
    if isinstance(value, int):
        return value
    kind = ffi.typeof(value)
    if kind.kind == "struct":  # hipUUID: sixteen characters, which ROCm fills with text
        return str(ffi.string(value.bytes, 16).decode(errors="replace"))
    if kind.item.cname == "char":
        return str(ffi.string(value).decode(errors="replace"))
    return tuple(int(one) for one in value)
