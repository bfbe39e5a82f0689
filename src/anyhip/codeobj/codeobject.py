"""An AMD code object: ELF bytes in, kernels, symbols, segments and relocations out.

Reads code-object versions 3 to 6 (LLVM AMDGPUUsage, "Code Object Version"). Executes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from anyhip.codeobj import descriptor, elf, metadata
from anyhip.codeobj.descriptor import KernelDescriptor
from anyhip.codeobj.elf import Elf, ElfSymbol
from anyhip.codeobj.metadata import KernelArg
from anyhip.errors import CodeObjectError
from anyhip.target import Target, known

__all__ = ["CodeObject", "KernelInfo", "Relocation", "Segment", "Symbol", "load", "target_of"]

# EI_ABIVERSION -> code-object version. Version 2 has another metadata format; compilers gave it up in 2021.
_VERSIONS = {1: 3, 2: 4, 3: 5, 4: 6}
_STT_OBJECT, _STT_FUNC, _STT_AMDGPU_HSA_KERNEL = 1, 2, 10
_FEATURE_MODES = {2: False, 3: True}  # 0 unsupported, 1 any, 2 off, 3 on


class Segment(NamedTuple):
    """A loadable part: file bytes, then zeros up to ``memsz``. flags: 1 execute, 2 write, 4 read."""

    vaddr: int
    memsz: int
    flags: int
    data: bytes


class Symbol(NamedTuple):
    """A named address. kind is ``object``, ``func``, ``kernel_descriptor`` or ``undefined``."""

    name: str
    value: int
    size: int
    kind: str


class Relocation(NamedTuple):
    """Something the loader must patch at ``offset`` (vaddr); symbol is empty for base-relative ones."""

    offset: int
    type: int
    addend: int
    symbol: str


@dataclass(frozen=True, slots=True)
class KernelInfo:
    """A kernel: its descriptor, entry address, arguments and what the metadata says of it.

    Attributes:
        kind: ``normal``, ``init`` or ``fini``; the last two run when a module is loaded and unloaded.
        metadata: the kernel's own map, for fields that have no attribute here.
    """

    name: str
    descriptor: KernelDescriptor
    descriptor_address: int
    entry: int
    args: tuple[KernelArg, ...]
    kernarg_size: int
    kernarg_align: int
    group_segment_size: int
    private_segment_size: int
    wavefront_size: int
    max_flat_workgroup_size: int
    sgpr_count: int
    vgpr_count: int
    agpr_count: int
    sgpr_spill_count: int
    vgpr_spill_count: int
    kind: str
    uses_dynamic_stack: bool
    uniform_work_group_size: bool
    reqd_workgroup_size: tuple[int, ...]
    metadata: dict[str, Any]


@dataclass(frozen=True, slots=True)
class CodeObject:
    """Everything that a loader or a translator needs to know of one ELF file.

    Attributes:
        version: code-object version, 3 to 6.
        image: the raw ELF.
        printf_formats: format strings by the id that a printf record carries.
    """

    target: Target
    abi_version: int
    version: int
    image: bytes
    segments: tuple[Segment, ...]
    kernels: dict[str, KernelInfo]
    symbols: dict[str, Symbol]
    relocations: tuple[Relocation, ...]
    printf_formats: dict[int, str]
    metadata: dict[str, Any]

    def target_of(self, kernel: KernelInfo) -> Target:
        """The target with the kernel's own wave size: RDNA code may be compiled for 64 lanes."""
        return replace(self.target, wave_size=32 if kernel.descriptor.wavefront_size32 else 64)

    def code(self, vaddr: int, size: int) -> bytes:
        """File content behind a virtual address.

        Raises:
            CodeObjectError: outside of every segment.
        """
        for segment in self.segments:
            skip = vaddr - segment.vaddr
            if skip >= 0 and skip + size <= segment.memsz:
                piece = segment.data[skip : skip + size]
                return piece + bytes(size - len(piece))
        raise CodeObjectError(f"address {vaddr:#x}+{size:#x} lies in no segment of the code object")


def load(data: bytes | memoryview, what: str = "code object") -> CodeObject:
    """Read an AMD code object.

    Args:
        data: the ELF file; bundles go through :func:`anyhip.codeobj.bundle.unbundle` first.
        what: what errors call it.

    Raises:
        CodeObjectError: anything about it is not as the format demands.
    """
    file = Elf(data, what)
    target, version = target_of(file)
    symbols = _symbols(file)
    notes = [n for n in file.notes if n.owner == metadata.OWNER and n.type == metadata.NT_AMDGPU_METADATA]
    document = metadata.unpack(notes[0].content, what) if notes else {}
    return CodeObject(
        target=target,
        abi_version=file.header.abi_version,
        version=version,
        image=bytes(file.data),
        segments=_segments(file),
        kernels=_kernels(file, target, symbols, document),
        symbols=symbols,
        relocations=_relocations(file),
        printf_formats=metadata.printf_formats(document, what),
        metadata=document,
    )


def target_of(file: Elf) -> tuple[Target, int]:
    """Target and code-object version of an AMDGPU ELF, from its header alone (AMDGPUUsage "e_flags")."""
    header = file.header
    if header.machine != elf.EM_AMDGPU or header.os_abi != elf.ELFOSABI_AMDGPU_HSA:
        raise file.fail(f"ELF machine {header.machine}, OS ABI {header.os_abi}: not an AMD GPU code object")
    version = _VERSIONS.get(header.abi_version)
    if version is None:
        raise file.fail(f"code-object ABI version {header.abi_version} is not one of {sorted(_VERSIONS)}")
    mach = header.flags & 0xFF
    base = next((target for target in known() if target.isa == "amdgcn" and target.mach == mach), None)
    if base is None:
        raise file.fail(f"processor number {mach:#x} in e_flags is not a known one")
    modes = _feature_modes(header.flags, version)
    features = "".join(
        f":{name}{'+' if modes[name] else '-'}" for name in ("sramecc", "xnack") if name in modes
    )
    return Target.parse(base.arch + features), version


def _feature_modes(flags: int, version: int) -> dict[str, bool]:
    if version == 3:  # one bit each: on or off, there was no "any"
        return {name: True for name, bit in (("xnack", 0x100), ("sramecc", 0x200)) if flags & bit}
    fields = {"xnack": flags >> 8 & 3, "sramecc": flags >> 10 & 3}
    return {name: _FEATURE_MODES[mode] for name, mode in fields.items() if mode in _FEATURE_MODES}


def _segments(file: Elf) -> tuple[Segment, ...]:
    loads = [s for s in file.segments if s.type == elf.PT_LOAD]
    return tuple(
        Segment(s.vaddr, s.memory_size, s.flags, bytes(file.bytes_at(s.offset, s.file_size, "segment")))
        for s in loads
    )


def _kind(symbol: ElfSymbol) -> str:
    if symbol.section == elf.SHN_UNDEF:
        return "undefined"
    if symbol.type == _STT_OBJECT:
        descriptor_like = symbol.name.endswith(".kd") and symbol.size == descriptor.SIZE
        return "kernel_descriptor" if descriptor_like else "object"
    return "func" if symbol.type in (_STT_FUNC, _STT_AMDGPU_HSA_KERNEL) else ""


def _symbols(file: Elf) -> dict[str, Symbol]:
    found: dict[str, Symbol] = {}
    for table in file.symbol_tables():  # the dynamic table last: its entries win
        for symbol in file.symbols(table):
            kind = _kind(symbol)
            if symbol.name and kind:
                found[symbol.name] = Symbol(symbol.name, symbol.value, symbol.size, kind)
    return found


def _relocations(file: Elf) -> tuple[Relocation, ...]:
    found = []
    for section in file.sections:
        if section.type in (elf.SHT_RELA, elf.SHT_REL) and section.flags & elf.SHF_ALLOC:
            names = [symbol.name for symbol in file.symbols(file.linked(section))] if section.link else [""]
            for entry in file.relocations(section):
                if entry.symbol >= len(names):
                    raise file.fail(f"a relocation names symbol {entry.symbol}, which does not exist")
                found.append(Relocation(entry.offset, entry.type, entry.addend, names[entry.symbol]))
    return tuple(found)


def _kernels(
    file: Elf, target: Target, symbols: dict[str, Symbol], document: dict[str, Any]
) -> dict[str, KernelInfo]:
    described: dict[str, dict[str, Any]] = {}
    for record in metadata.typed(document, "amdhsa.kernels", list, [], file.what):
        if not isinstance(record, dict):
            raise file.fail("a kernel in the metadata is not a map")
        name = metadata.typed(record, ".symbol", str, None, file.what)
        if name not in symbols or symbols[name].kind != "kernel_descriptor":
            raise file.fail(f"kernel {name!r} has metadata but no descriptor symbol of 64 bytes")
        described[name] = record
    descriptors = [symbol for symbol in symbols.values() if symbol.kind == "kernel_descriptor"]
    kernels = (_kernel(file, target, symbol, described.get(symbol.name, {})) for symbol in descriptors)
    return {kernel.name: kernel for kernel in kernels}


def _kernel(file: Elf, target: Target, symbol: Symbol, record: dict[str, Any]) -> KernelInfo:
    what = f"{file.what}: kernel {symbol.name.removesuffix('.kd')!r}"
    facts = descriptor.decode(file.address_bytes(symbol.value, descriptor.SIZE, what), target)
    entry = symbol.value + facts.entry_offset
    file.address_bytes(entry, 4, f"{what}: entry point")

    def number(key: str, default: int = 0) -> int:
        value: int = metadata.typed(record, key, int, default, what)
        return value

    kernarg_size = number(".kernarg_segment_size", facts.kernarg_size)
    required = metadata.typed(record, ".reqd_workgroup_size", list, [], what)
    if not all(isinstance(size, int) for size in required):
        raise CodeObjectError(f"{what}: .reqd_workgroup_size {required!r:.80} is not a list of numbers")
    return KernelInfo(
        name=metadata.typed(record, ".name", str, symbol.name.removesuffix(".kd"), what),
        descriptor=facts,
        descriptor_address=symbol.value,
        entry=entry,
        args=metadata.kernel_args(record, kernarg_size, what),
        kernarg_size=kernarg_size,
        kernarg_align=number(".kernarg_segment_align", 8),
        group_segment_size=number(".group_segment_fixed_size", facts.group_segment_size),
        private_segment_size=number(".private_segment_fixed_size", facts.private_segment_size),
        wavefront_size=number(".wavefront_size", 32 if facts.wavefront_size32 else 64),
        max_flat_workgroup_size=number(".max_flat_workgroup_size", 1024),
        sgpr_count=number(".sgpr_count", facts.sgpr_count),
        vgpr_count=number(".vgpr_count", facts.vgpr_count),
        agpr_count=number(".agpr_count"),
        sgpr_spill_count=number(".sgpr_spill_count"),
        vgpr_spill_count=number(".vgpr_spill_count"),
        kind=metadata.typed(record, ".kind", str, "normal", what),
        uses_dynamic_stack=metadata.typed(
            record, ".uses_dynamic_stack", bool, facts.uses_dynamic_stack, what
        ),
        uniform_work_group_size=bool(record.get(".uniform_work_group_size", 0)),
        reqd_workgroup_size=tuple(required),
        metadata=record,
    )
