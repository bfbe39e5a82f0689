"""What was converted and what was not, as text: notes one a line, statistics in hipify's form."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TextIO

from .port import Ported

__all__ = ["Statistics", "write_notes", "write_statistics"]


@dataclass
class Statistics:
    """Totals of one file or of many."""

    lines: int = 0
    warnings: int = 0
    converted: int = 0
    renamed: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, ported: Ported, lines: int) -> None:
        """Add one ported file.

        Args:
            ported: the result.
            lines: lines of its source.
        """
        self.lines += lines
        self.warnings += len(ported.notes)
        self.converted += ported.converted
        self.renamed.update(ported.renamed)

    def merge(self, other: Statistics) -> None:
        """Add another file's totals."""
        self.lines += other.lines
        self.warnings += other.warnings
        self.converted += other.converted
        self.renamed.update(other.renamed)


def write_notes(ported: Ported, path: str, stream: TextIO, whitelist: frozenset[str] = frozenset()) -> None:
    """Write each note as `path:line:col: warning: message [kind]`, which editors understand.

    Args:
        ported: the result.
        path: the file's name.
        stream: where to write.
        whitelist: names to say nothing about.
    """
    for note in ported.notes:
        if note.name not in whitelist:
            place = f"{path}:{note.line}:{note.col}"
            stream.write(f"{place}: warning: {note.name}: {note.message} [{note.kind}]\n")


def write_statistics(statistics: Statistics, title: str, stream: TextIO) -> None:
    """Write statistics with hipify-perl's headings.

    Args:
        statistics: the numbers.
        title: file name, or GLOBAL.
        stream: where to write.
    """
    stream.write(f"\n[HIPIFY] info: file '{title}' statistics:\n")
    stream.write(f"  CONVERTED refs count: {statistics.converted}\n")
    stream.write(f"  TOTAL lines of code: {statistics.lines}\n")
    stream.write(f"  WARNINGS: {statistics.warnings}\n")
    stream.write("[HIPIFY] info: CONVERTED refs by names:\n")
    for (cuda, hip), count in sorted(statistics.renamed.items()):
        stream.write(f"  {cuda} => {hip}: {count}\n")
