"""The irregular vector instructions: byte shuffles, sums of absolute differences, lane counts, 2/pi, mixed
precision.

Facts: CDNA3 ISA, chapters 12.11 and 12.13.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from anyhip.backends.virtual.semantics import mixed, op
from anyhip.backends.virtual.semantics.arithmetic import flush_input, flush_output, rounded
from anyhip.backends.virtual.semantics.modifiers import apply_output_modifiers, apply_source_modifiers
from anyhip.backends.virtual.semantics.packed_math import halves
from anyhip.backends.virtual.semantics.real import ldexp
from anyhip.backends.virtual.value import Builder, Value

Fields = Mapping[str, int]


class Modified(Protocol):
    """An instruction, of which only its modifier fields matter."""

    @property
    def fields(self) -> dict[str, int]:
        """Modifiers by name."""
        ...


class LaneBuilder(Builder, Protocol):
    """A builder that knows which lane it computes for."""

    def lane_id(self) -> Value:
        """The number of each lane, i32."""
        ...


# -- bytes
def _bytes(x: Value) -> list[Value]:
    return [(x >> (8 * i)) & 255 for i in range(x.bits // 8)]


def _join(parts: list[Value], bits: int) -> Value:
    total = parts[0]
    for i, part in enumerate(parts[1:], 1):
        total = total | (part << (bits * i))
    return total


@op("v_perm_b32")
def permute_bytes(b: Builder, high: Value, low: Value, selectors: Value) -> Value:
    """Byte 0 to 7 of high:low; selectors 8 to 11: the sign of byte 1, 3, 5, 7; 12: 0; beyond: 0xff."""
    pool = low.zext("i64") | (high.zext("i64") << 32)
    parts = []
    for selector in _bytes(selectors):
        byte = (pool >> ((selector & 7) << 3).zext("i64")).trunc("i32") & 255
        sign_at = (((selector & 3) << 4) + 15).zext("i64")
        sign = -((pool >> sign_at).trunc("i32") & 1) & 255
        constant = selector.eq(12).select(0, selector.cmp("ugt", 12).select(255, sign))
        parts.append(selector.ult(8).select(byte, constant))
    return _join(parts, 8)


@op("v_lerp_u8")
def average_bytes(b: Builder, x: Value, y: Value, rounding: Value) -> Value:
    """(x + y + low bit of the rounding byte) / 2, byte by byte."""
    sums = [p + q + (r & 1) for p, q, r in zip(_bytes(x), _bytes(y), _bytes(rounding), strict=True)]
    return _join([s >> 1 for s in sums], 8)


def _distance(x: Value, y: Value) -> Value:
    return x.umax(y) - x.umin(y)


def _sad_u8(x: Value, y: Value, total: Value) -> Value:
    for p, q in zip(_bytes(x), _bytes(y), strict=True):
        total = total + _distance(p, q)
    return total


def _masked_sad_u8(x: Value, y: Value, total: Value) -> Value:
    """Bytes of y that are 0 do not count."""
    for p, q in zip(_bytes(x), _bytes(y), strict=True):
        total = total + q.eq(0).select(0, _distance(p, q))
    return total


@op("v_sad_u8")
def _sad_bytes(b: Builder, x: Value, y: Value, total: Value) -> Value:
    return _sad_u8(x, y, total)


@op("v_msad_u8")
def _msad_u8(b: Builder, x: Value, y: Value, total: Value) -> Value:
    return _masked_sad_u8(x, y, total)


@op("v_sad_hi_u8")
def _sad_hi_u8(b: Builder, x: Value, y: Value, total: Value) -> Value:
    return (_sad_u8(x, y, b.const("i32", 0)) << 16) + total


@op("v_sad_u16")
def _sad_u16(b: Builder, x: Value, y: Value, total: Value) -> Value:
    return total + _distance(x & 0xFFFF, y & 0xFFFF) + _distance(x >> 16, y >> 16)


@op("v_sad_u32")
def _sad_u32(b: Builder, x: Value, y: Value, total: Value) -> Value:
    return _distance(x, y) + total


Sad = Callable[[Value, Value, Value], Value]


def _windows(x: Value) -> list[Value]:
    """The four 32-bit windows of an i64 that start at bytes 0 to 3."""
    return [(x >> (8 * i)).trunc("i32") for i in range(4)]


def _quad_sad(sad: Sad, x: Value, y: Value, totals: Value) -> Value:
    """Four sums in 16 bits each; they wrap around."""
    parts = [
        (sad(window, y, (totals >> (16 * i)).trunc("i32") & 0xFFFF) & 0xFFFF).zext("i64")
        for i, window in enumerate(_windows(x))
    ]
    return _join(parts, 16)


@op("v_qsad_pk_u16_u8")
def _qsad(b: Builder, x: Value, y: Value, totals: Value) -> Value:
    return _quad_sad(_sad_u8, x, y, totals)


@op("v_mqsad_pk_u16_u8")
def _mqsad(b: Builder, x: Value, y: Value, totals: Value) -> Value:
    return _quad_sad(_masked_sad_u8, x, y, totals)


@op("v_mqsad_u32_u8")
def _mqsad_u32(b: Builder, x: Value, y: Value, totals: tuple[Value, ...]) -> tuple[Value, ...]:
    return tuple(_masked_sad_u8(w, y, t) for w, t in zip(_windows(x), totals, strict=True))


# -- lanes below this one
@op("v_mbcnt_lo_u32_b32")
def _count_below_low(b: LaneBuilder, mask: Value, base: Value) -> Value:
    lane = b.lane_id()
    below = lane.ult(32).select((b.const("i32", 1) << (lane & 31)) - 1, -1)
    return (mask & below).unary("ctpop") + base


@op("v_mbcnt_hi_u32_b32")
def _count_below_high(b: LaneBuilder, mask: Value, base: Value) -> Value:
    lane = b.lane_id()
    below = lane.ult(32).select(0, (b.const("i32", 1) << (lane & 31)) - 1)
    return (mask & below).unary("ctpop") + base


# -- 2/pi for the reduction of large arguments
def _two_over_pi_words(fraction_bits: int = 1201, count: int = 22) -> list[int]:
    """The first ``fraction_bits`` binary places of 2/pi, then zeros, as words from the top bit down.

    Machin's formula pi = 16 atan(1/5) - 4 atan(1/239), in integers.
    """
    guard = fraction_bits + 64

    def arctangent_of_inverse(n: int) -> int:
        term = total = (1 << guard) // n
        k = 1
        while term:
            term //= -n * n
            k += 2
            total += term // k
        return total

    pi = 16 * arctangent_of_inverse(5) - 4 * arctangent_of_inverse(239)
    places = (2 << (guard + fraction_bits)) // pi
    padded = places << (64 * count - fraction_bits)
    return [(padded >> (64 * (count - 1 - i))) & (2**64 - 1) for i in range(count)]


def _window_of(words: list[Value], bit: Value) -> Value:
    """64 bits of a bit string from place ``bit`` (i32) on, halving the words that can still be meant."""
    index, zero = bit >> 6, words[0].lift(0)
    for step in (16, 8, 4, 2, 1):
        far = (index & step).ne(0)
        padded = words + [zero] * (2 * step + 1 - len(words))
        words = [far.select(padded[i + step], padded[i]) for i in range(step + 1)]
    return words[0].builder.ternary("fshl", words[0], words[1], (bit & 63).zext("i64"))


@op("v_trig_preop_f64")
def trig_preop(b: Builder, x: Value, segment: Value) -> Value:
    """53 bits of 2/pi, from place 53*segment (and further for large x), scaled to where they stand."""
    exponent = ((x.int_bits() >> 52) & 0x7FF).trunc("i32")
    shift = (segment & 31) * 53 + (exponent - 1077).smax(0)
    words = [b.const("i64", word) for word in _TWO_OVER_PI]
    places = _window_of(words, shift.umin(64 * (len(words) - 2))) >> 11
    scale = b.const("i32", -53) - shift + exponent.cmp("uge", 1968).select(128, b.const("i32", 0))
    return ldexp(b, places.to("double"), scale.sext("i64"))


_TWO_OVER_PI = _two_over_pi_words()


# -- instructions that read their own modifiers
def _mix_source(fields: Fields, raw: Value, index: int) -> Value:
    """The f32 register, or the half that op_sel names where op_sel_hi says f16; neg_hi: absolute value."""
    raw = raw.int_bits()
    b = raw.builder
    if (fields.get("op_sel_hi", 0) >> index) & 1:
        value = flush_input(b, halves(raw)[(fields.get("op_sel", 0) >> index) & 1]).to("float")
    else:
        value = flush_input(b, raw.bitcast("float"))
    absolute, negate = (bool((fields.get(name, 0) >> index) & 1) for name in ("neg_hi", "neg"))
    return apply_source_modifiers(b, value, negate, absolute)


def _mix(b: Builder, fields: Fields, sources: Sequence[Value]) -> Value:
    x, y, z = (_mix_source(fields, raw, i) for i, raw in enumerate(sources[:3]))
    with rounded(b):
        return flush_output(b, x.fma(y, z))


@mixed("v_fma_mix_f32")
def _fma_mix_f32(b: Builder, instruction: Modified, sources: Sequence[Value]) -> Value:
    fields = instruction.fields
    return apply_output_modifiers(b, _mix(b, fields, sources), bool(fields.get("clamp", 0)), 0)


def _mix_half(b: Builder, fields: Fields, sources: Sequence[Value]) -> Value:
    wide = _mix(b, fields, sources)
    with rounded(b):
        half = flush_output(b, wide.to("half"))
    return apply_output_modifiers(b, half, bool(fields.get("clamp", 0)), 0).int_bits().zext("i32")


@mixed("v_fma_mixlo_f16")
def fma_mixlo_f16(b: Builder, instruction: Modified, sources: Sequence[Value]) -> Value:
    """The result in the low half of the destination, whose old content is the fourth source."""
    return (sources[3] & 0xFFFF0000) | _mix_half(b, instruction.fields, sources)


@mixed("v_fma_mixhi_f16")
def fma_mixhi_f16(b: Builder, instruction: Modified, sources: Sequence[Value]) -> Value:
    """The result in the high half of the destination, whose old content is the fourth source."""
    return (sources[3] & 0xFFFF) | (_mix_half(b, instruction.fields, sources) << 16)


def _dword(source: Value | tuple[Value, ...], index: int) -> Value:
    """A dword of a two-dword source; a single dword (a constant) stands for both."""
    if isinstance(source, tuple):
        return source[index].bitcast("i32")
    raw = source.int_bits()
    return (raw >> (32 * index)).trunc("i32") if raw.bits == 64 else raw


@mixed("v_pk_mov_b32")
def pk_mov_b32(
    b: Builder, instruction: Modified, sources: Sequence[Value | tuple[Value, ...]]
) -> tuple[Value, Value]:
    """The dword of source 0 that op_sel[0] names, and of source 1 that op_sel[1] names."""
    select = instruction.fields.get("op_sel", 0)
    return _dword(sources[0], select & 1), _dword(sources[1], (select >> 1) & 1)
