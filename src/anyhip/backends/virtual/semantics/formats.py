"""Formats of typed buffers: components of elements in memory to registers, and back.

Facts: CDNA3 ISA guide, tables 40 (data and number formats) and 42, 9.1.4. Names of packed formats count from
the most significant bits. The guide leaves open and is taken so: integers that do not fit are cut, reals
round to nearest even and saturate, the small unsigned floats of 10 and 11 bits are cut toward zero,
components that a format lacks are 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from anyhip.backends.virtual.value import Builder, Value

__all__ = [
    "BYTES",
    "WIDTHS",
    "Number",
    "from_half",
    "lookup",
    "pack",
    "select",
    "select_back",
    "to_half",
    "unpack",
]

# bits of x, y, z, w by data format, from the least significant bit on
WIDTHS: tuple[tuple[int, ...], ...] = (
    (), (8,), (16,), (8, 8), (32,), (16, 16), (11, 11, 10), (10, 11, 11), (2, 10, 10, 10), (10, 10, 10, 2),
    (8, 8, 8, 8), (32, 32), (16, 16, 16, 16), (32, 32, 32), (32, 32, 32, 32), (),
)  # fmt: skip
BYTES = tuple(sum(widths) // 8 for widths in WIDTHS)
UNORM, SNORM, USCALED, SSCALED, UINT, SINT, _, FLOAT = range(8)
Number = Value | int  # what is known when the code is written, or a uniform value


def lookup(b: Builder, table: Sequence[int], index: Number) -> Value:
    """``table[index]`` as i32."""
    if isinstance(index, int):
        return b.const("i32", table[index])
    return b.lookup(table, index)


def _column(component: int, default: int = 0) -> list[int]:
    return [widths[component] if component < len(widths) else default for widths in WIDTHS]


def _starts(component: int) -> list[int]:
    return [sum(widths[:component]) if component < len(widths) else 0 for widths in WIDTHS]


def _is(b: Builder, value: Number, wanted: int) -> Value:
    return b.const("i1", value == wanted) if isinstance(value, int) else value.eq(wanted)


def _any(b: Builder, value: Number, *wanted: int) -> Value:
    out = b.const("i1", 0)
    for one in wanted:
        out = out | _is(b, value, one)
    return out


# -- loads
def unpack(b: Builder, words: Sequence[Value], data: Number, number: Number) -> list[Value]:
    """The four components of an element as 32-bit registers hold them."""
    return [_component(b, words, c, data, number) for c in range(4)]


def _component(b: Builder, words: Sequence[Value], c: int, data: Number, number: Number) -> Value:
    start, width = _starts(c), _column(c)
    word = words[0]
    for i in range(1, len(words)):
        word = lookup(b, [s // 32 for s in start], data).eq(i).select(words[i], word)
    shift = lookup(b, [s % 32 for s in start], data)
    raw = (word >> shift) & lookup(b, [(1 << w) - 1 for w in width], data)
    spare = lookup(b, [32 - w if w else 0 for w in width], data)
    signed = (raw << spare).ashr(spare)
    whole = _any(b, number, SINT, SSCALED, SNORM).select(signed, raw)
    real = _any(b, number, SNORM, SSCALED).select(whole.to("float", signed=True), raw.to("float"))
    largest = lookup(b, [max(1, (1 << w) - 1) for w in width], data)
    positive = lookup(b, [max(1, (1 << w - 1) - 1) if w else 1 for w in width], data)
    scale = _is(b, number, SNORM).select(positive, largest).to("float")
    normal = real / scale
    normal = normal.cmp("olt", -1.0).select(-1.0, normal)
    real = _any(b, number, UNORM, SNORM).select(normal, real).int_bits()
    out = _any(b, number, UINT, SINT).select(whole, real)
    out = _is(b, number, FLOAT).select(_real(b, raw, width, data), out)
    return lookup(b, [int(w == 32) for w in width], data).ne(0).select(raw, out)


def _real(b: Builder, raw: Value, width: Sequence[int], data: Number) -> Value:
    """A float of 16, 11 or 10 bits as the bits of an f32; 0 for widths that have none."""
    half = raw.trunc("i16").bitcast("half").to("float").int_bits()
    out = b.const("i32", 0)
    for bits in (10, 11):  # unsigned, with the exponent of a half
        small = (raw << (15 - bits)).trunc("i16").bitcast("half").to("float").int_bits()
        out = lookup(b, [int(w == bits) for w in width], data).ne(0).select(small, out)
    return lookup(b, [int(w == 16) for w in width], data).ne(0).select(half, out)


def select(b: Builder, values: Sequence[Value], selects: Sequence[Value], number: Number) -> list[Value]:
    """The components that a descriptor's destination selects put into x, y, z and w."""
    one = _any(b, number, UINT, SINT).select(b.const("i32", 1), b.const("i32", 0x3F800000))
    out = []
    for which in selects:
        value = which.eq(1).select(one, b.const("i32", 0))
        for c, component in enumerate(values):
            value = which.eq(4 + c).select(component, value)
        out.append(value)
    return out


def to_half(b: Builder, value: Value, number: Number) -> Value:
    """A component's low 16 bits: an integer's, or a half."""
    half = value.bitcast("float").to("half").int_bits()
    return _any(b, number, UINT, SINT).select(value.trunc("i16"), half)


# -- stores
def from_half(b: Builder, value: Value, number: Number) -> Value:
    """A 16-bit component as a 32-bit register would hold it."""
    real = value.bitcast("half").to("float").int_bits()
    whole = _is(b, number, SINT).select(value.sext("i32"), value.zext("i32"))
    return _any(b, number, UINT, SINT).select(whole, real)


def select_back(b: Builder, values: Sequence[Value], selects: Sequence[Value]) -> list[Value]:
    """The format's components out of x, y, z and w: each is the first that its select names, else 0."""
    out = []
    for c in range(4):
        value = b.const("i32", 0)
        for which, component in reversed(list(zip(selects, values, strict=True))):
            value = which.eq(4 + c).select(component, value)
        out.append(value)
    return out


def pack(b: Builder, values: Sequence[Value], data: Number, number: Number) -> list[Value]:
    """The four dwords of an element made of four components."""
    words = [b.const("i32", 0)] * 4
    for c, value in enumerate(values):
        start, width = _starts(c), _column(c)
        mask = lookup(b, [(1 << w) - 1 for w in width], data)
        placed = (_encoded(b, value, width, data, number) & mask) << lookup(b, [s % 32 for s in start], data)
        word = lookup(b, [s // 32 for s in start], data)
        words = [w | word.eq(i).select(placed, 0) for i, w in enumerate(words)]
    return words


def _encoded(b: Builder, value: Value, width: Sequence[int], data: Number, number: Number) -> Value:
    real = value.bitcast("float")
    largest = lookup(b, [(1 << w) - 1 for w in width], data)
    positive = lookup(b, [max(0, (1 << w - 1) - 1) if w else 0 for w in width], data)
    signed = _any(b, number, SNORM, SSCALED)
    high = signed.select(positive, largest).to("float")
    low = signed.select(-high, b.const("float", 0.0))
    low = _is(b, number, SSCALED).select(low - 1.0, low)
    scaled = _any(b, number, UNORM, SNORM).select((real * high).unary("rint"), real.unary("trunc"))
    scaled = scaled.cmp("ogt", low).select(scaled, low)  # NaN gives the least
    scaled = scaled.cmp("olt", high).select(scaled, high)
    whole = signed.select(scaled.to("i32", signed=True), scaled.to("i32"))
    out = _any(b, number, UINT, SINT).select(value, whole)
    half = real.to("half").int_bits().zext("i32")
    small = (half & 0x8000).ne(0).select(0, half)
    rounded = half
    for bits in (10, 11):
        rounded = lookup(b, [int(w == bits) for w in width], data).ne(0).select(small >> (15 - bits), rounded)
    out = _is(b, number, FLOAT).select(rounded, out)
    return lookup(b, [int(w == 32) for w in width], data).ne(0).select(value, out)
