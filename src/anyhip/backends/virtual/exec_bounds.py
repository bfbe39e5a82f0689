"""Which lanes EXEC can enable, place by place: always a subset of what it was at some earlier place.

Divergent code saves EXEC, narrows it, and restores it. A register written while EXEC was a certain mask holds
its new value for any later EXEC that is a subset of that one. Masks are named by the instruction that made
them (its pc; :data:`ENTRY` for EXEC as the kernel starts), and form a tree: each lies within its parent.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from anyhip.backends.virtual.cfg import ControlFlow, writes_exec
from anyhip.backends.virtual.loops import Loops
from anyhip.backends.virtual.scalars import EXEC
from anyhip.isa.decode import Instruction, Operand

__all__ = ["ANY", "ENTRY", "Bounds", "State", "analyse"]

ANY, ENTRY, NOTHING = -1, -2, -3  # masks that no instruction made: unknown, the entry's EXEC, no lane at all


@dataclass(slots=True)
class State:
    """What is known between two instructions: the mask that EXEC, and each scalar register, lies within."""

    execute: int = ANY
    saved: dict[int, int] = field(default_factory=dict)  # first register of the mask -> mask

    def copy(self) -> State:
        """An independent copy."""
        return State(self.execute, dict(self.saved))


class Bounds:
    """The tree of masks, and how instructions move through it."""

    def __init__(self, wave_size: int) -> None:
        self.words = wave_size // 32  # registers a mask
        self.parents: dict[int, int] = {ENTRY: ANY}

    def within(self, mask: int, other: int) -> bool:
        """Whether all lanes of ``mask`` are sure to be lanes of ``other``."""
        return mask == NOTHING or other in self._ancestors(mask)

    def _ancestors(self, mask: int) -> list[int]:
        found = [mask]
        while mask != ANY:
            mask = self.parents[mask]
            found.append(mask)
        return found

    def union(self, a: int, b: int) -> int:
        """The smallest known mask that both lie within."""
        if NOTHING in (a, b):
            return b if a == NOTHING else a
        others = set(self._ancestors(b))
        return next(mask for mask in self._ancestors(a) if mask in others)

    def _intersection(self, a: int, b: int) -> int:
        return a if self.within(a, b) or b == ANY else b

    def outside(self, mask: int, pcs: set[int]) -> int:
        """The mask, or its nearest ancestor that none of the instructions at ``pcs`` makes."""
        while mask in pcs:
            mask = self.parents[mask]
        return mask

    def merge(self, a: State, b: State) -> State:
        """What holds whichever of two ways control came."""
        saved = {r: self.union(mask, b.saved[r]) for r, mask in a.saved.items() if r in b.saved}
        return State(self.union(a.execute, b.execute), saved)

    def step(self, instruction: Instruction, state: State) -> None:
        """Bring the state past one instruction."""
        before = state.execute
        result = self._result(instruction, state)
        if instruction.name.startswith("s_movreld"):
            state.saved.clear()
        for operand in instruction.dst:
            if operand.kind == "s":
                for r in range(operand.index - 1, operand.index + operand.count):
                    state.saved.pop(r, None)
        if instruction.opcode.klass == "salu" and "saveexec" in instruction.name:
            state.saved[instruction.dst[0].index] = before
            state.execute = self._made(instruction.pc, result)
        elif writes_exec(instruction):
            state.execute = self._made(instruction.pc, result)
            if len(instruction.dst) > 1 and instruction.dst[0].kind == "s":
                state.saved[instruction.dst[0].index] = state.execute
            if any(o.index == EXEC + 1 or o.count < self.words for o in instruction.dst if o.kind == "s"):
                state.execute = ANY  # half of a mask
        elif instruction.opcode.klass in ("salu", "vcmp") and instruction.dst:
            target = instruction.dst[0]
            if target.kind == "s" and target.count == self.words and result != ANY:
                state.saved[target.index] = result

    def _made(self, pc: int, within: int) -> int:
        """A mask made at ``pc`` inside another; a mask restored is just that one."""
        if within in (ANY, NOTHING):
            return within
        known = self.parents.get(pc)
        self.parents[pc] = within if known is None else self.union(known, within)
        return pc

    def _of(self, operand: Operand, state: State) -> int:
        if operand.kind == "const":
            return NOTHING if operand.value == 0 else ANY
        if operand.kind != "s":
            return ANY
        return state.execute if operand.index == EXEC else state.saved.get(operand.index, ANY)

    def _result(self, instruction: Instruction, state: State) -> int:
        """The mask that the instruction's result (EXEC, where it writes that) lies within."""
        name = instruction.name
        if instruction.opcode.klass == "vcmp":
            return state.execute  # a comparison gives 0 for lanes that EXEC disables
        stem = name.removeprefix("s_").rsplit("_", 1)[0]
        masks = [self._of(o, state) for o in instruction.src]
        if stem.endswith("_saveexec"):
            stem, masks = stem.removesuffix("_saveexec"), [masks[0], state.execute]
            if stem == "andn1":  # EXEC without the operand
                stem, masks = "andn2", masks[::-1]
        if stem == "mov":
            return masks[0]
        if stem in ("or", "xor", "cselect"):
            return self.union(masks[0], masks[1])
        if stem == "and":
            return self._intersection(masks[0], masks[1])
        if stem == "andn2":
            return masks[0]
        return ANY


def analyse(flow: ControlFlow, loops: Loops, wave_size: int) -> tuple[Bounds, dict[int, State]]:
    """The masks of a kernel, and what is known where each block begins."""
    bounds = Bounds(wave_size)
    begin: dict[int, State] = {}
    end: dict[int, State] = {}
    work = [flow.entry, *flow.indirect_targets]
    while work:
        pc = work.pop()
        block = flow.blocks.get(pc)
        if block is None:
            continue
        ways = [end[before] for before in loops.predecessors[pc] if before in end]
        if pc == flow.entry:
            ways.append(State(ENTRY))
        if pc in flow.indirect_targets or loops.within[pc] is None:
            ways.append(State())
        state = ways[0].copy()
        for way in ways[1:]:
            state = bounds.merge(state, way)
        made = loops.instructions(pc)
        state = State(
            bounds.outside(state.execute, made),
            {r: bounds.outside(mask, made) for r, mask in state.saved.items()},
        )
        begin[pc] = state.copy()
        for instruction in block.instructions:
            bounds.step(instruction, state)
        if end.get(pc) != state:
            end[pc] = state
            work += block.successors
    return bounds, begin
