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
from typing import NamedTuple

from anyhip.backends.virtual.semantics.arithmetic import flush_input
from anyhip.backends.virtual.semantics.float8 import from_float8
from anyhip.backends.virtual.semantics.small_floats import from_small
from anyhip.backends.virtual.value import Value
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction
from anyhip.isa.opcodes import Opcode
from anyhip.isa.registers import INLINE_FLOATS, Operand

__all__ = [
    "LANES", "MatrixOp", "Signs", "Spread", "a_lanes", "accumulator", "b_lanes", "constant", "element",
    "find", "index_shift", "signs", "with_result",
]  # fmt: skip

LANES = 64  # of CDNA's waves
BITS = {
    "f64": 64, "f32": 32, "xf32": 32, "f16": 16, "bf16": 16, "i8": 8, "u8": 8, "fp8": 8, "bf8": 8,
    "i4": 4, "u4": 4, "fp6": 6, "bf6": 6, "fp4": 4,
}  # fmt: skip
_SHAPE = re.compile(r"v_s?mfmac?_(?P<acc>[fi]\d+)_(?P<m>\d+)x(?P<n>\d+)x(?P<k>\d+)")


@dataclass(frozen=True, slots=True)
class Spread:
    """How the columns of A, or the rows of B, lie over the lanes.

    Attributes:
        groups: sets of lanes, each of which holds some k of all blocks; further lanes are not read.
        parts: how many ranges of k a lane's items come from.
        swapped: the second and the third of four groups hold each other's k.
    """

    groups: int
    parts: int = 1
    swapped: bool = False

    def depth(self, group: int, item: int, items: int) -> int:
        """k of an item in the ``group``-th set of lanes."""
        part = items // self.parts
        rank = (0, 2, 1, 3)[group] if self.swapped else group
        return (item // part * self.groups + rank) * part + item % part


@dataclass(frozen=True, slots=True)
class MatrixOp:
    """One matrix instruction.

    An operand's *items* are its elements in one lane: item 0 is in the low bits of its first register.

    Attributes:
        m, n, k, blocks: rows of A, columns of B, columns of A, and how many such products.
        a_type, b_type: f64 f32 xf32 f16 bf16 i8 u8 i4 u4 fp8 bf8 fp6 bf6 fp4.
        acc_type: type of C and D: f64 f32 i32 f16 bf16.
        a, b: where the elements of A and B lie.
        lanes: of the wave.
        sparse: A holds half its elements, and an index of their places.
        ocp: 8-bit floats are OCP's (gfx950, gfx12), else those without negative zero (gfx942).
        d_layout: ``mfma``; of WMMA, ``turns`` where the sets of 16 lanes hold rows in turn (RDNA3) and
            ``ranges`` where each holds a range of them (RDNA4).
        half: of a 16-bit D that takes half of its registers (RDNA3), which; None where it fills them.
        saturate: an integer D does not wrap.
        formats: CBSZ and BLGP choose the types of A and B.
        scaled: each 32 k of a row of A and of a column of B have a factor, a power of two.
    """

    m: int
    n: int
    k: int
    blocks: int
    a_type: str
    b_type: str
    acc_type: str
    a: Spread
    b: Spread
    lanes: int = 64
    sparse: bool = False
    ocp: bool = False
    d_layout: str = "mfma"
    half: int | None = None
    saturate: bool = False
    formats: bool = False
    scaled: bool = False

    @property
    def a_depth(self) -> int:
        """Stored columns of A."""
        return self.k // 2 if self.sparse else self.k

    @property
    def a_items(self) -> int:
        """Elements of A in a lane."""
        return self.a_depth // self.a.groups

    @property
    def b_items(self) -> int:
        """Elements of B in a lane."""
        return self.k // self.b.groups

    @property
    def d_items(self) -> int:
        """Elements of C and of D in a lane."""
        return self.m * self.n * self.blocks // self.lanes

    @property
    def d_registers(self) -> int:
        """Registers of C and of D."""
        bits = {"f64": 64, "f16": 16, "bf16": 16}.get(self.acc_type, 32)
        return self.d_items if self.half is not None else self.d_items * bits // 32

    def d_place(self, block: int, i: int, j: int) -> tuple[int, int]:
        """Item and lane of D[block][i][j]."""
        if self.d_layout == "turns":
            return i // (self.lanes // 16), i % (self.lanes // 16) * 16 + j
        if self.d_layout == "ranges":
            second = 32 * (i // 4 % 2) if self.lanes == 64 else 0
            return i % (256 // self.lanes), second + 16 * (i // 8) + j
        if self.acc_type == "f64" and self.m == 4:
            return 0, 16 * i + 4 * block + j
        height = 1 if self.acc_type == "f64" else 4  # consecutive rows in consecutive items of a lane
        together = max(1, self.lanes * height // (self.n * self.m))  # blocks in one item of all lanes
        rows = self.lanes // together // self.n
        groups = self.m // (height * rows)
        item = i % height + height * (i // (height * rows) + groups * (block // together))
        return item, j + self.n * (i // height % rows + rows * (block % together))

    def d_register(self, item: int) -> tuple[int, int]:
        """The register of an item of D, the first of two for f64, and which 16-bit half of it (0 or 1)."""
        if self.half is not None:
            return item, self.half
        if self.acc_type in ("f16", "bf16"):
            return item // 2, item % 2
        return (2 * item if self.acc_type == "f64" else item), 0


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
    blocks = LANES * d_items // (m * n)
    parts = 2 if sparse and a_items * BITS[a_type] == 128 else 1
    spread = Spread(LANES // (m * blocks), parts)
    return MatrixOp(
        m, n, k, blocks, a_type, b_type, shape["acc"], spread, spread, LANES, sparse,
        ocp=opcode.generation == "gfx950",
    )  # fmt: skip


# -- modifiers
class Signs(NamedTuple):
    """What is done to the operands' signs: to A's and B's items of even and of odd number, and to C."""

    a: tuple[bool, bool] = (False, False)
    b: tuple[bool, bool] = (False, False)
    c_absolute: bool = False
    c_negative: bool = False


def signs(op: MatrixOp, instruction: Instruction) -> Signs:
    """BLGP of f64 instructions; NEG and NEG_HI of WMMA on floats."""
    fields = instruction.fields
    if op.d_layout == "mfma":
        bits = fields["blgp"] if op.acc_type == "f64" else 0
        a, b, c = (bool(bits >> n & 1) for n in range(3))
        return Signs((a, a), (b, b), False, c)
    if op.acc_type == "i32":
        return Signs()
    low, high = fields["neg"], fields["neg_hi"]
    a_signs, b_signs = ((bool(low >> n & 1), bool(high >> n & 1)) for n in range(2))
    return Signs(a_signs, b_signs, bool(high & 4), bool(low & 4))


def a_lanes(op: MatrixOp, instruction: Instruction) -> list[int]:
    """The lane that each lane's items of A are read from: CBSZ and ABID.

    Raises:
        UnsupportedInstruction: a combination that the ISA leaves undefined.
    """
    fields = instruction.fields
    plain = op.sparse or op.acc_type == "f64" or op.formats or op.d_layout != "mfma"
    if plain or not fields["cbsz"]:
        return list(range(op.lanes))
    size, block = fields["cbsz"], fields["abid"]
    if 1 << size > op.blocks or block >= 1 << size:
        raise UnsupportedInstruction(
            f"{instruction.name} at {instruction.pc:#x} with cbsz {size} and abid {block} is undefined"
        )
    lanes = LANES >> size
    return [lane % lanes + lanes * block for lane in range(LANES)]


def b_lanes(op: MatrixOp, instruction: Instruction) -> list[int]:
    """The lane that each lane's items of B are read from: BLGP."""
    plain = op.sparse or op.acc_type == "f64" or op.formats or op.d_layout != "mfma"
    if plain or not instruction.fields["blgp"]:
        return list(range(op.lanes))
    pattern = instruction.fields["blgp"]
    if pattern == 3:
        return [(lane + 16) % LANES for lane in range(LANES)]
    size, first = (32, 32 * (pattern - 1)) if pattern < 3 else (16, 16 * (pattern - 4))
    return [lane % size + first for lane in range(LANES)]


def index_shift(op: MatrixOp, instruction: Instruction) -> int:
    """The lowest bit of a sparse A's index in its register, which may hold several sets.

    ABID chooses while CBSZ is 0; on RDNA4 op_sel does.
    """
    bits = 2 * op.a_items
    fields = instruction.fields
    if bits == 32 or fields.get("cbsz", 0) & 3:
        return 0
    return bits * (fields.get("abid", fields.get("op_sel", 0)) % (32 // bits))


def constant(op: MatrixOp, operand: Operand) -> int:
    """The bits of one element of a C that is an inline constant."""
    if op.acc_type in ("f16", "bf16"):
        if operand.index >= 240:
            half, brain, _, _ = INLINE_FLOATS[operand.index - 240]
            return half if op.acc_type == "f16" else brain
        return operand.value & 0xFFFF
    return operand.value


# -- elements
def element(op: MatrixOp, kind: str, words: list[Value], item: int) -> Value:
    """An item of A or B in the type it is multiplied in: double, or float (small integers too, exactly).

    Args:
        kind: ``a_type`` or ``b_type``.
        words: the operand's registers.
    """
    bits = BITS[kind]
    if bits == 64:
        return (words[2 * item].zext("i64") | (words[2 * item + 1].zext("i64") << 32)).bitcast("double")
    number, shift = divmod(item * bits, 32)
    word = words[number]
    if kind == "xf32":
        return (word & 0xFFFFE000).bitcast("float")
    if kind == "f32":  # the only type whose denormals MODE may flush (CDNA3 ISA, 7.3)
        return flush_input(word.builder, word.bitcast("float"))
    if kind == "bf16":
        return (word & 0xFFFF0000 if shift else word << 16).bitcast("float")
    if kind[0] == "i":
        return (
            (word << (32 - bits - shift) if shift < 32 - bits else word)
            .ashr(32 - bits)
            .to("float", signed=True)
        )
    low = word >> shift if shift else word
    if shift + bits > 32:
        low = low | (words[number + 1] << (32 - shift))
    if kind == "f16":
        return low.trunc("i16").bitcast("half").to("float")
    if kind[0] == "u":
        return (low & ((1 << bits) - 1)).to("float")
    return from_small(low, kind) if bits < 8 else from_float8(low, kind, op.ocp)


def accumulator(op: MatrixOp, word: Value, half: int) -> Value:
    """An element of a 16-bit C as f32, out of half of its register."""
    if op.acc_type == "bf16":
        return (word & 0xFFFF0000 if half else word << 16).bitcast("float")
    return (word >> 16 if half else word).trunc("i16").bitcast("half").to("float")


def with_result(op: MatrixOp, word: Value, half: int, result: Value) -> Value:
    """A register of a 16-bit D with one half replaced by an f32 sum, rounded."""
    bits = result.to("half" if op.acc_type == "f16" else "bfloat").int_bits().zext("i32")
    return (word & 0xFFFF) | (bits << 16) if half else (word & 0xFFFF0000) | bits
