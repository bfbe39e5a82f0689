"""The state of one wave in the reference interpreter, and how operands are read from and written to it."""

from __future__ import annotations

__all__ = ["Group", "Wave", "mask_of", "lanes_of"]

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anyhip.backends.virtual.interpreter_memory import Memory
from anyhip.backends.virtual.layout import PRIVATE_APERTURE, SHARED_APERTURE, WAVE_LANES
from anyhip.backends.virtual.mode import Mode
from anyhip.backends.virtual.numpy_builder import NumpyBuilder
from anyhip.backends.virtual.value import BITS, Value, element_type
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Operand
from anyhip.isa.registers import EXEC, M0, VCC

Array = Any
Source = Value | tuple[Value, ...]

_APERTURES = {
    "shared_base": SHARED_APERTURE << 32,
    "shared_limit": (SHARED_APERTURE << 32) | 0xFFFFFFFF,
    "private_base": PRIVATE_APERTURE << 32,
    "private_limit": (PRIVATE_APERTURE << 32) | 0xFFFFFFFF,
}
GPR_INDEX_DESTINATION = 3  # bit of M0[15:12]; bits 0 to 2 are the sources (CDNA3 ISA, S_SET_GPR_IDX_ON)


def lanes_of(mask: int) -> Array:
    """An integer's bits as one bool a lane."""
    return np.array([(mask >> lane) & 1 for lane in range(WAVE_LANES)], np.bool_)


def mask_of(lanes: Array) -> int:
    """One bool a lane as an integer's bits."""
    return int.from_bytes(np.packbits(np.asarray(lanes, np.bool_), bitorder="little").tobytes(), "little")


@dataclass
class Group:
    """What the waves of a workgroup share."""

    memory: Memory
    lds: bytearray
    code_base: int
    waves: list[Wave] = field(default_factory=list)


class Wave:
    """Registers and program counter of one wave.

    Args:
        group: its workgroup.
        pc: virtual address (in the code object) to start at.
        scratch_bytes: private memory of a lane.
        wave_size: 64 or 32; registers always have room for 64 lanes.
        generation: decides which hardware registers there are, and what MODE means.
    """

    def __init__(
        self, group: Group, pc: int, scratch_bytes: int, wave_size: int, generation: str = "gfx942"
    ) -> None:
        self.group = group
        self.pc = pc
        self.wave_size = wave_size
        self.builder = NumpyBuilder(WAVE_LANES)
        self.sgpr = np.zeros(128, np.uint32)
        self.vector = {
            "v": np.zeros((256, WAVE_LANES), np.uint32),
            "a": np.zeros((256, WAVE_LANES), np.uint32),
        }
        self.scc = False
        self.scratch = [bytearray(scratch_bytes) for _ in range(WAVE_LANES)]
        self.generation = generation
        self.set_mode(Mode.default(generation).bits)
        self.gpr_index = False
        self.waiting = False  # at a barrier
        self.signals = 0  # arrivals at the workgroup's barrier
        self.ended = False

    def set_mode(self, register: int) -> None:
        """Assign MODE; what comes next computes by it."""
        self.mode = register & 0xFFFFFFFF
        self.builder.mode = Mode.of(register, self.generation)

    # -- scalar registers
    def read64(self, index: int) -> int:
        """A pair of SGPRs."""
        return int(self.sgpr[index]) | (int(self.sgpr[index + 1]) << 32)

    def write64(self, index: int, value: int) -> None:
        """Assign a pair of SGPRs."""
        self.sgpr[index], self.sgpr[index + 1] = value & 0xFFFFFFFF, (value >> 32) & 0xFFFFFFFF

    def read_mask(self, index: int) -> int:
        """A lane mask in one or two SGPRs."""
        return self.read64(index) if self.wave_size == 64 else int(self.sgpr[index])

    def write_mask(self, index: int, mask: int) -> None:
        """Assign a lane mask."""
        if self.wave_size == 64:
            self.write64(index, mask)
        else:
            self.sgpr[index] = mask & 0xFFFFFFFF

    @property
    def exec(self) -> int:
        """EXEC as an integer."""
        return self.read_mask(EXEC)

    @property
    def active(self) -> Array:
        """EXEC as one bool a lane."""
        return lanes_of(self.exec)

    # -- sources
    def row(self, operand: Operand, offset: int = 0, position: int = 0) -> Array:
        """One register of a vector operand, all lanes; ``position`` tells index mode which source it is."""
        return self.vector[operand.kind][operand.index + offset + self._indexed(position)]

    def _indexed(self, position: int) -> int:
        if not self.gpr_index or not (int(self.sgpr[M0]) >> (12 + position)) & 1:
            return 0
        return int(self.sgpr[M0]) & 0xFF

    def source(self, operand: Operand, scalar: bool = False, position: int = 0) -> Source:
        """The operand's value in its row type.

        Args:
            scalar: for a scalar instruction, where lane masks are integers.
            position: place among the sources, for index mode.
        """
        if operand.type == "mask" and not scalar:
            if operand.kind in ("const", "special"):  # the null register, as a special, is 0
                mask = operand.value
            else:
                mask = self.read_mask(operand.index)
            return self.builder.value("i1", lanes_of(mask))
        if operand.kind == "special":
            return self._special(operand)
        kind = element_type(operand.type)
        if operand.type == "mask":
            kind = "i64" if operand.count == 2 else "i32"
        if operand.kind == "const":
            return self._constant(operand, kind)
        if operand.kind == "s":
            parts: list[Array] = [self.sgpr[operand.index + i] for i in range(operand.count)]
        else:
            parts = [self.row(operand, i, position).copy() for i in range(operand.count)]
        return self._assemble(parts, kind)

    def _assemble(self, parts: list[Array], kind: str) -> Source:
        b = self.builder
        if len(parts) == 1:
            raw = b.value("i32", parts[0])
            return (raw.trunc(f"i{BITS[kind]}") if BITS[kind] < 32 else raw).bitcast(kind)
        if len(parts) == 2 and BITS[kind] == 64:
            low, high = (np.asarray(part).astype(np.uint64) for part in parts)
            return b.value("i64", low | (high << np.uint64(32))).bitcast(kind)
        return tuple(b.value("i32", part) for part in parts)

    def _constant(self, operand: Operand, kind: str) -> Value:
        bits = BITS[kind]
        if kind == "i1":
            return self.builder.const("i1", operand.value & 1)
        return self.builder.const(f"i{bits}", operand.value).bitcast(kind)

    def _special(self, operand: Operand) -> Value:
        b, name = self.builder, operand.name
        if name in _APERTURES:
            wide = operand.count == 2
            return b.const("i64", _APERTURES[name]) if wide else b.const("i32", _APERTURES[name] >> 32)
        if name == "null":
            kind = element_type(operand.type) if operand.type != "mask" else f"i{32 * operand.count}"
            return b.const(f"i{BITS[kind]}", 0).bitcast(kind)
        bits = {"scc": self.scc, "vccz": self.read_mask(VCC) == 0, "execz": self.exec == 0}
        if name not in bits:
            raise UnsupportedInstruction(f"the source operand {name} is not implemented")
        value = b.const("i1", int(bits[name]))
        if operand.type == "bool":
            return value
        return value.zext("i64" if operand.count == 2 else "i32").bitcast(element_type(operand.type))

    # -- destinations
    def write_scalar(self, operand: Operand, value: Value) -> None:
        """Assign SGPRs or SCC."""
        number = int(value.int_bits().data)
        if operand.kind == "special":
            if operand.name == "scc":
                self.scc = bool(number)
            return  # the null register drops what is written
        for i in range(operand.count):
            self.sgpr[operand.index + i] = (number >> (32 * i)) & 0xFFFFFFFF

    def write_lane_mask(self, operand: Operand, value: Value, enabled: Array) -> None:
        """Assign a vector instruction's mask; lanes that are not enabled get 0."""
        self.write_mask(operand.index, mask_of(np.broadcast_to(value.data, WAVE_LANES) & enabled))

    def write_row(self, operand: Operand, offset: int, raw: Array, lanes: Array) -> None:
        """Assign one register of a vector operand in the given lanes."""
        index = operand.index + offset + self._indexed(GPR_INDEX_DESTINATION)
        row = self.vector[operand.kind][index]
        row[:] = np.where(lanes, raw, row)
