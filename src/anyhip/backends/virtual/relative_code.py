"""Scalar moves relative to M0 in translated code: a choice among the registers that M0 may mean.

Facts: CDNA3 ISA guide, S_MOVRELS_B32, S_MOVRELD_B32; RDNA3's, S_MOVRELSD_2_B32. Scalar registers are values
here, not memory, so every register from the named one on takes part; M0 beyond the last SGPR reads 0 and
writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from anyhip.backends.virtual.scalar_code import read_scalar
from anyhip.backends.virtual.scalars import M0

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.isa.decode import Instruction

__all__ = ["RELATIVE", "registers_meant"]

SGPRS = 102


def registers_meant(instruction: Instruction) -> range:
    """SGPRs that a relative move may read or write; empty for other instructions."""
    if instruction.name == "s_movrelsd_2_b32":
        return range(min(instruction.src[0].index, instruction.dst[0].index), SGPRS)
    if instruction.name.startswith("s_movrels_b"):
        return range(instruction.src[0].index, SGPRS)
    if instruction.name.startswith("s_movreld_b"):
        return range(instruction.dst[0].index, SGPRS)
    return range(0)


def _read(queue: RunQueue, instruction: Instruction) -> None:
    """s_movrels: the source's number plus M0."""
    scalars, target = queue.scalars, instruction.dst[0]
    m0 = scalars.read32(M0)
    values = []
    for part in range(target.count):
        found = queue.b.const("i32", 0)
        for step, r in enumerate(registers_meant(instruction)):
            if r + part < SGPRS:
                found = m0.eq(step).select(scalars.read32(r + part), found)
        values.append(found)
    for part, value in enumerate(values):
        scalars.write32(target.index + part, value)


def _write(queue: RunQueue, instruction: Instruction) -> None:
    """s_movreld: the destination's number plus M0."""
    scalars, count = queue.scalars, instruction.dst[0].count
    m0, value = scalars.read32(M0), read_scalar(queue, instruction.src[0]).int_bits()
    parts = [value] if count == 1 else [value.trunc("i32"), (value >> 32).trunc("i32")]
    registers = registers_meant(instruction)
    for step, r in enumerate(registers):
        new = scalars.read32(r)
        for part in range(count):
            if step >= part:
                new = m0.eq(step - part).select(parts[part], new)
        scalars.write32(r, new)


def _both(queue: RunQueue, instruction: Instruction) -> None:
    """s_movrelsd_2: M0[9:0] is added to the source's number, M0[25:16] to the destination's."""
    scalars, source, target = queue.scalars, instruction.src[0].index, instruction.dst[0].index
    m0 = scalars.read32(M0)
    before, after = m0 & 0x3FF, (m0 >> 16) & 0x3FF
    found = queue.b.const("i32", 0)
    for r in range(source, SGPRS):
        found = before.eq(r - source).select(scalars.read32(r), found)
    for r in range(target, SGPRS):
        scalars.write32(r, after.eq(r - target).select(found, scalars.read32(r)))


RELATIVE: dict[str, Callable[[RunQueue, Instruction], None]] = {
    **dict.fromkeys(("s_movrels_b32", "s_movrels_b64"), _read),
    "s_movrelsd_2_b32": _both,
    **dict.fromkeys(("s_movreld_b32", "s_movreld_b64"), _write),
}
