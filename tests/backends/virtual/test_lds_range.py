"""LDS beyond a workgroup's range reads zero and keeps nothing, whatever went there (CDNA3 ISA, 3.6.1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from backends.virtual.test_mode_programs import ONE, run

SIZE = 64  # bytes of LDS that those kernels have
STORES = {
    "store": "ds_write_b32 v7, v1",
    "atomic": "ds_add_u32 v7, v1",
    "atomic that returns": "ds_add_rtn_u32 v8, v7, v1",
    "float atomic": "ds_add_f32 v7, v1",
    "exchange": "ds_wrxchg_rtn_b32 v8, v7, v1",
    "append": "ds_append v8 offset:64",
}


PLACES = [(name, place) for name in STORES for place in (SIZE, SIZE + 4, 0xFFFC)]
PLACES = [(name, place) for name, place in PLACES if name != "append" or place == SIZE]  # in its offset


@pytest.mark.parametrize(("store", "place"), PLACES)
def test_nothing_is_kept_behind_the_end(tmp_path: Path, store: str, place: int) -> None:
    """v4: what is read where it was written, v5: what the instruction returned, v6: the last word inside."""
    body = f"""
      s_mov_b64 exec, 1
      s_mov_b32 m0, 0
      v_mov_b32 v8, 0
      v_mov_b32 v7, {SIZE - 4}
      ds_write_b32 v7, v1
      v_mov_b32 v7, {place}
      {STORES[store]}
      {STORES[store]}
      s_waitcnt lgkmcnt(0)
      ds_read_b32 v4, v7
      v_mov_b32 v7, {SIZE - 4}
      ds_read_b32 v6, v7
      s_waitcnt lgkmcnt(0)
      v_mov_b32 v5, v8
    """
    assert run(body, tmp_path, [ONE, 0]) == [0, 0, ONE]
