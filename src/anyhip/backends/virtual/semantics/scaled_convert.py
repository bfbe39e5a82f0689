"""gfx950's conversions with a scale: f32, f16 and bf16 to and from 8-, 6- and 4-bit floats.

The scale is the exponent of an f32, a power of two: results are multiplied by it, what is made small is
divided by it first, exactly. NaN's exponent makes everything NaN. Stochastic rounding adds a number's upper
bits to what is cut off; where there are several elements, ``v_prng_b32`` makes a new number after each.

Facts: CDNA4 ISA guide, 7.3 and V_CVT_SCALEF32_*, V_CVT_SR_*, V_ASHR_PK_*. It does not say that the narrowing
ones divide; programs that quantise by them rely on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from anyhip.backends.virtual.semantics import mixed, op
from anyhip.backends.virtual.semantics.cdna import pseudorandom
from anyhip.backends.virtual.semantics.convert import pack_halves
from anyhip.backends.virtual.semantics.float8 import Modified, from_float8, to_float8
from anyhip.backends.virtual.semantics.modifiers import apply_source_modifiers
from anyhip.backends.virtual.semantics.small_floats import from_small, to_small
from anyhip.backends.virtual.value import Builder, Value

_REAL = {"f32": "float", "f16": "half", "bf16": "bfloat"}
_BITS = {"fp8": 8, "bf8": 8, "fp6": 6, "bf6": 6, "fp4": 4}
Source = Value | tuple[Value, ...]


# -- elements
def _factor(scale: Value, inverse: bool) -> Value:
    """The power of two, or one over it, in f64."""
    exponent = (scale.int_bits() >> 23) & 0xFF
    biased = exponent.zext("i64")
    power = -biased + (1023 + 127) if inverse else biased + (1023 - 127)
    return exponent.eq(0xFF).select(float("nan"), (power << 52).bitcast("double"))


def _narrow(x: Value, kind: str, scale: Value, noise: Value | None = None) -> Value:
    """One number to the low bits of an i32; a NaN keeps its sign, which products of hosts do not."""
    magnitude = (x.to("double") * _factor(scale, inverse=True)).to("float").abs()
    scaled = (magnitude.int_bits() | x.to("float").int_bits() & 0x80000000).bitcast("float")
    if _BITS[kind] == 8:
        return to_float8(scaled, kind, ocp=True, noise=noise)
    return to_small(scaled, kind, noise)


def _widen(bits: Value, kind: str, scale: Value, real: str) -> Value:
    """The low bits of an i32 to one number, rounded once."""
    exact = from_float8(bits, kind, ocp=True) if _BITS[kind] == 8 else from_small(bits, kind)
    return (exact.to("double") * _factor(scale, inverse=False)).to(real)


def _elements(source: Source, real: str) -> list[Value]:
    """The f32, or the pairs of 16-bit floats, in registers."""
    words = source if isinstance(source, tuple) else (source.int_bits(),)
    if real == "float":
        return [word.bitcast("float") for word in words]
    return [(word >> shift).trunc("i16").bitcast(real) for word in words for shift in (0, 16)]


def _modified(b: Builder, fields: dict[str, int], x: Value, position: int) -> Value:
    negate, absolute = (bool(fields.get(name, 0) >> position & 1) for name in ("neg", "abs"))
    return apply_source_modifiers(b, x, negate, absolute)


def _select(fields: dict[str, int], low: int, count: int) -> int:
    """Bits of op_sel."""
    return fields.get("op_sel", 0) >> low & (1 << count) - 1


def _placed(old: Value, bits: Value, width: int, number: int) -> Value:
    """A register with its ``number``-th part of so many bits replaced."""
    low = width * number
    kept = old.int_bits() & ~((1 << width) - 1 << low)
    return kept | (bits << low if low else bits)


def _joined(parts: Sequence[Value], width: int) -> tuple[Value, ...]:
    """Elements of so many bits side by side, as registers."""
    words: dict[int, Value] = {}
    for number, part in enumerate(parts):
        first, low = divmod(number * width, 32)
        for word, shifted in ((first, part << low), (first + 1, part >> 32 - low if low else part)):
            if word == first or low + width > 32:
                words[word] = words[word] | shifted if word in words else shifted
    return tuple(words[number] for number in range(len(words)))


def _packed(values: list[Value], real: str) -> Source:
    """Numbers as registers."""
    if real == "float":
        return tuple(values) if len(values) > 1 else values[0]
    bits = [value.int_bits() for value in values]
    pairs = tuple(pack_halves(low, high) for low, high in zip(bits[::2], bits[1::2], strict=True))
    return pairs if len(pairs) > 1 else pairs[0]


# -- from small floats
def _register_widening(kind: str, name: str) -> None:
    real, width = _REAL[name], _BITS[kind]

    def several(count: int) -> Callable[[Builder, Modified, Sequence[Source]], Source]:
        def widen(b: Builder, instruction: Modified, sources: Sequence[Source]) -> Source:
            words = sources[0] if isinstance(sources[0], tuple) else (sources[0],)
            parts = 32 // (width * count) if count == 2 else 1  # places in the register, which op_sel names
            first = width * count * _select(instruction.fields, 0, parts.bit_length() - 1)
            values = []
            for number in range(count):
                word, low = divmod(first + width * number, 32)
                bits = words[word] >> low
                if low + width > 32:
                    bits = bits | (words[word + 1] << 32 - low)
                values.append(_widen(bits, kind, _value(sources[1]), real))
            return _packed(values, real)

        return widen

    if width == 6:
        mixed(f"v_cvt_scalef32_pk32_{name}_{kind}")(several(32))
    else:
        mixed(f"v_cvt_scalef32_pk_{name}_{kind}")(several(2))
    if width == 8 and name == "f32":

        @mixed(f"v_cvt_scalef32_f32_{kind}")
        def single(b: Builder, instruction: Modified, sources: Sequence[Source]) -> Value:
            """The byte that op_sel[1:0] names."""
            byte = _value(sources[0]) >> 8 * _select(instruction.fields, 0, 2)
            return _widen(byte, kind, _value(sources[1]), real)

    if width == 8 and name == "f16":

        @mixed(f"v_cvt_scalef32_f16_{kind}")
        def half(b: Builder, instruction: Modified, sources: Sequence[Source]) -> Value:
            """The same, into the half that op_sel[3] names."""
            byte = _value(sources[0]) >> 8 * _select(instruction.fields, 0, 2)
            bits = _widen(byte, kind, _value(sources[1]), real).int_bits().zext("i32")
            return _placed(_value(sources[2]), bits, 16, _select(instruction.fields, 3, 1))


def _value(source: Source) -> Value:
    assert isinstance(source, Value)
    return source.int_bits()


# -- to small floats
def _register_narrowing(kind: str, name: str) -> None:
    real, width = _REAL[name], _BITS[kind]

    def numbers(b: Builder, fields: dict[str, int], sources: Sequence[Source]) -> list[Value]:
        """The elements of the first source, or the first two where each is one f32."""
        if name == "f32" and not isinstance(sources[0], tuple):
            return [
                _modified(b, fields, _value(x).bitcast("float"), position)
                for position, x in enumerate(sources[:2])
            ]
        return [_modified(b, fields, x, 0) for x in _elements(sources[0], real)]

    def pair(b: Builder, instruction: Modified, sources: Sequence[Source]) -> Value:
        """Two elements beside each other, where op_sel[3] (of 8 bits) or op_sel[3:2] says."""
        fields = instruction.fields
        first, second = numbers(b, fields, sources)
        scale, old = _value(sources[-2]), _value(sources[-1])
        bits = _narrow(first, kind, scale) | (_narrow(second, kind, scale) << width)
        place = _select(fields, 3, 1) if width == 8 else _select(fields, 2, 2)
        return _placed(old, bits, 2 * width, place)

    def single_random(b: Builder, instruction: Modified, sources: Sequence[Source]) -> Value:
        """One element, the half of its register that op_sel[0] names, into the byte op_sel[3:2]."""
        fields = instruction.fields
        x = _elements(sources[0], real)[_select(fields, 0, 1) if name != "f32" else 0]
        noise, scale, old = (_value(source) for source in sources[1:4])
        bits = _narrow(_modified(b, fields, x, 0), kind, scale, noise)
        return _placed(old, bits, 8, _select(fields, 2, 2))

    def pair_random(b: Builder, instruction: Modified, sources: Sequence[Source]) -> Value:
        first, second = (_modified(b, instruction.fields, x, 0) for x in _elements(sources[0], real))
        noise, scale, old = (_value(source) for source in sources[1:4])
        low = _narrow(first, kind, scale, noise)
        bits = low | (_narrow(second, kind, scale, pseudorandom(b, noise)) << width)
        return _placed(old, bits, 2 * width, _select(instruction.fields, 2, 2))

    def many(b: Builder, instruction: Modified, sources: Sequence[Source]) -> tuple[Value, ...]:
        scale = _value(sources[-1])
        return _joined([_narrow(x, kind, scale) for x in _elements(sources[0], real)], width)

    def interleaved(b: Builder, instruction: Modified, sources: Sequence[Source]) -> tuple[Value, ...]:
        """The elements of both sources in turn."""
        both = zip(_elements(sources[0], real), _elements(sources[1], real), strict=True)
        scale = _value(sources[2])
        return _joined([_narrow(x, kind, scale) for two in both for x in two], width)

    def many_random(b: Builder, instruction: Modified, sources: Sequence[Source]) -> tuple[Value, ...]:
        noise, scale = _value(sources[1]), _value(sources[2])
        parts = []
        for x in _elements(sources[0], real):
            parts.append(_narrow(x, kind, scale, noise))
            noise = pseudorandom(b, noise)
        return _joined(parts, width)

    if width == 6:
        mixed(f"v_cvt_scalef32_sr_pk32_{kind}_{name}")(many_random)
        if name == "f32":
            mixed(f"v_cvt_scalef32_2xpk16_{kind}_f32")(interleaved)
        else:
            mixed(f"v_cvt_scalef32_pk32_{kind}_{name}")(many)
        return
    mixed(f"v_cvt_scalef32_pk_{kind}_{name}")(pair)
    if width == 8:
        mixed(f"v_cvt_scalef32_sr_{kind}_{name}")(single_random)
    else:
        mixed(f"v_cvt_scalef32_sr_pk_{kind}_{name}")(pair_random)


for _kind in _BITS:
    for _name in _REAL:
        _register_widening(_kind, _name)
        _register_narrowing(_kind, _name)


# -- without a scale
def _register_stochastic(name: str, cut: int) -> None:
    @mixed(f"v_cvt_sr_{name}_f32")
    def narrow(b: Builder, instruction: Modified, sources: Sequence[Source]) -> Value:
        """f32 to the half op_sel[3], the upper bits of the second source added to what is cut off.

        Infinities and NaNs stay what they are; what rounds beyond the greatest number is infinite.
        """
        fields = instruction.fields
        x = _modified(b, fields, _value(sources[0]).bitcast("float"), 0)
        bits = _stochastic(x, name, cut, _value(sources[1])).int_bits().zext("i32")
        return _placed(_value(sources[2]), bits, 16, _select(fields, 3, 1))


def _stochastic(x: Value, name: str, cut: int, noise: Value) -> Value:
    magnitude = x.abs().int_bits()
    fraction = noise >> (32 - cut)
    if name == "bf16":
        code = ((magnitude + fraction).umin(0x7F800000)) >> cut
    else:
        normal = ((magnitude + fraction) >> cut) - ((127 - 15) << 10)
        grown = x.abs().to("double") * 2.0**24 + fraction.to("double") * 2.0**-cut
        code = x.abs().cmp("olt", 2.0**-14).select(grown.to("i32"), normal).umin(0x7C00)
    sign = (x.int_bits() >> 16) & 0x8000
    real = _REAL[name]
    special = x.to(real).int_bits()
    finite = magnitude.ult(0x7F800000)
    return finite.select((code | sign).trunc("i16"), special).bitcast(real)


_register_stochastic("bf16", 16)
_register_stochastic("f16", 13)


# -- shifted and packed bytes
def _register_shift(name: str, least: int, greatest: int) -> None:
    @op(name)
    def shift(b: Builder, x: Value, y: Value, count: Value) -> Value:
        """Two arithmetic shifts, each saturated to a byte."""
        low, high = (
            each.ashr(count & 31).smax(least).smin(greatest) & 0xFF for each in (x.int_bits(), y.int_bits())
        )
        return (low | (high << 8)).trunc("i16")


_register_shift("v_ashr_pk_i8_i32", -128, 127)
_register_shift("v_ashr_pk_u8_i32", 0, 255)
