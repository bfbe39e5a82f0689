"""The wave's scalar registers while a block is translated.

Between blocks they live in stack slots, which LLVM turns into SSA values; inside a block the current value of
each register is known as text. VCC and EXEC have 64-bit slots, since they are mostly used whole.
"""

from __future__ import annotations

from collections.abc import Callable

from anyhip.backends.virtual.layout import OFFSETS
from anyhip.backends.virtual.llvm_builder import LlvmBuilder
from anyhip.backends.virtual.value import Value

__all__ = ["EXEC", "M0", "SCC", "VCC", "Scalars"]

VCC, M0, EXEC = 106, 124, 126
SCC = -1  # among register numbers
_WIDE = {VCC, EXEC}


def _kind(slot: int) -> str:
    """The type of a slot, by the number of its first register."""
    return "i64" if slot in _WIDE else "i32"


class Scalars:
    """Reads and writes of SGPRs, VCC, M0, EXEC and SCC.

    Args:
        flush: called when a register is wanted that the run under construction will produce.
    """

    def __init__(self, builder: LlvmBuilder, flush: Callable[[], None]) -> None:
        self.b = builder
        self.flush = flush
        self.pending: set[int] = set()  # even register numbers of masks that the current run will produce
        self.used: set[int] = {EXEC}  # slots, by the number of their first register
        self._narrow: dict[int, Value] = {}
        self._wide: dict[int, Value] = {}
        self._dirty: set[int] = set()
        self._scc: Value | None = None
        self._scc_dirty = False

    def _slot(self, index: int) -> str:
        """The slot that holds the register."""
        first = index & ~1 if index & ~1 in _WIDE else index
        self.used.add(first)
        return f"%s{first}"

    def read32(self, index: int) -> Value:
        """One register as i32; ends the current run if that will produce it."""
        if index & ~1 in self.pending:
            self.flush()
        known = self._narrow.get(index)
        if known is None:
            pair = self._wide.get(index & ~1)
            if pair is None and index & ~1 in _WIDE:
                pair = self.read64(index & ~1)
            if pair is not None:
                known = (pair >> 32 if index & 1 else pair).trunc("i32")
            else:
                known = self.b.load("i32", self._slot(index), 4)
            self._narrow[index] = known
        return known

    def read64(self, index: int) -> Value:
        """The pair of registers ``index`` (even) and ``index + 1``."""
        if index in self.pending:
            self.flush()
        known = self._wide.get(index)
        if known is None:
            if index in _WIDE and not {index, index + 1} & self._narrow.keys():
                known = self.b.load("i64", self._slot(index), 8)
            else:
                low, high = self.read32(index), self.read32(index + 1)
                known = low.zext("i64") | (high.zext("i64") << 32)
            self._wide[index] = known
        return known

    def write32(self, index: int, value: Value) -> None:
        """Assign an i32; the other half of a pair known as a whole is kept."""
        pair = index & ~1
        if pair in self.pending:
            self.flush()
        if pair in _WIDE or pair in self._wide:
            self.read32(index ^ 1)
            self._wide.pop(pair, None)
        self._narrow[index] = value
        self._dirty.add(index)

    def write64(self, index: int, value: Value) -> None:
        """Assign an i64 to the registers ``index`` (even) and ``index + 1``."""
        if index in self.pending:
            self.flush()
        self._wide[index] = value
        self._narrow.pop(index, None)
        self._narrow.pop(index + 1, None)
        self._dirty |= {index, index + 1}

    def read_scc(self) -> Value:
        """SCC as i1."""
        if self._scc is None:
            self._scc = self.b.load("i1", "%scc", 1)
        return self._scc

    def write_scc(self, value: Value) -> None:
        """Assign an i1 to SCC; its slot changes only when the block ends."""
        self._scc = value
        self._scc_dirty = True

    def save(self) -> None:
        """Bring the slots up to date and forget the texts: the block ends."""
        for index in sorted(self._dirty):
            slot = self._slot(index)
            if index & ~1 in _WIDE:
                if not index & 1 or index - 1 not in self._dirty:
                    self.b.store(self.read64(index & ~1), slot, 8)
            else:
                self.b.store(self.read32(index), slot, 4)
        if self._scc_dirty:
            assert self._scc is not None
            self.b.store(self._scc, "%scc", 1)
        self.forget()

    def forget(self) -> None:
        """Drop what is known of the registers, unsaved changes included."""
        self._narrow.clear()
        self._wide.clear()
        self._dirty.clear()
        self._scc = None
        self._scc_dirty = False

    # -- the function's frame
    def slots(self) -> list[str]:
        """Allocate every used slot, and point to its place in the wave's state."""
        out = ["  %scc = alloca i1, align 1", f"  %scc.p = getelementptr i8, ptr %w, i64 {OFFSETS['scc']}"]
        for i in sorted(self.used):
            out.append(f"  %s{i} = alloca {_kind(i)}, align 8")
            out.append(f"  %in{i}.p = getelementptr i8, ptr %w, i64 {OFFSETS['sgpr'] + 4 * i}")
        return out

    def _live_slots(self, live: set[int]) -> list[int]:
        return [i for i in sorted(self.used) if i in live or (i in _WIDE and i + 1 in live)]

    def fill(self, live: set[int]) -> None:
        """Emit loads of the live registers from the wave's state into their slots."""
        b = self.b
        for i in self._live_slots(live):
            b.store(b.load(_kind(i), f"%in{i}.p", 4), f"%s{i}", 4)
        if SCC in live:
            b.store(b.load("i32", "%scc.p", 4).trunc("i1"), "%scc", 1)

    def spill(self, live: set[int]) -> None:
        """Emit stores of the live registers' slots to the wave's state."""
        b = self.b
        for i in self._live_slots(live):
            b.store(b.load(_kind(i), f"%s{i}", 4), f"%in{i}.p", 4)
        if SCC in live:
            b.store(b.load("i1", "%scc", 1).zext("i32"), "%scc.p", 4)
