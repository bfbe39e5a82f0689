"""Memory as the reference interpreter sees it: the host's address space, LDS and private memory, a lane at
a time.
"""

from __future__ import annotations

__all__ = ["HostMemory", "Memory", "scalar_memory", "vector_memory"]

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from anyhip.backends.virtual.layout import PRIVATE_APERTURE, SHARED_APERTURE, WAVE_LANES
from anyhip.backends.virtual.semantics.memory import ATOMICS, MemoryOp, find
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction, Operand

if TYPE_CHECKING:
    from anyhip.backends.virtual.interpreter_state import Wave


class Memory(Protocol):
    """Global memory; replace it to watch or to bound accesses."""

    def read(self, address: int, size: int) -> bytes:
        """``size`` bytes from ``address``."""
        ...

    def write(self, address: int, data: bytes) -> None:
        """Store ``data`` at ``address``."""
        ...


class HostMemory:
    """Global addresses are addresses of this process. A wild one ends the process, as in C."""

    def read(self, address: int, size: int) -> bytes:
        """``size`` bytes from ``address``."""
        return ctypes.string_at(address, size)

    def write(self, address: int, data: bytes) -> None:
        """Store ``data`` at ``address``."""
        ctypes.memmove(address, data, len(data))


class _Bounded:
    """LDS or one lane's private memory: reads past its end give 0, writes past it vanish."""

    def __init__(self, data: bytearray) -> None:
        self.data = data

    def read(self, address: int, size: int) -> bytes:
        if address + size > len(self.data):
            return bytes(size)
        return bytes(self.data[address : address + size])

    def write(self, address: int, data: bytes) -> None:
        if address + len(data) <= len(self.data):
            self.data[address : address + len(data)] = data


Place = tuple[Memory, int]  # a memory and an address in it


def _operands(instruction: Instruction) -> dict[str, Operand]:
    """Sources by the field names of the opcode row."""
    return {name: operand for (name, _), operand in zip(instruction.opcode.src, instruction.src, strict=True)}


def _unsupported(instruction: Instruction) -> UnsupportedInstruction:
    return UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} is not implemented")


# -- scalar memory
def scalar_memory(wave: Wave, instruction: Instruction) -> None:
    """s_load_dword* and s_buffer_load_dword*: consecutive dwords; past a buffer's end they are 0."""
    operands = _operands(instruction)
    buffer = instruction.name.startswith("s_buffer_load")
    if not buffer and not instruction.name.startswith("s_load"):
        raise _unsupported(instruction)
    base = wave.read64(operands["sbase"].index)
    offset = instruction.fields.get("offset", 0)
    if operands["soffset"].name != "off":
        offset += int(wave.sgpr[operands["soffset"].index])
    limit = int(wave.sgpr[operands["sbase"].index + 2]) if buffer else None
    base &= (1 << 48) - 1 if buffer else (1 << 64) - 1
    for i in range(instruction.dst[0].count):
        inside = limit is None or offset + 4 * i + 4 <= limit
        data = wave.group.memory.read((base + offset + 4 * i) & ~3, 4) if inside else bytes(4)
        wave.sgpr[instruction.dst[0].index + i] = int.from_bytes(data, "little")


# -- vector memory
@dataclass
class Access:
    """One memory instruction of one wave.

    Attributes:
        operands: sources by field name.
        places: for each access of the instruction (LDS has two-address forms), where each active lane goes.
    """

    wave: Wave
    instruction: Instruction
    operation: MemoryOp
    operands: dict[str, Operand]
    places: list[dict[int, Place]]

    def words(self, operand: Operand, lane: int, bits: int, at: int = 0) -> int:
        """``bits`` (32 or 64) of a data operand, from its dword ``at``."""
        parts = [int(self.wave.row(operand, at + i)[lane]) for i in range(bits // 32)]
        return sum(part << (32 * i) for i, part in enumerate(parts))


def vector_memory(wave: Wave, instruction: Instruction) -> None:
    """Loads, stores and atomics on LDS, global, flat and private memory.

    Raises:
        UnsupportedInstruction: the memory table has no such instruction.
    """
    operation = find(instruction.name)
    if operation is None or instruction.format not in ("DS", "GLOBAL", "FLAT", "SCRATCH"):
        raise _unsupported(instruction)
    operands, fields = _operands(instruction), instruction.fields
    if operation.strides:
        offsets = [fields[f"offset{i}"] * stride for i, stride in enumerate(operation.strides)]
    else:
        offsets = [fields.get("offset", 0)]
    lanes = [lane for lane in range(WAVE_LANES) if (wave.exec >> lane) & 1]
    places = [
        {lane: _place(wave, instruction, operands, lane, offset) for lane in lanes} for offset in offsets
    ]
    perform = {"load": _load, "store": _store, "atomic": _atomic}[operation.kind]
    perform(Access(wave, instruction, operation, operands, places))


def _place(
    wave: Wave, instruction: Instruction, operands: dict[str, Operand], lane: int, offset: int
) -> Place:
    if instruction.format == "DS":
        address = (int(wave.row(operands["addr"])[lane]) + offset) & 0xFFFFFFFF
        return _Bounded(wave.group.lds), address
    total = (_address(wave, operands, lane) + offset) & 0xFFFF_FFFF_FFFF_FFFF
    low, high = total & 0xFFFFFFFF, total >> 32
    flat = instruction.format == "FLAT"
    if instruction.format == "SCRATCH" or (flat and high == PRIVATE_APERTURE):
        return _Bounded(wave.scratch[lane]), low
    if flat and high == SHARED_APERTURE:
        return _Bounded(wave.group.lds), low
    return wave.group.memory, total


def _address(wave: Wave, operands: dict[str, Operand], lane: int) -> int:
    """The sum of the vector and the scalar address, as far as the instruction has them."""
    vaddr, saddr = operands["vaddr"], operands.get("saddr")
    total = 0
    if vaddr.name != "off":
        total = int(wave.row(vaddr)[lane])
        if vaddr.count == 2:
            total |= int(wave.row(vaddr, 1)[lane]) << 32
    if saddr is not None and saddr.name != "off":
        total += wave.read64(saddr.index) if saddr.count == 2 else int(wave.sgpr[saddr.index])
    return total


def _load(access: Access) -> None:
    operation, wave = access.operation, access.wave
    size = operation.bits // 8
    results: dict[tuple[int, int], int] = {}
    for number, places in enumerate(access.places):
        for lane, (memory, address) in places.items():
            data = memory.read(address, size * operation.units)
            for i in range(operation.units):
                results[number * operation.units + i, lane] = _extended(
                    data[size * i : size * (i + 1)], operation
                )
    # All lanes are read before any register is written: the address may lie in the destination.
    for (register, lane), value in results.items():
        row = wave.row(access.instruction.dst[0], register)
        row[lane] = _into_half(int(row[lane]), value, operation.half)


def _extended(unit: bytes, operation: MemoryOp) -> int:
    width = 16 if operation.half else 32
    return int.from_bytes(unit, "little", signed=operation.signed) & ((1 << width) - 1)


def _into_half(old: int, value: int, half: str) -> int:
    if half == "lo":
        return (old & 0xFFFF0000) | value
    if half == "hi":
        return (old & 0xFFFF) | (value << 16)
    return value


def _store(access: Access) -> None:
    operation = access.operation
    names = ("data0", "data1") if access.instruction.format == "DS" else ("vdata",)
    for places, name in zip(access.places, names, strict=False):
        for lane, (memory, address) in places.items():
            data = b""
            for i in range(operation.units):
                word = access.words(access.operands[name], lane, 32, i) >> (
                    16 if operation.half == "hi" else 0
                )
                data += (word & ((1 << operation.bits) - 1)).to_bytes(operation.bits // 8, "little")
            memory.write(address, data)


def _atomic_sources(access: Access, lane: int) -> list[int]:
    """The data and, for a compare-and-swap, the value compared with."""
    bits, operands = access.operation.bits, access.operands
    swap = access.operation.atomic.startswith("cmpswap")
    if access.instruction.format == "DS":
        names = ("data1", "data0") if swap else ("data0",)
        return [access.words(operands[name], lane, bits) for name in names]
    return [access.words(operands["vdata"], lane, bits, bits // 32 * i) for i in range(2 if swap else 1)]


def _atomic(access: Access) -> None:
    bits, function, _ = ATOMICS[access.operation.atomic]
    wave, kind = access.wave, f"i{bits}"
    b = wave.builder
    before: dict[int, int] = {}
    for lane, (memory, address) in access.places[0].items():
        before[lane] = int.from_bytes(memory.read(address, bits // 8), "little")
        sources = [b.const(kind, number) for number in _atomic_sources(access, lane)]
        new = function(b, b.const(kind, before[lane]), *sources)
        memory.write(address, int(np.asarray(new.int_bits().data)).to_bytes(bits // 8, "little"))
    if access.instruction.dst:
        for lane, old in before.items():
            for i in range(bits // 32):
                wave.row(access.instruction.dst[0], i)[lane] = (old >> (32 * i)) & 0xFFFFFFFF
