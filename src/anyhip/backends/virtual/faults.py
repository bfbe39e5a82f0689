"""A fault record of the engine in, the exception that tells it out: kernel, place, address, source line."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from anyhip import config
from anyhip.errors import DeviceFault, HipError

if TYPE_CHECKING:
    from pathlib import Path

    from anyhip.codeobj.codeobject import CodeObject

__all__ = ["KernelSource", "demangled", "explain", "nearest", "raise_status"]

_FAR = 1 << 30  # bytes from an allocation at which naming it no longer helps

_SIGNAL, _UNSUPPORTED = 1, 3  # enum fault_kind
ABORT_TRAP = 2  # s_trap 2 is llvm.trap (LLVM AMDGPUUsage, "Trap Handler ABI")

_SIGNALS = {
    signal.SIGSEGV: ("hipErrorIllegalAddress", "accessed memory that is not allocated"),
    signal.SIGBUS: ("hipErrorIllegalAddress", "accessed memory that does not exist"),
    signal.SIGFPE: ("hipErrorLaunchFailure", "raised an arithmetic exception of the host"),
    signal.SIGILL: ("hipErrorLaunchFailure", "ran an instruction that the host does not have"),
}


class KernelSource:
    """What is known of a kernel that faulted: its name, code object and native libraries."""

    def __init__(self, name: str, code: CodeObject | None = None) -> None:
        self.name = name
        self.code = code
        self.libraries: dict[int, Path] = {}  # by LaneForm


Locate = Callable[[int], str]


def explain(fault: Any, find_kernel: Callable[[int], KernelSource], locate: Locate) -> DeviceFault:
    """The exception for a fault.

    Args:
        fault: a ``struct engine_fault``.
        find_kernel: kernel handle -> what is known of it.
        locate: address -> where it lies, in words.
    """
    kinds = {_SIGNAL: _signal, 2: _trap, _UNSUPPORTED: _unsupported, 4: _copy, 5: _memory, 6: _timeout}
    code, what, hint = kinds[fault.kind](fault, locate)
    if not fault.kernel:
        return DeviceFault(code, what, hint)
    kernel = find_kernel(fault.kernel)
    lines = [f"kernel {demangled(kernel.name)}: {_place(fault)} {what}", *_source_line(fault, kernel)]
    if fault.kind == _UNSUPPORTED:
        lines += _instruction(fault.pc, kernel)
    return DeviceFault(code, "\n  ".join(lines), hint)


def demangled(name: str) -> str:
    """A C++ name as its source spells it, where a C++ runtime library is at hand; else the name itself."""
    import ctypes

    for library in ("libstdc++.so.6", "libc++abi.so.1"):
        try:
            demangle = ctypes.CDLL(library)["__cxa_demangle"]
        except (OSError, AttributeError):
            continue
        demangle.restype = ctypes.c_void_p
        status = ctypes.c_int()
        text = demangle(name.encode(), None, None, ctypes.byref(status))
        if not text:
            return name  # no C++ name
        found = ctypes.string_at(text).decode()
        free = ctypes.CDLL(None).free
        free.argtypes = [ctypes.c_void_p]
        free(text)
        return found
    return name


def nearest(address: int, found: Any) -> str:
    """Where an address lies, told from the ``struct engine_allocation`` that is nearest to it."""
    past = address - (found.address + found.size)
    if min(abs(address - found.address), abs(past)) > _FAR:
        return "far from every allocation"
    what = f"{found.size}-byte allocation at {found.address:#x}"
    if not found.live:
        return f"{address - found.address} bytes into a {what} that was freed"
    if address < found.address:
        return f"{found.address - address} bytes before a {what}"
    return f"{past} bytes past the end of a {what}" if past >= 0 else f"inside a {what}"


def raise_status(lib: Any, status: int) -> NoReturn:
    """Raise what an ``enum engine_status`` other than ENGINE_OK means."""
    if status == lib.ENGINE_FORKED:
        raise HipError(
            "hipErrorNotInitialized",
            "this process was forked from one that had used the device, and its threads are gone",
            "use the device in the child only, or start the child with spawn instead of fork",
        )
    if status == lib.ENGINE_BAD_ADDRESS:
        raise HipError("hipErrorInvalidValue", "a copy or fill reached memory that is not allocated")
    raise HipError("hipErrorOutOfMemory", "the host has no memory to queue more work")


def _place(fault: Any) -> str:
    group = ", ".join(str(number) for number in fault.group)
    items = fault.block[0] * fault.block[1] * fault.block[2]
    first = fault.wave * fault.wave_size
    last = max(min(first + fault.wave_size, items) - 1, first)
    items_of_wave = f"work-items {_item(fault, first)} to {_item(fault, last)}"
    return f"workgroup ({group}), wave {fault.wave} ({items_of_wave})"


def _item(fault: Any, flat: int) -> str:
    x, y = fault.block[0], fault.block[1]
    return f"({flat % x}, {flat // x % y}, {flat // (x * y)})"


def _signal(fault: Any, locate: Locate) -> tuple[str, str, str]:
    code, what = _SIGNALS[signal.Signals(fault.signal)]
    if code == "hipErrorIllegalAddress":
        where = locate(fault.address)
        what += f" at {fault.address:#x}, {where}"
        return code, what, "check the index against the size that was allocated, and that it was not freed"
    return code, what, "this is a defect of the virtual GPU: please report it with the kernel"


def _trap(fault: Any, _: Locate) -> tuple[str, str, str]:
    if fault.trap == ABORT_TRAP and fault.assert_flag:
        return "hipErrorAssert", "failed an assertion", "the message is on the program's output"
    what = f"stopped itself (s_trap {fault.trap} at {fault.pc:#x})"
    return (
        "hipErrorLaunchFailure",
        what,
        "it called abort() or __builtin_trap(), or ran into unreachable code",
    )


def _unsupported(fault: Any, _: Locate) -> tuple[str, str, str]:
    what = f"met an instruction that the virtual GPU does not know, at {fault.pc:#x}"
    return "hipErrorLaunchFailure", what, "please report it with the kernel's source and this address"


def _copy(fault: Any, locate: Locate) -> tuple[str, str, str]:
    where = locate(fault.address)
    what = f"a copy or fill reached {fault.address:#x}, which is not allocated, {where}"
    return "hipErrorIllegalAddress", what, "check addresses and sizes of the copies in that stream"


def _memory(fault: Any, _: Locate) -> tuple[str, str, str]:
    what = "could not start: the host has no memory for the state of its waves"
    return "hipErrorOutOfMemory", what, "use smaller workgroups or less private memory, or free memory"


def _timeout(fault: Any, _: Locate) -> tuple[str, str, str]:
    seconds = config.get_int("ANYHIP_TIMEOUT")
    what = f"had not ended {seconds} s after the kernel began"
    if fault.waiting:
        what += f"; {fault.waiting} of the {fault.live} waves left in its workgroup wait at a barrier"
    hint = f"ANYHIP_TIMEOUT={seconds} stopped it: look for a loop without end, or raise or unset the variable"
    return "hipErrorLaunchTimeOut", what, hint


def _source_line(fault: Any, kernel: KernelSource) -> list[str]:
    """``at file:line``, when the code object has debugging information."""
    pc = fault.pc or _native_pc(fault, kernel)
    if not pc or kernel.code is None:
        return []
    place = _dwarf_line(kernel.code.image, pc)
    if place:
        return [f"at {place}"]
    advice = "" if b".debug_line" in kernel.code.image else " (compile with -g for the source line)"
    return [f"at instruction {pc:#x}{advice}"]


def _instruction(pc: int, kernel: KernelSource) -> list[str]:
    """The instruction at ``pc`` in words, or what stands there instead."""
    from anyhip.errors import IsaError
    from anyhip.isa import text
    from anyhip.isa.decode import decode

    for segment in kernel.code.segments if kernel.code is not None else ():
        if segment.vaddr <= pc < segment.vaddr + len(segment.data):
            assert kernel.code is not None
            try:
                found = decode(segment.data, pc, pc - segment.vaddr, kernel.code.target)
            except IsaError as error:
                return [f"which cannot be decoded: {error.message}"]
            return [f"which is: {text.format(found)}"]
    return ["which lies outside the code: a call or return went astray, for example after a stack overflow"]


def _native_pc(fault: Any, kernel: KernelSource) -> int:
    from anyhip.backends.virtual import jit

    library = kernel.libraries.get(fault.lanes)
    if library is None or fault.kind != _SIGNAL:
        return 0
    return jit.source_pc(library, fault.ip_offset) or 0


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
