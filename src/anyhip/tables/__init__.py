"""Tables of facts: name of a TSV file in, list of rows out.

A table is UTF-8 text, one fact a row, cells separated by tabs. Lines that start with ``#`` are comments,
the first other line names the columns. Cells are strings; whoever reads a column knows its type.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["load", "parse", "read"]

_FOLDER = Path(__file__).parent


def load(name: str) -> list[dict[str, str]]:
    """Read ``tables/<name>.tsv``.

    Args:
        name: table name without its suffix, e.g. ``"targets"``.

    Raises:
        FileNotFoundError: there is no such table (a broken installation).
        ValueError: a row has more cells than there are columns.
    """
    return read(_FOLDER / f"{name}.tsv")


def read(path: Path) -> list[dict[str, str]]:
    """Read a table that lies beside the code that uses it.

    Raises:
        FileNotFoundError: there is no such table (a broken installation).
        ValueError: a row has more cells than there are columns.
    """
    return parse(path.read_text(encoding="utf-8"), path.name)


def parse(text: str, source: str = "table") -> list[dict[str, str]]:
    """Turn TSV text into rows; cells missing at the end of a line are empty.

    Args:
        text: the table.
        source: what an error calls it.

    Raises:
        ValueError: a row has more cells than there are columns, naming source and line.
    """
    columns: list[str] = []
    rows: list[dict[str, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line or line[0] == "#":
            continue
        cells = line.split("\t")
        if not columns:
            columns = cells
            continue
        missing = len(columns) - len(cells)
        if missing < 0:
            raise ValueError(f"{source}:{number}: {len(cells)} cells for {len(columns)} columns")
        rows.append(dict(zip(columns, cells + [""] * missing, strict=True)))
    return rows
