"""MODE assigned from a register while a kernel runs: a switch to the block that was translated for that mode.

Where few bits are unknown there is a block for each of their values. Where many are, values are taken to be
those of modes that the kernel has elsewhere: what s_getreg_b32 saved is what s_setreg_b32 brings back.
"""

from __future__ import annotations

__all__ = ["ModeSwitches"]

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from anyhip.backends.virtual.hardware_code import assign_mode
from anyhip.backends.virtual.hardware_registers import Assignment
from anyhip.backends.virtual.layout import OFFSETS, Return
from anyhip.backends.virtual.mode import EXCEPTIONS, Mode
from anyhip.backends.virtual.value import Value

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.isa.decode import Instruction

_MOST_UNKNOWN = 4  # bits whose every value gets a block


@dataclass
class _Switch:
    label: str
    pc: int
    after: int
    mode: Mode  # before the assignment
    mask: int
    register: Value  # the new MODE
    cases: dict[Mode, str] = field(default_factory=dict)


class ModeSwitches:
    """Collects the places of a kernel where MODE is assigned from a register.

    Args:
        want: from a block's pc and a mode to its label; it will be translated.
    """

    def __init__(self, queue: RunQueue, want: Callable[[int, Mode], str]) -> None:
        self.queue = queue
        self._want = want
        self._switches: list[_Switch] = []

    def begin(self, instruction: Instruction, assigned: Assignment) -> None:
        """End the block with the assignment."""
        queue = self.queue
        register = assign_mode(queue, instruction, assigned)
        queue.scalars.save()
        label, after = queue.b.label("mode"), instruction.pc + instruction.size
        queue.b.emit(f"  br label %{label}")
        switch = _Switch(label, instruction.pc, after, queue.mode, assigned.mask, register)
        self._switches.append(switch)
        used = Mode.used(queue.mode.generation) & assigned.mask
        if used.bit_count() <= _MOST_UNKNOWN:
            for mode in {queue.mode.assigned(used, bits) for bits in _subsets(used)}:
                self._add(switch, mode)

    def _add(self, switch: _Switch, mode: Mode) -> None:
        if mode not in switch.cases:
            switch.cases[mode] = self._want(switch.after, mode)

    def want(self, known: set[Mode]) -> None:
        """Take modes that the kernel is known to have for possible ones, as far as they can be assigned.

        That is where they differ from the mode before in nothing but what is assigned.
        """
        for switch in self._switches:
            for mode in sorted(known, key=lambda mode: mode.bits):
                if not (mode.bits ^ switch.mode.bits) & ~switch.mask:
                    self._add(switch, mode)

    def emit(self) -> None:
        """Write the switches; a mode without a block ends the kernel as unsupported."""
        b = self.queue.b
        for switch in self._switches:
            b.start(switch.label)
            relevant = switch.register & (Mode.used(switch.mode.generation) | EXCEPTIONS)
            unknown = b.label("unknownmode")
            cases = " ".join(f"i32 {mode.bits}, label %{label}" for mode, label in switch.cases.items())
            b.emit(f"  switch i32 {relevant.data}, label %{unknown} [ {cases} ]")
            b.start(unknown)
            b.store(b.const("i64", switch.pc), b.offset("%w", OFFSETS["pc"]), 8)
            b.emit(f"  ret i32 {Return.UNSUPPORTED.value}")


def _subsets(mask: int) -> list[int]:
    """Every value that has bits in the mask alone."""
    out, bits = [mask], mask
    while bits:
        bits = (bits - 1) & mask
        out.append(bits)
    return out
