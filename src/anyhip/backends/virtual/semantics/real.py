"""Floating-point arithmetic of VOP1, VOP2 and VOP3: everything that is exact or rounded once.

Rounding is the builder's, by MODE. Facts: CDNA3 ISA, chapters 12.7 to
12.11. Division's helpers are in division.py, exponentials and the like in transcendental.py.
"""

from __future__ import annotations

from collections.abc import Callable

from anyhip.backends.virtual.semantics import op
from anyhip.backends.virtual.value import FORMAT, Builder, Value

Binary = Callable[[Builder, Value, Value], Value]

_BINARY: dict[str, Binary] = {
    "v_add_{}": lambda b, x, y: x + y,
    "v_sub_{}": lambda b, x, y: x - y,
    "v_subrev_{}": lambda b, x, y: y - x,
    "v_mul_{}": lambda b, x, y: x * y,
}
for _name, _function in _BINARY.items():
    op(*(_name.format(type) for type in ("f16", "f32")))(_function)
op("v_add_f64")(_BINARY["v_add_{}"])
op("v_mul_f64")(_BINARY["v_mul_{}"])


@op("v_mul_legacy_f32")
def mul_legacy(b: Builder, x: Value, y: Value) -> Value:
    """0 times anything is +0."""
    return (x.eq(0.0) | y.eq(0.0)).select(0.0, x * y)


@op(
    "v_fma_f16",
    "v_fma_f32",
    "v_fma_f64",
    "v_fma_legacy_f16",
    "v_fmac_f32",
    "v_fmac_f64",
    "v_fmac_f16",
    "v_fmaak_f16",
    "v_fmaak_f32",
)
def _fma(b: Builder, x: Value, y: Value, z: Value) -> Value:
    return x.fma(y, z)


@op("v_fmamk_f16", "v_fmamk_f32")
def _fmamk(b: Builder, x: Value, k: Value, y: Value) -> Value:
    return x.fma(k, y)


@op("v_mad_f16", "v_mad_legacy_f16", "v_mac_f16", "v_madak_f16")
def mad(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """Two roundings: the product is rounded before it is added."""
    return x * y + z


@op("v_madmk_f16")
def _madmk(b: Builder, x: Value, k: Value, y: Value) -> Value:
    return x * k + y


def _register_rounding(name: str, unary: str) -> None:
    @op(*(f"v_{name}_{type}" for type in ("f16", "f32", "f64")))
    def rounding(b: Builder, x: Value) -> Value:
        return x.unary(unary)


for _word, _unary in {"trunc": "trunc", "ceil": "ceil", "floor": "floor", "rndne": "rint"}.items():
    _register_rounding(_word, _unary)


@op("v_fract_f16", "v_fract_f32", "v_fract_f64")
def fract(b: Builder, x: Value) -> Value:
    """x - floor(x), kept below 1 (what rounding would lift to 1 becomes the largest number below it)."""
    _, mantissa_bits = FORMAT[x.type]
    below_one = 1.0 - 2.0 ** -(mantissa_bits + 1)
    part = x - x.unary("floor")
    return part.cmp("oge", 1.0).select(below_one, part)


# -- taking numbers apart
def _exponent_field(x: Value) -> Value:
    """The biased exponent, in an integer of x's width."""
    bias, mantissa_bits = FORMAT[x.type]
    return (x.int_bits() >> mantissa_bits) & (2 * bias + 1)


def _normalized(x: Value) -> tuple[Value, Value]:
    """x with denormals scaled into the normal range, and whether that was done."""
    bias, mantissa_bits = FORMAT[x.type]
    tiny = x.abs().cmp("olt", 2.0 ** (1 - bias))
    return tiny.select(x * (2.0 ** (mantissa_bits + 1)), x), tiny


def _is_zero_or_not_finite(x: Value) -> Value:
    bias, _ = FORMAT[x.type]
    return x.eq(0.0) | _exponent_field(x).eq(2 * bias + 1)


@op("v_frexp_mant_f16", "v_frexp_mant_f32", "v_frexp_mant_f64")
def frexp_mantissa(b: Builder, x: Value) -> Value:
    """The significand in [0.5, 1) with x's sign; 0, inf and NaN come back as they are."""
    bias, mantissa_bits = FORMAT[x.type]
    scaled, _ = _normalized(x)
    bits = scaled.int_bits()
    field = (2 * bias + 1) << mantissa_bits
    mantissa = ((bits & ~field) | ((bias - 1) << mantissa_bits)).bitcast(x.type)
    return _is_zero_or_not_finite(x).select(x, mantissa)


@op("v_frexp_exp_i16_f16", "v_frexp_exp_i32_f32", "v_frexp_exp_i32_f64")
def frexp_exponent(b: Builder, x: Value) -> Value:
    """The exponent that goes with frexp_mant; 0 for 0, inf and NaN."""
    bias, mantissa_bits = FORMAT[x.type]
    scaled, tiny = _normalized(x)
    shift = tiny.select(bias - 1 + mantissa_bits + 1, b.const(x.int_bits().type, bias - 1))
    exponent = _is_zero_or_not_finite(x).select(0, _exponent_field(scaled) - shift)
    return exponent.trunc("i32") if x.type == "double" else exponent


def power_of_two(n: Value, type: str) -> Value:
    """2**n for an n whose result is a normal number; n has the integer type of ``type``'s width."""
    bias, mantissa_bits = FORMAT[type]
    return ((n + bias) << mantissa_bits).bitcast(type)


def ldexp(b: Builder, x: Value, n: Value) -> Value:
    """x * 2**n, rounded once. ``n`` is an integer of x's width.

    Three factors: only the last can leave the normal range upwards or round, except for results that
    round to 0 anyway.
    """
    bias, mantissa_bits = FORMAT[x.type]
    reach = 2 * bias + mantissa_bits + 2
    low, high = 1 - bias, bias
    whole = n.smax(-reach).smin(reach)
    last = whole.smax(low).smin(high)
    rest = whole - last
    first = rest.smax(low).smin(high)
    factors = (power_of_two(part, x.type) for part in (first, rest - first, last))
    for factor in factors:
        x = x * factor
    return x


@op("v_ldexp_f32")
def _ldexp_f32(b: Builder, x: Value, n: Value) -> Value:
    return ldexp(b, x, n)


@op("v_ldexp_f64")
def _ldexp_f64(b: Builder, x: Value, n: Value) -> Value:
    return ldexp(b, x, n.sext("i64"))


@op("v_ldexp_f16")
def ldexp_f16(b: Builder, x: Value, n: Value) -> Value:
    """Scaled in f32, which holds every intermediate exactly, then rounded once."""
    wide = x.to("float")
    count = n.sext("i32") if n.bits <= 16 else n
    return (wide * power_of_two(count.smax(-64).smin(64), "float")).to("half")


# -- cube maps
def _face(x: Value, y: Value, z: Value) -> tuple[Value, Value]:
    """Whether z, and failing that y, is the major axis."""
    ax, ay, az = x.abs(), y.abs(), z.abs()
    return az.cmp("oge", ax) & az.cmp("oge", ay), ay.cmp("oge", ax)


@op("v_cubeid_f32")
def _cube_id(b: Builder, x: Value, y: Value, z: Value) -> Value:
    on_z, on_y = _face(x, y, z)

    def pair(axis: Value, base: float) -> Value:
        return axis.cmp("olt", 0.0).select(b.const("float", base + 1), base)

    return on_z.select(pair(z, 4.0), on_y.select(pair(y, 2.0), pair(x, 0.0)))


@op("v_cubesc_f32")
def _cube_s(b: Builder, x: Value, y: Value, z: Value) -> Value:
    on_z, on_y = _face(x, y, z)
    by_z = z.cmp("olt", 0.0).select(-x, x)
    return on_z.select(by_z, on_y.select(x, x.cmp("olt", 0.0).select(z, -z)))


@op("v_cubetc_f32")
def _cube_t(b: Builder, x: Value, y: Value, z: Value) -> Value:
    on_z, on_y = _face(x, y, z)
    by_y = y.cmp("olt", 0.0).select(-z, z)
    return on_z.select(-y, on_y.select(by_y, -y))


@op("v_cubema_f32")
def _cube_major_axis(b: Builder, x: Value, y: Value, z: Value) -> Value:
    on_z, on_y = _face(x, y, z)
    return on_z.select(z, on_y.select(y, x)) * 2.0
