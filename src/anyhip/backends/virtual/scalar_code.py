"""Scalar instructions: ALU on SGPRs, lanes moved to and from scalars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyhip.backends.virtual.layout import OFFSETS, PRIVATE_APERTURE, SHARED_APERTURE, VGPR_BYTES
from anyhip.backends.virtual.llvm_builder import LlvmBuilder
from anyhip.backends.virtual.scalars import EXEC, VCC, Scalars
from anyhip.backends.virtual.semantics import SEMANTICS
from anyhip.backends.virtual.semantics.arithmetic import evaluate
from anyhip.backends.virtual.semantics.barriers import means_workgroup
from anyhip.backends.virtual.semantics.modifiers import apply_output_modifiers, apply_source_modifiers
from anyhip.backends.virtual.value import BITS, Value, element_type
from anyhip.errors import UnsupportedInstruction

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.isa.decode import Instruction, Operand

__all__ = [
    "code_address",
    "gives_scalar",
    "program_counter",
    "read_scalar",
    "salu",
    "scalar_float",
    "scalar_lane",
    "special_source",
    "write_scalar",
]

_APERTURES = {
    "shared_base": SHARED_APERTURE << 32, "shared_limit": (SHARED_APERTURE << 32) + 0xFFFFFFFF,
    "private_base": PRIVATE_APERTURE << 32, "private_limit": (PRIVATE_APERTURE << 32) + 0xFFFFFFFF,
}  # fmt: skip


def special_source(b: LlvmBuilder, scalars: Scalars, operand: Operand) -> Value:
    """A named source of the hardware (CDNA3 ISA, "Scalar Operands")."""
    name = operand.name
    if name == "scc":
        bit = scalars.read_scc()
    elif name in ("vccz", "execz"):
        bit = scalars.read64(VCC if name == "vccz" else EXEC).eq(0)
    elif name == "null":
        kind = element_type(operand.type)
        whole = operand.type == "mask" or (operand.count == 2 and BITS[kind] < 64)
        return b.const(f"i{32 * operand.count}", 0) if whole else b.raw(kind, 0)
    elif name in _APERTURES:
        # as a 32-bit operand the low dword is meaningless and hardware gives the high one
        value = _APERTURES[name]
        return b.const("i64", value) if operand.count == 2 else b.const("i32", value >> 32)
    else:
        raise UnsupportedInstruction(f"the source operand {name} is not implemented")
    kind = element_type(operand.type)
    return bit if kind == "i1" else bit.zext("i64" if operand.count == 2 else "i32")


def read_scalar(queue: RunQueue, operand: Operand) -> Value:
    """A scalar operand of a scalar instruction; lane masks are integers here."""
    from anyhip.backends.virtual.run import constant

    scalars, b = queue.scalars, queue.b
    if operand.kind == "special":
        return special_source(b, scalars, operand)
    if operand.kind == "const":
        if operand.type == "mask":
            return b.const("i64" if queue.wave_size == 64 else "i32", operand.value)
        return constant(b, operand)
    if operand.count == 2:
        return scalars.read64(operand.index).bitcast(_scalar_type(operand, "i64"))
    kind = _scalar_type(operand, "i32")
    raw = scalars.read32(operand.index)
    return (raw.trunc(f"i{BITS[kind]}") if BITS[kind] < 32 else raw).bitcast(kind)


def _scalar_type(operand: Operand, raw: str) -> str:
    return raw if operand.type == "mask" else element_type(operand.type)


def write_scalar(queue: RunQueue, operand: Operand, value: Value) -> None:
    """Assign a scalar destination; a change of EXEC ends the current run."""
    scalars = queue.scalars
    if operand.kind == "special" and operand.name == "scc":
        scalars.write_scc(value)
        return
    if operand.index & ~1 == EXEC:
        queue.flush()
    raw = value.int_bits()
    if operand.count == 2:
        scalars.write64(operand.index, raw)
    else:
        scalars.write32(operand.index, raw.zext("i32") if raw.bits < 32 else raw)


def gives_scalar(instruction: Instruction) -> bool:
    """A vector-unit instruction on scalars whose result is one scalar, such as v_s_exp_f32 of gfx12."""
    if instruction.opcode.klass not in ("valu", "trans") or not instruction.dst:
        return False
    return instruction.dst[0].kind == "s" and instruction.dst[0].type != "mask"


def scalar_float(queue: RunQueue, instruction: Instruction) -> None:
    """A vector-unit instruction on one scalar, with the modifiers that such instructions have."""
    fields, b = instruction.fields, queue.b
    operand = instruction.src[0]
    value = read_scalar(queue, operand)
    if value.bits == 16 and fields.get("op_sel", 0) & 1 and operand.kind == "s":
        value = (queue.scalars.read32(operand.index) >> 16).trunc("i16").bitcast(value.type)
    value = apply_source_modifiers(b, value, bool(fields.get("neg", 0) & 1), bool(fields.get("abs", 0) & 1))
    result = evaluate(b, instruction.name, SEMANTICS[instruction.name], [value])
    result = apply_output_modifiers(b, result, bool(fields.get("clamp", 0)), fields.get("omod", 0))
    write_scalar(queue, instruction.dst[0], result)


def salu(queue: RunQueue, instruction: Instruction) -> None:
    """A scalar ALU instruction, by the meaning that its name has."""
    function = SEMANTICS.get(instruction.name)
    if function is None:
        raise UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} is not implemented")
    sources: list[Value | tuple[Value, ...]] = [read_scalar(queue, operand) for operand in instruction.src]
    result = evaluate(queue.b, instruction.name, function, sources)
    results = result if isinstance(result, tuple) else (result,)
    for operand, value in zip(instruction.dst, results, strict=True):
        write_scalar(queue, operand, value)


# -- code addresses
def code_address(queue: RunQueue, vaddr: int) -> Value:
    """Where the code object's ``vaddr`` was loaded."""
    return queue.b.load("i64", queue.b.offset("%w", OFFSETS["code_base"]), 8) + vaddr


def program_counter(queue: RunQueue, instruction: Instruction) -> None:
    """s_getpc_b64: the address of the next instruction."""
    write_scalar(queue, instruction.dst[0], code_address(queue, instruction.pc + instruction.size))


def barrier_state(queue: RunQueue, instruction: Instruction) -> None:
    """s_get_barrier_state: what the engine left before it let the wave run."""
    b, state = queue.b, queue.b.const("i32", 0)
    if means_workgroup(instruction):
        state = b.load("i32", b.offset("%w", OFFSETS["barrier"]), 4)
    queue.scalars.write32(instruction.dst[0].index, state)


# -- between lanes and scalars
def scalar_lane(queue: RunQueue, instruction: Instruction) -> None:
    """v_readlane, v_readfirstlane and v_writelane; they ignore EXEC but for the choice of the first lane."""
    b, name = queue.b, instruction.name
    register = instruction.dst[0] if name == "v_writelane_b32" else instruction.src[0]
    if register.kind not in "va":  # reading a "lane" of a scalar
        write_scalar(queue, instruction.dst[0], read_scalar(queue, register))
        return
    run = queue.run
    touched = run is not None and (
        register.index in run.writes or (name == "v_writelane_b32" and register.index in run.reads)
    )
    if touched:
        queue.flush()
    row = b.offset("%vgprs", register.index * VGPR_BYTES)
    if name == "v_readfirstlane_b32":
        mask = queue.scalars.read64(EXEC) if queue.wave_size == 64 else queue.scalars.read32(EXEC).zext("i64")
        lane = mask.unary("cttz").trunc("i32") & (queue.wave_size - 1)
    else:
        lane = read_scalar(queue, instruction.src[1]) & (queue.wave_size - 1)
    index = lane.zext("i64")
    pointer = b.let(f"getelementptr i32, ptr {row}, i64 {index.data}")
    if name == "v_writelane_b32":
        b.store(read_scalar(queue, instruction.src[0]), pointer, 4)
    else:
        write_scalar(queue, instruction.dst[0], b.load("i32", pointer, 4))
