"""Operands: what a source or destination field of an encoding stands for.

Numbers of special registers and inline constants: "Scalar ALU Operands" in AMD's CDNA3 ISA guide, and LLVM
AMDGPUOperandSyntax. An operand depends only on its field's value and type, so each is made once and shared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = [
    "EXEC",
    "INLINE_FLOATS",
    "M0",
    "NULL_SADDR",
    "VCC",
    "Operand",
    "constant",
    "dwords",
    "element",
    "implicit",
    "literal",
    "resolve",
    "scalar",
    "vector",
]

VCC, M0, EXEC = 106, 124, 126
NULL_SADDR = 0x7F
LITERAL = 255
RESERVED = 125  # the null register of gfx10; later ones exchange it with M0
_LAST_SCALAR = 127
_SPECIAL = {
    230: "flat_scratch_base_lo",
    231: "flat_scratch_base_hi",
    235: "shared_base",
    236: "shared_limit",
    237: "private_base",
    238: "private_limit",
    239: "pops_exiting_wave_id",
    251: "vccz",
    252: "execz",
    253: "scc",
    254: "lds_direct",
}
# Inline float constants 240..248 as (f16, bf16, f32, f64) bits: 0.5 -0.5 1 -1 2 -2 4 -4 1/(2 pi).
INLINE_FLOATS = (
    (0x3800, 0x3F00, 0x3F000000, 0x3FE0000000000000),
    (0xB800, 0xBF00, 0xBF000000, 0xBFE0000000000000),
    (0x3C00, 0x3F80, 0x3F800000, 0x3FF0000000000000),
    (0xBC00, 0xBF80, 0xBF800000, 0xBFF0000000000000),
    (0x4000, 0x4000, 0x40000000, 0x4000000000000000),
    (0xC000, 0xC000, 0xC0000000, 0xC000000000000000),
    (0x4400, 0x4080, 0x40800000, 0x4010000000000000),
    (0xC400, 0xC080, 0xC0800000, 0xC010000000000000),
    (0x3118, 0x3E23, 0x3E22F983, 0x3FC45F306DC9C882),
)
_TYPE = re.compile(r"(pk_)?([a-z]+)(\d+)(?:x(\d+))?")
_ODD_DWORDS = {"bool": 1, "mask": 2, "mix": 1}


@dataclass(frozen=True, slots=True)
class Operand:
    """One source or destination.

    Attributes:
        kind: ``s`` scalar, ``v`` vector and ``a`` accumulation registers, ``const``, ``special``.
        index: hardware number of the first register: VCC is s106 and s107, M0 s124 (on gfx11 and gfx12 too),
            EXEC s126 and s127. Of a constant: its source number, 255 for a literal.
        count: dwords.
        type: the opcode row's type.
        value: of a constant: raw bits, expanded to the type's width.
        name: of a special: scc, vccz, execz, shared_base, shared_limit, private_base, private_limit,
            flat_scratch_base_lo, flat_scratch_base_hi, lds_direct, pops_exiting_wave_id, null (reads as zero,
            drops what is written), or off (an address part that is not used).
    """

    kind: str
    index: int
    count: int
    type: str
    value: int = 0
    name: str = ""


def element(type: str) -> tuple[str, int]:
    """(letters, bits) of a type's element: ``pk_f16`` -> ("f", 16), ``f32x16`` -> ("f", 32)."""
    found = _TYPE.fullmatch(type)
    return (found[2], int(found[3])) if found else ("b", 32 * _ODD_DWORDS.get(type, 1))


def resolve(type: str, wave_size: int) -> str:
    """The type that a row's type stands for in waves of a size: ``mask64`` is ``mask`` in a wave of 64 and
    ``b64`` in one of 32; ``f32x256w``, 256 elements spread over the lanes, is ``f32x8`` in a wave of 32.
    """
    if type in ("mask32", "mask64"):
        return "mask" if type == f"mask{wave_size}" else "b" + type[4:]
    if type.endswith("w"):
        start, _, count = type[:-1].rpartition("x")
        return f"{start}x{max(1, int(count) // wave_size)}"
    return type


def dwords(type: str, wave_size: int = 64) -> int:
    """Registers that a value of a type takes."""
    if type in _ODD_DWORDS:
        return wave_size // 32 if type == "mask" else _ODD_DWORDS[type]
    found = _TYPE.fullmatch(type)
    if found is None:
        return 1
    many = int(found[4] or 1) * (2 if found[1] else 1)
    return max(1, int(found[3]) * many // 32)


def scalar(raw: int, type: str, count: int, m0: int = M0, null: int = -1) -> Operand | None:
    """The operand behind an 8-bit scalar source number; None for reserved numbers and for a literal.

    Args:
        m0, null: the generation's numbers of M0 and of its null register.
    """
    if raw == null:
        return Operand("special", RESERVED, count, type, name="null")
    if raw == m0:
        raw = M0
    if raw <= _LAST_SCALAR and raw != RESERVED:
        # Wide operands start at a multiple of their size, of 4 at most; the hardware ignores the low bits.
        aligned = raw & ~(0 if count < 2 else 1 if count == 2 else 3)
        return Operand("s", aligned, count, type)
    if raw in _SPECIAL and (raw > 231 or null >= 0):  # the first two are RDNA's
        return Operand("special", raw, count, type, name=_SPECIAL[raw])
    return constant(raw, type, count)


def vector(raw: int, type: str, count: int, kind: str = "v") -> Operand | None:
    """Vector registers from ``raw`` on; None where they would end past register 255."""
    return Operand(kind, raw, count, type) if raw + count <= 256 else None


def constant(raw: int, type: str, count: int) -> Operand | None:
    """The inline constant with source number ``raw`` (128..208, 240..248), or None."""
    letters, bits = ("b", 32 * count) if type == "mask" else element(type)
    if 128 <= raw <= 208:
        number = raw - 128 if raw <= 192 else 192 - raw
        return Operand("const", raw, count, type, number & _mask(type, bits))
    if 240 <= raw <= 248:
        half, brain, single, double = INLINE_FLOATS[raw - 240]
        if bits == 16:
            # Packed integer instructions see the single-precision pattern, single ones the half-precision one
            # (LLVM AMDGPU back end, notes on inline constants of 16-bit operands).
            integer = letters in "iub" and type.startswith("pk_")
            return Operand(
                "const", raw, count, type, single if integer else brain if letters == "bf" else half
            )
        wide = bits == 64 and not type.startswith("pk_")
        return Operand("const", raw, count, type, double if wide else single)
    return None


def _mask(type: str, bits: int) -> int:
    # A packed operand is a dword, which the constant fills sign-extended.
    return (1 << (32 if type.startswith("pk_") else min(bits, 64))) - 1


def literal(raw: int, type: str, count: int) -> Operand:
    """A 32-bit literal as an operand: high half of f64, sign-extended for i64, else zero-extended."""
    letters, bits = element(type)
    value = raw
    if bits == 64 and letters == "f":
        value = raw << 32
    elif bits == 64 and letters == "i" and raw >> 31:
        value = raw | 0xFFFFFFFF00000000
    elif bits == 16 and not type.startswith("pk_"):
        value = raw & 0xFFFF
    return Operand("const", LITERAL, count, type, value)


def implicit(name: str, type: str, wave_size: int) -> Operand:
    """The register that a row names instead of a field."""
    if name == "scc":
        return Operand("special", 253, 1, type, name="scc")
    number = {"vcc": VCC, "m0": M0, "exec": EXEC, "flat_scratch": 102}[name]
    return Operand("s", number, dwords(type, wave_size), type)
