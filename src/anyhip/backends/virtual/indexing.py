"""VGPRs chosen at run time: s_set_gpr_idx_on and what it does to v_mov_b32 (CDNA3 ISA, "VGPR Indexing").

Compilers turn the mode on, move one register and turn it off again, all in one basic block; M0 holds the
index in its low byte and says in bits 12 to 15 which operands it applies to.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from anyhip.backends.virtual.layout import VGPR_BYTES
from anyhip.backends.virtual.scalars import EXEC, M0
from anyhip.errors import UnsupportedInstruction

if TYPE_CHECKING:
    from anyhip.backends.virtual.chunk import Chunk
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.isa.decode import Instruction

__all__ = ["MODE_INSTRUCTIONS", "indexed_source", "mark", "move", "set_mode"]

SOURCE0, DESTINATION = 1, 8
MODE_INSTRUCTIONS = {"s_set_gpr_idx_on", "s_set_gpr_idx_off", "s_set_gpr_idx_idx", "s_set_gpr_idx_mode"}


def mark(instructions: Iterable[Instruction]) -> None:
    """Note in each vector instruction of a block which operands are indexed (``fields["indexed"]``)."""
    mode = 0
    for instruction in instructions:
        if instruction.name == "s_set_gpr_idx_on":
            mode = instruction.src[1].value & 15
        elif instruction.name == "s_set_gpr_idx_mode":
            mode = instruction.fields["simm16"] & 15
        elif instruction.name == "s_set_gpr_idx_off":
            mode = 0
        elif mode and instruction.opcode.klass in ("valu", "trans", "vcmp"):
            instruction.fields["indexed"] = mode


def indexed_source(instruction: Instruction) -> bool:
    """Source 0 may be any register from the named one on."""
    return bool(instruction.fields.get("indexed", 0) & SOURCE0)


def set_mode(queue: RunQueue, instruction: Instruction) -> None:
    """Update M0 as the instruction says; the mode itself was found by :func:`mark`."""
    from anyhip.backends.virtual.scalar_code import read_scalar

    scalars, name = queue.scalars, instruction.name
    m0 = scalars.read32(M0)
    if name == "s_set_gpr_idx_on":
        index = read_scalar(queue, instruction.src[0]) & 0xFF
        m0 = (m0 & 0xFFFF0F00) | index | (instruction.src[1].value & 15) << 12
    elif name == "s_set_gpr_idx_idx":
        m0 = (m0 & 0xFFFFFF00) | (read_scalar(queue, instruction.src[0]) & 0xFF)
    elif name == "s_set_gpr_idx_mode":
        m0 = (m0 & 0xFFFF0FFF) | (instruction.fields["simm16"] & 15) << 12
    scalars.write32(M0, m0)


def move(queue: RunQueue, instruction: Instruction) -> None:
    """v_mov_b32 in index mode: a masked copy from or to the row that M0 names."""
    from anyhip.backends.virtual.chunk import Chunk
    from anyhip.backends.virtual.run import Run, emit_loop

    if instruction.name != "v_mov_b32" or instruction.variant not in ("e32", "e64"):
        raise UnsupportedInstruction(
            f"{instruction.name} at {instruction.pc:#x} in VGPR index mode is not implemented"
        )
    queue.flush()
    b, mode = queue.b, instruction.fields["indexed"]
    index = queue.scalars.read32(M0) & 0xFF
    rows = b.let(f"mul i64 {index.zext('i64').data}, {VGPR_BYTES}")
    source, target = instruction.src[0], instruction.dst[0]
    captured = queue.capture(source)

    def body(chunk: Chunk) -> None:
        value = chunk.read(source, captured)
        if captured is None and mode & SOURCE0:
            value = b.load("i32", b.offset(chunk.pointer(source.index), rows), 64, uniform=False)
        place = chunk.pointer(target.index)
        if mode & DESTINATION:
            place = b.offset(place, rows)
        assert chunk.mask is not None
        assert not isinstance(value, tuple)
        old = b.load("i32", place, 64, uniform=False)
        b.store(chunk.mask.select(value, old), place, 64, uniform=False)

    start, done = b.label("indexed"), b.label("moved")
    b.emit(f"  br label %{start}")
    emit_loop(b, Run(queue.mask64(EXEC), False, False), start, done, queue.wave_size, Chunk, body)
    b.start(done)
