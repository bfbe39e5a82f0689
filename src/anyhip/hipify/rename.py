"""Rule: CUDA names become HIP names, one dictionary look-up a token.

Strings and comments are other tokens, so nothing in them is touched. A plain word that CUDA happens to
use as well (`cub`, `texture`, a device function's name) counts as CUDA's only in a place where it can be.
"""

from __future__ import annotations

import re

from .lexer import IDENTIFIER, STRING, include_path, kind
from .names import Name, table
from .settings import PortOptions
from .source import Source

__all__ = ["V2_ONLY", "rename", "rename_in_strings"]

_KEYWORDS = (b"return", b"else", b"do", b"case", b"throw", b"goto")
_NOT_CALLS = (b".", b"->")
_CUDA_WORD = re.compile(rb"\b(?:cu|CU)\w+")
_FIRST_BLAS_HEADERS = (b"cublas.h", b"hipblas/hipblas.h", b"hipblas.h")
_FIRST_BLAS = "the first cuBLAS API (cublas.h) has no handle argument; HIP has the calls of cublas_v2.h only"
V2_ONLY = "v2 API only"
"""The note of rows that hold for cublas_v2.h and not for cublas.h."""


def rename(source: Source, hits: list[int], options: PortOptions) -> None:
    """Rename what the maps name; note what they call unsupported, experimental or deprecated in HIP.

    Args:
        source: the file; changed in place.
        hits: tokens in `table().active`.
        options: how to port; names of its whitelist are left alone, without a note.
    """
    names = table(options.overlays)
    own = _declared(source, hits)
    includes = _include_paths(source)
    # hipblas.h: what a first porting left, a second one leaves, too.
    first_blas = not includes.isdisjoint(_FIRST_BLAS_HEADERS) and b"cublas_v2.h" not in includes
    caffe = b"caffe2" in source.tokens or any(path.startswith(b"caffe2/") for path in includes)
    for index in hits:
        token = source.tokens[index]
        row = names[token]
        if row.cuda_name in options.whitelist or not _is_cuda(source, index, row, own):
            continue
        if row.library == "caffe2" and not caffe:
            continue
        if first_blas and row.note == V2_ONLY:
            source.note(index, "unsupported", token, _FIRST_BLAS)
        else:
            _rename(source, index, row, options)


def _rename(source: Source, index: int, row: Name, options: PortOptions) -> None:
    new = row.target(options.names_own(row.library), options.experimental)
    if new:
        source.out[index] = new.encode()
        if new != row.cuda_name:
            source.counts[row.group] += 1
            source.renamed[row.cuda_name, new] += 1
        if row.status == "deprecated":
            message = f"{new} is deprecated in HIP {_since(row)}".rstrip()
            source.note(index, "deprecated", row.cuda_name, message)
    elif row.status == "dropped":
        if (
            source.text(source.before(index))[:1] == b"#"
        ):  # the program's own definition, or a question after it
            return
        _drop(source, index)
        source.counts[row.group] += 1
    else:
        _note_missing(source, index, row, options.names_own(row.library))


def _include_paths(source: Source) -> set[bytes]:
    """What the file includes: tells cuBLAS's two APIs and Caffe2's plain words apart from others."""
    return {parts[2] for index in source.directives if (parts := include_path(source.tokens[index]))}


def _drop(source: Source, index: int) -> None:
    """Remove a word and the blanks behind it."""
    source.out[index] = b""
    if index + 1 < len(source.tokens) and source.tokens[index + 1].strip(b" ") == b"":
        source.out[index + 1] = b""


def _since(row: Name) -> str:
    return next((version[2:] for version in row.since.split() if version.startswith("D:")), "")


def _note_missing(source: Source, index: int, row: Name, roc: bool) -> None:
    if row.status == "experimental":
        source.note(
            index,
            "experimental",
            row.cuda_name,
            f"{row.hip_name} is experimental in HIP; ask for it with -experimental",
        )
        return
    where = "AMD's own library" if roc and row.hip_name else "HIP"
    source.note(
        index,
        "macro" if row.library == "guards" else "unsupported",
        row.cuda_name,
        f"{where} has no counterpart of {row.cuda_name}" + (f": {row.note}" if row.note else ""),
    )


def _declared(source: Source, hits: list[int]) -> frozenset[bytes]:
    """Device-function names that the file declares itself: `int umin(int a, int b)`."""
    names = table()
    own = set()
    for index in hits:
        row = names[source.tokens[index]]
        if row.library != "device" or row.kind != "function":
            continue
        before = source.text(source.before(index))
        typed = kind(before) == IDENTIFIER and before not in _KEYWORDS
        if typed or (before in (b"*", b"&", b">") and _opens_body(source, index)):
            own.add(source.tokens[index])
    return frozenset(own)


def _opens_body(source: Source, index: int) -> bool:
    call = source.arguments(index)
    return call is not None and source.text(source.after(call[2])) == b"{"


def _is_cuda(source: Source, index: int, row: Name, own: frozenset[bytes]) -> bool:
    """Whether a token that is spelled like a CUDA name can be that name here."""
    token = source.tokens[index]
    if row.kind == "include":
        return False
    if row.kind == "namespace":
        return _is_namespace(source, index)
    if row.cuda_name == "texture":
        return source.text(source.after(index)) == b"<"
    if row.library == "device" and row.kind == "function":
        before = source.text(source.before(index))
        return token not in own and before not in _NOT_CALLS and source.text(source.after(index)) == b"("
    return True


def _is_namespace(source: Source, index: int) -> bool:
    """`cub::x`, `using namespace cub;`, `namespace x = cub;` or `namespace cub {`, but no variable `cub`."""
    before, after = source.before(index), source.text(source.after(index))
    if source.text(before) in _NOT_CALLS:
        return False
    alias = source.text(before) == b"=" and source.text(source.before(source.before(before))) == b"namespace"
    return after == b"::" or source.text(before) == b"namespace" or alias


def rename_in_strings(source: Source, options: PortOptions) -> None:
    """Rename CUDA names that stand as words in string literals (messages, mostly).

    Args:
        source: the file; changed in place.
        options: how to port.
    """
    names = table(options.overlays)

    def new_name(match: re.Match[bytes]) -> bytes:
        word = match.group()
        if word not in names.active or names[word].library == "device" or names[word].kind == "include":
            return word
        row = names[word]
        return row.target(options.names_own(row.library), options.experimental).encode() or word

    for index, token in enumerate(source.tokens):
        if token[-1:] == b'"' and len(token) > 4 and kind(token) == STRING:
            source.out[index] = _CUDA_WORD.sub(new_name, source.out[index])
