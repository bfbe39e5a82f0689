"""Scalar memory instructions as data.

Facts: CDNA3 ISA guide, 8.2 "Operations": the offset of scratch forms counts 64 bytes; a buffer ends after
num_records bytes, or records if it has a stride, and what lies behind is read as 0 and not written. RDNA4 ISA
guide, S_LOAD_U8 and its kin.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from anyhip.backends.virtual.semantics.memory import MemoryOp, find

__all__ = ["ScalarAccess", "scalar_access"]

_NARROW = re.compile(r"s_(buffer_)?load_([iu])(8|16)")
_MOVE = re.compile(r"s_(buffer_|scratch_)?(load|store)_(?:dwordx?|b)(\d*)")
_ATOMIC = re.compile(r"s_(buffer_)?atomic_(\w+)")


@dataclass(frozen=True, slots=True)
class ScalarAccess:
    """What an SMEM instruction does to memory."""

    kind: str  # load, store, atomic
    dwords: int = 1
    buffer: bool = False  # the base is a resource descriptor
    scale: int = 1  # bytes that a unit of the scalar offset stands for
    operation: MemoryOp | None = None  # of an atomic
    bits: int = 32  # of a load: what it reads, to be extended to a dword
    signed: bool = False


@cache
def scalar_access(name: str) -> ScalarAccess | None:
    """The access of an instruction; None if it moves no data."""
    atomic = _ATOMIC.fullmatch(name)
    if atomic:
        operation = find(f"global_atomic_{atomic[2]}")
        if operation is None:
            return None
        return ScalarAccess("atomic", operation.bits // 32, bool(atomic[1]), operation=operation)
    narrow = _NARROW.fullmatch(name)
    if narrow:
        return ScalarAccess("load", buffer=bool(narrow[1]), bits=int(narrow[3]), signed=narrow[2] == "i")
    move = _MOVE.fullmatch(name)
    if move is None:
        return None
    count = int(move[3] or 1)
    dwords = count // 32 if "_b" in name.removeprefix("s_buffer") else count
    return ScalarAccess(
        move[2], dwords, move[1] == "buffer_", 64 if move[1] == "scratch_" else 1
    )  # fmt: skip
