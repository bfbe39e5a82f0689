"""Matrix instructions as data: shapes, element types, and which lane and register hold each element.

An MFMA computes ``D[b] = C[b] + A[b] B[b]`` for each of its blocks with the whole wave, whatever EXEC says.
An SMFMAC does so for an A of which two of every four elements along k are stored, beside an index of their
places.

Facts: CDNA3 ISA guide, chapter 7 "Matrix Arithmetic Instructions" (7.1.4 layouts, 7.1.5 broadcasts, 7.4
sparsity); CDNA4 ISA guide, 7.5 (sparse shapes of twice the depth); AMD's matrix instruction calculator, which
agrees but for D of the 4x4x4 f64 instruction, where it is followed: its rows lie 16 lanes apart.

What is computed, since the documents leave the order open: each element of D starts as C's and takes one
fused multiply-add a k, in ascending order, rounded to nearest even, denormals kept. Hardware adds some
products before rounding. Both lie within ``(K+1) * 2**-24 * (|C| + sum |A||B|)`` of the exact value (f64:
``2**-53``). Integers are exact and wrap. XF32 drops the low 13 bits of A and B, as its description says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from anyhip.backends.virtual.semantics.float8 import from_float8
from anyhip.backends.virtual.value import Value
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction
from anyhip.isa.opcodes import Opcode

__all__ = ["MatrixOp", "a_lanes", "b_lanes", "element", "find", "index_shift"]

LANES = 64
BITS = {"f64": 64, "f32": 32, "xf32": 32, "f16": 16, "bf16": 16, "i8": 8, "fp8": 8, "bf8": 8}
_SHAPE = re.compile(r"v_s?mfmac?_(?P<acc>[fi]\d+)_(?P<m>\d+)x(?P<n>\d+)x(?P<k>\d+)")


@dataclass(frozen=True, slots=True)
class MatrixOp:
    """One matrix instruction.

    An operand's *items* are its elements in one lane: item 0 is in the low bits of its first register.

    Attributes:
        m, n, k, blocks: rows of A, columns of B, columns of A, and how many such products.
        a_type, b_type: f64 f32 xf32 f16 bf16 i8 fp8 bf8.
        acc_type: type of C and D: f64 f32 i32.
        sparse: A holds half its elements, and an index of their places.
        halves: 2 when a lane's items come from two ranges of k (sparse shapes that read 8 registers of B).
        ocp: 8-bit floats are OCP's (gfx950), else those without negative zero (gfx942).
    """

    m: int
    n: int
    k: int
    blocks: int
    a_type: str
    b_type: str
    acc_type: str
    sparse: bool = False
    halves: int = 1
    ocp: bool = False

    @property
    def a_depth(self) -> int:
        """Stored columns of A."""
        return self.k // 2 if self.sparse else self.k

    @property
    def a_items(self) -> int:
        """Elements of A in a lane."""
        return self.m * self.a_depth * self.blocks // LANES

    @property
    def b_items(self) -> int:
        """Elements of B in a lane."""
        return self.n * self.k * self.blocks // LANES

    @property
    def d_items(self) -> int:
        """Elements of C and of D in a lane."""
        return self.m * self.n * self.blocks // LANES

    def depth(self, group: int, item: int, items: int) -> int:
        """k of an item of A or B in the ``group``-th set of lanes that hold one k of all blocks."""
        part = items // self.halves
        groups = LANES // (self.m * self.blocks)
        return (item // part * groups + group) * part + item % part

    def d_place(self, block: int, i: int, j: int) -> tuple[int, int]:
        """Item and lane of D[block][i][j]."""
        if self.acc_type == "f64" and self.m == 4:
            return 0, 16 * i + 4 * block + j
        height = 1 if self.acc_type == "f64" else 4  # consecutive rows in consecutive items of a lane
        together = max(1, LANES * height // (self.n * self.m))  # blocks in one item of all lanes
        rows = LANES // together // self.n
        groups = self.m // (height * rows)
        item = i % height + height * (i // (height * rows) + groups * (block // together))
        return item, j + self.n * (i // height % rows + rows * (block % together))


def _type_and_items(text: str) -> tuple[str, int]:
    kind, _, items = text.partition("x") if not text.startswith("x") else (text, "", "")
    return kind, int(items or 1)


@cache
def find(opcode: Opcode) -> MatrixOp:
    """The shape of a row of class ``mfma``, by its name and operand types.

    Raises:
        UnsupportedInstruction: a matrix instruction whose layout is not described here (scaled ones).
    """
    shape = _SHAPE.match(opcode.name)
    sources = dict(opcode.src)
    a_type, a_items = _type_and_items(sources["src0"])
    b_type, _ = _type_and_items(sources["src1"])
    _, d_items = _type_and_items(dict(opcode.dst)["vdst"])
    if shape is None or a_type not in BITS or b_type not in BITS:
        raise UnsupportedInstruction(f"the layout of {opcode.name} is not implemented")
    m, n, k = (int(shape[key]) for key in "mnk")
    sparse = opcode.name.startswith("v_smfmac")
    if opcode.name.endswith("xf32"):
        a_type = b_type = "xf32"
    halves = 2 if sparse and a_items * BITS[a_type] == 128 else 1
    return MatrixOp(
        m, n, k, LANES * d_items // (m * n), a_type, b_type, shape["acc"], sparse, halves,
        ocp=opcode.generation == "gfx950",
    )  # fmt: skip


# -- modifiers
def a_lanes(op: MatrixOp, instruction: Instruction) -> list[int]:
    """The lane that each lane's items of A are read from: CBSZ and ABID.

    Raises:
        UnsupportedInstruction: a combination that the ISA leaves undefined.
    """
    size, block = instruction.fields["cbsz"], instruction.fields["abid"]
    if op.sparse or op.acc_type == "f64" or not size:
        return list(range(LANES))
    if 1 << size > op.blocks or block >= 1 << size:
        raise UnsupportedInstruction(
            f"{instruction.name} at {instruction.pc:#x} with cbsz {size} and abid {block} is undefined"
        )
    lanes = LANES >> size
    return [lane % lanes + lanes * block for lane in range(LANES)]


def b_lanes(op: MatrixOp, instruction: Instruction) -> list[int]:
    """The lane that each lane's items of B are read from: BLGP."""
    pattern = instruction.fields["blgp"]
    if op.sparse or op.acc_type == "f64" or not pattern:
        return list(range(LANES))
    if pattern == 3:
        return [(lane + 16) % LANES for lane in range(LANES)]
    size, first = (32, 32 * (pattern - 1)) if pattern < 3 else (16, 16 * (pattern - 4))
    return [lane % size + first for lane in range(LANES)]


def index_shift(op: MatrixOp, instruction: Instruction) -> int:
    """The lowest bit of a sparse A's index in its register: CBSZ 0 lets ABID choose among its sets."""
    bits = 2 * op.a_items
    if bits == 32 or instruction.fields["cbsz"] & 3:
        return 0
    return bits * (instruction.fields["abid"] % (32 // bits))


# -- elements
def element(op: MatrixOp, kind: str, words: list[Value], item: int) -> Value:
    """An item of A or B in the type it is multiplied in: double, or float (8-bit integers too, exactly).

    Args:
        kind: ``a_type`` or ``b_type``.
        words: the operand's registers.
    """
    bits = BITS[kind]
    if bits == 64:
        return (words[2 * item].zext("i64") | (words[2 * item + 1].zext("i64") << 32)).bitcast("double")
    word = words[item * bits // 32]
    shift = item * bits % 32
    if kind in ("f32", "xf32"):
        return (word & 0xFFFFE000 if kind == "xf32" else word).bitcast("float")
    if kind == "f16":
        return (word >> shift if shift else word).trunc("i16").bitcast("half").to("float")
    if kind == "bf16":
        return (word & 0xFFFF0000 if shift else word << 16).bitcast("float")
    if kind == "i8":
        return (word << (24 - shift) if shift < 24 else word).ashr(24).to("float", signed=True)
    return from_float8(word >> shift if shift else word, kind, op.ocp)
