"""PTX text in, its kernels and their parameters out (PTX ISA, "Kernel and Function Directives").

The runtime asks a code object for its kernels and their arguments; of AMD's fields only those mean anything.
"""

from __future__ import annotations

import re

from anyhip.codeobj import descriptor
from anyhip.codeobj.codeobject import CodeObject, KernelInfo
from anyhip.codeobj.metadata import KernelArg
from anyhip.errors import CodeObjectError
from anyhip.target import Target

__all__ = ["read"]

_ENTRY = re.compile(
    r"^\s*(?:\.(?:visible|weak|extern)\s+)?\.entry\s+(?P<name>[\w$%]+)\s*(?:\((?P<parameters>[^()]*)\))?"
    r"(?P<directives>[^{;]*)[{;]",
    re.MULTILINE,
)
_PARAMETER = re.compile(
    r"\.param\s+(?:\.align\s+(?P<align>\d+)\s+)?\.[a-z](?P<bits>\d+)(?P<pointer>\s+\.ptr)?[^\[,]*"
    r"(?:\[(?P<count>\d+)\])?"
)
_MOST_THREADS = re.compile(r"\.(?:max|req)ntid\s+([\d\s,]+)")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_NO_DESCRIPTOR = bytes(descriptor.SIZE)
_DEVICE_MOST = 1024


def read(data: bytes, target: Target) -> CodeObject:
    """Read PTX.

    Args:
        data: the text.
        target: what it was compiled for.

    Raises:
        CodeObjectError: it is no PTX.
    """
    try:
        text = data.rstrip(b"\0").decode()
    except UnicodeDecodeError as error:
        raise CodeObjectError(f"the entry for {target.id} is no PTX text ({error})") from error
    plain = _COMMENT.sub("", text)
    if ".version" not in plain:
        raise CodeObjectError(f"the entry for {target.id} is no PTX: it states no .version")
    kernels = {found["name"]: _kernel(found, target) for found in _ENTRY.finditer(plain)}
    return CodeObject(
        target=target,
        abi_version=0,
        version=0,
        image=text.encode(),
        segments=(),
        kernels=kernels,
        symbols={},
        relocations=(),
        printf_formats={},
        metadata={},
    )


def _kernel(found: re.Match[str], target: Target) -> KernelInfo:
    args, size, align = _arguments(found["parameters"] or "")
    return KernelInfo(
        name=found["name"],
        descriptor=descriptor.decode(_NO_DESCRIPTOR, target),
        descriptor_address=0,
        entry=0,
        args=args,
        kernarg_size=size,
        kernarg_align=align,
        group_segment_size=0,
        private_segment_size=0,
        wavefront_size=target.wave_size,
        max_flat_workgroup_size=_threads(found["directives"]),
        sgpr_count=0,
        vgpr_count=0,
        agpr_count=0,
        sgpr_spill_count=0,
        vgpr_spill_count=0,
        kind="normal",
        uses_dynamic_stack=False,
        uniform_work_group_size=True,
        reqd_workgroup_size=(),
        metadata={},
    )


def _arguments(text: str) -> tuple[tuple[KernelArg, ...], int, int]:
    """Arguments one after the other, each at a multiple of its alignment; their size and alignment."""
    args: list[KernelArg] = []
    offset, widest = 0, 1
    for found in _PARAMETER.finditer(text):
        element = int(found["bits"]) // 8
        align = int(found["align"] or element)
        size = element * int(found["count"] or 1)
        offset += -offset % align
        args.append(KernelArg(offset, size, "global_buffer" if found["pointer"] else "by_value"))
        offset += size
        widest = max(widest, align)
    return tuple(args), offset, widest


def _threads(directives: str) -> int:
    found = _MOST_THREADS.search(directives)
    if not found:
        return _DEVICE_MOST
    most = 1
    for number in found[1].split(","):
        most *= int(number)
    return most
