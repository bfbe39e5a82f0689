"""Hardware registers and clocks in translated code.

MODE is followed while translating (``translate.py``). Its bits are also kept in the wave's state, for
s_getreg_b32 and for changes by values that only registers know.
"""

from __future__ import annotations

__all__ = ["assign_mode", "constant_clock", "cycle_counter", "hardware_register", "message_with_answer"]

from typing import TYPE_CHECKING

from anyhip.backends.virtual.hardware_registers import Assignment, selector, value_of
from anyhip.backends.virtual.layout import OFFSETS, PRIVATE_APERTURE, SHARED_APERTURE
from anyhip.backends.virtual.scalar_code import read_scalar, write_scalar
from anyhip.backends.virtual.scalars import EXEC, VCC
from anyhip.backends.virtual.value import Value
from anyhip.errors import UnsupportedInstruction

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.isa.decode import Instruction

_STATE = {"mode": "mode", "hw_id": "hw_id", "xcc_id": "xcc_id"}
_LDS_GRANULE, _LDS_SIZE = 256, 12  # bytes a unit of LDS_ALLOC, and the field's lowest bit


def hardware_register(queue: RunQueue, instruction: Instruction) -> None:
    """s_getreg_b32."""
    _, offset, mask = selector(instruction)
    value = _read(queue, value_of(instruction))
    write_scalar(queue, instruction.dst[0], (value >> offset) & mask)


def _read(queue: RunQueue, what: str) -> Value:
    """The whole register, i32."""
    b = queue.b
    if what in _STATE:
        return b.load("i32", b.offset("%w", OFFSETS[_STATE[what]]), 4)
    if what in ("scratch_low", "scratch_high"):
        return b.load("i32", b.offset("%w", OFFSETS["flat_scratch"] + 4 * (what == "scratch_high")), 4)
    if what.startswith("cycles"):
        cycles = _cycles(queue)
        low = (cycles >> 32 if what == "cycles_high" else cycles).trunc("i32")
        return low & 0xFFFFF if what == "cycles20" else low
    if what == "lds":
        size = b.load("i32", b.offset("%w", OFFSETS["lds_size"]), 4)
        return ((size + (_LDS_GRANULE - 1)) >> (_LDS_GRANULE.bit_length() - 1)) << _LDS_SIZE
    if what == "bases":
        return b.const("i32", SHARED_APERTURE | PRIVATE_APERTURE >> 16)
    scalars = queue.scalars
    if what == "state":
        return scalars.read_scc().zext("i32") << 9
    if what == "status":
        zero = [queue.mask64(index).eq(0).zext("i32") << bit for index, bit in ((EXEC, 9), (VCC, 10))]
        return scalars.read_scc().zext("i32") | zero[0] | zero[1] | 1 << 16
    return b.const("i32", 0)


def assign_mode(queue: RunQueue, instruction: Instruction, assigned: Assignment) -> Value:
    """Change MODE in the wave's state; its new bits."""
    b = queue.b
    place = b.offset("%w", OFFSETS["mode"])
    if assigned.value is not None:
        value = b.const("i32", assigned.value)
    else:
        source = read_scalar(queue, instruction.src[-1]).int_bits()
        value = (source << selector(instruction)[1]) & assigned.mask
    new = (b.load("i32", place, 4) & ~assigned.mask) | value
    b.store(new, place, 4)
    return new


# -- clocks
def _cycles(queue: RunQueue) -> Value:
    b = queue.b
    b.intrinsic("llvm.readcyclecounter", "i64", "")
    return b.uniform("i64", b.let("call i64 @llvm.readcyclecounter()"))


def cycle_counter(queue: RunQueue, instruction: Instruction) -> None:
    """s_memtime: the host's time-stamp counter."""
    write_scalar(queue, instruction.dst[0], _cycles(queue))


def constant_clock(queue: RunQueue, instruction: Instruction) -> None:
    """s_memrealtime: 100 MHz, from the engine."""
    write_scalar(queue, instruction.dst[0], _constant_clock(queue))


def _constant_clock(queue: RunQueue) -> Value:
    b = queue.b
    function = b.load("ptr", b.offset("%w", OFFSETS["clock"]), 8).data
    return b.uniform("i64", b.let(f"call i64 {function}()"))


REALTIME = 0x83  # the message that asks for the constant clock


def message_with_answer(queue: RunQueue, instruction: Instruction) -> None:
    """s_sendmsg_rtn: of the messages that are answered only the clock.

    Raises:
        UnsupportedInstruction: another message.
    """
    number = instruction.src[0].value
    if number != REALTIME:
        raise UnsupportedInstruction(
            f"{instruction.name} of message {number:#x} at {instruction.pc:#x} is not implemented"
        )
    value, target = _constant_clock(queue), instruction.dst[0]
    write_scalar(queue, target, value if target.count == 2 else value.trunc("i32"))
