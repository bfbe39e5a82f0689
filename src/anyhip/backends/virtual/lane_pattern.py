"""What is known of how a value differs from lane to lane of a chunk: ``base + offsets[k]`` in lane ``k``.

Work-item ids, and what addresses are made of, follow such patterns; an access at offsets 0, 4, 8, … is one
vector access without a look at its addresses. A pattern speaks of enabled lanes only. The base is emitted, as
scalar code, when an access asks for it.

Arithmetic is modulo the type's width, as the values' own is. Where a 32-bit pattern is widened, that holds
only if no lane wraps around: :attr:`Pattern.holds` is the test, to be made when the code runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anyhip.backends.virtual.value import Value

__all__ = ["Pattern", "binary", "cast", "of_uniform"]

LARGEST_OFFSET = 1 << 24  # beyond it no access gains
Make = Callable[[], "Value"]


@dataclass(slots=True)
class Pattern:
    """One value's pattern.

    ``make_base`` emits the base; ``zeros`` of the base's low bits are known to be zero; ``conditions`` emit
    tests (i1, uniform) that must hold, or else the lanes follow no pattern. ``low_only``: it speaks of the
    lower 32 bits of a 64-bit value alone.
    """

    offsets: tuple[int, ...]
    zeros: int
    make_base: Make
    conditions: tuple[Make, ...] = ()
    low_only: bool = False
    _base: Value | None = field(default=None, init=False)

    def base(self) -> Value:
        """The base, emitted at the first wish."""
        if self._base is None:
            self._base = self.make_base()
        return self._base

    @property
    def equal(self) -> bool:
        """All lanes have the same value."""
        return not any(self.offsets)

    @property
    def disjoint(self) -> bool:
        """Base and offsets have no bit in common, so bitwise operations work on each alone."""
        return min(self.offsets) >= 0 and max(self.offsets) < 1 << self.zeros

    def consecutive(self, step: int) -> bool:
        """Each lane's value is the one before's plus ``step``."""
        first = self.offsets[0]
        return all(offset == first + k * step for k, offset in enumerate(self.offsets))


def _constant(value: Value) -> int | None:
    text = value.data
    return int(text) if value.uniform and text.isdigit() else None


def _trailing_zeros(number: int) -> int:
    return (number & -number).bit_length() - 1 if number else 64


def of_uniform(value: Value, lanes: int) -> Pattern:
    """The pattern of a uniform value."""
    number = _constant(value)
    return Pattern((0,) * lanes, 0 if number is None else _trailing_zeros(number), lambda: value)


def _pattern(value: Value, lanes: int) -> Pattern | None:
    if value.lanes is not None or not value.uniform:
        return value.lanes
    return of_uniform(value, lanes)


def _small(offsets: tuple[int, ...]) -> bool:
    return all(abs(offset) <= LARGEST_OFFSET for offset in offsets)


def binary(op: str, a: Value, b: Value) -> Pattern | None:
    """The pattern of ``a op b``, of which at least one has a pattern; None: it follows none that is known."""
    known = a.lanes or b.lanes
    if known is None or a.type not in ("i32", "i64"):
        return None
    x, y = _pattern(a, len(known.offsets)), _pattern(b, len(known.offsets))
    if x is None or y is None:
        return None
    conditions = x.conditions + tuple(c for c in y.conditions if c not in x.conditions)
    low_only = x.low_only or y.low_only
    if low_only and op not in ("add", "sub", "mul", "shl"):
        return None
    found = _offsets(op, x, y, _constant(b), _constant(a))
    if found is None or not _small(found[0]):
        return None
    offsets, zeros = found
    return Pattern(offsets, zeros, lambda: a.builder.binary(op, x.base(), y.base()), conditions, low_only)


def _offsets(
    op: str, x: Pattern, y: Pattern, right: int | None, left: int | None
) -> tuple[tuple[int, ...], int] | None:
    """Offsets and known zeros of the result, whose base is the operation on the bases."""
    both = zip(x.offsets, y.offsets, strict=True)
    if op == "add":
        return tuple(p + q for p, q in both), min(x.zeros, y.zeros)
    if op == "sub":
        return tuple(p - q for p, q in both), min(x.zeros, y.zeros)
    if op == "mul" and (right is not None or left is not None):
        pattern, factor = (x, right) if right is not None else (y, left)
        assert factor is not None
        return tuple(p * factor for p in pattern.offsets), pattern.zeros + _trailing_zeros(factor)
    if op == "shl" and right is not None:
        return tuple(p << right for p in x.offsets), x.zeros + right
    if op in ("and", "or", "xor") and left is not None:
        x, right = y, left
    if right is not None and x.disjoint:
        if op == "and":
            return tuple(p & right for p in x.offsets), x.zeros
        if op in ("or", "xor") and not right & (1 << x.zeros) - 1:
            return x.offsets, x.zeros
        if op in ("lshr", "ashr"):
            return tuple(p >> right for p in x.offsets), max(x.zeros - right, 0)
    if x.equal and y.equal:
        return x.offsets, 0
    return None


def cast(op: str, a: Value, type: str) -> Pattern | None:
    """The pattern of an integer conversion."""
    x = a.lanes
    if x is None or a.type not in ("i32", "i64"):
        return None
    if op == "trunc" and type == "i32":
        return Pattern(x.offsets, x.zeros, lambda: a.builder.cast(op, x.base(), type))
    if op in ("zext", "sext") and type == "i64":
        conditions = x.conditions
        if not (x.equal or x.disjoint):
            conditions = (*conditions, lambda: _no_wrap(x, signed=op == "sext"))
        return Pattern(x.offsets, x.zeros, lambda: a.builder.cast(op, x.base(), type), conditions)
    return None


def _no_wrap(x: Pattern, signed: bool) -> Value:
    """No lane's value leaves the 32-bit range that the base lies in."""
    base, top = x.base(), 1 << (31 if signed else 32)
    test = base.cmp("slt" if signed else "ult", top - max(0, *x.offsets))
    if min(x.offsets) < 0:
        least = -top if signed else 0
        test = test & base.cmp("sge" if signed else "uge", least - min(x.offsets))
    return test
