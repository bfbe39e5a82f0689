"""The oracle of the ISA tests: text through clang's assembler to bytes, and rows of the tables to bits."""

import subprocess

from anyhip import toolchain
from anyhip.codeobj.elf import Elf
from anyhip.isa import formats, formats_rdna, slots, slots_rdna
from anyhip.isa.generations import GENERATIONS
from anyhip.isa.opcodes import Opcode

# What a VOP3PX has beside its fields: the first half's opcode, and in the second its encoding and a bit.
_SCALED = 0x2C << 16 | 0b110100111 << 64 + 23 | 1 << 64 + 11
_SEGMENTS = {"FLAT": 0, "SCRATCH": 1, "GLOBAL": 2}


def assemble(lines, folder, arch="gfx942", wave_size=None):
    """Machine code of assembly lines; the assembler's complaints fail the test."""
    source, output = folder / "lines.s", folder / "lines.o"
    source.write_text("\n".join(lines) + "\n")
    clang = toolchain.find().clang
    command = [*clang, "--target=amdgcn-amd-amdhsa", f"-mcpu={arch}", "-c", str(source), "-o", str(output)]
    if wave_size == 64:
        command.append("-mwavefrontsize64")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:4000]
    file = Elf(output.read_bytes())
    return bytes(file.section_bytes(file.section(".text")))


def put(word, low, width, value):
    """``word`` with a bit field set."""
    mask = (1 << width) - 1
    assert 0 <= value <= mask
    return word & ~(mask << low) | value << low


def put_bits(word, bits, value):
    """``word`` with a field of the format tables set."""
    for low, width, place in bits.pieces or ((bits.low, bits.width, 0),):
        word = put(word, low, width, value >> place & (1 << width) - 1)
    return word


def format_of(opcode: Opcode):
    """The encoding of a row."""
    generation = GENERATIONS[opcode.generation]
    family = generation.family
    known = formats.FORMATS if family == "gfx9" else formats_rdna.FORMATS[family]
    name = "FLAT" if opcode.format in _SEGMENTS else opcode.format
    if family == "gfx12" and name == "MTBUF":
        name = "MUBUF"
    return next(format for format in known if format.name == name)


def encode(opcode: Opcode, **fields) -> int:
    """The bits of an opcode with the given fields, operands and modifiers alike, and zeros elsewhere.

    ``literal`` follows the encoding, as do the fields of SDWA and DPP dwords.
    """
    generation = GENERATIONS[opcode.generation]
    format = format_of(opcode)
    width, value = format.ident
    word = put(0, 32 - width, width, value)
    word = put_bits(word, format.opcode, opcode.number)
    if opcode.format == "VOP3PX":
        word |= _SCALED
    known = dict(format.fields)
    if opcode.format in _SEGMENTS:
        word = put_bits(word, known["seg"], _SEGMENTS[opcode.format])
    variants = formats.VOP3_VARIANTS if generation.family == "gfx9" else formats_rdna.VOP3_VARIANTS
    for flag, variant in variants.items():
        if flag in opcode.flags or (flag == opcode.klass and opcode.format != "VOP3PX"):
            known |= variant
    for name, value in fields.items():
        if name == "literal":
            word = put(word, 8 * format.size, 32, value)
        elif name == "extra":
            word |= value << 8 * format.size
        elif name == "raw":
            word |= value
        elif name in known:
            word = put_bits(word, known[name], value)
        else:
            kind = "VOP3B" if opcode.format == "VOP3" and "vop3b" in opcode.flags else opcode.format
            if generation.family == "gfx9":
                _, low, width = slots.place(kind, name)
            else:
                _, low, width = slots_rdna.place(generation, kind, name)
            word = put(word, low, 7 if name == "saddr" else width, value)
    return word


def size(opcode: Opcode, **fields) -> int:
    """Bytes of what :func:`encode` made."""
    return format_of(opcode).size + 4 * ("literal" in fields or "extra" in fields)
