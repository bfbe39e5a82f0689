"""The name maps: what each CUDA name is called in HIP, and how well it is supported there.

A map is a TSV file in `maps/`, one a library; those in `maps/overlays/` replace rows on request.
The first row that is no comment names the columns:

cuda_name  the CUDA spelling; for kind `include` a path
hip_name   the HIP spelling; blank if there is none
kind       function, type, enum, define, include or namespace
group      the heading under which statistics count it
status     supported, deprecated, experimental (in HIP), unsupported, dropped (needs no replacement)
cuda       CUDA versions: A: added, D: deprecated, R: removed
since      HIP versions, likewise
roc_name   the spelling in AMD's own library (rocBLAS for cuBLAS); blank: as hip_name; `-`: none
roc_since  its versions
note       what a person should know
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

__all__ = ["CallEdit", "Name", "call_edits", "columns", "libraries", "table"]

_MAPS = Path(__file__).parent / "maps"
_CALLS = "calls"
_COLUMNS = (
    "cuda_name", "hip_name", "kind", "group", "status", "cuda", "since", "roc_name", "roc_since", "note",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Name:
    """One row of a name map."""

    cuda_name: str
    hip_name: str
    kind: str
    group: str
    status: str
    cuda: str
    since: str
    roc_name: str
    roc_since: str
    note: str
    library: str

    def target(self, roc: bool, experimental: bool) -> str:
        """The name to write, or "" if there is none that the options allow.

        Args:
            roc: prefer AMD's own libraries to the hip* wrappers.
            experimental: accept names that HIP marks as experimental.
        """
        if self.status == "experimental" and not experimental:
            return ""
        if roc and self.roc_name:
            return "" if self.roc_name == "-" else self.roc_name
        return self.hip_name


@dataclass(frozen=True, slots=True)
class CallEdit:
    """One row of `maps/calls.tsv`: an edit to the arguments of a call."""

    cuda_name: str
    target: str
    arg: int
    op: str
    value: str
    to: int
    count: int
    warning: str


def columns() -> tuple[str, ...]:
    """The columns of a name map, in order."""
    return _COLUMNS


def libraries() -> list[str]:
    """The map files, by name."""
    return sorted(path.stem for path in _MAPS.glob("*.tsv") if path.stem != _CALLS)


def _rows(stem: str) -> list[bytes]:
    lines = (_MAPS / f"{stem}.tsv").read_bytes().split(b"\n")
    rows = [line for line in lines if line and not line.startswith(b"#")]
    return rows[1:]


class _Table(dict[bytes, Name]):
    """CUDA name to row; a row is parsed when it is first asked for."""

    def __init__(self, stems: Iterable[str], base: _Table | None = None) -> None:
        super().__init__()
        self.raw: dict[bytes, tuple[str, bytes]] = dict(base.raw) if base is not None else {}
        self.active: set[bytes] = set(base.active) if base is not None else set()
        for stem in stems:
            for row in _rows(stem):
                name, hip_name, _, _, status, _, _, roc_name, _ = row.split(b"\t", 8)
                self.raw[name] = (stem, row)
                if name != hip_name or status != b"supported" or roc_name not in (b"", b"-"):
                    self.active.add(name)

    def __missing__(self, name: bytes) -> Name:
        stem, row = self.raw[name]
        fields = row.decode().split("\t")
        value = Name(library=stem, **dict(zip(_COLUMNS, fields, strict=True)))
        self[name] = value
        return value


@lru_cache(maxsize=8)
def table(overlays: tuple[str, ...] = ()) -> _Table:
    """Every map in one dictionary: indexing parses a row (KeyError if unknown).

    Args:
        overlays: files of `maps/overlays/` whose rows take the place of others.

    `.raw` has all names; `.active` those that change or call for a note.
    """
    if overlays:
        return _Table((f"overlays/{name}" for name in overlays), table())
    # The runtime API's row wins where two libraries list one name, so it is read last.
    return _Table(sorted(libraries(), key=lambda name: name == "runtime"))


@lru_cache(maxsize=1)
def call_edits() -> dict[bytes, tuple[CallEdit, ...]]:
    """Argument edits by CUDA function name."""
    edits: dict[bytes, list[CallEdit]] = {}
    for row in _rows(_CALLS):
        name, target, arg, op, value, to, count, warning = row.decode().split("\t")
        edit = CallEdit(name, target, int(arg), op, value, int(to or -1), int(count or 0), warning)
        edits.setdefault(name.encode(), []).append(edit)
    return {name: tuple(rows) for name, rows in edits.items()}
