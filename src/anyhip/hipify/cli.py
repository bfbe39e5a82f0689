"""The commands hipify-perl, hipify-clang, hipexamine and hipconvertinplace."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ..errors import AnyHipError, ToolchainError, UsageError, outcome
from . import files
from .options import CLANG, PERL, TREE, Arguments, Option, help_text, parse
from .port import Ported, PortOptions, port_source
from .report import Statistics, write_notes, write_statistics

__all__ = ["HIP_VERSION", "main_clang", "main_convert", "main_examine", "main_perl"]

HIP_VERSION = "7.2.0"
_CLANG_NOTE = (
    "Asks clang what each name is: the program's own stay, whatever they are called. No CUDA SDK is needed.\n"
    "What stands after -- goes to clang (-I, -D, -std and their like). Unlike hipify-perl it adds\n"
    "hip_runtime.h to every file without it."
)
_Engine = Callable[[Path, bytes, PortOptions], Ported]
_FILTERS = {"all": files.SOURCES | files.HEADERS, "sources": files.SOURCES, "headers": files.HEADERS}


def main_perl(argv: Sequence[str] | None = None) -> int:
    """`hipify-perl [options] FILE...`: the result goes to stdout, warnings to stderr.

    Args:
        argv: words after the program's name; sys.argv's if None.

    Returns:
        0, 1 if a file could not be read or written, 2 for a wrong command line.
    """
    return _run("hipify-perl", "[options] FILE...", PERL, argv, _perl)


def main_clang(argv: Sequence[str] | None = None) -> int:
    """`hipify-clang [options] FILE... [-- compiler options]`: the result goes to FILE.hip.

    Args, returns: as main_perl.
    """
    return _run("hipify-clang", "[options] FILE... [-- compiler options]", CLANG, argv, _clang, _CLANG_NOTE)


def main_examine(argv: Sequence[str] | None = None) -> int:
    """`hipexamine FOLDER [options]`: statistics of a tree; nothing is written.

    Args, returns: as main_perl.
    """
    return _run("hipexamine", "FOLDER [options]", TREE, argv, _examine)


def main_convert(argv: Sequence[str] | None = None) -> int:
    """`hipconvertinplace FOLDER [options]`: port a tree in place, with .prehip backups.

    Args, returns: as main_perl.
    """
    return _run("hipconvertinplace", "FOLDER [options]", TREE, argv, _convert)


def _run(
    program: str,
    usage: str,
    options: Sequence[Option],
    argv: Sequence[str] | None,
    command: Callable[[str, Arguments], int],
    more: str = "",
) -> int:
    def body() -> int:
        arguments = parse(sys.argv[1:] if argv is None else argv, options, program)
        if "help" in arguments.switches:
            sys.stdout.write(help_text(program, usage, options, more))
            return 0
        if "version" in arguments.switches:
            sys.stdout.write(f"HIP version {HIP_VERSION}\n")
            return 0
        return command(program, arguments)

    return outcome(program, body)


def _port_options(arguments: Arguments, runtime_include: str) -> PortOptions:
    as_clang = runtime_include == "always"
    return PortOptions(
        roc="roc" in arguments.switches,
        hipdnn=True,
        experimental="experimental" in arguments.switches,
        hip_launch="hip-kernel-execution-syntax" in arguments.switches,
        runtime_include=runtime_include,
        whitelist=arguments.names("whitelist"),
        expand_launches=as_clang,
        rocm6="rocm6" in arguments.switches or (as_clang and "rocm7" not in arguments.switches),
        miopen="miopen" in arguments.switches,
        skip_excluded="skip-excluded-preprocessor-conditional-blocks" in arguments.switches,
        defines=frozenset(value.partition("=")[0] for value in arguments.values.get("D", [])),
    )


def _perl(program: str, arguments: Arguments) -> int:
    outputs = arguments.values.get("o", [])
    _check_inputs(program, arguments, outputs)

    def put(path: Path, data: bytes) -> None:
        if outputs:
            files.write(Path(outputs[-1]), data)
        else:
            sys.stdout.buffer.write(data)

    excluded = arguments.names("exclude-files")
    folders = arguments.names("exclude-dirs")

    def wanted(path: Path) -> bool:
        if path.name in excluded or str(path) in excluded:
            return False
        return not folders & {*path.parts[:-1], str(path.parent)}

    return _each(program, filter(wanted, map(Path, arguments.inputs)), arguments, put, "auto")


def _clang(program: str, arguments: Arguments) -> int:
    if {"md", "csv"} & arguments.switches:
        return _catalogue(program, arguments)
    outputs = arguments.values.get("o", [])
    _check_inputs(program, arguments, outputs)
    folder = arguments.values.get("o-dir", [])

    def put(path: Path, data: bytes) -> None:
        beside = Path(folder[-1]) / f"{path.name}.hip" if folder else path.with_name(f"{path.name}.hip")
        files.write(Path(outputs[-1]) if outputs else beside, data)

    def port(path: Path, data: bytes, options: PortOptions) -> Ported:
        return _exactly(program, path, data, options, arguments)

    engine = _by_tokens if "no-clang" in arguments.switches else port
    return _each(program, [Path(name) for name in arguments.inputs], arguments, put, "always", engine)


def _catalogue(program: str, arguments: Arguments) -> int:
    from .catalogue import FORMATS, ROC, write_catalogue

    form = arguments.values.get("doc-format", [FORMATS[0]])[-1]
    roc = arguments.values.get("doc-roc", [ROC[0]])[-1]
    for value, known in ((form, FORMATS), (roc, ROC)):
        if value not in known:
            raise UsageError(f"{program}: unknown kind of tables {value}", f"choose {', '.join(known)}")
    folder = Path(arguments.values.get("o-dir", ["."])[-1])
    for suffix in sorted({"md", "csv"} & arguments.switches):
        write_catalogue(folder, suffix, form, roc)
    return 0


def _by_tokens(path: Path, data: bytes, options: PortOptions) -> Ported:
    return port_source(data, str(path), options)


def _exactly(program: str, path: Path, data: bytes, options: PortOptions, arguments: Arguments) -> Ported:
    """Port with clang's knowledge; by tokens, and saying so, where clang cannot help."""
    from .compiler_words import compiler_words
    from .exact import port_exactly

    try:
        ported, errors, first = port_exactly(path, compiler_words(arguments, path), options, data)
    except ToolchainError as error:
        sys.stderr.write(f"{program}: note: {path}: ported by its tokens alone: {error}\n")
        return _by_tokens(path, data, options)
    if errors and "quiet-warnings" not in arguments.switches:
        what = f"clang found {errors} error{'s' * (errors > 1)} (the first: {first})"
        sys.stderr.write(
            f"{program}: note: {path}: {what}; names that it could not tell went by their tokens\n"
        )
    return ported


def _examine(program: str, arguments: Arguments) -> int:
    arguments.switches |= {"no-output", "print-stats"}
    return _tree(program, arguments)


def _convert(program: str, arguments: Arguments) -> int:
    arguments.switches |= {"inplace", "print-stats"}
    return _tree(program, arguments)


def _tree(program: str, arguments: Arguments) -> int:
    if len(arguments.inputs) != 1:
        raise UsageError(f"{program}: name one folder", f"{program} FOLDER")
    choice = arguments.values.get("filter", ["all"])[-1]
    if choice not in _FILTERS:
        raise UsageError(f"{program}: unknown filter {choice}", "choose all, headers or sources")
    excluded = arguments.names("exclude-files")
    found = files.find(Path(arguments.inputs[0]), _FILTERS[choice], arguments.names("exclude-dirs"))

    def put(path: Path, data: bytes) -> None:
        raise AssertionError(f"a tree is ported in place or not at all: {path}")

    return _each(program, (path for path in found if path.name not in excluded), arguments, put, "auto")


def _check_inputs(program: str, arguments: Arguments, outputs: list[str]) -> None:
    if not arguments.inputs:
        raise UsageError(f"{program}: no input file", f"{program} FILE; - reads standard input")
    if outputs and len(arguments.inputs) > 1:
        raise UsageError(f"{program}: -o with several input files", "port one file a call, or use -inplace")


def _each(
    program: str,
    inputs: Iterable[Path],
    arguments: Arguments,
    put: Callable[[Path, bytes], None],
    runtime_include: str,
    engine: _Engine | None = None,
) -> int:
    """Port file after file; a file that fails does not stop the others."""
    options = _port_options(arguments, runtime_include)
    total, done, failed = Statistics(), 0, 0
    for path in inputs:
        try:
            statistics = _one(path, arguments, options, put, engine or _by_tokens)
        except AnyHipError as error:
            sys.stderr.write(f"{program}: error: {error}\n")
            failed = max(failed, error.exit_code)
            continue
        done += 1
        total.merge(statistics)
        if _wants_statistics(arguments) and (statistics.converted or statistics.warnings):
            write_statistics(statistics, str(path), sys.stderr)
    if done > 1 and _wants_statistics(arguments):
        write_statistics(total, "GLOBAL", sys.stderr)
    return failed


def _wants_statistics(arguments: Arguments) -> bool:
    return bool({"examine", "print-stats"} & arguments.switches)


def _one(
    path: Path,
    arguments: Arguments,
    options: PortOptions,
    put: Callable[[Path, bytes], None],
    engine: _Engine,
) -> Statistics:
    in_place = "inplace" in arguments.switches
    silent = bool({"examine", "no-output"} & arguments.switches)
    origin = path
    if in_place and not silent and "no-backup" not in arguments.switches:
        origin = files.backup(path)
    data = sys.stdin.buffer.read() if str(path) == "-" else files.read(origin)
    ported = engine(path, data, options)
    if "quiet-warnings" not in arguments.switches:
        write_notes(ported, str(path), sys.stderr, options.whitelist)
    if not silent:
        (files.write if in_place else put)(path, ported.text)
    statistics = Statistics()
    statistics.add(ported, data.count(b"\n"))
    _statistics_file(path, ported, arguments)
    return statistics


def _statistics_file(path: Path, ported: Ported, arguments: Arguments) -> None:
    if "print-stats-csv" not in arguments.switches:
        return
    rows = ["CUDA name,HIP name,count"]
    rows += [f"{cuda},{hip},{count}" for (cuda, hip), count in sorted(ported.renamed.items())]
    files.write(path.with_name(f"{path.name}.hip.csv"), ("\n".join(rows) + "\n").encode())
