"""What was measured: samples of a kernel under a peer, ratios between peers, targets reached or not."""

from __future__ import annotations

import csv
import math
import operator
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

__all__ = [
    "Cost",
    "Kernel",
    "Samples",
    "Target",
    "Verdict",
    "geomean",
    "judge",
    "parse",
    "read_kernels",
    "read_targets",
]

HERE = Path(__file__).resolve().parent
TAGS = {"SAMPLES": "wall", "CPUS": "cpu", "DELAYS": "delay"}


@dataclass
class Samples:
    """Seconds of each timed run of one kernel.

    Attributes:
        wall: from the first launch to the end of the last.
        cpu: of all threads of the process together.
        delay: that its threads waited for a core; 0: nobody disturbed the run.
        problem: why the result is not to be trusted; empty when it was checked.
    """

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    delay: list[float] = field(default_factory=list)
    problem: str = ""

    def extend(self, other: Samples) -> None:
        """Add another round's runs."""
        self.wall += other.wall
        self.cpu += other.cpu
        self.delay += other.delay
        self.problem = self.problem or other.problem

    def median(self, by: str) -> float:
        """Seconds, ``wall`` or ``cpu``; not a number when there is no sample."""
        values: list[float] = getattr(self, by)
        return statistics.median(values) if values else math.nan


def parse(text: str) -> dict[str, Samples]:
    """Read the lines that the programs print (``programs/measure.hpp``).

    Raises:
        ValueError: a line that begins as one of theirs and does not go on so.
    """
    found: dict[str, Samples] = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) > 2 and words[0] in TAGS:
            setattr(
                found.setdefault(words[1], Samples()), TAGS[words[0]], [float(word) for word in words[2:]]
            )
        elif len(words) > 2 and words[0] == "RESULT":
            checks = [word.partition("=")[2] for word in words if word.startswith("check=")]
            if checks not in (["ok"], ["dump"], ["FAIL"]):
                raise ValueError(f"a result without a check: {line}")
            found.setdefault(words[1], Samples()).problem = "wrong result" if checks == ["FAIL"] else ""
    return found


@dataclass(frozen=True)
class Kernel:
    """A row of kernels.tsv."""

    name: str
    program: str
    amount: float
    unit: str
    interpreter: float | None


@dataclass(frozen=True)
class Target:
    """A row of targets.tsv."""

    subject: str
    measure: str
    bound: str
    number: float


@dataclass(frozen=True)
class Cost:
    """A single number with a peer's beside it: seconds unless the text says otherwise."""

    name: str
    text: str
    value: float
    peer: float | None = None
    peer_text: str = ""


@dataclass(frozen=True)
class Verdict:
    """A target and what was measured; None where something is missing."""

    target: Target
    value: float | None

    @property
    def reached(self) -> bool | None:
        """Whether the bound is kept."""
        if self.value is None or math.isnan(self.value):
            return None
        compare = {">=": operator.ge, "<=": operator.le}[self.target.bound]
        return bool(compare(self.value, self.target.number))


def _rows(path: Path) -> Iterable[dict[str, str]]:
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return csv.DictReader(lines, delimiter="\t")


def read_kernels(path: Path = HERE / "kernels.tsv") -> list[Kernel]:
    """The kernels, in the order of the table."""
    return [
        Kernel(
            row["kernel"],
            row["program"],
            float(row["amount"]),
            row["unit"],
            float(row["interpreter"]) if row["interpreter"] else None,
        )
        for row in _rows(path)
    ]


def read_targets(path: Path = HERE / "targets.tsv") -> list[Target]:
    """The targets, in the order of the table."""
    return [Target(row["subject"], row["measure"], row["bound"], float(row["number"])) for row in _rows(path)]


def geomean(values: Sequence[float]) -> float:
    """Geometric mean; not a number of nothing."""
    return math.exp(statistics.fmean(map(math.log, values))) if values else math.nan


Table = Mapping[str, Mapping[str, Samples]]  # kernel -> peer -> samples


def ratio(table: Table, kernel: str, peer: str, by: str, constants: Mapping[str, float]) -> float:
    """The peer's time over ours; not a number where either is missing or wrong."""
    ours = table.get(kernel, {}).get("anyhip")
    if ours is None or ours.problem or not ours.wall:
        return math.nan
    if peer == "interpreter":
        return constants.get(kernel, math.nan) / ours.median("cpu")
    theirs = table[kernel].get(peer)
    if theirs is None or theirs.problem:
        return math.nan
    return theirs.median(by) / ours.median(by)


def ratios(table: Table, peer: str, by: str) -> list[float]:
    """Of all kernels that both have."""
    found = [ratio(table, kernel, peer, by, {}) for kernel in table]
    return [value for value in found if not math.isnan(value)]


def judge(
    targets: Iterable[Target], table: Table, costs: Iterable[Cost], by: str, constants: Mapping[str, float]
) -> list[Verdict]:
    """Hold the measurements against the targets."""
    by_name = {cost.name: cost for cost in costs}

    def value(target: Target) -> float | None:
        measure, _, peer = target.measure.partition(":")
        if measure in ("geomean", "worst"):
            known = ratios(table, peer, by)
            return (geomean(known) if measure == "geomean" else min(known)) if known else None
        if measure == "ratio":
            found = ratio(table, target.subject, peer, by, constants)
            return None if math.isnan(found) else found
        cost = by_name.get(target.subject)
        if cost is None:
            return None
        if measure == "over_peer":
            return cost.value / cost.peer if cost.peer else None
        if measure == "speedup":
            return cost.peer / cost.value if cost.peer else None
        return cost.value

    return [Verdict(target, value(target)) for target in targets]
