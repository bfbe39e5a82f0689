"""Vector integer instructions, comparisons and selections against Python integers."""

from __future__ import annotations

import itertools

import pytest

from backends.virtual.evaluate import U16, U32, U64, call, signed

MASK = {16: (1 << 16) - 1, 32: (1 << 32) - 1, 64: (1 << 64) - 1}
EDGES = {16: U16, 32: U32, 64: U64}


def columns(*domains):
    """Every combination, one column a source."""
    return [list(column) for column in zip(*itertools.product(*domains), strict=True)]


def i32(x: int) -> int:
    return signed(x, 32)


def i16(x: int) -> int:
    return signed(x, 16)


def u24(x: int) -> int:
    return x & 0xFFFFFF


def i24(x: int) -> int:
    return signed(x, 24)


TWO_32 = {
    "v_add_u32": lambda x, y: x + y,
    "v_sub_u32": lambda x, y: x - y,
    "v_subrev_u32": lambda x, y: y - x,
    "v_add_i32": lambda x, y: x + y,
    "v_sub_i32": lambda x, y: x - y,
    "v_mul_lo_u32": lambda x, y: x * y,
    "v_mul_hi_u32": lambda x, y: x * y >> 32,
    "v_mul_hi_i32": lambda x, y: i32(x) * i32(y) >> 32,
    "v_mul_u32_u24": lambda x, y: u24(x) * u24(y),
    "v_mul_i32_i24": lambda x, y: i24(x) * i24(y),
    "v_mul_hi_u32_u24": lambda x, y: u24(x) * u24(y) >> 32,
    "v_mul_hi_i32_i24": lambda x, y: i24(x) * i24(y) >> 32,
    "v_and_b32": lambda x, y: x & y,
    "v_or_b32": lambda x, y: x | y,
    "v_xor_b32": lambda x, y: x ^ y,
    "v_xnor_b32": lambda x, y: ~(x ^ y),
    "v_lshlrev_b32": lambda n, x: x << (n & 31),
    "v_lshrrev_b32": lambda n, x: x >> (n & 31),
    "v_ashrrev_i32": lambda n, x: i32(x) >> (n & 31),
    "v_min_u32": min,
    "v_max_u32": max,
    "v_min_i32": lambda x, y: min(x, y, key=i32),
    "v_max_i32": lambda x, y: max(x, y, key=i32),
    "v_bfm_b32": lambda x, y: ((1 << (x & 31)) - 1) << (y & 31),
    "v_bcnt_u32_b32": lambda x, y: x.bit_count() + y,
    "v_cvt_pk_u16_u32": lambda x, y: min(x, 65535) | min(y, 65535) << 16,
    "v_cvt_pk_i16_i32": lambda x, y: sum(
        (max(-32768, min(32767, i32(v))) & 65535) << s for v, s in ((x, 0), (y, 16))
    ),
}
TWO_16 = {
    "v_add_u16": lambda x, y: x + y,
    "v_sub_u16": lambda x, y: x - y,
    "v_subrev_u16": lambda x, y: y - x,
    "v_add_i16": lambda x, y: x + y,
    "v_sub_i16": lambda x, y: x - y,
    "v_mul_lo_u16": lambda x, y: x * y,
    "v_lshlrev_b16": lambda n, x: x << (n & 15),
    "v_lshrrev_b16": lambda n, x: x >> (n & 15),
    "v_ashrrev_i16": lambda n, x: i16(x) >> (n & 15),
    "v_min_u16": min,
    "v_max_u16": max,
    "v_min_i16": lambda x, y: min(x, y, key=i16),
    "v_max_i16": lambda x, y: max(x, y, key=i16),
}


@pytest.mark.parametrize("name", TWO_32 | TWO_16)
def test_two_sources(name):
    bits = 32 if name in TWO_32 else 16
    x, y = columns(EDGES[bits], EDGES[bits])
    function = (TWO_32 | TWO_16)[name]
    assert call(name, x, y) == [function(p, q) & MASK[bits] for p, q in zip(x, y, strict=True)]


def bfe(x: int, offset: int, width: int) -> int:
    return (x >> (offset & 31)) & ((1 << (width & 31)) - 1)


def middle(key):
    return lambda x, y, z: sorted((x, y, z), key=key)[1]


SOME = (0, 1, 5, 0x7FFFFFFF, 0x80000000, 0x00ABCDEF, 0xFF800000, 0xFFFFFFFF)
SOME_16 = (0, 1, 0x7F, 0x7FFF, 0x8000, 0xABCD, 0xFFFF)
THREE_32 = {
    "v_add3_u32": lambda x, y, z: x + y + z,
    "v_xad_u32": lambda x, y, z: (x ^ y) + z,
    "v_or3_b32": lambda x, y, z: x | y | z,
    "v_and_or_b32": lambda x, y, z: x & y | z,
    "v_bfi_b32": lambda x, y, z: x & y | ~x & z,
    "v_lshl_add_u32": lambda x, y, z: (x << (y & 31)) + z,
    "v_lshl_or_b32": lambda x, y, z: (x << (y & 31)) | z,
    "v_add_lshl_u32": lambda x, y, z: ((x + y) & MASK[32]) << (z & 31),
    "v_mad_u32_u24": lambda x, y, z: u24(x) * u24(y) + z,
    "v_mad_i32_i24": lambda x, y, z: i24(x) * i24(y) + z,
    "v_alignbit_b32": lambda x, y, z: (x << 32 | y) >> (z & 31),
    "v_alignbyte_b32": lambda x, y, z: (x << 32 | y) >> 8 * (z & 3),
    "v_bfe_u32": bfe,
    "v_bfe_i32": lambda x, y, z: signed(bfe(i32(x), y, z), z & 31) if z & 31 else 0,
    "v_min3_u32": min,
    "v_max3_u32": max,
    "v_min3_i32": lambda *v: min(v, key=i32),
    "v_max3_i32": lambda *v: max(v, key=i32),
    "v_med3_u32": middle(None),
    "v_med3_i32": middle(i32),
    "v_sad_u32": lambda x, y, z: abs(x - y) + z,
    "v_sad_u16": lambda x, y, z: abs((x & 65535) - (y & 65535)) + abs((x >> 16) - (y >> 16)) + z,
}
THREE_16 = {
    "v_mad_u16": lambda x, y, z: x * y + z,
    "v_mad_i16": lambda x, y, z: x * y + z,
    "v_mad_legacy_u16": lambda x, y, z: x * y + z,
    "v_mad_legacy_i16": lambda x, y, z: x * y + z,
    "v_min3_u16": min,
    "v_max3_u16": max,
    "v_min3_i16": lambda *v: min(v, key=i16),
    "v_max3_i16": lambda *v: max(v, key=i16),
    "v_med3_u16": middle(None),
    "v_med3_i16": middle(i16),
}


@pytest.mark.parametrize("name", THREE_32 | THREE_16)
def test_three_sources(name):
    bits, domain = (32, SOME) if name in THREE_32 else (16, SOME_16)
    sources = columns(domain, domain, domain)
    function = (THREE_32 | THREE_16)[name]
    assert call(name, *sources) == [function(*row) & MASK[bits] for row in zip(*sources, strict=True)]


def clamp(x: int, low: int, high: int) -> int:
    return max(low, min(high, x))


SATURATING = {
    "v_add_u32": (lambda x, y: x + y, "u", 32),
    "v_sub_u32": (lambda x, y: x - y, "u", 32),
    "v_subrev_u32": (lambda x, y: y - x, "u", 32),
    "v_add_i32": (lambda x, y: i32(x) + i32(y), "i", 32),
    "v_sub_i32": (lambda x, y: i32(x) - i32(y), "i", 32),
    "v_add_u16": (lambda x, y: x + y, "u", 16),
    "v_sub_u16": (lambda x, y: x - y, "u", 16),
    "v_add_i16": (lambda x, y: i16(x) + i16(y), "i", 16),
    "v_sub_i16": (lambda x, y: i16(x) - i16(y), "i", 16),
    "v_pk_add_i16": (lambda x, y: i16(x) + i16(y), "i", 16),
    "v_pk_sub_u16": (lambda x, y: x - y, "u", 16),
}


@pytest.mark.parametrize("name", SATURATING)
def test_saturation(name):
    function, kind, bits = SATURATING[name]
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if kind == "i" else (0, MASK[bits])
    x, y = columns(EDGES[bits], EDGES[bits])
    if name.startswith("v_pk"):
        from backends.virtual.evaluate import value

        x, y = value("i16", x), value("i16", y)
        pairs = zip(x.data.tolist(), y.data.tolist(), strict=True)
    else:
        pairs = zip(x, y, strict=True)
    assert call(name, x, y, clamp=True) == [clamp(function(p, q), low, high) & MASK[bits] for p, q in pairs]


SATURATING_MAD = {
    "v_mad_u16": (lambda x, y, z: x * y + z, 0, MASK[16], SOME_16),
    "v_mad_i16": (lambda x, y, z: i16(x) * i16(y) + i16(z), -(1 << 15), (1 << 15) - 1, SOME_16),
    "v_mad_u32_u24": (lambda x, y, z: u24(x) * u24(y) + z, 0, MASK[32], SOME),
    "v_mad_i32_i24": (lambda x, y, z: i24(x) * i24(y) + i32(z), -(1 << 31), (1 << 31) - 1, SOME),
}


@pytest.mark.parametrize("name", SATURATING_MAD)
def test_saturation_of_products(name):
    function, low, high, domain = SATURATING_MAD[name]
    sources = columns(domain, domain, domain)
    mask = MASK[16] if domain is SOME_16 else MASK[32]
    expected = [clamp(function(*row), low, high) & mask for row in zip(*sources, strict=True)]
    assert call(name, *sources, clamp=True) == expected


def test_mixed_width_mad():
    assert call("v_mad_u32_u16", [0xFFFF], [0xFFFF], [5]) == [0xFFFF * 0xFFFF + 5]
    assert call("v_mad_i32_i16", [0xFFFF], [0x7FFF], [5]) == [(-0x7FFF + 5) & MASK[32]]


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("v_add_co_u32", lambda x, y, c: x + y),
        ("v_sub_co_u32", lambda x, y, c: x - y),
        ("v_subrev_co_u32", lambda x, y, c: y - x),
        ("v_addc_co_u32", lambda x, y, c: x + y + c),
        ("v_subb_co_u32", lambda x, y, c: x - y - c),
        ("v_subbrev_co_u32", lambda x, y, c: y - x - c),
    ],
)
def test_carries(name, total):
    x, y, c = columns(U32, U32, (0, 1))
    sources = (x, y, c) if "c_co" in name or "bb" in name else (x, y)
    totals = [total(*row) for row in zip(x, y, c, strict=True)]
    result, carry = call(name, *sources)
    assert result == [t & MASK[32] for t in totals]
    assert carry == [not 0 <= t <= MASK[32] for t in totals]
    saturated, carry_again = call(name, *sources, clamp=True)
    assert saturated == [clamp(t, 0, MASK[32]) for t in totals]
    assert carry_again == carry


def test_wide_multiply_add():
    x, y, z = columns(U32, U32, U64)
    rows = list(zip(x, y, z, strict=True))
    totals = [p * q + r for p, q, r in rows]
    assert call("v_mad_u64_u32", x, y, z) == ([t & MASK[64] for t in totals], [t >> 64 != 0 for t in totals])
    totals = [i32(p) * i32(q) + signed(r, 64) for p, q, r in rows]
    assert call("v_mad_i64_i32", x, y, z) == ([t & MASK[64] for t in totals], [t < 0 for t in totals])


def test_shifts_of_64_bits():
    n, x = columns((0, 1, 31, 32, 63, 64, 97), U64)
    rows = list(zip(n, x, strict=True))
    assert call("v_lshlrev_b64", n, x) == [v << (k & 63) & MASK[64] for k, v in rows]
    assert call("v_lshrrev_b64", n, x) == [v >> (k & 63) for k, v in rows]
    assert call("v_ashrrev_i64", n, x) == [signed(v, 64) >> (k & 63) & MASK[64] for k, v in rows]
    assert call("v_lshl_add_u64", [3, 1 << 63], [4, 1], [7, 5]) == [55, 5]


def test_one_source():
    assert call("v_not_b32", list(U32)) == [~x & MASK[32] for x in U32]
    assert call("v_bfrev_b32", list(U32)) == [int(f"{x:032b}"[::-1], 2) for x in U32]
    assert call("v_ffbh_u32", list(U32)) == [f"{x:032b}".find("1") & MASK[32] for x in U32]
    assert call("v_ffbl_b32", list(U32)) == [f"{x:032b}"[::-1].find("1") & MASK[32] for x in U32]
    expected = [next((i for i in range(1, 32) if (x >> (31 - i) ^ x >> 31) & 1), -1) & MASK[32] for x in U32]
    assert call("v_ffbh_i32", list(U32)) == expected


def test_moves_and_selection():
    assert call("v_mov_b32", [7]) == [7]
    assert call("v_mov_b64", [1 << 40]) == [1 << 40]
    assert call("v_swap_b32", [1], [2]) == ([1], [2])  # source 0 to vdst, the old vdst to source 0
    assert call("v_cndmask_b32", [1, 1], [2, 2], [0, 1]) == [1, 2]
    for name in ("v_accvgpr_read_b32", "v_accvgpr_write_b32", "v_accvgpr_mov_b32"):
        assert call(name, [9]) == [9]


COMPARE = {
    "f": lambda x, y: False, "lt": lambda x, y: x < y, "eq": lambda x, y: x == y, "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y, "ne": lambda x, y: x != y, "ge": lambda x, y: x >= y, "t": lambda x, y: True,
}  # fmt: skip


@pytest.mark.parametrize("kind", ["i16", "u16", "i32", "u32", "i64", "u64"])
@pytest.mark.parametrize("word", COMPARE)
def test_comparisons(word, kind):
    bits = int(kind[1:])
    x, y = columns(EDGES[bits], EDGES[bits])
    read = (lambda v: signed(v, bits)) if kind[0] == "i" else int
    expected = [COMPARE[word](read(p), read(q)) for p, q in zip(x, y, strict=True)]
    result = call(f"v_cmp_{word}_{kind}", x, y)
    assert (result if isinstance(result, list) else [result] * len(x)) == expected
    both = call(f"v_cmpx_{word}_{kind}", x, y)
    assert both == (result, result)


def test_lanes_below():
    ones = MASK[32]
    low = call("v_mbcnt_lo_u32_b32", [ones] * 64, [0] * 64)
    assert low == [min(lane, 32) for lane in range(64)]
    assert call("v_mbcnt_hi_u32_b32", [ones] * 64, low) == list(range(64))
    assert call("v_mbcnt_lo_u32_b32", [5] * 64, [10] * 64)[:4] == [10, 11, 11, 12]
