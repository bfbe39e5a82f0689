"""Rule: results of ballots. HIP's have 64 bits; code that keeps 32 of them loses half of a wave of 64."""

from __future__ import annotations

from .lexer import IDENTIFIER, kind
from .source import Source

__all__ = ["FUNCTIONS", "port_ballots"]

FUNCTIONS = frozenset(
    {b"__ballot_sync", b"__ballot", b"__activemask", b"__match_any_sync", b"__match_all_sync"}
)
_COUNTERS = {b"__popc": b"__popcll", b"__ffs": b"__ffsll"}
_NARROW = frozenset({b"unsigned", b"int", b"uint", b"uint32_t", b"int32_t"})
_WIDE = frozenset({b"long", b"uint64_t", b"int64_t", b"size_t", b"auto"})
_TYPE_TOKENS = 8


def port_ballots(source: Source, hits: list[int]) -> None:
    """Count all 64 bits where a ballot is counted at once; report ballots kept in 32 bits.

    Args:
        source: the file; changed in place.
        hits: tokens that are names in `FUNCTIONS`.
    """
    for index in hits:
        before = source.before(index)
        counter = source.before(before)
        if source.text(before) == b"(" and source.text(counter) in _COUNTERS:
            source.out[counter] = _COUNTERS[source.tokens[counter]]
            source.counts["lane masks"] += 1
        elif source.text(before) == b"=" and _narrow(source, before):
            source.note(
                index,
                "mask",
                source.tokens[index],
                "the 64 bits of this result are kept in a 32-bit"
                " variable, which loses lanes 32 to 63 of a wave of 64",
            )


def _narrow(source: Source, index: int) -> bool:
    """True if the `=` at `index` initialises a variable that is declared with a 32-bit type."""
    words = set()
    at = source.before(source.before(index))
    for _ in range(_TYPE_TOKENS):
        if kind(source.text(at)) != IDENTIFIER:
            break
        words.add(source.tokens[at])
        at = source.before(at)
    return bool(words & _NARROW) and not words & _WIDE
