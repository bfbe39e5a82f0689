"""Vector moves relative to M0 in translated code: whole rows of the VGPR file, chosen at run time.

Facts: RDNA2, RDNA3 and RDNA4 ISA guides, V_MOVRELD_B32 to V_SWAPREL_B32. A register number beyond 255 counts
as 255.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from anyhip.backends.virtual.cfg import RELATIVE_MOVES
from anyhip.backends.virtual.chunk import Chunk
from anyhip.backends.virtual.exchange_code import each_chunk
from anyhip.backends.virtual.layout import VGPR_BYTES
from anyhip.backends.virtual.scalars import M0
from anyhip.backends.virtual.value import Value

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.isa.decode import Instruction, Operand

__all__ = ["RELATIVE"]

LAST = 255


def _offsets(queue: RunQueue, name: str) -> tuple[Value, Value]:
    """What is added to the number of the source and of the destination."""
    m0 = queue.scalars.read32(M0)
    if "_2_" in name or "swaprel" in name:
        return m0 & 0x3FF, (m0 >> 16) & 0x3FF
    none = queue.b.const("i32", 0)
    return (m0 if "movrels" in name else none), (m0 if "movreld" in name or "movrelsd" in name else none)


def _row(queue: RunQueue, operand: Operand, offset: Value) -> str:
    """Bytes from the operand's own row to the one that is meant, as the text of an i64."""
    steps = offset.umin(LAST - operand.index)
    return str((steps.zext("i64") * VGPR_BYTES).data)


def _move(queue: RunQueue, instruction: Instruction) -> None:
    queue.flush()
    source, target = instruction.src[0], instruction.dst[0]
    before, after = _offsets(queue, instruction.name)
    captured = queue.capture(source)
    from_row = _row(queue, source, before) if captured is None else ""
    to_row = _row(queue, target, after)

    def body(chunk: Chunk) -> None:
        if captured is None:
            value = _load(chunk, source, from_row)
        else:
            value = captured.int_bits()
        _store(chunk, target, to_row, value)

    each_chunk(queue, instruction, body)


def _swap(queue: RunQueue, instruction: Instruction) -> None:
    queue.flush()
    target, source = instruction.dst
    before, after = _offsets(queue, instruction.name)
    from_row, to_row = _row(queue, source, before), _row(queue, target, after)

    def body(chunk: Chunk) -> None:
        new, old = _load(chunk, source, from_row), _load(chunk, target, to_row)
        _store(chunk, target, to_row, new)
        _store(chunk, source, from_row, old)

    each_chunk(queue, instruction, body)


def _load(chunk: Chunk, operand: Operand, row: str) -> Value:
    return chunk.b.load("i32", chunk.b.offset(chunk.pointer(operand.index), row), 64, uniform=False)


def _store(chunk: Chunk, operand: Operand, row: str, value: Value) -> None:
    b = chunk.b
    place = b.offset(chunk.pointer(operand.index), row)
    if chunk.mask is not None:
        value = chunk.mask.select(value, b.load("i32", place, 64, uniform=False))
    b.store(value, place, 64, uniform=False)


RELATIVE: dict[str, Callable[[RunQueue, Instruction], None]] = {
    **dict.fromkeys(RELATIVE_MOVES, _move),
    "v_swaprel_b32": _swap,
}
