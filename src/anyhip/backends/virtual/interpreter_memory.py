"""Memory as the reference interpreter sees it: the host's address space, LDS and private memory, a lane at
a time.
"""

from __future__ import annotations

__all__ = [
    "Access",
    "Bounded",
    "HostMemory",
    "Memory",
    "Place",
    "named_sources",
    "place_of",
    "transfer",
    "vector_memory",
]

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from anyhip.backends.virtual.layout import PRIVATE_APERTURE, SHARED_APERTURE, WAVE_LANES
from anyhip.backends.virtual.mode import Mode
from anyhip.backends.virtual.semantics.memory import ATOMICS, MemoryOp, atomic_operands, find
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction, Operand
from anyhip.isa.registers import M0

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


class Bounded:
    """LDS or one lane's private memory: reads past its end give 0, writes past it vanish."""

    def __init__(self, data: bytearray) -> None:
        self.data = data

    def read(self, address: int, size: int) -> bytes:
        """``size`` bytes from ``address``."""
        if address + size > len(self.data):
            return bytes(size)
        return bytes(self.data[address : address + size])

    def write(self, address: int, data: bytes) -> None:
        """Store ``data`` at ``address``."""
        if address + len(data) <= len(self.data):
            self.data[address : address + len(data)] = data


Place = tuple[Memory, int]  # a memory and an address in it


def named_sources(instruction: Instruction) -> dict[str, Operand]:
    """Sources by the field names of the opcode row."""
    return {name: operand for (name, _), operand in zip(instruction.opcode.src, instruction.src, strict=True)}


def _unsupported(instruction: Instruction) -> UnsupportedInstruction:
    return UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} is not implemented")


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
    operands, fields = named_sources(instruction), instruction.fields
    if operation.strides:
        offsets = [fields[f"offset{i}"] * stride for i, stride in enumerate(operation.strides)]
    else:
        offsets = [fields.get("offset", 0)]
    lanes = [lane for lane in range(WAVE_LANES) if (wave.exec >> lane) & 1]
    places = [
        {lane: place_of(wave, instruction, operands, lane, offset) for lane in lanes} for offset in offsets
    ]
    transfer(Access(wave, instruction, operation, operands, places))


def transfer(access: Access) -> None:
    """Carry out an access whose places are known."""
    kinds = {"load": _load_to_lds if access.operation.to_lds else _load, "store": _store, "atomic": _atomic}
    kinds[access.operation.kind](access)


def place_of(
    wave: Wave, instruction: Instruction, operands: dict[str, Operand], lane: int, offset: int
) -> Place:
    """Where a lane's access goes, ``offset`` bytes behind its address operands."""
    if instruction.format == "DS":
        address = (int(wave.row(operands["addr"])[lane]) + offset) & 0xFFFFFFFF
        return Bounded(wave.group.lds), address
    total = (_address(wave, operands, lane) + offset) & 0xFFFF_FFFF_FFFF_FFFF
    low, high = total & 0xFFFFFFFF, total >> 32
    flat = instruction.format == "FLAT"
    if instruction.format == "SCRATCH" or (flat and high == PRIVATE_APERTURE):
        return Bounded(wave.scratch[lane]), low
    if flat and high == SHARED_APERTURE:
        return Bounded(wave.group.lds), low
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


def _load_to_lds(access: Access) -> None:
    """Every lane's dwords go to LDS at M0, the instruction's offset and the lane's own place in turn."""
    operation, wave = access.operation, access.wave
    size = operation.bits // 8
    base = (int(wave.sgpr[M0]) & 0x3FFFC) + access.instruction.fields["offset"]
    for lane, (memory, address) in access.places[0].items():
        data = memory.read(address, size * operation.units)
        words = [_extended(data[size * i : size * (i + 1)], operation) for i in range(operation.units)]
        for i, word in enumerate(words):
            place = base + 4 * (operation.units * lane + i)
            Bounded(wave.group.lds).write(place, word.to_bytes(4, "little"))


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


def _atomic(access: Access) -> None:
    bits, function, _ = ATOMICS[access.operation.atomic]
    wave, kind = access.wave, f"i{bits}"
    b = wave.builder
    before: dict[int, int] = {}
    for lane, (memory, address) in access.places[0].items():
        before[lane] = int.from_bytes(memory.read(address, bits // 8), "little")
        sources = [
            b.const(kind, access.words(access.operands[field], lane, bits, part))
            for field, part in atomic_operands(access.operation, access.instruction.name)
        ]
        if not isinstance(memory, Bounded):  # memory does not know of a wave's MODE
            b.mode = Mode.default(wave.generation)
        new = function(b, b.const(kind, before[lane]), *sources)
        b.mode = Mode.of(wave.mode, wave.generation)
        memory.write(address, int(np.asarray(new.int_bits().data)).to_bytes(bits // 8, "little"))
    if access.instruction.dst:
        for lane, old in before.items():
            for i in range(bits // 32):
                wave.row(access.instruction.dst[0], i)[lane] = (old >> (32 * i)) & 0xFFFFFFFF
