"""The exact engine: clang says which names are the program's own, and those stay.

Sources and the headers they include are ported by tokens into a folder of their own, and clang parses them
there against AnyHIP's HIP headers: no CUDA SDK is needed, and a renamed program means what it meant before.
From clang's syntax tree comes, for every name that was renamed, whether it refers to a declaration in the
program's own files: a local variable, a member, a function that only shares its name with one of CUDA's. Then
the files are ported again with those tokens left alone. Where clang cannot tell (branches not compiled,
broken code, libraries without headers), a name follows what is known of its others, else the tokens decide.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from .. import toolchain
from ..errors import ToolchainError
from . import files
from .ast_dump import Fact, facts
from .lexer import IDENTIFIER, kind
from .names import table
from .port import Ported, PortOptions, analyse, port_source
from .program import included_files
from .source import Source

__all__ = ["Exact", "port_exactly"]

_INCLUDE = Path(__file__).resolve().parent.parent / "include"
_PARSING = PortOptions(runtime_include="never", experimental=True)
# Options for a compiler that mean something to a parse, and those that take a word.
_KEPT = ("-I", "-D", "-U", "-std=", "-include", "-isystem", "-iquote", "-f", "-stdlib=")
_WITH_VALUE = ("-I", "-D", "-U", "-include", "-isystem", "-iquote")
# Their names are not CUDA's: they are declared by what is ported, and get their HIP names there, too.
_FRAMEWORKS = ("caffe2",)
_NAMESPACED = (*_FRAMEWORKS, "cub", "thrust", "device")


class Exact(NamedTuple):
    """The ported file, how many errors clang found in it, and the first of them."""

    ported: Ported
    errors: int
    first_error: str


@dataclass
class _File:
    """A file of the program: its text, its twin for clang, and what was learned about its tokens."""

    text: bytes
    source: Source
    twin: Path
    own: dict[int, bool] = field(default_factory=dict)
    said: dict[tuple[str, bytes], set[bool]] = field(default_factory=dict)


def port_exactly(
    source: Path, words: Sequence[str] = (), options: PortOptions | None = None, text: bytes | None = None
) -> Exact:
    """Port one source with clang's knowledge of its names.

    Args:
        source: the file.
        words: compiler options of the program (-I, -D, -std and their like; others are ignored).
        options: how to port.
        text: its text, if not what the file holds.

    Raises:
        AnyHipError: the source cannot be read.
        ToolchainError: there is no compiler, or it gave no syntax tree.
    """
    options = options or PortOptions()
    source = Path(os.path.normpath(source.absolute()))
    kept = _parse_options(words)
    roots = [Path(value).absolute() for option, value in kept if option in ("-I", "-isystem", "-iquote")]
    with tempfile.TemporaryDirectory(prefix="anyhip-exact-") as folder:
        program = _twins(source, text, roots, Path(os.path.realpath(folder)))
        if source not in program:  # UTF-16
            return Exact(port_source(text or files.read(source), str(source), options), 0, "")
        errors, first = _ask(program, source, kept, Path(os.path.realpath(folder)))
    one = program[source]
    own = options.own | _own_tokens(one)
    return Exact(port_source(one.text, str(source), replace(options, own=own)), errors, first)


def _parse_options(words: Sequence[str]) -> list[tuple[str, str]]:
    """The options that matter to a parse, each with its value ("" where it has none)."""
    kept, rest = [], list(words)
    while rest:
        word = rest.pop(0)
        option = next((name for name in _WITH_VALUE if word.startswith(name)), "")
        if option and len(word) > len(option):
            kept.append((option, word[len(option) :]))
        elif option and rest:
            kept.append((option, rest.pop(0)))
        elif word.startswith(_KEPT):
            kept.append((word, ""))
    return kept


def _twins(source: Path, text: bytes | None, roots: Sequence[Path], folder: Path) -> dict[Path, _File]:
    """The source and every file of the program that it includes, ported by tokens into `folder`."""
    program: dict[Path, _File] = {}
    waiting = [source]
    while waiting:
        path = waiting.pop()
        if path in program:
            continue
        data = text if path == source and text is not None else files.read(path)
        analysed = analyse(data, _PARSING)
        if analysed is None:
            continue
        program[path] = _File(data, analysed, folder / path.relative_to(path.anchor))
        waiting += included_files(data, path, roots)
    for one in program.values():
        files.make_folder(one.twin.parent)
        one.twin.write_bytes(one.source.result())
    return program


def _ask(
    program: Mapping[Path, _File], source: Path, kept: Sequence[tuple[str, str]], folder: Path
) -> tuple[int, str]:
    """Let clang parse the twins and note what it says about their tokens; its number of errors."""
    stubs = _stubs(folder)
    argv = [*toolchain.find().clang, "-x", "hip", "--cuda-host-only", "--offload-arch=gfx942"]
    argv += ["-nogpuinc", "-nogpulib", "-D__HIP_PLATFORM_AMD__=1", "-isystem", str(_INCLUDE)]
    argv += toolchain.find().cxx_flags
    for option, value in kept:
        if option in ("-I", "-isystem", "-iquote"):
            path = Path(value).absolute()
            twin = folder / path.relative_to(path.anchor)
            argv += [option + str(twin)] if twin.is_dir() and option == "-I" else []
        argv += [option, value] if value else [option]
    argv += ["-iquote", str(source.parent), "-idirafter", str(stubs), "-include", "hip/hip_runtime.h"]
    argv += ["-fsyntax-only", "-w", "-ferror-limit=0", "-fno-color-diagnostics", "-fno-caret-diagnostics"]
    argv += ["-Xclang", "-ast-dump", str(program[source].twin)]
    by_twin = {os.fsencode(os.path.normpath(one.twin)): one for one in program.values()}
    places = {path: _Places(one.source) for path, one in by_twin.items()}
    with tempfile.TemporaryFile() as talk:
        with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=talk) as clang:
            assert clang.stdout is not None
            count = 0
            for fact in facts(clang.stdout, frozenset(by_twin)):
                count += 1
                _learn(by_twin[fact.end.path], places[fact.end.path], fact)
        talk.seek(0)
        said = talk.read()
    if clang.returncode not in (0, 1) or (clang.returncode and not count):
        raise ToolchainError(f"clang gave no syntax tree for {source}: {_first_error(said)}", "")
    return said.count(b" error: "), _first_error(said).replace(str(folder), "", 1)


def _first_error(said: bytes) -> str:
    lines = [line for line in said.decode("utf-8", "replace").splitlines() if " error: " in line]
    return lines[0] if lines else ""


def _stubs(folder: Path) -> Path:
    """Empty headers for libraries that have none here, so that clang reads on after their includes."""
    place = folder / "stubs"
    names = table()
    for name in list(names.raw):
        if not name.endswith((b".h", b".hpp", b".cuh")):
            continue
        for path in {names[name].hip_name or names[name].cuda_name}:
            if not (_INCLUDE / path).exists():
                (place / path).parent.mkdir(parents=True, exist_ok=True)
                (place / path).touch()
    return place


class _Places:
    """From a place in a twin to the token of the source that stands there."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._starts = [0, *accumulate(map(len, source.out))]
        text = source.result()
        self._lines = [0, *(match.end() for match in re.finditer(rb"\n", text))]

    def token(self, line: int, col: int) -> int:
        """Index of the token at a line and column."""
        if not 1 <= line <= len(self._lines):
            return -1
        # Of tokens that became empty and the one after them, the last starts there.
        return bisect_right(self._starts, self._lines[line - 1] + col - 1) - 1

    def named(self, fact: Fact) -> int:
        """The token that a fact is about, or -1."""
        last = self.token(fact.end.line, fact.end.col)
        first = self.token(fact.start.line, fact.start.col) if fact.start.path == fact.end.path else last
        for index in range(min(last, len(self.source.out) - 1), max(first, last - 64) - 1, -1):
            if self.source.out[index] == fact.name:
                return index
        return -1


def _learn(one: _File, places: _Places, fact: Fact) -> None:
    index = places.named(fact)
    if index < 0 or index not in one.source.candidates:
        return
    if table()[one.source.tokens[index]].library in _FRAMEWORKS:
        return
    one.said.setdefault((fact.kind, one.source.tokens[index]), set()).add(fact.own)
    # A macro's body can mean different things at its uses; one of CUDA's among them decides.
    one.own[index] = fact.own and one.own.get(index, True)


def _own_tokens(one: _File) -> frozenset[int]:
    """The tokens of a file that are to be left alone."""
    own = {index for index, mine in one.own.items() if mine}
    own |= {index for index in one.source.candidates if index not in one.own and _is_likely_own(one, index)}
    return frozenset(own)


def _is_likely_own(one: _File, index: int) -> bool:
    """Whether a token of which clang said nothing is the program's own, by what it said of others.

    It says nothing of types in declarations, of members that a constructor's list names, nor of branches that
    are not compiled.
    """
    source, name = one.source, one.source.tokens[index]
    before, after = source.text(source.before(index)), source.text(source.after(index))
    if before in (b".", b"->") or (before in (b":", b",") and after in (b"(", b"{")):
        return True in one.said.get(("member", name), ())
    if ("type", name) in one.said or _is_qualified(source, index):
        return True
    return one.said.get(("value", name)) == {True}


def _is_qualified(source: Source, index: int) -> bool:
    """True for `ours::cudaFree`: CUDA's names are global, apart from those of its C++ libraries."""
    before = source.before(index)
    if source.text(before) != b"::" or kind(source.text(source.before(before))) != IDENTIFIER:
        return False
    return table()[source.tokens[index]].library not in _NAMESPACED
