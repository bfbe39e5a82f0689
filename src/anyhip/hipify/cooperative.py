"""Rule: what HIP's cooperative groups lack (groups.tsv), under the namespace's own name or an alias."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from .. import tables
from .source import Source

__all__ = ["NAMESPACE", "report_groups"]

NAMESPACE = b"cooperative_groups"
_TABLE = Path(__file__).with_name("groups.tsv")
_TELLING = 9
"""Shorter names are too common to be cooperative groups' without their namespace."""


@lru_cache(maxsize=1)
def _rows() -> dict[bytes, str]:
    rows = tables.read(_TABLE)
    return {row["name"].encode(): row["message"] for row in rows}


def report_groups(source: Source, hits: Sequence[int]) -> None:
    """Report what HIP's cooperative groups lack.

    Args:
        source: the file; gets notes.
        hits: tokens `NAMESPACE`.
    """
    if not hits:
        return
    spaces, opened = {NAMESPACE}, False
    for index in hits:
        before = source.before(index)
        if source.text(before) == b"=" and source.text(source.before(source.before(before))) == b"namespace":
            spaces.add(source.text(source.before(before)))
        elif source.text(before) == b"namespace" and source.text(source.before(before)) == b"using":
            opened = True
    rows = _rows()
    for index, token in enumerate(source.tokens):
        message = rows.get(token)
        if message is None:
            continue
        before = source.before(index)
        qualified = source.text(before) == b"::"
        named = qualified and source.text(source.before(before)) in spaces
        bare = (
            opened and not qualified and source.text(before) not in (b".", b"->") and len(token) >= _TELLING
        )
        if named or (bare and source.text(source.after(index)) in (b"(", b"<")):
            source.note(
                index, "group", token, f"HIP's cooperative groups have no {token.decode()}: {message}"
            )
