"""``anyhip run``: sources in; ported if they are CUDA, compiled and run; the program's exit code out.

A program that was built before from the same files is started before compiler and hipify are imported.
"""

from __future__ import annotations

import os

from anyhip.errors import UsageError
from anyhip.hipcc import manifest

TYPE_CHECKING = False  # importing typing would cost as much as the work done here
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from anyhip.hipcc.driver import Outcome
    from anyhip.hipcc.options import Command
    from anyhip.tools.explain import Explainer

__all__ = ["HELP", "Request", "main", "parse"]

HELP = """\
usage: anyhip run FILE... [options] [-- program arguments]

Ports the sources if they are CUDA, compiles them, runs the program, and ends with its exit code.

  FILE...                 .cu, .hip, .cpp, .c; also objects and libraries
  --explain               say on stderr what happens at each step
  --keep DIR              leave the ported sources and the program in DIR
  --offload-arch=LIST     compile for these devices (default: the virtual GPU's)
  -I -D -l -L -O -std=    as in every compiler; other options go to hipcc as well
"""


class Request:
    """What the user asked for: words for hipcc, the program's own words, and ours."""

    def __init__(self) -> None:
        self.compile_words: list[str] = []
        self.program_words: list[str] = []
        self.keep = ""
        self.explain = False
        self.help = False


def parse(argv: Sequence[str]) -> Request:
    """Take our own options out of the words; what follows ``--`` is the program's.

    Raises:
        UsageError: ``--keep`` without a folder.
    """
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
            request.keep = word.removeprefix("--keep").removeprefix("=") or next(words, "")
            if not request.keep:
                raise UsageError("--keep needs a folder", "write --keep DIR")
        else:
            request.compile_words.append(word)
    return request


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
    key = "" if request.keep or request.explain else manifest.command_key("anyhip run", request.compile_words)
    hit = manifest.find(key) if key else None
    if hit is None:
        return _build_and_start(request, key)
    import sys

    sys.stderr.write(hit.said)
    return _start(hit.made, hit.output, request.program_words)


def _build_and_start(request: Request, key: str) -> int:
    """The long way: port, compile, link; then run."""
    from pathlib import Path

    from anyhip import cache
    from anyhip.hipcc import driver, memo, options
    from anyhip.tools.explain import Explainer
    from anyhip.tools.hipcc import runtime_dir
    from anyhip.tools.porting import ported

    command = options.parse(request.compile_words)
    _check(command)
    explainer = Explainer(request.explain)
    keep = _keep_folder(request.keep) if request.keep else None
    started = memo.now_ns()
    _prepare()
    name = Path(command.sources[0].path).stem
    command, originals = ported(command, keep, explainer)
    program = Path(command.output or (keep or cache.private_dir()) / name)
    command.output = str(program)
    outcome = driver.build(command, runtime_dir)
    if outcome.returncode:
        return outcome.returncode
    explainer.built(outcome, program)
    _remember(key, outcome, program, originals, started)
    return _start(str(program.absolute()), name, request.program_words, explainer)


def _prepare() -> None:
    """Begin to build what a first run needs besides the program: the runtime's library and the engine.

    It goes on beside porting and compiling. What cannot be built is reported where it is needed.
    """
    from contextlib import suppress
    from threading import Thread

    from anyhip.backends.virtual import engine
    from anyhip.errors import AnyHipError
    from anyhip.tools.hipcc import runtime_dir

    def build() -> None:
        with suppress(AnyHipError):
            runtime_dir()
            engine.library()

    Thread(target=build, name="prepare", daemon=True).start()


def _remember(key: str, outcome: Outcome, program: Path, originals: Iterable[Path], started: int) -> None:
    """Let the next run of the same files start at once."""
    from anyhip.hipcc import memo

    made = outcome.remembered
    if key and made is not None:
        files = [*map(str, originals), *made.files]
        memo.keep(key, program, made.said, files, started, memo.own_files(made.compiler), program.name)


def _check(command: Command) -> None:
    """Everything that can be said before any work is done."""
    from pathlib import Path

    if not command.inputs:
        raise UsageError("no source to run", "anyhip run hello.cu")
    if command.mode != "link" or command.side != "both" or command.show or "-shared" in command.link_items:
        raise UsageError("anyhip run makes a program and starts it", "use hipcc for other kinds of output")
    for one in command.inputs:
        try:
            with Path(one.path).open("rb"):
                continue
        except OSError as error:
            hint = "name a source file" if os.path.isdir(one.path) else "check the name and its permissions"
            raise UsageError(f"cannot read {one.path}: {error.strerror}", hint) from error
    if not command.sources:
        raise UsageError(f"{command.inputs[0].path} is not a source", "sources end in .cu, .hip, .cpp or .c")
    _ = command.targets  # an unknown --offload-arch is said now


def _keep_folder(name: str) -> Path:
    from pathlib import Path

    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"cannot write into {folder}: {error.strerror}", "choose another --keep folder"
        ) from error
    return folder


def _start(program: str, name: str, words: Sequence[str], explainer: Explainer | None = None) -> int:
    """Run a program with our own input and output, and pass signals on to it.

    Args:
        program: its file.
        name: what it sees as its own name.
    """
    import signal
    import time

    if explainer is not None:
        explainer.starting(name, words)
    started = time.monotonic()
    child = 0
    early: list[int] = []  # what came before the program was there

    def pass_on(number: int, _frame: object) -> None:
        # Ctrl-C on a terminal reaches the program without us
        if not child:
            early.append(number)
        elif number != signal.SIGINT or not _in_foreground():
            os.kill(child, number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, pass_on)
    try:
        child = os.posix_spawn(program, [name, *words], os.environ)
    except OSError as error:
        hint = "was it built for this machine?"
        raise UsageError(f"cannot start {program}: {error.strerror}", hint) from error
    for came in early:
        os.kill(child, came)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    code = code if code >= 0 else 128 - code
    if explainer is not None:
        explainer.ended(code, time.monotonic() - started)
    return code


def _in_foreground() -> bool:
    """Whether we belong to the group of processes that a terminal sends its Ctrl-C to."""
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False
