"""Runs one instruction's meaning on the NumPy builder: Python numbers in, Python numbers out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from anyhip.backends.virtual import semantics
from anyhip.backends.virtual.numpy_builder import NumpyBuilder
from anyhip.backends.virtual.value import BITS, FLOATS, Value, element_type
from anyhip.isa import opcodes
from anyhip.isa.opcodes import Opcode

semantics.load_all()
BUILDER = NumpyBuilder()

U32 = (
    0,
    1,
    2,
    31,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x10000,
    0x00FF00FF,
    0x12345678,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFE,
    0xFFFFFFFF,
)
U64 = (0, 1, 0xFFFFFFFF, 1 << 32, 0x0123456789ABCDEF, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
U16 = (0, 1, 2, 15, 16, 0x7F, 0xFF, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xABCD, 0xFFFF)


@cache
def _first_rows() -> dict[str, Opcode]:
    found: dict[str, Opcode] = {}
    for generation in ("gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1201"):
        for opcode in opcodes.load(generation):
            for name in (opcode.name, opcode.meaning, semantics.canonical(opcode)):
                found.setdefault(name, opcode)
    return found


def row(name: str) -> Opcode:
    """The first row of a mnemonic or meaning, of gfx942 if that has it."""
    return _first_rows()[name]


def _type(row_type: str, scalar: bool) -> str:
    if row_type in ("mask32", "mask64"):
        return "i" + row_type[4:]
    return ("i64" if scalar else "i1") if row_type == "mask" else element_type(row_type)


def value(type: str, numbers: Any) -> Value:
    """Numbers as a value; floats in float types, else the integers' low bits."""
    if type in FLOATS and type != "bfloat":
        array = np.asarray(numbers, np.float64)
        with np.errstate(all="ignore"):
            return BUILDER.value(
                type, array.astype({"half": np.float16, "float": np.float32}.get(type, np.float64))
            )
    mask = (1 << BITS[type]) - 1
    if isinstance(numbers, Sequence | np.ndarray):
        return BUILDER.value(type, [int(n) & mask for n in numbers])
    return BUILDER.value(type, int(numbers) & mask)


def raw(type: str, bits: Any) -> Value:
    """A value from its bits."""
    return value(f"i{BITS[type]}", bits).bitcast(type)


def plain(result: Value) -> Any:
    """Elements as a Python list, or one number."""
    return result.data.tolist()


def call(name: str, *arguments: Any, clamp: bool = False) -> Any:
    """Results of an instruction; arguments are numbers or lists (one a lane), Values go in as they are."""
    opcode = row(name)
    scalar = opcode.klass == "salu"
    table = semantics.PACKED if name in semantics.PACKED else semantics.SEMANTICS
    if name in semantics.MIXED:
        function = partial(_mixed, semantics.MIXED[name], clamp)
    else:
        function = semantics.CLAMPED[name] if clamp else table[name]
    values = [
        a if isinstance(a, Value | tuple) else value(_type(t, scalar), a)
        for a, (_, t) in zip(arguments, opcode.src, strict=True)
    ]
    result = function(BUILDER, *values)
    return tuple(plain(part) for part in result) if isinstance(result, tuple) else plain(result)


def _mixed(function: Any, clamp: bool, builder: NumpyBuilder, *sources: Value) -> Any:
    """An instruction that reads its own modifiers, with those that the assembler gives by default."""
    return function(builder, SimpleNamespace(fields={"op_sel_hi": 7, "clamp": int(clamp)}), sources)


def signed(number: int, bits: int) -> int:
    """The two's complement reading of the low bits."""
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number
