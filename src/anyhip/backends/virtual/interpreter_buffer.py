"""Buffer instructions in the reference interpreter, a lane at a time."""

from __future__ import annotations

__all__ = ["buffer_memory"]

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anyhip.backends.virtual.interpreter_memory import Access, Memory, Place, transfer
from anyhip.backends.virtual.interpreter_state import Wave
from anyhip.backends.virtual.layout import WAVE_LANES
from anyhip.backends.virtual.semantics import buffer, formats
from anyhip.backends.virtual.semantics.formats import Number
from anyhip.backends.virtual.value import Value
from anyhip.isa.decode import Instruction, Operand


@dataclass
class _Checked:
    """Memory of which a lane's access may see only some dwords: the others are read as 0 and not written."""

    memory: Memory
    inside: list[bool]  # by the dword of the access

    def read(self, address: int, size: int) -> bytes:
        """What is inside of ``size`` bytes."""
        step = min(4, size)
        data = (
            self.memory.read(address + at, step) if self.inside[at // 4] else bytes(step)
            for at in range(0, size, step)
        )
        return b"".join(data)

    def write(self, address: int, data: bytes) -> None:
        """Store what is inside."""
        for at in range(0, len(data), 4):
            if self.inside[at // 4]:
                self.memory.write(address + at, data[at : at + 4])


def buffer_memory(wave: Wave, instruction: Instruction) -> None:
    """Loads, stores and atomics through a resource descriptor, untyped and typed."""
    b, operands = wave.builder, buffer.operands(instruction)
    first = operands["srsrc"].index
    words = [b.value("i32", wave.sgpr[first + i]) for i in range(4)]
    vaddr = operands["vaddr"]
    address = [] if vaddr.name == "off" else _registers(wave, vaddr)
    scalar = wave.source(operands["soffset"])
    assert isinstance(scalar, Value)
    descriptor, access = buffer.access(b, instruction, words, address, scalar, b.lane_id())
    operation = buffer.memory_op(instruction)
    if operation is None:
        _typed(wave, instruction, descriptor, access)
        return
    dwords = max(1, operation.bits * operation.units // 32)
    steps = range(1 if operation.kind == "atomic" else dwords)
    size = operation.bits // 8
    inside = [_each(access.in_range(4 * i, size)) for i in steps] * (dwords // len(steps))
    addresses = _each(access.address)
    lanes = [lane for lane in range(WAVE_LANES) if wave.exec >> lane & 1]
    places: dict[int, Place] = {
        lane: (_Checked(wave.group.memory, [bool(i[lane]) for i in inside]), int(addresses[lane]))
        for lane in lanes
    }
    if instruction.fields.get("lds", 0):
        operation = replace(operation, to_lds=True)
    transfer(Access(wave, instruction, operation, operands, [places]))


def _registers(wave: Wave, operand: Operand) -> list[Value]:
    return [wave.builder.value("i32", wave.row(operand, i).copy()) for i in range(operand.count)]


def _each(value: Value) -> Any:
    return np.broadcast_to(value.data, WAVE_LANES)


# -- typed
def _typed(wave: Wave, instruction: Instruction, descriptor: buffer.Typed, access: buffer.Checked) -> None:
    data, number = buffer.element_format(instruction, descriptor)
    size = formats.BYTES[data if isinstance(data, int) else int(data.data)]
    inside = _each(access.in_range(0, size)) & wave.active
    places = [(int(lane), int(_each(access.address)[lane])) for lane in np.flatnonzero(inside)]
    if "_store_" in instruction.name:
        _store(wave, instruction, descriptor, places, size, data, number)
    else:
        _load(wave, instruction, descriptor, places, size, data, number)


def _load(
    wave: Wave, instruction: Instruction, descriptor: buffer.Typed, places: list[tuple[int, int]],
    size: int, data: Number, number: Number,
) -> None:  # fmt: skip
    b = wave.builder
    elements = np.zeros((WAVE_LANES, 16), np.uint8)
    for lane, address in places:
        elements[lane, :size] = np.frombuffer(wave.group.memory.read(address, size), np.uint8)
    words = [b.value("i32", column) for column in elements.view(np.uint32).T]
    values = formats.unpack(b, words, data, number)
    if instruction.format == "MUBUF":
        values = formats.select(b, values, descriptor.selects, number)
    values = values[: buffer.components(instruction)]
    rows = buffer.registers_of(
        b, instruction, values, number, lambda: _registers(wave, instruction.dst[0])[0]
    )
    for i, row in enumerate(rows):
        wave.write_row(instruction.dst[0], i, row.data, wave.active)


def _store(
    wave: Wave, instruction: Instruction, descriptor: buffer.Typed, places: list[tuple[int, int]],
    size: int, data: Number, number: Number,
) -> None:  # fmt: skip
    b = wave.builder
    registers = _registers(wave, buffer.operands(instruction)["vdata"])
    values = buffer.components_of(b, instruction, registers, number)
    if instruction.format == "MUBUF":
        values = formats.select_back(b, values, descriptor.selects)
    words = formats.pack(b, values, data, number)
    element = np.array([_each(word) for word in words], np.uint32).T.copy().view(np.uint8)
    for lane, address in places:
        wave.group.memory.write(address, element[lane, :size].tobytes())
