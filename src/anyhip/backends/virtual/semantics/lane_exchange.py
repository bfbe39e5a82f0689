"""Which lane's data instructions that exchange whole rows or transpose tiles put where.

Facts: CDNA4 ISA guide, V_PERMLANE16_SWAP_B32, V_PERMLANE32_SWAP_B32 and 11.4 "MFMA Transpose Load from LDS"
(16 lanes together hold a tile of 16 columns, each lane some elements of a row; afterwards each lane has a
column). RDNA4 ISA guide, 11.6.2; it does not say which lanes make a tile: that eight do, and transpose 8 by 8
elements of 16 bits, is what programmers of RDNA4 found on hardware. They found that loads of 8-bit elements
are otherwise, and not how.
"""

from __future__ import annotations

__all__ = ["SWAPS", "TRANSPOSES", "transposed"]

# name -> distance of the lanes that exchange: the lower one's source register for the upper one's destination
SWAPS = {"v_permlane16_swap_b32": 16, "v_permlane32_swap_b32": 32}
# name -> bits of an element, elements of a lane, lanes of a tile
TRANSPOSES = {
    "ds_read_b64_tr_b16": (16, 4, 16),
    "ds_read_b64_tr_b8": (8, 8, 16),
    "ds_read_b64_tr_b4": (4, 16, 16),
    "ds_read_b96_tr_b6": (6, 16, 16),
    "global_load_tr_b128": (16, 8, 8),
}


def transposed(name: str, lane: int, element: int) -> tuple[int, int]:
    """The lane that loads what becomes an element of a lane, and which of its elements it is."""
    _, count, tile = TRANSPOSES[name]
    first, column = lane // tile * tile, lane % tile
    return first + element * tile // count + column // count, column % count
