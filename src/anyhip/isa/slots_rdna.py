"""Slots of RDNA encodings: places of operand fields, and the operands that they can name.

As in ``slots``; what differs is where some fields lie, the numbers of M0 and the null register, and halves of
vector registers: a field of 16 bits' type keeps "high half" in its top bit, which ``half`` leaves out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from anyhip.isa import registers, slots
from anyhip.isa.generations import Generation
from anyhip.isa.registers import Operand
from anyhip.isa.slots import Slot, Table

__all__ = ["HALVES", "address", "field", "literal", "place", "table"]

# Types of operands that are one half of a vector register on generations with true16.
HALVES = frozenset({"f16", "bf16", "i16", "u16", "b16"})

_PLACES: dict[tuple[str, str], tuple[str, int, int]] = {
    ("SOP1", "simm8"): ("imm", 0, 8),
    ("VOP3", "attr"): ("imm", 32, 8),
    ("VOP3", "param"): ("imm", 41, 9),
    ("VINTRP", "vdst"): ("vector", 18, 8),
    ("VINTRP", "vsrc"): ("vector", 0, 8),
    ("VINTRP", "param"): ("imm", 0, 8),
    ("VINTRP", "attr"): ("imm", 8, 8),
    ("VOPD_X", "src0"): ("source", 0, 9),
    ("VOPD_X", "vsrc1"): ("vector", 9, 8),
    ("VOPD_X", "vdst"): ("vector", 56, 8),
    ("VOPD_Y", "src0"): ("source", 32, 9),
    ("VOPD_Y", "vsrc1"): ("vector", 41, 8),
    ("VOPD_Y", "vdst"): ("other bank", 49, 7),
    ("LDSDIR", "vdst"): ("vector", 0, 8),
    ("LDSDIR", "attr"): ("imm", 8, 8),
}
_PLACES["VINTERP", "vdst"] = ("vector", 0, 8)
for _number in range(4):
    _PLACES["EXP", f"vsrc{_number}"] = ("vector", 32 + 8 * _number, 8)
_PLACES["MIMG", "vdata"] = ("vector", 40, 8)
_PLACES["MIMG", "srsrc"] = ("quad", 48, 5)
for _format in ("VIMAGE", "VSAMPLE"):
    _PLACES[_format, "vdata"] = ("vector", 32, 8)
    _PLACES[_format, "srsrc"] = ("scalar", 41, 9)
_PLACES["VSAMPLE", "ssamp"] = ("scalar", 55, 9)
for _name, _low in (("src0", 32), ("src1", 41), ("src2", 50)):
    _PLACES["VINTERP", _name] = ("source", _low, 9)
_GFX12: dict[tuple[str, str], tuple[str, int, int]] = {
    ("FLAT", "saddr"): ("scalar", 0, 7),
    ("FLAT", "vdst"): ("vector", 32, 8),
    ("FLAT", "vdata"): ("vector", 55, 8),
    ("FLAT", "vaddr"): ("vector", 64, 8),
    ("MUBUF", "soffset"): ("scalar", 0, 7),
    ("MUBUF", "vdata"): ("vector", 32, 8),
    ("MUBUF", "srsrc"): ("scalar", 41, 9),
    ("MUBUF", "vaddr"): ("vector", 64, 8),
}
_SAME = {"GLOBAL": "FLAT", "SCRATCH": "FLAT", "MTBUF": "MUBUF"}


def place(generation: Generation, format: str, name: str) -> tuple[str, int, int]:
    """Kind, lowest bit and width of a field."""
    format = _SAME.get(format, format)
    if generation.family == "gfx12" and (format, name) in _GFX12:
        return _GFX12[format, name]
    if (format, name) == ("MIMG", "ssamp"):
        return "quad", 53 if generation.family == "gfx10" else 58, 5
    return _PLACES.get((format, name)) or slots.place(format, name)


@cache
def table(generation: Generation, kind: str, type: str, count: int) -> Table:
    """The operands that a kind of field can name on a generation."""
    make = _MAKERS.get(kind)
    return Table(make(generation, type, count)) if make else slots.table(kind, type, count)


Maker = Callable[[int], Operand | None]


def _scalar(scale: int) -> Callable[[Generation, str, int], Maker]:
    def maker(generation: Generation, type: str, count: int) -> Maker:
        m0, null = generation.m0, generation.null
        return lambda raw: registers.scalar(raw * scale, type, count, m0, null) if raw * scale < 256 else None

    return maker


def _source(generation: Generation, type: str, count: int) -> Maker:
    mask = 0x7F if type in HALVES and generation.true16 else 0xFF

    def make(raw: int) -> Operand | None:
        if raw & 0x100:
            return registers.vector(raw & mask, type, count)
        return registers.scalar(raw, type, count, generation.m0, generation.null)

    return make


def _wide_source(generation: Generation, type: str, count: int) -> Maker:
    def make(raw: int) -> Operand | None:
        if raw & 0x100:
            return registers.vector(raw & 0xFF, type, count)
        return registers.scalar(raw, type, count, generation.m0, generation.null)

    return make


def _half(generation: Generation, type: str, count: int) -> Maker:
    return lambda raw: registers.vector(raw & 0x7F, type, count)


def _other_bank(generation: Generation, type: str, count: int) -> Maker:
    """The second destination of a VOPD: its lowest bit is the opposite of the first one's."""
    return lambda raw: registers.vector(raw ^ 1, type, count)


def _sdwa(generation: Generation, type: str, count: int) -> Maker:
    def make(raw: int) -> Operand | None:
        if raw & 0x100:
            return registers.scalar(raw & 0xFF, type, count, generation.m0, generation.null)
        return registers.vector(raw, type, count)

    return make


def _sdwa_mask(generation: Generation, type: str, count: int) -> Maker:
    def make(raw: int) -> Operand | None:
        number = raw & 0x7F if raw & 0x80 else registers.VCC
        return registers.scalar(number, type, count, generation.m0, generation.null)

    return make


_MAKERS: dict[str, Callable[[Generation, str, int], Maker]] = {
    "scalar": _scalar(1),
    "pair": _scalar(2),
    "quad": _scalar(4),
    "source": _source,
    "wide source": _wide_source,
    "half": _half,
    "other bank": _other_bank,
    "sdwa": _sdwa,
    "sdwa_mask": _sdwa_mask,
}


def literal(type: str, low: int) -> Slot:
    """The literal dword at bit ``low``."""
    plain = slots.literal(type)
    return low, *plain[1:]


def field(generation: Generation, format: str, name: str, type: str, wave_size: int) -> Slot:
    """The slot of a field that means the same whatever the modifiers say."""
    kind, low, width = place(generation, format, name)
    count = registers.dwords(type, wave_size)
    if generation.true16 and type in HALVES and format in ("VOP1", "VOP2", "VOPC") and kind == "vector":
        kind = "half"
    elif kind == "source" and format.startswith(("VOP3", "VINTERP")):
        kind = "wide source"  # op_sel names the halves there
    if kind == "other bank":
        return 48, 0xFE, 56, 1, table(generation, kind, type, count)
    return low, (1 << width) - 1, 0, 0, table(generation, kind, type, count)


def address(generation: Generation, format: str, name: str, type: str, count: int) -> Slot:
    """An address part of ``count`` registers, which may be none."""
    if count == 0:
        return slots.address(type, "off", 0, 0, 0)
    kind, low, width = place(generation, format, name)
    if name == "saddr":
        kind, width = "scalar", 7
    return low, (1 << width) - 1, 0, 0, table(generation, kind, type, count)
