"""Hardware registers: what their numbers mean on each generation, and the fields that instructions name."""

from __future__ import annotations

__all__ = ["MODE_INSTRUCTIONS", "Assignment", "assignment", "selector", "switches_mode", "value_of"]

from functools import cache
from pathlib import Path
from typing import NamedTuple

from anyhip.backends.virtual.mode import DENORM_FIELD, EXCEPTIONS, MODE_REGISTER, ROUND_FIELD
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction
from anyhip.tables import read

MODE_INSTRUCTIONS = {"s_setreg_b32", "s_setreg_imm32_b32", "s_round_mode", "s_denorm_mode"}
# STATUS: SCC 0, EXECZ 9, VCCZ 10, VALID 16; priorities 4:1, PRIV 5, TRAP_EN 6, HALT 13, TRAP 14 and
# FATAL_HALT 23 are 0. STATE_PRIV: SCC 9; HALT 14 is 0. What else they hold is not known here.
_READABLE = {"status": 0x0081_667F, "state": 0x0000_4200}
_TABLE = Path(__file__).with_name("hardware_registers.tsv")


@cache
def _values(generation: str) -> dict[int, str]:
    rows = read(_TABLE)
    return {int(row[generation]): row["value"] for row in rows if row.get(generation)}


class Assignment(NamedTuple):
    """A change of MODE: ``value`` replaces its bits in ``mask``; None where only a register knows it."""

    mask: int
    value: int | None


def selector(instruction: Instruction) -> tuple[int, int, int]:
    """Number, lowest bit and mask (not shifted) of the field that s_getreg and s_setreg name."""
    simm = instruction.fields["simm16"]
    return simm & 63, simm >> 6 & 31, (1 << (simm >> 11 & 31) + 1) - 1


def value_of(instruction: Instruction) -> str:
    """What s_getreg_b32 reads, a word of the table's column ``value``.

    Raises:
        UnsupportedInstruction: a register that the generation does not have, or bits not known here.
    """
    number, offset, mask = selector(instruction)
    value = _values(instruction.opcode.generation).get(number)
    if value is None or mask << offset & ~_READABLE.get(value, -1) & 0xFFFFFFFF:
        raise UnsupportedInstruction(
            f"{instruction.name} of hardware register {number}, bits {offset} to "
            f"{offset + mask.bit_length() - 1}, at {instruction.pc:#x} is not implemented"
        )
    return value


def switches_mode(instruction: Instruction) -> bool:
    """Whether it assigns to MODE what only a register knows."""
    known = instruction.name != "s_setreg_b32" or instruction.src[-1].kind == "const"
    return not known and selector(instruction)[0] == MODE_REGISTER


def assignment(instruction: Instruction) -> Assignment:
    """What one of :data:`MODE_INSTRUCTIONS` assigns.

    Raises:
        UnsupportedInstruction: to another register, or exceptions that would need a trap handler.
    """
    if instruction.name in ("s_round_mode", "s_denorm_mode"):
        field = ROUND_FIELD if instruction.name == "s_round_mode" else DENORM_FIELD
        return Assignment(field, (instruction.fields["simm16"] & 0xF) * (field & -field))
    number, offset, mask = selector(instruction)
    if number != MODE_REGISTER:
        raise UnsupportedInstruction(
            f"{instruction.name} of hardware register {number} at {instruction.pc:#x} is not implemented"
        )
    mask = mask << offset & 0xFFFFFFFF
    source = instruction.src[-1]
    if source.kind != "const":
        return Assignment(mask, None)
    if source.value << offset & mask & EXCEPTIONS:
        raise UnsupportedInstruction(
            f"{instruction.name} at {instruction.pc:#x} enables exceptions, which nothing would handle"
        )
    return Assignment(mask, source.value << offset & mask)
