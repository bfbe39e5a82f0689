"""Disassembly: an Instruction in, one line in the spelling of llvm-objdump out.

Spelling: LLVM AMDGPUOperandSyntax, AMDGPUModifierSyntax and AMDGPUInstructionSyntax.
"""

from __future__ import annotations

from collections.abc import Mapping

from anyhip.isa import immediates_rdna, modifiers, modifiers_rdna
from anyhip.isa.decode import Instruction
from anyhip.isa.generations import GENERATIONS
from anyhip.isa.registers import INLINE_FLOATS, LITERAL, Operand, element

__all__ = ["format", "operand"]

_FLOAT_TEXT = ("0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494")
_HALF = {bits[0]: text for bits, text in zip(INLINE_FLOATS, _FLOAT_TEXT, strict=True)}
_BRAIN = {bits[1]: text for bits, text in zip(INLINE_FLOATS, _FLOAT_TEXT, strict=True)}
_SINGLE = {bits[2]: text for bits, text in zip(INLINE_FLOATS, _FLOAT_TEXT, strict=True)}
_DOUBLE = {
    bits[3]: text for bits, text in zip(INLINE_FLOATS, (*_FLOAT_TEXT[:8], "0.15915494309189532"), strict=True)
}
_SCALAR_PAIRS = {102: "flat_scratch", 104: "xnack_mask", 106: "vcc", 126: "exec"}
_RDNA_PAIRS = {106: "vcc", 126: "exec"}
_SILENT = frozenset({"scc", "exec", "m0", "flat_scratch"})
_SOURCES = {"src0": 0, "src1": 1, "src2": 2}  # where neg and abs have their bits
_K_FORMATS = frozenset({"VOP2", "VOPD_X", "VOPD_Y", "SOP2"})
_MEMORY = frozenset({"SMEM", "MUBUF", "MTBUF"})


def format(instruction: Instruction, labels: Mapping[int, str] | None = None) -> str:
    """One line of disassembly.

    Args:
        instruction: what to print.
        labels: names of addresses; a branch to one of them prints the name instead of its offset.
    """
    if instruction.parts:
        return " :: ".join(format(part, labels) for part in instruction.parts)
    if instruction.format == "EXP":
        return modifiers_rdna.export(instruction)
    words = ", ".join(word for word in _operands(instruction, labels) if word)
    line = f"{_mnemonic(instruction)} {words}" if words else _mnemonic(instruction)
    rdna = _is_rdna(instruction)
    return line + (modifiers_rdna.suffix(instruction) if rdna else modifiers.suffix(instruction))


def _is_rdna(instruction: Instruction) -> bool:
    return GENERATIONS[instruction.opcode.generation].family != "gfx9"


def _mnemonic(instruction: Instruction) -> str:
    variant = instruction.variant
    name = instruction.name
    if variant in ("sdwa", "dpp", "dpp8"):
        long = "_e64" if instruction.format in ("VOP3", "VOP3P") else ""
        if instruction.format == "VOPC" and variant != "sdwa" and _is_rdna(instruction):
            return name
        return f"{name}{long}_{variant[:4].rstrip('8')}"
    if instruction.opcode.suffix:
        return name + ("_e64" if variant == "e64" else "_e32")
    return name


def _operands(instruction: Instruction, labels: Mapping[int, str] | None) -> list[str]:
    # Name of a field -> (operand, its position among the sources or -1). A field that is read and written is
    # shown once; where the two differ in width (atomics), as the wider source.
    shown: dict[str, tuple[Operand, int]] = {}
    for (name, _), value in zip(instruction.opcode.dst, instruction.dst, strict=False):
        if not _hidden(instruction, name):
            shown["vcc written" if name == "vcc" else name] = (value, -1)
    for position, ((name, _), value) in enumerate(zip(instruction.opcode.src, instruction.src, strict=True)):
        if not _hidden(instruction, name) and (name not in shown or instruction.format in _MEMORY):
            shown[name] = (value, position)
    words = [_shown(instruction, name, *found, labels) for name, found in shown.items()]
    spread = [number for number, name in enumerate(shown) if name.startswith("vaddr") and name != "vaddr"]
    if spread:  # registers of an image address that do not follow each other
        words[spread[0] : spread[-1] + 1] = [f"[{', '.join(words[spread[0] : spread[-1] + 1])}]"]
    return words


def _shown(
    instruction: Instruction, name: str, value: Operand, position: int, labels: Mapping[int, str] | None
) -> str:
    if name == "soffset" and instruction.format == "SMEM":
        return _smem_offset(instruction, value)
    text = _one(instruction, value, labels)
    if name == "soffset" and instruction.format == "MTBUF":
        writer = modifiers_rdna.buffer_format if _is_rdna(instruction) else modifiers.buffer_format
        return text + writer(instruction)
    if value.kind == "v":
        text += modifiers_rdna.half(instruction, name, value)
    if value.type.startswith(("i", "u", "attr")) and _is_rdna(instruction) and instruction.variant != "sdwa":
        return text  # neg and abs are for floats
    if name in _SOURCES:
        position = _SOURCES[name]
    return text if position < 0 else modifiers.source(instruction, position, value, text)


def _hidden(instruction: Instruction, name: str) -> bool:
    if name in _SILENT:
        return True
    if name == "vcc":
        return instruction.format not in ("VOP2", "VOPC")
    # A buffer load to LDS has no data register.
    return name == "vdata" and instruction.format == "MUBUF" and bool(instruction.fields.get("lds"))


def _one(instruction: Instruction, value: Operand, labels: Mapping[int, str] | None) -> str:
    if value.type == "rel":
        target = instruction.branch_target
        return (labels or {}).get(target if target is not None else -1) or str(value.value)
    family = GENERATIONS[instruction.opcode.generation].family
    immediates = modifiers.IMMEDIATES if family == "gfx9" else immediates_rdna.immediates(family)
    if value.type in immediates and value.kind == "const" and value.index == LITERAL:
        return immediates[value.type](value.value)
    if instruction.format == "SOPK" and value.kind == "const" and value.type in ("i32", "u32"):
        return f"{value.value & 0xFFFF:#x}"
    if value.kind == "const" and instruction.format == "SOPC" and value.type == "f16" and value.index >= 240:
        return f"{value.value:#x}"
    if value.kind == "const" and value.index == LITERAL:
        if instruction.format == "SOPK":  # s_setreg_imm32_b32: printed as if it were inline
            return _constant(Operand("const", 0, 1, value.type, value.value))
        if _is_k(instruction):
            return f"{value.value:#x}"
        if "mix" in instruction.opcode.flags:  # LLVM shows them as f16, whatever they are
            value = Operand("const", LITERAL, 1, "f16", value.value & 0xFFFF)
    return operand(value, family)


def _is_k(instruction: Instruction) -> bool:
    """v_fmaak and v_fmamk print their literal as it is, even when an inline constant equals it."""
    return any(name == "literal" for name, _ in instruction.opcode.src) and instruction.format in _K_FORMATS


def _smem_offset(instruction: Instruction, value: Operand) -> str:
    offset = instruction.fields["offset"]
    if "prefetch" in instruction.opcode.flags:
        return f"{_hex(offset)}, {'null' if value.name == 'off' else operand(value, 'gfx12')}"
    if value.name != "off":
        family = GENERATIONS[instruction.opcode.generation].family
        shown = instruction.fields.get("imm", offset or "th" in instruction.fields)
        return operand(value, family) + (f" offset:{offset:#x}" if shown else "")
    if not offset and "imm" not in instruction.fields and "th" not in instruction.fields:
        return "null"
    return _hex(offset)


def _hex(number: int) -> str:
    return f"-{-number:#x}" if number < 0 else f"{number:#x}"


def operand(value: Operand, family: str = "gfx9") -> str:
    """An operand without modifiers, e.g. ``s[4:5]``, ``vcc``, ``0.5``.

    Args:
        family: of its generation: GFX9 names some scalar registers that are plain ones later.
    """
    if value.kind == "const":
        return _constant(value)
    if value.kind == "special":
        return value.name if value.name in ("off", "null") else f"src_{value.name}"
    if value.kind == "s":
        return _scalar(value, _SCALAR_PAIRS if family == "gfx9" else _RDNA_PAIRS)
    return _range(value.kind, value.index, value.count)


def _range(letter: str, index: int, count: int) -> str:
    return f"{letter}{index}" if count == 1 else f"{letter}[{index}:{index + count - 1}]"


def _scalar(value: Operand, pairs: Mapping[int, str]) -> str:
    index, count = value.index, value.count
    if index == 124:
        return "m0"
    if 108 <= index <= 123:
        return _range("ttmp", index - 108, count)
    pair = pairs.get(index & ~1)
    if pair is None or count > 2:
        return _range("s", index, count)
    return pair if count == 2 else f"{pair}_{'hi' if index & 1 else 'lo'}"


def _constant(value: Operand) -> str:
    letters, bits = ("b", 32 * value.count) if value.type == "mask" else element(value.type)
    packed = value.type.startswith("pk_")
    if bits == 16 and packed:
        text = _packed(value.value, letters)
        return text if value.index != LITERAL or text.startswith("0x") else f"lit({value.value:#x})"
    width = 64 if bits == 64 else 16 if bits == 16 else 32
    if value.index == LITERAL:
        return _literal(value, width, letters)
    number = value.value - (value.value >> width - 1 << width)
    if -16 <= number <= 64:
        return str(number)
    if width == 16:
        table = _BRAIN if letters == "bf" else _HALF
        return table.get(value.value, f"{value.value:#x}") if "f" in letters else f"{value.value:#x}"
    if width == 32:
        return _SINGLE.get(value.value, f"{value.value:#x}")
    return _DOUBLE[value.value]


def _literal(value: Operand, width: int, letters: str) -> str:
    """A literal dword; ``lit()`` says that it is one where an inline constant would do."""
    if width == 64:
        # An f64 literal is its high dword; an integer one is zero-extended for this question.
        raw = value.value >> 32 if letters == "f" else value.value & 0xFFFFFFFF
        inline = value.value in _DOUBLE or raw <= (0 if letters == "f" else 64)
    else:
        raw = value.value
        inline = raw in (_HALF if width == 16 else _SINGLE) or -16 <= raw - (raw >> width - 1 << width) <= 64
    return f"lit({raw:#x})" if inline else f"{raw:#x}"


def _packed(bits: int, letters: str) -> str:
    number = bits - (bits >> 31 << 32)
    if -16 <= number <= 64:
        return str(number)
    table = _HALF if letters == "f" else _BRAIN if letters == "bf" else _SINGLE
    return table.get(bits, f"{bits:#x}")
