"""Rule: results of ballots. HIP's have 64 bits; code that keeps 32 of them loses half of a wave of 64."""

from __future__ import annotations

from collections.abc import Iterator

from .lexer import IDENTIFIER, kind
from .source import Source

__all__ = ["FUNCTIONS", "port_ballots"]

FUNCTIONS = frozenset(
    {b"__ballot_sync", b"__ballot", b"__activemask", b"__match_any_sync", b"__match_all_sync"}
)
_COUNTERS = {b"__popc": b"__popcll", b"__ffs": b"__ffsll"}
_WIDER = {**_COUNTERS, b"__clz": b"__clzll", b"__brev": b"__brevll", b"__fns": b"__fns64"}
_NARROW = frozenset({b"unsigned", b"int", b"uint", b"uint32_t", b"int32_t"})
_WIDE = frozenset({b"long", b"uint64_t", b"int64_t", b"size_t", b"auto"})
_TYPE_TOKENS = 8
_KEPT = "the 64 bits of this result are kept in a 32-bit variable, which loses lanes 32 to 63 of a wave of 64"
_READ = "reads 32 bits of a lane mask: for waves of 64 make the variable 64 bits wide and read it with {}"


def port_ballots(source: Source, hits: list[int]) -> None:
    """Count all 64 bits where a ballot is counted at once; report ballots kept in 32, and what reads those.

    Args:
        source: the file; changed in place.
        hits: tokens that are names in `FUNCTIONS`.
    """
    kept: set[bytes] = set()
    declared: set[bytes] | None = None
    for index in hits:
        before = source.before(index)
        counter = source.before(before)
        if source.text(before) == b"(" and source.text(counter) in _COUNTERS:
            source.out[counter] = _COUNTERS[source.tokens[counter]]
            source.counts["lane masks"] += 1
        elif source.text(before) == b"=":
            declared = set(_declared_narrow(source)) if declared is None else declared
            variable = source.text(source.before(before))
            if variable in declared:
                source.note(index, "mask", source.tokens[index], _KEPT)
                kept.add(variable)
    if kept and declared:
        _report_readers(source, kept, declared)


def _declared_narrow(source: Source) -> Iterator[bytes]:
    """Variables that the file declares with a 32-bit type, and never with a wider one."""
    narrow: set[bytes] = set()
    wide: set[bytes] = set()
    for index, token in enumerate(source.tokens):
        if token not in _NARROW and token not in _WIDE:
            continue
        is_wide, at = token in _WIDE, source.after(index)
        for _ in range(_TYPE_TOKENS):
            if kind(source.text(at)) != IDENTIFIER:
                break
            is_wide = is_wide or source.tokens[at] in _WIDE
            name, at = source.tokens[at], source.after(at)
            if source.text(at) in (b"=", b";", b",", b")"):
                (wide if is_wide else narrow).add(name)
    return iter(narrow - wide)


def _report_readers(source: Source, kept: set[bytes], declared: set[bytes]) -> None:
    """`__popc(mask)` where `mask` keeps a ballot, or was assigned one that does."""
    for index, token in enumerate(source.tokens):
        if token in kept and source.text(source.after(index)) == b";":
            equals = source.before(index)
            target = source.text(source.before(equals))
            if source.text(equals) == b"=" and target in declared:
                kept.add(target)
    for index, token in enumerate(source.tokens):
        if token not in _WIDER or (call := source.arguments(index)) is None:
            continue
        opening, _, closing = call
        if not kept.isdisjoint(source.tokens[opening : min(closing, opening + 64)]):
            wider = _WIDER[token].decode()
            source.note(index, "mask", token, _READ.format(wider))
