"""Memory as the reference interpreter sees it: the host's address space, LDS and private memory, a lane at a time."""

from __future__ import annotations

__all__ = ["HostMemory", "Memory", "scalar_memory", "vector_memory"]

import ctypes
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

    def read(self, address: int, size: int) -> bytes: ...

    def write(self, address: int, data: bytes) -> None: ...


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
def vector_memory(wave: Wave, instruction: Instruction) -> None:
    """Loads, stores and atomics on LDS, global, flat and private memory.

    Raises:
        UnsupportedInstruction: the memory table has no such instruction.
    """
    operation = find(instruction.name)
    if operation is None or instruction.format not in ("DS", "GLOBAL", "FLAT", "SCRATCH"):
        raise _unsupported(instruction)
    operands = _operands(instruction)
    lanes = [lane for lane in range(WAVE_LANES) if (wave.exec >> lane) & 1]
    accesses = _accesses(wave, instruction, operation, operands)
    {"load": _load, "store": _store, "atomic": _atomic}[operation.kind](
        wave, instruction, operation, operands, lanes, accesses
    )


Accesses = list[dict[int, Place]]  # one dictionary (lane -> place) an access


def _accesses(wave: Wave, instruction: Instruction, operation: MemoryOp, operands: dict[str, Operand]) -> Accesses:
    lanes = [lane for lane in range(WAVE_LANES) if (wave.exec >> lane) & 1]
    if operation.strides:
        offsets = [instruction.fields[f"offset{i}"] * stride for i, stride in enumerate(operation.strides)]
    else:
        offsets = [instruction.fields.get("offset", 0)]
    return [{lane: _place(wave, instruction, operands, lane, offset) for lane in lanes} for offset in offsets]


def _place(wave: Wave, instruction: Instruction, operands: dict[str, Operand], lane: int, offset: int) -> Place:
    if instruction.format == "DS":
        address = (int(wave.row(operands["addr"])[lane]) + offset) & 0xFFFFFFFF
        return _Bounded(wave.group.lds), address
    vaddr, saddr = operands["vaddr"], operands.get("saddr")
    total = 0
    if vaddr.name != "off":
        total = int(wave.row(vaddr)[lane])
        if vaddr.count == 2:
            total |= int(wave.row(vaddr, 1)[lane]) << 32
    if saddr is not None and saddr.name != "off":
        total += wave.read64(saddr.index) if saddr.count == 2 else int(wave.sgpr[saddr.index])
    if instruction.format == "SCRATCH":
        return _Bounded(wave.scratch[lane]), (total + offset) & 0xFFFFFFFF
    total = (total + offset) & 0xFFFF_FFFF_FFFF_FFFF
    if instruction.format == "FLAT" and total >> 32 == SHARED_APERTURE:
        return _Bounded(wave.group.lds), total & 0xFFFFFFFF
    if instruction.format == "FLAT" and total >> 32 == PRIVATE_APERTURE:
        return _Bounded(wave.scratch[lane]), total & 0xFFFFFFFF
    return wave.group.memory, total


def _load(
    wave: Wave, instruction: Instruction, operation: MemoryOp, operands: dict[str, Operand], lanes: list[int], accesses: Accesses
) -> None:
    destination = instruction.dst[0]
    results: dict[tuple[int, int], int] = {}
    for number, places in enumerate(accesses):
        for lane in lanes:
            memory, address = places[lane]
            data = memory.read(address, operation.bits // 8 * operation.units)
            for i in range(operation.units):
                unit = data[operation.bits // 8 * i : operation.bits // 8 * (i + 1)]
                results[number * operation.units + i, lane] = _extended(unit, operation)
    # All lanes are read before any register is written: the address may lie in the destination.
    for (register, lane), value in results.items():
        row = wave.row(destination, register)
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


def _store(
    wave: Wave, instruction: Instruction, operation: MemoryOp, operands: dict[str, Operand], lanes: list[int], accesses: Accesses
) -> None:
    names = ("data0", "data1") if instruction.format == "DS" else ("vdata",)
    for places, name in zip(accesses, names, strict=False):
        for lane in lanes:
            memory, address = places[lane]
            data = b""
            for i in range(operation.units):
                word = int(wave.row(operands[name], i)[lane]) >> (16 if operation.half == "hi" else 0)
                data += (word & ((1 << operation.bits) - 1)).to_bytes(operation.bits // 8, "little")
            memory.write(address, data)


def _data(wave: Wave, operand: Operand, lane: int, bits: int, at: int = 0) -> int:
    """``bits`` (32 or 64) of a data operand, from its dword ``at``."""
    words = [int(wave.row(operand, at + i)[lane]) for i in range(bits // 32)]
    return sum(word << (32 * i) for i, word in enumerate(words))


def _atomic_operands(instruction: Instruction, operation: MemoryOp, operands: dict[str, Operand]) -> list[tuple[Operand, int]]:
    """(operand, dword) of the data and, for a compare-and-swap, of the value compared with."""
    swap = operation.atomic.startswith("cmpswap")
    if instruction.format == "DS":
        return [(operands["data1"], 0), (operands["data0"], 0)] if swap else [(operands["data0"], 0)]
    data = operands["vdata"]
    return [(data, 0), (data, operation.bits // 32)] if swap else [(data, 0)]


def _atomic(
    wave: Wave, instruction: Instruction, operation: MemoryOp, operands: dict[str, Operand], lanes: list[int], accesses: Accesses
) -> None:
    bits, function, _ = ATOMICS[operation.atomic]
    b, kind = wave.builder, f"i{bits}"
    parts = _atomic_operands(instruction, operation, operands)
    before: dict[int, int] = {}
    for lane in lanes:
        memory, address = accesses[0][lane]
        before[lane] = int.from_bytes(memory.read(address, bits // 8), "little")
        values = [b.const(kind, _data(wave, operand, lane, bits, at)) for operand, at in parts]
        new = function(b, b.const(kind, before[lane]), *values)
        memory.write(address, int(np.asarray(new.int_bits().data)).to_bytes(bits // 8, "little"))
    if instruction.dst:
        for lane, old in before.items():
            for i in range(bits // 32):
                wave.row(instruction.dst[0], i)[lane] = (old >> (32 * i)) & 0xFFFFFFFF
