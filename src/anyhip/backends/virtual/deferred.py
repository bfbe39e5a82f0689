"""Stores that must not happen before every lane of the wave has done the loads of the same run.

A run goes through the wave chunk by chunk, so a store in it could overwrite what a later chunk has yet to
load, which no GPU does. Such a store ends its run: data and places are kept on the stack, and a second loop
stores them. (Ending the run before the store instead would write data and addresses to the VGPR file, under
masks, and forget how the addresses are made.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from anyhip.backends.virtual import lane_access
from anyhip.backends.virtual.addresses import Place
from anyhip.backends.virtual.lane_pattern import Pattern
from anyhip.backends.virtual.layout import WAVE_LANES
from anyhip.backends.virtual.value import Value

if TYPE_CHECKING:
    from anyhip.backends.virtual.chunk import Chunk

__all__ = ["FRAME", "Kept", "keep", "release"]

SLOTS = ROWS = 4  # places and rows of data: no store has more dwords, whose places may all differ
FRAME = f"""  %kept.base = alloca [{SLOTS} x ptr], align 64
  %kept.offset = alloca [{SLOTS * WAVE_LANES} x i64], align 64
  %kept.data = alloca [{ROWS * WAVE_LANES} x i32], align 64"""


@dataclass(frozen=True, slots=True)
class Kept:
    """A store that waits: all of its place but base and offsets, and the rows of its data."""

    slot: int
    row: int
    units: int
    bits: int
    offset: str  # type
    pattern: Pattern | None  # of the offsets: only their bases are kept
    place: Place


def keep(chunk: Chunk, place: Place, values: list[Value], bits: int) -> None:
    """Put a store's places and data by, for :func:`release`."""
    b, earlier = chunk.b, chunk.kept
    slot, row = len(earlier), sum(kept.units for kept in earlier)
    assert slot < SLOTS
    assert row + len(values) <= ROWS
    pattern = place.offset.lanes
    if pattern is not None and (pattern.conditions or pattern.low_only):
        pattern = None
    kept = Kept(slot, row, len(values), bits, place.offset.type, pattern, place)
    earlier.append(kept)
    b.emit(f"  store ptr {place.base}, ptr {b.offset('%kept.base', 8 * slot)}, align 8")
    if pattern is not None:
        b.store(pattern.base(), _offsets(chunk, kept), 8)
    else:
        b.store(place.offset, _offsets(chunk, kept), 64, uniform=False)
    for i, value in enumerate(values):
        b.store(value, _data(chunk, kept, i), 16, uniform=False)


def release(chunk: Chunk, kept: Kept) -> None:
    """Emit the store."""
    b = chunk.b
    if kept.pattern is None:
        offset = b.load(kept.offset, _offsets(chunk, kept), 64, uniform=False)
    else:
        start = b.load(kept.offset, _offsets(chunk, kept), 8)
        steps = ", ".join(f"{kept.offset} {step}" for step in kept.pattern.offsets)
        offset = b.lanes(kept.offset, b.splat(b.lanes(kept.offset, f"<{steps}>") + start))
        offset.lanes = Pattern(kept.pattern.offsets, 0, lambda: start)
    values = [b.load(f"i{kept.bits}", _data(chunk, kept, i), 16, uniform=False) for i in range(kept.units)]
    base = "%lds"
    if kept.place.base != base:
        base = b.let(f"load ptr, ptr {b.offset('%kept.base', 8 * kept.slot)}, align 8")
    place = Place(base, offset, kept.place.shift, kept.place.signed, kept.place.constant)
    access = lane_access.Access.at(place, "store", kept.bits, kept.units, chunk.mask is not None)
    lane_access.store(b, access, place, values, chunk.mask, chunk.run.inline_accesses)


def _offsets(chunk: Chunk, kept: Kept) -> str:
    start = chunk.b.offset("%kept.offset", 8 * WAVE_LANES * kept.slot)
    return chunk.b.let(f"getelementptr {kept.offset}, ptr {start}, i64 {chunk.first}")


def _data(chunk: Chunk, kept: Kept, unit: int) -> str:
    start = chunk.b.offset("%kept.data", 4 * WAVE_LANES * (kept.row + unit))
    return chunk.b.let(f"getelementptr i{kept.bits}, ptr {start}, i64 {chunk.first}")
