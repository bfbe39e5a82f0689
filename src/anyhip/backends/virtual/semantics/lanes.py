"""Which lane each lane reads, for DPP and ds_swizzle: tables that both executors use.

Facts: CDNA3 ISA, 6.2.8 "Data Parallel Primitives" and DS_SWIZZLE_B32; RDNA3 ISA, 7.7 "Data Parallel
Processing"; LLVM AMDGPUAsmParser for the control numbers.
"""

from __future__ import annotations

__all__ = ["dpp8_source", "dpp_source", "swizzle_source"]

from functools import lru_cache

from anyhip.errors import UnsupportedInstruction

ROW = 16


@lru_cache(maxsize=256)
def dpp_source(ctrl: int, lanes: int = 64) -> list[int | None]:
    """The source lane of every lane for a DPP control; None where the source is out of bounds.

    Raises:
        UnsupportedInstruction: a control number that no generation has.
    """
    return [_dpp_lane(ctrl, lane, lanes) for lane in range(lanes)]


def _dpp_lane(ctrl: int, lane: int, lanes: int) -> int | None:
    row, column = lane & -ROW, lane & (ROW - 1)
    if ctrl < 0x100:  # quad_perm
        return (lane & ~3) | ((ctrl >> (2 * (lane & 3))) & 3)
    kind, amount = ctrl & 0x1F0, ctrl & 15
    if kind == 0x100 and amount:  # row_shl
        return lane + amount if column + amount < ROW else None
    if kind == 0x110 and amount:  # row_shr
        return lane - amount if column >= amount else None
    if kind == 0x120 and amount:  # row_ror
        return row | ((column - amount) & (ROW - 1))
    if kind == 0x150:  # row_newbcast, which RDNA calls row_share
        return row | amount
    if kind == 0x160:  # row_xmask
        return row | (column ^ amount)
    return _dpp_whole(ctrl, lane, lanes)


def _dpp_whole(ctrl: int, lane: int, lanes: int) -> int | None:
    """The controls without an amount."""
    row, column = lane & -ROW, lane & (ROW - 1)
    table: dict[int, int | None] = {
        0x130: lane + 1 if lane + 1 < lanes else None,  # wave_shl:1
        0x134: (lane + 1) % lanes,  # wave_rol:1
        0x138: lane - 1 if lane else None,  # wave_shr:1
        0x13C: (lane - 1) % lanes,  # wave_ror:1
        0x140: row | (15 - column),  # row_mirror
        0x141: (lane & ~7) | (7 - (lane & 7)),  # row_half_mirror
        0x142: row - 1 if row else None,  # row_bcast:15
        0x143: 31 if lane >= 32 else None,  # row_bcast:31
    }
    if ctrl not in table:
        raise UnsupportedInstruction(f"DPP control {ctrl:#x} does not exist")
    return table[ctrl]


@lru_cache(maxsize=256)
def dpp8_source(selects: int, lanes: int = 64) -> list[int]:
    """The source lane of every lane for DPP8's 24 bits: three a lane, within groups of eight."""
    return [(lane & ~7) | ((selects >> (3 * (lane & 7))) & 7) for lane in range(lanes)]


def _reversed5(lane: int) -> int:
    return int(f"{lane & 31:05b}"[::-1], 2)


def _swizzle_lane(offset: int, lane: int) -> int:
    half = lane & 0x20
    if offset >= 0xE000:  # FFT
        mask = offset & 31
        return half | (_reversed5(lane) >> mask.bit_count()) | (lane & mask)
    if offset >= 0xC000:  # rotate
        mask, amount = offset & 31, (offset >> 5) & 31
        turned = lane + (-amount if offset & 0x400 else amount)
        return half | (lane & mask) | (turned & ~mask & 31)
    if offset & 0x8000:  # quad_perm
        return (lane & ~3) | ((offset >> (2 * (lane & 3))) & 3)
    and_mask, or_mask, xor_mask = offset & 31, (offset >> 5) & 31, (offset >> 10) & 31
    return half | (((lane & and_mask) | or_mask) ^ xor_mask)


@lru_cache(maxsize=256)
def swizzle_source(offset: int, lanes: int = 64) -> list[int]:
    """The source lane of every lane for ds_swizzle_b32's 16-bit offset."""
    return [_swizzle_lane(offset, lane) for lane in range(lanes)]
