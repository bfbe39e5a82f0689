"""Scalar memory in translated code: loads, stores and atomics of SGPRs, plain, scratch and buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyhip.backends.virtual import atomics
from anyhip.backends.virtual.scalar_code import read_scalar
from anyhip.backends.virtual.semantics.memory import ATOMICS, atomic_operands
from anyhip.backends.virtual.semantics.scalar_memory import ScalarAccess, scalar_access
from anyhip.backends.virtual.value import Value
from anyhip.errors import UnsupportedInstruction

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.isa.decode import Instruction, Operand

__all__ = ["access"]


def access(queue: RunQueue, instruction: Instruction) -> None:
    """Emit an SMEM instruction that moves data.

    Raises:
        UnsupportedInstruction: it moves none that is known.
    """
    found = scalar_access(instruction.name)
    if found is None:
        raise UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} is not implemented")
    if queue.run is not None and (queue.run.stored or found.kind != "load"):
        queue.flush()
    queue.b.at(instruction.pc)
    _Scalar(queue, instruction, found).emit()
    queue.b.at(None)


class _Scalar:
    """One instruction's code. What lies behind a buffer's end is read from a zero, written to spare bytes."""

    def __init__(self, queue: RunQueue, instruction: Instruction, found: ScalarAccess) -> None:
        self.queue, self.b, self.found, self.instruction = queue, queue.b, found, instruction
        self.operands: dict[str, Operand] = {}
        for (name, _), operand in zip(instruction.opcode.src, instruction.src, strict=True):
            self.operands.setdefault(name, operand)
        self.offset = self._offset()
        self.limit: Value | None = None  # where a buffer ends, i64
        address = self._base() + self.offset
        self.pointer = self.b.let(f"inttoptr i64 {(address & -(found.bits // 8)).data} to ptr")

    def _offset(self) -> Value:
        offset = self.b.const("i64", self.instruction.fields.get("offset", 0))
        soffset = self.operands["soffset"]
        if soffset.name == "off":
            return offset
        part = read_scalar(self.queue, soffset).int_bits().zext("i64")
        return part * self.found.scale + offset if self.found.scale > 1 else part + offset

    def _base(self) -> Value:
        index = self.operands["sbase"].index
        base = self.queue.scalars.read64(index)
        if not self.found.buffer:
            return base
        stride = (base >> 48) & 0x3FFF
        records = self.queue.scalars.read32(index + 2).zext("i64")
        self.limit = records * stride.umax(1)
        return base & 0xFFFF_FFFF_FFFF

    def _inside(self, step: int) -> Value:
        assert self.limit is not None
        return (self.offset + step if step else self.offset).ult(self.limit)

    def _place(self, step: int) -> str:
        """Pointer to the dword ``step`` bytes on."""
        b = self.b
        place = b.offset(self.pointer, step)
        if self.limit is None:
            return place
        other = b.table("i32", [0]) if self.found.kind == "load" else "%spare"
        return b.let(f"select i1 {self._inside(step).data}, ptr {place}, ptr {other}")

    def emit(self) -> None:
        """The access itself."""
        scalars = self.queue.scalars
        if self.found.kind == "atomic":
            self._atomic()
            return
        if self.found.bits < 32:
            self._narrow()
            return
        for i in range(self.found.dwords):
            if self.found.kind == "load":
                scalars.write32(self.instruction.dst[0].index + i, self.b.load("i32", self._place(4 * i), 4))
            else:
                value = scalars.read32(self.operands["sdata"].index + i)
                self.b.store(value, self._place(4 * i), 4)

    def _narrow(self) -> None:
        """A byte or a word, extended."""
        bits = self.found.bits
        value = self.b.load(f"i{bits}", self._place(0), bits // 8)
        wide = value.sext("i32") if self.found.signed else value.zext("i32")
        self.queue.scalars.write32(self.instruction.dst[0].index, wide)

    def _atomic(self) -> None:
        operation, scalars = self.found.operation, self.queue.scalars
        assert operation is not None
        bits, meaning, native = ATOMICS[operation.atomic]
        first = self.operands["sdata"].index
        operands = []
        for _, part in atomic_operands(operation, self.instruction.name):
            low = scalars.read32(first + part)
            if bits == 64:
                low = low.zext("i64") | (scalars.read32(first + part + 1).zext("i64") << 32)
            operands.append(low)
        old = atomics.host_atomic(self.queue, self._place(0), bits, native, meaning, operands)
        if not self.instruction.dst:
            return
        if self.limit is not None:
            old = self._inside(0).select(old, 0)
        target = self.instruction.dst[0].index
        for i in range(bits // 32):
            scalars.write32(target + i, (old >> 32 if i else old).trunc("i32"))
