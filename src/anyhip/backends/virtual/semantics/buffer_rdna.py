"""RDNA's buffer resources: what their descriptors say, where an access goes, and whether it is in range.

Facts: RDNA2 ISA guide, 8.1.5 and 8.1.8; RDNA3 and RDNA4 ISA guides, 9.4 and 9.6. A descriptor chooses one of
four range checks. The fourth, of raw buffers, is left out of RDNA2's and RDNA4's tables, RDNA3's here;
RDNA2 checks against the stride where an access begins, others where it ends. Numbers of formats are those of
``isa/immediates.tsv``. An instruction with a format of its own needs none in the descriptor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from anyhip.backends.virtual.semantics import formats
from anyhip.backends.virtual.semantics.formats import Number
from anyhip.backends.virtual.value import Builder, Value
from anyhip.isa import immediates_rdna
from anyhip.isa.decode import Instruction

__all__ = ["Access", "Descriptor", "element_formats", "place"]

_FORMAT_BITS = {"gfx10": 7, "gfx11": 6, "gfx12": 6}
_DATA = (
    "INVALID", "8", "16", "8_8", "32", "16_16", "10_11_11", "11_11_10", "10_10_10_2", "2_10_10_10", "8_8_8_8",
    "32_32", "16_16_16_16", "32_32_32", "32_32_32_32",
)  # fmt: skip
_NUMBERS = ("UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "", "FLOAT")


@cache
def element_formats(family: str) -> tuple[tuple[int, int], ...]:
    """Data and number format, as in ``formats``, by a family's number for the two together."""
    out = []
    for number in range(1 << _FORMAT_BITS[family]):
        name = immediates_rdna.name(family, "format", number).removeprefix("BUF_FMT_")
        data, _, kind = name.rpartition("_")
        out.append((_DATA.index(data), _NUMBERS.index(kind)) if data in _DATA else (0, 0))
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Descriptor:
    """The fields of a buffer resource, uniform; flags are i1, ``base`` is i64, the others i32."""

    family: str
    base: Value
    stride: Value
    swizzled: Value
    element: Value  # bytes of a swizzled buffer's element
    records: Value
    selects: tuple[Value, ...]
    format: Value
    number_format: Value
    data_format: Value
    index_stride: Value  # log2
    adds_lane: Value
    check: Value

    @classmethod
    def of(cls, b: Builder, words: Sequence[Value], family: str) -> Descriptor:
        """The descriptor in four dwords."""
        low, high, records, flags = words
        format = (flags >> 12) & ((1 << _FORMAT_BITS[family]) - 1)
        known = element_formats(family)
        stride = (high >> 16) & 0x3FFF
        if family == "gfx12":
            stride = stride << formats.lookup(b, (0, 2, 3, 5), (flags >> 18) & 3)
        swizzle = (high >> 30) & 3 if family != "gfx10" else high >> 31
        return cls(
            family=family,
            base=low.zext("i64") | ((high & 0xFFFF).zext("i64") << 32),
            stride=stride,
            swizzled=swizzle.ne(0),
            element=swizzle.eq(3).select(b.const("i32", 16), 4),
            records=records,
            selects=tuple((flags >> shift) & 7 for shift in (0, 3, 6, 9)),
            format=format,
            number_format=formats.lookup(b, [number for _, number in known], format),
            data_format=formats.lookup(b, [data for data, _ in known], format),
            index_stride=((flags >> 21) & 3) + 3,
            adds_lane=((flags >> 23) & 1).ne(0),
            check=(flags >> 28) & 3,
        )


@dataclass(frozen=True, slots=True)
class Access:
    """One lane's or every lane's access.

    Attributes:
        address: i64.
        offset, index: in the record, and of it, i32.
        before: what of the offset is no part of ``offset``, but counts in raw buffers.
        bound: uniform i1: whether there is a buffer.
    """

    descriptor: Descriptor
    address: Value
    offset: Value
    index: Value
    before: Value
    bound: Value

    def in_range(self, step: int = 0, size: Number = 4) -> Value:
        """Whether the component of ``size`` bytes ``step`` bytes on exists."""
        d = self.descriptor
        start = self.offset.zext("i64") + step
        end = start + (size if isinstance(size, int) else size.zext("i64"))
        in_record = (start + 1 if d.family == "gfx10" else end).cmp("ule", d.stride.zext("i64"))
        record = self.index.ult(d.records)
        raw = (end + self.before.zext("i64")).cmp("ule", d.records.zext("i64"))
        structured = d.swizzled & d.stride.ne(0)
        inside = structured.select(record & in_record, raw)  # check 3
        for check, test in ((2, d.records.ne(0)), (1, record), (0, record & in_record)):
            inside = d.check.eq(check).select(test, inside)
        return self.bound & inside


def place(
    b: Builder, descriptor: Descriptor, instruction: Instruction, index: Value | None, offset: Value | None,
    scalar_offset: Value, lane: Value,
) -> Access:  # fmt: skip
    """Where an access goes.

    Args:
        index, offset: the lane's, of instructions that have them.
        lane: the lane's number, i32.
    """
    zero = b.const("i32", 0)
    record = descriptor.adds_lane.select(lane, zero)
    record = record if index is None else index + record
    within = zero + instruction.fields["offset"] if offset is None else offset + instruction.fields["offset"]
    before = scalar_offset
    if descriptor.family == "gfx12":
        within, before = within + scalar_offset, zero
    shift, element = descriptor.index_stride, descriptor.element
    upper = (record >> shift) * descriptor.stride + (within & -element)
    part = (record & ~(zero.lift(-1) << shift)) * element + (within & element - 1)
    at = descriptor.swizzled.select((upper << shift) + part, record * descriptor.stride + within)
    address = descriptor.base + before.zext("i64") + at.zext("i64")
    own = instruction.format == "MTBUF"
    bound = b.const("i1", 1) if own else descriptor.format.ne(0) | descriptor.adds_lane
    return Access(descriptor, address, within, record, before, bound)
