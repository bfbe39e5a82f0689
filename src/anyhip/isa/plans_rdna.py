"""Plans of RDNA encodings: as ``plans``, for gfx10, gfx11 and gfx12.

A VOP3 may be followed by a literal or a DPP dword, a VOPD holds two instructions, memory encodings say in
other ways which parts of an address are used, and 16-bit operands may be halves of registers. The halves of
VOP1, VOP2 and VOPC are put into ``op_sel`` with the bits of VOP3: 0 src0, 1 src1, 2 src2, 3 the destination.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from anyhip.isa import formats, formats_rdna, plans_image, registers, slots, slots_rdna
from anyhip.isa.formats import Bits, Format
from anyhip.isa.generations import Generation
from anyhip.isa.opcodes import Opcode
from anyhip.isa.plans import Plan, no_literal, one_source, two_sources
from anyhip.isa.slots import Slot, Table
from anyhip.isa.slots_rdna import HALVES

__all__ = ["build", "dual", "row_of", "variants"]

PLAIN, LITERAL, SDWA, DPP, DPP8, VECTOR = range(6)
_IMPLICIT = frozenset({"vcc", "scc", "exec", "m0"})
_SHORT = ("VOP1", "VOP2", "VOPC")
_LONG = ("VOP3", "VOP3P")
_BUFFER = ("MUBUF", "MTBUF")
_FLAT = ("FLAT", "GLOBAL", "SCRATCH")
NO_SADDR, RETURNS, VADDR, TO_LDS = 1, 2, 4, 8  # bits of a FLAT variant
OFFEN, IDXEN, RETURNED, TFE = 1, 2, 4, 16  # bits of a buffer variant, which has TO_LDS too


def _short(forms: dict[int, int], true16: bool) -> Callable[[int], int]:
    def variant(w: int) -> int:
        source = w & 511
        return forms.get(source) or (VECTOR if true16 and source & 256 else PLAIN)

    return variant


def _long(forms: dict[int, int]) -> Callable[[int], int]:
    def variant(w: int) -> int:
        first = w >> 32 & 511
        literals = (first == 255) << 3 | (w >> 41 & 511 == 255) << 4 | (w >> 50 & 511 == 255) << 5
        return forms.get(first) or literals

    return variant


def _smem(null: int) -> Callable[[int], int]:
    return lambda w: w >> 57 & 0x7F == null


_FORMS10 = {255: LITERAL, 249: SDWA, 250: DPP, 233: DPP8, 234: DPP8}
_FORMS11 = {255: LITERAL, 250: DPP, 233: DPP8, 234: DPP8}
_LONG_FORMS = {250: DPP, 233: DPP8, 234: DPP8}


def _flat10(w: int) -> int:
    saddr = w >> 48 & 0x7F
    return (saddr in (0x7D, 0x7F)) | (w >> 15 & 2) | (saddr == 0x7D) << 2 | w >> 10 & 8


def _flat11(w: int) -> int:
    return (w >> 48 & 0x7F == 0x7C) | (w >> 13 & 2) | (w >> 53 & 4)


def _flat12(w: int) -> int:
    return (w & 0x7F == 0x7C) | (w >> 51 & 2) | (w >> 47 & 4)


def _buffer10(w: int) -> int:
    return w >> 12 & 7 | w >> 13 & 8 | w >> 51 & 16


def _typed10(w: int) -> int:
    return w >> 12 & 7 | w >> 51 & 16 | w >> 48 & 32


def _buffer11(w: int) -> int:
    return w >> 54 & 3 | w >> 12 & 4 | w >> 49 & 16


def _buffer12(w: int) -> int:
    return w >> 62 & 3 | w >> 50 & 4 | w >> 18 & 16


def _dual(w: int) -> int:
    return (w & 511 == 255) | (w >> 32 & 511 == 255) << 1


_MEMORY: dict[str, dict[str, Callable[[int], int]]] = {
    "gfx10": {"FLAT": _flat10, "MUBUF": _buffer10, "MTBUF": _typed10},
    "gfx11": {"FLAT": _flat11, "MUBUF": _buffer11, "MTBUF": _buffer11},
    "gfx12": {"FLAT": _flat12, "MUBUF": _buffer12},
}
_IMAGE = {"gfx10": ("MIMG",), "gfx11": ("MIMG",), "gfx12": ("VIMAGE", "VSAMPLE")}


def variants(generation: Generation) -> dict[str, Callable[[int], int]]:
    """Format name -> the function that reads its variant number."""
    gfx10 = generation.family == "gfx10"
    short = _short(_FORMS10 if gfx10 else _FORMS11, generation.true16)
    long = _long({} if gfx10 else _LONG_FORMS)
    return (
        dict.fromkeys(("SOPK", "SOPP", "DS", "VINTRP", "VINTERP", "LDSDIR", "EXP"), no_literal)
        | dict.fromkeys(("SOP2", "SOPC"), two_sources)
        | dict.fromkeys(_SHORT, short)
        | dict.fromkeys(_LONG, long)
        | {"SOP1": one_source, "SMEM": _smem(generation.null), "VOPD": _dual}
        | _MEMORY[generation.family]
        | {name: plans_image.variant(generation.family, name) for name in _IMAGE[generation.family]}
    )


def row_of(generation: Generation, format: str, number: int, variant: int) -> tuple[str, int]:
    """(format, number) of the table row behind an encoding's opcode number."""
    gfx12 = generation.family == "gfx12"
    if format == "FLAT":
        kinds = ("FLAT", "SCRATCH", "GLOBAL", "")
        if gfx12:
            return kinds[number >> 10], number & 0x3FF
        shift = 2 if generation.family == "gfx11" else 4
        return kinds[number & 3], number >> shift
    if format == "MTBUF" and generation.family == "gfx10":
        return format, number | variant >> 2 & 8
    if format == "MIMG" and generation.family == "gfx10":
        return format, number | (variant & 1) << 7
    if format == "MUBUF" and gfx12 and number >= 128:
        return "MTBUF", number
    return format, number


class _Builder:
    """What the slots of one plan have in common."""

    def __init__(self, generation: Generation, opcode: Opcode, variant: int, wave_size: int) -> None:
        self.generation = generation
        self.opcode = opcode
        self.variant = variant
        self.wave_size = wave_size

    def slots(self, pairs: tuple[tuple[str, str], ...]) -> tuple[Slot, ...]:
        return tuple([self.slot(name, type) for name, type in pairs])

    def slot(self, name: str, type: str) -> Slot:
        type = registers.resolve(type, self.wave_size)
        if name in _IMPLICIT:
            return slots.fixed(registers.implicit(name, type, self.wave_size))
        if name == "literal" or self.is_literal(name):
            return slots_rdna.literal(type, self.literal_at)
        special = _SPECIAL.get(self.opcode.format)
        return (special and special(self, name, type)) or self.plain(name, type)

    def plain(self, name: str, type: str) -> Slot:
        format = self.opcode.format
        if format == "VOP3" and "vop3b" in self.opcode.flags:
            format = "VOP3B"
        return slots_rdna.field(self.generation, format, name, type, self.wave_size)

    def table(self, kind: str, type: str) -> Table:
        return slots_rdna.table(self.generation, kind, type, registers.dwords(type, self.wave_size))

    @property
    def literal_at(self) -> int:
        """Lowest bit of the literal: behind the encoding."""
        return 64 if self.opcode.format in (*_LONG, "VOPD_X", "VOPD_Y") else 32

    def is_literal(self, name: str) -> bool:
        """Whether an operand field says that its operand is the literal."""
        format, variant = self.opcode.format, self.variant
        if format in _SHORT:
            return variant == LITERAL and name == "src0"
        if format in _LONG:
            return variant > VECTOR and name in _LITERAL_BIT and bool(variant & _LITERAL_BIT[name])
        if format in ("SOP1", "SOP2", "SOPC"):
            return bool(variant & {"ssrc0": 1, "ssrc1": 2}.get(name, 0))
        return name == "src0" and bool(variant & {"VOPD_X": 1, "VOPD_Y": 2}.get(format, 0))

    @property
    def has_literal(self) -> bool:
        names = [name for name, _ in self.opcode.src]
        return any(name == "literal" or self.is_literal(name) for name in names)


_LITERAL_BIT = {"src0": 8, "src1": 16, "src2": 32}


def _short_slot(self: _Builder, name: str, type: str) -> Slot | None:
    if self.variant == SDWA:
        if name == "src0":
            return 32, 0xFF, 55 - 8, 0x100, self.table("sdwa", type)
        if name == "vsrc1":
            return 9, 0xFF, 63 - 8, 0x100, self.table("sdwa", type)
        if self.opcode.format == "VOPC" and name == "vcc":
            return 40, 0xFF, 0, 0, self.table("sdwa_mask", type)
    if self.variant in (DPP, DPP8) and name == "src0":
        half = self.generation.true16 and type in HALVES
        return 32, 0xFF, 0, 0, self.table("half" if half else "vector", type)
    return None


def _long_slot(self: _Builder, name: str, type: str) -> Slot | None:
    if self.variant in (DPP, DPP8) and name == "src0":
        return 64, 0xFF, 0, 0, self.table("vector", type)
    return None


def _smem_slot(self: _Builder, name: str, type: str) -> Slot | None:
    if name == "soffset" and self.variant:
        return slots.address(type, "off", 0, 0, 0)
    return None


def _flat_slot(self: _Builder, name: str, type: str) -> Slot | None:
    no_saddr = bool(self.variant & NO_SADDR)
    format = self.opcode.format
    if name == "saddr":
        wide = format != "SCRATCH"
        if no_saddr:
            return slots_rdna.address(self.generation, format, name, "b64", 0)
        return slots_rdna.address(self.generation, format, name, "u64" if wide else "u32", 2 if wide else 1)
    if name != "vaddr":
        return None
    if format == "SCRATCH":
        used = bool(self.variant & VADDR)
        return slots_rdna.address(self.generation, format, name, "u32", int(used))
    wide = format == "FLAT" or no_saddr
    return slots_rdna.address(self.generation, format, name, "u64" if wide else "u32", 2 if wide else 1)


def _buffer_slot(self: _Builder, name: str, type: str) -> Slot | None:
    if name == "vaddr":
        count = (self.variant & OFFEN) + (self.variant >> 1 & 1)
        return slots_rdna.address(
            self.generation, self.opcode.format, name, "u64" if count == 2 else "u32", count
        )
    if name == "vdata" and self.variant & TFE:
        # One more register is for the word that says which texels were not resident.
        count = registers.dwords(type, self.wave_size) + 1
        _, low, width = slots_rdna.place(self.generation, self.opcode.format, name)
        return low, (1 << width) - 1, 0, 0, slots_rdna.table(self.generation, "vector", type, count)
    return None


_SPECIAL: dict[str, Callable[[_Builder, str, str], Slot | None]] = {
    **dict.fromkeys(_SHORT, _short_slot),
    **dict.fromkeys(_LONG, _long_slot),
    **dict.fromkeys(_FLAT, _flat_slot),
    **dict.fromkeys(_BUFFER, _buffer_slot),
    "SMEM": _smem_slot,
}


def build(generation: Generation, opcode: Opcode, format: Format, variant: int, wave_size: int) -> Plan:
    """Compile a plan.

    Args:
        opcode: the row.
        format: its encoding.
        variant: which form, as ``variants(generation)[format.name]`` read it.
    """
    if format.name in ("MIMG", "VIMAGE", "VSAMPLE"):
        return plans_image.build(generation, opcode, format, variant, wave_size)
    if not opcode.src and format.name in _SHORT:
        variant = PLAIN
    builder = _Builder(generation, opcode, variant, wave_size)
    dst = builder.slots(opcode.dst)
    if opcode.format == "VOPC" and variant == SDWA and opcode.dst[0][0] == "vcc":
        dst = ((40, 0xFF, 0, 0, builder.table("sdwa_mask", "mask")), *dst[1:])
    if not _writes(opcode, variant):
        dst = ()
    name, extra = _variant_name(builder, format.name)
    return Plan(
        opcode,
        format.size + extra,
        name,
        dst,
        builder.slots(opcode.src),
        _fields(generation, opcode, format, variant),
        "mix" in opcode.flags,
    )


def dual(generation: Generation, pair: tuple[Opcode, Opcode], variant: int, wave_size: int) -> Plan:
    """The plan of a VOPD: the operands of both instructions in order, and a plan of each in ``parts``."""
    first, second = [_Builder(generation, opcode, variant, wave_size) for opcode in pair]
    size = 8 + 4 * (first.has_literal or second.has_literal)
    parts = tuple(
        Plan(half.opcode, size, "", half.slots(half.opcode.dst), half.slots(half.opcode.src), lambda w: {})
        for half in (first, second)
    )
    both = Opcode(
        name=f"{pair[0].name} :: {pair[1].name}",
        format="VOPD",
        dst=pair[0].dst + pair[1].dst,
        src=pair[0].src + pair[1].src,
        klass="valu",
        flags=frozenset({"dual"}),
        number=pair[0].number << 5 | pair[1].number,
        suffix=False,
        generation=generation.name,
        meaning=f"{pair[0].name} :: {pair[1].name}",
    )
    operands = parts[0].dst + parts[1].dst, parts[0].src + parts[1].src
    return Plan(both, size, "", *operands, lambda w: {}, parts=parts)


def _writes(opcode: Opcode, variant: int) -> bool:
    """Whether the destination is written: atomics return only when told, loads to LDS write none."""
    if "rtn" in opcode.flags:
        return bool(variant & (RETURNED if opcode.format == "MUBUF" else RETURNS))
    return not (opcode.format in ("MUBUF", *_FLAT) and variant & TO_LDS)


def _variant_name(builder: _Builder, format: str) -> tuple[str, int]:
    """(Instruction.variant, bytes that follow the plain encoding)."""
    literal = builder.has_literal
    if format in _SHORT and not literal:
        return {SDWA: ("sdwa", 4), DPP: ("dpp", 4), DPP8: ("dpp8", 4)}.get(builder.variant, ("e32", 0))
    if format in _LONG:
        return {DPP: ("dpp", 4), DPP8: ("dpp8", 4)}.get(builder.variant, ("e64", 4 * literal))
    return ("lit", 4) if literal else ("", 0)


def _fields(
    generation: Generation, opcode: Opcode, format: Format, variant: int
) -> Callable[[int], dict[str, int]]:
    kind = next((flag for flag in formats_rdna.VOP3_VARIANTS if flag in opcode.flags), format.name)
    if format.name in _SHORT:
        halves = tuple(
            name for name, type in (*opcode.dst, *opcode.src) if generation.true16 and type in HALVES
        )
        return _short_reader(format.name, variant, halves)
    form = variant if format.name in _LONG and variant in (DPP, DPP8) else PLAIN
    segment = opcode.format == "FLAT" and generation.family != "gfx12"
    return _reader(generation.family, kind, form, segment)


@cache
def _short_reader(format: str, variant: int, halves: tuple[str, ...]) -> Callable[[int], dict[str, int]]:
    fields: dict[str, Bits] = {}
    if variant == SDWA:
        fields = formats.SDWA_COMPARE if format == "VOPC" else formats.SDWA
    elif variant == DPP:
        fields = formats_rdna.DPP16
    elif variant == DPP8:
        fields = formats_rdna.DPP8 | {"fi": Bits(1, 1)}
    if halves:
        source = {VECTOR: ((7, 1, 0),), DPP: ((39, 1, 0),), DPP8: ((39, 1, 0),)}.get(variant, ())
        places = {"src0": source, "vsrc1": ((16, 1, 1),), "vdst": ((24, 1, 3),)}
        bits = dict.fromkeys(piece for name in halves for piece in places.get(name, ()))
        fields = fields | {"op_sel": formats.pieces(*bits) if bits else Bits(0, 0)}
    return formats.field_reader(fields)


@cache
def _reader(family: str, kind: str, form: int, segment: bool) -> Callable[[int], dict[str, int]]:
    by_name: dict[str, dict[str, Bits]] = {known.name: known.fields for known in formats_rdna.FORMATS[family]}
    fields = (by_name | formats_rdna.VOP3_VARIANTS)[kind]
    if segment:  # flat offsets are not negative before gfx12
        fields = fields | {"offset": Bits(0, fields["offset"].width)}
    if form == DPP:
        moved = {name: bits for name, bits in formats_rdna.DPP16.items() if name not in ("neg", "abs")}
        fields = fields | {name: Bits(bits.low + 32, bits.width) for name, bits in moved.items()}
    elif form == DPP8:
        fields = fields | {"dpp8": Bits(72, 24), "fi": Bits(33, 1)}
    return formats.field_reader(fields)
