"""Plans: an opcode row and a variant number in, the slots and modifier reader that decode it out.

The variant number says which form of the instruction the bits hold; ``VARIANT[format]`` reads it from them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from anyhip.isa import formats, registers, slots
from anyhip.isa.formats import Bits, Format
from anyhip.isa.opcodes import Opcode
from anyhip.isa.slots import Slot

__all__ = ["LOAD_SCALE", "VARIANT", "Plan", "build", "no_literal", "one_source", "scaled", "two_sources"]

PLAIN, LITERAL, SDWA, DPP = range(4)
_IMPLICIT = frozenset({"vcc", "scc", "exec", "m0", "flat_scratch"})
LOAD_SCALE = 0x2C  # the VOP3P opcode in front of a scaled matrix instruction
_CHOOSING = (0x2D, 0x2E)  # matrix instructions on types that CBSZ and BLGP choose
_CHOSEN = ("fp8x32", "bf8x32", "fp6x32", "bf6x32", "fp4x32")
_GFX90A_NAMES = {"sc0": "glc", "nt": "slc", "sc1": "scc"}


@dataclass(slots=True)
class Plan:
    """How to decode one opcode in one variant; ``parts`` are the two instructions of a VOPD."""

    opcode: Opcode
    size: int
    variant: str
    dst: tuple[Slot, ...]
    src: tuple[Slot, ...]
    fields: Callable[[int], dict[str, int]]
    mixed: bool = False
    parts: tuple[Plan, ...] = ()


def no_literal(w: int) -> int:
    """The variant of formats that have one form."""
    return 0


def one_source(w: int) -> int:
    """1 when the only scalar source is a literal."""
    return w & 255 == 255


def two_sources(w: int) -> int:
    """Bit 0 and 1: the first and the second scalar source are a literal."""
    return (w & 255 == 255) | (w >> 8 & 255 == 255) << 1


def _vector(w: int) -> int:
    return {255: LITERAL, 249: SDWA, 250: DPP}.get(w & 511, PLAIN)


def _smem(w: int) -> int:  # soffset_en, nv, glc, imm
    return w >> 14 & 15


def _flat(w: int) -> int:  # bit 0 no saddr, bit 1 sc0, bit 2 scratch vaddr used
    return (w >> 48 & 0x7F == 0x7F) | (w >> 15 & 2) | (w >> 11 & 4)


def _mubuf(w: int) -> int:  # offen, idxen, sc0, (bit 3) lds
    return w >> 12 & 7 | w >> 13 & 8


def _mtbuf(w: int) -> int:
    return w >> 12 & 3


def _packed(w: int) -> int:
    """0; of matrix instructions whose types CBSZ and BLGP choose 1 | CBSZ << 1 | BLGP << 4 | opcode << 7."""
    number = w >> 16 & 0x7F
    if number == LOAD_SCALE:
        w >>= 64
        if w >> 23 & 511 != 0b110100111:
            return 0
        number = w >> 16 & 0x7F
    if number not in _CHOOSING:
        return 0
    return 1 | (w >> 8 & 7) << 1 | (w >> 61 & 7) << 4 | number << 7


def scaled(variant: int) -> tuple[Format, int]:
    """Format and opcode number of a scaled matrix instruction."""
    return next(format for format in formats.FORMATS if format.name == "VOP3PX"), variant >> 7


VARIANT: dict[str, Callable[[int], int]] = {
    "SOP1": one_source,
    "SOP2": two_sources,
    "SOPC": two_sources,
    "SOPK": no_literal,
    "SOPP": no_literal,
    "SMEM": _smem,
    "VOP1": _vector,
    "VOP2": _vector,
    "VOPC": _vector,
    "VOP3": no_literal,
    "VOP3P": _packed,
    "VOP3PX": no_literal,
    "DS": no_literal,
    "FLAT": _flat,
    "MUBUF": _mubuf,
    "MTBUF": _mtbuf,
}


class _Builder:
    """What the slots of one plan have in common."""

    def __init__(self, opcode: Opcode, variant: int, generation: str, wave_size: int) -> None:
        self.opcode = opcode
        self.variant = variant
        self.generation = generation
        self.wave_size = wave_size

    def slot(self, name: str, type: str) -> Slot:
        type = registers.resolve(type, self.wave_size)
        if name in _IMPLICIT:
            return slots.fixed(registers.implicit(name, type, self.wave_size))
        if name == "literal":
            return slots.literal(type)
        special = _SPECIAL.get(self.opcode.format)
        return (special and special(self, name, type)) or self.plain(name, type)

    def plain(self, name: str, type: str) -> Slot:
        flags, format = self.opcode.flags, self.opcode.format
        acc = ("acc_dst" in flags and name == "vdst") or ("acc_src" in flags and name == "src0")
        # The third source of v_smfmac is the index, a plain VGPR; its accumulator is the destination.
        matrix = self.opcode.klass == "mfma" and not (name == "src2" and self.accumulates)
        if format == "VOP3" and "vop3b" in flags:
            format = "VOP3B"
        return slots.field(format, name, type, self.wave_size, matrix, acc)

    @property
    def accumulates(self) -> bool:
        """Whether the destination is also read."""
        return any(pair in self.opcode.src for pair in self.opcode.dst)

    def slots(self, pairs: tuple[tuple[str, str], ...]) -> tuple[Slot, ...]:
        return tuple([self.slot(name, type) for name, type in pairs])


def _scalar_slot(self: _Builder, name: str, type: str) -> Slot | None:
    literal = (name == "ssrc0" and self.variant & 1) or (name == "ssrc1" and self.variant & 2)
    return slots.literal(type) if literal else None


def _vector_slot(self: _Builder, name: str, type: str) -> Slot | None:
    count = registers.dwords(type, self.wave_size)
    if self.variant == LITERAL and name == "src0":
        return slots.literal(type)
    if self.variant == DPP and name == "src0":
        return 32, 0xFF, 0, 0, slots.table("vector", type, count)
    if self.variant == SDWA:
        if name == "src0":
            return slots.sdwa(name, 32, 55, type, self.wave_size)
        if name == "vsrc1":
            return slots.sdwa(name, 9, 63, type, self.wave_size)
    return None


def _smem_slot(self: _Builder, name: str, type: str) -> Slot | None:
    if name != "soffset":
        return None
    if self.variant & 1:  # soffset_en
        return slots.address(type, "scalar", 57, 7, 1)
    if not self.variant & 8:  # no immediate: the offset field holds a register number
        return slots.address(type, "scalar", 32, 7, 1)
    return slots.address(type, "off", 0, 0, 0)


def _flat_slot(self: _Builder, name: str, type: str) -> Slot | None:
    no_saddr = bool(self.variant & 1)
    kind = self.opcode.format
    if name == "saddr":
        if no_saddr:
            return slots.address("b64", "off", 0, 0, 0)
        wide = kind == "GLOBAL"
        return slots.address("u64" if wide else "u32", "scalar", 48, 7, 2 if wide else 1)
    if name != "vaddr":
        return None
    if kind == "SCRATCH":
        used = no_saddr if self.generation == "gfx90a" else self.variant & 4
        return slots.address("u32", "vector" if used else "off", 32, 8, 1)
    wide = kind == "FLAT" or no_saddr
    return slots.address("u64" if wide else "u32", "vector", 32, 8, 2 if wide else 1)


def _buffer_slot(self: _Builder, name: str, type: str) -> Slot | None:
    if name != "vaddr":
        return None
    count = (self.variant & 1) + (self.variant >> 1 & 1)
    return slots.address("u64" if count == 2 else "u32", "vector" if count else "off", 32, 8, count)


def _chosen_slot(self: _Builder, name: str, type: str) -> Slot | None:
    """Operands of the type that CBSZ (source 0) or BLGP (source 1) chooses; of 8 registers if it is none."""
    if type != "formatx32":
        return None
    number = self.variant >> (1 if name == "src0" else 4) & 7
    return self.plain(name, _CHOSEN[number] if number < len(_CHOSEN) else "b8x32")


_SPECIAL: dict[str, Callable[[_Builder, str, str], Slot | None]] = {
    "SOP1": _scalar_slot,
    "SOP2": _scalar_slot,
    "SOPC": _scalar_slot,
    "VOP1": _vector_slot,
    "VOP2": _vector_slot,
    "VOPC": _vector_slot,
    "SMEM": _smem_slot,
    "VOP3P": _chosen_slot,
    "VOP3PX": _chosen_slot,
    "FLAT": _flat_slot,
    "GLOBAL": _flat_slot,
    "SCRATCH": _flat_slot,
    "MUBUF": _buffer_slot,
    "MTBUF": _buffer_slot,
}


def build(opcode: Opcode, format: Format, variant: int, generation: str, wave_size: int) -> Plan:
    """Compile a plan.

    Args:
        opcode: the row.
        format: its encoding.
        variant: which form, as ``VARIANT[format.name]`` read it.
    """
    builder = _Builder(opcode, variant, generation, wave_size)
    has_literal = any(name == "literal" for name, _ in opcode.src)
    dst = builder.slots(opcode.dst)
    if opcode.format == "VOPC" and variant == SDWA:
        count = registers.dwords("mask", wave_size)
        dst = ((40, 0xFF, 0, 0, slots.table("sdwa_mask", "mask", count)), *dst[1:])
    if not _writes(opcode, variant):
        dst = ()
    src = builder.slots(opcode.src)
    name, extra = _variant_name(format.name, variant, has_literal)
    return Plan(
        opcode,
        format.size + extra,
        name,
        dst,
        src,
        _fields(opcode, format, name, variant, generation),
        "mix" in opcode.flags,
    )


def _writes(opcode: Opcode, variant: int) -> bool:
    """Whether the destination is written: atomics return only when told, loads to LDS write none."""
    if "rtn" in opcode.flags:
        bit = {"SMEM": 4, "MUBUF": 4}.get(opcode.format, 2)
        return bool(variant & bit)
    return not (opcode.format == "MUBUF" and variant & 8)


def _variant_name(format: str, variant: int, has_literal: bool) -> tuple[str, int]:
    """(Instruction.variant, bytes that follow the plain encoding)."""
    if has_literal:
        return "lit", 4
    if format in ("VOP3", "VOP3P", "VOP3PX"):
        return "e64", 0
    if format in ("VOP1", "VOP2", "VOPC"):
        return (("e32", 0), ("lit", 4), ("sdwa", 4), ("dpp", 4))[variant]
    if format in ("SOP1", "SOP2", "SOPC") and variant:
        return "lit", 4
    return "", 0


def _fields(
    opcode: Opcode, format: Format, variant: str, number: int, generation: str
) -> Callable[[int], dict[str, int]]:
    if variant == "sdwa":
        kind = "sdwa_compare" if format.name == "VOPC" else "sdwa"
    elif variant == "dpp":
        kind = "dpp"
    elif opcode.klass == "mfma" or opcode.flags & {"acc_src", "acc_dst"}:
        kind = "mfma" if format.name == "VOP3P" else format.name
    else:
        kind = next((flag for flag in ("vop3b", "mix", "bitop3") if flag in opcode.flags), format.name)
    if kind == "SMEM" and not number & 8:
        kind = "smem_register"
    elif opcode.format == "FLAT":
        kind = "flat_segment"
    return _reader(kind, generation == "gfx90a")


@cache
def _reader(kind: str, gfx90a: bool) -> Callable[[int], dict[str, int]]:
    by_name: dict[str, dict[str, Bits]] = {format.name: format.fields for format in formats.FORMATS}
    by_name |= formats.VOP3_VARIANTS | {
        "sdwa": formats.SDWA,
        "sdwa_compare": formats.SDWA_COMPARE,
        "dpp": formats.DPP,
        "flat_segment": formats.FLAT_SEGMENT,
        # Without an immediate the offset field names a register.
        "smem_register": by_name["SMEM"] | {"offset": Bits(0, 0)},
    }
    fields = by_name[kind]
    if gfx90a:
        fields = {_GFX90A_NAMES.get(name, name): bits for name, bits in fields.items()}
    return formats.field_reader(fields)
