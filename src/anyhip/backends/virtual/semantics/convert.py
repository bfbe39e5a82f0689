"""Conversions between number types, and packing two results into one register.

Floating point to integer goes toward zero, saturates, and makes 0 of NaN; to a narrower float it rounds to
nearest even. 8-bit floats are in float8.py. Facts: CDNA3 ISA, chapters 12.8 and 12.11.
"""

from __future__ import annotations

from anyhip.backends.virtual.semantics import op
from anyhip.backends.virtual.value import Builder, Value


def pack_halves(low: Value, high: Value) -> Value:
    """Two 16-bit values as one i32."""
    return low.int_bits().zext("i32") | (high.int_bits().zext("i32") << 16)


# -- float <-> integer
_TYPES = {
    "f16": "half", "f32": "float", "f64": "double", "i16": "i16", "u16": "i16", "i32": "i32", "u32": "i32",
}  # fmt: skip
_PAIRS = (
    "i32_f64", "u32_f64", "i32_f32", "u32_f32", "i16_f16", "u16_f16",
    "f64_i32", "f64_u32", "f32_i32", "f32_u32", "f16_i16", "f16_u16",
    "f16_f32", "f32_f16", "f32_f64", "f64_f32",
)  # fmt: skip


def _register(pair: str) -> None:
    target, source = pair.split("_")
    signed = "i" in (target[0], source[0])

    @op(f"v_cvt_{pair}")
    def convert(b: Builder, x: Value) -> Value:
        return x.to(_TYPES[target], signed)


for _pair in _PAIRS:
    _register(_pair)


@op("v_cvt_rpi_i32_f32")
def _round_half_up(b: Builder, x: Value) -> Value:
    return (x + 0.5).unary("floor").to("i32", signed=True)


@op("v_cvt_flr_i32_f32")
def _round_down(b: Builder, x: Value) -> Value:
    return x.unary("floor").to("i32", signed=True)


@op("v_cvt_off_f32_i4")
def offset_from_i4(b: Builder, x: Value) -> Value:
    """A signed 4-bit number of sixteenths: -0.5 to 0.4375."""
    return (x << 28).ashr(28).to("float", signed=True) * 0.0625


def _register_byte(index: int) -> None:
    @op(f"v_cvt_f32_ubyte{index}")
    def from_byte(b: Builder, x: Value) -> Value:
        return ((x >> (8 * index)) & 255).to("float")


for _index in range(4):
    _register_byte(_index)


# -- normalized integers
def _signed_normalized(x: Value) -> Value:
    """[-1, 1] to [-32767, 32767], to nearest even; exact before the one rounding, in double."""
    wide = x.to("double") * 32767.0
    low = wide.cmp("olt", -32767.0).select(-32767.0, wide)
    return low.cmp("ogt", 32767.0).select(32767.0, low).unary("rint").to("i32", signed=True).trunc("i16")


def _unsigned_normalized(x: Value) -> Value:
    wide = x.to("double") * 65535.0
    return wide.cmp("ogt", 65535.0).select(65535.0, wide).unary("rint").to("i32").trunc("i16")


@op("v_cvt_norm_i16_f16")
def _norm_i16(b: Builder, x: Value) -> Value:
    return _signed_normalized(x)


@op("v_cvt_norm_u16_f16")
def _norm_u16(b: Builder, x: Value) -> Value:
    return _unsigned_normalized(x)


@op("v_cvt_pknorm_i16_f32", "v_cvt_pknorm_i16_f16")
def _pack_norm_i16(b: Builder, x: Value, y: Value) -> Value:
    return pack_halves(_signed_normalized(x), _signed_normalized(y))


@op("v_cvt_pknorm_u16_f32", "v_cvt_pknorm_u16_f16")
def _pack_norm_u16(b: Builder, x: Value, y: Value) -> Value:
    return pack_halves(_unsigned_normalized(x), _unsigned_normalized(y))


# -- packing
def _toward_zero(x: Value) -> Value:
    """f32 to f16 toward zero: finite numbers beyond the range become the largest finite one."""
    near = x.to("half")
    away = near.to("float").abs().cmp("ogt", x.abs())
    bits = near.int_bits()
    return away.select(bits - 1, bits).bitcast("half")


@op("v_cvt_pkrtz_f16_f32")
def _pack_toward_zero(b: Builder, x: Value, y: Value) -> Value:
    return pack_halves(_toward_zero(x), _toward_zero(y))


@op("v_cvt_pk_u16_u32")
def _pack_u16(b: Builder, x: Value, y: Value) -> Value:
    return x.umin(0xFFFF) | (y.umin(0xFFFF) << 16)


@op("v_cvt_pk_i16_i32")
def _pack_i16(b: Builder, x: Value, y: Value) -> Value:
    low, high = (v.smax(-0x8000).smin(0x7FFF) for v in (x, y))
    return (low & 0xFFFF) | (high << 16)


@op("v_pack_b32_f16")
def _pack_f16(b: Builder, x: Value, y: Value) -> Value:
    return pack_halves(x, y)


@op("v_sat_pk_u8_i16")
def saturate_to_bytes(b: Builder, x: Value) -> Value:
    """Both signed halves, each clamped to 0..255, in the low two bytes."""
    low, high = ((x << 16).ashr(16), x.ashr(16))
    low, high = (v.smax(0).smin(255) for v in (low, high))
    return (low | (high << 8)).trunc("i16")


def _insert_byte(x: Value, which: Value, old: Value) -> Value:
    position = (which & 3) << 3
    byte = x.to("i8").zext("i32")
    return (old & ~(old.lift(255) << position)) | (byte << position)


@op("v_cvt_pk_u8_f32", "v_cvt_pkaccum_u8_f32")
def pack_byte(b: Builder, x: Value, which: Value, old: Value) -> Value:
    """x toward zero and saturated, as byte ``which`` of ``old``."""
    return _insert_byte(x, which, old)
