"""Machine code of one kernel -> basic blocks, with the registers that live across them.

Blocks start at branch targets, after branches and wherever a wave may be resumed. Kernels that call (or
jump through a register) get every function of the code object as a possible target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from anyhip.backends.virtual import hardware_registers, indexing
from anyhip.backends.virtual.scalars import EXEC, M0, SCC, VCC
from anyhip.errors import IsaError
from anyhip.isa.decode import Instruction
from anyhip.target import Target

__all__ = [
    "RELATIVE_MOVES",
    "SCC",
    "Block",
    "ControlFlow",
    "blocks_in_loops",
    "build",
    "live_after",
    "predecessors",
    "vgprs_read",
    "vgprs_written",
    "writes_exec",
]

INDIRECT = {"s_setpc_b64", "s_swappc_b64"}
CALLS = {"s_swappc_b64", "s_call_b64"}
ENDS = {"s_endpgm", "s_endpgm_saved", "s_endpgm_ordered_ps_done"}
SUSPENDS = {
    "s_barrier", "s_sleep", "s_sleep_var", "s_barrier_signal", "s_barrier_signal_isfirst", "s_barrier_wait",
}  # fmt: skip
# Vector moves between registers whose numbers M0 adds to.
RELATIVE_MOVES = {
    "v_movrels_b32", "v_movreld_b32", "v_movrelsd_b32", "v_movrelsd_2_b32", "v_swaprel_b32",
}  # fmt: skip
MAX_INSTRUCTIONS = 400_000


@dataclass(slots=True, eq=False)
class Block:
    """A straight run of instructions; control enters at the first and leaves at the last."""

    pc: int
    instructions: list[Instruction] = field(default_factory=list)
    successors: list[int] = field(default_factory=list)  # pcs of blocks
    live_in: set[int] = field(default_factory=set)  # VGPRs
    scalars_in: set[int] = field(default_factory=set)  # scalar registers and SCC


@dataclass(slots=True)
class ControlFlow:
    """The blocks of a kernel by their pc, the entry first, in program order."""

    entry: int
    blocks: dict[int, Block]
    indirect_targets: list[int]


def build(
    decode_at: Callable[[int], Instruction], entry: int, functions: list[int], target: Target
) -> ControlFlow:
    """Blocks reachable from ``entry``.

    Args:
        decode_at: vaddr -> instruction; raises IsaError where none is.
        functions: vaddrs of the code object's functions, possible targets of indirect jumps.
    """
    instructions: dict[int, Instruction] = {}
    leaders = {entry}
    indirect: set[int] = set()
    work = [entry]
    while work:
        pc = work.pop()
        while pc not in instructions:
            if len(instructions) >= MAX_INSTRUCTIONS:
                break
            try:
                instruction = decode_at(pc)
            except IsaError:  # what no instruction is can only be wrong if it is ever reached
                break
            instructions[pc] = instruction
            follow = pc + instruction.size
            goes_to = instruction.branch_target
            if goes_to is not None:
                leaders |= {goes_to, follow}
                work.append(goes_to)
            if instruction.name in INDIRECT | CALLS:
                if not indirect and instruction.name in INDIRECT:
                    indirect |= set(functions)
                    leaders |= indirect
                    work += functions
                if instruction.name in CALLS:
                    indirect.add(follow)
                    leaders.add(follow)
                    work.append(follow)
                break
            if instruction.name in ENDS or instruction.name == "s_branch" or is_trap(instruction):
                break
            if instruction.name in SUSPENDS or hardware_registers.switches_mode(instruction):
                leaders.add(follow)
            pc = follow
    blocks = _cut(instructions, leaders, sorted(indirect))
    for block in blocks.values():
        indexing.mark(block.instructions)
    flow = ControlFlow(entry, blocks, sorted(indirect))
    _liveness(flow, target)
    return flow


def _cut(instructions: dict[int, Instruction], leaders: set[int], indirect: list[int]) -> dict[int, Block]:
    blocks: dict[int, Block] = {}
    block: Block | None = None
    expected = -1
    for pc in sorted(instructions):
        instruction = instructions[pc]
        if block is not None and (pc in leaders or pc != expected):
            if pc == expected and not block.successors and not _leaves(block.instructions[-1]):
                block.successors = [pc]
            block = None
        if block is None:
            block = blocks[pc] = Block(pc)
        block.instructions.append(instruction)
        expected = pc + instruction.size
        goes_to = instruction.branch_target
        if instruction.name in INDIRECT:
            block.successors = list(indirect)
        elif goes_to is not None:
            block.successors = (
                [goes_to] if instruction.name in ("s_branch", "s_call_b64") else [expected, goes_to]
            )
    return blocks


def is_trap(instruction: Instruction) -> bool:
    """A trap that stops the wave; number 3 is for debuggers and does nothing without one."""
    return instruction.name == "s_trap" and instruction.fields["simm16"] & 0xFF != 3


def _leaves(instruction: Instruction) -> bool:
    return (
        is_trap(instruction)
        or instruction.name in ENDS
        or instruction.name in INDIRECT
        or instruction.branch_target is not None
    )


def vgprs_read(instruction: Instruction) -> list[int]:
    """Rows of the VGPR file that the instruction may read."""
    if indexing.indexed_source(instruction):
        return list(range(instruction.src[0].index, instruction.src[0].index + 256))
    operands = instruction.src
    if "halves" in instruction.opcode.flags:  # half of each register of the result stays
        operands += instruction.dst
    named = [r for o in operands if o.kind in "va" for r in range(o.index, o.index + o.count)]
    if instruction.name in RELATIVE_MOVES:
        named += range(min(o.index for o in (*operands, *instruction.dst) if o.kind == "v"), 256)
    return named


def vgprs_written(instruction: Instruction) -> list[int]:
    """Rows of the VGPR file that the instruction is sure to write, in enabled lanes."""
    if "indexed" in instruction.fields or instruction.name in RELATIVE_MOVES:
        return []
    return [r for o in instruction.dst if o.kind in "va" for r in range(o.index, o.index + o.count)]


def _exposed(block: Block) -> set[int]:
    """Registers whose value from before the block may be read in it.

    A write under EXEC covers a later read of the block only while EXEC has not been widened, and never a
    read across lanes.
    """
    from anyhip.backends.virtual.lanes import crosses_lanes

    exposed: set[int] = set()
    written: set[int] = set()
    for instruction in block.instructions:
        across = crosses_lanes(instruction)
        exposed.update(r for r in vgprs_read(instruction) if across or r not in written)
        written.update(vgprs_written(instruction))
        if writes_exec(instruction) and not _narrows_exec(instruction):
            written.clear()
    return exposed


def writes_exec(instruction: Instruction) -> bool:
    """EXEC, or half of it, is among the instruction's results."""
    return any(o.kind == "s" and o.index in (EXEC, EXEC + 1) for o in instruction.dst)


def _narrows_exec(instruction: Instruction) -> bool:
    """EXEC can only lose lanes."""
    name = instruction.name
    if name.startswith(("s_and_saveexec", "s_andn1_saveexec", "v_cmpx")):
        return True
    reads_exec = bool(instruction.src) and any(o.kind == "s" and o.index == 126 for o in instruction.src)
    return reads_exec and (
        name.startswith("s_and_b") or (name.startswith("s_andn2_b") and instruction.src[0].index == 126)
    )


def blocks_in_loops(flow: ControlFlow, largest: int) -> set[int]:
    """Blocks of the loops of at most ``largest`` instructions.

    Of bigger loops, those of the loops inside them.
    """
    found: set[int] = set()
    work = [set(flow.blocks)]
    while work:
        for component in _components(flow, work.pop()):
            if sum(len(flow.blocks[pc].instructions) for pc in component) <= largest:
                found |= component
            else:
                work.append(component - {min(component)})  # without its head, the loops inside are left
    return found


def _components(flow: ControlFlow, among: set[int]) -> list[set[int]]:
    """Strongly connected components that hold a cycle, of the blocks ``among`` (Tarjan's algorithm)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    components: list[set[int]] = []

    def successors(pc: int) -> list[int]:
        return [s for s in flow.blocks[pc].successors if s in among]

    def enter(pc: int) -> tuple[int, Iterator[int]]:
        index[pc] = low[pc] = len(index)
        stack.append(pc)
        on_stack.add(pc)
        return pc, iter(successors(pc))

    for root in sorted(among):
        work = [] if root in index else [enter(root)]
        while work:
            pc, rest = work[-1]
            for successor in rest:
                if successor not in index:
                    work.append(enter(successor))
                    break
                if successor in on_stack:
                    low[pc] = min(low[pc], index[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[pc])
                if low[pc] == index[pc]:
                    component = set(stack[stack.index(pc) :])
                    del stack[-len(component) :]
                    on_stack -= component
                    if len(component) > 1 or pc in successors(pc):
                        components.append(component)
    return components


def predecessors(flow: ControlFlow) -> dict[int, list[int]]:
    """The blocks that lead to each block."""
    found: dict[int, list[int]] = {pc: [] for pc in flow.blocks}
    for pc, block in flow.blocks.items():
        for successor in block.successors:
            if successor in found:
                found[successor].append(pc)
    return found


def _liveness(flow: ControlFlow, target: Target) -> None:
    """Fill live_in and scalars_in.

    Writes of VGPRs are partial (EXEC), so they end no live range across blocks; those of scalars do.
    """
    before_each = predecessors(flow)
    kills: dict[int, set[int]] = {}
    for pc, block in flow.blocks.items():
        block.live_in = _exposed(block)
        block.scalars_in, kills[pc] = _scalars(block)
    work = list(flow.blocks)
    while work:
        pc = work.pop()
        for before in before_each[pc]:
            block = flow.blocks[before]
            live = flow.blocks[pc].live_in - block.live_in
            scalars = flow.blocks[pc].scalars_in - kills[before] - block.scalars_in
            if live or scalars:
                block.live_in |= live
                block.scalars_in |= scalars
                work.append(before)


def _scalars(block: Block) -> tuple[set[int], set[int]]:
    """Scalar registers (SCC is one) that the block reads before it writes them, and those it writes."""
    from anyhip.backends.virtual.relative_code import registers_meant

    read = {EXEC, EXEC + 1, M0}
    written: set[int] = set()
    for instruction in block.instructions:
        read.update(r for r in registers_meant(instruction) if r not in written)
        for operand in instruction.src:
            if operand.name in ("vccz", "scc"):
                read |= ({SCC} if operand.name == "scc" else {VCC, VCC + 1}) - written
            elif operand.kind == "s":
                read.update(
                    r for r in range(operand.index, operand.index + operand.count) if r not in written
                )
        for operand in instruction.dst:
            if operand.name == "scc":
                written.add(SCC)
            elif operand.kind == "s":
                written.update(range(operand.index, operand.index + operand.count))
    return read, written


def live_after(flow: ControlFlow, block: Block) -> list[frozenset[int]]:
    """For each instruction of the block, the VGPRs that may be read after it."""
    from anyhip.backends.virtual.lanes import crosses_lanes

    kept: set[int] = set()  # needed whatever is written in this block
    for successor in block.successors:
        if successor in flow.blocks:
            kept |= flow.blocks[successor].live_in
    local: set[int] = set()  # needed by a read under no wider an EXEC
    out: list[frozenset[int]] = []
    for instruction in reversed(block.instructions):
        out.append(frozenset(kept | local))
        if writes_exec(instruction) and not _narrows_exec(instruction):
            kept |= local
            local.clear()
        local.difference_update(vgprs_written(instruction))
        (kept if crosses_lanes(instruction) else local).update(vgprs_read(instruction))
    out.reverse()
    return out
