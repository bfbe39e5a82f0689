"""Tables of the small floats' values, from the sizes of their fields alone (OCP's MX and OFP8 documents)."""

from __future__ import annotations

import math
from functools import cache

# bits of exponent and of mantissa, bias
FIELDS = {"fp8": (4, 3, 7), "bf8": (5, 2, 15), "fp6": (2, 3, 1), "bf6": (3, 2, 3), "fp4": (2, 1, 1)}
BITS = {kind: 1 + exponent + mantissa for kind, (exponent, mantissa, _) in FIELDS.items()}


@cache
def values(kind: str) -> tuple[float, ...]:
    """The number of each code."""
    exponent_bits, mantissa_bits, bias = FIELDS[kind]
    out = []
    for code in range(1 << BITS[kind]):
        fraction = code & (1 << mantissa_bits) - 1
        exponent = code >> mantissa_bits & (1 << exponent_bits) - 1
        sign = -1.0 if code >> exponent_bits + mantissa_bits else 1.0
        if kind == "fp8" and code & 0x7F == 0x7F:
            number = math.nan
        elif kind == "bf8" and exponent == 31:
            number = math.nan if fraction else math.inf
        elif exponent == 0:
            number = math.ldexp(fraction, 1 - bias - mantissa_bits)
        else:
            number = math.ldexp((1 << mantissa_bits) + fraction, exponent - bias - mantissa_bits)
        out.append(sign * number)
    return tuple(out)


def nearest(kind: str, x: float) -> int:
    """The code of the nearest number, the even one of two; beyond the greatest what the format has there."""
    sign = (math.copysign(1.0, x) < 0) << BITS[kind] - 1
    magnitude = abs(x)
    finite = [
        (code, value) for code, value in enumerate(values(kind)[: 1 << BITS[kind] - 1]) if value < math.inf
    ]
    greatest, top = finite[-1]
    step = top - finite[-2][1]
    beyond = math.isnan(x) or magnitude > top + step / 2 or (magnitude == top + step / 2 and greatest & 1)
    if BITS[kind] < 8:
        beyond = beyond or magnitude > top
    if beyond:
        special = {"fp8": 0x7F, "bf8": 0x7F if math.isnan(x) else 0x7C}
        return sign | special.get(kind, greatest)
    return sign | min(finite, key=lambda each: (abs(each[1] - magnitude), each[0] & 1))[0]
