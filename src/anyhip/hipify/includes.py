"""Rule: CUDA's headers become HIP's; one hip_runtime.h a file, in its right place.

nvcc reads cuda_runtime.h before every file it compiles, so CUDA sources may use everything without an
include. HIP compilers do not promise that: a file that needs the runtime and includes nothing that
brings it gets `#include <hip/hip_runtime.h>`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .lexer import code_like, include_path
from .names import Name, table
from .settings import PortOptions
from .source import Source

__all__ = ["RUNTIME_HEADER", "add_runtime_include", "port_includes", "runtime_included"]

RUNTIME_HEADER = b"hip/hip_runtime.h"
_OPENING = {b"if", b"ifdef", b"ifndef"}
_SWITCHING = {b"elif", b"elifdef", b"elifndef", b"else"}
# Every header of the CUB tree is brought by hipCUB's only public one (hipCUB documentation, "API").
_CUB = (b"cub/", b"hipcub/hipcub.hpp")
_THRUST = (b"thrust/system/cuda/", b"thrust/system/hip/")


@dataclass
class _Branches:
    """Where in nested #if branches the reader is."""

    path: list[int] = field(default_factory=list)
    opened: int = 0

    def follow(self, word: bytes) -> None:
        """Read a directive."""
        if word in _OPENING:
            self.opened += 1
            self.path.append(self.opened)
        elif word in _SWITCHING and self.path:
            self.opened += 1
            self.path[-1] = self.opened
        elif word == b"endif" and self.path:
            self.path.pop()

    def inside(self, other: tuple[int, ...]) -> bool:
        """True if whatever is compiled here was preceded by code at `other`."""
        return tuple(self.path[: len(other)]) == other


def _word(directive: bytes) -> bytes:
    return directive[1:].lstrip(b" \t")


def _target(path: bytes, options: PortOptions) -> tuple[bytes | None, Name | None]:
    """New path (b"" to drop the line, None to leave it) and the row that says so."""
    names = table(options.overlays)
    if path in names.raw and names[path].kind == "include":
        row = names[path]
        new = row.target(options.names_own(row.library), options.experimental).encode()
        return (new if new or row.status == "dropped" else None), row
    if path.startswith(_CUB[0]) and not options.roc:
        return _CUB[1], None
    if path.startswith(_THRUST[0]):
        return path.replace(*_THRUST), None
    return None, None


def _drop_line(source: Source, index: int) -> None:
    """Remove an include; with its line end if the line holds nothing else."""
    source.out[index] = b""
    before, after = source.text(index - 1), source.text(index + 1)
    alone = index == 0 or (before.isspace() and b"\n" in before) or (before.isspace() and index == 1)
    if alone and (after == b"" or (after.isspace() and b"\n" in after)):
        source.out[index - 1] = source.out[index - 1].rstrip(b" \t") if index else b""
        source.out[index + 1 : index + 2] = [after[after.find(b"\n") + 1 :]] if after else []


def port_includes(source: Source, options: PortOptions) -> None:
    """Map, merge and drop the includes of a file.

    Args:
        source: the file; changed in place.
        options: how to port.
    """
    branches = _Branches()
    seen: dict[bytes, list[tuple[int, ...]]] = {}
    for index in source.directives:
        token = source.tokens[index]
        parts = include_path(token)
        if parts is None:
            branches.follow(_word(token))
            continue
        directive, quote, path = parts
        new, row = _target(path, options)
        if new is None:
            if row is not None:
                source.note(
                    index,
                    "unsupported",
                    path,
                    f"header {row.cuda_name} has no HIP counterpart" + (f": {row.note}" if row.note else ""),
                )
            if not path.startswith(b"hip"):
                continue
            new = path
        elif new == b"" or any(branches.inside(where) for where in seen.get(new, ())):
            _drop_line(source, index)
            source.counts["include"] += 1
            continue
        else:
            source.out[index] = directive + quote + new + (b">" if quote == b"<" else b'"')
            source.counts[row.group if row else "include"] += 1
            source.renamed[path.decode("utf-8", "replace"), new.decode("utf-8", "replace")] += 1
        seen.setdefault(new, []).append(tuple(branches.path))


def runtime_included(source: Source) -> bool:
    """True if the ported file includes hip_runtime.h, in any branch of an #if."""
    return any(RUNTIME_HEADER in source.out[index] for index in source.directives)


def _guard_end(source: Source, index: int) -> int:
    """Token after the include guard that starts at or after `index`, else `index`."""
    at = index if index < len(source.tokens) and code_like(source.tokens[index]) else source.after(index)
    if source.text(at)[:1] != b"#":
        return index
    word = _word(source.text(at))
    if word == b"pragma" and source.text(source.after(at)) == b"once":
        return source.after(at) + 1
    if word == b"ifndef":
        name = source.after(at)
        define = source.after(name)
        if _word(source.text(define)) == b"pragma" and source.text(source.after(define)) == b"once":
            return name + 1
        if _word(source.text(define)) == b"define" and source.text(source.after(define)) == source.text(name):
            return source.after(define) + 1
    return index


def _line_end(source: Source, index: int) -> int:
    """The first white-space token at or after `index` that ends the line."""
    while index < len(source.tokens) and b"\n" not in source.tokens[index]:
        index += 1
    return index


def add_runtime_include(source: Source) -> None:
    """Insert `#include <hip/hip_runtime.h>` after the include guard, before the first include.

    The line goes in front of any #if that surrounds the first include, so that it always counts.
    """
    line = b"#include <" + RUNTIME_HEADER + b">" + source.newline
    start = _guard_end(source, 0)
    if start:
        at = _line_end(source, start)
        if at == len(source.tokens):
            source.out[-1] += source.newline + line
            return
        head, _, tail = source.out[at].partition(b"\n")
        source.out[at] = head + b"\n" + line + tail
        return
    at = source.after(-1)
    depth_at: list[int] = []
    for index in source.directives:
        token = source.tokens[index]
        word = _word(token)
        if word in _OPENING:
            depth_at.append(index)
        elif word == b"endif" and depth_at:
            depth_at.pop()
        elif include_path(token) is not None:
            at = depth_at[0] if depth_at else index
            break
    if at < len(source.tokens):
        source.out[at] = line + source.out[at]
    else:
        source.out.append(line)
