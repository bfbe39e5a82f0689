"""Registers chosen at run time, in the reference interpreter.

Facts: CDNA3 ISA, "Indexing VGPRs" and S_MOVRELS_B32; RDNA3 ISA, V_MOVRELD_B32 to V_SWAPREL_B32.
"""

from __future__ import annotations

__all__ = ["RELATIVE"]

from collections.abc import Callable

import numpy as np

from anyhip.backends.virtual.interpreter_state import Wave
from anyhip.backends.virtual.layout import WAVE_LANES
from anyhip.backends.virtual.value import Value
from anyhip.isa.decode import Instruction
from anyhip.isa.registers import M0


# -- index mode (gfx9)
def _index_on(wave: Wave, instruction: Instruction) -> None:
    value = wave.source(instruction.src[0])
    assert isinstance(value, Value)
    wave.gpr_index = True
    kept = int(wave.sgpr[M0]) & 0xFFFF0F00
    wave.sgpr[M0] = kept | (int(value.data) & 0xFF) | ((instruction.src[1].value & 15) << 12)


def _index_off(wave: Wave, instruction: Instruction) -> None:
    wave.gpr_index = False


def _index_value(wave: Wave, instruction: Instruction) -> None:
    value = wave.source(instruction.src[0])
    assert isinstance(value, Value)
    wave.sgpr[M0] = (int(wave.sgpr[M0]) & ~0xFF & 0xFFFFFFFF) | (int(value.data) & 0xFF)


def _index_mode(wave: Wave, instruction: Instruction) -> None:
    wave.sgpr[M0] = (int(wave.sgpr[M0]) & 0xFFFF0FFF) | ((instruction.fields["simm16"] & 15) << 12)


# -- moves relative to M0
def _offsets(wave: Wave, name: str) -> tuple[int, int]:
    """What is added to the number of the source and of the destination register."""
    m0 = int(wave.sgpr[M0])
    if "_2_" in name or "swaprel" in name:
        return m0 & 0x3FF, m0 >> 16 & 0x3FF
    return (m0 if "movrels" in name else 0), (m0 if "movreld" in name or "movrelsd" in name else 0)


def _scalar_move(wave: Wave, instruction: Instruction) -> None:
    source, destination = instruction.src[0], instruction.dst[0]
    before, after = _offsets(wave, instruction.name)
    if before:
        parts = [int(wave.sgpr[source.index + before + i]) for i in range(destination.count)]
    else:
        value = wave.source(source, scalar=True)
        assert isinstance(value, Value)
        parts = [int(value.data) >> 32 * i & 0xFFFFFFFF for i in range(destination.count)]
    for i, part in enumerate(parts):
        wave.sgpr[destination.index + after + i] = part


def _vector_move(wave: Wave, instruction: Instruction) -> None:
    before, after = _offsets(wave, instruction.name)
    if before:
        moved = wave.row(instruction.src[0], before).copy()
    else:
        value = wave.source(instruction.src[0])
        assert isinstance(value, Value)
        moved = np.broadcast_to(value.int_bits().data, WAVE_LANES).copy()
    wave.write_row(instruction.dst[0], after, moved, wave.active)


def _vector_swap(wave: Wave, instruction: Instruction) -> None:
    before, after = _offsets(wave, instruction.name)
    destination, source = instruction.dst
    new, old = wave.row(source, before).copy(), wave.row(destination, after).copy()
    wave.write_row(destination, after, new, wave.active)
    wave.write_row(source, before, old, wave.active)


RELATIVE: dict[str, Callable[[Wave, Instruction], None]] = {
    "s_set_gpr_idx_on": _index_on, "s_set_gpr_idx_off": _index_off, "s_set_gpr_idx_idx": _index_value,
    "s_set_gpr_idx_mode": _index_mode,
    "s_movrels_b32": _scalar_move, "s_movrels_b64": _scalar_move, "s_movreld_b32": _scalar_move,
    "s_movreld_b64": _scalar_move, "s_movrelsd_2_b32": _scalar_move,
    "v_movrels_b32": _vector_move, "v_movreld_b32": _vector_move, "v_movrelsd_b32": _vector_move,
    "v_movrelsd_2_b32": _vector_move, "v_swaprel_b32": _vector_swap,
}  # fmt: skip
