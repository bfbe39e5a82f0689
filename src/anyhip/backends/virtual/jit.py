"""A kernel of a code object -> a shared object with its translation, cached.

A cached kernel costs one look at the cache: neither LLVM nor the opcode tables are imported.
"""

from __future__ import annotations

import functools
import platform
import tempfile
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyhip import cache, config
from anyhip.backends.virtual.layout import LaneForm, packed_ids
from anyhip.codeobj.codeobject import CodeObject, KernelInfo
from anyhip.errors import CodeObjectError

if TYPE_CHECKING:
    from elftools.dwarf.dwarfinfo import DWARFInfo
    from llvmlite.binding import TargetMachine

    from anyhip.backends.virtual.cfg import ControlFlow
    from anyhip.isa.decode import Instruction, Operand

__all__ = ["assembly", "control_flow", "kernel_ir", "kernel_library", "source_pc", "unified"]


def kernel_library(code: CodeObject, name: str, lanes: LaneForm = LaneForm.ANY) -> Path:
    """The shared object that exports the kernel's ``anyhip_kernel``; translated now unless it is cached.

    Args:
        lanes: how work-items lie in the waves that it will run.

    Raises:
        CodeObjectError: no such kernel, or its code runs out of the object.
        IsaError: machine code that cannot be decoded.
    """
    path = cache.path(
        "kernels", cache.digest(code.image, name, str(int(lanes)), _host(), _translator()), ".so"
    )
    return cache.build(path, lambda target: _make(code, name, lanes, target))


@functools.cache
def _host() -> str:
    """What the host's processor can do: native code in the cache fits only the same."""
    machine = platform.machine()
    try:
        text = Path("/proc/cpuinfo").read_text(errors="replace")
    except OSError:
        return f"{machine} {platform.processor()}"
    lines = [
        line
        for line in text.split("\n\n", 1)[0].splitlines()
        if line.startswith(("flags", "Features", "model name"))
    ]
    return "\n".join([machine, *lines])


@functools.cache
def _translator() -> str:
    """A digest of the translator's own sources and tables: another version makes other code."""
    here = Path(__file__).parent
    isa = here.parent.parent / "isa"
    own = [path for pattern in ("*.py", "*.tsv") for path in here.rglob(pattern)]
    files = [*own, *isa.glob("*.py"), *isa.glob("opcodes/*.tsv")]
    return cache.digest(*sorted(files))


def source_pc(library: Path, offset: int) -> int | None:
    """The machine instruction (vaddr) of native code ``offset`` bytes into ``anyhip_kernel``, if known."""
    from elftools.elf.elffile import ELFFile
    from elftools.elf.sections import SymbolTableSection

    with library.open("rb") as file:
        elf = ELFFile(file)
        symbols = elf.get_section_by_name(".symtab") or elf.get_section_by_name(".dynsym")
        assert isinstance(symbols, SymbolTableSection)  # a shared object has at least .dynsym
        found = symbols.get_symbol_by_name("anyhip_kernel")
        if not found or not elf.has_dwarf_info():
            return None
        return _line(elf.get_dwarf_info(), found[0]["st_value"] + offset)


def _line(dwarf: DWARFInfo, address: int) -> int | None:
    """The source line that DWARF gives an address; the translator's lines are addresses of instructions."""
    best = None
    for unit in dwarf.iter_CUs():
        program = dwarf.line_program_for_CU(unit)
        entries = program.get_entries() if program is not None else []
        states = [entry.state for entry in entries if entry.state is not None]
        for state, following in pairwise(states):
            if not state.end_sequence and state.address <= address < following.address:
                best = state.line
    return best or None


# -- decoding
def _kernel(code: CodeObject, name: str) -> KernelInfo:
    try:
        return code.kernels[name]
    except KeyError:
        raise CodeObjectError(
            f"no kernel {name!r} in the code object", f"it has: {', '.join(code.kernels)}"
        ) from None


def acc_offset(code: CodeObject, kernel: KernelInfo) -> int:
    """Row of the VGPR file where the accumulation VGPRs begin (gfx90a and later unify the two files)."""
    return kernel.descriptor.accum_offset or 256


def unified(instruction: Instruction, accumulation: int) -> Instruction:
    """The instruction as the translator wants it.

    Accumulation VGPRs are rows of the VGPR file from ``accumulation`` on; the name is the one that its
    meaning has, whatever the generation spells.
    """

    def row(operand: Operand) -> Operand:
        return (
            replace(operand, kind="v", index=operand.index + accumulation) if operand.kind == "a" else operand
        )

    from anyhip.backends.virtual.semantics import canonical

    for part in (instruction, *instruction.parts):
        part.name = canonical(part.opcode)
    if any(o.kind == "a" for o in (*instruction.dst, *instruction.src)):
        instruction.dst = tuple(map(row, instruction.dst))
        instruction.src = tuple(map(row, instruction.src))
    return instruction


def control_flow(code: CodeObject, name: str) -> ControlFlow:
    """The kernel's blocks; accumulation VGPRs are rows of the VGPR file from ``acc_offset`` on."""
    from anyhip.backends.virtual import cfg
    from anyhip.isa.decode import decode

    kernel = _kernel(code, name)
    accumulation, target = acc_offset(code, kernel), code.target_of(kernel)
    segment = next((s for s in code.segments if s.vaddr <= kernel.entry < s.vaddr + len(s.data)), None)
    if segment is None:
        raise CodeObjectError(f"the entry of kernel {name!r} at {kernel.entry:#x} lies outside the code")

    def decode_at(pc: int) -> Instruction:
        return unified(decode(segment.data, pc, pc - segment.vaddr, target), accumulation)

    functions = [s.value for s in code.symbols.values() if s.kind == "func" and s.name not in code.kernels]
    return cfg.build(decode_at, kernel.entry, functions, target)


def kernel_ir(
    code: CodeObject, name: str, lanes: LaneForm = LaneForm.ANY, two_versions: bool | None = None
) -> tuple[str, list[str]]:
    """LLVM IR of the kernel's translation, and what in it is not supported.

    Args:
        lanes: how work-items lie in the waves that it will run.
        two_versions: also emit code for "all lanes enabled"; by default where the host gains by it.
    """
    from anyhip.backends.virtual.lane_facts import entry_facts
    from anyhip.backends.virtual.mode import Mode, initial
    from anyhip.backends.virtual.semantics import load_all
    from anyhip.backends.virtual.translate import translate

    load_all()
    kernel = _kernel(code, name)
    scratch = bool(kernel.private_segment_size or kernel.metadata.get(".uses_dynamic_stack"))
    return translate(
        control_flow(code, name),
        code.target_of(kernel),
        scratch,
        "avx512f" not in _host() if two_versions is None else two_versions,
        entry_facts(lanes, packed_ids(code.target), kernel.descriptor.workitem_id_dims + 1),
        Mode.of(initial(kernel.descriptor.rsrc1, code.target.generation), code.target.generation),
    )


def listing(code: CodeObject, name: str) -> str:
    """The kernel's machine code, a line an instruction, block by block."""
    from anyhip.isa import text

    lines = []
    for block in control_flow(code, name).blocks.values():
        lines.append(f"{block.pc:#x}:")
        lines += [f"  {i.pc:#8x}  {text.format(i)}" for i in block.instructions]
    return "\n".join([*lines, ""])


# -- code generation
def _make(code: CodeObject, name: str, lanes: LaneForm, target: Path) -> None:
    text, _ = kernel_ir(code, name, lanes)
    made = compile_ir(text)
    wanted = config.get_list("ANYHIP_DUMP")
    if "ir" in wanted:
        Path(f"{name}.ll").write_text(text)
    if "isa" in wanted:
        Path(f"{name}.s").write_text(listing(code, name))
    from anyhip import toolchain

    with tempfile.TemporaryDirectory() as folder:
        obj = Path(folder) / "kernel.o"
        obj.write_bytes(made)
        toolchain.link_shared(target, [obj])


def compile_ir(text: str) -> bytes:
    """IR text -> an ELF object for this host, optimised."""
    machine, module = _optimised(text)
    return bytes(machine.emit_object(module))


def assembly(text: str) -> str:
    """IR text -> this host's assembly, optimised."""
    machine, module = _optimised(text)
    return str(machine.emit_assembly(module))


def _optimised(text: str) -> tuple[Any, Any]:
    import llvmlite.binding as llvm

    machine = _machine()
    module = llvm.parse_assembly(_attributes() + text)
    module.verify()  # what LLVM finds broken later on would end the process
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    tuning = llvm.create_pipeline_tuning_options(speed_level=2)
    tuning.loop_vectorization = False
    tuning.slp_vectorization = False
    tuning.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    return machine, module


def _attributes() -> str:
    """Attribute groups of the translated module: use the widest vectors the host has."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    width = 512 if "avx512f" in _host() else 256
    vectors = f'"prefer-vector-width"="{width}" "min-legal-vector-width"="{width}"'
    features = llvm.get_host_cpu_features().flatten()
    host = f'"target-cpu"="{llvm.get_host_cpu_name()}" "target-features"="{features}"'
    common = f"nounwind null_pointer_is_valid {vectors} {host}"
    groups = ((0, common), (1, f"noinline {common}"), (4, common), (5, f"noinline strictfp {common}"))
    return "".join(f"attributes #{number} = {{ {group} }}\n" for number, group in groups)


@functools.cache
def _machine() -> TargetMachine:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=2,
        reloc="pic",
        codemodel="small",
    )
