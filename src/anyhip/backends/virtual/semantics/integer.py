"""Vector integer and bitwise arithmetic of VOP1, VOP2 and VOP3.

Facts: AMD "Instinct MI300" CDNA3 ISA, chapters 12.7 to 12.12. Shifts take the low bits of their count;
carries are i1 a lane. The CLAMPED forms saturate instead of wrapping around.
"""

from __future__ import annotations

from collections.abc import Callable

from anyhip.backends.virtual.semantics import clamped, op
from anyhip.backends.virtual.semantics.scalar import count_for, first_or_minus_one, resize
from anyhip.backends.virtual.value import Builder, Value

Pair = tuple[Value, Value]
Binary = Callable[[Builder, Value, Value], Value]


# -- moves, selection, bitwise
@op("v_mov_b16", "v_mov_b32", "v_mov_b64", "v_accvgpr_read_b32", "v_accvgpr_write_b32", "v_accvgpr_mov_b32")
def _move(b: Builder, x: Value) -> Value:
    return x


@op("v_swap_b16", "v_swap_b32")
def _swap(b: Builder, source: Value, destination: Value) -> Pair:
    return source, destination


@op("v_cndmask_b16", "v_cndmask_b32")
def _select_by_mask(b: Builder, x: Value, y: Value, mask: Value) -> Value:
    return mask.select(y, x)


@op("v_not_b16", "v_not_b32")
def _invert(b: Builder, x: Value) -> Value:
    return ~x


_BITWISE: dict[tuple[str, ...], Binary] = {
    ("v_and_b16", "v_and_b32"): lambda b, x, y: x & y,
    ("v_or_b16", "v_or_b32"): lambda b, x, y: x | y,
    ("v_xor_b16", "v_xor_b32"): lambda b, x, y: x ^ y,
    ("v_xnor_b32",): lambda b, x, y: ~(x ^ y),
}
for _names, _binary in _BITWISE.items():
    op(*_names)(_binary)


@op("v_and_or_b32")
def _and_or(b: Builder, x: Value, y: Value, z: Value) -> Value:
    return (x & y) | z


@op("v_or3_b32")
def _or3(b: Builder, x: Value, y: Value, z: Value) -> Value:
    return x | y | z


@op("v_bfi_b32")
def _bit_field_insert(b: Builder, mask: Value, inside: Value, outside: Value) -> Value:
    return (mask & inside) | (~mask & outside)


# -- addition and subtraction, also saturating
def _add(b: Builder, x: Value, y: Value) -> Value:
    return x + y


def _sub(b: Builder, x: Value, y: Value) -> Value:
    return x - y


def _subrev(b: Builder, x: Value, y: Value) -> Value:
    return y - x


def _add_unsigned_saturating(b: Builder, x: Value, y: Value) -> Value:
    total = x + y
    return total.ult(x).select(-1, total)


def _sub_unsigned_saturating(b: Builder, x: Value, y: Value) -> Value:
    return x.ult(y).select(0, x - y)


def _saturated(b: Builder, x: Value, total: Value, overflow: Value) -> Value:
    """The end of the signed range on x's side where ``overflow`` has its sign bit set."""
    limit = x.ashr(x.bits - 1) ^ ((1 << (x.bits - 1)) - 1)
    return overflow.slt(0).select(limit, total)


def _add_signed_saturating(b: Builder, x: Value, y: Value) -> Value:
    total = x + y
    return _saturated(b, x, total, ~(x ^ y) & (x ^ total))


def _sub_signed_saturating(b: Builder, x: Value, y: Value) -> Value:
    total = x - y
    return _saturated(b, x, total, (x ^ y) & (x ^ total))


for _width in ("16", "32"):
    op(f"v_add_u{_width}", f"v_add_i{_width}")(_add)
    op(f"v_sub_u{_width}", f"v_sub_i{_width}")(_sub)
    op(f"v_subrev_u{_width}")(_subrev)
    clamped(f"v_add_u{_width}")(_add_unsigned_saturating)
    clamped(f"v_sub_u{_width}")(_sub_unsigned_saturating)
    clamped(f"v_subrev_u{_width}")(lambda b, x, y: _sub_unsigned_saturating(b, y, x))
    clamped(f"v_add_i{_width}")(_add_signed_saturating)
    clamped(f"v_sub_i{_width}")(_sub_signed_saturating)


@op("v_add_co_u32")
def _add_carry_out(b: Builder, x: Value, y: Value) -> Pair:
    total = x + y
    return total, total.ult(x)


@op("v_sub_co_u32")
def _sub_borrow_out(b: Builder, x: Value, y: Value) -> Pair:
    return x - y, x.ult(y)


@op("v_subrev_co_u32")
def _subrev_borrow_out(b: Builder, x: Value, y: Value) -> Pair:
    return _sub_borrow_out(b, y, x)


@op("v_addc_co_u32")
def _add_with_carry(b: Builder, x: Value, y: Value, carry: Value) -> Pair:
    partial = x + y
    total = partial + carry.zext("i32")
    return total, partial.ult(x) | total.ult(partial)


@op("v_subb_co_u32")
def _sub_with_borrow(b: Builder, x: Value, y: Value, borrow: Value) -> Pair:
    partial = x - y
    return partial - borrow.zext("i32"), x.ult(y) | (borrow & x.eq(y))


@op("v_subbrev_co_u32")
def _subrev_with_borrow(b: Builder, x: Value, y: Value, borrow: Value) -> Pair:
    return _sub_with_borrow(b, y, x, borrow)


def _saturate_carry(function: Callable[..., Pair], end: int) -> Callable[..., Pair]:
    def saturating(b: Builder, *sources: Value) -> Pair:
        total, carry = function(b, *sources)
        return carry.select(end, total), carry

    return saturating


clamped("v_add_co_u32")(_saturate_carry(_add_carry_out, -1))
clamped("v_addc_co_u32")(_saturate_carry(_add_with_carry, -1))
clamped("v_sub_co_u32")(_saturate_carry(_sub_borrow_out, 0))
clamped("v_subrev_co_u32")(_saturate_carry(_subrev_borrow_out, 0))
clamped("v_subb_co_u32")(_saturate_carry(_sub_with_borrow, 0))
clamped("v_subbrev_co_u32")(_saturate_carry(_subrev_with_borrow, 0))


@op("v_add3_u32")
def _add3(b: Builder, x: Value, y: Value, z: Value) -> Value:
    return x + y + z


@op("v_xad_u32")
def _xor_add(b: Builder, x: Value, y: Value, z: Value) -> Value:
    return (x ^ y) + z


# -- multiplication
@op("v_mul_lo_u32", "v_mul_lo_u16")
def _mul_lo(b: Builder, x: Value, y: Value) -> Value:
    return x * y


@op("v_mul_hi_u32")
def _mul_hi_unsigned(b: Builder, x: Value, y: Value) -> Value:
    return ((x.zext("i64") * y.zext("i64")) >> 32).trunc("i32")


@op("v_mul_hi_i32")
def _mul_hi_signed(b: Builder, x: Value, y: Value) -> Value:
    return ((x.sext("i64") * y.sext("i64")) >> 32).trunc("i32")


def _u24(x: Value) -> Value:
    return x & 0xFFFFFF


def _i24(x: Value) -> Value:
    return (x << 8).ashr(8)


@op("v_mul_u32_u24")
def _mul_u24(b: Builder, x: Value, y: Value) -> Value:
    return _u24(x) * _u24(y)


@op("v_mul_i32_i24")
def _mul_i24(b: Builder, x: Value, y: Value) -> Value:
    return _i24(x) * _i24(y)


@op("v_mul_hi_u32_u24")
def _mul_hi_u24(b: Builder, x: Value, y: Value) -> Value:
    return _mul_hi_unsigned(b, _u24(x), _u24(y))


@op("v_mul_hi_i32_i24")
def _mul_hi_i24(b: Builder, x: Value, y: Value) -> Value:
    return _mul_hi_signed(b, _i24(x), _i24(y))


@op("v_mad_u32_u24")
def _mad_u24(b: Builder, x: Value, y: Value, z: Value) -> Value:
    return _mul_u24(b, x, y) + z


@op("v_mad_i32_i24")
def _mad_i24(b: Builder, x: Value, y: Value, z: Value) -> Value:
    return _mul_i24(b, x, y) + z


@op("v_mad_u16", "v_mad_i16", "v_mad_legacy_u16", "v_mad_legacy_i16")
def _mad_16(b: Builder, x: Value, y: Value, z: Value) -> Value:
    return x * y + z


@op("v_mad_u32_u16")
def _mad_u32_u16(b: Builder, x: Value, y: Value, z: Value) -> Value:
    return resize(x, "i16").zext("i32") * resize(y, "i16").zext("i32") + z


@op("v_mad_i32_i16")
def _mad_i32_i16(b: Builder, x: Value, y: Value, z: Value) -> Value:
    return resize(x, "i16").sext("i32") * resize(y, "i16").sext("i32") + z


@op("v_mad_u64_u32")
def _mad_u64_u32(b: Builder, x: Value, y: Value, z: Value) -> Pair:
    product = x.zext("i64") * y.zext("i64")
    total = product + z
    return total, total.ult(product)


@op("v_mad_i64_i32")
def mad_i64_i32(b: Builder, x: Value, y: Value, z: Value) -> Pair:
    """The second result is bit 64 of the 65-bit signed sum: its sign."""
    product = x.sext("i64") * y.sext("i64")
    total = product + z
    overflow = ~(product ^ z) & (product ^ total)
    return total, (total ^ overflow).slt(0)


# The products of 24-bit factors need 48 bits, of 16-bit ones 32, before they are clamped.
def _clamp_wide(total: Value, signed: bool, type: str) -> Value:
    bits = {"i32": 32, "i16": 16}[type]
    if signed:
        return total.smax(-(1 << (bits - 1))).smin((1 << (bits - 1)) - 1).trunc(type)
    return total.umin((1 << bits) - 1).trunc(type)


def _register_clamped_mad(name: str, signed: bool, narrow: Callable[[Value], Value], wide: str) -> None:
    def extend(x: Value) -> Value:
        return x.sext(wide) if signed else x.zext(wide)

    @clamped(name)
    def mad(b: Builder, x: Value, y: Value, z: Value) -> Value:
        total = extend(narrow(x)) * extend(narrow(y)) + extend(z)
        return _clamp_wide(total, signed, z.type)


_register_clamped_mad("v_mad_u32_u24", False, _u24, "i64")
_register_clamped_mad("v_mad_i32_i24", True, _i24, "i64")
_register_clamped_mad("v_mad_u16", False, lambda x: x, "i64")
_register_clamped_mad("v_mad_i16", True, lambda x: x, "i64")
_register_clamped_mad("v_mad_legacy_u16", False, lambda x: x, "i64")
_register_clamped_mad("v_mad_legacy_i16", True, lambda x: x, "i64")
_register_clamped_mad("v_mad_u32_u16", False, lambda x: resize(x, "i16"), "i64")
_register_clamped_mad("v_mad_i32_i16", True, lambda x: resize(x, "i16"), "i64")


# -- shifts
@op("v_lshlrev_b32", "v_lshlrev_b64", "v_lshlrev_b16")
def _shift_left(b: Builder, count: Value, x: Value) -> Value:
    return x << count_for(x, count)


@op("v_lshrrev_b32", "v_lshrrev_b64", "v_lshrrev_b16")
def _shift_right(b: Builder, count: Value, x: Value) -> Value:
    return x >> count_for(x, count)


@op("v_ashrrev_i32", "v_ashrrev_i64", "v_ashrrev_i16")
def _shift_right_signed(b: Builder, count: Value, x: Value) -> Value:
    return x.ashr(count_for(x, count))


@op("v_lshl_add_u32")
def _shift_add(b: Builder, x: Value, count: Value, y: Value) -> Value:
    return (x << (count & 31)) + y


@op("v_lshl_add_u64")
def shift_add_64(b: Builder, x: Value, count: Value, y: Value) -> Value:
    """The count is 3 bits wide (CDNA3 ISA); larger counts than 4 are not promised by the manual."""
    return (x << resize(count & 7, "i64")) + y


@op("v_add_lshl_u32")
def _add_shift(b: Builder, x: Value, y: Value, count: Value) -> Value:
    return (x + y) << (count & 31)


@op("v_lshl_or_b32")
def _shift_or(b: Builder, x: Value, count: Value, y: Value) -> Value:
    return (x << (count & 31)) | y


@op("v_alignbit_b32")
def _align_bit(b: Builder, high: Value, low: Value, count: Value) -> Value:
    return b.ternary("fshr", high, low, resize(count, "i32") & 31)


@op("v_alignbyte_b32")
def _align_byte(b: Builder, high: Value, low: Value, count: Value) -> Value:
    return b.ternary("fshr", high, low, (resize(count, "i32") & 3) << 3)


# -- bit fields and counting
@op("v_bfe_u32")
def _bit_field_unsigned(b: Builder, x: Value, offset: Value, width: Value) -> Value:
    mask = (b.const("i32", 1) << (width & 31)) - 1
    return (x >> (offset & 31)) & mask


@op("v_bfe_i32")
def _bit_field_signed(b: Builder, x: Value, offset: Value, width: Value) -> Value:
    size = width & 31
    spare = (b.const("i32", 32) - size) & 31
    field = (x.ashr(offset & 31) << spare).ashr(spare)
    return size.eq(0).select(0, field)


@op("v_bfm_b32")
def _bit_field_mask(b: Builder, width: Value, offset: Value) -> Value:
    one = b.const("i32", 1)
    return ((one << (width & 31)) - 1) << (offset & 31)


@op("v_bfrev_b32")
def _reverse(b: Builder, x: Value) -> Value:
    return x.unary("bitreverse")


@op("v_bcnt_u32_b32")
def _count_ones(b: Builder, x: Value, base: Value) -> Value:
    return x.unary("ctpop") + base


@op("v_ffbh_u32")
def _find_first_high(b: Builder, x: Value) -> Value:
    return first_or_minus_one(x, "ctlz")


@op("v_ffbl_b32")
def _find_first_low(b: Builder, x: Value) -> Value:
    return first_or_minus_one(x, "cttz")


@op("v_ffbh_i32")
def _find_first_differing(b: Builder, x: Value) -> Value:
    return first_or_minus_one(x ^ x.ashr(31), "ctlz")
