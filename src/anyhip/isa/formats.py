"""Encodings of GFX9 and CDNA machine code: bit fields by name, as the ISA guides draw them.

Bit numbers count from bit 0 of the first dword; bits 32 and up lie in the second one. Here are the fields
that modify; those that hold operands are in ``slots``.
Source: AMD CDNA3 ISA guide, chapter "Microcode Formats".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["DPP", "FORMATS", "SDWA", "SDWA_COMPARE", "Bits", "Format", "field_reader"]


@dataclass(frozen=True, slots=True)
class Bits:
    """A bit field: ``width`` bits from bit ``low`` on; a split field has (low, width, place) triples."""

    low: int
    width: int
    signed: bool = False
    pieces: tuple[tuple[int, int, int], ...] = ()

    def expression(self) -> str:
        """The field of the integer ``w`` as Python source."""
        if self.pieces:
            return " | ".join(
                f"(w >> {low} & {(1 << width) - 1}) << {place}" for low, width, place in self.pieces
            )
        text = f"w >> {self.low} & {(1 << self.width) - 1}"
        if self.signed:
            sign = 1 << self.width - 1
            text = f"({text} ^ {sign}) - {sign}"
        return text


def pieces(*parts: tuple[int, int, int]) -> Bits:
    """A field whose bits lie apart: (low, width, place in the result) of each part."""
    return Bits(0, 0, pieces=parts)


@dataclass(frozen=True, slots=True)
class Format:
    """One encoding.

    Attributes:
        size: bytes without literal, SDWA or DPP dword.
        ident: (width, value): the leading bits that tell the format.
        opcode: where the opcode number is.
        fields: modifiers by name.
        segmented: of FLAT, (shift, mask) of the opcode number together with the segment bits, which tell
            flat, scratch and global instructions apart.
    """

    name: str
    size: int
    ident: tuple[int, int]
    opcode: Bits
    fields: dict[str, Bits] = field(default_factory=dict)
    segmented: tuple[int, int] = (0, 0)


def field_reader(fields: dict[str, Bits]) -> Callable[[int], dict[str, int]]:
    """A function from the instruction's bits to its modifiers; compiled, as it runs for each instruction."""
    body = ", ".join(f"{name!r}: {bits.expression()}" for name, bits in fields.items())
    # The text is made of nothing but the names and numbers of this file.
    reader: Callable[[int], dict[str, int]] = eval(f"lambda w: {{{body}}}")  # noqa: S307
    return reader


_SIMM16 = {"simm16": Bits(0, 16)}
_BUFFER = {
    "offset": Bits(0, 12),
    "offen": Bits(12, 1),
    "idxen": Bits(13, 1),
    "sc0": Bits(14, 1),
}
_FLAT = {
    "offset": Bits(0, 13, signed=True),
    "sve": Bits(13, 1),
    "seg": Bits(14, 2),
    "sc0": Bits(16, 1),
    "nt": Bits(17, 1),
    "sc1": Bits(25, 1),
    "saddr": Bits(48, 7),
    "acc": Bits(55, 1),
}
_VOP3 = {
    "abs": Bits(8, 3),
    "op_sel": Bits(11, 4),
    "clamp": Bits(15, 1),
    "omod": Bits(59, 2),
    "neg": Bits(61, 3),
}

# More specific identifications come before those that contain them.
SHORT = (  # one dword, the same in all generations
    Format("VOP1", 4, (7, 0b0111111), Bits(9, 8)),
    Format("VOPC", 4, (7, 0b0111110), Bits(17, 8)),
    Format("VOP2", 4, (1, 0b0), Bits(25, 6)),
    Format("SOP1", 4, (9, 0b101111101), Bits(8, 8)),
    Format("SOPC", 4, (9, 0b101111110), Bits(16, 7)),
    Format("SOPP", 4, (9, 0b101111111), Bits(16, 7), _SIMM16),
    Format("SOPK", 4, (4, 0b1011), Bits(23, 5), _SIMM16),
    Format("SOP2", 4, (2, 0b10), Bits(23, 7)),
)
FORMATS = (
    *SHORT,
    Format(
        "SMEM",
        8,
        (6, 0b110000),
        Bits(18, 8),
        {
            "offset": Bits(32, 21, signed=True),
            "soffset_en": Bits(14, 1),
            "nv": Bits(15, 1),
            "glc": Bits(16, 1),
            "imm": Bits(17, 1),
        },
    ),
    Format(
        "VOP3P",
        8,
        (9, 0b110100111),
        Bits(16, 7),
        {
            "neg_hi": Bits(8, 3),
            "op_sel": Bits(11, 3),
            "op_sel_hi": pieces((59, 2, 0), (14, 1, 2)),
            "clamp": Bits(15, 1),
            "neg": Bits(61, 3),
        },
    ),
    # A VOP3P of 32-bit scales and the matrix instruction that they are for (CDNA4 ISA guide, 7.2.1).
    Format(
        "VOP3PX",
        16,
        (9, 0b110100111),
        Bits(80, 7),
        {
            "op_sel": Bits(11, 2),
            "op_sel_hi": Bits(59, 2),
            "cbsz": Bits(72, 3),
            "abid": Bits(75, 4),
            "acc_cd": Bits(79, 1),
            "acc": Bits(123, 2),
            "blgp": Bits(125, 3),
        },
    ),
    Format("VOP3", 8, (6, 0b110100), Bits(16, 10), _VOP3),
    Format(
        "DS",
        8,
        (6, 0b110110),
        Bits(17, 8),
        {
            "offset": Bits(0, 16),
            "offset0": Bits(0, 8),
            "offset1": Bits(8, 8),
            "gds": Bits(16, 1),
            "acc": Bits(25, 1),
        },
    ),
    Format("FLAT", 8, (6, 0b110111), Bits(18, 7), _FLAT, (14, 0x7F3)),
    Format(
        "MUBUF",
        8,
        (6, 0b111000),
        Bits(18, 7),
        _BUFFER | {"sc1": Bits(15, 1), "lds": Bits(16, 1), "nt": Bits(17, 1), "acc": Bits(55, 1)},
    ),
    Format(
        "MTBUF",
        8,
        (6, 0b111010),
        Bits(15, 4),
        _BUFFER
        | {
            "dfmt": Bits(19, 4),
            "nfmt": Bits(23, 3),
            "sc1": Bits(53, 1),
            "nt": Bits(54, 1),
            "acc": Bits(55, 1),
        },
    ),
)

# Offsets of flat addresses are not negative (CDNA3 ISA guide, "FLAT", OFFSET).
FLAT_SEGMENT = _FLAT | {"offset": Bits(0, 13)}

# VOP3 forms that keep other things in the bits of a plain VOP3 (flag of the opcode row, or its class).
VOP3_VARIANTS = {
    "vop3b": {"clamp": Bits(15, 1), "omod": Bits(59, 2), "neg": Bits(61, 3)},
    "bitop3": {
        "bitop3": pieces((61, 3, 0), (8, 3, 3), (59, 2, 6)),
        "op_sel": Bits(11, 4),
    },
    "mix": {
        "abs": Bits(8, 3),
        "op_sel": Bits(11, 3),
        "op_sel_hi": pieces((59, 2, 0), (14, 1, 2)),
        "clamp": Bits(15, 1),
        "neg": Bits(61, 3),
    },
    "mfma": {
        "cbsz": Bits(8, 3),
        "abid": Bits(11, 4),
        "acc_cd": Bits(15, 1),
        "acc": Bits(59, 2),
        "blgp": Bits(61, 3),
    },
}

# The dword that follows a VOP1, VOP2 or VOPC whose src0 is 249 (SDWA) or 250 (DPP).
SDWA = {
    "dst_sel": Bits(40, 3),
    "dst_unused": Bits(43, 2),
    "clamp": Bits(45, 1),
    "omod": Bits(46, 2),
    "src0_sel": Bits(48, 3),
    "src0_sext": Bits(51, 1),
    "src1_sel": Bits(56, 3),
    "src1_sext": Bits(59, 1),
    "neg": pieces((52, 1, 0), (60, 1, 1)),
    "abs": pieces((53, 1, 0), (61, 1, 1)),
}
SDWA_COMPARE = {
    name: bits for name, bits in SDWA.items() if name not in ("dst_sel", "dst_unused", "clamp", "omod")
}
DPP = {
    "dpp_ctrl": Bits(40, 9),
    "bound_ctrl": Bits(51, 1),
    "bank_mask": Bits(56, 4),
    "row_mask": Bits(60, 4),
    "neg": pieces((52, 1, 0), (54, 1, 1)),
    "abs": pieces((53, 1, 0), (55, 1, 1)),
}
