"""Scalar memory in the reference interpreter: loads, stores and atomics, plain, scratch and buffer."""

from __future__ import annotations

__all__ = ["scalar_memory"]

import numpy as np

from anyhip.backends.virtual.interpreter_memory import named_sources
from anyhip.backends.virtual.interpreter_state import Wave
from anyhip.backends.virtual.semantics.memory import ATOMICS, atomic_operands
from anyhip.backends.virtual.semantics.scalar_memory import ScalarAccess, scalar_access
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction


def scalar_memory(wave: Wave, instruction: Instruction) -> None:
    """Execute an SMEM instruction.

    Raises:
        UnsupportedInstruction: the instruction moves no data that is known.
    """
    access = scalar_access(instruction.name)
    if access is None:
        raise UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} is not implemented")
    offset = _offset(wave, instruction, access)
    base, limit = _buffer(wave, instruction, access)
    if access.kind == "atomic":
        _atomic(wave, instruction, access, base + offset, offset < limit)
        return
    operands = named_sources(instruction)
    register = instruction.dst[0].index if access.kind == "load" else operands["sdata"].index
    for i in range(access.dwords):
        size = access.bits // 8
        address, inside = (base + offset + 4 * i) & -size & (1 << 64) - 1, offset + 4 * i < limit
        if access.kind == "load":
            data = wave.group.memory.read(address, size) if inside else bytes(size)
            wave.sgpr[register + i] = int.from_bytes(data, "little", signed=access.signed) & 0xFFFFFFFF
        elif inside:
            wave.group.memory.write(address, int(wave.sgpr[register + i]).to_bytes(4, "little"))


def _offset(wave: Wave, instruction: Instruction, access: ScalarAccess) -> int:
    operand = named_sources(instruction)["soffset"]
    offset = 0
    if operand.name != "off":
        value = wave.source(operand)
        assert not isinstance(value, tuple)
        offset = int(value.data) * access.scale
    return (offset + instruction.fields.get("offset", 0)) & 0xFFFF_FFFF_FFFF_FFFF


def _buffer(wave: Wave, instruction: Instruction, access: ScalarAccess) -> tuple[int, int]:
    """Base address and the offset where the buffer ends."""
    index = named_sources(instruction)["sbase"].index
    base = wave.read64(index)
    if not access.buffer:
        return base, 1 << 64
    stride = base >> 48 & 0x3FFF
    return base & 0xFFFF_FFFF_FFFF, int(wave.sgpr[index + 2]) * (stride or 1)


def _atomic(wave: Wave, instruction: Instruction, access: ScalarAccess, address: int, inside: bool) -> None:
    operation = access.operation
    assert operation is not None
    bits, function, _ = ATOMICS[operation.atomic]
    b, kind, first = wave.builder, f"i{bits}", named_sources(instruction)["sdata"].index
    old = 0
    if inside:
        old = int.from_bytes(wave.group.memory.read(address & ~3, bits // 8), "little")
        sources = []
        for _, part in atomic_operands(operation, instruction.name):
            words = [int(wave.sgpr[first + part + i]) << 32 * i for i in range(bits // 32)]
            sources.append(b.const(kind, sum(words)))
        new = int(np.asarray(function(b, b.const(kind, old), *sources).int_bits().data))
        wave.group.memory.write(address & ~3, new.to_bytes(bits // 8, "little"))
    if instruction.dst:
        for i in range(bits // 32):
            wave.sgpr[instruction.dst[0].index + i] = old >> 32 * i & 0xFFFFFFFF
