"""Rule: lane masks of the `*_sync` warp functions.

HIP requires a 64-bit mask and rejects a narrower one when compiling, because a wave has up to 64 lanes
(HIP programming guide, "Warp shuffle functions"). A literal full mask becomes the 64-bit one, which
HIP narrows on devices with waves of 32. Any other mask is widened as it is, and reported: on waves of
64 it covers lanes 0 to 31 only.
"""

from __future__ import annotations

import re

from .lexer import IDENTIFIER, NUMBER, kind
from .source import Source, Span

__all__ = ["FUNCTIONS", "port_masks"]

FUNCTIONS = frozenset(
    {
        b"__shfl_sync", b"__shfl_up_sync", b"__shfl_down_sync", b"__shfl_xor_sync",
        b"__any_sync", b"__all_sync", b"__ballot_sync", b"__match_any_sync", b"__match_all_sync",
        b"__reduce_add_sync", b"__reduce_min_sync", b"__reduce_max_sync",
        b"__reduce_and_sync", b"__reduce_or_sync", b"__reduce_xor_sync", b"__syncwarp",
    }
)  # fmt: skip
_FULL = b"0xffffffffffffffffull"
_FULL_TEXT = re.compile(
    rb"(?i:\(?(?:\((?:unsigned(?:int)?|uint|uint32_t|int)\)|(?:unsigned|uint32_t)\()?"
    rb"(?:0xf{8}u?l?|-1|~0u?|4294967295u?|uint_max|uint32_max)\)?\)?)"
)
_HEX = re.compile(rb"0[xX][0-9a-fA-F]{1,8}[uU]?|[0-9]+[uU]?")
_WIDE = re.compile(
    rb".*(?:unsigned long|uint64_t|size_t|__activemask|__ballot|static_cast)"
    rb"|.*(?:[uU]?[lL][lL]\b|0[xX][0-9a-fA-F]{9,})",
    re.DOTALL,
)
_DEFINITION_TOKENS = 64
_WIDE_TYPES = (b"uint64_t", b"long", b"size_t", b"auto", b"ulonglong", b"lanemask_t")


def port_masks(source: Source, hits: list[int]) -> None:
    """Widen the mask argument of every `*_sync` call.

    Args:
        source: the file; changed in place.
        hits: tokens that are names in `FUNCTIONS`.
    """
    masks: list[tuple[int, Span]] = []
    for index in hits:
        call = source.arguments(index)
        if call is not None and call[1] and not _is_declaration(source, index):
            masks.append((index, call[1][0]))
    if not masks:
        return
    known = _Definitions(source, {source.tokens[span[0]] for _, span in masks if span[1] - span[0] == 1})
    for index, span in masks:
        _widen(source, index, span, known)


def _is_declaration(source: Source, index: int) -> bool:
    before = source.text(source.before(index))
    return kind(before) == IDENTIFIER and before not in (b"return", b"else", b"do")


def _compact(source: Source, span: Span) -> bytes:
    return b"".join(source.original(span).split())


def _widen(source: Source, index: int, span: Span, known: _Definitions) -> None:
    text, name = _compact(source, span), source.tokens[index]
    single = source.tokens[span[0]] if span[1] - span[0] == 1 else b""
    if _FULL_TEXT.fullmatch(text) or single in known.full:
        if single not in known.rewritten:
            source.replace(span, _FULL)
        source.counts["lane masks"] += 1
        source.note(
            index,
            "mask",
            name,
            "full 32-lane mask became a 64-bit mask of all lanes;"
            " on waves of 64 the call now covers 64 lanes",
        )
        return
    if single in known.wide or _WIDE.match(source.original(span)):
        return
    if single and kind(single) == NUMBER and _HEX.fullmatch(single):
        source.replace(span, single.rstrip(b"uU") + b"ull")
    else:
        source.wrap(span, b"static_cast<unsigned long long>(", b")")
    source.counts["lane masks"] += 1
    source.note(
        index,
        "mask",
        name,
        "32-bit lane mask was widened as it is; on waves of 64 it leaves out lanes 32 to 63",
    )


class _Definitions:
    """What the file says about names used as masks.

    full: every definition is a literal full mask; rewritten: a macro whose definition now is 64 bits wide;
    wide: declared with a 64-bit type.
    """

    def __init__(self, source: Source, names: set[bytes]) -> None:
        self.full: set[bytes] = set()
        self.rewritten: set[bytes] = set()
        self.wide: set[bytes] = set()
        names = {name for name in names if kind(name) == IDENTIFIER}
        places: dict[bytes, list[int]] = {name: [] for name in names}
        for index, token in enumerate(source.tokens):
            if token in places:
                places[token].append(index)
        for name, indexes in places.items():
            self._read(source, name, indexes)

    def _read(self, source: Source, name: bytes, indexes: list[int]) -> None:
        values: list[Span] = []
        macro = False
        for index in indexes:
            before, after = source.text(source.before(index)), source.text(source.after(index))
            if before.startswith(b"#") and before.endswith(b"define"):
                macro = True
                values.append(source.trim((index + 1, _line_end(source, index))))
            elif before in _WIDE_TYPES:
                self.wide.add(name)
            elif after == b"=":
                values.append(source.trim((source.after(index) + 1, _statement_end(source, index))))
            elif after in (b"&=", b"|=", b"^=", b"<<=", b">>=", b"--", b"++"):
                return
        if macro and all(_WIDE.match(source.original(span)) for span in values):
            self.wide.add(name)
        elif values and all(_FULL_TEXT.fullmatch(_compact(source, span)) for span in values):
            self.full.add(name)
            if macro and len(values) == 1:
                source.replace(values[0], _FULL)
                self.rewritten.add(name)


def _line_end(source: Source, index: int) -> int:
    """The end of a definition's line; far ones are cut off, so that hostile input stays linear."""
    limit = min(len(source.tokens), index + _DEFINITION_TOKENS)
    while index < limit and (b"\n" not in source.tokens[index] or source.tokens[index][:1] == b"\\"):
        index += 1
    return index


def _statement_end(source: Source, index: int) -> int:
    limit = min(len(source.tokens), index + _DEFINITION_TOKENS)
    while index < limit and source.tokens[index] not in (b";", b",", b")", b"}"):
        index += 1
    return index
