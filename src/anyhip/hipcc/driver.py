"""hipcc: a command line in; objects, executables and clang's own messages out."""

from __future__ import annotations

import itertools
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from anyhip import cache, config, toolchain
from anyhip.errors import AnyHipError
from anyhip.hipcc import devicelib, diagnostics, host, manifest, memo, options, plan, steps
from anyhip.hipcc.options import Command
from anyhip.hipcc.plan import Plan, SourcePlan
from anyhip.hipcc.steps import Result
from anyhip.toolchain import Toolchain

__all__ = ["HIP_VERSION", "Made", "Outcome", "build", "main", "show"]

HIP_VERSION = "7.2.0"  # of the API that the headers declare

_HELP = """\
usage: hipcc [options] file...

Compiles HIP (.hip .cu .cpp) and C (.c) sources for the host and for AMD and NVIDIA devices, and links them.

  -o FILE                   where the result goes (default: a.out)
  -c, -S, -E                stop after compiling, before assembling, after preprocessing
  --offload-arch=LIST       devices to compile for, e.g. gfx942,gfx1100,sm_90 or native (default: {archs})
  --genco                   make a code object for hipModuleLoad
  -O0 ... -O3, -g           optimisation (default: -O3), debug information
  -I -D -U -include         as in every C compiler
  -L -l -shared -fPIC       as in every C compiler
  -std=STANDARD             e.g. c++20
  -stdlib=LIBRARY           libstdc++ or libc++ for host code
  --save-temps              keep intermediate files
  -v, -###                  print the commands, and run them or not
  --version                 print HIP's and clang's version

Every other option goes to clang. Variables: HIPCC_VERBOSE, HIPCC_COMPILE_FLAGS_APPEND,
HIPCC_LINK_FLAGS_APPEND, HIP_CLANG_PATH, ANYHIP_CACHE_DIR.
"""


def main(
    argv: Sequence[str],
    runtime_dir: Callable[[], Path],
    key: str = "",
    program: str = "hipcc",
    native: Callable[[], Sequence[str]] = options.default_archs,
) -> int:
    """Run hipcc, or the same compiler under a name of clang's.

    Args:
        argv: the words after the program's name.
        runtime_dir: gives the folder of libamdhip64.so.7; called only if something is linked.
        key: what the result is remembered by (:func:`anyhip.hipcc.manifest.command_key`); empty: it is not.
        program: hipcc, clang or clang++.
        native: names the targets of ``--offload-arch=native``.

    Returns:
        0, clang's exit code, or that of the error that was reported.
    """
    try:
        command = options.parse(argv, program)
        command.native = native
        if command.show:
            return show(command)
        started = memo.now_ns()
        outcome = build(command, runtime_dir)
        if key and outcome.remembered is not None:
            _keep_command(key, outcome.remembered, started)
        return outcome.returncode
    except AnyHipError as error:
        print(f"{program}: error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130


@dataclass(frozen=True)
class Made:
    """A result that can be remembered: the file, what was said about it, and the files that it came of."""

    output: str
    said: str
    files: Sequence[str]
    compiler: str


@dataclass(frozen=True)
class Outcome:
    """How a build ended: exit code, the steps that ran, the sources whose objects were in the cache.

    ``dependency_files`` are what the user asked for with ``-MD``.
    """

    returncode: int
    results: Sequence[Result] = ()
    cached: Sequence[str] = ()
    remembered: Made | None = None
    dependency_files: Sequence[str] = ()


def build(command: Command, runtime_dir: Callable[[], Path]) -> Outcome:
    """Plan and run a command; clang's messages go to stderr.

    Raises:
        UsageError, ToolchainError: see the messages.
    """
    chosen = toolchain.find(command.stdlib)
    folder = cache.private_dir() / f"hipcc-{next(_numbers)}"
    folder.mkdir()
    try:
        stdin = sys.stdin.read() if any(one.path == "-" for one in command.inputs) else ""
        if config.get("FORCE_COLOR") or (sys.stderr.isatty() and not config.get("NO_COLOR")):
            command.compile_args.append("-fcolor-diagnostics")  # clang itself sees a pipe
        if command.mode in plan.LINKS and not command.dry_run:
            # while the runtime library is made
            devicelib.build_ahead(command.targets, chosen, command.flushes_denormals)
        made = plan.make(command, chosen, folder, runtime_dir, stdin)
        if command.dry_run or command.verbose or command.hipcc_verbose & 1:
            _print_commands(made, command, chosen)
        if command.dry_run:
            return Outcome(0)
        for number in range(len(made.sources)):
            (folder / str(number)).mkdir()
        return _Run(command, chosen, made, folder).outcome()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


_numbers = itertools.count()


def _keep_command(key: str, made: Made, started: int) -> None:
    """Remember the result of a whole command, for :func:`anyhip.hipcc.manifest.replay`."""
    output = Path(made.output)
    if output.is_file() and not output.is_symlink():
        unread = memo.own_files(made.compiler)
        memo.keep(key, output, made.said, made.files, started, unread, made.output)


def _text(path: Path) -> str:
    """A file that names files, whose names need not be UTF-8."""
    return path.read_text("utf-8", "surrogateescape")


def show(command: Command) -> int:
    """Print the help or the version that was asked for."""
    if command.show == "help":
        print(_HELP.format(archs=",".join(config.get_list("ANYHIP_OFFLOAD_ARCH"))), end="")
        return 0
    if command.show == "short_version":
        print(HIP_VERSION)
        return 0
    print(f"HIP version: {HIP_VERSION}-anyhip")
    chosen = toolchain.find(command.stdlib)
    print(toolchain.check([*chosen.clang, "--version"]).stdout, end="")
    return 0


def _print_commands(made: Plan, command: Command, chosen: Toolchain) -> None:
    if command.hipcc_verbose & 2:
        for name, value in (("clang", " ".join(chosen.clang)), ("host C++ library", chosen.stdlib)):
            print(f"hipcc: {name}: {value}", file=sys.stderr)
    for step in made.steps:
        print(steps.printed(step), file=sys.stderr)


class _Run:
    """The running of one plan: what is in the cache is taken, the rest is made, told and remembered."""

    def __init__(self, command: Command, chosen: Toolchain, made: Plan, folder: Path) -> None:
        self.command = command
        self.chosen = chosen
        self.plan = made
        self.folder = folder
        self.said: list[str] = []
        self.files: list[str] = []
        self.started = memo.now_ns()

    def outcome(self) -> Outcome:
        """Run it."""
        if self.plan.link is not None:
            toolchain.prepare(self.chosen)
        keys = [self._key(one) for one in self.plan.sources]
        cached = [self._take(key, one) for key, one in zip(keys, self.plan.sources, strict=True)]
        todo = [
            step for one, hit in zip(self.plan.sources, cached, strict=True) if not hit for step in one.steps
        ]
        results = steps.run([*todo, *self.plan.link_steps], self.command.jobs)
        code = 0
        for key, one, hit in zip(keys, self.plan.sources, cached, strict=True):
            if not hit:
                code = (
                    self._report([result for result in results if result.step in one.steps], key, one) or code
                )
        code = self._report_link(results) or code
        names = [one.source.path for one, hit in zip(self.plan.sources, cached, strict=True) if hit]
        listed = [one.dependency_output for one in self.plan.sources if one.dependency_output]
        return Outcome(code, results, names, None if code else self._remembered(), listed)

    def _key(self, one: SourcePlan) -> str:
        """The key of a source's compile; empty when it cannot be remembered."""
        command = self.command
        if (
            command.mode not in (*plan.LINKS, "object")
            or command.emit_llvm
            or command.save_temps
            or command.verbose
        ):
            return ""
        if one.source.is_header or command.precompiled:
            return ""
        if one.source.path == "-" or one.dependency_output or not config.get_flag("ANYHIP_COMPILE_CACHE"):
            return ""
        words = [word.replace(str(self.folder), "") for step in one.steps for word in step.argv]
        return memo.source_key(self.chosen.identity, words, Path(one.source.path).read_bytes())

    def _take(self, key: str, one: SourcePlan) -> bool:
        """Take a source's object from the cache if it is there."""
        hit = manifest.find(key) if key else None
        if hit is None:
            return False
        shutil.copyfile(hit.made, one.output)
        self._say(hit.said)
        self.files += [line.split(" ", 3)[3] for line in hit.lines]
        return True

    def _say(self, text: str) -> None:
        sys.stderr.write(text)
        self.said.append(text)

    def _report(self, results: Sequence[Result], key: str, one: SourcePlan) -> int:
        """Say what the passes over one source said, once; remember the object if all went well."""
        ordered = sorted(results, key=lambda result: result.step.side != "host")
        said = diagnostics.merged([result.stderr for result in ordered])
        self._say(said)
        for result in results:
            sys.stdout.write(result.stdout)
        sys.stdout.flush()
        code = next((result.returncode for result in ordered if result.returncode), 0)
        if code == 0 and key:
            files = [name for listed in one.dependencies for name in memo.dependencies(_text(listed))]
            memo.keep(key, one.output, said, files, self.started)
            self.files += files
        return code

    def _report_link(self, results: Sequence[Result]) -> int:
        linked = [result for result in results if result.step in self.plan.link_steps]
        self._say(diagnostics.merged([result.stdout + result.stderr for result in linked]))
        return next((result.returncode for result in linked if result.returncode), 0)

    def _remembered(self) -> Made | None:
        """The one output of the command with all its files, if they are all known."""
        if not self.files or self.command.precompiled:
            return None
        if self.plan.link is None and (self.plan.device_link or len(self.plan.sources) != 1):
            return None
        sources = [one.source.path for one in self.plan.sources]
        files = [*sources, *self.files]
        output = self.plan.sources[0].output
        if self.plan.link is not None:
            listed = self.folder / host.LINK_DEPENDENCIES
            if not listed.exists():
                return None
            made_here = str(self.folder)
            files += [name for name in memo.dependencies(_text(listed)) if not name.startswith(made_here)]
            output = self.plan.link.outputs[0]
        return Made(str(output), "".join(self.said), files, self.chosen.clang[0])
