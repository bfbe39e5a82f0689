"""Modifiers of a disassembled instruction, as llvm-objdump spells them (LLVM AMDGPUModifierSyntax)."""

from __future__ import annotations

from collections.abc import Callable

from anyhip.isa.decode import Instruction
from anyhip.isa.registers import Operand

__all__ = [
    "IMMEDIATES",
    "bits",
    "buffer_format",
    "clamp",
    "dpp_control",
    "lds",
    "sdwa",
    "source",
    "suffix",
    "vector_sources",
    "vop3p",
]

_SELECT = ("BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "7")
_UNUSED = ("UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "3")
_OMOD = ("", " mul:2", " mul:4", " div:2")
_CACHE = (("sc0", "sc0"), ("glc", "glc"), ("nt", "nt"), ("slc", "slc"), ("sc1", "sc1"), ("scc", "scc"))
_SHIFTS = {0x100: "row_shl", 0x110: "row_shr", 0x120: "row_ror", 0x150: "row_newbcast"}
_DPP = {
    0x130: "wave_shl:1",
    0x134: "wave_rol:1",
    0x138: "wave_shr:1",
    0x13C: "wave_ror:1",
    0x140: "row_mirror",
    0x141: "row_half_mirror",
    0x142: "row_bcast:15",
    0x143: "row_bcast:31",
}
_HWREG = {
    1: "HW_REG_MODE",
    2: "HW_REG_STATUS",
    3: "HW_REG_TRAPSTS",
    4: "HW_REG_HW_ID",
    5: "HW_REG_GPR_ALLOC",
    6: "HW_REG_LDS_ALLOC",
    7: "HW_REG_IB_STS",
    15: "HW_REG_SH_MEM_BASES",
    16: "HW_REG_TBA_LO",
    17: "HW_REG_TBA_HI",
    18: "HW_REG_TMA_LO",
    19: "HW_REG_TMA_HI",
    20: "HW_REG_XCC_ID",
    21: "HW_REG_SQ_PERF_SNAPSHOT_DATA",
    22: "HW_REG_SQ_PERF_SNAPSHOT_DATA1",
    23: "HW_REG_SQ_PERF_SNAPSHOT_PC_LO",
    24: "HW_REG_SQ_PERF_SNAPSHOT_PC_HI",
}
_MESSAGES = {
    1: "MSG_INTERRUPT",
    2: "MSG_GS",
    3: "MSG_GS_DONE",
    4: "MSG_SAVEWAVE",
    5: "MSG_STALL_WAVE_GEN",
    6: "MSG_HALT_WAVES",
    7: "MSG_ORDERED_PS_DONE",
    8: "MSG_EARLY_PRIM_DEALLOC",
    9: "MSG_GS_ALLOC_REQ",
    10: "MSG_GET_DOORBELL",
    15: "MSG_SYSMSG",
}
_GS_OPERATIONS = ("GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT")
_SYSTEM_OPERATIONS = {
    1: "SYSMSG_OP_ECC_ERR_INTERRUPT",
    2: "SYSMSG_OP_REG_RD",
    3: "SYSMSG_OP_HOST_TRAP_ACK",
    4: "SYSMSG_OP_TTRACE_PC",
}
_DATA_FORMATS = [
    "INVALID",
    "8",
    "16",
    "8_8",
    "32",
    "16_16",
    "10_11_11",
    "11_11_10",
    "10_10_10_2",
    "2_10_10_10",
    "8_8_8_8",
    "32_32",
    "16_16_16_16",
    "32_32_32",
    "32_32_32_32",
    "RESERVED_15",
]
_NUMBER_FORMATS = ["UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT"]


def source(instruction: Instruction, position: int, value: Operand, text: str) -> str:
    """A source operand's text with its neg, abs or sext."""
    fields = instruction.fields
    if instruction.variant == "sdwa" and position < 2 and fields[f"src{position}_sext"]:
        return f"sext({text})"
    if instruction.format in ("VOP3P", "VOP3PX") and "mix" not in instruction.opcode.flags:
        return text  # neg_lo and neg_hi are printed at the end
    if fields.get("abs", 0) >> position & 1:
        text = f"|{text}|"
    if fields.get("neg", 0) >> position & 1:
        number = value.kind == "const" and not text.startswith(("|", "lit"))
        return f"neg({text})" if number else f"-{text}"
    return text


def suffix(instruction: Instruction) -> str:
    """Everything that follows the operands, with a leading space, or nothing."""
    if instruction.variant == "sdwa":
        return clamp(instruction) + sdwa(instruction)
    if instruction.variant == "dpp":
        return _dpp(instruction)
    writer = _SUFFIX.get(instruction.format)
    return writer(instruction) if writer else ""


def clamp(instruction: Instruction) -> str:
    """Output modifiers."""
    fields = instruction.fields
    return (" clamp" if fields.get("clamp") else "") + _OMOD[fields.get("omod", 0)]


def sdwa(instruction: Instruction) -> str:
    """What an SDWA instruction selects."""
    fields, opcode = instruction.fields, instruction.opcode
    sources = sum(name in ("src0", "vsrc1") for name, _ in opcode.src)
    text = ""
    if "dst_sel" in fields and "no_dst_sel" not in opcode.flags:
        text += f" dst_sel:{_SELECT[fields['dst_sel']]} dst_unused:{_UNUSED[fields['dst_unused']]}"
    for number in range(sources):
        text += f" src{number}_sel:{_SELECT[fields[f'src{number}_sel']]}"
    return text


def _dpp(instruction: Instruction) -> str:
    fields = instruction.fields
    text = dpp_control(fields["dpp_ctrl"])
    text += f" row_mask:{fields['row_mask']:#x} bank_mask:{fields['bank_mask']:#x}"
    return text + (" bound_ctrl:1" if fields["bound_ctrl"] else "")


def dpp_control(control: int) -> str:
    """Which lane each lane of a DPP instruction reads."""
    if control < 0x100:
        lanes = ",".join(str(control >> 2 * lane & 3) for lane in range(4))
        return f" quad_perm:[{lanes}]"
    if control in _DPP:
        return f" {_DPP[control]}"
    return f" {_SHIFTS.get(control & 0x1F0, 'dpp_ctrl')}:{control & 15}"


def bits(name: str, mask: int, count: int) -> str:
    """A modifier with a bit for each operand."""
    return f" {name}:[" + ",".join(str(mask >> bit & 1) for bit in range(count)) + "]"


def vector_sources(instruction: Instruction) -> int:
    """Sources of a VOP3 that modifiers apply to."""
    return sum(name in ("src0", "src1", "src2") for name, _ in instruction.opcode.src)


def _vop3(instruction: Instruction) -> str:
    select = instruction.fields.get("op_sel", 0)
    text = f" bitop3:{instruction.fields['bitop3']:#x}" if instruction.fields.get("bitop3") else ""
    if instruction.opcode.klass == "lane" and "swap" in instruction.opcode.flags:
        return text + (" bound_ctrl:1" if select & 2 else "") + (" fi:1" if select & 1 else "")
    if select and instruction.opcode.klass != "vcmp":
        count = vector_sources(instruction)
        wide = "op_sel4" in instruction.opcode.flags
        text += bits(
            "op_sel",
            select if wide else select & (1 << count) - 1 | select >> 3 << count,
            4 if wide else count + 1,
        )
    return text + clamp(instruction)


def vop3p(instruction: Instruction) -> str:
    """Modifiers of a packed instruction."""
    fields, flags = instruction.fields, instruction.opcode.flags
    if "cbsz" in fields:
        return _matrix(instruction)
    count = vector_sources(instruction)
    full = (1 << count) - 1
    text = bits("op_sel", fields["op_sel"], count) if fields["op_sel"] & full else ""
    high = fields["op_sel_hi"] & full
    if high != (0 if "mix" in flags else full):
        text += bits("op_sel_hi", high, count)
    if "mix" not in flags:
        text += bits("neg_lo", fields["neg"], count) if fields["neg"] & full else ""
        text += bits("neg_hi", fields["neg_hi"], count) if fields["neg_hi"] & full else ""
    return text + clamp(instruction)


def _matrix(instruction: Instruction) -> str:
    if instruction.opcode.klass != "mfma":
        return ""
    fields = instruction.fields
    text = ""
    if instruction.format == "VOP3PX":
        text = bits("op_sel", fields["op_sel"], 3) if fields["op_sel"] else ""
        text += bits("op_sel_hi", fields["op_sel_hi"], 3)
    broadcast = ("cbsz",) if "formats" in instruction.opcode.flags else ("cbsz", "abid")
    text += "".join(f" {name}:{fields[name]}" for name in broadcast if fields[name])
    if fields["blgp"]:
        text += (
            bits("neg", fields["blgp"], 3) if "neg" in instruction.opcode.flags else f" blgp:{fields['blgp']}"
        )
    return text


def _cache(instruction: Instruction) -> str:
    return "".join(f" {word}" for name, word in _CACHE if instruction.fields.get(name))


def _smem(instruction: Instruction) -> str:
    return " glc" if instruction.fields["glc"] and instruction.opcode.klass != "cache" else ""


def lds(instruction: Instruction) -> str:
    """Offsets and patterns of an LDS instruction."""
    fields, flags = instruction.fields, instruction.opcode.flags
    if "two" in flags:
        text = "".join(f" {name}:{fields[name]}" for name in ("offset0", "offset1") if fields[name])
    elif "swizzle" in flags:
        text = _swizzle(fields["offset"])
    else:
        text = f" offset:{fields['offset']}" if fields["offset"] else ""
    return text + (" gds" if fields.get("gds") else "")


def _swizzle(offset: int) -> str:
    """The patterns of ds_swizzle_b32 (CDNA3 ISA guide, "DS_SWIZZLE_B32")."""
    if offset == 0:
        return ""
    if offset >= 0xE000:
        return f" offset:swizzle(FFT,{offset & 31})"
    if offset >= 0xC000:
        return f" offset:swizzle(ROTATE,{offset >> 10 & 1},{offset >> 5 & 31})"
    if offset & 0x8000:
        if offset & 0x7F00:
            return f" offset:{offset}"
        lanes = ",".join(str(offset >> 2 * lane & 3) for lane in range(4))
        return f" offset:swizzle(QUAD_PERM,{lanes})"
    keep, join, flip = offset & 31, offset >> 5 & 31, offset >> 10 & 31
    if keep == 31 and join == 0 and flip & flip - 1 == 0 and flip:
        return f" offset:swizzle(SWAP,{flip})"
    if keep == 31 and join == 0 and flip and flip & flip + 1 == 0:
        return f" offset:swizzle(REVERSE,{flip + 1})"
    group = 32 - keep
    if flip == 0 and group > 1 and group & group - 1 == 0 and join < group:
        return f" offset:swizzle(BROADCAST,{group},{join})"
    letters = ""
    for bit in (16, 8, 4, 2, 1):
        letters += (
            ("p" if not flip & bit else "i")
            if keep & bit and not join & bit
            else _fixed_bit(keep, join, flip, bit)
        )
    return f' offset:swizzle(BITMASK_PERM,"{letters}")'


def _fixed_bit(keep: int, join: int, flip: int, bit: int) -> str:
    return str(int(bool(join & bit) != bool(flip & bit)))


def _flat(instruction: Instruction) -> str:
    offset = instruction.fields["offset"]
    return (f" offset:{offset}" if offset else "") + _cache(instruction)


def _buffer(instruction: Instruction) -> str:
    fields = instruction.fields
    if instruction.opcode.klass == "cache":
        return _cache(instruction)
    text = (" idxen" if fields["idxen"] else "") + (" offen" if fields["offen"] else "")
    text += f" offset:{fields['offset']}" if fields["offset"] else ""
    return text + _cache(instruction) + (" lds" if fields.get("lds") else "")


def buffer_format(instruction: Instruction) -> str:
    """The typed-buffer format, which stands between soffset and the other modifiers."""
    data, number = instruction.fields["dfmt"], instruction.fields["nfmt"]
    if (data, number) == (1, 0):
        return ""
    names = [f"BUF_DATA_FORMAT_{_DATA_FORMATS[data]}"] if data != 1 else []
    names += [f"BUF_NUM_FORMAT_{_NUMBER_FORMATS[number]}"] if number else []
    return " format:[" + ",".join(names) + "]"


_SUFFIX: dict[str, Callable[[Instruction], str]] = {
    "SMEM": _smem,
    "VOP3": _vop3,
    "VOP3P": vop3p,
    "VOP3PX": _matrix,
    "DS": lds,
    "FLAT": _flat,
    "GLOBAL": _flat,
    "SCRATCH": _flat,
    "MUBUF": _buffer,
    "MTBUF": _buffer,
}


def _waitcnt(bits: int) -> str:
    vector = bits & 15 | bits >> 10 & 0x30
    export, lds = bits >> 4 & 7, bits >> 8 & 15
    full = vector == 63 and export == 7 and lds == 15
    parts = [("vmcnt", vector, 63), ("expcnt", export, 7), ("lgkmcnt", lds, 15)]
    return " ".join(f"{name}({value})" for name, value, most in parts if full or value != most)


def _hwreg(bits: int) -> str:
    number, offset, width = bits & 63, bits >> 6 & 31, (bits >> 11) + 1
    name = _HWREG.get(number, str(number))
    return f"hwreg({name})" if (offset, width) == (0, 32) else f"hwreg({name}, {offset}, {width})"


def _message(bits: int) -> str:
    number, operation, stream = bits & 15, bits >> 4 & 7, bits >> 8 & 3
    name = _MESSAGES.get(number)
    rest = bits & ~0x37F == 0
    if rest and number in (2, 3) and name and (operation or number == 3) and operation < 4:
        words = [name, _GS_OPERATIONS[operation]] + ([str(stream)] if operation else [])
        return (
            f"sendmsg({', '.join(words)})"
            if operation or not stream
            else f"sendmsg({number}, {operation}, {stream})"
        )
    if rest and number == 15 and operation in _SYSTEM_OPERATIONS and not stream:
        return f"sendmsg({name}, {_SYSTEM_OPERATIONS[operation]})"
    if rest and name and number not in (2, 3, 15) and not operation and not stream:
        return f"sendmsg({name})"
    return f"sendmsg({number}, {operation}, {stream})" if rest else str(bits)


def _gpr_index(bits: int) -> str:
    names = [name for bit, name in enumerate(("SRC0", "SRC1", "SRC2", "DST")) if bits >> bit & 1]
    return f"gpr_idx({','.join(names)})" if bits < 16 else f"{bits:#x}"


IMMEDIATES: dict[str, Callable[[int], str]] = {
    "imm": str,
    "imm16": lambda bits: str(bits) if bits <= 64 else f"{bits:#x}",
    "end": lambda bits: str(bits) if bits else "",
    "rel": str,
    "waitcnt": _waitcnt,
    "hwreg": _hwreg,
    "sendmsg": _message,
    "gpr_idx": _gpr_index,
}
