"""Rows of lanes that are swapped, and loads that transpose, in translated code.

Facts: see :mod:`~anyhip.backends.virtual.semantics.lane_exchange`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from anyhip.backends.virtual import vector_memory
from anyhip.backends.virtual.addresses import Place
from anyhip.backends.virtual.chunk import Chunk
from anyhip.backends.virtual.layout import VGPR_BYTES, WAVE_LANES
from anyhip.backends.virtual.llvm_builder import CHUNK
from anyhip.backends.virtual.run import Run, emit_loop
from anyhip.backends.virtual.scalar_code import read_scalar
from anyhip.backends.virtual.scalars import EXEC
from anyhip.backends.virtual.semantics.lane_exchange import SWAPS, TRANSPOSES, transposed
from anyhip.backends.virtual.value import Value
from anyhip.errors import UnsupportedInstruction

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.isa.decode import Instruction

__all__ = ["EXCHANGES", "FRAME", "each_chunk"]

STAGE = 16  # bytes of a lane's data on their way
FRAME = f"  %stage = alloca [{STAGE * WAVE_LANES} x i8], align 64"  # of the function's entry


def each_chunk(queue: RunQueue, instruction: Instruction, body: Callable[[Chunk], None]) -> None:
    """A loop of its own over the wave's chunks, under EXEC."""
    b = queue.b
    start, done = b.label("chunkwise"), b.label("chunkwisedone")
    run = Run(queue.mask64(EXEC), private_in_flat=False, inline_accesses=queue.inline_accesses)
    b.at(instruction.pc)
    b.emit(f"  br label %{start}")
    emit_loop(b, run, start, done, queue.wave_size, Chunk, body)
    b.start(done)
    b.at(None)


# -- swaps
def _swap(queue: RunQueue, instruction: Instruction) -> None:
    """Each of the two lanes is written if it is enabled, and if the other is, or may be read anyway."""
    queue.flush()
    b, far = queue.b, SWAPS[instruction.name] // CHUNK
    target, source = (operand.index for operand in instruction.dst)
    options = instruction.fields.get("op_sel", 0)
    execute = queue.mask64(EXEC)
    masks = [_mask(queue, execute, chunk) for chunk in range(queue.wave_size // CHUNK)]
    pairs = [chunk for chunk in range(len(masks)) if not chunk // far & 1]
    places = {
        (r, chunk): b.offset("%vgprs", r * VGPR_BYTES + 4 * CHUNK * chunk)
        for r in (target, source)
        for chunk in range(len(masks))
    }
    words = {key: b.load("i32", place, 64, uniform=False) for key, place in places.items()}
    for low in pairs:
        for key, other in (((source, low), (target, low + far)), ((target, low + far), (source, low))):
            value, enabled, readable = words[other], masks[key[1]], masks[other[1]]
            if not options & 1:
                value = readable.select(value, 0) if options & 2 else readable.select(value, words[key])
            b.store(enabled.select(value, words[key]), places[key], 64, uniform=False)


def _mask(queue: RunQueue, execute: Value, chunk: int) -> Value:
    """The enabled lanes of a chunk."""
    b = queue.b
    bits = (execute >> CHUNK * chunk if chunk else execute).trunc("i16")
    return b.lanes("i1", b.let(f"bitcast i16 {bits.data} to <{CHUNK} x i1>"))


# -- transposes
def _transpose(queue: RunQueue, instruction: Instruction) -> None:
    """Every lane's data onto the stack, and from there element by element.

    Raises:
        UnsupportedInstruction: a wave of 64 on RDNA4, of which it is not known which lane gets what.
    """
    name = instruction.name
    if name.startswith("global") and queue.wave_size != 32:
        raise UnsupportedInstruction(f"{name} in waves of 64 at {instruction.pc:#x} is not implemented")
    queue.flush()
    b = queue.b
    bits, count, _ = TRANSPOSES[name]
    units = bits * count // 32
    operands = dict(zip((field for field, _ in instruction.opcode.src), instruction.src, strict=True))
    scalar = None
    if name.startswith("global") and operands["saddr"].name != "off":
        scalar = read_scalar(queue, operands["saddr"])

    def place(chunk: Chunk) -> Place:
        offset = instruction.fields["offset"]
        if not name.startswith("global"):
            return Place("%lds", chunk.register(operands["addr"].index) + offset)
        vaddr = operands["vaddr"]
        if scalar is None:
            return Place("null", chunk.pair(vaddr.index) + offset)
        return Place("null", scalar + chunk.register(vaddr.index).zext("i64") + offset)

    def load(chunk: Chunk) -> None:
        for i, word in enumerate(vector_memory.load(chunk, place(chunk), 32, units)):
            lanes = chunk.lane_id().zext("i64") * STAGE + 4 * i
            pointers = b.let(f"getelementptr i8, ptr %stage, <{CHUNK} x i64> {lanes.data}")
            vector = f"<{CHUNK} x i32>"
            b.intrinsic(
                f"llvm.masked.scatter.v{CHUNK}i32.v{CHUNK}p0", "void",
                f"{vector}, <{CHUNK} x ptr>, i32, <{CHUNK} x i1>",
            )  # fmt: skip
            b.emit(
                f"  call void @llvm.masked.scatter.v{CHUNK}i32.v{CHUNK}p0({vector} {b.splat(word)}, "
                f"<{CHUNK} x ptr> {pointers}, i32 4, <{CHUNK} x i1> splat (i1 true))"
            )

    def collect(chunk: Chunk) -> None:
        words = [b.const("i32", 0)] * units
        for element in range(count):
            part = _element(chunk, name, element, bits)
            number, low = divmod(element * bits, 32)
            words[number] = words[number] | (part << low if low else part)
            if low + bits > 32:
                words[number + 1] = words[number + 1] | (part >> 32 - low)
        first = instruction.dst[0].index
        for i, word in enumerate(words):
            chunk.set_register(first + i, word)
        chunk.store_written(frozenset(range(first, first + units)))

    each_chunk(queue, instruction, load)
    each_chunk(queue, instruction, collect)


def _element(chunk: Chunk, name: str, element: int, bits: int) -> Value:
    """An element of each lane, out of the data on the stack."""
    b = chunk.b
    places = [transposed(name, lane, element) for lane in range(chunk.run_wave)]
    starts = [bits * number for _, number in places]
    at = chunk.table(
        [STAGE * lane + start // 32 * 4 for (lane, _), start in zip(places, starts, strict=True)]
    )
    shift = chunk.table([start % 32 for start in starts])
    words = []
    for step in (0, 4)[: 1 + (32 % bits != 0)]:
        lanes = (at + step).zext("i64")
        pointers = b.let(f"getelementptr i8, ptr %stage, <{CHUNK} x i64> {lanes.data}")
        words.append(b.lanes("i32", b.gather("i32", pointers, 4, "splat (i1 true)")))
    value = words[0] >> shift
    if len(words) == 2:
        whole = words[0].zext("i64") | (words[1].zext("i64") << 32)
        value = (whole >> shift.zext("i64")).trunc("i32")
    return value & (1 << bits) - 1


EXCHANGES: dict[str, Callable[[RunQueue, Instruction], None]] = {
    **dict.fromkeys(SWAPS, _swap),
    **dict.fromkeys(TRANSPOSES, _transpose),
}
