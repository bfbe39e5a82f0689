"""``anyhip run``: sources in; ported if they are CUDA, compiled and run; the program's exit code out."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from anyhip.errors import UsageError
from anyhip.hipcc import driver, options
from anyhip.hipcc.options import Command
from anyhip.tools.explain import Explainer
from anyhip.tools.hipcc import runtime_dir
from anyhip.tools.porting import ported

__all__ = ["HELP", "main"]

HELP = """\
usage: anyhip run FILE... [options] [-- program arguments]

Ports the sources if they are CUDA, compiles them, runs the program, and ends with its exit code.

  FILE...                 .cu, .hip, .cpp, .c; also objects and libraries
  --explain               say on stderr what happens at each step
  --keep DIR              leave the ported sources and the program in DIR
  --offload-arch=LIST     compile for these devices (default: the virtual GPU's)
  -I -D -l -L -O -std=    as in every compiler; other options go to hipcc as well
"""


@dataclass
class Request:
    """What the user asked for: words for hipcc, the program's own words, and ours."""

    compile_words: list[str] = field(default_factory=list)
    program_words: list[str] = field(default_factory=list)
    keep: Path | None = None
    explain: bool = False
    help: bool = False


def main(argv: Sequence[str]) -> int:
    """Run ``anyhip run`` with the words after ``run``.

    Returns:
        The program's exit code, 128 + the signal that ended it, or clang's exit code.

    Raises:
        AnyHipError: for all that is not the compiler's or the program's to report.
    """
    request = parse(argv)
    if request.help:
        print(HELP, end="")
        return 0
    command = options.parse(request.compile_words)
    _check(command)
    explainer = Explainer(request.explain)
    folder = _keep_folder(request.keep) if request.keep else Path(tempfile.mkdtemp(prefix="anyhip-run-"))
    try:
        command = ported(command, request.keep, explainer)
        program = Path(command.output or folder / (Path(command.sources[0].path).stem + ".out"))
        command.output = str(program)
        outcome = driver.build(command, runtime_dir)
        if outcome.returncode:
            return outcome.returncode
        explainer.built(outcome, program)
        return _start(program, request.program_words, explainer)
    finally:
        if request.keep is None:
            shutil.rmtree(folder, ignore_errors=True)


def parse(argv: Sequence[str]) -> Request:
    """Take our own options out of the words; what follows ``--`` is the program's."""
    request = Request()
    words = iter(argv)
    for word in words:
        if word == "--":
            request.program_words = list(words)
        elif word == "--explain":
            request.explain = True
        elif word in ("-h", "--help"):
            request.help = True
        elif word == "--keep" or word.startswith("--keep="):
            value = word.removeprefix("--keep").removeprefix("=") or next(words, "")
            if not value:
                raise UsageError("--keep needs a folder", "write --keep DIR")
            request.keep = Path(value)
        else:
            request.compile_words.append(word)
    return request


def _check(command: Command) -> None:
    """Everything that can be said before any work is done."""
    if not command.inputs:
        raise UsageError("no source to run", "anyhip run hello.cu")
    if command.mode != "link" or command.side != "both" or command.show or "-shared" in command.link_items:
        raise UsageError("anyhip run makes a program and starts it", "use hipcc for other kinds of output")
    for one in command.inputs:
        _readable(Path(one.path))
    if not command.sources:
        raise UsageError(
            f"{command.inputs[0].path} is not a source file", "sources end in .cu, .hip, .cpp or .c"
        )
    _ = command.targets  # an unknown --offload-arch is said now


def _readable(path: Path) -> None:
    try:
        with path.open("rb"):
            return
    except OSError as error:
        raise UsageError(
            f"cannot read {path}: {error.strerror}", "check the name and its permissions"
        ) from error


def _keep_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"cannot write into {folder}: {error.strerror}", "choose another --keep folder"
        ) from error
    return folder


def _start(program: Path, words: Sequence[str], explainer: Explainer) -> int:
    """Run the program with our own input and output, and pass signals on to it."""
    explainer.starting(program, words)
    started = time.monotonic()
    try:
        child = subprocess.Popen([str(program.absolute()), *words])
    except OSError as error:
        raise UsageError(
            f"cannot start {program}: {error.strerror}", "was it built for this machine?"
        ) from error
    previous = {number: signal.signal(number, _passed_to(child)) for number in _PASSED}
    try:
        code = child.wait()
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
    code = code if code >= 0 else 128 - code
    explainer.ended(code, time.monotonic() - started)
    return code


_PASSED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _passed_to(child: subprocess.Popen[bytes]) -> Callable[[int, FrameType | None], None]:
    """A handler that gives a signal to the program. Ctrl-C on a terminal reaches the program without us."""

    def handler(number: int, _frame: FrameType | None) -> None:
        if number != signal.SIGINT or not _in_foreground():
            child.send_signal(number)

    return handler


def _in_foreground() -> bool:
    """Whether we belong to the group that a terminal sends its Ctrl-C to."""
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False
