"""Machine code of one kernel -> LLVM IR of the function that runs one wave of it.

The function is ``i32 anyhip_kernel(ptr %w)`` with the wave's state (:mod:`~anyhip.backends.virtual.layout`).
It is entered at the kernel's first instruction or at a resume point, and returns when the wave ends, waits at
a barrier, yields or traps.

What MODE holds is known while translating, since code sets it to constants: a block is translated for each
mode in which control comes to it. Where only a register knows the new mode, the kernel goes on in the block
for it, if there is one.
"""

from __future__ import annotations

from collections.abc import Callable

from anyhip.backends.virtual import (
    atomics,
    buffer_code,
    cfg,
    exchange_code,
    exec_bounds,
    hardware_code,
    hardware_registers,
    indexing,
    lds_code,
    lds_dma,
    matrix_code,
    module_ir,
    relative_code,
    scalar_code,
    scalar_memory,
    vector_relative,
    wave_access,
)
from anyhip.backends.virtual.chunk import supported
from anyhip.backends.virtual.chunk_registers import Facts, forget
from anyhip.backends.virtual.lane_facts import LaneFacts, anything_written
from anyhip.backends.virtual.layout import OFFSETS, Return
from anyhip.backends.virtual.llvm_builder import CHUNK, LlvmBuilder
from anyhip.backends.virtual.mode import Mode
from anyhip.backends.virtual.mode_switch import ModeSwitches
from anyhip.backends.virtual.run import RunQueue
from anyhip.backends.virtual.scalars import EXEC, VCC
from anyhip.backends.virtual.semantics import SEMANTICS
from anyhip.backends.virtual.semantics import memory as memory_table
from anyhip.backends.virtual.semantics.barriers import means_workgroup
from anyhip.backends.virtual.value import Value
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction
from anyhip.target import Target

__all__ = ["Translation", "translate"]

Place = tuple[int, Mode]  # a block's pc and the mode in which it runs
LARGEST_LOOP = 150  # instructions; what lies only in larger loops counts as straight code
# Up to so many memory accesses in a kernel, all are inlined; else those in small loops and those whose lanes
# are known to be neighbours. Beyond the second number the others are calls for the whole wave.
FEW_ACCESSES, MANY_ACCESSES = 24, 160
NO_EFFECT = {"wait", "cache", "nop"}
IGNORED = {"s_sendmsg", "s_ttracedata", "s_ttracedata_imm", "s_wakeup", "v_clrexcp"}  # nobody is told
_DEBUGGER = [
    f"s_cbranch_cdbg{what}" for what in ("sys", "user", "sys_or_user", "sys_and_user")
]  # there is none
CONDITIONS: dict[str, Callable[[RunQueue], Value]] = {
    **dict.fromkeys(_DEBUGGER, lambda q: q.b.const("i1", 0)),
    "s_cbranch_scc0": lambda q: ~q.scalars.read_scc(),
    "s_cbranch_scc1": lambda q: q.scalars.read_scc(),
    "s_cbranch_vccz": lambda q: _mask(q, VCC).eq(0),
    "s_cbranch_vccnz": lambda q: _mask(q, VCC).ne(0),
    "s_cbranch_execz": lambda q: _mask(q, EXEC).eq(0),
    "s_cbranch_execnz": lambda q: _mask(q, EXEC).ne(0),
}


def _mask(queue: RunQueue, index: int) -> Value:
    return queue.scalars.read64(index) if queue.wave_size == 64 else queue.scalars.read32(index)


class Translation:
    """One kernel's translation.

    Args:
        flow: its control flow.
        uses_scratch: the kernel has private memory, so flat addresses may mean it.
        two_versions: see :class:`~anyhip.backends.virtual.run.RunQueue`.
        entry_facts: what is known of the VGPRs that waves start with.
        mode: what the kernel starts with.
    """

    def __init__(
        self,
        flow: cfg.ControlFlow,
        target: Target,
        uses_scratch: bool,
        two_versions: bool,
        entry_facts: Facts,
        mode: Mode,
    ) -> None:
        self.flow = flow
        self.facts = LaneFacts(flow, target.wave_size, entry_facts)
        self.b = LlvmBuilder(native_scatter=not two_versions)
        self.b.intrinsic(f"llvm.cttz.i{CHUNK}", f"i{CHUNK}", f"i{CHUNK}, i1")  # HELPERS call it
        self.b.mode = self.mode = mode
        self.queue = RunQueue(self.b, target.wave_size, uses_scratch, two_versions)
        self.loops = cfg.blocks_in_loops(flow, LARGEST_LOOP)
        accesses = sum(map(_accesses, flow.blocks.values()))
        self.few_accesses, self.many_accesses = accesses <= FEW_ACCESSES, accesses > MANY_ACCESSES
        self.exits: list[tuple[str, Return, Place]] = []  # label, code, where the wave goes on
        self.resume_points: dict[Place, int] = {}  # -> number
        self.places: dict[Place, None] = {}  # blocks that are wanted in another mode than the first
        self.modes = {mode}  # all that the code sets
        self.switches = ModeSwitches(self.queue, self._want)
        self.unsupported: list[str] = []

    def ir(self) -> str:
        """The whole module's text."""
        for block in self.flow.blocks.values():
            self._block(block, self.mode)
        made = 0
        self.switches.want(self.modes)
        while made < len(self.places):
            pc, mode = list(self.places)[made]
            self._block(self.flow.blocks[pc], mode)
            self.switches.want(self.modes)
            made += 1
        self.switches.emit()
        self._frame()
        head = module_ir.function_head(self.queue.scalars, self.resume_points.values())
        return "\n".join([*module_ir.module_head(self.b), *head, *self.b.lines, "}", ""])

    # -- blocks
    def _block(self, block: cfg.Block, mode: Mode) -> None:
        b, queue = self.b, self.queue
        b.start(self._want(block.pc, mode))
        b.mode = queue.mode = mode
        queue.scalars.forget()
        queue.inline_accesses = self.few_accesses or block.pc in self.loops
        queue.live_after = cfg.live_after(self.flow, block)
        queue.facts, state = self.facts.begin(block)
        queue.execute_mask = state.execute
        last = block.instructions[-1]
        for position, instruction in enumerate(block.instructions):
            try:
                if self._instruction(instruction, position):
                    break
            except UnsupportedInstruction as e:
                self.unsupported.append(str(e))
                self._stop(Return.UNSUPPORTED, instruction)
                break
            self._note(instruction, state)
        else:
            self._go_on(last.pc + last.size, backward=False)
        self.facts.end(block, queue.facts)

    def _note(self, instruction: Instruction, state: exec_bounds.State) -> None:
        """Keep what is known of lanes true after an instruction."""
        queue = self.queue
        if queue.run is None:  # it was translated at once
            if anything_written(instruction):
                queue.facts = {}
            queue.facts = forget(queue.facts, cfg.vgprs_written(instruction))
        self.facts.bounds.step(instruction, state)
        if cfg.writes_exec(instruction):
            queue.flush()
            queue.execute_mask = state.execute
            queue.facts = self.facts.valid(queue.facts, state)

    def _instruction(self, instruction: Instruction, position: int) -> bool:
        """Translate one instruction; True when control leaves the block here."""
        name, kind = instruction.name, instruction.opcode.klass
        if name in CONTROL or kind == "branch":
            return self._control(instruction)
        if name in hardware_registers.MODE_INSTRUCTIONS:
            return self._change_mode(instruction)
        if kind in NO_EFFECT or name in IGNORED:
            return False
        memory = memory_table.find(name)
        if memory is not None:
            self._access(instruction, position, memory)
        elif name in SINGLE:
            SINGLE[name](self.queue, instruction)
        elif kind == "smem":
            scalar_memory.access(self.queue, instruction)
        elif kind in ("mubuf", "mtbuf"):
            buffer_code.access(self.queue, instruction)
        elif kind == "salu":
            scalar_code.salu(self.queue, instruction)
        elif scalar_code.gives_scalar(instruction) and name in SEMANTICS:
            scalar_code.scalar_float(self.queue, instruction)
        elif kind in ("mfma", "wmma"):
            matrix_code.multiply(self.queue, instruction)
        elif "indexed" in instruction.fields:
            indexing.move(self.queue, instruction)
        elif supported(instruction):
            self.queue.add(instruction, position)
        else:
            raise UnsupportedInstruction(f"{name} at {instruction.pc:#x} is not implemented")
        return False

    def _access(self, instruction: Instruction, position: int, memory: memory_table.MemoryOp) -> None:
        """A vector memory instruction: lane by lane, as a call, or within the current run."""
        queue, space = self.queue, SPACES[instruction.format]
        if memory.to_lds:
            lds_dma.load(queue, instruction, memory)
            return
        inline = queue.inline_accesses or not self.many_accesses
        if memory.kind != "atomic" and (inline or not wave_access.possible(queue, instruction, space)):
            queue.add(instruction, position, memory, space)
            return
        queue.flush()
        self.b.at(instruction.pc)
        (atomics.atomic if memory.kind == "atomic" else wave_access.call)(queue, instruction, memory, space)
        self.b.at(None)

    def _change_mode(self, instruction: Instruction) -> bool:
        """MODE is assigned; True when only the run will tell what."""
        queue = self.queue
        assigned = hardware_registers.assignment(instruction)
        if assigned.value is None:
            queue.flush()
            self.switches.begin(instruction, assigned)
            return True
        hardware_code.assign_mode(queue, instruction, assigned)
        queue.mode = queue.mode.assigned(assigned.mask, assigned.value)
        self.modes.add(queue.mode)
        return False

    # -- control
    def _control(self, instruction: Instruction) -> bool:
        """Branches, ends and suspensions; False for those that do nothing here."""
        queue, name = self.queue, instruction.name
        after = instruction.pc + instruction.size
        if name in cfg.ENDS:
            queue.flush()
            self.b.emit("  ret i32 0")
        elif name in SUSPENSIONS:
            if name in SPLIT_BARRIERS and not means_workgroup(instruction):
                if instruction.dst:
                    queue.scalars.write_scc(self.b.const("i1", 0))
                return False
            self._suspend(SUSPENSIONS[name], after)
        elif name == "s_trap":
            if not cfg.is_trap(instruction):
                return False
            self._stop(Return.TRAP, instruction)
        elif name == "s_branch":
            target = instruction.branch_target
            assert target is not None
            self._go_on(target, target <= instruction.pc)
        elif name in CONDITIONS:
            self._branch(instruction, after)
        elif name in cfg.INDIRECT | cfg.CALLS:
            self._jump(instruction, after)
        else:
            raise UnsupportedInstruction(f"{name} at {instruction.pc:#x} is not implemented")
        return True

    def _go_on(self, pc: int, backward: bool) -> None:
        """End the block with a jump to ``pc``."""
        self.queue.flush()
        self.queue.scalars.save()
        self.b.emit(f"  br label %{self._edge(pc, backward)}")

    def _want(self, pc: int, mode: Mode) -> str:
        """Label of a block in a mode, which will be translated."""
        if pc not in self.flow.blocks:
            return "outside"
        if mode == self.mode:
            return f"pc{pc}"
        self.places[pc, mode] = None
        return f"pc{pc}.mode{mode.bits:x}"

    def _edge(self, pc: int, backward: bool) -> str:
        """Label to jump to; back edges go through a countdown that yields the wave when it is spent."""
        label = self._want(pc, self.queue.mode)
        if not backward or label == "outside":
            return label
        self._resume_point(pc)
        return f"back.{label}"

    def _resume_point(self, pc: int) -> int:
        place = (pc, self.queue.mode)
        self._want(*place)
        return self.resume_points.setdefault(place, len(self.resume_points) + 1)

    def _branch(self, instruction: Instruction, after: int) -> None:
        queue = self.queue
        target = instruction.branch_target
        assert target is not None
        queue.flush()
        condition = CONDITIONS[instruction.name](queue)
        queue.scalars.save()
        taken = self._edge(target, target <= instruction.pc)
        self.b.emit(f"  br i1 {condition.data}, label %{taken}, label %{self._edge(after, False)}")

    def _jump(self, instruction: Instruction, after: int) -> None:
        """Calls and jumps through registers: a switch over every place they may go to."""
        queue, b, name = self.queue, self.b, instruction.name
        queue.flush()
        target = None if name == "s_call_b64" else queue.scalars.read64(instruction.src[0].index)
        if name in cfg.CALLS:
            scalar_code.write_scalar(queue, instruction.dst[0], scalar_code.code_address(queue, after))
        if target is None:
            direct = instruction.branch_target
            assert direct is not None
            self._go_on(direct, True)
            return
        base = b.load("i64", b.offset("%w", OFFSETS["code_base"]), 8)
        pc = target - base
        queue.scalars.save()
        cases = " ".join(f"i64 {t}, label %{self._edge(t, True)}" for t in self.flow.indirect_targets)
        b.emit(f"  switch i64 {pc.data}, label %outside [ {cases} ]")

    def _suspend(self, code: Return, after: int) -> None:
        """Return to the scheduler, to go on at ``after``."""
        self.queue.flush()
        self.queue.scalars.save()
        self.exits.append((f"exit{len(self.exits)}", code, (after, self.queue.mode)))
        self._resume_point(after)
        self.b.emit(f"  br label %{self.exits[-1][0]}")

    def _stop(self, code: Return, instruction: Instruction) -> None:
        b = self.b
        self.queue.flush()
        b.store(b.const("i64", instruction.pc), b.offset("%w", OFFSETS["pc"]), 8)
        trap = instruction.fields.get("simm16", 0) & 0xFF
        b.store(b.const("i32", trap), b.offset("%w", OFFSETS["trap"]), 4)
        b.emit(f"  ret i32 {code.value}")

    # -- the function around the blocks
    def _frame(self) -> None:
        """Ways into the blocks and out of the function, each moving only the registers that live there."""
        b, begin = self.b, (self.flow.entry, self.mode)
        for label, place in (("enter", begin), *((f"enter{n}", p) for p, n in self.resume_points.items())):
            b.start(label)
            self.queue.scalars.fill(self._live(place[0]))
            b.emit(f"  br label %{self._want(*place)}")
        for place, n in self.resume_points.items():
            if place[0] in self.flow.blocks:
                b.lines += module_ir.back_edge(n, self._want(*place))
                self.exits.append((f"spent{n}", Return.YIELD, place))
        for label, code, place in self.exits:
            b.start(label)
            self.queue.scalars.spill(self._live(place[0]))
            b.emit(f"  store i64 {place[0]}, ptr %pc.p, align 8")  # for whoever asks where the wave stands
            b.emit(f"  store i64 {self.resume_points[place]}, ptr %resume.p, align 8")
            b.emit(f"  ret i32 {code.value}")
        b.start("outside")
        b.emit(f"  ret i32 {Return.UNSUPPORTED.value}")

    def _live(self, pc: int) -> set[int]:
        """Scalar registers that are read from ``pc`` on."""
        block = self.flow.blocks.get(pc)
        return block.scalars_in if block is not None else set()


SPLIT_BARRIERS = {
    "s_barrier_signal": Return.SIGNAL,
    "s_barrier_signal_isfirst": Return.SIGNAL_FIRST,
    "s_barrier_wait": Return.WAIT,
}
SUSPENSIONS = {
    "s_barrier": Return.BARRIER, "s_sleep": Return.YIELD, "s_sleep_var": Return.YIELD, **SPLIT_BARRIERS,
}  # fmt: skip
CONTROL = {"s_trap", *cfg.ENDS, *SUSPENSIONS, *cfg.INDIRECT, *cfg.CALLS}
SINGLE: dict[str, Callable[[RunQueue, Instruction], None]] = {
    "ds_permute_b32": atomics.permute,
    "s_get_barrier_state": scalar_code.barrier_state,
    "s_getpc_b64": scalar_code.program_counter,
    "s_getreg_b32": hardware_code.hardware_register,
    "s_memrealtime": hardware_code.constant_clock,
    "s_memtime": hardware_code.cycle_counter,
    **dict.fromkeys(("s_sendmsg_rtn_b32", "s_sendmsg_rtn_b64"), hardware_code.message_with_answer),
    **lds_code.LDS_INSTRUCTIONS,
    **relative_code.RELATIVE,
    **vector_relative.RELATIVE,
    **exchange_code.EXCHANGES,
    **dict.fromkeys(("v_readlane_b32", "v_readfirstlane_b32", "v_writelane_b32"), scalar_code.scalar_lane),
    **dict.fromkeys(indexing.MODE_INSTRUCTIONS, indexing.set_mode),
}
SPACES = {"GLOBAL": "global", "FLAT": "flat", "SCRATCH": "scratch", "DS": "lds"}


def _accesses(block: cfg.Block) -> int:
    return sum(instruction.format in SPACES for instruction in block.instructions)


def translate(
    flow: cfg.ControlFlow,
    target: Target,
    uses_scratch: bool,
    two_versions: bool,
    entry_facts: Facts | None = None,
    mode: Mode | None = None,
) -> tuple[str, list[str]]:
    """IR text of the kernel, and what in it is not supported: reaching that ends the wave as UNSUPPORTED."""
    first = mode or Mode.default(target.generation)
    translation = Translation(flow, target, uses_scratch, two_versions, entry_facts or {}, first)
    return translation.ir(), translation.unsupported
