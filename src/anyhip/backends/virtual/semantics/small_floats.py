"""6-bit and 4-bit floats: fp6 (E2M3), bf6 (E3M2) and fp4 (E2M1), which have no infinity and no NaN.

What is too large, infinite or NaN becomes the greatest number with its sign (of NaN the guide says nothing).
Facts: CDNA4 ISA guide, table "Small Float Data Formats"; OCP Microscaling Formats specification.
"""

from __future__ import annotations

from anyhip.backends.virtual.semantics.float8 import magnitude_code
from anyhip.backends.virtual.value import Value

__all__ = ["FORMATS", "from_small", "to_small"]

FORMATS = {"fp6": (1, 2, 3), "bf6": (3, 3, 2), "fp4": (1, 2, 1)}  # bias, bits of exponent and mantissa


def from_small(x: Value, kind: str) -> Value:
    """The low bits of an i32 as f32, exactly; the bits above are ignored."""
    bias, exponent_bits, mantissa_bits = FORMATS[kind]
    size = exponent_bits + mantissa_bits
    magnitude = x & ((1 << size) - 1)
    normal = ((magnitude << (23 - mantissa_bits)) + ((127 - bias) << 23)).bitcast("float")
    fraction = (magnitude & ((1 << mantissa_bits) - 1)).to("float")
    small = magnitude.ult(1 << mantissa_bits)
    value = small.select(fraction * 2.0 ** (1 - bias - mantissa_bits), normal)
    return (value.int_bits() | ((x >> size & 1) << 31)).bitcast("float")


def to_small(x: Value, kind: str, noise: Value | None = None) -> Value:
    """f32 to the low bits of an i32.

    Args:
        noise: an i32 whose upper bits are added to the bits that are cut off; None rounds to nearest even.
    """
    bias, exponent_bits, mantissa_bits = FORMATS[kind]
    size = exponent_bits + mantissa_bits
    greatest = (1 << size) - 1
    code = magnitude_code(x, bias, mantissa_bits, noise).umin(greatest)
    return x.isnan().select(greatest, code) | (x.int_bits() >> 31 << size)
