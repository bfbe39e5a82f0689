"""Rule: the compute type of a matrix product. cuBLAS also takes a data type there, hipBLAS 3 does not."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path

from .. import tables
from .lexer import IDENTIFIER, kind
from .source import Source, Span

__all__ = ["DataTypes", "port_compute_type"]

_TABLE = Path(__file__).with_name("compute_types.tsv")
_DATA_TYPES = (b"cudaDataType", b"cudaDataType_t")
_MOST_NAMES = 32
_BEFORE_NAME = (b",", b"*", b"&")
_TEXT = "hipBLAS wants a hipblasComputeType_t here; this is a data type: declare it as the former"


@lru_cache(maxsize=1)
def _rows() -> dict[bytes, bytes]:
    rows = tables.read(_TABLE)
    return {row["cuda_name"].encode(): row["hip_name"].encode() for row in rows}


class DataTypes:
    """The variables that a file declares as data types."""

    def __init__(self, source: Source) -> None:
        self._source = source

    @cached_property
    def names(self) -> frozenset[bytes]:
        """Their names."""
        return frozenset(self._find())

    def _find(self) -> Iterator[bytes]:
        tokens = self._source.tokens
        for index, token in enumerate(tokens):
            if token not in _DATA_TYPES:
                continue
            at = before = index
            for _ in range(_MOST_NAMES):  # a declaration may name several
                before, at = at, self._source.after(at)
                if self._source.text(at) in (b";", b")", b"{", b"(", b""):
                    break
                if self._source.text(before) in (token, *_BEFORE_NAME) and kind(tokens[at]) == IDENTIFIER:
                    yield tokens[at]


def port_compute_type(source: Source, index: int, span: Span, types: DataTypes) -> bool:
    """Write the compute type of a matrix product, or report a variable that is declared as a data type.

    Args:
        source: the file; changed in place.
        index: the function's name.
        span: the argument.
        types: what the file declares.

    Returns:
        True if the argument changed.
    """
    if span[1] - span[0] != 1:
        return False
    word = source.tokens[span[0]]
    new = _rows().get(word)
    if new is not None:
        source.replace(span, new)
        return True
    if word in types.names:
        source.note(index, "call", source.tokens[index], f"{word.decode('utf-8', 'replace')}: {_TEXT}")
    return False
