"""What each instruction means, written once.

``SEMANTICS[name]`` is a function ``f(b, *sources) -> value | tuple`` over
:class:`~anyhip.backends.virtual.value.Value`. Names are those that :func:`canonical` gives.
Sources and results stand in the order of the opcode table's ``src`` and ``dst`` columns and have its types:

- f16/bf16/f32/f64 are half/bfloat/float/double; u/i/b types are integers of their width;
- ``mask`` is i1 a lane in vector instructions, the 64-bit (wave32: 32-bit) integer in scalar ones;
  ``bool`` (SCC) is i1;
- b96/b128… are tuples of i32.

Source modifiers (neg, abs, op_sel, SDWA, DPP) are applied before the function is called, clamp and omod
after.
``PACKED[name]`` is a function on one element; it is called for the low and the high half. ``CLAMPED[name]``
replaces ``SEMANTICS[name]`` for integer instructions with CLAMP set. ``MIXED[name]`` is
``f(b, instruction, raw_sources)`` and applies modifiers itself; its sources of one dword may come as i32.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from anyhip.isa.opcodes import Opcode

__all__ = [
    "CLAMPED",
    "MIXED",
    "PACKED",
    "SEMANTICS",
    "canonical",
    "clamped",
    "load_all",
    "mixed",
    "op",
    "packed",
]

Semantics = Callable[..., Any]
Function = TypeVar("Function", bound=Semantics)
SEMANTICS: dict[str, Semantics] = {}
PACKED: dict[str, Semantics] = {}
CLAMPED: dict[str, Semantics] = {}
MIXED: dict[str, Semantics] = {}
# Conversions of 8-bit floats keep their names over two formats; the OCP one has the ending _ocp here.
_OCP_GENERATIONS = frozenset({"gfx950", "gfx1201"})
_FLOAT8 = frozenset(
    f"v_cvt_{form.format(kind)}"
    for kind in ("fp8", "bf8")
    for form in ("f32_{}", "pk_f32_{}", "pk_{}_f32", "sr_{}_f32")
)


def canonical(opcode: Opcode) -> str:
    """The name by which these tables know what an opcode does."""
    name = opcode.meaning
    return f"{name}_ocp" if name in _FLOAT8 and opcode.generation in _OCP_GENERATIONS else name


def _register(table: dict[str, Semantics], names: tuple[str, ...]) -> Callable[[Function], Function]:
    def add(function: Function) -> Function:
        for name in names:
            assert name not in table, f"{name} has two meanings"
            table[name] = function
        return function

    return add


def op(*names: str) -> Callable[[Function], Function]:
    """Register the meaning of the named instructions."""
    return _register(SEMANTICS, names)


def packed(*names: str) -> Callable[[Function], Function]:
    """Register the meaning of one element of the named packed instructions."""
    return _register(PACKED, names)


def clamped(*names: str) -> Callable[[Function], Function]:
    """Register the saturating meaning that integer instructions have when CLAMP is set."""
    return _register(CLAMPED, names)


def mixed(*names: str) -> Callable[[Function], Function]:
    """Register the meaning of instructions that look at their own modifiers."""
    return _register(MIXED, names)


def load_all() -> None:
    """Import every family, once."""
    from anyhip.backends.virtual.semantics import (  # noqa: F401
        cdna,
        compare,
        convert,
        division,
        dot,
        float8,
        integer,
        ordering,
        packed_math,
        rdna,
        real,
        scalar,
        scalar_float,
        scaled_convert,
        special,
        transcendental,
    )
