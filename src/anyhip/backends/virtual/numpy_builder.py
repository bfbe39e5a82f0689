"""The builder that computes at once: instruction semantics on NumPy arrays, one element a lane.

Goes in: operations of :class:`~anyhip.backends.virtual.value.Builder`. Comes out: Values whose ``data`` is
a 0-d array (uniform) or an array of one element a lane. Integers are kept unsigned, i1 as bool, bfloat as
its 16 bits. Every floating-point result is rounded once, as LLVM's instruction of the same name is: to
nearest even, or as :attr:`NumpyBuilder.rounds` says.
"""

from __future__ import annotations

__all__ = ["NumpyBuilder"]

import ctypes
import ctypes.util
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from anyhip.backends.virtual.mode import NEAREST, Mode
from anyhip.backends.virtual.numpy_rounding import toward
from anyhip.backends.virtual.value import BITS, FLOATS, Value

_DTYPES: dict[str, Any] = {
    "i1": np.bool_, "i8": np.uint8, "i16": np.uint16, "i32": np.uint32, "i64": np.uint64, "i128": object,
    "half": np.float16, "bfloat": np.uint16, "float": np.float32, "double": np.float64,
}  # fmt: skip
_SIGNED: dict[str, Any] = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}

Array = Any


def _signed(type: str, data: Array) -> Array:
    """The same bits as signed integers."""
    return data.view(_SIGNED[type]) if type in _SIGNED else data


def _wrap128(data: Array) -> Array:
    return data & ((1 << 128) - 1)


_INTEGER: dict[str, Callable[[Array, Array], Array]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "and": np.bitwise_and, "or": np.bitwise_or,
    "xor": np.bitwise_xor, "shl": np.left_shift, "lshr": np.right_shift,
    "umin": np.minimum, "umax": np.maximum, "udiv": np.floor_divide, "urem": np.remainder,
}  # fmt: skip
_SIGNED_INTEGER: dict[str, Callable[[Array, Array], Array]] = {
    "ashr": np.right_shift,
    "smin": np.minimum,
    "smax": np.maximum,
}
_REAL: dict[str, Callable[[Array, Array], Array]] = {
    "fadd": np.add, "fsub": np.subtract, "fmul": np.multiply, "fdiv": np.divide,
}  # fmt: skip
_REAL_UNARY: dict[str, Callable[[Array], Array]] = {
    "sqrt": np.sqrt, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint,
}  # fmt: skip
_COMPARE: dict[str, Callable[[Array, Array], Array]] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal,
    "gt": np.greater, "ge": np.greater_equal,
}  # fmt: skip


@cache
def _libm_fma() -> Callable[[float, float, float], float]:
    """The C library's fma: one rounding, by the C standard."""
    library = ctypes.CDLL(ctypes.util.find_library("m") or ctypes.util.find_library("ucrtbase"))
    function = library.fma
    function.restype = ctypes.c_double
    function.argtypes = [ctypes.c_double] * 3
    return function


def _fma64(a: Array, b: Array, c: Array) -> Array:
    fma = _libm_fma()
    a, b, c = np.broadcast_arrays(a, b, c)
    values = [fma(x, y, z) for x, y, z in zip(a.flat, b.flat, c.flat, strict=True)]
    return np.array(values, np.float64).reshape(a.shape)


def _odd_sum(p: Array, c: Array) -> Array:
    """p + c in double, rounded to odd, so that rounding it again to a narrower type rounds once.

    S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums" (IEEE TC 2008).
    """
    s = np.asarray(p + c)
    back = s - p
    error = (p - (s - back)) + (c - back)
    bits = s.view(np.int64)
    inexact = np.isfinite(s) & (error != 0)
    toward = np.where((error < 0) == (s < 0), bits, bits - 1)
    return np.where(inexact, toward | 1, bits).view(np.float64)


def _bfloat_to_float(bits: Array) -> Array:
    return np.asarray(bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def _float_to_bfloat(value: Array) -> Array:
    bits = np.asarray(value, np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    quiet = (bits >> np.uint32(16)) | np.uint32(0x40)
    return np.where(np.isnan(value), quiet, rounded).astype(np.uint16)


def _double_to_odd_float(value: Array) -> Array:
    """float64 to float32 rounded to odd, for a second rounding to a narrower type."""
    near = np.asarray(value.astype(np.float32))
    bits = near.view(np.int32)
    error = value - near.astype(np.float64)
    inexact = np.isfinite(near) & (error != 0)
    toward = np.where((error < 0) == (value < 0), bits, bits - 1)
    return np.where(inexact, toward | 1, bits).astype(np.int32).view(np.float32)


class NumpyBuilder:
    """Evaluates operations on NumPy arrays.

    Args:
        lanes: lanes of a wave, 64 or 32.
    """

    def __init__(self, lanes: int = 64) -> None:
        self.lanes = lanes
        self.mode = Mode()
        self.rounds: Mode | None = None

    def never_signaling(self, a: Value) -> bool:
        """Nothing is known of values before they are there."""
        return False

    def mark_quiet(self, a: Value) -> Value:
        """``a``."""
        return a

    def _rounded(self, op: str, type: str, nearest: Array, *sources: Array) -> Array:
        """The result as :attr:`rounds` wants it, given the nearest one."""
        direction = self.rounds.rounding(type) if self.rounds is not None else NEAREST
        return nearest if direction == NEAREST else toward(direction, op, np.asarray(nearest), *sources)

    # -- in and out
    def value(self, type: str, data: Any) -> Value:
        """Raw elements as a value; a sequence is one element a lane, anything else is uniform."""
        array = np.asarray(data, _DTYPES[type])
        return Value(self, type, array, array.ndim == 0)

    def const(self, type: str, value: int | float) -> Value:
        """A uniform constant; integers lose what does not fit."""
        if type == "bfloat":
            return self.value(type, _float_to_bfloat(np.float32(value)))
        if type in FLOATS:
            with np.errstate(all="ignore"):
                return self.value(type, _DTYPES[type](value))
        if type == "i1":
            return self.value(type, bool(int(value) & 1))
        return self.value(type, int(value) & ((1 << BITS[type]) - 1))

    def lookup(self, table: Sequence[int], index: Value) -> Value:
        """``table[index]`` as i32."""
        return self.value("i32", table[int(index.data)])

    def lane_id(self) -> Value:
        """The number of each lane, i32."""
        return self.value("i32", np.arange(self.lanes))

    def _make(self, type: str, data: Array, *sources: Value) -> Value:
        array = np.asarray(data)
        if array.dtype != _DTYPES[type]:
            array = array.astype(_DTYPES[type])
        return Value(self, type, array, all(s.uniform for s in sources))

    # -- operations
    def binary(self, op: str, a: Value, b: Value) -> Value:
        """An operation on two values of one type."""
        if a.type != b.type:
            raise TypeError(f"{op} of {a.type} and {b.type}")
        with np.errstate(all="ignore"):
            return self._make(a.type, self._binary(op, a.type, a.data, b.data), a, b)

    def _binary(self, op: str, type: str, a: Array, b: Array) -> Array:
        if type == "bfloat":
            wide = np.float64
            result = _REAL[op](_bfloat_to_float(a).astype(wide), _bfloat_to_float(b).astype(wide))
            return _float_to_bfloat(_double_to_odd_float(np.asarray(result)))
        if op in _REAL:
            return self._rounded(op, type, _REAL[op](a, b), a, b)
        if type == "i1":
            op = {"add": "xor", "sub": "xor", "mul": "and"}.get(op, op)
        if op in _SIGNED_INTEGER:
            return np.asarray(_SIGNED_INTEGER[op](_signed(type, a), _signed(type, b))).view(_DTYPES[type])
        if op in ("sdiv", "srem"):
            return self._signed_divide(op, type, a, b)
        result = _INTEGER[op](a, b)
        return _wrap128(result) if type == "i128" else result

    @staticmethod
    def _signed_divide(op: str, type: str, a: Array, b: Array) -> Array:
        negative_a, negative_b = _signed(type, a) < 0, _signed(type, b) < 0
        zero = np.zeros_like(a)
        size_a, size_b = np.where(negative_a, zero - a, a), np.where(negative_b, zero - b, b)
        quotient = np.floor_divide(size_a, size_b)  # 0 where b is 0
        quotient = np.where(negative_a != negative_b, np.zeros_like(quotient) - quotient, quotient)
        return quotient if op == "sdiv" else a - quotient * b

    def unary(self, op: str, a: Value) -> Value:
        """An operation on one value."""
        with np.errstate(all="ignore"):
            if a.type in FLOATS:
                return self._make(a.type, self._real_unary(op, a.type, a.data), a)
            return self._make(a.type, self._integer_unary(op, a.type, a.data), a)

    @staticmethod
    def _real_unary(op: str, type: str, a: Array) -> Array:
        bits = BITS[type]
        if op in ("fneg", "fabs"):
            raw, sign = a.view(_DTYPES[f"i{bits}"]), _DTYPES[f"i{bits}"](1 << (bits - 1))
            return np.asarray(raw ^ sign if op == "fneg" else raw & ~sign).view(_DTYPES[type])
        wide = _bfloat_to_float(a) if type == "bfloat" else a
        result = wide * wide.dtype.type(1) if op == "canonicalize" else _REAL_UNARY[op](wide)
        return _float_to_bfloat(result) if type == "bfloat" else result

    @staticmethod
    def _integer_unary(op: str, type: str, a: Array) -> Array:
        width = BITS[type]
        functions: dict[str, Callable[[int], int]] = {
            "ctpop": lambda x: x.bit_count(),
            "ctlz": lambda x: width - x.bit_length(),
            "cttz": lambda x: ((x & -x).bit_length() - 1) if x else width,
            "bitreverse": lambda x: int(f"{x:0{width}b}"[::-1], 2),
            "bswap": lambda x: int.from_bytes(x.to_bytes(width // 8, "little"), "big"),
        }
        function = functions[op]
        return np.array([function(int(x)) for x in a.flat], _DTYPES[type]).reshape(a.shape)

    def ternary(self, op: str, a: Value, b: Value, c: Value) -> Value:
        """Fused multiply-add, or a funnel shift."""
        with np.errstate(all="ignore"):
            if op == "fma":
                nearest = self._fma(a.type, a.data, b.data, c.data)
                return self._make(
                    a.type, self._rounded("fma", a.type, nearest, a.data, b.data, c.data), a, b, c
                )
            width = a.bits
            count = c.data % _DTYPES[a.type](width)
            other = (_DTYPES[a.type](width) - count) % _DTYPES[a.type](width)
            left, right = (count, other) if op == "fshl" else (other, count)
            whole = (a.data << left) | (b.data >> right)
            return self._make(
                a.type, np.where(count == 0, a.data if op == "fshl" else b.data, whole), a, b, c
            )

    @staticmethod
    def _fma(type: str, a: Array, b: Array, c: Array) -> Array:
        if type == "double":
            return _fma64(a, b, c)
        if type == "bfloat":
            a, b, c = _bfloat_to_float(a), _bfloat_to_float(b), _bfloat_to_float(c)
        # The product of two 24-bit significands is exact in double.
        total = _odd_sum(a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64))
        return (
            _float_to_bfloat(_double_to_odd_float(total)) if type == "bfloat" else total.astype(_DTYPES[type])
        )

    def compare(self, predicate: str, a: Value, b: Value) -> Value:
        """A comparison by LLVM's predicate."""
        if a.type != b.type:
            raise TypeError(f"compare {predicate} of {a.type} and {b.type}")
        with np.errstate(all="ignore"):
            if a.type in FLOATS:
                return self._make("i1", self._real_compare(predicate, a, b), a, b)
            if predicate in ("eq", "ne"):
                return self._make("i1", _COMPARE[predicate](a.data, b.data), a, b)
            x, y = (_signed(v.type, v.data) if predicate[0] == "s" else v.data for v in (a, b))
            return self._make("i1", _COMPARE[predicate[1:]](x, y), a, b)

    @staticmethod
    def _real_compare(predicate: str, a: Value, b: Value) -> Array:
        x, y = (_bfloat_to_float(v.data) if v.type == "bfloat" else v.data for v in (a, b))
        unordered = np.isnan(x) | np.isnan(y)
        if predicate in ("uno", "ord"):
            return unordered if predicate == "uno" else ~unordered
        result = _COMPARE[predicate[1:]](x, y)
        return result | unordered if predicate[0] == "u" else result & ~unordered

    def select(self, condition: Value, a: Value, b: Value) -> Value:
        """``a`` where the condition holds, else ``b``."""
        if a.type != b.type:
            raise TypeError(f"select of {a.type} and {b.type}")
        return self._make(a.type, np.where(condition.data, a.data, b.data), condition, a, b)

    def cast(self, op: str, a: Value, type: str) -> Value:
        """A conversion by LLVM's cast name."""
        with np.errstate(all="ignore"):
            return self._make(type, self._cast(op, a.type, a.data, type), a)

    def _cast(self, op: str, source: str, a: Array, type: str) -> Array:
        if op == "bitcast":
            return np.ascontiguousarray(a).reshape(a.shape).view(_DTYPES[type])
        if "i128" in (source, type):
            return self._cast128(op, source, a, type)
        if op in ("zext", "trunc"):
            mask = _DTYPES[source](1) if type == "i1" else None
            return (a & mask) if mask is not None else a.astype(_DTYPES[type])
        if op == "sext":
            signed = -a.astype(np.int64) if source == "i1" else _signed(source, a)
            return signed.astype(_SIGNED[type]).view(_DTYPES[type])
        if op in ("fpext", "fptrunc"):
            near = self._real_cast(source, a, type)
            return near if source == "bfloat" or type == "bfloat" else self._rounded("convert", type, near, a)
        if op in ("sitofp", "uitofp"):
            number = _signed(source, a) if op == "sitofp" else a
            if type == "bfloat":
                return _float_to_bfloat(number.astype(np.float32))
            return self._rounded("convert", type, number.astype(_DTYPES[type]), number)
        return self._saturate(a if source != "bfloat" else _bfloat_to_float(a), type, op == "fptosi_sat")

    @staticmethod
    def _cast128(op: str, source: str, a: Array, type: str) -> Array:
        width = BITS[type]
        signed = _signed(source, a) if op == "sext" else a
        values = [int(x) & ((1 << width) - 1) for x in signed.flat]
        out = np.empty(len(values), _DTYPES[type])
        out[:] = values
        return out.reshape(a.shape)

    @staticmethod
    def _real_cast(source: str, a: Array, type: str) -> Array:
        if source == "bfloat":
            return _bfloat_to_float(a).astype(_DTYPES[type])
        if type == "bfloat":
            return _float_to_bfloat(_double_to_odd_float(a) if source == "double" else a)
        return a.astype(_DTYPES[type])

    @staticmethod
    def _saturate(a: Array, type: str, signed: bool) -> Array:
        width = BITS[type]
        low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
        whole = np.trunc(a.astype(np.float64))
        below, above = whole < low, whole >= high + 1
        inside = np.where(below | above | np.isnan(whole), 0, whole)
        number = inside.astype(np.int64 if signed else np.uint64)
        number = np.where(below, number.dtype.type(low), np.where(above, number.dtype.type(high), number))
        return number.astype(_SIGNED[type] if signed else _DTYPES[type]).view(_DTYPES[type])
