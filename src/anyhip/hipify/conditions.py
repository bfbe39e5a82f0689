"""Which preprocessor branches are certainly not compiled, as far as the file itself can tell.

Known are macros that the file defines or the caller names. A name that nobody defines counts as undefined
unless a compiler or a CUDA header might define it; comparisons are not evaluated. What is not known for
certain counts as compiled, so that no code is left unported by mistake.
"""

from __future__ import annotations

from bisect import bisect_right

from .names import table
from .source import Source

__all__ = ["leave_out_excluded"]

_RESERVED = (b"_", b"CUDA", b"CUDART", b"CUB_", b"THRUST_", b"HIP")
_Truth = bool | None


def leave_out_excluded(source: Source, hits: list[int], defines: frozenset[str]) -> list[int]:
    """The hits outside excluded branches.

    Args:
        source: the file.
        hits: token indices, ascending.
        defines: macros defined on the command line.
    """
    ranges = _excluded(source, {name.encode() for name in defines})
    starts = [start for start, _ in ranges]
    kept = []
    for index in hits:
        place = bisect_right(starts, index) - 1
        if place < 0 or index > ranges[place][1]:
            kept.append(index)
    return kept


def _excluded(source: Source, defined: set[bytes]) -> list[tuple[int, int]]:
    """First and last token of each outermost excluded branch."""
    ranges: list[tuple[int, int]] = []
    # For each open #if: is the current branch compiled, and was an earlier one?
    stack: list[tuple[_Truth, _Truth]] = []
    start = -1
    for index in source.directives:
        word = source.tokens[index][1:].lstrip(b" \t")
        if word in (b"if", b"ifdef", b"ifndef"):
            stack.append((_holds(source, index, word, defined), False))
        elif word in (b"elif", b"elifdef", b"elifndef", b"else") and stack:
            taken, before = stack.pop()
            before = _either(taken, before)
            holds = True if word == b"else" else _holds(source, index, word, defined)
            stack.append((_both(holds, None if before is None else not before), before))
        elif word == b"endif" and stack:
            stack.pop()
        elif word == b"define" and start < 0:
            defined.add(source.text(source.after(index)))
        out = any(taken is False for taken, _ in stack)
        if out and start < 0:
            start = index + 1
        elif not out and start >= 0:
            ranges.append((start, index - 1))
            start = -1
    return [*ranges, (start, len(source.tokens))] if start >= 0 else ranges


def _either(a: _Truth, b: _Truth) -> _Truth:
    return True if a or b else None if a is None or b is None else False


def _both(a: _Truth, b: _Truth) -> _Truth:
    return False if a is False or b is False else None if a is None or b is None else True


def _holds(source: Source, index: int, word: bytes, defined: set[bytes]) -> _Truth:
    """Whether the condition of a directive holds; None if that is not known."""
    first = source.after(index)
    if word in (b"ifdef", b"elifdef"):
        return _is_defined(source.text(first), defined)
    if word in (b"ifndef", b"elifndef"):
        known = _is_defined(source.text(first), defined)
        return None if known is None else not known
    words = []
    while index < len(source.tokens) and b"\n" not in source.tokens[index]:
        words.append(source.tokens[index])
        index += 1
    text = b"".join(words[1:]).strip().replace(b"(", b" ").replace(b")", b" ").split()
    if text in ([b"0"], [b"1"]):
        return text == [b"1"]
    if len(text) == 2 and text[0] in (b"defined", b"!defined"):
        known = _is_defined(text[1], defined)
        return known if known is None or text[0] == b"defined" else not known
    return None


def _is_defined(name: bytes, defined: set[bytes]) -> _Truth:
    if name in defined:
        return True
    return None if name.startswith(_RESERVED) or name in table().raw else False
