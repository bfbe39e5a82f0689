"""Buffer instructions: what a resource descriptor says, where an access goes, and whether it is in range.

Facts: CDNA3 ISA guide, 9.1 "Vector Memory Buffer Instructions" (9.1.5 addressing and range checks, 9.1.8 the
descriptor), 8.2.1.1 (scalar memory). Elements of swizzled buffers are 4 bytes long from GFX9 on (LLVM,
``SIInstrInfo::getScratchRsrcWords23``). Accesses need no alignment, as ROCm sets the memory units up. What
the guide leaves open: an index into a buffer without stride is checked as if there were none, by the offset;
a structured buffer is also one that is swizzled and not indexed. RDNA's are in ``buffer_rdna``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from anyhip.backends.virtual.semantics import buffer_rdna, formats
from anyhip.backends.virtual.semantics.formats import Number
from anyhip.backends.virtual.semantics.memory import MemoryOp, find
from anyhip.backends.virtual.value import Builder, Value
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction, Operand
from anyhip.isa.generations import GENERATIONS

__all__ = [
    "Access", "Descriptor", "Typed", "access", "components", "components_of", "element_format", "half_format",
    "memory_op", "operands", "place", "registers_of",
]  # fmt: skip

ELEMENT = 4  # bytes of a swizzled buffer's element


class Typed(Protocol):
    """What a descriptor says of elements: all that is asked of one of either family."""

    @property
    def selects(self) -> tuple[Value, ...]:
        """For x, y, z, w: 0, 1, or 4 + the component of the format."""
        ...

    @property
    def number_format(self) -> Value:
        """Number format, as in ``formats``."""
        ...

    @property
    def data_format(self) -> Value:
        """Data format, as in ``formats``."""
        ...


class Checked(Protocol):
    """One lane's or every lane's access."""

    @property
    def address(self) -> Value:
        """Where it goes, i64."""
        ...

    def in_range(self, step: int = 0, size: Number = 4) -> Value:
        """Whether the component of ``size`` bytes ``step`` bytes on exists: wide accesses ask one by one."""
        ...


@dataclass(frozen=True, slots=True)
class Descriptor:
    """The fields of a buffer resource, uniform; flags are i1, ``base`` is i64, the others i32."""

    base: Value
    stride: Value
    swizzled: Value
    records: Value
    selects: tuple[Value, ...]  # for x, y, z, w: 0, 1, or 4 + the component of the format
    number_format: Value
    data_format: Value
    index_stride: Value  # log2
    adds_lane: Value

    @classmethod
    def of(cls, words: Sequence[Value]) -> Descriptor:
        """The descriptor in four dwords."""
        low, high, records, flags = words
        return cls(
            base=low.zext("i64") | ((high & 0xFFFF).zext("i64") << 32),
            stride=(high >> 16) & 0x3FFF,
            swizzled=(high >> 31).ne(0),
            records=records,
            selects=tuple((flags >> shift) & 7 for shift in (0, 3, 6, 9)),
            number_format=(flags >> 12) & 7,
            data_format=(flags >> 15) & 15,
            index_stride=((flags >> 21) & 3) + 3,
            adds_lane=((flags >> 23) & 1).ne(0),
        )

    @property
    def bound(self) -> Value:
        """Whether there is a buffer at all: format 0 says no, unless the field holds bits of the stride."""
        return self.data_format.ne(0) | self.adds_lane


@dataclass(frozen=True, slots=True)
class Access:
    """One lane's or every lane's access.

    Attributes:
        address: i64.
        offset: what range checks of raw buffers look at, i32.
        bound, raw: uniform i1: whether there is a buffer, whether the offset is checked.
        inside: i1: whether the record exists.
        records: the number of bytes of a raw buffer.
    """

    address: Value
    offset: Value
    bound: Value
    raw: Value
    inside: Value
    records: Value

    def in_range(self, step: int = 0, size: Number = 4) -> Value:
        """Whether the component ``step`` bytes on exists, by its first byte alone."""
        offset = self.offset + step if step else self.offset
        return self.bound & self.raw.select(offset.ult(self.records), self.inside)


def place(
    b: Builder, descriptor: Descriptor, instruction: Instruction, index: Value | None, offset: Value | None,
    scalar_offset: Value, lane: Value, typed: bool,
) -> Access:  # fmt: skip
    """Where an access goes.

    Args:
        index, offset: the lane's, of instructions that have them.
        lane: the lane's number, i32.
        typed: the access converts a format; others give a lane-indexed buffer a stride of 18 bits.
    """
    zero = b.const("i32", 0)
    one = descriptor.adds_lane.select(lane, zero)
    records = one if index is None else index + one
    within = zero + instruction.fields["offset"] if offset is None else offset + instruction.fields["offset"]
    stride = descriptor.stride
    if not typed:
        wide = stride | (descriptor.data_format << 14)
        stride = descriptor.adds_lane.select(wide, stride)
    shift = descriptor.index_stride
    upper = (records >> shift) * stride + (within & -ELEMENT)
    swizzled = (upper << shift) + ((records & ~(zero.lift(-1) << shift)) * ELEMENT) + (within & (ELEMENT - 1))
    linear = records * stride + within
    at = descriptor.swizzled.select(swizzled, linear)
    address = descriptor.base + scalar_offset.zext("i64") + at.zext("i64")
    structured = descriptor.swizzled if index is None else stride.ne(0)
    unchecked = descriptor.adds_lane if index is None else b.const("i1", 0)
    number = zero if index is None else index
    inside = unchecked | number.ult(descriptor.records)
    return Access(
        address, within, descriptor.bound, ~(structured | unchecked), inside, descriptor.records
    )  # fmt: skip


# -- instructions
def memory_op(instruction: Instruction) -> MemoryOp | None:
    """What an untyped instruction moves; None for those that convert a format."""
    return find("global" + instruction.name.removeprefix("buffer"))


def operands(instruction: Instruction) -> dict[str, Operand]:
    """Sources by the field names of the opcode row; a data operand that is also read comes first."""
    found: dict[str, Operand] = {}
    for (name, _), operand in zip(instruction.opcode.src, instruction.src, strict=True):
        found.setdefault(name, operand)
    return found


def components(instruction: Instruction) -> int:
    """How many components a typed instruction names."""
    return len(instruction.name.rpartition("_")[2])


def half_format(instruction: Instruction) -> str:
    """How a typed instruction lays out 16-bit components: packed, hi (one, in the upper half), or not."""
    if "_d16_hi_" in instruction.name:
        return "hi"
    return "packed" if "_d16_" in instruction.name else ""


def access(
    b: Builder, instruction: Instruction, words: Sequence[Value], address: Sequence[Value], scalar: Value,
    lane: Value,
) -> tuple[Typed, Checked]:  # fmt: skip
    """Descriptor and place of an instruction.

    Args:
        words: the descriptor's dwords.
        address: the address operand's registers, none to two: an index before an offset.
        scalar: the scalar offset.

    Raises:
        UnsupportedInstruction: TFE, which asks for a word on texels that are not resident.
    """
    fields = instruction.fields
    if fields.get("tfe", 0):
        raise UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} with tfe is not implemented")
    index = address[0] if fields["idxen"] else None
    offset = address[fields["idxen"]] if fields["offen"] else None
    family = GENERATIONS[instruction.opcode.generation].family
    if family != "gfx9":
        resource = buffer_rdna.Descriptor.of(b, words, family)
        return resource, buffer_rdna.place(b, resource, instruction, index, offset, scalar, lane)
    descriptor = Descriptor.of(words)
    typed = memory_op(instruction) is None
    return descriptor, place(b, descriptor, instruction, index, offset, scalar, lane, typed)


def element_format(instruction: Instruction, descriptor: Typed) -> tuple[Number, Number]:
    """Data and number format of a typed instruction: its own, else the descriptor's."""
    fields = instruction.fields
    if instruction.format != "MTBUF":
        return descriptor.data_format, descriptor.number_format
    if "dfmt" in fields:
        return fields["dfmt"], fields["nfmt"]
    family = GENERATIONS[instruction.opcode.generation].family
    return buffer_rdna.element_formats(family)[fields["format"]]


# -- components in registers
def registers_of(
    b: Builder, instruction: Instruction, values: Sequence[Value], number: Number, old: Callable[[], Value]
) -> list[Value]:
    """The dwords that a typed load leaves in its registers.

    Args:
        values: the components that the instruction names.
        old: the first register, for the instruction that keeps its lower half.
    """
    halves = half_format(instruction)
    if not halves:
        return list(values)
    small = [formats.to_half(b, value, number).zext("i32") for value in values]
    if halves == "hi":
        return [(old() & 0xFFFF) | (small[0] << 16)]
    small += [b.const("i32", 0)] * (len(small) % 2)
    return [low | (high << 16) for low, high in zip(small[::2], small[1::2], strict=True)]


def components_of(
    b: Builder, instruction: Instruction, registers: Sequence[Value], number: Number
) -> list[Value]:
    """The four components that a typed store has in its registers; those it does not name are 0."""
    halves, count = half_format(instruction), components(instruction)
    if halves:
        parts = [(r >> shift).trunc("i16") for r in registers for shift in (0, 16)]
        values = [formats.from_half(b, part, number) for part in parts[halves == "hi" :][:count]]
    else:
        values = list(registers[:count])
    return values + [b.const("i32", 0)] * (4 - len(values))
