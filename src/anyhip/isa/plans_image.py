"""Plans of image instructions: how many registers the data and the address take depends on the modifiers.

Rows give what an instruction's address holds in flags: ``extra1`` to ``extra3`` (offset, bias, reference
value), ``grad`` (two derivatives a dimension; ``g16`` halves them), ``lod`` (level or clamp), ``nocoord``
(nothing but that). Sources: AMD RDNA2, RDNA3 and RDNA4 ISA guides, "Image Instructions", address and data
tables.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache

from anyhip.isa import formats, formats_rdna, slots_rdna
from anyhip.isa.formats import Format
from anyhip.isa.generations import Generation
from anyhip.isa.opcodes import Opcode
from anyhip.isa.plans import Plan
from anyhip.isa.slots import Slot

__all__ = ["DIMENSIONS", "build", "variant"]

# Spelling, coordinates and derivatives of each dim.
DIMENSIONS = (
    ("1D", 1, 2),
    ("2D", 2, 4),
    ("3D", 3, 6),
    ("CUBE", 3, 4),
    ("1D_ARRAY", 2, 2),
    ("2D_ARRAY", 3, 4),
    ("2D_MSAA", 3, 4),
    ("2D_MSAA_ARRAY", 4, 4),
)
_SHAPING = ("dim", "dmask", "a16", "d16", "tfe", "nsa", "glc", "th")


@cache
def _mask(family: str, format: str) -> int:
    """The bits of an encoding that decide how many registers it uses, and for gfx10 the opcode's highest."""
    known = next(entry for entry in formats_rdna.FORMATS[family] if entry.name == format)
    parts = [known.fields[name] for name in _SHAPING if name in known.fields]
    mask = sum((1 << bits.width) - 1 << bits.low for bits in parts)
    return mask | (family == "gfx10")


def variant(family: str, format: str) -> Callable[[int], int]:
    """The function that reads the variant number: those bits in their places."""
    mask = _mask(family, format)
    return lambda w: w & mask


def _address_words(opcode: Opcode, fields: dict[str, int]) -> int:
    flags = opcode.flags
    _, coordinates, derivatives = DIMENSIONS[fields["dim"]]
    words = next((number for number in (1, 2, 3) if f"extra{number}" in flags), 0)
    components = (0 if "nocoord" in flags else coordinates) + ("lod" in flags)
    words += (components + 1) // 2 if fields["a16"] else components
    if "grad" in flags:
        # Packed derivatives fill whole registers for each direction.
        words += (derivatives // 2 + 1) // 2 * 2 if "g16" in flags else derivatives
    return words


def _data_words(opcode: Opcode, fields: dict[str, int]) -> int:
    words = 4 if "gather" in opcode.flags else max(1, fields["dmask"].bit_count())
    if fields["d16"]:
        words = (words + 1) // 2
    return words + fields["tfe"]


def _address_places(format: str, nsa: int) -> list[int]:
    """Lowest bits of the register fields of an address, first word first."""
    if format == "VIMAGE":
        return [64, 72, 80, 88, 56]
    if format == "VSAMPLE":
        return [64, 72, 80, 88]
    return [32] + [64 + 8 * number for number in range(4 * nsa)]


def _address(generation: Generation, places: list[int], words: int) -> list[tuple[str, Slot]]:
    """Name and slot of each register range; the last field names the rest of the address."""
    count = min(len(places), words)
    found = []
    for number in range(count):
        size = words - number if number == count - 1 else 1
        registers = slots_rdna.table(generation, "vector", f"b32x{size}", size)
        name = f"vaddr{number}" if count > 1 else "vaddr"
        found.append((name, (places[number], 0xFF, 0, 0, registers)))
    return found


def build(generation: Generation, opcode: Opcode, format: Format, variant: int, wave_size: int) -> Plan:
    """Compile a plan; where the address is in several ranges its opcode names them ``vaddr0`` and so on.

    Args:
        opcode: the row.
        format: its encoding.
        variant: bits that :func:`variant` picked.
    """
    fields = formats.field_reader(format.fields)(variant)
    nsa = fields.get("nsa", 0)
    address = _address(generation, _address_places(format.name, nsa), _address_words(opcode, fields))
    data = f"b32x{_data_words(opcode, fields)}"

    def expand(pairs: tuple[tuple[str, str], ...]) -> list[tuple[tuple[str, str], Slot]]:
        found: list[tuple[tuple[str, str], Slot]] = []
        for name, type in pairs:
            if name == "vaddr":
                found += [((part, "b32"), slot) for part, slot in address]
                continue
            type = data if type == "texels" else type
            found.append(((name, type), slots_rdna.field(generation, format.name, name, type, wave_size)))
        return found

    dst, src = expand(opcode.dst), expand(opcode.src)
    shaped = dataclasses.replace(
        opcode, dst=tuple([pair for pair, _ in dst]), src=tuple([pair for pair, _ in src])
    )
    reader = formats.field_reader(format.fields)
    written = tuple([slot for _, slot in dst])
    if "rtn" in opcode.flags and not fields.get("glc", fields.get("th", 0) & 1):
        written = ()
    return Plan(shaped, format.size + 4 * nsa, "", written, tuple([slot for _, slot in src]), reader)
