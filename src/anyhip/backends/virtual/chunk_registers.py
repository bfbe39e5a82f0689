"""The VGPRs of one chunk of lanes while its code is emitted.

Registers that the run has written are SSA values; others are loaded from the wave's VGPR file, of whose rows
the chunk sees 16 lanes. Of some, it is known how they differ from lane to lane (:class:`Fact`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anyhip.backends.virtual import lane_pattern
from anyhip.backends.virtual.addresses import Forms
from anyhip.backends.virtual.lane_pattern import Pattern
from anyhip.backends.virtual.layout import VGPR_BYTES
from anyhip.backends.virtual.llvm_builder import CHUNK, LlvmBuilder
from anyhip.backends.virtual.value import BITS, Value

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import Run

__all__ = ["ChunkRegisters", "Fact", "Facts", "forget"]


@dataclass(frozen=True, slots=True)
class Fact:
    """Lanes of a register, or of a pair of them, follow a pattern in each chunk, where ``mask`` enables them.

    That of a pair speaks of its 64 bits, and may be broken where the lower 32 wrap around.

    Attributes:
        offsets, zeros: as of :class:`~anyhip.backends.virtual.lane_pattern.Pattern`; the base is any.
        mask: of :mod:`~anyhip.backends.virtual.exec_bounds`: EXEC when the register was written.
    """

    offsets: tuple[int, ...]
    zeros: int
    mask: int


Facts = dict[tuple[int, ...], Fact]  # by the register, or the two registers of a pair


def forget(facts: Facts, written: Iterable[int]) -> Facts:
    """The facts that do not speak of registers just written."""
    gone = set(written)
    return {registers: fact for registers, fact in facts.items() if gone.isdisjoint(registers)}


class ChunkRegisters:
    """The VGPRs of a chunk.

    Args:
        first: text (i64) of the number of the chunk's first lane.
        mask: enabled lanes as i1 a lane, or None when all are.
    """

    def __init__(self, b: LlvmBuilder, run: Run, first: str, mask: Value | None) -> None:
        self.b = b
        self.run = run
        self.first = first
        self.mask = mask
        self.registers: dict[int, Value] = {}  # raw i32
        self.pairs: dict[int, tuple[Value, Value, Value]] = {}  # i64, and the halves that it was made of
        self.written: dict[int, None] = {}
        self.forms = Forms(self)
        self._base = ""  # pointer to this chunk's part of VGPR 0, once it is wanted
        self._lane_id: Value | None = None
        self._ends: tuple[Value, Value] | None = None  # first and last enabled lane

    def lane_id(self) -> Value:
        """The number of each lane, i32."""
        if self._lane_id is None:
            start = self.b.uniform("i32", self.b.let(f"trunc i64 {self.first} to i32"))
            self._lane_id = (
                self.b.lanes("i32", "<" + ", ".join(f"i32 {i}" for i in range(CHUNK)) + ">") + start
            )
            self._lane_id.lanes = Pattern(tuple(range(CHUNK)), 4, lambda: start)
        return self._lane_id

    def pointer(self, r: int) -> str:
        """Pointer to this chunk's lanes of a register."""
        if not self._base:
            bytes_in = self.b.let(f"shl nuw nsw i64 {self.first}, 2")
            self._base = self.b.let(f"getelementptr i8, ptr %vgprs, i64 {bytes_in}")
        return self.b.offset(self._base, r * VGPR_BYTES)

    def register(self, r: int) -> Value:
        """The raw bits of a VGPR, i32 a lane, loaded at the first wish."""
        value = self.registers.get(r)
        if value is None:
            pointer = self.pointer(r)
            value = self.registers[r] = self.b.load("i32", pointer, 64, uniform=False)
            fact = self.run.facts.get((r,))
            if fact is not None:
                offsets = fact.offsets
                value.lanes = Pattern(offsets, fact.zeros, lambda: self._told_base((r,), offsets, last=False))
        return value

    def _enabled(self, last: bool) -> Value:
        """The first or last enabled lane of the chunk, i64."""
        b = self.b
        if self.mask is None:
            return b.const("i64", CHUNK - 1 if last else 0)
        if self._ends is None:
            bits = b.uniform(f"i{CHUNK}", b.let(f"bitcast <{CHUNK} x i1> {self.mask.data} to i{CHUNK}"))
            top = b.const(f"i{CHUNK}", CHUNK - 1) - bits.unary("ctlz")
            self._ends = bits.unary("cttz").zext("i64"), top.zext("i64")
        return self._ends[last]

    def _told_base(self, registers: tuple[int, ...], offsets: tuple[int, ...], last: bool) -> Value:
        """The base of a pattern, as the first or last enabled lane in the VGPR file tells it."""
        b, lane = self.b, self._enabled(last)
        parts = [
            b.load("i32", b.let(f"getelementptr i32, ptr {self.pointer(r)}, i64 {lane.data}"), 4)
            for r in registers
        ]
        value, type = parts[0], "i32"
        if len(parts) == 2:
            value, type = parts[0].zext("i64") | (parts[1].zext("i64") << 32), "i64"
        if not any(offsets):
            return value
        if self.mask is None:
            return value - offsets[-1 if last else 0]
        table = b.table(type, [offset & (1 << BITS[type]) - 1 for offset in offsets])
        place = b.let(f"getelementptr {type}, ptr {table}, i64 {lane.data}")
        return value - b.load(type, place, BITS[type] // 8)

    def _pattern_of_pair(self, r: int, low: Value) -> Pattern | None:
        """What is known of two registers that the run has not written; true where both ends agree."""
        fact = self.run.facts.get((r, r + 1))
        if fact is None or r in self.written or r + 1 in self.written:
            known = low.lanes
            if known is None:
                return None
            return Pattern(known.offsets, known.zeros, lambda: known.base().zext("i64"), low_only=True)
        pair, offsets = (r, r + 1), fact.offsets
        pattern = Pattern(offsets, fact.zeros, lambda: self._told_base(pair, offsets, last=False))
        pattern.conditions = (lambda: pattern.base().eq(self._told_base(pair, offsets, last=True)),)
        return pattern

    def pair(self, r: int) -> Value:
        """Two consecutive VGPRs as i64 a lane."""
        low, high = self.register(r), self.register(r + 1)
        known = self.pairs.get(r)
        if known is None or known[1] is not low or known[2] is not high:
            whole = low.zext("i64") | (high.zext("i64") << 32)
            form = self.forms.of(r)
            if form is not None and form.index is low and not form.shift and form.base is None:
                # the upper half only extends the lower one
                whole.lanes = lane_pattern.cast("sext" if form.signed else "zext", low, "i64")
            if whole.lanes is None:
                whole.lanes = self._pattern_of_pair(r, low)
            known = self.pairs[r] = (whole, low, high)
        return known[0]

    def set_register(self, r: int, value: Value) -> None:
        """Assign a VGPR (i32); memory sees it when the run ends."""
        self.registers[r] = value
        self.written[r] = None

    def set_pair(self, r: int, value: Value) -> None:
        """Assign two consecutive VGPRs from an i64."""
        low, high = value.trunc("i32"), (value >> 32).trunc("i32")
        self.set_register(r, low)
        self.set_register(r + 1, high)
        self.pairs[r] = (value, low, high)

    def store_written(self, live: frozenset[int]) -> None:
        """Bring the VGPR file up to date for the registers that are read after the run."""
        for r in self.written:
            if r not in live:
                continue
            value = self.registers[r]
            pointer = self.pointer(r)
            if self.mask is not None:
                value = self.mask.select(value, self.b.load("i32", pointer, 64, uniform=False))
            self.b.store(value, pointer, 64, uniform=False)

    def facts(self, live: frozenset[int], mask: int) -> Facts:
        """What is known of the registers that the chunk wrote and stored."""
        known: Facts = {}
        for r in self.written:
            value = self.registers[r]
            pattern = lane_pattern.of_uniform(value, CHUNK) if value.uniform else value.lanes
            if r in live and pattern is not None:
                known[r,] = Fact(pattern.offsets, pattern.zeros, mask)
        for r in self.forms.extended():
            self.pair(r)
        for r, (whole, low, high) in self.pairs.items():
            current = self.registers.get(r) is low and self.registers.get(r + 1) is high
            stored = r in live and r + 1 in live and (r in self.written or r + 1 in self.written)
            if current and stored and whole.lanes is not None and not whole.lanes.low_only:
                known[r, r + 1] = Fact(whole.lanes.offsets, whole.lanes.zeros, mask)
        return known
