"""A ported tree in numbers: what was converted, what is left to do, how much of each library is covered."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from .. import tables
from .names import table
from .port import Note
from .tree import TreeFile

__all__ = ["FileSummary", "Kind", "Place", "Summary", "Task", "kinds", "summarise"]

_TABLE = Path(__file__).with_name("kinds.tsv")
_MOST_CHARACTERS = 200  # of a line: generated code has lines of megabytes
_TITLES = {
    "runtime": "CUDA runtime", "driver": "CUDA driver", "blas": "cuBLAS", "fft": "cuFFT", "rand": "cuRAND",
    "sparse": "cuSPARSE", "sparselt": "cuSPARSELt", "solver": "cuSOLVER", "dnn": "cuDNN", "nccl": "NCCL",
    "cub": "CUB", "thrust": "Thrust", "tensor": "cuTENSOR", "rtc": "NVRTC", "nvtx": "NVTX", "nvml": "NVML",
    "device": "Device functions", "complex": "Complex", "guards": "Compiler macros", "caffe2": "Caffe2",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of note: how serious, how long it may take, what it is and what to do."""

    name: str
    level: str
    minutes: int
    title: str
    todo: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a note stands, that line of the source, and what porting made of it ("" if nothing)."""

    path: str
    note: Note
    line: str
    ported: str = ""


@dataclass
class Task:
    """One thing to do, at every place where it is to be done."""

    kind: Kind
    name: str
    message: str
    places: list[Place] = field(default_factory=list)

    @property
    def minutes(self) -> int:
        """Estimate: the first place takes its time, and twice as many places as much again: they repeat."""
        return round(self.kind.minutes * (1 + math.log2(len(self.places))))


@dataclass(frozen=True, slots=True)
class FileSummary:
    """A file in numbers; its texts are not kept."""

    path: Path
    lines: int
    changed: bool
    converted: int
    notes: list[Note]

    @property
    def rate(self) -> float:
        """Of the places that are CUDA's, the share that needs no person, 0 to 1."""
        return rate(self.converted, sum(kinds()[note.kind].level == "error" for note in self.notes))


@dataclass
class Summary:
    """Totals over files. libraries: by title, names converted and places without a counterpart."""

    files: list[FileSummary] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    libraries: dict[str, tuple[Counter[str], Counter[str]]] = field(default_factory=dict)
    levels: Counter[str] = field(default_factory=Counter)

    @property
    def lines(self) -> int:
        """Lines read."""
        return sum(one.lines for one in self.files)

    @property
    def converted(self) -> int:
        """Places changed."""
        return sum(one.converted for one in self.files)

    @property
    def minutes(self) -> int:
        """Estimated work of a person."""
        return sum(task.minutes for task in self.tasks)

    @property
    def rate(self) -> float:
        """Of the places that are CUDA's, the share that needs no person, 0 to 1."""
        return rate(self.converted, self.levels["error"])


def rate(converted: int, errors: int) -> float:
    """The share of places that were converted; 1 where there was nothing to do."""
    return converted / (converted + errors) if converted + errors else 1.0


@lru_cache(maxsize=1)
def kinds() -> dict[str, Kind]:
    """The kinds of notes, by name."""
    made = (
        Kind(row["kind"], row["level"], int(row["minutes"]), row["title"], row["todo"])
        for row in tables.read(_TABLE)
    )
    return {kind.name: kind for kind in made}


def summarise(ported: Iterable[TreeFile], whitelist: frozenset[str] = frozenset()) -> Summary:
    """Add files up, one after the other: none of their texts stays in memory.

    Args:
        ported: the files.
        whitelist: names to say nothing about.

    Returns:
        The summary, its tasks by work, longest first.
    """
    summary = Summary()
    tasks: dict[tuple[str, str, str], Task] = {}
    for one in ported:
        notes = [note for note in one.ported.notes if note.name not in whitelist]
        summary.files.append(FileSummary(one.path, one.lines, one.changed, one.ported.converted, notes))
        _count_libraries(summary, one)
        if not notes:
            continue
        lines, ported_lines = one.old.split(b"\n"), one.ported.text.split(b"\n")
        # Lines that porting added or removed would show one in place of another.
        same_lines = len(lines) == len(ported_lines)
        for note in notes:
            kind = kinds()[note.kind]
            summary.levels[kind.level] += 1
            task = tasks.setdefault((note.kind, note.name, note.message), Task(kind, note.name, note.message))
            text = _shown(lines[note.line - 1])
            new = _shown(ported_lines[note.line - 1]) if same_lines else ""
            task.places.append(Place(one.path.as_posix(), note, text, new if new != text else ""))
            if note.kind == "unsupported":
                summary.libraries.setdefault(_library(note.name), (Counter(), Counter()))[1][note.name] += 1
    summary.tasks = sorted(tasks.values(), key=lambda task: (-task.minutes, task.kind.name, task.name))
    return summary


def _shown(line: bytes) -> str:
    return line.strip().decode("utf-8", "replace")[:_MOST_CHARACTERS]


def _count_libraries(summary: Summary, one: TreeFile) -> None:
    if not one.build:
        for (cuda, _), count in one.ported.renamed.items():
            summary.libraries.setdefault(_library(cuda), (Counter(), Counter()))[0][cuda] += count


def _library(name: str) -> str:
    row = table().raw.get(name.encode())
    return _TITLES.get(row[0], row[0]) if row else "Other"
