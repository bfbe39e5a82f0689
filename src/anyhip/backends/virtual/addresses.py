"""What a pair of VGPRs is known to hold while a chunk is emitted: ``base + (index << shift)``.

Compilers make a 64-bit address a lane out of a scalar base and a 32-bit index: an extension, a shift, an
addition. Recognised, the access can test and gather on the 32-bit index, and the 64-bit arithmetic is dead
code. Only what the same run has computed is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from anyhip.backends.virtual.value import Value

if TYPE_CHECKING:
    from anyhip.backends.virtual.chunk_registers import ChunkRegisters
    from anyhip.backends.virtual.run import Item
    from anyhip.isa.decode import Instruction, Operand

__all__ = ["ADDRESS_ARITHMETIC", "Form", "Forms", "Place"]

ADDRESS_ARITHMETIC = {"v_ashrrev_i32", "v_lshlrev_b64", "v_lshl_add_u64"}

LARGEST_SHIFT = 4


@dataclass(frozen=True, slots=True)
class Place:
    """Where an access goes: ``base`` (text of a pointer) + (extended ``offset`` << ``shift``).

    ``offset`` is i32 or i64, uniform or one a lane; ``signed`` tells how an i32 is extended. ``constant`` is
    added to LDS offsets, modulo 2**32: apart, so that accesses of equal offsets share the tests on them.
    """

    base: str
    offset: Value
    shift: int = 0
    signed: bool = False
    constant: str = "0"


@dataclass(frozen=True, slots=True)
class Form:
    """A pair's known value; it holds while its registers still are ``low`` and ``high``."""

    low: Value
    high: Value
    base: Value | None  # uniform i64
    index: Value  # i32
    shift: int
    signed: bool


class Forms:
    """The forms of a chunk's register pairs."""

    def __init__(self, chunk: ChunkRegisters) -> None:
        self.chunk = chunk
        self._pairs: dict[int, Form] = {}
        self._signs: dict[
            int, tuple[Value, Value]
        ] = {}  # register -> (its sign bits, what they are the sign of)

    def of(self, r: int) -> Form | None:
        """The form of registers ``r`` and ``r + 1``, if known."""
        low, high = self.chunk.register(r), self.chunk.register(r + 1)
        known = self._pairs.get(r)
        if known is not None and known.low is low and known.high is high:
            return known
        sign = self._signs.get(r + 1)
        if sign is not None and sign[0] is high and sign[1] is low:
            return Form(low, high, None, low, 0, signed=True)
        if high.uniform and high.data == "0":
            return Form(low, high, None, low, 0, signed=False)
        return None

    def extended(self) -> list[int]:
        """Registers whose sign fills the next one."""
        found = []
        for r, (sign, source) in self._signs.items():
            registers = self.chunk.registers
            if registers.get(r) is sign and registers.get(r - 1) is source:
                found.append(r - 1)
        return found

    def note(self, item: Item) -> None:
        """Remember what an executed instruction made of a pair."""
        instruction = item.instruction
        if instruction.name == "v_ashrrev_i32":
            self._note_sign(instruction)
            return
        form = self._shifted(item) if instruction.name == "v_lshlrev_b64" else None
        if instruction.name == "v_lshl_add_u64":
            form = self._added(item)
        if form is not None:
            target = instruction.dst[0]
            low, high = self.chunk.register(target.index), self.chunk.register(target.index + 1)
            self._pairs[target.index] = Form(low, high, form.base, form.index, form.shift, form.signed)

    def _note_sign(self, instruction: Instruction) -> None:
        """v_ashrrev_i32 31, x leaves the sign of x in every bit."""
        count, source = instruction.src
        target = instruction.dst[0]
        if count.kind != "const" or count.value != 31 or source.kind != "v" or instruction.variant == "sdwa":
            return
        if source.index != target.index:
            register = self.chunk.register
            self._signs[target.index] = (register(target.index), register(source.index))

    def before(self, item: Item) -> None:
        """Take down the forms of the sources, which the instruction may overwrite."""
        self._sources = [
            self.of(o.index) if o.kind == "v" and o.count == 2 else None for o in item.instruction.src
        ]

    _sources: list[Form | None]

    def _shifted(self, item: Item) -> Form | None:
        """v_lshlrev_b64 count, pair."""
        return _shift(self._sources[1], item.instruction.src[0])

    def _added(self, item: Item) -> Form | None:
        """v_lshl_add_u64: (source 0 << source 1) + source 2, one of the two summands uniform."""
        count = item.instruction.src[1]
        uniform = item.captured[2]
        form = _shift(self._sources[0], count)
        if form is None or uniform is None:
            form, uniform = self._sources[2], item.captured[0]
            if form is None or uniform is None or count.kind != "const" or count.value:
                return None
        base = uniform.int_bits()
        if base.bits != 64:
            return None
        return Form(
            form.low,
            form.high,
            base if form.base is None else form.base + base,
            form.index,
            form.shift,
            form.signed,
        )


def _shift(form: Form | None, count: Operand) -> Form | None:
    """The form shifted left by a constant, unless it has a base or grows too far."""
    if form is None or count.kind != "const":
        return None
    if count.value == 0:
        return form
    shift = form.shift + count.value
    if form.base is not None or shift > LARGEST_SHIFT:
        return None
    return Form(form.low, form.high, None, form.index, shift, form.signed)
