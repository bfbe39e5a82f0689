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
from anyhip.isa import formats, formats_rdna, generations, opcodes, plans, plans_rdna, registers
from anyhip.isa.formats import Format
from anyhip.isa.opcodes import Opcode
from anyhip.isa.plans import Plan
from anyhip.isa.registers import Operand
from anyhip.target import Target

__all__ = ["Instruction", "Operand", "decode", "decode_all"]


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
            On generations with true16 they name halves in VOP1, VOP2 and VOPC as well.
        variant: ``e32``, ``e64``, ``lit``, ``sdwa``, ``dpp``, ``dpp8``, or empty for formats without any.
            A VOP3 with a literal is still ``e64``, one with DPP is ``dpp`` or ``dpp8``.
        parts: the two instructions of a VOPD, which read all operands before either writes. Its ``dst`` and
            ``src`` are theirs together.
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
    parts: tuple[Instruction, ...] = ()

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
        self.generation = generations.generation(generation)
        self.wave_size = wave_size
        self.window = self.generation.window
        self.rows = opcodes.by_encoding(generation)
        self.plans: dict[tuple[str, int, int], Plan] = {}
        if self.generation.family == "gfx9":
            self.formats = _format_of_prefix(formats.FORMATS, plans.VARIANT)
        else:
            rdna = formats_rdna.FORMATS[self.generation.family]
            self.formats = _format_of_prefix(rdna, plans_rdna.variants(self.generation))

    def plan(self, format: Format, number: int, variant: int) -> Plan:
        """The plan of an opcode number, compiled on first use.

        Raises:
            IsaError: no such opcode.
        """
        plan = self._build(format, number, variant)
        self.plans[format.name, number, variant] = plan
        return plan

    def _build(self, format: Format, number: int, variant: int) -> Plan:
        name = format.name
        if self.generation.family == "gfx9":
            if name == "FLAT":
                name, number = ("FLAT", "SCRATCH", "GLOBAL", "")[number & 3], number >> 4
            elif name == "VOP3P" and number == plans.LOAD_SCALE and variant:
                format, number = plans.scaled(variant)
                name = format.name
            opcode = self._opcode(name, number)
            return plans.build(opcode, format, variant, self.generation.name, self.wave_size)
        if name == "VOPD":
            pair = self._opcode("VOPD_X", number >> 5), self._opcode("VOPD_Y", number & 31)
            return plans_rdna.dual(self.generation, pair, variant, self.wave_size)
        opcode = self._opcode(*plans_rdna.row_of(self.generation, name, number, variant))
        return plans_rdna.build(self.generation, opcode, format, variant, self.wave_size)

    def _opcode(self, format: str, number: int) -> Opcode:
        row = self.rows.get((format, number))
        if row is None:
            name = self.generation.name
            raise IsaError(f"{format or 'FLAT'} opcode {number:#x} is not known on {name}")
        return opcodes.opcode(self.generation.name, row)


Prefix = tuple[str, int, int, Callable[[int], int], Format]


def _format_of_prefix(
    known: tuple[Format, ...], variants: dict[str, Callable[[int], int]]
) -> list[Prefix | None]:
    """For each value of the leading 9 bits: format name, opcode shift and mask, variant function, format."""
    found: list[Prefix | None] = [None] * 512
    for format in reversed(known):
        width, value = format.ident
        low, bits = (format.opcode.pieces or ((format.opcode.low, format.opcode.width, 0),))[0][:2]
        mask = (1 << bits) - 1
        if format.name == "FLAT":
            # The segment bits tell flat, scratch and global apart: they are part of the opcode number.
            low, mask = format.segmented
        first = value << 9 - width
        for prefix in range(first, first + (1 << 9 - width)):
            found[prefix] = (format.name, low, mask, variants[format.name], format)
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
    w = int.from_bytes(code[offset : offset + tables.window], "little")
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
        instruction = _instruction(pc, plan, w)
    except IsaError as error:
        words = " ".join(f"{w >> 32 * i & 0xFFFFFFFF:08x}" for i in range(2))
        raise IsaError(f"at {pc:#x}, words {words}: {error.message}", error.hint) from None
    if plan.mixed:
        _resolve_mixed(instruction)
    elif plan.parts:
        instruction.parts = tuple([_instruction(pc, part, w) for part in plan.parts])
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


def _instruction(pc: int, plan: Plan, w: int) -> Instruction:
    """What a plan reads from the words ``w``: an instruction, or one of the two of a VOPD."""
    opcode = plan.opcode
    return Instruction(
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


def _resolve_mixed(instruction: Instruction) -> None:
    """v_fma_mix*: op_sel_hi says which sources are f16; the row's type ``mix`` becomes f16 or f32."""
    selected = instruction.fields["op_sel_hi"]
    source = list(instruction.src)
    for position, operand in enumerate(source[:3]):
        type = "f16" if selected >> position & 1 else "f32"
        constant = None
        if operand.kind == "const":
            constant = registers.constant(operand.index, type, 1) or registers.literal(operand.value, type, 1)
        source[position] = constant or Operand(
            operand.kind, operand.index, 1, type, operand.value, operand.name
        )
    instruction.src = tuple(source)
