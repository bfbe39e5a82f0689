"""Port a program: its source files and the CUDA headers that they include, into a folder of its own.

A header is followed where a compiler would find it: beside the including file for `#include "…"`, then in
the include folders. What lies elsewhere is a system header and stays. Files keep their places relative to
each other, so that relative includes and files that a program opens at compile time still resolve.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from . import files
from .lexer import include_path, tokenize
from .port import Ported, PortOptions, port_source

__all__ = ["PortedProgram", "included_files", "port_program"]


@dataclass
class PortedProgram:
    """Where the ported program is and what became of each file.

    sources: the ported sources, in the order given; include_dirs: to compile with, each folder's ported
    twin before the folder itself; files: the result for every file that was read, by its original path;
    places: where each was written.
    """

    sources: list[Path]
    include_dirs: list[Path]
    files: dict[Path, Ported] = field(default_factory=dict)
    places: dict[Path, Path] = field(default_factory=dict)


def port_program(
    sources: Sequence[Path],
    include_dirs: Sequence[Path],
    folder: Path,
    options: PortOptions | None = None,
) -> PortedProgram:
    """Port sources and the headers they include.

    Args:
        sources: files to port; their suffix `.cu` becomes `.hip` unless another file includes them.
        include_dirs: where headers are sought, in order (the compiler's -I).
        folder: where to write; made if absent.
        options: how to port.

    Returns:
        The ported program.

    Raises:
        AnyHipError: a source cannot be read, or the folder cannot be written.
    """
    roots = [_absolute(path) for path in include_dirs]
    originals = [_absolute(path) for path in sources]
    ported, included = _port_closure(originals, roots, options)
    common = Path(os.path.commonpath([str(path.parent) for path in ported]))

    def place(path: Path) -> Path:
        own_name = path in included or path.suffix != ".cu"
        return folder / (path if own_name else path.with_suffix(".hip")).relative_to(common)

    for path, result in ported.items():
        files.make_folder(place(path).parent)
        files.write(place(path), result.text)
    places = {path: place(path) for path in ported}
    program = PortedProgram([places[path] for path in originals], [], ported, places)
    for root in roots:
        twin = folder / root.relative_to(common) if root.is_relative_to(common) else None
        program.include_dirs += [twin, root] if twin is not None and twin.is_dir() else [root]
    return program


def _absolute(path: Path) -> Path:
    return Path(os.path.normpath(path.absolute()))


def _port_closure(
    sources: Sequence[Path], roots: Sequence[Path], options: PortOptions | None
) -> tuple[dict[Path, Ported], set[Path]]:
    """Every file that is reached, ported; and those that are included."""
    done: dict[Path, Ported] = {}
    included: set[Path] = set()
    waiting = list(sources)
    while waiting:
        path = waiting.pop(0)
        if path in done:
            continue
        text = files.read(path)
        done[path] = port_source(text, str(path), options)
        found = included_files(text, path, roots)
        included.update(found)
        waiting += found
    return done, included


def included_files(text: bytes, path: Path, roots: Sequence[Path]) -> list[Path]:
    """The files of the program that a file includes.

    Args:
        text: the file's text.
        path: the file.
        roots: include folders, in order.
    """
    found = []
    for token in tokenize(text):
        if token[:1] != b"#" or (parts := include_path(token)) is None:
            continue
        _, quote, name = parts
        for place in ([path.parent] if quote == b'"' else []) + list(roots):
            candidate = _absolute(place / os.fsdecode(name))
            if candidate.is_file():
                found.append(candidate)
                break
    return found
