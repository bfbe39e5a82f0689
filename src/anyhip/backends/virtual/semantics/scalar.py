"""Scalar ALU: SOP1, SOP2, SOPC and SOPK, on uniform 32- and 64-bit integers.

Results stand in the order destination, EXEC, SCC. Facts: AMD "Instinct MI300" CDNA3 ISA, chapter 12.1 to
12.4. Control flow, hardware registers and indirect register access (s_movrel*, s_set_gpr_idx_*) are not
arithmetic and are not here.
"""

from __future__ import annotations

from collections.abc import Callable

from anyhip.backends.virtual.semantics import SEMANTICS, op
from anyhip.backends.virtual.value import BITS, Builder, Value

Pair = tuple[Value, Value]


def _nonzero(x: Value) -> Value:
    return x.ne(0)


def resize(x: Value, type: str) -> Value:
    """``x`` zero-extended or cut to ``type``."""
    return x.zext(type) if x.bits < BITS[type] else x.trunc(type)


def count_for(x: Value, count: Value) -> Value:
    """A shift count as the hardware takes it: the low 5 (6, 4) bits, in the type of what is shifted."""
    return resize(count & (x.bits - 1), x.type)


# -- moves and selections
@op("s_mov_b32", "s_mov_b64", "s_movk_i32")
def _move(b: Builder, x: Value) -> Value:
    return x.sext("i32") if x.type == "i16" else x


@op("s_cmov_b32", "s_cmov_b64", "s_cmovk_i32")
def _conditional_move(b: Builder, x: Value, scc: Value, old: Value) -> Value:
    return scc.select(x.sext(old.type), old)


@op("s_cselect_b32", "s_cselect_b64")
def _conditional_select(b: Builder, x: Value, y: Value, scc: Value) -> Value:
    return scc.select(x, y)


# -- bitwise: the result and whether it is nonzero
_BITWISE: dict[str, Callable[[Value, Value], Value]] = {
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
    "andn2": lambda x, y: x & ~y,
    "orn2": lambda x, y: x | ~y,
    "nand": lambda x, y: ~(x & y),
    "nor": lambda x, y: ~(x | y),
    "xnor": lambda x, y: ~(x ^ y),
}
_EXEC_ONLY: dict[str, Callable[[Value, Value], Value]] = {
    "andn1": lambda x, y: ~x & y,
    "orn1": lambda x, y: ~x | y,
}


def _register_bitwise(name: str, function: Callable[[Value, Value], Value]) -> None:
    @op(f"s_{name}_b32", f"s_{name}_b64")
    def bitwise(b: Builder, x: Value, y: Value) -> Pair:
        result = function(x, y)
        return result, _nonzero(result)


def _register_saveexec(name: str, function: Callable[[Value, Value], Value]) -> None:
    @op(f"s_{name}_saveexec_b64", f"s_{name}_saveexec_b32")
    def saveexec(b: Builder, x: Value, exec_mask: Value) -> tuple[Value, Value, Value]:
        new = function(x, exec_mask)
        return exec_mask, new, _nonzero(new)


def _register_wrexec(name: str, function: Callable[[Value, Value], Value]) -> None:
    @op(f"s_{name}_wrexec_b64", f"s_{name}_wrexec_b32")
    def wrexec(b: Builder, x: Value, exec_mask: Value) -> tuple[Value, Value, Value]:
        new = function(x, exec_mask)
        return new, new, _nonzero(new)


for _name, _function in _BITWISE.items():
    _register_bitwise(_name, _function)
for _name, _function in (_BITWISE | _EXEC_ONLY).items():
    _register_saveexec(_name, _function)
_register_wrexec("andn1", _EXEC_ONLY["andn1"])
_register_wrexec("andn2", _BITWISE["andn2"])


@op("s_not_b32", "s_not_b64")
def _invert(b: Builder, x: Value) -> Pair:
    return ~x, _nonzero(~x)


# -- arithmetic
@op("s_add_u32")
def _add_u32(b: Builder, x: Value, y: Value) -> Pair:
    total = x + y
    return total, total.ult(x)


@op("s_sub_u32")
def _sub_u32(b: Builder, x: Value, y: Value) -> Pair:
    return x - y, x.ult(y)


@op("s_addc_u32")
def _addc_u32(b: Builder, x: Value, y: Value, scc: Value) -> Pair:
    total = x.zext("i64") + y.zext("i64") + scc.zext("i64")
    return total.trunc("i32"), _nonzero(total >> 32)


@op("s_subb_u32")
def _subb_u32(b: Builder, x: Value, y: Value, scc: Value) -> Pair:
    total = x.zext("i64") - y.zext("i64") - scc.zext("i64")
    return total.trunc("i32"), _nonzero(total >> 32)


@op("s_add_i32")
def _add_i32(b: Builder, x: Value, y: Value) -> Pair:
    total = x + y
    return total, (~(x ^ y) & (x ^ total)).slt(0)


@op("s_addk_i32")
def _addk_i32(b: Builder, x: Value, k: Value) -> Pair:
    return _add_i32(b, x, k.sext("i32"))


@op("s_sub_i32")
def _sub_i32(b: Builder, x: Value, y: Value) -> Pair:
    total = x - y
    return total, ((x ^ y) & (x ^ total)).slt(0)


@op("s_mul_i32")
def _mul_i32(b: Builder, x: Value, y: Value) -> Value:
    return x * y


@op("s_mulk_i32")
def _mulk_i32(b: Builder, x: Value, k: Value) -> Value:
    return x * k.sext("i32")


@op("s_mul_hi_u32")
def _mul_hi_u32(b: Builder, x: Value, y: Value) -> Value:
    return ((x.zext("i64") * y.zext("i64")) >> 32).trunc("i32")


@op("s_mul_hi_i32")
def _mul_hi_i32(b: Builder, x: Value, y: Value) -> Value:
    return ((x.sext("i64") * y.sext("i64")) >> 32).trunc("i32")


@op("s_abs_i32")
def _abs_i32(b: Builder, x: Value) -> Pair:
    return x.slt(0).select(-x, x), _nonzero(x)


@op("s_absdiff_i32")
def _absdiff_i32(b: Builder, x: Value, y: Value) -> Pair:
    return _abs_i32(b, x - y)


def _register_minmax(name: str, predicate: str) -> None:
    @op(name)
    def minmax(b: Builder, x: Value, y: Value) -> Pair:
        first = x.cmp(predicate, y)
        return first.select(x, y), first


for _name, _predicate in {
    "s_min_i32": "slt",
    "s_min_u32": "ult",
    "s_max_i32": "sge",
    "s_max_u32": "uge",
}.items():
    _register_minmax(_name, _predicate)


def _register_shift_add(amount: int) -> None:
    @op(f"s_lshl{amount}_add_u32")
    def shift_add(b: Builder, x: Value, y: Value) -> Pair:
        total = (x.zext("i64") << amount) + y.zext("i64")
        return total.trunc("i32"), _nonzero(total >> 32)


for _amount in (1, 2, 3, 4):
    _register_shift_add(_amount)


# -- shifts and bit fields
@op("s_lshl_b32", "s_lshl_b64")
def _shift_left(b: Builder, x: Value, count: Value) -> Pair:
    result = x << count_for(x, count)
    return result, _nonzero(result)


@op("s_lshr_b32", "s_lshr_b64")
def _shift_right(b: Builder, x: Value, count: Value) -> Pair:
    result = x >> count_for(x, count)
    return result, _nonzero(result)


@op("s_ashr_i32", "s_ashr_i64")
def _shift_right_signed(b: Builder, x: Value, count: Value) -> Pair:
    result = x.ashr(count_for(x, count))
    return result, _nonzero(result)


@op("s_bfm_b32")
def _bit_field_mask_32(b: Builder, width: Value, offset: Value) -> Value:
    one = b.const("i32", 1)
    return ((one << (width & 31)) - 1) << (offset & 31)


@op("s_bfm_b64")
def _bit_field_mask_64(b: Builder, width: Value, offset: Value) -> Value:
    one = b.const("i64", 1)
    return ((one << count_for(one, width)) - 1) << count_for(one, offset)


def _field(b: Builder, x: Value, control: Value) -> tuple[Value, Value, Value]:
    """The field's offset, the bits above it once it is shifted down, and whether its width is 0.

    A width beyond the register takes all of it.
    """
    width = (control >> 16) & 127
    spare = (b.const("i32", x.bits) - width.umin(x.bits)) & (x.bits - 1)
    return count_for(x, control), resize(spare, x.type), width.eq(0)


@op("s_bfe_u32", "s_bfe_u64")
def _bit_field_unsigned(b: Builder, x: Value, control: Value) -> Pair:
    offset, spare, empty = _field(b, x, control)
    result = empty.select(0, ((x >> offset) << spare) >> spare)
    return result, _nonzero(result)


@op("s_bfe_i32", "s_bfe_i64")
def _bit_field_signed(b: Builder, x: Value, control: Value) -> Pair:
    offset, spare, empty = _field(b, x, control)
    result = empty.select(0, (x.ashr(offset) << spare).ashr(spare))
    return result, _nonzero(result)


def _register_pack(name: str, low: int, high: int) -> None:
    @op(name)
    def pack(b: Builder, x: Value, y: Value) -> Value:
        upper = (y & 0xFFFF0000) if high else (y << 16)
        return upper | ((x >> 16) if low else (x & 0xFFFF))


_register_pack("s_pack_ll_b32_b16", 0, 0)
_register_pack("s_pack_lh_b32_b16", 0, 1)
_register_pack("s_pack_hl_b32_b16", 1, 0)
_register_pack("s_pack_hh_b32_b16", 1, 1)


@op("s_sext_i32_i8")
def _sext_i8(b: Builder, x: Value) -> Value:
    return x.trunc("i8").sext("i32")


@op("s_sext_i32_i16")
def _sext_i16(b: Builder, x: Value) -> Value:
    return x.trunc("i16").sext("i32")


# -- counting and searching
@op("s_brev_b32", "s_brev_b64")
def _reverse(b: Builder, x: Value) -> Value:
    return x.unary("bitreverse")


@op("s_bcnt1_i32_b32", "s_bcnt1_i32_b64")
def _count_ones(b: Builder, x: Value) -> Pair:
    result = resize(x.unary("ctpop"), "i32")
    return result, _nonzero(result)


@op("s_bcnt0_i32_b32", "s_bcnt0_i32_b64")
def _count_zeros(b: Builder, x: Value) -> Pair:
    return _count_ones(b, ~x)


def first_or_minus_one(x: Value, search: str) -> Value:
    """cttz or ctlz as i32, -1 where no bit is set."""
    return x.eq(0).select(-1, resize(x.unary(search), "i32"))


@op("s_ff1_i32_b32", "s_ff1_i32_b64")
def _find_first_one(b: Builder, x: Value) -> Value:
    return first_or_minus_one(x, "cttz")


@op("s_ff0_i32_b32", "s_ff0_i32_b64")
def _find_first_zero(b: Builder, x: Value) -> Value:
    return first_or_minus_one(~x, "cttz")


@op("s_flbit_i32_b32", "s_flbit_i32_b64")
def _find_last_one(b: Builder, x: Value) -> Value:
    return first_or_minus_one(x, "ctlz")


@op("s_flbit_i32", "s_flbit_i32_i64")
def find_last_differing(b: Builder, x: Value) -> Value:
    """Leading bits equal to the sign bit; -1 where all are."""
    return first_or_minus_one(x ^ x.ashr(x.bits - 1), "ctlz")


@op("s_bitset0_b32", "s_bitset0_b64")
def _clear_bit(b: Builder, which: Value, old: Value) -> Value:
    return old & ~(b.const(old.type, 1) << count_for(old, which))


@op("s_bitset1_b32", "s_bitset1_b64")
def _set_bit(b: Builder, which: Value, old: Value) -> Value:
    return old | (b.const(old.type, 1) << count_for(old, which))


@op("s_bitcmp0_b32", "s_bitcmp0_b64")
def _bit_is_clear(b: Builder, x: Value, which: Value) -> Value:
    return ((x >> count_for(x, which)) & 1).eq(0)


@op("s_bitcmp1_b32", "s_bitcmp1_b64")
def _bit_is_set(b: Builder, x: Value, which: Value) -> Value:
    return _nonzero((x >> count_for(x, which)) & 1)


def _repeated(x: Value, pattern: int, period: int) -> int:
    """``pattern`` repeated every ``period`` bits over the width of ``x``."""
    return sum(pattern << at for at in range(0, x.bits, period))


def _any_of_quad(x: Value) -> Value:
    """Bit 4k set where any of bits 4k to 4k+3 is."""
    pairs = x | (x >> 1)
    return (pairs | (pairs >> 2)) & _repeated(x, 1, 4)


@op("s_wqm_b32", "s_wqm_b64")
def _whole_quad_mode(b: Builder, x: Value) -> Pair:
    result = _any_of_quad(x) * 15
    return result, _nonzero(result)


@op("s_quadmask_b32", "s_quadmask_b64")
def _quad_mask(b: Builder, x: Value) -> Pair:
    bits = _any_of_quad(x)
    for step in (3, 6, 12, 24):
        if step * 2 >= x.bits:
            break
        group = step // 3 * 2
        bits = (bits | (bits >> step)) & _repeated(x, (1 << group) - 1, group * 4)
    return bits, _nonzero(bits)


@op("s_bitreplicate_b64_b32")
def _bit_replicate(b: Builder, x: Value) -> Value:
    spread = x.zext("i64")
    for shift, mask in ((16, 0x0000FFFF0000FFFF), (8, 0x00FF00FF00FF00FF), (4, 0x0F0F0F0F0F0F0F0F),
                        (2, 0x3333333333333333), (1, 0x5555555555555555)):  # fmt: skip
        spread = (spread | (spread << shift)) & mask
    return spread | (spread << 1)


# -- comparisons give SCC
_PREDICATES = {"eq": "eq", "lg": "ne", "gt": "{}gt", "ge": "{}ge", "lt": "{}lt", "le": "{}le"}


def _register_compare(word: str, sign: str) -> None:
    predicate = _PREDICATES[word].format(sign)
    kind = "i32" if sign == "s" else "u32"

    @op(f"s_cmp_{word}_{kind}")
    def compare(b: Builder, x: Value, y: Value) -> Value:
        return x.cmp(predicate, y)

    @op(f"s_cmpk_{word}_{kind}")
    def compare_constant(b: Builder, x: Value, k: Value) -> Value:
        return x.cmp(predicate, k.sext("i32") if sign == "s" else k.zext("i32"))


for _word in _PREDICATES:
    _register_compare(_word, "s")
    _register_compare(_word, "u")
SEMANTICS["s_cmp_eq_u64"] = lambda b, x, y: x.eq(y)
SEMANTICS["s_cmp_lg_u64"] = lambda b, x, y: x.ne(y)
