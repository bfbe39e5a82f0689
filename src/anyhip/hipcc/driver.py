"""hipcc: a command line in; objects, executables and clang's own messages out."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from anyhip import config, toolchain
from anyhip.errors import AnyHipError
from anyhip.hipcc import diagnostics, memo, options, plan, steps
from anyhip.hipcc.options import Command
from anyhip.hipcc.plan import Plan, SourcePlan
from anyhip.hipcc.steps import Result
from anyhip.toolchain import Toolchain

__all__ = ["HIP_VERSION", "Outcome", "build", "compile_command", "main"]

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


def main(argv: Sequence[str], runtime_dir: Callable[[], Path]) -> int:
    """Run hipcc.

    Args:
        argv: the words after the program's name.
        runtime_dir: gives the folder of libamdhip64.so.7; called only if something is linked.

    Returns:
        0, clang's exit code, or that of the error that was reported.
    """
    try:
        return compile_command(argv, runtime_dir)
    except AnyHipError as error:
        print(f"hipcc: error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130


def compile_command(argv: Sequence[str], runtime_dir: Callable[[], Path]) -> int:
    """Like :func:`main`, but what clang did not report itself is raised.

    Raises:
        UsageError, ToolchainError: see the messages.
    """
    command = options.parse(argv)
    if command.show:
        return _show(command)
    return build(command, runtime_dir).returncode


@dataclass(frozen=True)
class Outcome:
    """How a build ended: exit code, the steps that ran, the sources whose objects were in the cache."""

    returncode: int
    results: Sequence[Result] = ()
    cached: Sequence[str] = ()


def build(command: Command, runtime_dir: Callable[[], Path]) -> Outcome:
    """Plan and run a command; clang's messages go to stderr.

    Raises:
        UsageError, ToolchainError: see the messages.
    """
    chosen = toolchain.find(command.stdlib)
    folder = Path(tempfile.mkdtemp(prefix="hipcc-"))
    try:
        stdin = sys.stdin.read() if any(one.path == "-" for one in command.inputs) else ""
        made = plan.make(command, chosen, folder, runtime_dir, stdin)
        if command.dry_run or command.verbose or command.hipcc_verbose & 1:
            _print_commands(made, command, chosen)
        if command.dry_run:
            return Outcome(0)
        for number in range(len(made.sources)):
            (folder / str(number)).mkdir()
        return _run(command, chosen, made)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _show(command: Command) -> int:
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


def _run(command: Command, chosen: Toolchain, made: Plan) -> Outcome:
    """Run what is not in the cache, report, remember."""
    if made.link is not None:
        toolchain.prepare(chosen)
    keys = {index: _key(command, chosen, one) for index, one in enumerate(made.sources)}
    started = memo.now_ns()
    found = {index: entry for index, key in keys.items() if key and (entry := memo.find(key))}
    todo = [step for index, one in enumerate(made.sources) if index not in found for step in one.steps]
    for index, entry in found.items():
        shutil.copyfile(entry.object, made.sources[index].output)
        sys.stderr.write(entry.stderr)
    results = steps.run([*todo, *([made.link] if made.link else [])], command.jobs)
    code = 0
    for index, one in enumerate(made.sources):
        if index in found:
            continue
        said, failed = _report([result for result in results if result.step in one.steps])
        code = code or failed
        if not failed and keys[index]:
            _remember(keys[index], one, said, started)
    for result in results:
        if result.step.side == "link":
            sys.stderr.write(diagnostics.merged([result.stdout + result.stderr]))
            code = code or result.returncode
    return Outcome(code, results, [made.sources[index].source.path for index in found])


def _report(results: Sequence[Result]) -> tuple[str, int]:
    """Write what the passes over one source said; the text, and the first exit code that is not 0."""
    ordered = sorted(results, key=lambda result: result.step.side != "host")
    said = diagnostics.merged([result.stderr for result in ordered])
    sys.stderr.write(said)
    for result in results:
        sys.stdout.write(result.stdout)
    sys.stdout.flush()
    return said, next((result.returncode for result in ordered if result.returncode), 0)


def _key(command: Command, chosen: Toolchain, one: SourcePlan) -> str:
    """The key of a source's compile; empty when it cannot be remembered."""
    if command.mode not in ("link", "object") or command.emit_llvm or command.save_temps or command.verbose:
        return ""
    if one.source.path == "-" or one.dependency_output or not config.get_flag("ANYHIP_COMPILE_CACHE"):
        return ""
    words = [word for step in one.steps for word in step.argv]
    shown = [word.replace(str(one.steps[0].outputs[0].parent), "") for word in words]
    return memo.key_of(chosen.identity, shown, Path(one.source.path).read_bytes())


def _remember(key: str, one: SourcePlan, said: str, started: int) -> None:
    files: dict[str, None] = {}
    for listed in one.dependencies:
        files.update(dict.fromkeys(memo.dependencies(listed.read_text())))
    memo.keep(key, one.output, said, list(files), started)
