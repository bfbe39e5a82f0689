"""C's printf directives: parsing a format, and rendering one directive as glibc does, byte for byte."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["INTEGERS", "Argument", "Directive", "parse", "render"]

Argument = int | float | bytes | None

# What an argument is read as: (bytes, signed). Pointers and characters are integers here.
INTEGERS = {
    "int8": (1, True), "uint8": (1, False), "int16": (2, True), "uint16": (2, False), "int32": (4, True),
    "uint32": (4, False), "int64": (8, True), "uint64": (8, False),
    "pointer": (8, False), "ignored": (8, False),
}  # fmt: skip

_DIRECTIVE = re.compile(
    rb"%(?P<flags>[-+ #0']*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?"
    rb"(?P<length>hh|h|ll|l|q|j|z|t|L)?(?P<conversion>[diouxXcsfFeEgGaApn%])"
)
_BITS = {b"hh": 8, b"h": 16, b"l": 64, b"ll": 64, b"q": 64, b"j": 64, b"z": 64, b"t": 64}


@dataclass(frozen=True, slots=True)
class Directive:
    """A piece of a format: plain text (no conversion), or a directive and the kinds of arguments it takes.

    ``width`` and ``precision`` are None when absent; ``consumes`` lists "int32" for each ``*`` first.
    """

    text: bytes
    conversion: str = ""
    flags: str = ""
    width: int | None = None
    precision: int | None = None
    star_width: bool = False
    star_precision: bool = False
    consumes: tuple[str, ...] = ()


@lru_cache(maxsize=1024)
def parse(template: bytes) -> tuple[Directive, ...]:
    """Split a format. What is no valid directive stays as text, as in glibc."""
    pieces, position = [], 0
    for match in _DIRECTIVE.finditer(template):
        if match.start() > position:
            pieces.append(Directive(template[position : match.start()]))
        pieces.append(_directive(match))
        position = match.end()
    if position < len(template):
        pieces.append(Directive(template[position:]))
    return tuple(pieces)


def _directive(match: re.Match[bytes]) -> Directive:
    conversion = match["conversion"].decode()
    if conversion == "%":
        return Directive(b"%")
    width, precision = match["width"], match["precision"]
    stars = (width == b"*") + (precision == b"*")
    return Directive(
        match[0],
        conversion,
        match["flags"].decode(),
        int(width) if width.isdigit() else None,
        None if precision is None or precision == b"*" else int(precision or b"0"),
        width == b"*",
        precision == b"*",
        ("int32",) * stars + (_kind(conversion, match["length"] or b""),),
    )


def _kind(conversion: str, length: bytes) -> str:
    if conversion in "di":
        return f"int{_BITS.get(length, 32)}"
    if conversion in "ouxX":
        return f"uint{_BITS.get(length, 32)}"
    if conversion == "c":
        return "uint32" if length == b"l" else "uint8"
    if conversion in "fFeEgGaA":
        return "double"
    return {"s": "string", "p": "pointer", "n": "ignored"}[conversion]


def render(directive: Directive, arguments: list[Argument]) -> bytes:
    """The text of one directive with the arguments that it consumes."""
    if not directive.conversion:
        return directive.text
    flags, width, precision, value = _settle(directive, arguments)
    conversion = directive.conversion
    if conversion == "n":
        return b""
    if conversion == "s":
        text = b"(null)" if value is None else bytes(value)  # type: ignore[arg-type]
        if value is None and precision is not None and precision < 6:
            text = b""  # glibc prints no part of "(null)"
        return _pad(text[:precision] if precision is not None else text, width, flags)
    if conversion == "c":
        assert isinstance(value, int)
        wide = directive.consumes[-1] == "uint32"
        return _pad(chr(value).encode() if wide else bytes([value]), width, flags)
    if conversion == "p":
        assert isinstance(value, int)
        if value == 0:
            return _pad(b"(nil)", width, flags)
        return _integer(value, "x", flags + "#", width, precision)
    if conversion in "diouxX":
        assert isinstance(value, int)
        return _integer(value, conversion, flags, width, precision)
    assert isinstance(value, float)
    return _floating(value, conversion, flags, width, precision)


def _settle(directive: Directive, arguments: list[Argument]) -> tuple[str, int, int | None, Argument]:
    """Flags, width, precision and value, with ``*`` replaced by its argument."""
    rest, flags = list(arguments), directive.flags
    width, precision = directive.width or 0, directive.precision
    if directive.star_width:
        width = int(rest.pop(0))  # type: ignore[arg-type]
        if width < 0:
            flags, width = flags + "-", -width
    if directive.star_precision:
        precision = int(rest.pop(0))  # type: ignore[arg-type]
        precision = None if precision < 0 else precision
    return flags, width, precision, rest[0]


def _pad(text: bytes, width: int, flags: str) -> bytes:
    return text.ljust(width) if "-" in flags else text.rjust(width)


def _sign(negative: bool, flags: str) -> str:
    return "-" if negative else "+" if "+" in flags else " " if " " in flags else ""


def _assemble(prefix: str, digits: str, width: int, flags: str, zero_pad: bool) -> bytes:
    if zero_pad and "0" in flags and "-" not in flags:
        digits = digits.rjust(width - len(prefix), "0")
    return _pad((prefix + digits).encode(), width, flags)


def _integer(value: int, conversion: str, flags: str, width: int, precision: int | None) -> bytes:
    base = {"o": "o", "x": "x", "X": "X"}.get(conversion, "d")
    digits = "" if value == 0 and precision == 0 else format(abs(value), base)
    digits = digits.rjust(precision or 0, "0")
    prefix = _sign(value < 0, flags) if conversion in "di" else ""
    if "#" in flags:
        if conversion in "xX" and value != 0:
            prefix += "0" + conversion
        elif conversion == "o" and not digits.startswith("0"):
            digits = "0" + digits
    return _assemble(prefix, digits, width, flags, precision is None)


def _floating(value: float, conversion: str, flags: str, width: int, precision: int | None) -> bytes:
    negative = str(value).startswith("-")  # also of -0.0
    size = -value if negative else value
    prefix = _sign(negative, flags)
    if value != value or size == float("inf"):
        name = "nan" if value != value else "inf"
        return _pad((prefix + (name.upper() if conversion.isupper() else name)).encode(), width, flags)
    if conversion in "aA":
        digits = _hexadecimal(size, precision, "#" in flags)
        prefix, digits = prefix + "0x", digits
        if conversion == "A":
            prefix, digits = prefix.upper(), digits.upper()
    else:
        places = 6 if precision is None else precision
        digits = format(size, f"{'#' if '#' in flags else ''}.{places}{conversion}")
    return _assemble(prefix, digits, width, flags, True)


def _hexadecimal(size: float, precision: int | None, point: bool) -> str:
    """The digits of %a after "0x": one digit, the fraction without trailing zeros, the exponent."""
    if size == 0.0:
        mantissa, exponent = 0, 0
    else:
        whole, _, rest = size.hex()[2:].partition(".")
        fraction, _, power = rest.partition("p")
        mantissa, exponent = int(whole + fraction.ljust(13, "0"), 16), int(power)
    if precision is None:
        fraction = f"{mantissa & ((1 << 52) - 1):013x}".rstrip("0")
        lead = mantissa >> 52
    elif precision >= 13:
        lead, fraction = mantissa >> 52, f"{mantissa & ((1 << 52) - 1):013x}".ljust(precision, "0")
    else:
        drop = 4 * (13 - precision)
        kept, lost = mantissa >> drop, mantissa & ((1 << drop) - 1)
        kept += lost > 1 << (drop - 1) or (lost == 1 << (drop - 1) and kept & 1)
        lead = kept >> (4 * precision)
        fraction = f"{kept & ((1 << 4 * precision) - 1):0{precision}x}" if precision else ""
    dot = "." if fraction or point else ""
    return f"{lead:x}{dot}{fraction}p{exponent:+d}"
