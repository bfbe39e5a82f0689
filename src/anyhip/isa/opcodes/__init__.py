"""The opcode tables: TSV rows in, Opcode objects by format and number out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from anyhip import tables

__all__ = ["GENERATIONS", "Opcode", "by_encoding", "load"]

GENERATIONS = ("gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1201")
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Opcode:
    """One row: an instruction in one encoding.

    Attributes:
        name: mnemonic without ``_e32``, ``_e64``, ``_sdwa``, ``_dpp``.
        format: encoding, e.g. ``VOP2``.
        dst, src: (field, type) pairs in semantic order.
        klass: salu, valu, trans, vcmp, smem, lds, flat, mubuf, mtbuf, branch, barrier, wait, message, mfma,
            lane, cache, nop, end, trap, wmma, or graphics (for shaders only).
        flags: words that the table's head explains, e.g. ``atomic``, ``mem:u8``, ``vop3b``.
        number: opcode number in the generation that was asked for.
        suffix: whether disassembly writes ``_e32``/``_e64``: the instruction has both encodings.
        generation: the generation that was asked for.
        meaning: mnemonic by which to look up what it does: that of an older generation where this one only
            spells it differently (``v_add_nc_u32`` means ``v_add_u32``), else the name.
    """

    name: str
    format: str
    dst: tuple[tuple[str, str], ...]
    src: tuple[tuple[str, str], ...]
    klass: str
    flags: frozenset[str]
    number: int
    suffix: bool
    generation: str
    meaning: str


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, type) for name, _, type in (word.partition(":") for word in text.split()))


@lru_cache(maxsize=8)
def _rows(generation: str) -> list[dict[str, str]]:
    """The rows that give a generation a number. Of a table without its column only the head is read."""
    found = []
    for path in sorted(_FOLDER.glob("*.tsv")):
        with path.open(encoding="utf-8") as table:
            columns = next(line for line in table if not line.startswith("#"))
            if generation in columns.split():
                rows = tables.parse(columns + table.read(), path.name)
                found += [row for row in rows if row[generation]]
    return found


@lru_cache(maxsize=8)
def by_encoding(generation: str) -> dict[tuple[str, int], dict[str, str]]:
    """Rows of a generation by (format, opcode number), otherwise unparsed: most are never needed."""
    return {(row["format"], int(row[generation], 16)): row for row in _rows(generation)}


@lru_cache(maxsize=8)
def _with_vop3(generation: str) -> tuple[frozenset[str], frozenset[str]]:
    vop3, short = set(), set()
    for row in _rows(generation):
        kind = row["format"]
        if kind == "VOP3":
            vop3.add(row["name"])
        elif kind in ("VOP1", "VOP2", "VOPC", "VINTRP"):
            short.add(row["name"])
    return frozenset(vop3), frozenset(short)


def opcode(generation: str, row: dict[str, str]) -> Opcode:
    """The Opcode of a row."""
    vop3, short = _with_vop3(generation)
    name = row["name"]
    flags = frozenset(row["flags"].split())
    return Opcode(
        name=name,
        format=row["format"],
        dst=_pairs(row["dst"]),
        src=_pairs(row["src"]),
        klass=row["class"],
        flags=flags,
        number=int(row[generation], 16),
        suffix=name in vop3 and name in short and "plain" not in flags,
        generation=generation,
        meaning=row.get("meaning") or name,
    )


def load(generation: str) -> list[Opcode]:
    """Every opcode of a generation, in table order."""
    return [opcode(generation, row) for row in by_encoding(generation).values()]
