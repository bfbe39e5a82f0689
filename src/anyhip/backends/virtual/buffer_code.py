"""Buffer instructions in translated code: each a loop of its own over the wave's chunks.

Lanes that are out of range are masked out of the access and read 0. Wide accesses are checked dword by dword,
but done as one where all lanes are in range, which is tested at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from anyhip.backends.virtual import atomics, lds_dma, vector_memory
from anyhip.backends.virtual.addresses import Place
from anyhip.backends.virtual.chunk import Chunk
from anyhip.backends.virtual.llvm_builder import CHUNK
from anyhip.backends.virtual.run import Run, emit_loop
from anyhip.backends.virtual.scalar_code import read_scalar
from anyhip.backends.virtual.scalars import EXEC, M0
from anyhip.backends.virtual.semantics import buffer, formats
from anyhip.backends.virtual.semantics.formats import Number
from anyhip.backends.virtual.value import Value

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.backends.virtual.semantics.memory import MemoryOp
    from anyhip.isa.decode import Instruction

__all__ = ["access"]


def access(queue: RunQueue, instruction: Instruction) -> None:
    """Emit a MUBUF or MTBUF instruction."""
    queue.flush()
    b, operands = queue.b, buffer.operands(instruction)
    first = operands["srsrc"].index
    words = [queue.scalars.read32(first + i) for i in range(4)]
    scalar = read_scalar(queue, operands["soffset"])
    memory = buffer.memory_op(instruction)
    b.at(instruction.pc)
    if memory is not None and memory.kind == "atomic":
        _atomic(queue, instruction, memory, words, scalar)
    else:
        target = queue.scalars.read32(M0) if instruction.fields.get("lds", 0) else None

        def body(chunk: Chunk) -> None:
            _Lanes(chunk, instruction, words, scalar).emit(memory, target)

        start, done = b.label("buffer"), b.label("buffered")
        run = Run(queue.mask64(EXEC), private_in_flat=False, inline_accesses=queue.inline_accesses)
        b.emit(f"  br label %{start}")
        emit_loop(b, run, start, done, queue.wave_size, Chunk, body)
        b.start(done)
    b.at(None)


def _atomic(
    queue: RunQueue, instruction: Instruction, memory: MemoryOp, words: list[Value], scalar: Value
) -> None:
    """Lane by lane; lanes out of range do nothing and are given 0."""
    b, vaddr = queue.b, buffer.operands(instruction)["vaddr"]

    def one(lane: Value) -> None:
        address = [atomics.read_lane(queue, vaddr, lane, i) for i in range(vaddr.count)]
        _, at = buffer.access(b, instruction, words, address, scalar, lane.trunc("i32"))
        inside, outside, done = (b.label(stem) for stem in ("inside", "outside", "updated"))
        test = at.in_range(0, memory.bits // 8)
        b.emit(f"  br i1 {test.data}, label %{inside}, label %{outside}")
        b.start(inside)
        pointer = b.let(f"inttoptr i64 {at.address.data} to ptr")
        atomics.update(queue, instruction, memory, pointer, lane)
        b.emit(f"  br label %{done}")
        b.start(outside)
        if instruction.dst:
            zero = b.const(f"i{memory.bits}", 0)
            atomics.write_lane(queue, instruction.dst[0].index, lane, zero)
        b.emit(f"  br label %{done}")
        b.start(done)

    atomics.lane_loop(queue, instruction, one)


class _Lanes:
    """The code of one chunk of lanes."""

    def __init__(self, chunk: Chunk, instruction: Instruction, words: Sequence[Value], scalar: Value) -> None:
        self.chunk, self.instruction, self.b = chunk, instruction, chunk.b
        operands = buffer.operands(instruction)
        vaddr = operands["vaddr"]
        address = [chunk.register(vaddr.index + i) for i in range(vaddr.count)]
        self.descriptor, self.at = buffer.access(self.b, instruction, words, address, scalar, chunk.lane_id())
        self.data = []  # what is stored
        if "_store_" in instruction.name:
            data = operands["vdata"]
            self.data = [chunk.register(data.index + i) for i in range(data.count)]

    def emit(self, memory: MemoryOp | None, target: Value | None) -> None:
        """Emit the load or store.

        Args:
            memory: what an untyped instruction moves.
            target: M0 of loads to LDS.
        """
        chunk, instruction = self.chunk, self.instruction
        if memory is None:
            self._typed()
            return
        if memory.kind == "store":
            self._store(memory)
            return
        values = self._load(memory)
        if target is not None:
            lds_dma.deposit(chunk, replace(memory, to_lds=True), values, target, instruction.fields["offset"])
            return
        register = instruction.dst[0].index
        vector_memory.set_result(chunk, memory, register, values)
        chunk.store_written(frozenset(range(register, register + memory.units)))

    # -- one access under a mask
    def _place(self, step: int) -> Place:
        return Place("null", self.at.address + step if step else self.at.address)

    def _masked(self, inside: Value, body: Callable[[], None]) -> None:
        """Emit code for the enabled lanes that are also ``inside``."""
        chunk = self.chunk
        kept = chunk.mask
        mask = self.b.lanes("i1", self.b.splat(inside))
        chunk.mask = mask if kept is None else mask & kept
        body()
        chunk.mask = kept

    def _load_masked(self, step: int, bits: int, inside: Value) -> Value:
        """One unit; 0 in the lanes that are not inside."""
        found: list[Value] = []
        self._masked(inside, lambda: found.extend(vector_memory.load(self.chunk, self._place(step), bits, 1)))
        return inside.select(found[0], 0)

    def _all(self, test: Value) -> str:
        """Whether the test holds in every enabled lane; the text of an i1."""
        b, mask = self.b, self.chunk.mask
        text = b.splat(test if mask is None else test | ~mask)
        return b.let(f"icmp eq i{CHUNK} {b.let(f'bitcast <{CHUNK} x i1> {text} to i{CHUNK}')}, -1")

    def _wide_or_not(
        self, units: int, wide: Callable[[], list[Value]], narrow: Callable[[], list[Value]]
    ) -> list[Value]:
        """``wide`` where all dwords of all lanes are in range, else ``narrow``; what either gives."""
        b = self.b
        whole, parts, done = (b.label(stem) for stem in ("whole", "parts", "moved"))
        test = self._all(self.at.in_range() & self.at.in_range(4 * (units - 1)))
        b.emit(f"  br i1 {test}, label %{whole}, label %{parts}")
        ends = []
        for label, emit in ((whole, wide), (parts, narrow)):
            b.start(label)
            texts = [b.splat(value) for value in emit()]
            ends.append((b.current, texts))
            b.emit(f"  br label %{done}")
        b.start(done)
        vector = f"<{CHUNK} x i32>"
        out = []
        for i in range(len(ends[0][1])):
            choices = ", ".join(f"[ {texts[i]}, %{label} ]" for label, texts in ends)
            out.append(b.lanes("i32", b.let(f"phi {vector} {choices}")))
        return out

    # -- untyped
    def _load(self, memory: MemoryOp) -> list[Value]:
        at, units = self.at, memory.units
        if units == 1:
            return [self._load_masked(0, memory.bits, at.in_range(0, memory.bits // 8))]
        return self._wide_or_not(
            units,
            lambda: vector_memory.load(self.chunk, self._place(0), 32, units),
            lambda: [self._load_masked(4 * i, 32, at.in_range(4 * i)) for i in range(units)],
        )

    def _store(self, memory: MemoryOp) -> None:
        high = memory.half == "hi"

        def part(i: int) -> None:
            self._masked(
                self.at.in_range(4 * i, memory.bits // 8),
                lambda: vector_memory.store(
                    self.chunk, self._place(4 * i), self.data[i : i + 1], memory.bits, high
                ),
            )

        def parts() -> list[Value]:
            for i in range(memory.units):
                part(i)
            return []

        def whole() -> list[Value]:
            vector_memory.store(self.chunk, self._place(0), self.data, 32)
            return []

        if memory.units == 1:
            part(0)
        else:
            self._wide_or_not(memory.units, whole, parts)

    # -- typed
    def _typed(self) -> None:
        data, number = buffer.element_format(self.instruction, self.descriptor)
        if self.data:
            self._store_typed(data, number)
        else:
            self._load_typed(data, number)

    def _pieces(self, data: Number) -> list[tuple[int, int, Value]]:
        """The accesses that an element may take: byte offset, bits, and for which lanes."""
        b = self.b
        inside = self.at.in_range(0, formats.lookup(b, formats.BYTES, data))
        out = []
        for step, bits in ((0, 8), (0, 16), (0, 32), (4, 32), (8, 32), (12, 32)):
            fits = [size == bits // 8 if bits < 32 else size >= step + 4 for size in formats.BYTES]
            if isinstance(data, int):
                if fits[data]:
                    out.append((step, bits, inside))
            else:
                fitting = formats.lookup(b, [int(fit) for fit in fits], data).ne(0)
                out.append((step, bits, inside & fitting))
        return out

    def _load_typed(self, data: Number, number: Number) -> None:
        b, chunk, instruction = self.b, self.chunk, self.instruction
        words = [b.const("i32", 0)] * 4
        for step, bits, inside in self._pieces(data):
            value = self._load_masked(step, bits, inside).zext("i32")
            words[step // 4] = words[step // 4] | value
        values = formats.unpack(b, words, data, number)
        if instruction.format == "MUBUF":
            values = formats.select(b, values, self.descriptor.selects, number)
        first = instruction.dst[0].index
        rows = buffer.registers_of(
            b, instruction, values[: buffer.components(instruction)], number, lambda: chunk.register(first)
        )
        for i, row in enumerate(rows):
            chunk.set_register(first + i, row)
        chunk.store_written(frozenset(range(first, first + len(rows))))

    def _store_typed(self, data: Number, number: Number) -> None:
        b, chunk = self.b, self.chunk
        values = buffer.components_of(b, self.instruction, self.data, number)
        if self.instruction.format == "MUBUF":
            values = formats.select_back(b, values, self.descriptor.selects)
        words = formats.pack(b, values, data, number)
        for step, bits, inside in self._pieces(data):
            word = words[step // 4]
            self._masked(
                inside,
                lambda step=step, bits=bits, word=word: vector_memory.store(  # type: ignore[misc]
                    chunk, self._place(step), [word], bits
                ),
            )
