"""Rule: the compute type of a matrix product. cuBLAS also takes a data type there, hipBLAS 3 does not."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from .source import Source, Span

__all__ = ["port_compute_type"]

_TABLE = Path(__file__).with_name("compute_types.tsv")
_DATA_TYPES = (b"cudaDataType", b"cudaDataType_t")
_DECLARATION_TOKENS = 64
_BEFORE_NAME = (b",", b"*", b"&")
_TEXT = "hipBLAS wants a hipblasComputeType_t here; this is a data type: declare it as the former"


@lru_cache(maxsize=1)
def _rows() -> dict[bytes, bytes]:
    lines = [line for line in _TABLE.read_bytes().splitlines() if line and not line.startswith(b"#")]
    return dict(line.split(b"\t", 1) for line in lines[1:])


def port_compute_type(source: Source, index: int, span: Span) -> bool:
    """Write the compute type of a matrix product, or report a variable that is declared as a data type.

    Args:
        source: the file; changed in place.
        index: the function's name.
        span: the argument.

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
    if _is_data_type(source, word):
        source.note(index, "call", source.tokens[index], f"{word.decode('utf-8', 'replace')}: {_TEXT}")
    return False


def _is_data_type(source: Source, variable: bytes) -> bool:
    """True if the file declares the variable so, alone or in a list."""
    for index, token in enumerate(source.tokens):
        if token not in _DATA_TYPES:
            continue
        for at in range(index + 1, min(len(source.tokens), index + _DECLARATION_TOKENS)):
            if source.tokens[at] in (b";", b")", b"{", b"("):
                break
            if source.tokens[at] == variable:
                return source.text(source.before(at)) in (token, *_BEFORE_NAME)
    return False
