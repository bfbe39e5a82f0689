"""Immediates of RDNA instructions, as llvm-objdump spells them (LLVM AMDGPUOperandSyntax)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from anyhip import tables

__all__ = ["immediates", "name"]

_GS_OPERATIONS = ("GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT")
_SYSTEM_OPERATIONS = {1: "SYSMSG_OP_ECC_ERR_INTERRUPT", 2: "SYSMSG_OP_REG_RD", 4: "SYSMSG_OP_TTRACE_PC"}
_DELAYS = (
    "NO_DEP", "VALU_DEP_1", "VALU_DEP_2", "VALU_DEP_3", "VALU_DEP_4", "TRANS32_DEP_1", "TRANS32_DEP_2",
    "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1", "SALU_CYCLE_1", "SALU_CYCLE_2", "SALU_CYCLE_3",
)  # fmt: skip
_SKIPS = ("SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4")
# Counters of s_waitcnt_depctr: name, lowest bit, most.
_DEPENDENCIES = (
    ("hold_cnt", 7, 1),
    ("sa_sdst", 0, 1),
    ("va_vdst", 12, 15),
    ("va_sdst", 9, 7),
    ("va_ssrc", 8, 1),
    ("va_vcc", 1, 1),
    ("vm_vsrc", 2, 7),
)
_DEPENDENCY_BITS = sum(most << low for _, low, most in _DEPENDENCIES)
# vmcnt, expcnt and lgkmcnt of s_waitcnt: shifts and masks of each part of the count, lowest part first.
_WAITS = {
    "gfx10": (((0, 15), (10, 0x30)), ((4, 7),), ((8, 63),)),
    "gfx11": (((10, 63),), ((0, 7),), ((4, 63),)),
}
_WAITS["gfx12"] = _WAITS["gfx11"]
_VERSIONS = {0: "UC_VERSION_GFX7", 4: "UC_VERSION_GFX10", 6: "UC_VERSION_GFX11", 9: "UC_VERSION_GFX12"}
_VERSION_BITS = ((13, "UC_VERSION_W64_BIT"), (14, "UC_VERSION_W32_BIT"), (15, "UC_VERSION_MDP_BIT"))


@cache
def _names(family: str) -> dict[tuple[str, int], str]:
    text = Path(__file__).with_name("immediates.tsv").read_text(encoding="utf-8")
    rows = tables.parse(text, "immediates.tsv")
    return {(row["kind"], int(row["number"])): row[family] for row in rows if row[family]}


def name(family: str, kind: str, number: int) -> str:
    """What a number names (kind ``hwreg``, ``message`` or ``format``); empty where it names nothing."""
    return _names(family).get((kind, number), "")


def _waitcnt(family: str, bits: int) -> str:
    counts = []
    for word, parts in zip(("vmcnt", "expcnt", "lgkmcnt"), _WAITS[family], strict=True):
        value = sum(bits >> shift & mask for shift, mask in parts)
        counts.append((word, value, sum(mask for _, mask in parts)))
    full = all(value == most for _, value, most in counts)
    return " ".join(f"{word}({value})" for word, value, most in counts if full or value != most)


def _hwreg(family: str, bits: int) -> str:
    number, offset, width = bits & 63, bits >> 6 & 31, (bits >> 11) + 1
    word = name(family, "hwreg", number) or str(number)
    return f"hwreg({word})" if (offset, width) == (0, 32) else f"hwreg({word}, {offset}, {width})"


def _message(family: str, bits: int) -> str:
    if family != "gfx10":
        word = name(family, "message", bits & 0xFF)
        return f"sendmsg({word})" if word else f"sendmsg({bits}, 0, 0)" if bits < 256 else str(bits)
    number, operation, stream = bits & 15, bits >> 4 & 7, bits >> 8 & 3
    word = name(family, "message", number)
    if number in (2, 3) and operation < 4 and (operation or (number == 3 and not stream)):
        tail = f", {stream}" if operation else ""
        return f"sendmsg({word}, {_GS_OPERATIONS[operation]}{tail})"
    if number == 15 and operation in _SYSTEM_OPERATIONS and not stream:
        return f"sendmsg({word}, {_SYSTEM_OPERATIONS[operation]})"
    if word and number not in (2, 3, 15) and not operation and not stream:
        return f"sendmsg({word})"
    return f"sendmsg({number}, {operation}, {stream})" if bits & ~0x37F == 0 else str(bits)


def _choice(names: tuple[str, ...], number: int, what: str) -> str:
    return names[number] if number < len(names) else f"/* invalid {what} value */"


def _delay(family: str, bits: int) -> str:
    parts = []
    if bits & 15:
        parts.append(f"instid0({_choice(_DELAYS, bits & 15, 'instid')})")
    if bits >> 4 & 7:
        parts.append(f"instskip({_choice(_SKIPS, bits >> 4 & 7, 'instskip')})")
    if bits >> 7 & 15:
        parts.append(f"instid1({_choice(_DELAYS, bits >> 7 & 15, 'instid')})")
    return " | ".join(parts) or "0"


def _dependencies(family: str, bits: int) -> str:
    if bits & ~_DEPENDENCY_BITS:
        return f"{bits:#x}"
    full = bits == _DEPENDENCY_BITS
    return " ".join(
        f"depctr_{word}({bits >> low & most})"
        for word, low, most in _DEPENDENCIES
        if full or bits >> low & most != most
    )


def _version(family: str, bits: int) -> str:
    if bits & 0x1F00:
        return f"{bits:#x}"
    words = [word for bit, word in _VERSION_BITS if bits >> bit & 1]
    return "|".join([_VERSIONS.get(bits & 0xFF, str(bits & 0xFF)), *words])


_WRITERS: dict[str, Callable[[str, int], str]] = {
    "imm": lambda family, bits: str(bits) if bits <= 64 else f"{bits:#x}",
    "imm16": lambda family, bits: str(bits) if bits <= 64 else f"{bits:#x}",
    "count": lambda family, bits: f"{bits:#x}",
    "barrier": lambda family, bits: str(bits) if bits <= 64 else f"{bits:#x}",
    "end": lambda family, bits: str(bits) if bits else "",
    "attr": lambda family, bits: f"attr{bits >> 2}.{'xyzw'[bits & 3]}",
    "attr10": lambda family, bits: f"attr{bits & 63}.{'xyzw'[bits >> 6]}",
    "param": lambda family, bits: ("p10", "p20", "p0")[bits] if bits < 3 else f"invalid_param_{bits}",
    "waitcnt": _waitcnt,
    "hwreg": _hwreg,
    "sendmsg": _message,
    "delay": _delay,
    "depctr": _dependencies,
    "version": _version,
}


@cache
def immediates(family: str) -> dict[str, Callable[[int], str]]:
    """Writers of immediates by the type of their operand."""
    return {type: _bound(writer, family) for type, writer in _WRITERS.items()}


def _bound(writer: Callable[[str, int], str], family: str) -> Callable[[int], str]:
    return lambda bits: writer(family, bits)
