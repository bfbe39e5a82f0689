"""The VGPRs of one chunk of lanes while its code is emitted.

Registers that the run has written are SSA values; others are loaded from the wave's VGPR file, of whose rows
the chunk sees 16 lanes. Of some, it is known how they differ from lane to lane (:class:`Fact`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from anyhip.backends.virtual import lane_pattern
from anyhip.backends.virtual.addresses import Forms
from anyhip.backends.virtual.lane_pattern import Pattern
from anyhip.backends.virtual.layout import VGPR_BYTES
from anyhip.backends.virtual.llvm_builder import CHUNK, LlvmBuilder
from anyhip.backends.virtual.value import Value

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import Run

__all__ = ["ChunkRegisters", "Fact"]


@dataclass(frozen=True, slots=True)
class Fact:
    """A register's lanes follow a pattern within every chunk, where ``mask`` enables them.

    Attributes:
        offsets, zeros: as of :class:`~anyhip.backends.virtual.lane_pattern.Pattern`; the base is any.
        mask: of :mod:`~anyhip.backends.virtual.exec_bounds`: EXEC when the register was written.
    """

    offsets: tuple[int, ...]
    zeros: int
    mask: int


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
        self._first_enabled: Value | None = None

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
            fact = self.run.facts.get(r)
            if fact is not None:
                offsets = fact.offsets
                value.lanes = Pattern(offsets, fact.zeros, lambda: self._base_in_row(pointer, offsets))
        return value

    def _base_in_row(self, pointer: str, offsets: tuple[int, ...]) -> Value:
        """The base of a pattern that the first enabled lane of a row follows."""
        b = self.b
        if self.mask is None:
            return b.load("i32", pointer, 4) - offsets[0]
        if self._first_enabled is None:
            bits = b.let(f"bitcast <{CHUNK} x i1> {self.mask.data} to i{CHUNK}")
            self._first_enabled = b.uniform(f"i{CHUNK}", bits).unary("cttz").zext("i64")
        lane = self._first_enabled
        value = b.load("i32", b.let(f"getelementptr i32, ptr {pointer}, i64 {lane.data}"), 4)
        if not any(offsets):
            return value
        table = b.table("i32", [offset & 0xFFFFFFFF for offset in offsets])
        return value - b.load("i32", b.let(f"getelementptr i32, ptr {table}, i64 {lane.data}"), 4)

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

    def facts(self, live: frozenset[int], mask: int) -> dict[int, Fact | None]:
        """What is known of each register that the chunk wrote."""
        return {r: self._fact(self.registers[r], mask) if r in live else None for r in self.written}

    @staticmethod
    def _fact(value: Value, mask: int) -> Fact | None:
        pattern = lane_pattern.of_uniform(value, CHUNK) if value.uniform else value.lanes
        if pattern is None or pattern.conditions:
            return None
        return Fact(pattern.offsets, pattern.zeros, mask)
