"""ELF64 little-endian reader: bytes in, header, segments, sections, symbols, relocations and notes out.

Trusts nothing: each offset and count is checked against the file before it is used, so any input either
gives facts or raises CodeObjectError. Layouts: System V ABI chapters 4 and 5; numbers for AMDGPU from LLVM
AMDGPUUsage "ELF Code Object".
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from anyhip.errors import CodeObjectError

__all__ = ["Elf", "ElfHeader", "ElfRelocation", "ElfSection", "ElfSegment", "ElfSymbol", "Note"]

MAGIC = b"\x7fELF"
EM_AMDGPU = 224
EM_X86_64 = 62
EM_AARCH64 = 183
ELFOSABI_AMDGPU_HSA = 64
PT_LOAD, PT_NOTE = 1, 4
SHT_SYMTAB, SHT_RELA, SHT_NOTE, SHT_NOBITS, SHT_REL, SHT_DYNSYM = 2, 4, 7, 8, 9, 11
SHF_ALLOC = 2
SHN_UNDEF = 0

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELA = struct.Struct("<QQq")
_REL = struct.Struct("<QQ")
_NOTE = struct.Struct("<III")


class ElfHeader(NamedTuple):
    """Fields of the file header that later steps look at."""

    os_abi: int
    abi_version: int
    type: int
    machine: int
    entry: int
    flags: int
    segment_table: int
    section_table: int
    segment_size: int
    segment_count: int
    section_size: int
    section_count: int
    section_names: int


class ElfSegment(NamedTuple):
    """A program header."""

    type: int
    flags: int
    offset: int
    vaddr: int
    file_size: int
    memory_size: int
    align: int


class ElfSection(NamedTuple):
    """A section header with its name resolved."""

    name: str
    type: int
    flags: int
    addr: int
    offset: int
    size: int
    link: int
    info: int
    align: int
    entry_size: int


class ElfSymbol(NamedTuple):
    """A symbol-table entry with its name resolved."""

    name: str
    type: int
    binding: int
    section: int
    value: int
    size: int


class ElfRelocation(NamedTuple):
    """A relocation; symbol is an index into the table that its section links to."""

    offset: int
    type: int
    addend: int
    symbol: int


class Note(NamedTuple):
    """An ELF note."""

    owner: bytes
    type: int
    content: bytes


class Elf:
    """A view of one ELF file.

    Args:
        data: the whole file.
        what: what errors call it, e.g. a path.

    Raises:
        CodeObjectError: not ELF64 little-endian, or its tables reach outside the file.
    """

    def __init__(self, data: bytes | memoryview, what: str = "ELF file") -> None:
        self.data = memoryview(data).cast("B") if not isinstance(data, bytes) else memoryview(data)
        self.what = what
        self._name_budget = 4 * len(self.data)
        self.header = self._header()
        self.segments = self._segments()
        self.sections = self._sections()

    def fail(self, reason: str) -> CodeObjectError:
        """A CodeObjectError that names this file."""
        return CodeObjectError(
            f"{self.what}: {reason}", "the file is damaged or is not what its name says; build it again"
        )

    def bytes_at(self, offset: int, size: int, what: str) -> memoryview:
        """A checked slice of the file."""
        if offset < 0 or size < 0 or offset + size > len(self.data):
            raise self.fail(
                f"{what} at {offset:#x}+{size:#x} lies outside the {len(self.data)} bytes of the file"
            )
        return self.data[offset : offset + size]

    def section(self, name: str) -> ElfSection | None:
        """First section of that name."""
        return next((section for section in self.sections if section.name == name), None)

    def section_bytes(self, section: ElfSection) -> memoryview:
        """Content of a section; empty for SHT_NOBITS."""
        if section.type == SHT_NOBITS:
            return memoryview(b"")
        return self.bytes_at(section.offset, section.size, f"section {section.name!r}")

    def address_bytes(self, vaddr: int, size: int, what: str) -> bytes:
        """File content behind a virtual address; what lies past a segment's file part reads as zero."""
        for segment in self.segments:
            if (
                segment.type == PT_LOAD
                and segment.vaddr <= vaddr
                and vaddr + size <= segment.vaddr + segment.memory_size
            ):
                skip = vaddr - segment.vaddr
                kept = max(0, min(size, segment.file_size - skip))
                return bytes(self.bytes_at(segment.offset + skip, kept, what)) + bytes(size - kept)
        raise self.fail(f"{what} at address {vaddr:#x}+{size:#x} lies in no loadable segment")

    @cached_property
    def notes(self) -> list[Note]:
        """Every note, from PT_NOTE segments, or from SHT_NOTE sections where there are none."""
        areas = [(s.offset, s.file_size) for s in self.segments if s.type == PT_NOTE]
        if not areas:
            areas = [(s.offset, s.size) for s in self.sections if s.type == SHT_NOTE]
        return [
            note for offset, size in areas for note in self._notes_in(self.bytes_at(offset, size, "note"))
        ]

    def symbols(self, table: ElfSection) -> list[ElfSymbol]:
        """Entries of a SHT_SYMTAB or SHT_DYNSYM section, the null entry first."""
        names = bytes(self.section_bytes(self._linked(table)))
        found = []
        for name, info, _other, section, value, size in self._entries(_SYMBOL, table):
            found.append(ElfSymbol(self._name(names, name), info & 15, info >> 4, section, value, size))
        return found

    def symbol_tables(self) -> list[ElfSection]:
        """Symbol tables, the full one before the dynamic one."""
        tables = [section for section in self.sections if section.type in (SHT_SYMTAB, SHT_DYNSYM)]
        return sorted(tables, key=lambda section: section.type)

    def relocations(self, table: ElfSection) -> list[ElfRelocation]:
        """Entries of a SHT_RELA or SHT_REL section."""
        if table.type == SHT_REL:
            return [
                ElfRelocation(at, info & 0xFFFFFFFF, 0, info >> 32) for at, info in self._entries(_REL, table)
            ]
        return [
            ElfRelocation(at, info & 0xFFFFFFFF, add, info >> 32)
            for at, info, add in self._entries(_RELA, table)
        ]

    def linked(self, section: ElfSection) -> ElfSection:
        """The section that ``sh_link`` names."""
        return self._linked(section)

    def _header(self) -> ElfHeader:
        if len(self.data) < _HEADER.size or bytes(self.data[:4]) != MAGIC:
            raise self.fail("is not an ELF file")
        ident, kind, machine, _version, entry, *rest = _HEADER.unpack_from(self.data)
        if ident[4] != 2 or ident[5] != 1:
            raise self.fail("is not a 64-bit little-endian ELF file")
        segments, sections, flags, _size, seg_size, seg_count, sec_size, sec_count, names = rest
        return ElfHeader(
            ident[7],
            ident[8],
            kind,
            machine,
            entry,
            flags,
            segments,
            sections,
            seg_size,
            seg_count,
            sec_size,
            sec_count,
            names,
        )

    def _segments(self) -> list[ElfSegment]:
        header = self.header
        if not header.segment_count:
            return []
        rows = self._table(
            _SEGMENT, header.segment_table, header.segment_size, header.segment_count, "program headers"
        )
        found = [ElfSegment(t, f, off, va, fs, ms, al) for t, f, off, va, _pa, fs, ms, al in rows]
        for segment in found:
            if segment.type == PT_LOAD:
                self.bytes_at(segment.offset, segment.file_size, "segment")
                if segment.memory_size < segment.file_size or segment.vaddr + segment.memory_size >= 1 << 48:
                    raise self.fail(f"segment at address {segment.vaddr:#x} has an impossible size")
        return found

    def _sections(self) -> list[ElfSection]:
        header = self.header
        if not header.section_table or not header.section_count:
            return []
        table, count = header.section_table, header.section_count
        rows = list(self._table(_SECTION, table, header.section_size, count, "section headers"))
        if header.section_names >= len(rows):
            raise self.fail("the section of section names does not exist")
        _, kind, _, _, offset, size, *_ = rows[header.section_names]
        names = b"" if kind == SHT_NOBITS else bytes(self.bytes_at(offset, size, "section names"))
        return [ElfSection(self._name(names, row[0]), *row[1:]) for row in rows]

    def _table(
        self, layout: struct.Struct, offset: int, size: int, count: int, what: str
    ) -> Iterator[tuple[Any, ...]]:
        if size != layout.size:
            raise self.fail(f"{what} have entries of {size} bytes, not {layout.size}")
        return layout.iter_unpack(self.bytes_at(offset, size * count, what))

    def _entries(self, layout: struct.Struct, section: ElfSection) -> Iterator[tuple[Any, ...]]:
        if section.size % layout.size:
            raise self.fail(f"section {section.name!r} is not a whole number of {layout.size}-byte entries")
        return layout.iter_unpack(self.section_bytes(section))

    def _linked(self, section: ElfSection) -> ElfSection:
        if section.link >= len(self.sections):
            raise self.fail(f"section {section.name!r} links to section {section.link}, which does not exist")
        return self.sections[section.link]

    def _name(self, strings: bytes, offset: int) -> str:
        end = strings.find(b"\0", offset)
        if end < 0:
            raise self.fail(f"a name at string offset {offset:#x} has no end")
        # Names that overlap could add up to far more than the file: an honest one stays well below this.
        self._name_budget -= end - offset
        if self._name_budget < 0:
            raise self.fail("its names overlap without end")
        return strings[offset:end].decode("utf-8", "replace")

    def _notes_in(self, area: memoryview) -> Iterator[Note]:
        at = 0
        while at + _NOTE.size <= len(area):
            owner_size, size, kind = _NOTE.unpack_from(area, at)
            start = at + _NOTE.size + (owner_size + 3 & ~3)
            end = start + size
            if end > len(area):
                raise self.fail("a note reaches past its section")
            owner = bytes(area[at + _NOTE.size : at + _NOTE.size + owner_size]).rstrip(b"\0")
            yield Note(owner, kind, bytes(area[start:end]))
            at = end + 3 & ~3
