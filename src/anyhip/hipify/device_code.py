"""Where device code is: the bodies of functions declared `__global__` or `__device__`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from .source import Source, Span

__all__ = ["Bodies", "QUALIFIERS"]

QUALIFIERS = (b"__global__", b"__device__")
_HEADER_TOKENS = 400
"""Longest function header that is read: keeps hostile input linear."""


class Bodies:
    """The braces of a file's device functions."""

    def __init__(self, source: Source, qualifiers: Iterable[int]) -> None:
        self.spans: list[Span] = []
        self.kernels: set[bytes] = set()
        for index in sorted(qualifiers):
            span = _body(source, index)
            if span is not None and not (self.spans and span[0] < self.spans[-1][1]):
                self.spans.append(span)
        self._starts = [start for start, _ in self.spans]

    def holds(self, index: int) -> bool:
        """True for a token inside a device function."""
        place = bisect_right(self._starts, index) - 1
        return place >= 0 and index < self.spans[place][1]


def _body(source: Source, index: int) -> Span | None:
    """The braces of the function whose declaration holds a qualifier; None for a variable or no body."""
    at, called = source.after(index), False
    limit = min(len(source.tokens), index + _HEADER_TOKENS)
    while at < limit:
        token = source.tokens[at]
        if token == b"{":
            return (at, source.partner.get(at, at) + 1) if called else None
        if token in (b";", b"=", b"}") and not called:
            return None
        if token == b";":
            return None
        if token in (b"(", b"["):
            called = called or token == b"("
            at = source.partner.get(at, limit)
        at = source.after(at)
    return None
