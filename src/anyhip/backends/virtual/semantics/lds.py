"""LDS instructions that are neither plain accesses nor atomics, as data."""

from __future__ import annotations

__all__ = ["exchange_strides"]


def exchange_strides(name: str) -> tuple[int, int]:
    """Of ``ds_wrxchg2*``: bytes that a unit of its offsets stands for, and bits of an element."""
    bits = 64 if name.endswith("b64") else 32
    return bits // 8 * (64 if "st64" in name else 1), bits
