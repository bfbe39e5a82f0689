"""Where an operand of an opcode row sits in the instruction's bits, and the table that turns those into it.

A slot is ``(shift, mask, shift2, mask2, table)``; its operand is
``table[w >> shift & mask | w >> shift2 & mask2]``. The second part brings in a bit that lies elsewhere (the
one that turns a VGPR into an AccVGPR, or a VGPR into an SGPR). Tables fill themselves as values turn up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from anyhip.errors import IsaError
from anyhip.isa import registers
from anyhip.isa.registers import Operand

__all__ = ["Slot", "Table", "address", "field", "fixed", "literal"]

ACC = 0x200  # put in front of a 9-bit source: its vector registers are AccVGPRs


class Table(dict[int, Operand]):
    """Operands by raw field value, made on first use."""

    def __init__(self, make: Callable[[int], Operand | None]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, raw: int) -> Operand:
        operand = self._make(raw)
        if operand is None:
            raise IsaError(f"operand field has the reserved value {raw}")
        self[raw] = operand
        return operand


class LiteralTable(Table):
    """Literals: too many to keep."""

    def __missing__(self, raw: int) -> Operand:
        operand = self._make(raw)
        assert operand is not None  # every 32-bit number is a literal
        return operand


Slot = tuple[int, int, int, int, Table]

# (format, field) -> (kind of field, lowest bit, width)
_PLACES: dict[tuple[str, str], tuple[str, int, int]] = {
    ("SOPC", "imm8"): ("imm", 8, 8),
    ("SMEM", "sdata"): ("scalar", 6, 7),
    ("SMEM", "imm7"): ("imm", 6, 7),
    ("SMEM", "soffset"): ("scalar", 57, 7),
    ("SMEM", "sbase"): ("pair", 0, 6),
    ("VOP1", "sdst"): ("scalar", 17, 8),
    ("VOP3", "sdst"): ("scalar", 0, 8),
    ("VOP3B", "sdst"): ("scalar", 8, 7),
    ("MUBUF", "srsrc"): ("quad", 48, 5),
    ("MUBUF", "soffset"): ("scalar", 56, 8),
}
for _format in ("SOP1", "SOP2", "SOPC"):
    _PLACES[_format, "ssrc0"] = ("scalar", 0, 8)
    _PLACES[_format, "ssrc1"] = ("scalar", 8, 8)
for _format in ("SOP1", "SOP2", "SOPK"):
    _PLACES[_format, "sdst"] = ("scalar", 16, 7)
for _format in ("SOPK", "SOPP"):
    _PLACES[_format, "simm16"] = ("imm", 0, 16)
for _format in ("VOP1", "VOP2", "VOPC"):
    _PLACES[_format, "src0"] = ("source", 0, 9)
    _PLACES[_format, "vsrc1"] = ("vector", 9, 8)
    _PLACES[_format, "vdst"] = ("vector", 17, 8)
for _format in ("VOP3", "VOP3B", "VOP3P"):
    _PLACES[_format, "vdst"] = ("vector", 0, 8)
    for _number in range(3):
        _PLACES[_format, f"src{_number}"] = ("source", 32 + 9 * _number, 9)
for _format, _names in (
    ("DS", ("addr", "data0", "data1", "vdst")),
    ("FLAT", ("vaddr", "vdata", "saddr", "vdst")),
):
    for _number, _name in enumerate(_names):
        _PLACES[_format, _name] = ("vector", 32 + 8 * _number, 8)
_PLACES["VOP3PX", "vdst"] = ("vector", 64, 8)
for _number in range(3):
    _PLACES["VOP3PX", f"src{_number}"] = ("source", 96 + 9 * _number, 9)
for _number in range(2):
    _PLACES["VOP3PX", f"scale{_number}"] = ("source", 32 + 9 * _number, 9)
_PLACES["MUBUF", "vaddr"] = ("vector", 32, 8)
_PLACES["MUBUF", "vdata"] = ("vector", 40, 8)
_SAME = {"GLOBAL": "FLAT", "SCRATCH": "FLAT", "MTBUF": "MUBUF"}

# Fields that name AccVGPRs when another bit is set: (format, field) -> that bit.
_ACC_BIT = {("DS", name): 25 for name in ("data0", "data1", "vdst")}
_ACC_BIT |= {(name, part): 55 for name in ("FLAT", "MUBUF") for part in ("vdata", "vdst")}
_MATRIX_ACC = {"src0": 59, "src1": 60, "src2": 15, "vdst": 15}
_ACC_BIT |= {("MFMA", name): bit for name, bit in _MATRIX_ACC.items()}
_ACC_BIT |= {("VOP3PX", name): 64 + bit for name, bit in _MATRIX_ACC.items()}


def place(format: str, name: str) -> tuple[str, int, int]:
    """Kind, lowest bit and width of a field."""
    format = _SAME.get(format, format)
    found = _PLACES.get((format, name))
    if found is None:
        raise IsaError(f"opcode table: {format} has no field {name!r}")
    return found


@cache
def table(kind: str, type: str, count: int) -> Table:
    """The operands that a kind of field can name."""
    return Table(_MAKERS[kind](type, count))


def _source(type: str, count: int) -> Callable[[int], Operand | None]:
    def make(raw: int) -> Operand | None:
        if raw & 0x100:
            return registers.vector(raw & 0xFF, type, count, "a" if raw & ACC else "v")
        return registers.scalar(raw & 0xFF, type, count)

    return make


def _vector(type: str, count: int) -> Callable[[int], Operand | None]:
    return lambda raw: registers.vector(raw & 0xFF, type, count, "a" if raw & 0x100 else "v")


def _sdwa_source(type: str, count: int) -> Callable[[int], Operand | None]:
    def make(raw: int) -> Operand | None:
        if raw & 0x100:
            return registers.scalar(raw & 0xFF, type, count)
        return registers.vector(raw, type, count)

    return make


def _sdwa_mask(type: str, count: int) -> Callable[[int], Operand | None]:
    return lambda raw: registers.scalar(raw & 0x7F if raw & 0x80 else registers.VCC, type, count)


def _immediate(type: str, count: int) -> Callable[[int], Operand | None]:
    def make(raw: int) -> Operand:
        value = (raw ^ 0x8000) - 0x8000 & 0xFFFFFFFF if type == "i32" else raw
        return Operand("const", registers.LITERAL, count, type, value)

    return make


def _scaled(scale: int) -> Callable[[str, int], Callable[[int], Operand | None]]:
    return lambda kind, count: lambda raw: registers.scalar(raw * scale, kind, count)


def _off(type: str, count: int) -> Callable[[int], Operand | None]:
    return lambda raw: Operand("special", registers.NULL_SADDR, 0, type, name="off")


_MAKERS: dict[str, Callable[[str, int], Callable[[int], Operand | None]]] = {
    "scalar": _scaled(1),
    "pair": _scaled(2),
    "quad": _scaled(4),
    "source": _source,
    "vector": _vector,
    "sdwa": _sdwa_source,
    "sdwa_mask": _sdwa_mask,
    "imm": _immediate,
    "off": _off,
}


def fixed(operand: Operand) -> Slot:
    """An operand that no field names."""
    return 0, 0, 0, 0, Table(lambda raw: operand)


def literal(type: str) -> Slot:
    """The 32-bit literal in the second dword."""
    count = registers.dwords(type)
    return 32, 0xFFFFFFFF, 0, 0, LiteralTable(lambda raw: registers.literal(raw, type, count))


def field(
    format: str, name: str, type: str, wave_size: int, matrix: bool = False, force_acc: bool = False
) -> Slot:
    """The slot of a field that means the same whatever the modifiers say.

    Args:
        matrix: an MFMA, whose AccVGPR bits apply.
        force_acc: the vector register is always an AccVGPR.
    """
    kind, low, width = place(format, name)
    count = registers.dwords(type, wave_size)
    mask = (1 << width) - 1
    operands = table(kind, type, count)
    acc_place = 9 if kind == "source" else 8
    if force_acc:
        operands = Table(lambda raw: _MAKERS[kind](type, count)(raw | 1 << acc_place))
        return low, mask, 0, 0, operands
    kept = format != "VOP3PX" and matrix
    bit = _ACC_BIT.get(("MFMA" if kept else _SAME.get(format, format), name))
    if bit is None:
        return low, mask, 0, 0, operands
    # Move the AccVGPR bit to just above the field's own bits.
    down = bit - acc_place
    return low, mask, down, 1 << acc_place, operands


def sdwa(name: str, low: int, scalar_bit: int, type: str, wave_size: int) -> Slot:
    """A source of an SDWA instruction: byte at ``low``, an SGPR when ``scalar_bit`` is set."""
    return low, 0xFF, scalar_bit - 8, 0x100, table("sdwa", type, registers.dwords(type, wave_size))


def address(type: str, kind: str, low: int, width: int, count: int) -> Slot:
    """An address part whose size depends on the modifiers; kind ``off`` where it is not used."""
    return low, (1 << width) - 1 if kind != "off" else 0, 0, 0, table(kind, type, count)
