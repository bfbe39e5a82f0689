"""gfx950's matrix instructions on 8-, 6- and 4-bit floats, whose types CBSZ and BLGP choose; also scaled.

The scaled ones multiply each 32 k of a row of A, and of a column of B, by a power of two: byte ``op_sel``
of lane ``size * (k // 32) + row`` (E8M0: an exponent with bias 127, or NaN). Products are summed in f64 and
rounded once, at the end, so that no factor can overflow on its way.

Facts: CDNA4 ISA guide, 7.1.5 and 7.2; AMD's "Matrix Core Programming on CDNA3 and CDNA4" for the places of
8-bit floats (two ranges of 16 k a lane) beside those of the others (32 k), and of the factors.
"""

from __future__ import annotations

from dataclasses import dataclass

from anyhip.backends.virtual.semantics.matrix import LANES, MatrixOp, Spread
from anyhip.backends.virtual.value import Value
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction

__all__ = ["BLOCK", "Scale", "describe", "factor", "scales"]

BLOCK = 32  # k that share a factor
TYPES = ("fp8", "bf8", "fp6", "bf6", "fp4")


@dataclass(frozen=True, slots=True)
class Scale:
    """Where the exponents of an operand's factors are.

    Attributes:
        shift: lowest bit of the exponent in its register.
        constant: the register's content, where it is a constant.
    """

    shift: int
    constant: int | None


def describe(instruction: Instruction) -> MatrixOp:
    """The shape of a row with the flag ``formats``.

    Raises:
        UnsupportedInstruction: CBSZ or BLGP names no type.
    """
    fields = instruction.fields
    types = []
    for name in ("cbsz", "blgp"):
        if fields[name] >= len(TYPES):
            raise UnsupportedInstruction(
                f"{instruction.name} at {instruction.pc:#x} with {name} {fields[name]} is undefined"
            )
        types.append(TYPES[fields[name]])
    m, k = (16, 128) if "16x16x128" in instruction.opcode.name else (32, 64)
    a, b = (Spread(LANES // m, 2 if kind in ("fp8", "bf8") else 1) for kind in types)
    return MatrixOp(
        m, m, k, 1, types[0], types[1], "f32", a, b, LANES,
        ocp=True, formats=True, scaled="scaled" in instruction.opcode.flags,
    )  # fmt: skip


def scales(instruction: Instruction) -> tuple[Scale, Scale]:
    """Where A's and B's exponents are: OP_SEL and OP_SEL_HI say which byte; of a constant, f32's exponent."""
    fields = instruction.fields
    first, second = (
        Scale(23, operand.value)
        if operand.kind == "const"
        else Scale(8 * (fields["op_sel"] >> n & 1 | (fields["op_sel_hi"] >> n & 1) << 1), None)
        for n, operand in enumerate(instruction.src[3:5])
    )
    return first, second


def factor(scale: Scale, word: Value) -> Value:
    """The factor in a register's content, as f64."""
    exponent = (word >> scale.shift if scale.shift else word) & 0xFF
    power = ((exponent.zext("i64") + (1023 - 127)) << 52).bitcast("double")
    return exponent.eq(0xFF).select(float("nan"), power)
