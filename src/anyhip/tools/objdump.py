"""``anyhip objdump``: what a code object, bundle or executable holds, for a person to read.

Instruction lines have llvm-objdump's form. ``--ir`` and ``--asm`` show what the virtual GPU makes of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from anyhip.codeobj import bundle, codeobject
from anyhip.codeobj.codeobject import CodeObject, KernelInfo
from anyhip.errors import CodeObjectError, IsaError, UsageError
from anyhip.isa import text
from anyhip.isa.decode import decode

__all__ = ["listing", "main", "objects"]

_EXAMPLES = """examples:
  anyhip objdump saxpy                      every kernel in an executable
  anyhip objdump --arch gfx1100 a.hipfb     of a bundle, one architecture's
  anyhip objdump --kernel saxpy --ir a.co   what the virtual GPU's translator writes
"""


def main(argv: Sequence[str]) -> int:
    """Run ``anyhip objdump`` with the words after it.

    Raises:
        UsageError: nothing in the file fits the options.
        CodeObjectError: the file is damaged.
    """
    parser = argparse.ArgumentParser(
        prog="anyhip objdump", description=__doc__, epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("file", type=Path)
    parser.add_argument("--arch", default="", help="only code objects of this architecture")
    parser.add_argument("--kernel", default="", help="only kernels whose name contains this")
    parser.add_argument("--ir", action="store_true", help="the translation, as LLVM IR")
    parser.add_argument("--asm", action="store_true", help="the translation, as this host's assembly")
    options = parser.parse_args(argv)
    found = [code for code in objects(options.file.read_bytes()) if options.arch in ("", code.target.arch)]
    if not found:
        raise UsageError(
            f"{options.file} holds no AMD code object" + (f" for {options.arch}" if options.arch else "")
        )
    shown = 0
    for code in found:
        kernels = [kernel for name, kernel in code.kernels.items() if options.kernel in name]
        if kernels:
            print(
                f"\n{options.file}:\tfile format elf64-amdgpu, {code.target.id}, code object v{code.version}"
            )
        for kernel in kernels:
            shown += 1
            print("\n".join(_translation(code, kernel, options.ir, options.asm) or listing(code, kernel)))
    if not shown:
        names = ", ".join(name for code in found for name in code.kernels)
        raise UsageError(f"no kernel's name contains {options.kernel!r}", f"there are: {names}")
    return 0


def objects(data: bytes) -> Iterator[CodeObject]:
    """The AMD code objects of a file: an ELF of its own, a bundle, or the bundles of an executable.

    Raises:
        CodeObjectError: it is none of these.
    """
    try:
        bundles = bundle.host_bundles(data)
    except CodeObjectError:
        bundles = []
    for one in bundles or [data]:
        for entry in bundle.unbundle(one):
            if entry.target is not None and entry.target.isa == "amdgcn" and entry.data:
                yield codeobject.load(entry.data)


def listing(code: CodeObject, kernel: KernelInfo) -> list[str]:
    """A kernel's resources, arguments and machine code, a line each."""
    lines = [
        f"\n{kernel.entry:016x} <{kernel.name}>:",
        f"; {kernel.vgpr_count} VGPRs, {kernel.agpr_count} AGPRs, {kernel.sgpr_count} SGPRs, "
        f"{kernel.group_segment_size} bytes of LDS, {kernel.private_segment_size} bytes of private memory, "
        f"wave{kernel.wavefront_size}",
    ]
    lines += [
        f"; argument at {a.offset}: {a.size} bytes, {a.value_kind}"
        for a in kernel.args
        if not a.value_kind.startswith("hidden")
    ]
    return lines + list(_instructions(code, kernel))


def _instructions(code: CodeObject, kernel: KernelInfo) -> Iterator[str]:
    segment = next((s for s in code.segments if s.vaddr <= kernel.entry < s.vaddr + len(s.data)), None)
    if segment is None:
        raise CodeObjectError(f"the entry of kernel {kernel.name!r} lies outside the code")
    symbol = code.symbols.get(kernel.name)
    end = (
        kernel.entry + symbol.size
        if symbol is not None and symbol.size
        else segment.vaddr + len(segment.data)
    )
    pc = kernel.entry
    while pc < end:
        start = pc - segment.vaddr
        try:
            instruction = decode(segment.data, pc, start, code.target_of(kernel))
        except IsaError as error:
            word = int.from_bytes(segment.data[start : start + 4], "little")
            yield f"\t.long {word:#010x}  // {pc:012X}: {error.message}"
            pc += 4
            continue
        raw = segment.data[start : start + instruction.size]
        words = " ".join(f"{int.from_bytes(raw[i : i + 4], 'little'):08X}" for i in range(0, len(raw), 4))
        to = instruction.branch_target
        label = f" <{kernel.name}+{to - kernel.entry:#x}>" if to is not None else ""
        yield f"\t{text.format(instruction):<59}// {pc:012X}: {words}{label}"
        pc += instruction.size


def _translation(code: CodeObject, kernel: KernelInfo, as_ir: bool, as_assembly: bool) -> list[str]:
    """What the virtual GPU runs instead, when that was asked for."""
    from anyhip.backends.virtual import jit, layout

    if not (as_ir or as_assembly):
        return []
    ir, unsupported = jit.kernel_ir(code, kernel.name, layout.LaneForm.ROWS)
    lines = [f"; {kernel.name}", *(f"; not supported: {one}" for one in unsupported)]
    return [*lines, jit.assembly(ir) if as_assembly else ir]
