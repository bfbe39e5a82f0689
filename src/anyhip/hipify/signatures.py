"""Rule: calls in a later CUDA's form, told by how many arguments they have; access between GPUs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from .. import tables
from .source import Source

__all__ = ["PEER", "names", "report_signatures"]

_TABLE = Path(__file__).with_name("signatures.tsv")
PEER = frozenset({b"cudaDeviceEnablePeerAccess", b"cuCtxEnablePeerAccess", b"cudaDeviceGetP2PAttribute",
                  b"cuDeviceGetP2PAttribute"})  # fmt: skip
"""Calls after which GPUs reach each other's memory, or that ask how well."""
_PEER_TEXT = (
    "works as in CUDA where the link is xGMI or PCIe with a large BAR; what CUDA says of NVLink"
    " (bandwidth ranks, native atomics) need not hold there"
)


@lru_cache(maxsize=1)
def _rows() -> dict[tuple[bytes, int], tuple[str, str]]:
    rows = tables.read(_TABLE)
    return {(row["name"].encode(), int(row["arguments"])): (row["kind"], row["message"]) for row in rows}


def names() -> frozenset[bytes]:
    """The functions that the table names."""
    return frozenset(name for name, _ in _rows())


def report_signatures(source: Source, hits: Iterable[int]) -> None:
    """Report calls that HIP has with other arguments, and calls that depend on the link between GPUs.

    Args:
        source: the file; gets notes.
        hits: tokens in `names()` or `PEER`.
    """
    for index in hits:
        name = source.tokens[index]
        if name in PEER:
            source.note(index, "peer", name, _PEER_TEXT)
        elif (call := source.arguments(index)) is not None and (name, len(call[1])) in _rows():
            source.note(index, _rows()[name, len(call[1])][0], name, _rows()[name, len(call[1])][1])
