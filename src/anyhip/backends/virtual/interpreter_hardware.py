"""Hardware registers, clocks, messages and barriers in the reference interpreter.

Facts: CDNA3, RDNA3 and RDNA4 ISA guides, "Hardware Registers", S_SENDMSG_RTN_B64, S_BARRIER_SIGNAL; LLVM
AMDGPUOperandSyntax for numbers of registers and messages.
"""

from __future__ import annotations

__all__ = ["HARDWARE", "leave_barriers"]

import time
from collections.abc import Callable

from anyhip.backends.virtual.hardware_registers import MODE_INSTRUCTIONS, assignment, selector, value_of
from anyhip.backends.virtual.interpreter_state import Group, Wave
from anyhip.backends.virtual.layout import PRIVATE_APERTURE, SHARED_APERTURE
from anyhip.backends.virtual.mode import EXCEPTIONS
from anyhip.backends.virtual.semantics.barriers import means_workgroup
from anyhip.backends.virtual.value import Value
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction
from anyhip.isa.registers import VCC

REALTIME = 0x83  # message


# -- clocks
def _ticks() -> int:
    """Every clock counts 10 ns."""
    return time.monotonic_ns() // 10


def _clock(wave: Wave, instruction: Instruction) -> None:
    wave.write64(instruction.dst[0].index, _ticks())


def _message_with_answer(wave: Wave, instruction: Instruction) -> None:
    number = instruction.src[0].value
    if number != REALTIME:
        raise UnsupportedInstruction(
            f"{instruction.name} of message {number:#x} at {instruction.pc:#x} is not implemented"
        )
    value = _ticks()
    for i in range(instruction.dst[0].count):
        wave.sgpr[instruction.dst[0].index + i] = value >> 32 * i & 0xFFFFFFFF


# -- hardware registers
_READ: dict[str, Callable[[Wave], int]] = {
    "mode": lambda wave: wave.mode,
    "status": lambda wave: wave.scc | (wave.exec == 0) << 9 | (wave.read_mask(VCC) == 0) << 10 | 1 << 16,
    "state": lambda wave: wave.scc << 9,
    "hw_id": lambda wave: wave.group.waves.index(wave) & 0xF,
    "cycles20": lambda wave: _ticks() & 0xFFFFF,
    "cycles_low": lambda wave: _ticks(),
    "cycles_high": lambda wave: _ticks() >> 32,
    "scratch_high": lambda wave: PRIVATE_APERTURE,
    "bases": lambda wave: SHARED_APERTURE | PRIVATE_APERTURE >> 16,
    "lds": lambda wave: -(-len(wave.group.lds) // 256) << 12,
    **dict.fromkeys(("xcc_id", "scratch_low", "zero"), lambda wave: 0),
}


def _getreg(wave: Wave, instruction: Instruction) -> None:
    _, offset, mask = selector(instruction)
    value = _READ[value_of(instruction)](wave)
    wave.sgpr[instruction.dst[0].index] = ((value & 0xFFFFFFFF) >> offset) & mask


def _assign_mode(wave: Wave, instruction: Instruction) -> None:
    mask, number = assignment(instruction)
    if number is None:
        value = wave.source(instruction.src[-1], scalar=True)
        assert isinstance(value, Value)
        number = int(value.data) << selector(instruction)[1]
        if number & mask & EXCEPTIONS:
            raise UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} enables exceptions")
    wave.set_mode(wave.mode & ~mask | number & mask)


# -- barriers: a wave goes on when all have arrived as often as it has
def _barrier(wave: Wave, instruction: Instruction) -> None:
    wave.signals += 1
    wave.waiting = True


def _signal(wave: Wave, instruction: Instruction) -> None:
    meant = means_workgroup(instruction)
    if instruction.dst:  # s_barrier_signal_isfirst
        wave.scc = meant and all(other.signals <= wave.signals for other in wave.group.waves)
    wave.signals += meant


def _wait(wave: Wave, instruction: Instruction) -> None:
    wave.waiting = means_workgroup(instruction)


def _state(wave: Wave, instruction: Instruction) -> None:
    if not means_workgroup(instruction):
        wave.sgpr[instruction.dst[0].index] = 0
        return
    alive = [other for other in wave.group.waves if not other.ended]
    arrived = sum(other.signals > min(o.signals for o in alive) for other in alive)
    wave.sgpr[instruction.dst[0].index] = arrived << 16 | len(alive) << 4 | 1


def leave_barriers(group: Group) -> None:
    """Let the waves go on that wait for nobody any more; waves that ended hold up none."""
    alive = [wave for wave in group.waves if not wave.ended]
    arrivals = min((wave.signals for wave in alive), default=0)
    for wave in alive:
        if wave.signals <= arrivals:
            wave.waiting = False


def _nothing(wave: Wave, instruction: Instruction) -> None:
    """v_clrexcp: there are no exceptions."""


HARDWARE: dict[str, Callable[[Wave, Instruction], None]] = {
    "s_memtime": _clock, "s_memrealtime": _clock, "s_getreg_b32": _getreg,
    **dict.fromkeys(MODE_INSTRUCTIONS, _assign_mode),
    "s_sendmsg_rtn_b32": _message_with_answer, "s_sendmsg_rtn_b64": _message_with_answer,
    "s_barrier": _barrier, "s_barrier_signal": _signal, "s_barrier_signal_isfirst": _signal,
    "s_barrier_wait": _wait, "s_get_barrier_state": _state, "v_clrexcp": _nothing,
}  # fmt: skip
