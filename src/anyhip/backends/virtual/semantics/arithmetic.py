"""Floating-point instructions under MODE: what is done to sources before, and to results after the meaning.

With denormals kept, rounding to nearest even and overflow to infinity (HIP's defaults) nothing is: then
:func:`evaluate` is a call. Whether a result is denormal is asked after rounding it. Facts: CDNA3 ISA guide,
"Denormalized and Rounding Modes"; mode_rules.tsv says which instructions follow MODE in part only.
"""

from __future__ import annotations

__all__ = ["copysign", "evaluate", "flush", "flush_input", "flush_output", "rounded"]

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from anyhip.backends.virtual.value import FLOATS, FORMAT, Builder, Value
from anyhip.tables import read

_TABLE = Path(__file__).with_name("mode_rules.tsv")
_HALF_LARGEST = 0x7BFF  # bits of the largest finite half


class _Rule(NamedTuple):
    inputs: bool
    outputs: bool
    rounds: bool


@cache
def _rules() -> list[tuple[str, _Rule]]:
    rows = read(_TABLE)
    return [(row["pattern"], _Rule(*(row[column] == "yes" for column in _Rule._fields))) for row in rows]


@cache
def _rule(name: str) -> _Rule:
    return next((rule for pattern, rule in _rules() if fnmatchcase(name, pattern)), _Rule(True, True, True))


def copysign(magnitude: Value | float, sign: Value) -> Value:
    """``magnitude`` (not negative) with the sign of ``sign``."""
    mask = 1 << (sign.bits - 1)
    value = sign.lift(magnitude)
    return (value.int_bits() | (sign.int_bits() & mask)).bitcast(sign.type)


def flush(x: Value) -> Value:
    """``x`` with denormals replaced by the zero of their sign."""
    bias, _ = FORMAT[x.type]
    return x.abs().cmp("olt", 2.0 ** (1 - bias)).select(copysign(0.0, x), x)


def flush_input(b: Builder, x: Value) -> Value:
    """A source as MODE lets it count."""
    return x if x.type not in FLOATS or b.mode.keeps_inputs(x.type) else flush(x)


def flush_output(b: Builder, x: Value) -> Value:
    """A result as MODE lets it be given."""
    return x if x.type not in FLOATS or b.mode.keeps_outputs(x.type) else flush(x)


@contextmanager
def rounded(b: Builder) -> Iterator[None]:
    """Operations of the block round as MODE says, not to nearest even."""
    b.rounds = None if b.mode.plain else b.mode
    yield
    b.rounds = None


def evaluate(
    b: Builder, name: str, function: Callable[..., Any], sources: Sequence[Value | tuple[Value, ...]]
) -> Any:
    """``function(b, *sources)``, the meaning of the instruction ``name``, under ``b.mode``."""
    if b.mode.plain:
        return function(b, *sources)
    rule = _rule(name)
    if rule.inputs:
        sources = [flush_input(b, x) if isinstance(x, Value) else x for x in sources]
    if rule.rounds:
        with rounded(b):
            result = function(b, *sources)
    else:
        result = function(b, *sources)
    if isinstance(result, tuple):
        return tuple(_finished(b, rule, sources, part) for part in result)
    return _finished(b, rule, sources, result)


def _finished(b: Builder, rule: _Rule, sources: Sequence[Value | tuple[Value, ...]], result: Value) -> Value:
    if rule.rounds and result.type == "half" and b.mode.half_saturates:
        result = _saturated(b, sources, result)
    return flush_output(b, result) if rule.outputs else result


def _saturated(b: Builder, sources: Sequence[Value | tuple[Value, ...]], result: Value) -> Value:
    """The largest finite half for an infinity that no source is (FP16_OVFL)."""
    overflow = result.abs().eq(float("inf"))
    for source in sources:
        if isinstance(source, Value) and source.type in FLOATS:
            overflow = overflow & source.abs().ne(float("inf"))
    largest = (result.int_bits() & 0x8000 | _HALF_LARGEST).bitcast("half")
    return overflow.select(largest, result)
