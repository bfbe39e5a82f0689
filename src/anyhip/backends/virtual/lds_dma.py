"""Loads that go to LDS instead of registers: every lane's dwords, one lane after the other.

Facts: CDNA3 ISA guide, 10.3 "Addressing" and 9.1.9 "Memory Buffer Load to LDS": the place is M0
(dword-aligned) plus the instruction's offset, which the memory address has as well, plus 4 bytes (16 for four
dwords) a lane.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyhip.backends.virtual import vector_memory
from anyhip.backends.virtual.addresses import Place
from anyhip.backends.virtual.chunk import Chunk
from anyhip.backends.virtual.run import Run, emit_loop
from anyhip.backends.virtual.scalar_code import read_scalar
from anyhip.backends.virtual.scalars import EXEC, M0
from anyhip.backends.virtual.value import Value

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.backends.virtual.semantics.memory import MemoryOp
    from anyhip.isa.decode import Instruction

__all__ = ["deposit", "load"]


def deposit(chunk: Chunk, memory: MemoryOp, units: list[Value], base: Value, offset: int) -> None:
    """Store loaded units (i8, i16 or i32 a lane) to LDS."""
    if memory.bits < 32:
        units = [u.sext("i32") if memory.signed else u.zext("i32") for u in units]
    lane = chunk.lane_id() * (4 * len(units))
    vector_memory.store(chunk, Place("%lds", lane + (base & 0x3FFFC) + offset), units, 32)


def load(queue: RunQueue, instruction: Instruction, memory: MemoryOp) -> None:
    """Emit global_load_lds_* or scratch_load_lds_*."""
    queue.flush()
    b = queue.b
    operands = {name: o for (name, _), o in zip(instruction.opcode.src, instruction.src, strict=True)}
    offset = instruction.fields["offset"]
    base = queue.scalars.read32(M0)
    saddr = operands["saddr"]
    scalar = None if saddr.name == "off" else read_scalar(queue, saddr)
    vaddr = operands["vaddr"]

    def body(chunk: Chunk) -> None:
        vector = None if vaddr.name == "off" else chunk.register(vaddr.index)
        if vaddr.count == 2:
            vector = chunk.pair(vaddr.index)
        if instruction.format == "SCRATCH":
            units = _private(chunk, memory, [part for part in (vector, scalar) if part is not None], offset)
        else:
            assert vector is not None
            address = vector.zext("i64") + offset
            if scalar is not None:
                address = address + scalar
            units = vector_memory.load(chunk, Place("null", address), memory.bits, memory.units)
        deposit(chunk, memory, units, base, offset)

    start, done = b.label("dma"), b.label("deposited")
    b.at(instruction.pc)
    run = Run(queue.mask64(EXEC), private_in_flat=False, inline_accesses=queue.inline_accesses)
    b.emit(f"  br label %{start}")
    emit_loop(b, run, start, done, queue.wave_size, Chunk, body)
    b.start(done)
    b.at(None)


def _private(chunk: Chunk, memory: MemoryOp, parts: list[Value], offset: int) -> list[Value]:
    """Units of private memory, whose dword k of lane l lies at (k*64 + l)*4."""
    b = chunk.b
    at = b.const("i32", offset)
    for part in parts:
        at = at + part
    at = at.umin(b.uniform("i32", b.let("trunc i64 %scratch.last to i32")))
    lane = chunk.lane_id() << 2
    return [
        vector_memory.load(
            chunk, Place("%scratch", (((at >> 2) + i) << 8) + (at & 3) + lane), memory.bits, 1
        )[0]
        for i in range(memory.units)
    ]
