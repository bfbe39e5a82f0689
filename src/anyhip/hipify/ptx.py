"""Rule: inline PTX. A single instruction with an equal in HIP is translated (ptx.tsv), all else reported."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from .. import tables
from .lexer import STRING, kind
from .source import Source, Span

__all__ = ["ASM", "port_ptx"]

ASM = (b"asm", b"__asm__", b"__asm")
_TABLE = Path(__file__).with_name("ptx.tsv")
_QUALIFIERS = (b"volatile", b"__volatile__", b"goto", b"inline")
# What PTX has and host assembly has not: typed mnemonics and special registers (PTX ISA, chapters 5 and 10).
_PTX = re.compile(
    rb"\.(?:[usbf](?:8|16|32|64)|pred|aligned|sync|global|shared|param|gl|cta|sys|gpu)\b"
    rb"|%%(?:lane|warp|smid|clock|tid|ctaid)|\bcp\.async|\bldmatrix|mma\.sync"
)
_OPERAND = re.compile(r"%(\d)")
_SPACE = re.compile(rb"(?:\s|\\[nt])+")
_ASM_TOKENS = 4000
"""Longest asm statement that is read: keeps hostile input linear."""
_WORDS = frozenset({b"trap", b"brkpt"})
_REFUSED = "inline PTX is not translated and does not compile for AMD"
_MATRIX = (
    "matrix instructions of PTX have no equal in HIP source: use rocWMMA,"
    " or builtins such as __builtin_amdgcn_mfma_*"
)
_MATRIX_WORDS = (b"mma.", b"ldmatrix")
_NAMED = {
    b"mma.": _MATRIX,
    b"ldmatrix": "ldmatrix feeds NVIDIA's matrix units: use rocWMMA's loads",
    b"cp.async": "asynchronous copies to shared memory have no equal: load and store, then synchronise",
    b"lanemask": "lane masks have 64 bits on AMD: make them from __lane_id(), as (1ull << __lane_id()) - 1",
}


@lru_cache(maxsize=1)
def _translations() -> dict[bytes, str]:
    rows = tables.read(_TABLE)
    return {row["ptx"].encode(): row["hip"] for row in rows}


def port_ptx(source: Source, hits: Iterable[int]) -> None:
    """Translate or report inline PTX.

    Args:
        source: the file; changed in place.
        hits: tokens in `ASM`.
    """
    for index in hits:
        at = source.after(index)
        while source.text(at) in _QUALIFIERS:
            at = source.after(at)
        if source.text(at) != b"(" or at not in source.partner:
            continue
        if source.partner[at] - at > _ASM_TOKENS:
            source.note(index, "ptx", source.tokens[index], _REFUSED)
            continue
        sections = _sections(source, at)
        code = b"".join(
            source.tokens[i][1:-1] for i in range(*sections[0]) if kind(source.tokens[i]) == STRING
        )
        text = _SPACE.sub(b" ", code).strip(b" ;{}").replace(b"%%", b"%")
        if not _PTX.search(code) and text not in _WORDS:
            continue
        new = _translate(source, text, sections[1:])
        if new is not None:
            source.replace((index, source.partner[at] + 1), new)
            source.counts["ptx"] += 1
        else:
            why = next((words for part, words in _NAMED.items() if part in code), _REFUSED)
            matrix = any(word in code for word in _MATRIX_WORDS)
            source.note(index, "matrix" if matrix else "ptx", source.tokens[index], why)


def _sections(source: Source, opening: int) -> list[Span]:
    """Template, outputs, inputs and clobbers of an asm statement."""
    closing = source.partner[opening]
    sections, start, at = [], opening + 1, opening + 1
    while at < closing:
        token = source.tokens[at]
        if token in (b":", b"::"):
            sections.append((start, at))
            if token == b"::":
                sections.append((at, at))
            start = at + 1
        elif token in (b"(", b"["):
            at = source.partner.get(at, at)
        at += 1
    return [*sections, (start, closing)]


def _translate(source: Source, text: bytes, sections: list[Span]) -> bytes | None:
    """HIP for one instruction, or None if the table has none or the operands are not plain."""
    hip = _translations().get(re.sub(rb" ?, ?", b", ", text))
    if hip is None:
        return None
    operands: list[bytes] = []
    for number, section in enumerate(sections[:2]):
        for span in source.split(*section):
            start, end = source.trim(span)
            if start == end:
                continue
            opening = source.after(start)
            if kind(source.tokens[start]) != STRING or source.partner.get(opening) != end - 1:
                return None
            value = source.render(source.trim((opening + 1, end - 1)))
            operands.append(value if number == 0 or value.isalnum() else b"(" + value + b")")
    wanted = {int(digit) for digit in _OPERAND.findall(hip)}
    if wanted != set(range(len(operands))):
        return None
    return _OPERAND.sub(lambda match: operands[int(match.group(1))].decode("latin-1"), hip).encode("latin-1")
