"""The oracle of the ISA tests: text through clang's assembler to bytes, and rows of the tables to bits."""

import subprocess

from anyhip import toolchain
from anyhip.codeobj.elf import Elf
from anyhip.isa import formats, slots
from anyhip.isa.opcodes import Opcode

_FORMATS = {format.name: format for format in formats.FORMATS}
_SEGMENTS = {"FLAT": 0, "SCRATCH": 1, "GLOBAL": 2}


def assemble(lines, folder, arch="gfx942"):
    """Machine code of assembly lines; the assembler's complaints fail the test."""
    source, output = folder / "lines.s", folder / "lines.o"
    source.write_text("\n".join(lines) + "\n")
    clang = toolchain.find().clang
    command = [*clang, "--target=amdgcn-amd-amdhsa", f"-mcpu={arch}", "-c", str(source), "-o", str(output)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:4000]
    file = Elf(output.read_bytes())
    return bytes(file.section_bytes(file.section(".text")))


def put(word, low, width, value):
    """``word`` with a bit field set."""
    mask = (1 << width) - 1
    assert 0 <= value <= mask
    return word & ~(mask << low) | value << low


def encode(opcode: Opcode, **fields) -> int:
    """The bits of an opcode with the given fields, operands and modifiers alike, and zeros elsewhere."""
    format = _FORMATS["FLAT" if opcode.format in _SEGMENTS else opcode.format]
    width, value = format.ident
    word = put(0, 32 - width, width, value)
    word = put(word, format.opcode.low, format.opcode.width, opcode.number)
    if opcode.format in _SEGMENTS:
        word = put(word, 14, 2, _SEGMENTS[opcode.format])
    known = dict(format.fields)
    for flag, variant in formats.VOP3_VARIANTS.items():
        if flag in opcode.flags or flag == opcode.klass:
            known |= variant
    for name, value in fields.items():
        if name == "literal":
            word = put(word, 32, 32, value)
        elif name in known:
            for low, width, place in known[name].pieces or ((known[name].low, known[name].width, 0),):
                word = put(word, low, width, value >> place & (1 << width) - 1)
        else:
            kind = "VOP3B" if opcode.format == "VOP3" and "vop3b" in opcode.flags else opcode.format
            _, low, width = slots.place(kind, name)
            word = put(word, low, width, value)
    return word


def size(opcode: Opcode, **fields) -> int:
    """Bytes of what :func:`encode` made."""
    format = _FORMATS["FLAT" if opcode.format in _SEGMENTS else opcode.format]
    return format.size + 4 * ("literal" in fields)
