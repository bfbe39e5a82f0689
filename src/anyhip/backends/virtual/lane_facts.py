"""How VGPRs differ from lane to lane, carried from block to block of a kernel.

Blocks are translated in program order. What the end of each earlier predecessor knows of a register, and no
way round to the block changes, holds where the block begins.
"""

from __future__ import annotations

from anyhip.backends.virtual import exec_bounds
from anyhip.backends.virtual.cfg import (
    RELATIVE_MOVES,
    Block,
    ControlFlow,
    vgprs_read,
    vgprs_written,
    writes_exec,
)
from anyhip.backends.virtual.chunk_registers import Fact, Facts, forget
from anyhip.backends.virtual.layout import LaneForm
from anyhip.backends.virtual.llvm_builder import CHUNK
from anyhip.backends.virtual.loops import Loops
from anyhip.isa.decode import Instruction

__all__ = ["LaneFacts", "entry_facts"]

_SUBTRAHEND = {"v_sub_u32": 1, "v_subrev_u32": 0}  # position among the sources
_INDUCTION = {"v_add_u32", "v_lshl_add_u64", *_SUBTRAHEND}


def entry_facts(lanes: LaneForm, packed: bool, dimensions: int) -> Facts:
    """What is known of the work-item ids that waves start with.

    Args:
        packed: x, y and z share v0, ten bits each.
        dimensions: of ids that the kernel asks for.
    """
    if lanes == LaneForm.ANY:
        return {}
    row = Fact(tuple(range(CHUNK)), CHUNK.bit_length() - 1, exec_bounds.ENTRY)
    equal = Fact((0,) * CHUNK, 0, exec_bounds.ENTRY)
    return {(0,): row} if packed else {(0,): row, **{(r,): equal for r in range(1, dimensions)}}


class LaneFacts:
    """The facts of a kernel's blocks.

    Args:
        entry: what is known where the kernel begins.
    """

    def __init__(self, flow: ControlFlow, wave_size: int, entry: Facts) -> None:
        self.flow = flow
        self.entry = entry
        self.loops = Loops(flow)
        self.bounds, self.states = exec_bounds.analyse(flow, self.loops, wave_size)
        self._after: dict[int, Facts] = {}

    def begin(self, block: Block) -> tuple[Facts, exec_bounds.State]:
        """What is known where the block begins, of VGPRs and of EXEC."""
        state = self.states.get(block.pc, exec_bounds.State()).copy()
        body = self.loops.within[block.pc]
        if self.flow.indirect_targets or body is None:
            return {}, state
        ways = [self._after[pc] for pc in self.loops.earlier(block.pc)]
        if block.pc == self.flow.entry:
            ways.append(self.entry)
        facts = ways[0] if ways else {}
        for way in ways[1:]:
            facts = {r: both for r, fact in facts.items() if (both := self._both(fact, way.get(r)))}
        return self.valid(self._unchanged(body, facts, state), state), state

    def valid(self, facts: Facts, state: exec_bounds.State) -> Facts:
        """The facts that hold for all lanes that EXEC may enable."""
        return {r: fact for r, fact in facts.items() if self.bounds.within(state.execute, fact.mask)}

    def end(self, block: Block, facts: Facts) -> None:
        """Note what is known where the block ends."""
        self._after[block.pc] = facts

    def _both(self, a: Fact, b: Fact | None) -> Fact | None:
        if b is None or a.offsets != b.offsets:
            return None
        if not (self.bounds.within(a.mask, b.mask) or self.bounds.within(b.mask, a.mask)):
            return None
        mask = a.mask if self.bounds.within(a.mask, b.mask) else b.mask
        return Fact(a.offsets, min(a.zeros, b.zeros), mask)

    def _unchanged(self, body: set[int], facts: Facts, state: exec_bounds.State) -> Facts:
        """The facts that no block of ``body`` makes false."""
        instructions = [i for pc in body for i in self.flow.blocks[pc].instructions]
        steady = not any(writes_exec(i) for i in instructions)
        changed: set[int] = set()
        moved: set[tuple[int, ...]] = set()
        for instruction in instructions:
            if anything_written(instruction):
                return {}
            written = tuple(vgprs_written(instruction))
            if steady and written and _adds_uniform(instruction):
                moved.add(written)
            else:
                changed.update(written)
        kept = forget(facts, changed)
        for registers in moved:  # the base changes, the offsets do not
            fact = kept.get(registers)
            kept = forget(kept, registers)
            if fact is not None:
                kept[registers] = Fact(fact.offsets, 0, state.execute)
        return kept


def anything_written(instruction: Instruction) -> bool:
    """The instruction may write VGPRs that it does not name."""
    return "indexed" in instruction.fields or instruction.name in RELATIVE_MOVES


def _adds_uniform(instruction: Instruction) -> bool:
    """It adds the same number to each lane of one register or pair."""
    name, plain = instruction.name, instruction.variant in ("e32", "e64")
    if name not in _INDUCTION or not plain or instruction.fields.get("clamp", 0):
        return False
    if name in _SUBTRAHEND and instruction.src[_SUBTRAHEND[name]].kind == "v":
        return False  # what is subtracted would change sign
    if name == "v_lshl_add_u64" and instruction.src[0].kind == "v":
        return False  # it may be shifted
    return vgprs_read(instruction) == vgprs_written(instruction)
