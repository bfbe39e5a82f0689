"""Modifiers of a disassembled RDNA instruction, as llvm-objdump spells them (LLVM AMDGPUModifierSyntax)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from anyhip.isa import immediates_rdna, modifiers
from anyhip.isa.decode import Instruction
from anyhip.isa.generations import GENERATIONS
from anyhip.isa.opcodes import Opcode
from anyhip.isa.plans_image import DIMENSIONS
from anyhip.isa.registers import Operand
from anyhip.isa.slots_rdna import HALVES

__all__ = ["buffer_format", "export", "half", "suffix"]

_SHORT = ("VOP1", "VOP2", "VOPC")
_FIELD_BIT = {"src0": 0, "src1": 1, "vsrc1": 1, "src2": 2, "vdst": 3}
_CACHE = ("glc", "slc", "dlc")
_SCOPES = ("", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS")
# Targets of exports: first number, how many, name.
_PIXEL = ((0, 8, "mrt"), (8, 1, "mrtz"), (9, 1, "null"), (12, 5, "pos"), (20, 1, "prim"))
_BLEND = (*_PIXEL[:2], *_PIXEL[3:], (21, 2, "dual_src_blend"))
_TARGETS = {"gfx10": (*_PIXEL, (32, 32, "param")), "gfx11": _BLEND, "gfx12": _BLEND}
_TEMPORAL = {
    "LOAD": ("", "NT", "HT", "LU", "NT_RT", "RT_NT", "NT_HT", ""),
    "STORE": ("", "NT", "HT", "WB", "NT_RT", "RT_NT", "NT_HT", "NT_WB"),
    "ATOMIC": ("", "RETURN", "NT", "NT_RETURN", "0x4", "0x5", "0x6", "0x7"),
}


def half(instruction: Instruction, name: str, value: Operand) -> str:
    """``.l`` or ``.h`` behind a register of which the instruction uses half; ``name`` is its field."""
    generation = GENERATIONS[instruction.opcode.generation]
    if not generation.true16 or value.kind != "v" or value.type not in HALVES:
        return ""
    if instruction.format not in (*_SHORT, "VOP3", "VINTERP"):
        return ""
    high = instruction.fields.get("op_sel", 0) >> _FIELD_BIT[name] & 1
    if generation.family == "gfx12":  # LLVM 22 writes whole registers there
        return ".h" if high and instruction.format in _SHORT else ""
    return ".h" if high else ".l"


@cache
def _half_bits(opcode: Opcode) -> int:
    """The bits of op_sel that choose a half and are written out."""
    operands = (*opcode.dst, *opcode.src)
    family = GENERATIONS[opcode.generation].family
    whole = opcode.suffix and family != "gfx11" and "word" not in opcode.flags
    if whole or ("src2", "mask") in operands:
        return 0
    if "word" in opcode.flags:
        return 15
    if family != "gfx11" and any(type in HALVES for _, type in operands):
        return 15
    return sum({1 << _FIELD_BIT[name] for name, type in operands if type in HALVES and name in _FIELD_BIT})


@cache
def _sources(opcode: Opcode) -> int:
    """How many sources op_sel has bits for; an accumulator of 16 bits counts."""
    names = {name for name, type in opcode.src if name != "vdst" or type in HALVES}
    return sum(name in names for name in ("src0", "src1")) + bool(names & {"src2", "vdst"})


def suffix(instruction: Instruction) -> str:
    """Everything that follows the operands, with a leading space, or nothing."""
    if instruction.variant == "sdwa":
        return modifiers.clamp(instruction) + modifiers.sdwa(instruction)
    writer = _SUFFIX.get(instruction.format)
    text = writer(instruction) if writer else ""
    if instruction.variant == "dpp":
        return text + _dpp16(instruction)
    if instruction.variant == "dpp8":
        return text + _dpp8(instruction)
    return text


def _fetch_inactive(instruction: Instruction) -> str:
    return " fi:1" if instruction.fields["fi"] else ""


def _dpp8(instruction: Instruction) -> str:
    lanes = ",".join(str(instruction.fields["dpp8"] >> 3 * lane & 7) for lane in range(8))
    return f" dpp8:[{lanes}]" + _fetch_inactive(instruction)


def _dpp16(instruction: Instruction) -> str:
    fields = instruction.fields
    control = fields["dpp_ctrl"]
    if control >= 0x150:
        text = f" {'row_share' if control < 0x160 else 'row_xmask'}:{control & 15}"
    else:
        text = modifiers.dpp_control(control)
    text += f" row_mask:{fields['row_mask']:#x} bank_mask:{fields['bank_mask']:#x}"
    return text + (" bound_ctrl:1" if fields["bound_ctrl"] else "") + _fetch_inactive(instruction)


def _vop3(instruction: Instruction) -> str:
    opcode = instruction.opcode
    select = instruction.fields.get("op_sel", 0)
    if "byte_sel" in instruction.fields:
        byte = instruction.fields["byte_sel"]
        return (f" byte_sel:{byte}" if byte else "") + modifiers.clamp(instruction)
    if "interp" in opcode.flags:
        return (" high" if instruction.fields["high"] else "") + modifiers.clamp(instruction)
    if "permlane" not in opcode.flags and "op_sel4" not in opcode.flags:
        select &= _half_bits(opcode)
    text = ""
    if select:
        count = _sources(opcode)
        if "permlane" in opcode.flags:
            text = modifiers.bits("op_sel", select, 2) if select & 3 else ""
        elif opcode.klass == "vcmp" and (instruction.variant != "e64" or opcode.dst[0][0] == "exec"):
            text = modifiers.bits("op_sel", select, count)
        elif "op_sel4" in opcode.flags:
            text = modifiers.bits("op_sel", select, 4)
        else:
            text = modifiers.bits("op_sel", select & (1 << count) - 1 | select >> 3 << count, count + 1)
    return text + modifiers.clamp(instruction)


def _whole(instruction: Instruction) -> str:
    fields, flags = instruction.fields, instruction.opcode.flags
    text = f" index_key:{fields['op_sel']}" if "index" in flags and fields["op_sel"] else ""
    text += modifiers.bits("neg_lo", fields["neg"], 3) if fields["neg"] else ""
    text += modifiers.bits("neg_hi", fields["neg_hi"], 3) if fields["neg_hi"] else ""
    return text + modifiers.clamp(instruction)


def _vop3p(instruction: Instruction) -> str:
    plain = "signs" in instruction.opcode.flags or instruction.opcode.klass == "wmma"
    whole = plain and "halves" not in instruction.opcode.flags
    return _whole(instruction) if whole else modifiers.vop3p(instruction)


def _cache(instruction: Instruction) -> str:
    fields = instruction.fields
    if "th" not in fields:
        return "".join(f" {word}" for word in _CACHE if fields.get(word))
    hint, scope = fields["th"], fields["scope"]
    flags = instruction.opcode.flags
    kind = "ATOMIC" if "atomic" in flags else "STORE" if "store" in flags else "LOAD"
    word = _TEMPORAL[kind][hint]
    if kind == "ATOMIC" and hint >= 4 and scope >= 2:
        word = "CASCADE_NT" if hint >= 6 else "CASCADE_RT"
    elif kind != "ATOMIC" and hint == 3 and scope == 3:
        word = "BYPASS"
    text = f" th:TH_{kind}_{word}" if word else f" th:{hint:#x}" if hint else ""
    return text + _SCOPES[scope] + (" nv" if fields["nv"] else "")


def _smem(instruction: Instruction) -> str:
    if instruction.opcode.klass == "cache" or not instruction.opcode.src:
        return ""
    return _cache(instruction)


def _flat(instruction: Instruction) -> str:
    offset = instruction.fields["offset"] if instruction.opcode.klass != "cache" else 0
    text = (f" offset:{offset}" if offset else "") + _cache(instruction)
    return text + (" lds" if instruction.fields.get("lds") else "")


def _buffer(instruction: Instruction) -> str:
    fields = instruction.fields
    if instruction.opcode.klass == "cache":
        return ""
    text = (" idxen" if fields["idxen"] else "") + (" offen" if fields["offen"] else "")
    text += f" offset:{fields['offset']}" if fields["offset"] else ""
    text += _cache(instruction) + (" tfe" if fields["tfe"] else "")
    return text + (" lds" if fields.get("lds") else "")


def buffer_format(instruction: Instruction) -> str:
    """The typed-buffer format, which stands between soffset and the other modifiers."""
    number = instruction.fields["format"]
    if number == 1:
        return ""
    family = GENERATIONS[instruction.opcode.generation].family
    word = immediates_rdna.name(family, "format", number)
    return f" format:[{word}]" if word else f" format:{number}"


def _image(instruction: Instruction) -> str:
    fields = instruction.fields
    text = f" dmask:{fields['dmask']:#x}" if fields["dmask"] else ""
    text += f" dim:SQ_RSRC_IMG_{DIMENSIONS[fields['dim']][0]}"
    text += (" unorm" if fields.get("unorm") else "") + _cache(instruction)
    return text + "".join(f" {name}" for name in ("r128", "a16", "tfe", "lwe", "d16") if fields.get(name))


def export(instruction: Instruction) -> str:
    """The whole line of an export, which has operands for what its mask enables."""
    fields, family = instruction.fields, GENERATIONS[instruction.opcode.generation].family
    target = fields["target"]
    for first, count, word in _TARGETS[family]:
        if first <= target < first + count:
            text = word + (str(target - first) if count > 1 else "")
            break
    else:
        text = f"invalid_target_{target}"
    compressed = fields.get("compr", 0)
    shown = [
        f"v{instruction.src[number >> compressed].index}" if fields["en"] >> number & 1 else "off"
        for number in range(4)
    ]
    modifiers = "".join(f" {name}" for name in ("done", "compr", "vm", "row_en") if fields.get(name))
    return f"{instruction.name} {text} {', '.join(shown)}{modifiers}"


def _interpolation(instruction: Instruction) -> str:
    fields = instruction.fields
    select = fields["op_sel"]
    text = " clamp" if fields["clamp"] else ""
    if select and any(type in HALVES for _, type in (*instruction.opcode.dst, *instruction.opcode.src)):
        text += modifiers.bits("op_sel", select, 4)
    return text + f" wait_exp:{fields['wait_exp']}"


def _direct(instruction: Instruction) -> str:
    fields = instruction.fields
    if "wait_vsrc" in fields:
        return f" wait_va_vdst:{fields['wait_vdst']} wait_vm_vsrc:{fields['wait_vsrc']}"
    return f" wait_vdst:{fields['wait_vdst']}"


_SUFFIX: dict[str, Callable[[Instruction], str]] = {
    "SMEM": _smem,
    "VOP3": _vop3,
    "VOP3P": _vop3p,
    "DS": modifiers.lds,
    "FLAT": _flat,
    "GLOBAL": _flat,
    "SCRATCH": _flat,
    "MUBUF": _buffer,
    "MTBUF": _buffer,
    "VINTERP": _interpolation,
    "LDSDIR": _direct,
    "MIMG": _image,
    "VIMAGE": _image,
    "VSAMPLE": _image,
}
