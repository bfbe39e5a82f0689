"""The reference interpreter: runs a kernel of a code object instruction by instruction, on NumPy.

It shares with the translator only the meaning of instructions (``semantics``), and is slow and simple: the
judge of what translated code should have done. Facts of the initial wave state: LLVM AMDGPUUsage, "Initial
Kernel Execution State" and "Kernel Descriptor".
"""

from __future__ import annotations

__all__ = ["Image", "execute", "load", "run"]

import ctypes
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from anyhip.backends.virtual import mode
from anyhip.backends.virtual.interpreter_arguments import complete
from anyhip.backends.virtual.interpreter_buffer import buffer_memory
from anyhip.backends.virtual.interpreter_hardware import HARDWARE, leave_barriers
from anyhip.backends.virtual.interpreter_lds import LDS_INSTRUCTIONS
from anyhip.backends.virtual.interpreter_matrix import matrix_multiply
from anyhip.backends.virtual.interpreter_memory import HostMemory, Memory, vector_memory
from anyhip.backends.virtual.interpreter_relative import RELATIVE
from anyhip.backends.virtual.interpreter_scalar_memory import scalar_memory
from anyhip.backends.virtual.interpreter_state import Group, Wave
from anyhip.backends.virtual.interpreter_vector import LANE_INSTRUCTIONS, vector
from anyhip.backends.virtual.layout import WAVE_LANES
from anyhip.backends.virtual.semantics import SEMANTICS, canonical, load_all
from anyhip.backends.virtual.semantics.arithmetic import evaluate
from anyhip.codeobj.codeobject import CodeObject, KernelInfo
from anyhip.errors import CodeObjectError, DeviceFault, UnsupportedInstruction
from anyhip.isa.decode import Instruction, decode
from anyhip.isa.registers import EXEC, VCC

Dim3 = tuple[int, int, int]
TURN = 20_000  # instructions that a wave runs before the others get their turn
RESIDENT = 64  # workgroups kept going while others spin
_ABS64, _RELATIVE64 = 3, 13
_TTMP = 108  # the first of the trap handler's SGPRs, where gfx12 puts workgroup ids
_PAUSES = ("s_sleep", "s_sleep_var")


@dataclass
class Image:
    """A code object in memory: vaddr 0 lies at ``base``."""

    base: int
    memory: object  # keeps the bytes alive

    def address(self, vaddr: int) -> int:
        """Host address of a symbol's value."""
        return self.base + vaddr


def load(code: CodeObject) -> Image:
    """Put a code object's segments into memory and relocate them.

    Raises:
        CodeObjectError: a relocation that this loader does not know, or of an undefined symbol.
    """
    size = max((s.vaddr + s.memsz for s in code.segments), default=0)
    buffer = ctypes.create_string_buffer(size + 4096)
    base = (ctypes.addressof(buffer) + 4095) & ~4095
    for segment in code.segments:
        ctypes.memmove(base + segment.vaddr, segment.data, len(segment.data))
    for relocation in code.relocations:
        if relocation.type == _RELATIVE64:
            value = base + relocation.addend
        elif relocation.type == _ABS64 and relocation.symbol in code.symbols:
            value = base + code.symbols[relocation.symbol].value + relocation.addend
        else:
            raise CodeObjectError(f"relocation {relocation.type} of {relocation.symbol!r} cannot be resolved")
        ctypes.memmove(base + relocation.offset, value.to_bytes(8, "little"), 8)
    return Image(base, buffer)


def run(
    code: CodeObject,
    kernel: str,
    grid: Dim3,
    block: Dim3,
    kernarg: bytes,
    *,
    shared: int = 0,
    memory: Memory | None = None,
    image: Image | None = None,
) -> None:
    """Run a kernel to its end.

    Args:
        kernel: its name in the code object.
        grid: workgroups in x, y, z.
        block: work-items of a workgroup.
        kernarg: the explicit arguments' bytes, or the whole segment; missing hidden arguments are filled in.
        shared: bytes of dynamic LDS.
        memory: global memory; the host's own by default.
        image: where the code object was loaded, for kernels that use its variables; loaded here by default.

    Raises:
        UnsupportedInstruction: an instruction without meaning here, by name and pc.
        DeviceFault: the kernel trapped.
    """
    load_all()
    Dispatch(
        code, code.kernels[kernel], grid, block, kernarg, shared, memory or HostMemory(), image or load(code)
    ).run()


class Dispatch:
    """One launch; the arguments are those of :func:`run`."""

    def __init__(
        self,
        code: CodeObject,
        kernel: KernelInfo,
        grid: Dim3,
        block: Dim3,
        kernarg: bytes,
        shared: int,
        memory: Memory,
        image: Image,
    ) -> None:
        self.code, self.kernel, self.grid, self.block = code, kernel, grid, block
        self.memory, self.image = memory, image
        self.lds_bytes = kernel.descriptor.group_segment_size + shared
        segment = complete(kernel, kernarg, grid, block, shared)
        self._kernarg = ctypes.create_string_buffer(segment, len(segment) + 64)
        self.kernarg_address = (ctypes.addressof(self._kernarg) + 63) & ~63
        ctypes.memmove(self.kernarg_address, segment, len(segment))
        self.preload = segment
        self.wave_size = 32 if kernel.descriptor.wavefront_size32 else 64
        self.target = code.target_of(self.kernel)
        self.instructions: dict[int, Instruction] = {}

    def run(self) -> None:
        """Every workgroup; one that only spins makes room for further ones."""
        pending = ((x, y, z) for z, y, x in product(*(range(n) for n in reversed(self.grid))))
        resident: deque[Group] = deque()
        while True:
            spinning = len(resident)
            if not spinning or spinning < RESIDENT:
                following = next(pending, None)
                if following is not None:
                    resident.append(self._group(following))
            if not resident:
                return
            group = resident.popleft()
            if self._advance(group):
                resident.append(group)

    # -- initial state
    def _group(self, index: Dim3) -> Group:
        group = Group(self.memory, bytearray(self.lds_bytes), self.image.base)
        items = self.block[0] * self.block[1] * self.block[2]
        group.waves = [self._wave(group, index, first, items) for first in range(0, items, self.wave_size)]
        return group

    def _wave(self, group: Group, index: Dim3, first: int, items: int) -> Wave:
        scratch = 16384 if self.kernel.uses_dynamic_stack else self.kernel.descriptor.private_segment_size
        wave = Wave(group, self.kernel.entry, scratch, self.wave_size, self.target.generation)
        wave.set_mode(mode.initial(self.kernel.descriptor.rsrc1, self.target.generation))
        self._scalars(wave, index)
        self._work_items(wave, first)
        wave.write_mask(EXEC, (1 << min(self.wave_size, items - first)) - 1)
        return wave

    def _scalars(self, wave: Wave, index: Dim3) -> None:
        d = self.kernel.descriptor
        user: list[int] = []
        if d.enable_sgpr_private_segment_buffer:
            user += [0, 0, 0, 0]
        for enabled, value in (
            (d.enable_sgpr_dispatch_ptr, 0),
            (d.enable_sgpr_queue_ptr, 0),
            (d.enable_sgpr_kernarg_segment_ptr, self.kernarg_address),
            (d.enable_sgpr_dispatch_id, 0),
            (d.enable_sgpr_flat_scratch_init, 0),
        ):
            if enabled:
                user += [value & 0xFFFFFFFF, value >> 32]
        if d.enable_sgpr_private_segment_size:
            user.append(d.private_segment_size)
        for i in range(d.kernarg_preload_length):
            at = 4 * (d.kernarg_preload_offset + i)
            user.append(int.from_bytes(self.preload[at : at + 4], "little"))
        wave.sgpr[: len(user)] = user
        system = [n for n, on in zip(index, _group_ids_enabled(self.kernel), strict=True) if on]
        if self.target.generation == "gfx1201":
            wave.sgpr[_TTMP + 9], wave.sgpr[_TTMP + 7] = index[0], index[1] | index[2] << 16
        else:
            wave.sgpr[d.user_sgprs : d.user_sgprs + len(system)] = system

    def _work_items(self, wave: Wave, first: int) -> None:
        """Work-item ids: packed 10 bits each into v0, on gfx10 in v0 to v2."""
        flat = first + np.arange(WAVE_LANES)
        x, y, z = (
            flat % self.block[0],
            flat // self.block[0] % self.block[1],
            flat // (self.block[0] * self.block[1]),
        )
        wanted = self.kernel.descriptor.workitem_id_dims
        if self.target.generation == "gfx1030":
            for i, ids in enumerate((x, y, z)[: wanted + 1]):
                wave.vector["v"][i] = ids
            return
        wave.vector["v"][0] = x | (y << 10 if wanted > 0 else 0) | (z << 20 if wanted > 1 else 0)

    # -- execution
    def _advance(self, group: Group) -> bool:
        """Run every wave until it waits, yields or ends; whether any is left."""
        for wave in group.waves:
            if not wave.waiting and not wave.ended:
                self._turn(wave)
        leave_barriers(group)
        return not all(wave.ended for wave in group.waves)

    def _turn(self, wave: Wave) -> None:
        for _ in range(TURN):
            instruction = self._fetch(wave.pc)
            wave.pc += instruction.size
            self._execute(wave, instruction)
            if wave.ended or wave.waiting or instruction.name in _PAUSES:
                return

    def _fetch(self, pc: int) -> Instruction:
        known = self.instructions.get(pc)
        if known is None:
            for segment in self.code.segments:
                if segment.vaddr <= pc < segment.vaddr + len(segment.data):
                    known = decode(segment.data, pc, pc - segment.vaddr, self.target)
                    for part in (known, *known.parts):
                        part.name = canonical(part.opcode)
                    self.instructions[pc] = known
                    return known
            raise DeviceFault(
                "hipErrorLaunchFailure", f"{self.kernel.name}: the program counter {pc:#x} left the code"
            )
        return known

    def _execute(self, wave: Wave, instruction: Instruction) -> None:
        if instruction.opcode.klass == "trap":
            self._trap(instruction)
        execute(wave, instruction)

    def _trap(self, instruction: Instruction) -> None:
        number = instruction.fields["simm16"] & 0xFF
        if number == 2:
            raise DeviceFault("hipErrorLaunchFailure", f"{self.kernel.name} trapped at {instruction.pc:#x}")


def execute(wave: Wave, instruction: Instruction) -> None:
    """Carry out one instruction; the program counter already stands behind it.

    Raises:
        UnsupportedInstruction: naming it.
    """
    handler = CONTROL.get(instruction.name) or _HANDLERS.get(instruction.opcode.klass)
    if handler is None:
        raise UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} is not implemented")
    handler(wave, instruction)


def _group_ids_enabled(kernel: KernelInfo) -> tuple[bool, bool, bool]:
    d = kernel.descriptor
    return d.enable_sgpr_workgroup_id_x, d.enable_sgpr_workgroup_id_y, d.enable_sgpr_workgroup_id_z


# -- scalar ALU and control flow
def _scalar(wave: Wave, instruction: Instruction) -> None:
    function = SEMANTICS.get(instruction.name)
    if function is None:
        raise UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} is not implemented")
    sources = [wave.source(operand, scalar=True) for operand in instruction.src]
    result = evaluate(wave.builder, instruction.name, function, sources)
    results = result if isinstance(result, tuple) else (result,)
    for operand, value in zip(instruction.dst, results, strict=True):
        wave.write_scalar(operand, value)


def _nothing(wave: Wave, instruction: Instruction) -> None:
    """Waits, cache and message instructions have no effect here."""


def _vector_or_lane(wave: Wave, instruction: Instruction) -> None:
    LANE_INSTRUCTIONS.get(instruction.name, vector)(wave, instruction)


_CONDITIONS: dict[str, Callable[[Wave], bool]] = {
    "s_branch": lambda w: True,
    "s_cbranch_scc0": lambda w: not w.scc,
    "s_cbranch_scc1": lambda w: w.scc,
    "s_cbranch_vccz": lambda w: w.read_mask(VCC) == 0,
    "s_cbranch_vccnz": lambda w: w.read_mask(VCC) != 0,
    "s_cbranch_execz": lambda w: w.exec == 0,
    "s_cbranch_execnz": lambda w: w.exec != 0,
    **{f"s_cbranch_cdbg{what}": lambda w: False for what in ("sys", "user", "sys_or_user", "sys_and_user")},
}  # no debugger is ever attached


def _branch(wave: Wave, instruction: Instruction) -> None:
    condition = _CONDITIONS.get(instruction.name)
    if condition is None:
        raise UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} is not implemented")
    if condition(wave):
        assert instruction.branch_target is not None
        wave.pc = instruction.branch_target


def _return_address(wave: Wave, instruction: Instruction) -> None:
    wave.write64(instruction.dst[0].index, wave.group.code_base + instruction.pc + instruction.size)


def _jump(wave: Wave, instruction: Instruction) -> None:
    """s_setpc, s_swappc: the target is an address in memory."""
    target = wave.read64(instruction.src[0].index)
    if instruction.dst:
        _return_address(wave, instruction)
    wave.pc = target - wave.group.code_base


def _call(wave: Wave, instruction: Instruction) -> None:
    _return_address(wave, instruction)
    assert instruction.branch_target is not None
    wave.pc = instruction.branch_target


def _end(wave: Wave, instruction: Instruction) -> None:
    wave.ended = True


CONTROL: dict[str, Callable[[Wave, Instruction], None]] = {
    "s_getpc_b64": _return_address, "s_setpc_b64": _jump, "s_swappc_b64": _jump, "s_call_b64": _call,
    **HARDWARE, **LDS_INSTRUCTIONS, **RELATIVE,
}  # fmt: skip
_HANDLERS: dict[str, Callable[[Wave, Instruction], None]] = {
    "salu": _scalar, "valu": vector, "trans": vector, "vcmp": vector, "lane": _vector_or_lane,
    "branch": _branch, "end": _end,
    "mfma": matrix_multiply, "wmma": matrix_multiply, "mubuf": buffer_memory, "mtbuf": buffer_memory,
    "smem": scalar_memory, "lds": vector_memory, "flat": vector_memory,
    "wait": _nothing, "cache": _nothing, "nop": _nothing, "message": _nothing, "trap": _nothing,
}  # fmt: skip
