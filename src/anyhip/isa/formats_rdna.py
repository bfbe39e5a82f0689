"""Encodings of RDNA machine code (gfx10 to gfx12): bit fields by name, as in ``formats``.

Source: AMD RDNA2, RDNA3 and RDNA4 ISA guides, chapter "Microcode Formats".
"""

from __future__ import annotations

from anyhip.isa.formats import DPP, SHORT, Bits, Format, pieces

__all__ = ["DPP8", "DPP16", "FORMATS", "VOP3_VARIANTS"]

_VOP3 = {
    "abs": Bits(8, 3),
    "op_sel": Bits(11, 4),
    "clamp": Bits(15, 1),
    "omod": Bits(59, 2),
    "neg": Bits(61, 3),
}
_VOP3P = {
    "neg_hi": Bits(8, 3),
    "op_sel": Bits(11, 3),
    "op_sel_hi": pieces((59, 2, 0), (14, 1, 2)),
    "clamp": Bits(15, 1),
    "neg": Bits(61, 3),
}
_DS = {
    "offset": Bits(0, 16),
    "offset0": Bits(0, 8),
    "offset1": Bits(8, 8),
}
_CACHE12 = {"nv": Bits(7, 1), "scope": Bits(50, 2), "th": Bits(52, 3)}
_VINTERP = {"wait_exp": Bits(8, 3), "op_sel": Bits(11, 4), "clamp": Bits(15, 1), "neg": Bits(61, 3)}
_EXP = {"en": Bits(0, 4), "target": Bits(4, 6), "done": Bits(11, 1)}
_LDSDIR = {"attr_chan": Bits(8, 2), "attr": Bits(10, 6), "wait_vdst": Bits(16, 4)}

# Forms of VOP3 that keep other things in those bits (flag of the opcode row).
VOP3_VARIANTS = {
    # The byte of a source or destination register: two bits of op_sel, which lie in opposite orders.
    "byte_src": _VOP3 | {"byte_sel": pieces((12, 1, 0), (11, 1, 1))},
    "byte_dst": _VOP3 | {"byte_sel": Bits(13, 2)},
    "interp": _VOP3 | {"high": Bits(40, 1)},
    "vop3b": {"clamp": Bits(15, 1), "omod": Bits(59, 2), "neg": Bits(61, 3)},
    "mix": {
        "abs": Bits(8, 3),
        "op_sel": Bits(11, 3),
        "op_sel_hi": pieces((59, 2, 0), (14, 1, 2)),
        "clamp": Bits(15, 1),
        "neg": Bits(61, 3),
    },
}

# The DPP dword: at bit 32 behind VOP1, VOP2 and VOPC, at bit 64 behind VOP3.
DPP16 = DPP | {"fi": Bits(50, 1)}
DPP8 = {"dpp8": Bits(40, 24)}

_COMMON = (
    # More specific identifications come before those that contain them.
    *SHORT,
    Format("VOP3P", 8, (9, 0b110011000), Bits(16, 7), _VOP3P),
    Format("VOP3", 8, (6, 0b110101), Bits(16, 10), _VOP3),
)
_DUAL = (
    Format("EXP", 8, (6, 0b111110), Bits(26, 0), _EXP | {"row_en": Bits(13, 1)}),
    Format("VOPD", 8, (6, 0b110010), Bits(17, 9)),
    Format("VINTERP", 8, (8, 0b11001101), Bits(16, 7), _VINTERP),
)

FORMATS = {
    "gfx10": (
        *_COMMON,
        Format("EXP", 8, (6, 0b111110), Bits(26, 0), _EXP | {"compr": Bits(10, 1), "vm": Bits(12, 1)}),
        Format("VINTRP", 4, (6, 0b110010), Bits(16, 2)),
        Format("SMEM", 8, (6, 0b111101), Bits(18, 8), {
            "offset": Bits(32, 21, signed=True), "dlc": Bits(14, 1), "glc": Bits(16, 1),
        }),
        Format("DS", 8, (6, 0b110110), Bits(18, 8), _DS | {"gds": Bits(17, 1)}),
        Format("FLAT", 8, (6, 0b110111), Bits(18, 7), {
            "offset": Bits(0, 12, signed=True), "dlc": Bits(12, 1), "lds": Bits(13, 1),
            "glc": Bits(16, 1), "slc": Bits(17, 1), "seg": Bits(14, 2), "saddr": Bits(48, 7),
        }, (14, 0x7F3)),
        Format("MUBUF", 8, (6, 0b111000), Bits(18, 8), {
            "offset": Bits(0, 12), "offen": Bits(12, 1), "idxen": Bits(13, 1), "glc": Bits(14, 1),
            "dlc": Bits(15, 1), "lds": Bits(16, 1), "slc": Bits(54, 1), "tfe": Bits(55, 1),
        }),
        Format("MIMG", 8, (6, 0b111100), pieces((18, 7, 0), (0, 1, 7)), {
            "nsa": Bits(1, 2), "dim": Bits(3, 3), "dlc": Bits(7, 1), "dmask": Bits(8, 4),
            "unorm": Bits(12, 1), "glc": Bits(13, 1), "r128": Bits(15, 1), "tfe": Bits(16, 1),
            "lwe": Bits(17, 1), "slc": Bits(25, 1), "a16": Bits(62, 1), "d16": Bits(63, 1),
        }),
        Format("MTBUF", 8, (6, 0b111010), pieces((16, 3, 0), (53, 1, 3)), {
            "offset": Bits(0, 12), "offen": Bits(12, 1), "idxen": Bits(13, 1), "glc": Bits(14, 1),
            "dlc": Bits(15, 1), "format": Bits(19, 7), "slc": Bits(54, 1), "tfe": Bits(55, 1),
        }),
    ),
    "gfx11": (
        *_COMMON,
        *_DUAL,
        Format("LDSDIR", 4, (8, 0b11001110), Bits(20, 2), _LDSDIR),
        Format("SMEM", 8, (6, 0b111101), Bits(18, 8), {
            "offset": Bits(32, 21, signed=True), "dlc": Bits(13, 1), "glc": Bits(14, 1),
        }),
        Format("DS", 8, (6, 0b110110), Bits(18, 8), _DS | {"gds": Bits(17, 1)}),
        Format("FLAT", 8, (6, 0b110111), Bits(18, 7), {
            "offset": Bits(0, 13, signed=True), "dlc": Bits(13, 1), "glc": Bits(14, 1), "slc": Bits(15, 1),
            "seg": Bits(16, 2), "saddr": Bits(48, 7), "sve": Bits(55, 1),
        }, (16, 0x1FF)),
        Format("MUBUF", 8, (6, 0b111000), Bits(18, 8), {
            "offset": Bits(0, 12), "slc": Bits(12, 1), "dlc": Bits(13, 1), "glc": Bits(14, 1),
            "tfe": Bits(53, 1), "offen": Bits(54, 1), "idxen": Bits(55, 1),
        }),
        Format("MIMG", 8, (6, 0b111100), Bits(18, 8), {
            "nsa": Bits(0, 1), "dim": Bits(2, 3), "unorm": Bits(7, 1), "dmask": Bits(8, 4),
            "slc": Bits(12, 1), "dlc": Bits(13, 1), "glc": Bits(14, 1), "r128": Bits(15, 1),
            "a16": Bits(16, 1), "d16": Bits(17, 1), "tfe": Bits(53, 1), "lwe": Bits(54, 1),
        }),
        Format("MTBUF", 8, (6, 0b111010), Bits(15, 4), {
            "offset": Bits(0, 12), "slc": Bits(12, 1), "dlc": Bits(13, 1), "glc": Bits(14, 1),
            "format": Bits(19, 7), "tfe": Bits(53, 1), "offen": Bits(54, 1), "idxen": Bits(55, 1),
        }),
    ),
    "gfx12": (
        *_COMMON,
        *_DUAL,
        Format("LDSDIR", 4, (8, 0b11001110), Bits(20, 2), _LDSDIR | {"wait_vsrc": Bits(23, 1)}),
        Format("SMEM", 8, (6, 0b111101), Bits(13, 6), {
            "offset": Bits(32, 24, signed=True), "nv": Bits(20, 1), "scope": Bits(21, 2), "th": Bits(23, 2),
        }),
        Format("DS", 8, (6, 0b110110), Bits(18, 8), _DS),
        Format("FLAT", 12, (6, 0b111011), Bits(14, 8), {
            "offset": Bits(72, 24, signed=True), "seg": Bits(24, 2), "saddr": Bits(0, 7), "sve": Bits(49, 1),
        } | _CACHE12, (14, 0xCFF)),
        Format("VIMAGE", 12, (6, 0b110100), Bits(14, 8), {
            "dim": Bits(0, 3), "r128": Bits(4, 1), "d16": Bits(5, 1), "a16": Bits(6, 1),
            "dmask": Bits(22, 4), "tfe": Bits(55, 1),
        } | _CACHE12),
        Format("VSAMPLE", 12, (6, 0b111001), Bits(14, 8), {
            "dim": Bits(0, 3), "tfe": Bits(3, 1), "r128": Bits(4, 1), "d16": Bits(5, 1), "a16": Bits(6, 1),
            "unorm": Bits(13, 1), "dmask": Bits(22, 4), "lwe": Bits(40, 1),
        } | _CACHE12),
        Format("MUBUF", 12, (6, 0b110001), Bits(14, 8), {
            "offset": Bits(72, 24), "tfe": Bits(22, 1), "format": Bits(55, 7), "offen": Bits(62, 1),
            "idxen": Bits(63, 1),
        } | _CACHE12),
    ),
}  # fmt: skip
