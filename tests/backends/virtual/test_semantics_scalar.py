"""Scalar ALU instructions against Python integers."""

from __future__ import annotations

import itertools

import pytest

from backends.virtual.evaluate import U32, U64, call, signed

MASK = {32: (1 << 32) - 1, 64: (1 << 64) - 1}


def i32(x: int) -> int:
    return signed(x, 32)


BITWISE = {
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
    "andn2": lambda x, y: x & ~y,
    "orn2": lambda x, y: x | ~y,
    "nand": lambda x, y: ~(x & y),
    "nor": lambda x, y: ~(x | y),
    "xnor": lambda x, y: ~(x ^ y),
    "andn1": lambda x, y: ~x & y,
    "orn1": lambda x, y: ~x | y,
}


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("name", [n for n in BITWISE if n not in ("andn1", "orn1")])
def test_bitwise(name, bits):
    for x, y in itertools.product(U32 if bits == 32 else U64, repeat=2):
        expected = BITWISE[name](x, y) & MASK[bits]
        assert call(f"s_{name}_b{bits}", x, y) == (expected, expected != 0)


@pytest.mark.parametrize("name", BITWISE)
def test_saveexec(name):
    for x, exec_mask in itertools.product(U64, repeat=2):
        new = BITWISE[name](x, exec_mask) & MASK[64]
        assert call(f"s_{name}_saveexec_b64", x, exec_mask) == (exec_mask, new, new != 0)


@pytest.mark.parametrize("name", ["andn1", "andn2"])
def test_wrexec(name):
    for x, exec_mask in itertools.product(U64, repeat=2):
        new = BITWISE[name](x, exec_mask) & MASK[64]
        assert call(f"s_{name}_wrexec_b64", x, exec_mask) == (new, new, new != 0)


def carry(total: int) -> tuple[int, bool]:
    return total & MASK[32], not 0 <= total <= MASK[32]


def overflow(total: int) -> tuple[int, bool]:
    return total & MASK[32], not -(1 << 31) <= total < 1 << 31


def nonzero(x: int, bits: int = 32) -> tuple[int, bool]:
    return x & MASK[bits], x & MASK[bits] != 0


BINARY = {
    "s_add_u32": lambda x, y: carry(x + y),
    "s_sub_u32": lambda x, y: carry(x - y),
    "s_add_i32": lambda x, y: overflow(i32(x) + i32(y)),
    "s_sub_i32": lambda x, y: overflow(i32(x) - i32(y)),
    "s_mul_i32": lambda x, y: x * y & MASK[32],
    "s_mul_hi_u32": lambda x, y: x * y >> 32,
    "s_mul_hi_i32": lambda x, y: (i32(x) * i32(y) >> 32) & MASK[32],
    "s_min_u32": lambda x, y: (min(x, y), x < y),
    "s_max_u32": lambda x, y: (max(x, y), x >= y),
    "s_min_i32": lambda x, y: (min(x, y, key=i32), i32(x) < i32(y)),
    "s_max_i32": lambda x, y: (max(x, y, key=i32), i32(x) >= i32(y)),
    "s_absdiff_i32": lambda x, y: nonzero(abs(i32(x - y))),
    "s_lshl1_add_u32": lambda x, y: carry(x * 2 + y),
    "s_lshl2_add_u32": lambda x, y: carry(x * 4 + y),
    "s_lshl3_add_u32": lambda x, y: carry(x * 8 + y),
    "s_lshl4_add_u32": lambda x, y: carry(x * 16 + y),
    "s_lshl_b32": lambda x, y: nonzero(x << (y & 31)),
    "s_lshr_b32": lambda x, y: nonzero(x >> (y & 31)),
    "s_ashr_i32": lambda x, y: nonzero(i32(x) >> (y & 31)),
    "s_bfm_b32": lambda x, y: (((1 << (x & 31)) - 1) << (y & 31)) & MASK[32],
    "s_pack_ll_b32_b16": lambda x, y: (y & 0xFFFF) << 16 | x & 0xFFFF,
    "s_pack_lh_b32_b16": lambda x, y: y >> 16 << 16 | x & 0xFFFF,
    "s_pack_hh_b32_b16": lambda x, y: y >> 16 << 16 | x >> 16,
    "s_bitcmp0_b32": lambda x, y: not x >> (y & 31) & 1,
    "s_bitcmp1_b32": lambda x, y: bool(x >> (y & 31) & 1),
    "s_cmp_eq_i32": lambda x, y: x == y,
    "s_cmp_lg_i32": lambda x, y: x != y,
    "s_cmp_gt_i32": lambda x, y: i32(x) > i32(y),
    "s_cmp_ge_i32": lambda x, y: i32(x) >= i32(y),
    "s_cmp_lt_i32": lambda x, y: i32(x) < i32(y),
    "s_cmp_le_i32": lambda x, y: i32(x) <= i32(y),
    "s_cmp_eq_u32": lambda x, y: x == y,
    "s_cmp_lg_u32": lambda x, y: x != y,
    "s_cmp_gt_u32": lambda x, y: x > y,
    "s_cmp_ge_u32": lambda x, y: x >= y,
    "s_cmp_lt_u32": lambda x, y: x < y,
    "s_cmp_le_u32": lambda x, y: x <= y,
}


@pytest.mark.parametrize("name", BINARY)
def test_binary(name):
    for x, y in itertools.product(U32, repeat=2):
        assert call(name, x, y) == BINARY[name](x, y), (hex(x), hex(y))


def test_carry_in():
    for x, y, c in itertools.product(U32, U32, (0, 1)):
        assert call("s_addc_u32", x, y, c) == carry(x + y + c)
        assert call("s_subb_u32", x, y, c) == carry(x - y - c)


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize(("kind", "read"), [("u", lambda x, b: x), ("i", signed)])
def test_bit_field_extract(kind, read, bits):
    fields = [
        (0, 0),
        (0, 8),
        (4, 12),
        (31, 1),
        (31, 5),
        (0, 31),
        (0, 32),
        (5, 64),
        (0, 127),
        (33, 16),
        (63, 3),
    ]
    for x, (offset, width) in itertools.product(U32 if bits == 32 else U64, fields):
        control = offset | width << 16 | 0x8000_0000
        field = read(x, bits) >> (offset % bits)
        expected = (read(field, width) if kind == "i" and 0 < width < bits else field) & ((1 << width) - 1)
        if kind == "i" and 0 < width < bits:
            expected = signed(expected, width)
        assert call(f"s_bfe_{kind}{bits}", x, control) == nonzero(expected, bits), (hex(x), offset, width)


def test_wide_shifts_and_masks():
    for x, n in itertools.product(U64, (0, 1, 31, 32, 63, 64, 100)):
        assert call("s_lshl_b64", x, n) == nonzero(x << (n & 63), 64)
        assert call("s_lshr_b64", x, n) == nonzero(x >> (n & 63), 64)
        assert call("s_ashr_i64", x, n) == nonzero(signed(x, 64) >> (n & 63), 64)
        assert call("s_bfm_b64", n, 3) == ((1 << (n & 63)) - 1) << 3 & MASK[64]
        assert call("s_bitcmp0_b64", x, n) is (not x >> (n & 63) & 1)
        assert call("s_bitcmp1_b64", x, n) is bool(x >> (n & 63) & 1)


def first(bits: str) -> int:
    """Position of the first 1 in a string of bits, or -1 as 32 bits."""
    return bits.find("1") & MASK[32]


UNARY = {
    "s_mov_b{}": lambda x, n: x,
    "s_not_b{}": lambda x, n: nonzero(~x, n),
    "s_brev_b{}": lambda x, n: int(f"{x:0{n}b}"[::-1], 2),
    "s_bcnt0_i32_b{}": lambda x, n: nonzero(f"{x:0{n}b}".count("0")),
    "s_bcnt1_i32_b{}": lambda x, n: nonzero(f"{x:0{n}b}".count("1")),
    "s_ff1_i32_b{}": lambda x, n: first(f"{x:0{n}b}"[::-1]),
    "s_ff0_i32_b{}": lambda x, n: first(f"{~x & MASK[n]:0{n}b}"[::-1]),
    "s_flbit_i32_b{}": lambda x, n: first(f"{x:0{n}b}"),
    "s_wqm_b{}": lambda x, n: nonzero(sum(15 << i for i in range(0, n, 4) if x >> i & 15), n),
    "s_quadmask_b{}": lambda x, n: nonzero(sum(1 << i // 4 for i in range(0, n, 4) if x >> i & 15), n),
}


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("name", UNARY)
def test_unary(name, bits):
    for x in U32 if bits == 32 else (*U64, 0x8000_0400_0020_0001):
        assert call(name.format(bits), x) == UNARY[name](x, bits), hex(x)


def test_leading_sign_bits():
    for x in U32:
        run = f"{x:032b}"
        expected = first("".join("1" if bit != run[0] else "0" for bit in run))
        assert call("s_flbit_i32", x) == expected
    assert call("s_flbit_i32_i64", (1 << 64) - 1) == MASK[32]
    assert call("s_flbit_i32_i64", 1 << 40) == 23
    assert call("s_flbit_i32_i64", -(1 << 40)) == 24


def test_extensions_and_abs():
    assert call("s_sext_i32_i8", 0x1280) == 0xFFFFFF80
    assert call("s_sext_i32_i16", 0x12348000) == 0xFFFF8000
    assert call("s_abs_i32", 0xFFFFFFF0) == (16, True)
    assert call("s_abs_i32", 0x80000000) == (0x80000000, True)
    assert call("s_abs_i32", 0) == (0, False)


def test_bits_set_and_cleared():
    assert call("s_bitset0_b32", 33, 0xFFFFFFFF) == 0xFFFFFFFD
    assert call("s_bitset1_b32", 31, 0) == 0x80000000
    assert call("s_bitset0_b64", 40, (1 << 64) - 1) == (1 << 64) - 1 - (1 << 40)
    assert call("s_bitset1_b64", 63, 1) == (1 << 63) + 1


def test_bits_replicated():
    assert call("s_bitreplicate_b64_b32", 0x80000005) == 0xC000_0000_0000_0033


def test_selection_and_conditional_moves():
    for scc in (0, 1):
        assert call("s_cselect_b32", 11, 22, scc) == (11 if scc else 22)
        assert call("s_cselect_b64", 1 << 40, 2, scc) == (1 << 40 if scc else 2)
        assert call("s_cmov_b32", 11, scc, 22) == (11 if scc else 22)
        assert call("s_cmov_b64", 1 << 40, scc, 2) == (1 << 40 if scc else 2)
        assert call("s_cmovk_i32", -5, scc, 22) == (0xFFFFFFFB if scc else 22)


def test_constants_of_sopk():
    assert call("s_movk_i32", -2) == 0xFFFFFFFE
    assert call("s_addk_i32", 0x7FFFFFFF, 1) == (0x80000000, True)
    assert call("s_addk_i32", 5, -6) == (0xFFFFFFFF, False)
    assert call("s_mulk_i32", 7, -3) == (-21) & MASK[32]
    for x, k in itertools.product((0, 1, 0xFFFF, 0xFFFF8000, 0x8000), (0, 1, -1, -0x8000)):
        assert call("s_cmpk_lt_i32", x, k) is (i32(x) < k)
        assert call("s_cmpk_ge_i32", x, k) is (i32(x) >= k)
        assert call("s_cmpk_eq_i32", x, k) is (i32(x) == k)
    for x, k in itertools.product((0, 1, 0xFFFF, 0x10000), (0, 1, 0xFFFF)):
        assert call("s_cmpk_gt_u32", x, k) is (x > k)
        assert call("s_cmpk_lg_u32", x, k) is (x != k)


def test_equality_of_64_bits():
    assert call("s_cmp_eq_u64", 1 << 63, 1 << 63) is True
    assert call("s_cmp_lg_u64", 1 << 63, 1) is True
