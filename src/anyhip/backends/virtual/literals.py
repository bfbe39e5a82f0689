"""LLVM's spelling of floating-point constants (LangRef, "Simple Constants")."""

from __future__ import annotations

import struct

from anyhip.backends.virtual.value import FORMAT

__all__ = ["float_literal", "is_signaling", "raw_literal"]


def float_literal(type: str, value: float) -> str:
    """LLVM's spelling of a floating-point constant of the type."""
    if type == "half":
        return f"0xH{struct.unpack('<H', struct.pack('<e', value))[0]:04X}"
    if type == "bfloat":
        return f"0xR{struct.unpack('<I', struct.pack('<f', value))[0] >> 16:04X}"
    if type == "float":
        value = struct.unpack("<f", struct.pack("<f", value))[0]
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def raw_literal(type: str, bits: int) -> str:
    """LLVM's spelling of the floating-point constant of the type that has these bits."""
    if type in ("half", "bfloat"):
        return f"0x{'H' if type == 'half' else 'R'}{bits & 0xFFFF:04X}"
    if type == "double":
        return f"0x{bits & (1 << 64) - 1:016X}"
    sign, exponent, fraction = bits >> 31 & 1, bits >> 23 & 0xFF, bits & 0x7FFFFF
    if exponent == 0xFF:  # infinities and NaNs keep their payload, which a conversion could quieten
        wide = sign << 63 | 0x7FF << 52 | fraction << 29
    else:
        value = struct.unpack("<f", struct.pack("<I", bits & 0xFFFFFFFF))[0]
        wide = struct.unpack("<Q", struct.pack("<d", value))[0]
    return f"0x{wide:016X}"


def is_signaling(type: str, bits: int) -> bool:
    """Whether the bits are a signalling NaN of the type."""
    bias, mantissa_bits = FORMAT[type]
    infinity, fraction = (2 * bias + 1) << mantissa_bits, bits & ((1 << mantissa_bits) - 1)
    return bits & infinity == infinity and 0 < fraction < 1 << (mantissa_bits - 1)
