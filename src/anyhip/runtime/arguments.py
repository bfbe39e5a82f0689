"""Kernel arguments from Python values: values and a kernel's argument list in, ``void *[]`` out."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from anyhip.errors import HipError
from anyhip.runtime.buffer import Buffer, address_and_size

if TYPE_CHECKING:
    from anyhip.runtime.kernel import Kernel

__all__ = ["pack"]

_FLOATS = {4: ctypes.c_float, 8: ctypes.c_double}


def pack(kernel: Kernel, values: Sequence[object]) -> tuple[Any, list[Any]]:
    """A C array of pointers to the arguments' bytes, and what must live until the launch has read them.

    Raises:
        HipError: hipErrorInvalidValue for a wrong number of arguments, or one that does not fit its size.
        TypeError: a value that cannot be an argument.
    """
    explicit = [arg for arg in kernel.info.args if not arg.value_kind.startswith("hidden_")]
    if len(explicit) != len(values):
        raise HipError(
            "hipErrorInvalidValue", f"{kernel.name} takes {len(explicit)} arguments, {len(values)} were given"
        )
    kept = [_cell(kernel.name, i, arg, v) for i, (arg, v) in enumerate(zip(explicit, values, strict=True))]
    array = (ctypes.c_void_p * max(len(kept), 1))(*(ctypes.addressof(cell) for cell in kept))
    return array, kept


def _cell(kernel: str, number: int, arg: Any, value: object) -> Any:
    """The bytes of one argument."""
    size = arg.size
    try:
        data = _bytes(arg, value)
    except TypeError as error:
        raise TypeError(f"{kernel}: argument {number}: {error}") from error
    except OverflowError as error:
        raise HipError("hipErrorInvalidValue", f"{kernel}: argument {number}: {error}") from error
    if len(data) != size:
        raise HipError(
            "hipErrorInvalidValue", f"{kernel}: argument {number} has {size} bytes, got {len(data)}"
        )
    return ctypes.create_string_buffer(data, size)


def _bytes(arg: Any, value: object) -> bytes:
    if isinstance(value, Buffer):
        return value.handle.to_bytes(8, "little")
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if isinstance(value, (ctypes.Structure, ctypes.Union, ctypes._SimpleCData, ctypes.Array)):
        return ctypes.string_at(ctypes.addressof(value), ctypes.sizeof(value))
    if isinstance(value, bool) or value is None:
        return int(value or 0).to_bytes(arg.size, "little")
    if isinstance(value, int):
        if not _fits(value, arg.size):
            raise OverflowError(f"{value} does not fit {arg.size} bytes")
        return bytes((value & ((1 << 8 * arg.size) - 1)).to_bytes(arg.size, "little"))
    if hasattr(value, "dtype") and getattr(value, "ndim", None) == 0:
        return value.tobytes()  # type: ignore[no-any-return, attr-defined]
    if isinstance(value, float):
        return bytes(_FLOATS.get(arg.size, ctypes.c_double)(value))
    return address_and_size(value)[0].to_bytes(8, "little")


def _fits(value: int, size: int) -> bool:
    return -(1 << (8 * size - 1)) <= value < 1 << 8 * size
