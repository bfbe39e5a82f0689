"""A compilation as data: steps with inputs and outputs, printed as clang prints its own, run side by side.

A step is a program to start (``argv``) or a small job of ours (``action``, printed as the command that would
do the same). It starts once every step that makes one of its inputs has ended well.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from anyhip import toolchain
from anyhip.errors import ToolchainError

__all__ = ["Result", "Step", "printed", "run"]


@dataclass(frozen=True)
class Step:
    """One step of a plan.

    Args:
        side: whose work it is: ``host``, ``link``, ``bundle`` or a target id; decides how output is reported.
        argv: the command; for an ``action``, what to print in its place.
        outputs: the files it makes.
        inputs: the files it needs that other steps make.
        source: the file of the user's that it compiles, for reports.
        stdin: text for the command's standard input.
    """

    side: str
    argv: tuple[str, ...]
    outputs: tuple[Path, ...] = ()
    inputs: tuple[Path, ...] = ()
    source: str = ""
    stdin: str | None = None
    action: Callable[[], None] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Result:
    """How a step ended. Steps that never started because an earlier one failed have no result."""

    step: Step
    returncode: int
    stdout: str
    stderr: str
    seconds: float


def printed(step: Step) -> str:
    """The step's command, quoted as clang quotes with ``-###``."""
    quoted = (
        '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$") + '"' for word in step.argv
    )
    return " " + " ".join(quoted)


def run(steps: Sequence[Step], jobs: int = 0) -> list[Result]:
    """Run all steps, at most ``jobs`` at once (0: one a core), and return results in the plan's order.

    A step that needs the output of one that failed is left out; independent ones still run, so that the user
    sees every pass's diagnostics.

    Raises:
        ToolchainError: a compiler that cannot be started, or ended by a signal.
        Whatever an ``action`` raises.
    """
    limit = jobs or len(os.sched_getaffinity(0))
    waiting, results, made = list(range(len(steps))), dict[int, Result](), set[Path]()
    promised = {output for step in steps for output in step.outputs}
    ended: queue.SimpleQueue[tuple[int, Result | BaseException]] = queue.SimpleQueue()
    running = 0
    while True:
        ready = [i for i in waiting if all(path in made or path not in promised for path in steps[i].inputs)]
        for index in ready[: limit - running]:
            waiting.remove(index)
            threading.Thread(target=_thread, args=(index, steps[index], ended), daemon=True).start()
            running += 1
        if not running:
            return [results[index] for index in sorted(results)]
        index, result = ended.get()
        running -= 1
        if isinstance(result, BaseException):
            raise result
        results[index] = result
        if result.returncode == 0:
            made.update(steps[index].outputs)


def _thread(index: int, step: Step, ended: queue.SimpleQueue[tuple[int, Result | BaseException]]) -> None:
    try:
        ended.put((index, _run_one(step)))
    except BaseException as error:  # noqa: BLE001 - carried to the thread that waits, and raised there
        ended.put((index, error))


def _run_one(step: Step) -> Result:
    started = time.monotonic()
    if step.action is not None:
        step.action()
        return Result(step, 0, "", "", time.monotonic() - started)
    done = toolchain.run(step.argv, input=step.stdin)
    if done.returncode < 0 and not done.stderr.strip():
        raise ToolchainError(f"the compiler was ended by signal {-done.returncode}:\n{printed(step)}")
    return Result(step, done.returncode, done.stdout, done.stderr, time.monotonic() - started)


def main_of(module: str, *words: str | Path) -> tuple[str, ...]:
    """The command that would do one of our own jobs, for printing."""
    return (sys.executable, "-m", module, *(str(word) for word in words))
