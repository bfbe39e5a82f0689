"""VOPC: comparisons of two lanes' values, table-driven: predicate x type.

``v_cmp_*`` gives a mask; ``v_cmpx_*`` gives it twice, for its destination and for EXEC. Lanes that EXEC has
off are the executor's business. Facts: CDNA3 ISA, chapter 12.9.
"""

from __future__ import annotations

from collections.abc import Callable

from anyhip.backends.virtual.semantics import SEMANTICS
from anyhip.backends.virtual.value import Builder, Value

_INTEGER = {
    "f": "false",
    "lt": "{}lt",
    "eq": "eq",
    "le": "{}le",
    "gt": "{}gt",
    "ne": "ne",
    "ge": "{}ge",
    "t": "true",
}
REAL_PREDICATES = {
    "f": "false", "lt": "olt", "eq": "oeq", "le": "ole", "gt": "ogt", "lg": "one", "ge": "oge", "o": "ord",
    "u": "uno", "nge": "ult", "nlg": "ueq", "ngt": "ule", "nle": "ugt", "neq": "une", "nlt": "uge",
    "tru": "true",
}  # fmt: skip

Compare = Callable[[Builder, Value, Value], Value]


def _comparison(predicate: str) -> Compare:
    if predicate in ("false", "true"):
        truth = int(predicate == "true")
        return lambda b, x, y: b.const("i1", truth)
    return lambda b, x, y: x.cmp(predicate, y)


def _register(word: str, type: str, compare: Compare) -> None:
    def both(b: Builder, x: Value, y: Value) -> tuple[Value, Value]:
        mask = compare(b, x, y)
        return mask, mask

    SEMANTICS[f"v_cmp_{word}_{type}"] = compare
    SEMANTICS[f"v_cmpx_{word}_{type}"] = both


def class_test(b: Builder, x: Value, classes: Value) -> Value:
    """Whether x is of one of the classes set in the mask.

    Bit 0 signaling NaN, 1 quiet NaN, 2 -inf, 3 -normal, 4 -denormal, 5 -0, 6 +0, 7 +denormal,
    8 +normal, 9 +inf.
    """
    bits = x.int_bits()
    mantissa_bits = {16: 10, 32: 23, 64: 52}[x.bits]
    infinity = ((1 << (x.bits - 1 - mantissa_bits)) - 1) << mantissa_bits
    magnitude = bits & ((1 << (x.bits - 1)) - 1)
    negative = bits.slt(0)

    def wanted(bit: int) -> Value:
        return ((classes >> bit) & 1).ne(0)

    def signed(below: int, above: int) -> Value:
        return negative.select(wanted(below), wanted(above))

    is_quiet = (bits & (1 << (mantissa_bits - 1))).ne(0)
    nan = is_quiet.select(wanted(1), wanted(0))
    finite = magnitude.ult(1 << mantissa_bits).select(
        magnitude.eq(0).select(signed(5, 6), signed(4, 7)), signed(3, 8)
    )
    return magnitude.cmp("ugt", infinity).select(nan, magnitude.eq(infinity).select(signed(2, 9), finite))


for _type in ("i16", "i32", "i64", "u16", "u32", "u64"):
    for _word, _predicate in _INTEGER.items():
        _register(_word, _type, _comparison(_predicate.format("s" if _type[0] == "i" else "u")))
for _type in ("f16", "f32", "f64"):
    for _word, _predicate in REAL_PREDICATES.items():
        _register(_word, _type, _comparison(_predicate))
    _register("class", _type, class_test)
