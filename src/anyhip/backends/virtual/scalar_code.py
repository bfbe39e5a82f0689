"""Scalar instructions: ALU on SGPRs, scalar memory, hardware registers, lanes moved to and from scalars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyhip.backends.virtual.layout import OFFSETS, PRIVATE_APERTURE, SHARED_APERTURE, VGPR_BYTES
from anyhip.backends.virtual.llvm_builder import LlvmBuilder
from anyhip.backends.virtual.scalars import EXEC, VCC, Scalars
from anyhip.backends.virtual.semantics import SEMANTICS
from anyhip.backends.virtual.semantics.barriers import means_workgroup
from anyhip.backends.virtual.semantics.modifiers import apply_output_modifiers, apply_source_modifiers
from anyhip.backends.virtual.value import BITS, Value, element_type
from anyhip.errors import UnsupportedInstruction

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.isa.decode import Instruction, Operand

__all__ = [
    "code_address",
    "constant_clock",
    "cycle_counter",
    "gives_scalar",
    "hardware_register",
    "program_counter",
    "read_scalar",
    "salu",
    "scalar_float",
    "scalar_lane",
    "set_hardware_register",
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
    result = SEMANTICS[instruction.name](b, value)
    result = apply_output_modifiers(b, result, bool(fields.get("clamp", 0)), fields.get("omod", 0))
    write_scalar(queue, instruction.dst[0], result)


def salu(queue: RunQueue, instruction: Instruction) -> None:
    """A scalar ALU instruction, by the meaning that its name has."""
    function = SEMANTICS.get(instruction.name)
    if function is None:
        raise UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} is not implemented")
    sources = [read_scalar(queue, operand) for operand in instruction.src]
    result = function(queue.b, *sources)
    results = result if isinstance(result, tuple) else (result,)
    for operand, value in zip(instruction.dst, results, strict=True):
        write_scalar(queue, operand, value)


# -- hardware registers and clocks
# HW_REG numbers -> wave state (CDNA3 ISA, "Hardware Registers")
_READABLE = {1: "mode", 4: "hw_id", 20: "xcc_id"}


def hardware_register(queue: RunQueue, instruction: Instruction) -> None:
    """s_getreg_b32: ``size`` bits from ``offset`` of a hardware register."""
    simm = instruction.fields["simm16"]
    number, offset, size = simm & 63, simm >> 6 & 31, (simm >> 11 & 31) + 1
    b = queue.b
    if number not in _READABLE:
        raise UnsupportedInstruction(
            f"s_getreg_b32 of hardware register {number} at {instruction.pc:#x} is not implemented"
        )
    value = b.load("i32", b.offset("%w", OFFSETS[_READABLE[number]]), 4)
    value = (value >> offset) & ((1 << size) - 1)
    write_scalar(queue, instruction.dst[0], value)


def cycle_counter(queue: RunQueue, instruction: Instruction) -> None:
    """s_memtime: the host's time-stamp counter."""
    b = queue.b
    b.intrinsic("llvm.readcyclecounter", "i64", "")
    value = b.uniform("i64", b.let("call i64 @llvm.readcyclecounter()"))
    write_scalar(queue, instruction.dst[0], value)


def constant_clock(queue: RunQueue, instruction: Instruction) -> None:
    """s_memrealtime: 100 MHz, from the engine."""
    b = queue.b
    function = b.load("ptr", b.offset("%w", OFFSETS["clock"]), 8).data
    write_scalar(queue, instruction.dst[0], b.uniform("i64", b.let(f"call i64 {function}()")))


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
    b = queue.b
    function = b.load("ptr", b.offset("%w", OFFSETS["clock"]), 8).data
    value = b.uniform("i64", b.let(f"call i64 {function}()"))
    target = instruction.dst[0]
    write_scalar(queue, target, value if target.count == 2 else value.trunc("i32"))


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


# what MODE must keep for translated arithmetic to be right: rounding to nearest, denormals, DX10_CLAMP, IEEE,
# no exceptions, no FP16_OVFL (CDNA3 ISA, "Mode Register")
_MODE, _MODE_USED, _MODE_DEFAULT = 1, 0x0087_F3FF, 0x3F0


def set_hardware_register(queue: RunQueue, instruction: Instruction) -> None:
    """s_setreg_*: of MODE, and only to what arithmetic has anyway.

    Raises:
        UnsupportedInstruction: another register, another mode, or a mode known only when the kernel runs.
    """
    simm = instruction.fields["simm16"]
    number, offset, size = simm & 63, simm >> 6 & 31, (simm >> 11 & 31) + 1
    mask = ((1 << size) - 1 << offset) & 0xFFFFFFFF
    source = instruction.src[-1]
    known = source.value << offset if source.kind == "const" else None
    used = mask & _MODE_USED
    if number != _MODE or (used and (known is None or (known ^ _MODE_DEFAULT) & used)):
        raise UnsupportedInstruction(
            f"{instruction.name} of hardware register {number} at {instruction.pc:#x} is not implemented "
            "for this value"
        )
    b = queue.b
    place = b.offset("%w", OFFSETS["mode"])
    value = read_scalar(queue, source).int_bits() << offset
    b.store((b.load("i32", place, 4) & ~mask) | (value & mask), place, 4)


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
