"""Decoding: bytes of machine code in, Instruction out.

Each pair of opcode and variant (literal, SDWA, DPP, address form) is compiled once, at its first use, into
a Plan: the operand slots and the reader of its modifiers. After that, decoding is shifts, masks and
dictionary look-ups.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from anyhip.errors import IsaError
from anyhip.isa import formats, opcodes, plans, registers
from anyhip.isa.formats import Format
from anyhip.isa.opcodes import Opcode
from anyhip.isa.plans import Plan
from anyhip.isa.registers import Operand
from anyhip.target import Target

__all__ = ["Instruction", "Operand", "decode", "decode_all"]

SUPPORTED = ("gfx90a", "gfx942", "gfx950")


@dataclass(slots=True)
class Instruction:
    """One decoded instruction.

    Attributes:
        pc: its virtual address.
        size: bytes, with literal or SDWA/DPP dword.
        name: mnemonic without encoding suffix.
        format: encoding of its opcode row.
        opcode: that row.
        dst, src: operands in the row's order; atomics that return nothing have no dst.
        fields: modifiers by name. ``offset`` is signed where the encoding is (SMEM, GLOBAL, SCRATCH);
            ``simm16`` is raw. ``neg`` (neg_lo of packed instructions), ``abs``, ``neg_hi``, ``op_sel`` and
            ``op_sel_hi`` are bit masks by source position; bit 3 of a VOP3's op_sel is the destination's.
        variant: ``e32``, ``e64``, ``lit``, ``sdwa``, ``dpp``, or empty for formats without variants.
    """

    pc: int
    size: int
    name: str
    format: str
    opcode: Opcode
    dst: tuple[Operand, ...]
    src: tuple[Operand, ...]
    fields: dict[str, int]
    variant: str

    @property
    def branch_target(self) -> int | None:
        """Where a direct branch or call goes; None for everything else."""
        for operand in self.src:
            if operand.type == "rel":
                return self.pc + 4 + 4 * ((operand.value ^ 0x8000) - 0x8000)
        return None


class Decoder:
    """Plans of one generation.

    Args:
        generation: column of the opcode tables.
        wave_size: lanes of a wave, which decides how many registers a lane mask takes.
    """

    def __init__(self, generation: str, wave_size: int) -> None:
        if generation not in SUPPORTED:
            known = ", ".join(SUPPORTED)
            raise IsaError(
                f"machine code of generation {generation} cannot be decoded", f"decodable are {known}"
            )
        self.generation = generation
        self.wave_size = wave_size
        self.rows = opcodes.by_encoding(generation)
        self.plans: dict[tuple[str, int, int], Plan] = {}
        self.formats = _format_of_prefix()

    def plan(self, format: Format, number: int, variant: int) -> Plan:
        """The plan of an opcode number, compiled on first use.

        Raises:
            IsaError: no such opcode.
        """
        name = format.name
        if name == "FLAT":
            name = ("FLAT", "SCRATCH", "GLOBAL", "")[number & 3]
        row = self.rows.get((name, number >> 4 if format.name == "FLAT" else number))
        if row is None:
            raise IsaError(f"{name or 'FLAT'} opcode {number:#x} is not known on {self.generation}")
        plan = plans.build(
            opcodes.opcode(self.generation, row), format, variant, self.generation, self.wave_size
        )
        self.plans[format.name, number, variant] = plan
        return plan


@lru_cache(maxsize=1)
def _format_of_prefix() -> list[tuple[str, int, int, Callable[[int], int], Format] | None]:
    """For each value of the leading 9 bits: format name, opcode shift and mask, variant function, format."""
    found: list[tuple[str, int, int, Callable[[int], int], Format] | None] = [None] * 512
    for format in reversed(formats.FORMATS):
        width, value = format.ident
        low, mask = format.opcode.low, (1 << format.opcode.width) - 1
        if (
            format.name == "FLAT"
        ):  # the segment bits tell flat, scratch and global apart: part of the opcode number
            low, mask = 14, 0x7F3
        first = value << 9 - width
        for prefix in range(first, first + (1 << 9 - width)):
            found[prefix] = (format.name, low, mask, plans.VARIANT[format.name], format)
    return found


@lru_cache(maxsize=8)
def decoder(generation: str, wave_size: int) -> Decoder:
    """The shared decoder of a generation."""
    return Decoder(generation, wave_size)


def decode(code: bytes | memoryview, pc: int, offset: int, target: Target) -> Instruction:
    """Decode one instruction.

    Args:
        code: machine code.
        pc: virtual address of the instruction.
        offset: where it starts in ``code``.
        target: processor.

    Raises:
        IsaError: unknown or cut-off instruction, naming pc and words.
    """
    tables = decoder(target.generation, target.wave_size)
    w = int.from_bytes(code[offset : offset + 8], "little")
    found = tables.formats[w >> 23 & 511]
    try:
        if found is None:
            raise IsaError("unknown encoding")
        name, shift, mask, variant_of, format = found
        number = w >> shift & mask
        variant = variant_of(w)
        plan = tables.plans.get((name, number, variant)) or tables.plan(format, number, variant)
        if offset < 0 or offset + plan.size > len(code):
            raise IsaError("the code ends inside the instruction")
        opcode = plan.opcode
        instruction = Instruction(
            pc,
            plan.size,
            opcode.name,
            opcode.format,
            opcode,
            tuple([table[w >> a & b | w >> c & d] for a, b, c, d, table in plan.dst]),
            tuple([table[w >> a & b | w >> c & d] for a, b, c, d, table in plan.src]),
            plan.fields(w),
            plan.variant,
        )
    except IsaError as error:
        words = " ".join(f"{w >> 32 * i & 0xFFFFFFFF:08x}" for i in range(2))
        raise IsaError(f"at {pc:#x}, words {words}: {error.message}", error.hint) from None
    if plan.mixed:
        _resolve_mixed(instruction)
    return instruction


def decode_all(code: bytes | memoryview, base: int, target: Target) -> list[Instruction]:
    """Decode code from its first byte to its last.

    Args:
        code: machine code and nothing else.
        base: virtual address of the first byte.

    Raises:
        IsaError: as :func:`decode`.
    """
    found, offset = [], 0
    while offset < len(code):
        instruction = decode(code, base + offset, offset, target)
        found.append(instruction)
        offset += instruction.size
    return found


def _resolve_mixed(instruction: Instruction) -> None:
    """v_fma_mix*: op_sel_hi says which sources are f16; the row's type ``mix`` becomes f16 or f32."""
    selected = instruction.fields["op_sel_hi"]
    source = list(instruction.src)
    for position, operand in enumerate(source[:3]):
        type = "f16" if selected >> position & 1 else "f32"
        constant = registers.constant(operand.index, type, 1) if operand.kind == "const" else None
        source[position] = constant or Operand(
            operand.kind, operand.index, 1, type, operand.value, operand.name
        )
    instruction.src = tuple(source)
