"""Atomics, and what else goes lane by lane: a scalar loop over the enabled lanes, in lane order.

Global atomics are the host's atomics, so other waves, workgroups and the host program see them as such. The
waves of a workgroup share a host thread, so LDS atomics are plain reads and writes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from anyhip.backends.virtual.layout import SHARED_APERTURE, VGPR_BYTES
from anyhip.backends.virtual.mode import Mode
from anyhip.backends.virtual.scalar_code import read_scalar
from anyhip.backends.virtual.scalars import EXEC
from anyhip.backends.virtual.semantics.memory import ATOMICS, MemoryOp, atomic_operands
from anyhip.backends.virtual.value import Value
from anyhip.backends.virtual.vector_memory import lds_clamped, lds_places

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.isa.decode import Instruction, Operand

__all__ = ["atomic", "host_atomic", "lane_loop", "permute", "read_lane", "update", "write_lane"]

LaneRead = Callable[["Operand", int], Value]


def lane_loop(queue: RunQueue, instruction: Instruction, body: Callable[[Value], None]) -> None:
    """Emit ``body`` of the instruction for each enabled lane (i64 lane number), lowest first."""
    queue.flush()
    b = queue.b
    for (
        operand
    ) in instruction.src:  # known before the loop, so that no text of its body is remembered after it
        if operand.kind == "s":
            read_scalar(queue, operand)
    mask = queue.scalars.read64(EXEC) if queue.wave_size == 64 else queue.scalars.read32(EXEC).zext("i64")
    head, each, done = (b.label(stem) for stem in ("lanes", "lane", "lanesdone"))
    left, rest = b.name(), b.name()
    before = b.label("before")
    b.emit(f"  br label %{before}")
    b.start(before)
    b.emit(f"  br label %{head}")
    b.start(head)
    position = len(b.lines)
    none = b.let(f"icmp eq i64 {left}, 0")
    b.emit(f"  br i1 {none}, label %{done}, label %{each}")
    b.start(each)
    lane = b.uniform("i64", left).unary("cttz")
    body(lane)
    less = b.let(f"sub i64 {left}, 1")
    b.emit(f"  {rest} = and i64 {left}, {less}")
    b.emit(f"  br label %{head}")
    b.lines.insert(position, f"  {left} = phi i64 [ {mask.data}, %{before} ], [ {rest}, %{b.current} ]")
    b.start(done)


def _element(queue: RunQueue, register: int, lane: Value) -> str:
    """Pointer to one lane of a VGPR."""
    b = queue.b
    row = b.offset("%vgprs", register * VGPR_BYTES)
    return b.let(f"getelementptr i32, ptr {row}, i64 {lane.data}")


def read_lane(queue: RunQueue, operand: Operand, lane: Value, part: int = 0, bits: int = 32) -> Value:
    """``bits`` of the operand from dword ``part`` on, for one lane."""
    b = queue.b
    if operand.kind not in "va":
        value = read_scalar(queue, operand).int_bits()
        return value
    low = b.load("i32", _element(queue, operand.index + part, lane), 4)
    if bits == 32:
        return low
    high = b.load("i32", _element(queue, operand.index + part + 1, lane), 4)
    return low.zext("i64") | (high.zext("i64") << 32)


def _source(instruction: Instruction, *fields: str) -> Operand | None:
    for (name, _), operand in zip(instruction.opcode.src, instruction.src, strict=True):
        if name in fields and operand.name != "off":
            return operand
    return None


def atomic(queue: RunQueue, instruction: Instruction, memory: MemoryOp, space: str) -> None:
    """One read-modify-write a lane; the old value goes to the destination when the instruction returns it."""

    def one(lane: Value) -> None:
        if space == "lds":
            offset = _lds_offset(queue, instruction, lane)
            pointer, target = lds_places(queue.b, offset, ATOMICS[memory.atomic][0] // 8)
            update(queue, instruction, memory, pointer, lane, target)
        else:
            update(queue, instruction, memory, _address(queue, instruction, space, lane), lane)

    lane_loop(queue, instruction, one)


def update(
    queue: RunQueue,
    instruction: Instruction,
    memory: MemoryOp,
    pointer: str,
    lane: Value,
    lds_target: str = "",
) -> None:
    """One lane's read-modify-write at ``pointer``.

    Args:
        lds_target: of LDS, where the result goes.
    """
    bits, meaning, native = ATOMICS[memory.atomic]
    b = queue.b
    operands = []
    for field, part in atomic_operands(memory, instruction.name):
        source = _source(instruction, field)
        assert source is not None
        operands.append(read_lane(queue, source, lane, part, bits))
    if lds_target:
        old = b.load(f"i{bits}", pointer, 4)
        b.store(meaning(b, old, *operands), lds_target, 4)
    else:
        old = host_atomic(queue, pointer, bits, native, meaning, operands)
    if instruction.dst:
        write_lane(queue, instruction.dst[0].index, lane, old)


def write_lane(queue: RunQueue, register: int, lane: Value, value: Value) -> None:
    """Assign one lane of a VGPR, or of two for 64 bits."""
    b = queue.b
    if value.bits == 32:
        b.store(value, _element(queue, register, lane), 4)
        return
    b.store(value.trunc("i32"), _element(queue, register, lane), 4)
    b.store((value >> 32).trunc("i32"), _element(queue, register + 1, lane), 4)


def _lds_offset(queue: RunQueue, instruction: Instruction, lane: Value) -> Value:
    operand = _source(instruction, "addr")
    assert operand is not None
    return read_lane(queue, operand, lane) + instruction.fields.get("offset", 0)


def _address(queue: RunQueue, instruction: Instruction, space: str, lane: Value) -> str:
    """Host pointer of the lane's access to memory."""
    b, fields = queue.b, instruction.fields
    vaddr, saddr = _source(instruction, "vaddr"), _source(instruction, "saddr")
    assert vaddr is not None
    if saddr is not None:
        address = read_scalar(queue, saddr) + read_lane(queue, vaddr, lane).zext("i64")
    else:
        address = read_lane(queue, vaddr, lane, 0, 64)
    address = address + fields.get("offset", 0)
    if space == "flat":
        lds = b.uniform("i64", b.let("ptrtoint ptr %lds to i64"))
        inside = lds + lds_clamped(b, address & 0xFFFFFFFF)
        address = (address >> 32).eq(SHARED_APERTURE).select(inside, address)
    return b.let(f"inttoptr i64 {address.data} to ptr")


def host_atomic(
    queue: RunQueue,
    pointer: str,
    bits: int,
    native: str,
    meaning: Callable[..., Value],
    operands: list[Value],
) -> Value:
    """A read-modify-write by the host's atomics; the old value."""
    b = queue.b
    kind = f"i{bits}"
    if native == "cmpxchg":
        new, expected = operands
        pair = b.let(f"cmpxchg ptr {pointer}, {kind} {expected.data}, {kind} {new.data} seq_cst monotonic")
        return b.uniform(kind, b.let(f"extractvalue {{ {kind}, i1 }} {pair}, 0"))
    if native:
        return b.uniform(kind, b.let(f"atomicrmw {native} ptr {pointer}, {kind} {operands[0].data} seq_cst"))
    return _compare_and_swap_loop(queue, pointer, kind, meaning, operands)


def _compare_and_swap_loop(
    queue: RunQueue, pointer: str, kind: str, meaning: Callable[..., Value], operands: list[Value]
) -> Value:
    """Operations that the host has no instruction for: retry until nobody came between."""
    b = queue.b
    before, again, done = b.label("casfirst"), b.label("cas"), b.label("casdone")
    b.emit(f"  br label %{before}")
    b.start(before)
    first = b.let(f"load atomic {kind}, ptr {pointer} monotonic, align {int(kind[1:]) // 8}")
    b.emit(f"  br label %{again}")
    b.start(again)
    old, seen = b.name(), b.name()
    position = len(b.lines)
    b.mode = Mode.default(queue.mode.generation)  # memory does not know of a wave's MODE
    new = meaning(b, b.uniform(kind, old), *operands)
    b.mode = queue.mode
    pair = b.let(f"cmpxchg ptr {pointer}, {kind} {old}, {kind} {new.data} seq_cst monotonic")
    b.emit(f"  {seen} = extractvalue {{ {kind}, i1 }} {pair}, 0")
    won = b.let(f"extractvalue {{ {kind}, i1 }} {pair}, 1")
    b.emit(f"  br i1 {won}, label %{done}, label %{again}")
    b.lines.insert(position, f"  {old} = phi {kind} [ {first}, %{before} ], [ {seen}, %{b.current} ]")
    b.start(done)
    return b.uniform(kind, old)


def permute(queue: RunQueue, instruction: Instruction) -> None:
    """ds_permute_b32: lane l sends its data to lane (address / 4) mod wave size; lanes nobody sends to get 0.

    Of several senders the highest lane wins (CDNA3 ISA, "Data Share", DS_PERMUTE_B32).
    """
    queue.flush()
    b = queue.b
    b.intrinsic("llvm.memset.p0.i64", "void", "ptr, i8, i64, i1")
    b.emit(f"  call void @llvm.memset.p0.i64(ptr align 64 %spare, i8 0, i64 {VGPR_BYTES}, i1 false)")
    address, data = instruction.src[0], instruction.src[1]
    offset = instruction.fields.get("offset", 0)

    def send(lane: Value) -> None:
        to = ((read_lane(queue, address, lane) + offset) >> 2) & (queue.wave_size - 1)
        pointer = b.let(f"getelementptr i32, ptr %spare, i64 {to.zext('i64').data}")
        b.store(read_lane(queue, data, lane), pointer, 4)

    def receive(lane: Value) -> None:
        pointer = b.let(f"getelementptr i32, ptr %spare, i64 {lane.data}")
        b.store(b.load("i32", pointer, 4), _element(queue, instruction.dst[0].index, lane), 4)

    lane_loop(queue, instruction, send)
    lane_loop(queue, instruction, receive)
