"""RDNA's matrix instructions (WMMA, and SWMMAC with a sparse A) as shapes of ``matrix``.

RDNA3 wants A and B whole in the first 16 lanes and repeated in the others; the copies are not read here. Its
16-bit D takes one half of each register, which op_sel[2] chooses, and leaves the other. RDNA4 spreads A and B
over all lanes, with k in an order of its own, and packs a 16-bit D.

Facts: RDNA3 ISA guide, 7.9; RDNA4 ISA guide, 7.12 (its tables of layouts are incomplete: AMD's matrix
instruction calculator has all of them, and agrees with what is printed); modifiers from 7.5 and 7.7.
16-bit sums are kept in f32 and rounded once, at the end.
"""

from __future__ import annotations

import re
from functools import cache

from anyhip.backends.virtual.semantics import matrix, scaled_matrix
from anyhip.backends.virtual.semantics.matrix import BITS, MatrixOp, Spread
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction
from anyhip.isa.opcodes import Opcode

__all__ = ["describe", "find"]

SIDE = 16  # rows of A, columns of B
_SHAPE = re.compile(r"v_(?P<sparse>sw)?w?mmac?_(?P<acc>\w+?)_16x16x(?P<k>\d+)_(?P<a>[a-z]+\d+)(_(?P<b>\w+))?")


def describe(instruction: Instruction, lanes: int) -> MatrixOp:
    """What a matrix instruction of either family multiplies.

    Args:
        lanes: of the wave.

    Raises:
        UnsupportedInstruction: modifiers that the ISA does not define.
    """
    if instruction.opcode.klass == "mfma":
        formats = "formats" in instruction.opcode.flags
        return scaled_matrix.describe(instruction) if formats else matrix.find(instruction.opcode)
    fields = instruction.fields
    signs = "signs" in instruction.opcode.flags
    op = find(
        instruction.opcode,
        lanes,
        signed=(bool(fields["neg"] & 1), bool(fields["neg"] & 2)) if signs else (False, False),
        half=fields["op_sel"] >> 2 & 1,
        saturate=bool(fields["clamp"]),
    )
    without = (0 if BITS[op.a_type] == 16 else 3) | (4 if op.sparse else 0)  # operands that cannot be negated
    undefined = {
        "neg": fields["neg"] & (4 if signs else without),
        "neg_hi": fields["neg_hi"] & (7 if signs else without),
        "clamp": fields["clamp"] and not signs,
    }
    for name, value in undefined.items():
        if value:
            raise UnsupportedInstruction(
                f"{instruction.name} at {instruction.pc:#x} with {name} is undefined"
            )
    return op


@cache
def find(
    opcode: Opcode,
    lanes: int,
    signed: tuple[bool, bool] = (False, False),
    half: int = 0,
    saturate: bool = False,
) -> MatrixOp:
    """The shape of a row of class ``wmma``.

    Args:
        signed: whether integers of A and B are.
        half: which half of D's registers a 16-bit D takes, where it takes one.
        saturate: integers of D saturate.
    """
    shape = _SHAPE.fullmatch(opcode.name)
    assert shape is not None, opcode.name
    first, second = shape["a"], shape["b"] or shape["a"]
    if first.startswith("iu"):
        first, second = (("i" if each else "u") + first[2:] for each in signed)
    k, sparse, early = int(shape["k"]), bool(shape["sparse"]), opcode.generation == "gfx1100"
    a, b = (_spread(depth, BITS[first], lanes, early) for depth in (k // 2 if sparse else k, k))
    return MatrixOp(
        SIDE, SIDE, k, 1, first, second, shape["acc"], a, b, lanes, sparse,
        ocp=True,
        d_layout="turns" if early else "ranges",
        half=half if "halves" in opcode.flags else None,
        saturate=saturate,
    )  # fmt: skip


def _spread(depth: int, bits: int, lanes: int, early: bool) -> Spread:
    """Where ``depth`` stored elements of each row of A, or column of B, lie."""
    if early:
        return Spread(1)
    groups = min(lanes // SIDE, depth * bits // 32)  # a lane holds a whole register
    if bits == 16:
        return Spread(groups, 2 if lanes == 32 else 1)
    return Spread(groups, 1, groups == 4)
