"""DLPack capsules: an address and a size in, a ``dltensor`` or ``dltensor_versioned`` out (dlpack.h,
version 1.0).
"""

from __future__ import annotations

import ctypes
import itertools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anyhip.runtime.buffer import Buffer

__all__ = ["capsule"]

_UINT = 1  # DLDataTypeCode


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _DELETER))


class _Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", _DELETER),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    )


# What an exported tensor must keep alive, by the number in its context field, until its deleter is called.
_exported: dict[int, tuple[Any, ...]] = {}
_numbers = itertools.count(1)


def _delete(number: int) -> None:
    _exported.pop(number, None)


def _deleter(address: int) -> None:
    _delete(_Managed.from_address(address).context)


def _versioned_deleter(address: int) -> None:
    _delete(_Versioned.from_address(address).context)


def _destroy_capsule(pointer: int) -> None:
    """A capsule that nobody consumed still owns its tensor."""
    api = ctypes.pythonapi
    for name, kind in ((b"dltensor", _Managed), (b"dltensor_versioned", _Versioned)):
        if api.PyCapsule_IsValid(ctypes.c_void_p(pointer), name):
            address = api.PyCapsule_GetPointer(ctypes.c_void_p(pointer), name)
            _delete(kind.from_address(address).context)


# C's view of the three functions above; they must outlive every capsule.
_DELETE, _DELETE_VERSIONED = _DELETER(_deleter), _DELETER(_versioned_deleter)
_DESTROY_CALL = _DELETER(_destroy_capsule)
_DESTROY = ctypes.cast(_DESTROY_CALL, ctypes.c_void_p)

ctypes.pythonapi.PyCapsule_IsValid.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
ctypes.pythonapi.PyCapsule_GetPointer.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
ctypes.pythonapi.PyCapsule_GetPointer.restype = ctypes.c_void_p
ctypes.pythonapi.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
ctypes.pythonapi.PyCapsule_New.restype = ctypes.py_object


def capsule(buffer: Buffer, device: tuple[int, int], *, versioned: bool) -> Any:
    """A capsule over a buffer's bytes; the buffer lives until the consumer is done with it.

    Args:
        device: DLDeviceType and number.
        versioned: whether the consumer understands DLPack 1.
    """
    number = next(_numbers)
    shape = (ctypes.c_int64 * 1)(buffer.size)
    tensor = _Tensor(buffer.handle, device[0], device[1], 1, _UINT, 8, 1, shape, None, 0)
    made: Any
    if versioned:
        made = _Versioned(1, 0, number, _DELETE_VERSIONED, 0, tensor)
    else:
        made = _Managed(tensor, number, _DELETE)
    _exported[number] = (buffer, shape, made)
    name = b"dltensor_versioned" if versioned else b"dltensor"
    return ctypes.pythonapi.PyCapsule_New(ctypes.addressof(made), name, _DESTROY)
