"""Rule: the halves of a `__half2`. In ROCm 6's header they are raw 16-bit integers; CUDA's are `__half`.

So `(float)pair.x` compiles and gives another number: it has to say which type it means.
"""

from __future__ import annotations

from .source import Source

__all__ = ["PAIRS", "port_half_members"]

PAIRS = (b"half2", b"__half2")
_MEMBERS = (b"x", b"y")


def port_half_members(source: Source, pairs: list[int]) -> None:
    """Give `pair.x` and `pair.y` their type.

    Args:
        source: the file; changed in place.
        pairs: tokens in `PAIRS`; the variables are those declared with one.
    """
    variables = set()
    for index in pairs:
        at = source.after(index)
        while source.text(at) == b"&":
            at = source.after(at)
        if source.text(source.before(index)) != b"const" and source.text(at)[:1].isalpha():
            variables.add(source.text(at))
    for index, token in enumerate(source.tokens):
        if token not in variables:
            continue
        dot = source.after(index)
        member = source.after(dot)
        if source.text(dot) != b"." or source.text(member) not in _MEMBERS:
            continue
        before = source.before(index)
        if source.text(before) not in (b".", b"->") and not _is_cast(source, before):
            source.wrap((index, member + 1), b"reinterpret_cast<half&>(", b")")
            source.counts["half members"] += 1


def _is_cast(source: Source, index: int) -> bool:
    return source.text(index) == b"(" and source.text(source.before(index)) == b">"
