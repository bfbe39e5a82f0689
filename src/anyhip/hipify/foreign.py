"""Rule: NVIDIA's libraries that have no twin with the same calls, told by how names begin (families.tsv)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .. import tables
from .lexer import include_path
from .names import table
from .source import Source

__all__ = ["report_foreign"]

_TABLE = Path(__file__).with_name("families.tsv")


@dataclass(frozen=True, slots=True)
class _Family:
    prefix: bytes
    header: bytes
    library: str
    instead: str


@lru_cache(maxsize=1)
def _families() -> tuple[_Family, ...]:
    return tuple(
        _Family(row["prefix"].encode(), row["header"].encode(), row["library"], row["instead"])
        for row in tables.read(_TABLE)
    )


@lru_cache(maxsize=1)
def _prefixes() -> tuple[bytes, ...]:
    return tuple(family.prefix for family in _families())


def report_foreign(source: Source) -> None:
    """Report the headers of such libraries, and the calls and types of a file that includes one or calls it.

    Args:
        source: the file; gets notes.
    """
    for index in source.directives:
        parts = include_path(source.tokens[index])
        family = _of_header(parts[2]) if parts else None
        if family is not None and parts is not None and parts[2] not in table().raw:
            source.note(index, "unsupported", parts[2], f"{family.library} is NVIDIA's: {family.instead}")
    prefixes, raw = _prefixes(), table().raw
    spelled = {token for token in set(source.tokens) if token.startswith(prefixes) and token not in raw}
    if not spelled:
        return
    found = {token: family for token in spelled if (family := _of_name(token)) is not None}
    for index, token in enumerate(source.tokens):
        if token not in found:
            continue
        called = source.text(source.after(index)) == b"("
        if (called or token.endswith(b"_t")) and source.text(source.before(index)) not in (b".", b"->"):
            family = found[token]
            source.note(index, "unsupported", token, f"{family.library} is NVIDIA's: {family.instead}")


def _of_header(path: bytes) -> _Family | None:
    return next((family for family in _families() if path.startswith(family.header)), None)


def _of_name(token: bytes) -> _Family | None:
    """The family of `nvmlInit`, but not of `nppes` or `cufile_path`: a capital follows the prefix."""
    for family in _families():
        rest = token[len(family.prefix) :]
        if token.startswith(family.prefix) and (rest[:1].isupper() or rest[1:2].isupper()):
            return family
    return None
