"""A fault record of the engine in, the exception that tells it out: kernel, place, address and source line."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from anyhip.errors import DeviceFault

if TYPE_CHECKING:
    from pathlib import Path

    from anyhip.codeobj.codeobject import CodeObject

__all__ = ["KernelSource", "explain"]

_SIGNAL = 1  # enum fault_kind
ABORT_TRAP = 2  # s_trap 2 is llvm.trap (LLVM AMDGPUUsage, "Trap Handler ABI")

_SIGNALS = {
    signal.SIGSEGV: ("hipErrorIllegalAddress", "accessed memory that is not allocated"),
    signal.SIGBUS: ("hipErrorIllegalAddress", "accessed memory that does not exist"),
    signal.SIGFPE: ("hipErrorLaunchFailure", "raised an arithmetic exception of the host"),
    signal.SIGILL: ("hipErrorLaunchFailure", "ran an instruction that the host does not have"),
}


class KernelSource:
    """What is known of a kernel that faulted: its name, code object and native library."""

    def __init__(self, name: str, code: CodeObject | None = None, library: Path | None = None) -> None:
        self.name = name
        self.code = code
        self.library = library


def explain(fault: Any, find_kernel: Callable[[int], KernelSource], nearest: Callable[[int], str]) -> DeviceFault:
    """The exception for a fault.

    Args:
        fault: a ``struct engine_fault``.
        find_kernel: kernel handle -> what is known of it.
        nearest: address -> a sentence about the allocation that is next to it, or "".
    """
    kinds = {_SIGNAL: _signal, 2: _trap, 3: _unsupported, 4: _copy, 5: _memory}
    code, what, hint = kinds[fault.kind](fault, nearest)
    if not fault.kernel:
        return DeviceFault(code, what, hint)
    kernel = find_kernel(fault.kernel)
    lines = [f"kernel {kernel.name}: {_place(fault)} {what}", *_source_line(fault, kernel)]
    return DeviceFault(code, "\n  ".join(lines), hint)


def _place(fault: Any) -> str:
    group = ", ".join(str(number) for number in fault.group)
    items = fault.block[0] * fault.block[1] * fault.block[2]
    first = fault.wave * fault.wave_size
    last = max(min(first + fault.wave_size, items) - 1, first)
    return f"workgroup ({group}), wave {fault.wave} (work-items {_item(fault, first)} to {_item(fault, last)})"


def _item(fault: Any, flat: int) -> str:
    x, y = fault.block[0], fault.block[1]
    return f"({flat % x}, {flat // x % y}, {flat // (x * y)})"


def _signal(fault: Any, nearest: Callable[[int], str]) -> tuple[str, str, str]:
    code, what = _SIGNALS[signal.Signals(fault.signal)]
    if code == "hipErrorIllegalAddress":
        where = nearest(fault.address)
        what += f" at {fault.address:#x}" + (f", {where}" if where else "")
        return code, what, "check the index against the size that was allocated, and that it was not freed"
    return code, what, "this is a defect of the virtual GPU: please report it with the kernel"


def _trap(fault: Any, _: Callable[[int], str]) -> tuple[str, str, str]:
    if fault.trap == ABORT_TRAP and fault.assert_flag:
        return "hipErrorAssert", "failed an assertion", "the message is on the program's output"
    what = f"stopped itself (s_trap {fault.trap} at {fault.pc:#x})"
    return "hipErrorLaunchFailure", what, "it called abort() or __builtin_trap(), or reached code that cannot be reached"


def _unsupported(fault: Any, _: Callable[[int], str]) -> tuple[str, str, str]:
    what = f"met an instruction that the virtual GPU does not know, at {fault.pc:#x}"
    return "hipErrorLaunchFailure", what, "`anyhip disassemble` shows what is there"


def _copy(fault: Any, nearest: Callable[[int], str]) -> tuple[str, str, str]:
    where = nearest(fault.address)
    what = f"a copy or fill reached {fault.address:#x}, which is not allocated" + (f": {where}" if where else "")
    return "hipErrorIllegalAddress", what, "check addresses and sizes of the copies in that stream"


def _memory(fault: Any, _: Callable[[int], str]) -> tuple[str, str, str]:
    what = "could not start: the host has no memory for the state of its waves"
    return "hipErrorOutOfMemory", what, "use smaller workgroups or less private memory, or free memory"


def _source_line(fault: Any, kernel: KernelSource) -> list[str]:
    """``at file:line``, when the code object has debugging information."""
    pc = fault.pc or _native_pc(fault, kernel)
    if not pc or kernel.code is None:
        return []
    place = _dwarf_line(kernel.code.image, pc)
    return [f"at {place}" if place else f"at instruction {pc:#x} (compile with -g for the source line)"]


def _native_pc(fault: Any, kernel: KernelSource) -> int:
    from anyhip.backends.virtual import jit

    if kernel.library is None or fault.kind != _SIGNAL:
        return 0
    return jit.source_pc(kernel.library, fault.ip_offset) or 0


def _dwarf_line(image: bytes, pc: int) -> str:
    from io import BytesIO

    from elftools.common.exceptions import DWARFError, ELFError
    from elftools.elf.elffile import ELFFile

    try:
        file = ELFFile(BytesIO(image))
        if not file.has_dwarf_info():
            return ""
        dwarf = file.get_dwarf_info(relocate_dwarf_sections=False)
        return next((line for unit in dwarf.iter_CUs() if (line := _line_in_unit(dwarf, unit, pc))), "")
    except (DWARFError, ELFError):
        return ""  # damaged debugging information must not hide the fault


def _line_in_unit(dwarf: Any, unit: Any, pc: int) -> str:
    program = dwarf.line_program_for_CU(unit)
    if program is None:
        return ""
    before = None
    for entry in program.get_entries():
        state = entry.state
        if state is None:
            continue
        if before is not None and before.address <= pc < state.address:
            return f"{_file_name(program, before.file)}:{before.line}"
        before = None if state.end_sequence else state
    return ""


def _file_name(program: Any, number: int) -> str:
    header = program.header
    base = 1 if header.version < 5 else 0  # DWARF 5 counts files and directories from 0
    entry = header.file_entry[number - base]
    name: bytes = entry.name
    directories = header.include_directory
    index = entry.dir_index - base
    if name.startswith(b"/") or not 0 <= index < len(directories):
        return name.decode(errors="replace")
    return f"{directories[index].decode(errors='replace')}/{name.decode(errors='replace')}"
