"""Directed rounding for the NumPy builder: the nearest result is moved where the exact one wants it.

Exact results are rational numbers, one lane after the other: slow, and with nothing in common with what the
translated code does.
"""

from __future__ import annotations

__all__ = ["toward"]

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from anyhip.backends.virtual.mode import DOWN, TOWARD_ZERO, UP

Array = Any
_EXACT: dict[str, Callable[..., Fraction]] = {
    "fadd": lambda a, b: a + b, "fsub": lambda a, b: a - b, "fmul": lambda a, b: a * b,
    "fdiv": lambda a, b: a / b, "fma": lambda a, b, c: a * b + c, "convert": lambda a: a,
}  # fmt: skip


def toward(direction: int, op: str, nearest: Array, *sources: Array) -> Array:
    """The results of an operation, rounded in a direction.

    Args:
        direction: UP, DOWN or TOWARD_ZERO.
        op: fadd, fsub, fmul, fdiv, fma, or ``convert`` to the type of the result.
        nearest: the results rounded to nearest even.
    """
    near, *lanes = np.broadcast_arrays(nearest, *sources)
    out = np.array(near)
    for i, (result, *operands) in enumerate(zip(near.flat, *(lane.flat for lane in lanes), strict=True)):
        out.flat[i] = _moved(direction, op, result, operands)
    return out


def _moved(direction: int, op: str, near: Any, operands: list[Any]) -> Any:
    if np.isnan(near) or not all(np.isfinite(operands)) or (op == "fdiv" and operands[1] == 0):
        return near
    exact = _EXACT[op](*(Fraction(x.item()) for x in operands))
    infinity = near.dtype.type(np.inf)
    if np.isinf(near):
        inward = TOWARD_ZERO, DOWN if near > 0 else UP
        return np.copysign(np.finfo(near.dtype).max, near) if direction in inward else near
    if exact == 0 and direction == DOWN and _addends_differ(op, operands):
        return -abs(near)
    given = Fraction(near.item())
    if direction == UP and given < exact:
        return np.nextafter(near, infinity)
    if direction == DOWN and given > exact:
        return np.nextafter(near, -infinity)
    if direction == TOWARD_ZERO and abs(given) > abs(exact):
        return np.nextafter(near, near.dtype.type(0))
    return near


def _addends_differ(op: str, operands: list[Any]) -> bool:
    """A sum of opposite signs is a negative zero when it is rounded down."""
    signs = [bool(np.signbit(x)) for x in operands]
    if op == "fma":
        signs = [signs[0] ^ signs[1], signs[2]]
    return op in ("fadd", "fsub", "fma") and (signs[0] != signs[1]) == (op != "fsub")
