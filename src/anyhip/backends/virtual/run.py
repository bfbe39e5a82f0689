"""Runs: straight sequences of lane-wise instructions, translated as one loop over chunks of lanes.

Vector instructions are queued, with the scalar operands they had at that moment, until something needs their
result: a scalar instruction that reads a lane mask, a change of EXEC, a memory access that must come after
another, the block's end. Then the queue becomes a loop under the lane mask, and on hosts where masking
costs (AVX2 stores) a second one for the case that all lanes are enabled.
Scalar instructions between the queued ones thereby move before the loop, which their captured operands allow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from anyhip.backends.virtual import deferred, lanes
from anyhip.backends.virtual.cfg import vgprs_read, vgprs_written
from anyhip.backends.virtual.chunk import Chunk
from anyhip.backends.virtual.chunk_registers import Facts, forget
from anyhip.backends.virtual.deferred import Kept
from anyhip.backends.virtual.exec_bounds import ANY
from anyhip.backends.virtual.layout import OFFSETS, VGPR_BYTES
from anyhip.backends.virtual.llvm_builder import CHUNK, LlvmBuilder
from anyhip.backends.virtual.mode import Mode
from anyhip.backends.virtual.scalars import EXEC, Scalars
from anyhip.backends.virtual.semantics.memory import MemoryOp
from anyhip.backends.virtual.value import BITS, Value, element_type
from anyhip.isa.decode import Instruction, Operand

__all__ = ["Item", "Run", "RunQueue", "emit_loop"]


@dataclass(slots=True)
class Item:
    """A queued instruction with its scalar operands, and how it touches memory."""

    instruction: Instruction
    captured: list[Value | None]  # by source; None: a VGPR, or a mask that this run makes
    position: int  # in its block
    mode: Mode
    memory: MemoryOp | None = None
    space: str = ""  # global, lds, scratch, flat
    deferred: bool = False  # a store that the loads of the run must come before, in every chunk


@dataclass(slots=True)
class Run:
    """The queue under construction."""

    execute: Value  # EXEC, i64
    private_in_flat: bool
    inline_accesses: bool  # rather than calls of the access functions
    facts: Facts = field(default_factory=dict)  # of registers as they are when the run begins
    items: list[Item] = field(default_factory=list)
    reads: set[int] = field(default_factory=set)
    writes: set[int] = field(default_factory=set)
    frozen: set[int] = field(default_factory=set)  # read across chunks: must not be written in this run
    copied: set[int] = field(default_factory=set)  # read across chunks and written: read from a copy
    masks: dict[int, None] = field(default_factory=dict)  # SGPR pairs to produce
    loaded: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)


class RunQueue:
    """Collects vector instructions and emits them.

    Args:
        wave_size: 64 or 32.
        private_in_flat: flat addresses may mean private memory.
        two_versions: emit each run also for "all lanes enabled". Hosts with cheap masked stores do without.
    """

    def __init__(self, b: LlvmBuilder, wave_size: int, private_in_flat: bool, two_versions: bool) -> None:
        self.b = b
        self.wave_size = wave_size
        self.private_in_flat = private_in_flat
        self.scalars = Scalars(b, self.flush)
        self.two_versions = two_versions
        self.run: Run | None = None
        self.inline_accesses = True
        self.mode = b.mode  # of the instruction that is being translated
        self.live_after: list[frozenset[int]] = []
        self.facts: Facts = {}  # of VGPRs, once all that is queued is done
        self.execute_mask = ANY  # of exec_bounds: what EXEC is now

    # -- queueing
    def add(
        self, instruction: Instruction, position: int, memory: MemoryOp | None = None, space: str = ""
    ) -> None:
        """Queue a vector instruction, after emitting the run that it must not join.

        Args:
            position: in its block.
            space: what a memory instruction accesses: global, lds, scratch or flat.
        """
        must_wait = memory is not None and self._order_memory(memory, space)
        crossing = lanes.rows_read_across(instruction)
        written = vgprs_written(instruction)
        if self.run is not None and (
            self.run.frozen & set(written) or set(crossing) & self.run.writes or set(crossing) & set(written)
        ):
            self.flush()
        before = self.run
        captured = [self.capture(operand) for operand in instruction.src]
        if self.run is not before:  # a scalar that the run was to make was wanted: masks are scalars now
            captured = [self.capture(operand) for operand in instruction.src]
        run = self.run
        if run is None:
            run = self.run = Run(self.mask64(EXEC), self.private_in_flat, self.inline_accesses)
        must_wait = must_wait and run is before
        run.items.append(Item(instruction, captured, position, self.mode, memory, space, must_wait))
        run.reads.update(vgprs_read(instruction))
        run.writes.update(written)
        run.frozen.update(crossing)
        if memory is not None:
            (run.loaded if memory.kind == "load" else run.stored).add(space)
        for operand in instruction.dst:
            if operand.kind == "s":
                run.masks[operand.index] = None
                self.scalars.pending.add(operand.index & ~1)
        if set(crossing) & set(written):
            run.copied.update(set(crossing) & set(written))
            self.flush()
        elif EXEC in run.masks or must_wait:
            self.flush()

    def _order_memory(self, memory: MemoryOp, space: str) -> bool:
        """Keep accesses that could meet apart, since lanes go through a run chunk by chunk.

        An access that could meet an earlier store begins a new run; a store that could meet earlier loads
        is deferred (True).
        """
        if self.run is None or space == "scratch":
            return False
        if _may_meet(space, self.run.stored):
            self.flush()
            return False
        return memory.kind == "store" and _may_meet(space, self.run.loaded)

    def capture(self, operand: Operand) -> Value | None:
        """The value of a scalar operand now, constants in their type and registers as raw bits.

        None for VGPRs and for masks that the current run makes.
        """
        b = self.b
        if operand.kind in "va":
            return None
        if operand.kind == "const":
            return constant(b, operand)
        if operand.kind == "special":
            return None if operand.name == "off" else self.special(operand)
        if operand.type == "mask":
            if self.run is not None and operand.index in self.run.masks:
                return None
            return self.mask64(operand.index)
        if operand.count == 1:
            return self.scalars.read32(operand.index)
        assert operand.count == 2, f"a {operand.count}-dword scalar operand of a vector instruction"
        return self.scalars.read64(operand.index)

    def mask64(self, index: int) -> Value:
        """A lane mask in scalar registers, as i64 for either wave size."""
        if self.wave_size == 64:
            return self.scalars.read64(index)
        return self.scalars.read32(index).zext("i64")

    def special(self, operand: Operand) -> Value:
        """SCC, VCCZ, EXECZ, apertures: the hardware's named sources."""
        from anyhip.backends.virtual.scalar_code import special_source

        return special_source(self.b, self.scalars, operand)

    # -- emission
    def flush(self) -> None:
        """Emit the queued run, if any."""
        run, self.run = self.run, None
        if run is not None:
            self._emit(run)
            self.b.mode = self.mode

    def _emit(self, run: Run) -> None:
        for index in run.masks:
            self.scalars.pending.discard(index & ~1)
        b = self.b
        for r in run.copied:
            row = b.offset("%vgprs", r * VGPR_BYTES)
            b.intrinsic("llvm.memcpy.p0.p0.i64", "void", "ptr, ptr, i64, i1")
            rows = f"ptr align 64 %spare, ptr align 64 {row}"
            b.emit(f"  call void @llvm.memcpy.p0.p0.i64({rows}, i64 {VGPR_BYTES}, i1 false)")
        live = self.live_after[run.items[-1].position]
        waiting: list[Kept] = []
        run.facts = self.facts

        def body(chunk: Chunk) -> None:
            for item in run.items:
                chunk.execute(item)
            chunk.store_written(live)
            waiting[:] = chunk.kept
            self.facts = forget(run.facts, chunk.written) | chunk.facts(live, self.execute_mask)

        def release(chunk: Chunk) -> None:
            for kept in waiting:
                deferred.release(chunk, kept)

        self._set_masks(self._versions(run, body))
        if waiting:
            b.at(run.items[-1].instruction.pc)
            stores = Run(run.execute, run.private_in_flat, run.inline_accesses)
            self._versions(stores, release)
            b.at(None)

    def _versions(self, run: Run, body: Callable[[Chunk], object]) -> dict[int, Value]:
        """A loop over the chunks in each version that the host wants, and the lane masks that it makes."""
        b = self.b
        masked, join = b.label("masked"), b.label("join")
        versions = [(masked, True)]
        if self.two_versions:
            versions.insert(0, (b.label("full"), False))
            test = b.compare("eq", run.execute, b.const("i64", (1 << self.wave_size) - 1))
            b.emit(f"  br i1 {test.data}, label %{versions[0][0]}, label %{masked}")
        else:
            b.emit(f"  br label %{masked}")
        ends = [
            emit_loop(b, run, label, join, self.wave_size, Chunk, body, is_masked)
            for label, is_masked in versions
        ]
        b.start(join)
        made = {}
        for number, index in enumerate(run.masks):
            phi = ", ".join(f"[ {accumulators[number]}, %{label} ]" for label, accumulators in ends)
            made[index] = b.uniform("i64", b.let(f"phi i64 {phi}"))
        return made

    def _set_masks(self, made: dict[int, Value]) -> None:
        for index, mask in made.items():
            if self.wave_size == 64:
                self.scalars.write64(index, mask)
            else:
                self.scalars.write32(index, mask.trunc("i32"))


def _may_meet(space: str, others: set[str]) -> bool:
    """Whether an access to ``space`` could touch what accesses to ``others`` do."""
    return space in others or bool(others and "flat" in others | {space})


def emit_loop(
    b: LlvmBuilder,
    run: Run,
    label: str,
    join: str,
    wave_size: int,
    chunk_type: type[Chunk],
    body: Callable[[Chunk], object],
    masked: bool = True,
) -> tuple[str, list[str]]:
    """A loop over the wave's chunks, from the block ``label`` to the block ``join``.

    Args:
        body: emits the code of one chunk.
        masked: under EXEC; else all lanes are enabled.

    Returns:
        The last block's label, and the texts of the masks that the run makes.
    """
    head, inside, latch, leave = (b.label(stem) for stem in ("head", "body", "latch", "done"))
    first, following = b.name(), b.name()
    carried = [(b.name(), b.name(), b.name()) for _ in run.masks]  # at the head, after the body, at the latch
    b.start(label)
    b.emit(f"  br label %{head}")
    b.start(head)
    b.emit(f"  {first} = phi i64 [ 0, %{label} ], [ {following}, %{latch} ]")
    for at_head, _, at_latch in carried:
        b.emit(f"  {at_head} = phi i64 [ 0, %{label} ], [ {at_latch}, %{latch} ]")
    mask = None
    if masked:
        shifted = b.let(f"lshr i64 {run.execute.data}, {first}")
        bits = b.let(f"trunc i64 {shifted} to i{CHUNK}")
        mask = b.lanes("i1", b.let(f"bitcast i{CHUNK} {bits} to <{CHUNK} x i1>"))
        some = b.let(f"icmp ne i{CHUNK} {bits}, 0")
        b.emit(f"  br i1 {some}, label %{inside}, label %{latch}")
    else:
        b.emit(f"  br label %{inside}")
    b.start(inside)
    chunk = chunk_type(b, run, first, mask, wave_size)
    body(chunk)
    for (at_head, after, _), index in zip(carried, run.masks, strict=True):
        bits = chunk.bits_of(chunk.active(chunk.masks[index]))
        wide = b.let(f"zext i{CHUNK} {bits} to i64")
        placed = b.let(f"shl i64 {wide}, {first}")
        b.emit(f"  {after} = or i64 {at_head}, {placed}")
    ended = b.current
    b.emit(f"  br label %{latch}")
    b.start(latch)
    for at_head, after, at_latch in carried:
        skipped = f", [ {at_head}, %{head} ]" if masked else ""
        b.emit(f"  {at_latch} = phi i64 [ {after}, %{ended} ]{skipped}")
    b.emit(f"  {following} = add nuw nsw i64 {first}, {CHUNK}")
    more = b.let(f"icmp ult i64 {following}, {wave_size}")
    b.emit(f"  br i1 {more}, label %{head}, label %{leave}, !llvm.loop !0")
    b.start(leave)
    b.emit(f"  br label %{join}")
    return leave, [at_latch for _, _, at_latch in carried]


def constant(b: LlvmBuilder, operand: Operand) -> Value:
    """A constant operand as a value of its row type."""
    kind = element_type(operand.type)
    if operand.type == "mask":
        return b.const("i64", operand.value)
    if operand.count == 2 and BITS[kind] < 64:
        return b.const("i64", operand.value)
    return b.raw(kind, operand.value)


def vgpr_base() -> str:
    """IR of the function's entry that names the VGPR file and the place of deferred stores."""
    return f"{deferred.FRAME}\n  %vgprs = getelementptr i8, ptr %w, i64 {OFFSETS['vgpr']}"


assert VGPR_BYTES == 256, "chunk addresses assume 64 lanes of 4 bytes"
