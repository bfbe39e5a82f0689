"""Which barrier an instruction of RDNA4 means.

A wave signals that it has arrived and waits until all have; the workgroup's barrier has the number -1. Number
0 is none, and -2 is the trap handler's, which others' instructions leave alone (RDNA4 ISA guide, 5.6).
"""

from __future__ import annotations

from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction

__all__ = ["means_workgroup"]

WORKGROUP, NONE, TRAP = -1, 0, -2


def means_workgroup(instruction: Instruction) -> bool:
    """Whether the barrier is the workgroup's; false where the instruction does nothing.

    Raises:
        UnsupportedInstruction: a named barrier, or one whose number is in M0: other targets have them.
    """
    operand = instruction.src[0]
    number = (operand.value & 0xFFFF ^ 0x8000) - 0x8000 if operand.kind == "const" else None
    if number in (NONE, TRAP):
        return False
    if number != WORKGROUP:
        which = "in M0" if number is None else number
        raise UnsupportedInstruction(
            f"{instruction.name} of barrier {which} at {instruction.pc:#x} is not implemented"
        )
    return True
