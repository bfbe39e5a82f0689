"""Rows in, Markdown out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["code", "names", "table"]


def code(text: str) -> str:
    """Text in typewriter letters; nothing stays nothing."""
    return f"`{text}`" if text else ""


def names(found: Iterable[str]) -> str:
    """A paragraph of names."""
    return ", ".join(f"`{name}`" for name in found)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; bars inside of cells are escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)
