"""Values that instruction semantics compute with, and the builder interface behind them.

A semantics function is written once, as arithmetic on :class:`Value`, and runs on two builders: the NumPy
builder computes at once on 64 lanes (the reference interpreter), the LLVM builder writes IR (the JIT).

A value has an element type (LLVM's spelling: i1 i8 i16 i32 i64 i128 half bfloat float double) and is either
*uniform* (one element for the whole wave: what comes from SGPRs and constants) or one element a lane. Mixing
the two broadcasts. Python integers and floats may stand on the right of any operator.

Example, ``v_lshl_add_u32``::

    @op("v_lshl_add_u32")
    def lshl_add(b, x, shift, y):
        return (x << (shift & 31)) + y
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from anyhip.backends.virtual.lane_pattern import Pattern

from anyhip.backends.virtual.mode import Mode

__all__ = ["BITS", "FLOATS", "FORMAT", "Builder", "Value", "element_type"]

BITS = {
    "i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "i128": 128,
    "half": 16, "bfloat": 16, "float": 32, "double": 64,
}  # fmt: skip
FLOATS = {"half", "bfloat", "float", "double"}
# exponent bias and mantissa bits
FORMAT = {"half": (15, 10), "float": (127, 23), "double": (1023, 52)}
INT_OF = {"half": "i16", "bfloat": "i16", "float": "i32", "double": "i64"}

_ROW_TYPES = {
    "f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double", "bool": "i1", "mask": "i1",
    "b8": "i8", "u8": "i8", "i8": "i8", "b16": "i16", "u16": "i16", "i16": "i16",
    "b32": "i32", "u32": "i32", "i32": "i32", "b64": "i64", "u64": "i64", "i64": "i64",
}  # fmt: skip


def element_type(row_type: str) -> str:
    """The element type of an operand type of the opcode tables; packed types are their raw bits."""
    return _ROW_TYPES.get(row_type, "i32")


class Builder(Protocol):
    """What a builder must provide; semantics functions get it as their first argument.

    ``op`` is an LLVM instruction name (add sub mul and or xor shl lshr ashr udiv sdiv urem srem fadd fsub
    fmul fdiv) or intrinsic (see each method). Both operands have the same type; either may be uniform.

    Attributes:
        mode: the MODE register's fields for the instruction that is being carried out.
        rounds: the mode by which fadd fsub fmul fdiv fma fptrunc sitofp uitofp round; None: to nearest even.
    """

    mode: Mode
    rounds: Mode | None

    def never_signaling(self, a: Value) -> bool:
        """Whether a float is known not to be a signalling NaN, whatever the sources are."""
        ...

    def mark_quiet(self, a: Value) -> Value:
        """``a``, of which the caller knows that it is no signalling NaN."""
        ...

    def const(self, type: str, value: int | float) -> Value:
        """A uniform value; an integer's bits beyond the type's width are dropped."""
        ...

    def binary(self, op: str, a: Value, b: Value) -> Value:
        """add … fdiv as above; smin smax umin umax."""
        ...

    def unary(self, op: str, a: Value) -> Value:
        """fneg fabs sqrt floor ceil trunc rint canonicalize; ctpop ctlz cttz bitreverse bswap.

        ``rint`` sends ties to even; ``ctlz`` and ``cttz`` of 0 are the width.
        """
        ...

    def ternary(self, op: str, a: Value, b: Value, c: Value) -> Value:
        """fma (one rounding), fshl, fshr."""
        ...

    def compare(self, predicate: str, a: Value, b: Value) -> Value:
        """LLVM's icmp or fcmp, by the operands' type.

        Integers: eq ne slt sle sgt sge ult ule ugt uge.
        Floats: oeq one olt ole ogt oge ord uno ueq une ult_f …
        """
        ...

    def select(self, condition: Value, a: Value, b: Value) -> Value:
        """``a`` in the lanes where the i1 ``condition`` holds, ``b`` in the others."""
        ...

    def lookup(self, table: Sequence[int], index: Value) -> Value:
        """``table[index]`` as i32; the index is uniform and in range."""
        ...

    def cast(self, op: str, a: Value, type: str) -> Value:
        """zext sext trunc bitcast fpext fptrunc sitofp uitofp fptosi_sat fptoui_sat (saturating, NaN = 0)."""
        ...


class Value:
    """One typed value; see the module's text. ``data`` belongs to the builder."""

    __slots__ = ("builder", "data", "lanes", "type", "uniform")

    def __init__(
        self, builder: Builder, type: str, data: Any, uniform: bool, lanes: Pattern | None = None
    ) -> None:
        self.builder = builder
        self.lanes = lanes  # how the value differs from lane to lane, where the translator knows
        self.type = type
        self.data = data
        self.uniform = uniform

    # -- constants and coercion
    def lift(self, other: Value | int | float) -> Value:
        """``other`` as a value of this type."""
        return other if isinstance(other, Value) else self.builder.const(self.type, other)

    @property
    def bits(self) -> int:
        """Width of one element; 1 for i1."""
        return BITS[self.type]

    def _binary(self, op: str, other: Value | int | float) -> Value:
        return self.builder.binary(op, self, self.lift(other))

    def _arith(self, name: str, other: Value | int | float) -> Value:
        return self._binary("f" + name if self.type in FLOATS else name, other)

    def __add__(self, other: Value | int | float) -> Value:
        return self._arith("add", other)

    def __sub__(self, other: Value | int | float) -> Value:
        return self._arith("sub", other)

    def __mul__(self, other: Value | int | float) -> Value:
        return self._arith("mul", other)

    def __truediv__(self, other: Value | int | float) -> Value:
        return self._binary("fdiv", other)

    def __and__(self, other: Value | int) -> Value:
        return self._binary("and", other)

    def __or__(self, other: Value | int) -> Value:
        return self._binary("or", other)

    def __xor__(self, other: Value | int) -> Value:
        return self._binary("xor", other)

    def __invert__(self) -> Value:
        return self ^ -1

    def __lshift__(self, other: Value | int) -> Value:
        """Shift left; the count must be < the width (mask it first)."""
        return self._binary("shl", other)

    def __rshift__(self, other: Value | int) -> Value:
        """Logical shift right; the count must be < the width (mask it first)."""
        return self._binary("lshr", other)

    def ashr(self, other: Value | int) -> Value:
        """Shift right with copies of the sign bit; the count must be < the width."""
        return self._binary("ashr", other)

    def __neg__(self) -> Value:
        if self.type in FLOATS:
            return self.builder.unary("fneg", self)
        return self.builder.const(self.type, 0) - self

    # -- minima and maxima of integers
    def smin(self, other: Value | int) -> Value:
        """The lesser of two signed integers."""
        return self._binary("smin", other)

    def smax(self, other: Value | int) -> Value:
        """The greater of two signed integers."""
        return self._binary("smax", other)

    def umin(self, other: Value | int) -> Value:
        """The lesser of two unsigned integers."""
        return self._binary("umin", other)

    def umax(self, other: Value | int) -> Value:
        """The greater of two unsigned integers."""
        return self._binary("umax", other)

    # -- comparisons give i1
    def cmp(self, predicate: str, other: Value | int | float) -> Value:
        """Compare by one of the predicates of :meth:`Builder.compare`."""
        return self.builder.compare(predicate, self, self.lift(other))

    def eq(self, other: Value | int | float) -> Value:
        """Equality; false where a float is NaN."""
        return self.cmp("oeq" if self.type in FLOATS else "eq", other)

    def ne(self, other: Value | int | float) -> Value:
        """Inequality; true where a float is NaN."""
        return self.cmp("une" if self.type in FLOATS else "ne", other)

    def ult(self, other: Value | int) -> Value:
        """Less, as unsigned integers."""
        return self.cmp("ult", other)

    def slt(self, other: Value | int) -> Value:
        """Less, as signed integers."""
        return self.cmp("slt", other)

    def isnan(self) -> Value:
        """Whether a float is NaN, quiet or signalling."""
        return self.cmp("uno", self)

    def select(self, a: Value | int | float, b: Value | int | float) -> Value:
        """``a`` where this i1 holds, else ``b``; at least one of the two is a Value."""
        if not isinstance(a, Value):
            assert isinstance(b, Value)
            a = b.lift(a)
        return self.builder.select(self, a, a.lift(b))

    # -- conversions
    def _cast(self, op: str, type: str) -> Value:
        return self if type == self.type else self.builder.cast(op, self, type)

    def zext(self, type: str) -> Value:
        """Widen an integer with zeros."""
        return self._cast("zext", type)

    def sext(self, type: str) -> Value:
        """Widen an integer with copies of its sign bit; a true i1 becomes -1."""
        return self._cast("sext", type)

    def trunc(self, type: str) -> Value:
        """Keep an integer's low bits."""
        return self._cast("trunc", type)

    def bitcast(self, type: str) -> Value:
        """The same bits as another type of the same width."""
        return self._cast("bitcast", type)

    def to(self, type: str, signed: bool = False) -> Value:
        """Convert the number: float to float, int to float, float to int (toward zero, saturating, NaN = 0).

        Raises:
            TypeError: from integer to integer, where the caller must say how.
        """
        if type == self.type:
            return self
        here, there = self.type in FLOATS, type in FLOATS
        if here and there:
            return self.builder.cast("fpext" if BITS[type] > self.bits else "fptrunc", self, type)
        if here:
            return self.builder.cast("fptosi_sat" if signed else "fptoui_sat", self, type)
        if there:
            return self.builder.cast("sitofp" if signed else "uitofp", self, type)
        raise TypeError(f"use zext, sext or trunc from {self.type} to {type}")

    def int_bits(self) -> Value:
        """The raw bits, as an integer of the same width."""
        return self.bitcast(INT_OF.get(self.type, self.type))

    # -- others
    def abs(self) -> Value:
        """A float without its sign bit, NaN's too."""
        return self.builder.unary("fabs", self)

    def fma(self, b: Value | float, c: Value | float) -> Value:
        """``self * b + c``, rounded once."""
        return self.builder.ternary("fma", self, self.lift(b), self.lift(c))

    def unary(self, op: str) -> Value:
        """Apply one of the operations of :meth:`Builder.unary`."""
        return self.builder.unary(op, self)
