"""Random machine code of RDNA's ALU instructions, row by row."""

from __future__ import annotations

import random

from anyhip.isa import formats_rdna, slots_rdna
from anyhip.isa.generations import GENERATIONS
from anyhip.isa.opcodes import Opcode
from anyhip.isa.registers import element
from anyhip.isa.slots_rdna import HALVES
from isa import assembler

VECTORS, SCALARS = 28, 28  # registers that operands may name
_IMPLICIT = {"vcc", "scc", "exec", "m0", "literal"}
_CONSTANTS = [*range(128, 209), *range(240, 249)]
_SHORT = ("VOP1", "VOP2", "VOPC")
DPP16, DPP8, DPP8_FI = 250, 233, 234  # what stands for source 0
DPP_CONTROLS: list[int] = [
    *range(256), *range(0x101, 0x110), *range(0x111, 0x120), *range(0x121, 0x130),
    0x140, 0x141, *range(0x150, 0x170),
]  # fmt: skip


def _half_register(opcode: Opcode, type: str) -> bool:
    """The field's top bit names the upper half of a register."""
    return GENERATIONS[opcode.generation].true16 and type in HALVES and opcode.format in _SHORT


def _vector(opcode: Opcode, type: str, rng: random.Random) -> int:
    half = rng.getrandbits(1) << 7 if _half_register(opcode, type) else 0
    return rng.randrange(VECTORS) | half


def _scalar(rng: random.Random) -> int:
    return rng.randrange(0, SCALARS, 4)  # the widest operands are aligned to four


def _operand(opcode: Opcode, kind: str, width: int, type: str, source: bool, rng: random.Random) -> int:
    if kind == "vector":
        return _vector(opcode, type, rng)
    if kind == "imm":
        return rng.getrandbits(width)
    mask = type.startswith("mask")
    uniform = any(name == "sdst" and not what.startswith("mask") for name, what in opcode.dst)
    always = "swap" in opcode.flags or type == "b128"
    if kind == "source" and not mask and not uniform and (always or rng.random() < 0.65):
        return 256 | _vector(opcode, type, rng)
    constants = source and width > 7 and not mask
    return rng.choice(_CONSTANTS) if constants and rng.random() < 0.3 else _scalar(rng)


def _modifiers(opcode: Opcode, rng: random.Random) -> dict[str, int]:
    """Modifiers that the assembler would take for the row."""
    operands = (*opcode.src, *opcode.dst)
    types = {type for _, type in operands if not type.startswith("mask")}
    real = all(element(type)[0].endswith("f") for type in types)
    # floats and halves only: the others have no such modifiers
    fields: dict[str, int] = {}
    if opcode.format == "VOP3":
        vop3b = "vop3b" in opcode.flags
        if real and "mix" not in opcode.flags:
            fields["neg"] = rng.getrandbits(3)
            if not vop3b:
                fields["abs"] = rng.getrandbits(3)
            if opcode.klass != "vcmp":
                fields["omod"] = rng.choice((0, 0, 1, 2, 3))
                fields["clamp"] = rng.getrandbits(1)
        scalar = any(name == "sdst" for name, _ in opcode.dst)
        if any(type in HALVES for type in types) and not vop3b and not scalar:
            fields["op_sel"] = rng.getrandbits(4)
        if "byte_src" in opcode.flags or "byte_dst" in opcode.flags:
            fields = {"byte_sel": rng.getrandbits(2)}
    elif opcode.format == "VOP3P":
        fields = {"neg": rng.getrandbits(2), "clamp": rng.getrandbits(1)} if "signs" in opcode.flags else {}
        if any(type.startswith("pk_") for type in types) or "mix" in opcode.flags:
            fields = {
                "op_sel": rng.getrandbits(3),
                "op_sel_hi": rng.getrandbits(3),
                "clamp": rng.getrandbits(1),
            }
            if real or "mix" in opcode.flags:
                fields |= {"neg": rng.getrandbits(3), "neg_hi": rng.getrandbits(3)}
    return fields


def _fields(opcode: Opcode, rng: random.Random) -> dict[str, int]:
    generation = GENERATIONS[opcode.generation]
    kind_of = "VOP3B" if opcode.format == "VOP3" and "vop3b" in opcode.flags else opcode.format
    fields: dict[str, int] = {}
    sources = {name for name, _ in opcode.src}
    for name, type in (*opcode.dst, *opcode.src):
        if name in _IMPLICIT or name in fields:
            continue
        kind, _, width = slots_rdna.place(generation, kind_of, name)
        fields[name] = _operand(opcode, kind, width, type, name in sources, rng)
    if any(name == "literal" for name, _ in opcode.src):
        fields["literal"] = rng.getrandbits(32)
    return fields


def _encoded(opcode: Opcode, fields: dict[str, int]) -> tuple[int, int]:
    return assembler.encode(opcode, **fields), assembler.size(opcode, **fields)


def encode(opcode: Opcode, rng: random.Random) -> tuple[int, int]:
    """A random instruction of the row and its bytes."""
    return _encoded(opcode, _fields(opcode, rng) | _modifiers(opcode, rng))


def encode_dpp(opcode: Opcode, rng: random.Random) -> tuple[int, int]:
    """The same with its source 0 moved by DPP16 or DPP8."""
    types = dict(opcode.src)
    fields = _fields(opcode, rng) | _modifiers(opcode, rng)
    for name in ("src1", "src2"):  # no scalar operand in every generation
        if name in fields and not types[name].startswith("mask"):
            fields[name] = 256 | _vector(opcode, types[name], rng)
    extra = _vector(opcode, types["src0"], rng)
    if rng.random() < 0.3:
        fields["src0"] = rng.choice((DPP8, DPP8_FI))
        extra |= rng.getrandbits(24) << 8
    else:
        fields["src0"] = DPP16
        extra |= rng.choice(DPP_CONTROLS) << 8 | rng.getrandbits(2) << 18
        extra |= rng.choice((15, rng.getrandbits(4))) << 24 | rng.choice((15, rng.getrandbits(4))) << 28
        real = all(element(type)[0] == "f" for type in types.values() if not type.startswith("mask"))
        if real and opcode.format in _SHORT:
            extra |= rng.getrandbits(4) << 20
    return _encoded(opcode, fields | {"extra": extra})


def can_dpp(opcode: Opcode) -> bool:
    """Operands of one dword, source 0 a VGPR (RDNA3 ISA, table "Which instructions support DPP")."""
    generation = GENERATIONS[opcode.generation]
    formats = ("VOP1", "VOP2", "VOPC") if generation.family == "gfx10" else ("VOP1", "VOP2", "VOPC", "VOP3")
    operands = (*opcode.dst, *opcode.src)
    narrow = all(
        type.startswith("mask") or (element(type)[1] <= 32 and not type.startswith("pk_"))
        for _, type in operands
    )
    fields = {name for name, _ in operands}
    plain = not opcode.flags & {"swap", "permlane", "byte_src", "byte_dst", "op_sel4", "vop3b", "mix"}
    return (
        opcode.format in formats
        and narrow
        and plain
        and "src0" in fields
        and not fields & {"literal", "sdst"}
    )


def dual(first: Opcode, second: Opcode, rng: random.Random) -> tuple[int, int]:
    """A VOPD of the two rows, and its bytes (RDNA3 ISA, "VOPD")."""
    family = GENERATIONS[first.generation].family
    format = next(known for known in formats_rdna.FORMATS[family] if known.name == "VOPD")
    width, value = format.ident
    word = value << 32 - width | first.number << 22 | second.number << 17
    destination = rng.randrange(VECTORS)
    word |= destination << 56 | rng.randrange(VECTORS // 2) << 49
    for row, low in ((first, 0), (second, 32)):
        source = rng.choice((256 | rng.randrange(VECTORS), _scalar(rng), rng.choice(_CONSTANTS)))
        word |= source << low | rng.randrange(VECTORS) << low + 9
        if any(name == "literal" for name, _ in row.src):
            word |= 1 << 64  # room for a literal
    if word >> 64:
        return word & (1 << 64) - 1 | rng.getrandbits(32) << 64, 12
    return word, 8
