"""Cases in child processes: a crash is told from an answer, and a hang from patience.

python -m fuzz.campaign SECONDS [KIND]
"""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from fuzz.seeds import TARGETS

KINDS = ("load", "translate", "interpret", "disassemble")
BATCH = {"load": 100, "translate": 100, "interpret": 300, "disassemble": 2000}
HANG_SECONDS = 60.0  # without a word: kernels are stopped long before
__all__ = ["KINDS", "Report", "run"]


@dataclass
class Report:
    """How many cases ended how, by kind, and what must not have happened."""

    ended: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: dict[str, list[str]] = field(default_factory=dict)

    def fault(self, kind: str, what: str, command: str) -> None:
        """Note a fault; equal ones are told once."""
        self.ended[kind, "FAULT"] += 1
        self.faults.setdefault(what, []).append(command)

    def table(self) -> str:
        """A line for each way to end."""
        lines = [f"{kind:12} {number:7} {word}" for (kind, word), number in sorted(self.ended.items())]
        for what, commands in sorted(self.faults.items(), key=lambda item: -len(item[1])):
            lines.append(f"{len(commands)} times, first by {commands[0]}:\n{what}")
        return "\n".join(lines)


class _Child:
    """One child process and the case that it is at."""

    def __init__(self, kind: str, target: str, first: int, count: int) -> None:
        self.kind, self.target, self.number, self.end = kind, target, first, first + count
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fuzz.child", kind, target, str(first), str(count)],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "ANYHIP_THREADS": "2"},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
        )  # fmt: skip

    def run(self, report: Report, until: float) -> int:
        """Read its words until it ends, dies, hangs or time is up; the number of the next case."""
        assert self.process.stdout is not None
        waiting = selectors.DefaultSelector()
        waiting.register(self.process.stdout, selectors.EVENT_READ)
        while time.monotonic() < until:
            if not waiting.select(HANG_SECONDS):
                report.fault(self.kind, "hangs", self._command())
                break
            line = self.process.stdout.readline()
            if not line:
                return self._ended(report)
            self._read(line, report)
        self.process.kill()
        self.process.communicate()
        return self.number + 1

    def _read(self, line: str, report: Report) -> None:
        word, _, rest = line.partition(" ")
        number, _, said = rest.rstrip("\n").partition(" ")
        if word == "begin":
            self.number = int(number)
        elif word == "end":
            report.ended[self.kind, said] += 1
        elif word == "fault":
            report.fault(self.kind, said.encode().decode("unicode_escape"), self._command())

    def _ended(self, report: Report) -> int:
        _, said = self.process.communicate()
        if self.process.returncode:
            report.fault(self.kind, f"exit code {self.process.returncode}: {said[-2000:]}", self._command())
        return self.number + 1

    def _command(self) -> str:
        return f"python -m fuzz.child {self.kind} {self.target} {self.number} 1"


def run(seconds: float, kinds: tuple[str, ...] = KINDS, first: int = 0) -> Report:
    """Cases of all kinds and targets in turn until time is up; every kind meets every target at least once.

    Args:
        first: number of the first case; another number gives other cases.
    """
    report = Report()
    until = time.monotonic() + seconds
    following = {(kind, target): first for kind in kinds for target in TARGETS}
    share = max(seconds / len(following) / 2, 5.0)
    while time.monotonic() < until:
        for (kind, target), number in following.items():
            child = _Child(kind, target, number, BATCH[kind])
            following[kind, target] = child.run(report, time.monotonic() + share)
    return report


if __name__ == "__main__":
    print(run(float(sys.argv[1]), tuple(sys.argv[2:]) or KINDS, 1000).table())
