"""LDS instructions, and global ones, that are neither plain accesses nor atomics, in translated code.

Facts: CDNA3 ISA guide, DS_WRXCHG2_RTN_B32, DS_READ_ADDTID_B32, DS_APPEND. The guide has DS_APPEND and
DS_CONSUME count at the instruction's offset; compilers put the counter's address into M0 (LLVM,
``AMDGPUDAGToDAGISel::SelectDSAppendConsume``), which is what is done here: M0[15:0] plus the offset.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from anyhip.backends.virtual import atomics, vector_memory
from anyhip.backends.virtual.addresses import Place
from anyhip.backends.virtual.chunk import Chunk
from anyhip.backends.virtual.exchange_code import each_chunk
from anyhip.backends.virtual.scalar_code import read_scalar
from anyhip.backends.virtual.scalars import EXEC, M0
from anyhip.backends.virtual.semantics.lds import exchange_strides
from anyhip.backends.virtual.value import Value

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.isa.decode import Instruction

__all__ = ["LDS_INSTRUCTIONS"]


def _base(queue: RunQueue, instruction: Instruction) -> Value:
    return (queue.scalars.read32(M0) & 0xFFFF) + instruction.fields["offset"]


def _by_lane(queue: RunQueue, instruction: Instruction) -> None:
    """ds_read_addtid_b32 and ds_write_addtid_b32: every lane its own dword behind M0 and the offset."""
    queue.flush()
    base = _base(queue, instruction)

    def body(chunk: Chunk) -> None:
        place = Place("%lds", (chunk.lane_id() << 2) + base)
        if instruction.dst:
            register = instruction.dst[0].index
            chunk.set_register(register, vector_memory.load(chunk, place, 32, 1)[0])
            chunk.store_written(frozenset((register,)))
        else:
            vector_memory.store(chunk, place, [chunk.register(instruction.src[0].index)], 32)

    each_chunk(queue, instruction, body)


def _memory_by_lane(queue: RunQueue, instruction: Instruction) -> None:
    """global_load_addtid_b32 and its store: every lane its own dword behind a scalar address."""
    queue.flush()
    operands = dict(zip((name for name, _ in instruction.opcode.src), instruction.src, strict=True))
    base = queue.b.const("i64", instruction.fields["offset"])
    if operands["saddr"].name != "off":
        base = read_scalar(queue, operands["saddr"]) + base

    def body(chunk: Chunk) -> None:
        place = Place("null", (chunk.lane_id() << 2).zext("i64") + base)
        if instruction.dst:
            register = instruction.dst[0].index
            chunk.set_register(register, vector_memory.load(chunk, place, 32, 1)[0])
            chunk.store_written(frozenset((register,)))
        else:
            vector_memory.store(chunk, place, [chunk.register(operands["vdata"].index)], 32)

    each_chunk(queue, instruction, body)


def _count(queue: RunQueue, instruction: Instruction) -> None:
    """ds_append and ds_consume: add or subtract the number of enabled lanes once; all get the old value."""
    queue.flush()
    b = queue.b
    place, target = vector_memory.lds_places(b, _base(queue, instruction), 4)
    old = b.load("i32", place, 4)
    lanes = queue.mask64(EXEC).unary("ctpop").trunc("i32")
    b.store(old + lanes if instruction.name == "ds_append" else old - lanes, target, 4)
    register = instruction.dst[0].index

    def body(chunk: Chunk) -> None:
        chunk.set_register(register, b.lanes("i32", b.splat(old)))
        chunk.store_written(frozenset((register,)))

    each_chunk(queue, instruction, body)


def _exchange(queue: RunQueue, instruction: Instruction) -> None:
    """ds_wrxchg2*: two exchanges a lane."""
    b = queue.b
    stride, bits = exchange_strides(instruction.name)
    address, *data = instruction.src
    words = bits // 32

    def one(lane: Value) -> None:
        targets, old = [], []
        for i in (0, 1):
            offset = atomics.read_lane(queue, address, lane) + instruction.fields[f"offset{i}"] * stride
            place, target = vector_memory.lds_places(b, offset, bits // 8)
            targets.append(target)
            old.append(b.load(f"i{bits}", place, 4))
        for i in (0, 1):
            b.store(atomics.read_lane(queue, data[i], lane, 0, bits), targets[i], 4)
        for i in (0, 1):
            atomics.write_lane(queue, instruction.dst[0].index + i * words, lane, old[i])

    atomics.lane_loop(queue, instruction, one)


LDS_INSTRUCTIONS: dict[str, Callable[[RunQueue, Instruction], None]] = {
    **dict.fromkeys(("ds_read_addtid_b32", "ds_write_addtid_b32"), _by_lane),
    **dict.fromkeys(("global_load_dword_addtid", "global_store_dword_addtid"), _memory_by_lane),
    **dict.fromkeys(("ds_append", "ds_consume"), _count),
    **{f"ds_wrxchg2{form}_rtn_b{bits}": _exchange for form in ("", "st64") for bits in (32, 64)},
}
