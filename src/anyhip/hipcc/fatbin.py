"""Code objects to what the host program carries: a bundle, and a host object that holds it.

clang compiles host code with a reference to the symbol ``__hip_fatbin_<hash>`` and leaves its definition to
the linker; the object made here defines it, in section ``.hip_fatbin`` at a page boundary, as clang's HIP
toolchain does. So the host pass need not wait for the device passes.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from anyhip.target import Target

__all__ = [
    "MACHINES",
    "fatbin_symbols",
    "host_object",
    "main",
    "write_bundle",
    "write_carried_object",
    "write_fatbin_object",
    "write_linked_object",
    "write_text_bundle",
]

# e_machine of the ELF specification, by the first word of the host triple
MACHINES = {"x86_64": 62, "aarch64": 183, "riscv64": 243, "powerpc64le": 21, "ppc64le": 21}

_SYMBOL = re.compile(rb"\0(__hip_fatbin_[0-9a-f]+)(?=\0)")
_PAGE = 4096
SHF_WRITE, SHF_ALLOC, SHF_EXCLUDE = 1, 2, 0x80000000
_PROGBITS, _SYMTAB, _STRTAB = 1, 2, 3  # sh_type


def write_bundle(
    output: Path, parts: Sequence[tuple[Target, Path]], compress: str = "", host_triple: str = ""
) -> None:
    """Put the code objects of several targets into one file, after the empty host entry readers expect."""
    from anyhip.codeobj import bundle

    host_id = f"host-{_vendor_triple(host_triple)}-" if host_triple else bundle.HOST_ID
    entries = [(host_id, b""), *((bundle.entry_id(target), path.read_bytes()) for target, path in parts)]
    output.write_bytes(bundle.bundle(entries, None if compress in ("", "no") else compress))


def write_text_bundle(output: Path, parts: Sequence[tuple[str, Path]], comment: str) -> None:
    """Put the outputs of several passes into one file: text between clang's marks, bitcode as a bundle.

    Args:
        comment: what starts a comment in the text; empty for binary contents.
    """
    if not comment:
        from anyhip.codeobj import bundle

        output.write_bytes(bundle.bundle([(name, path.read_bytes()) for name, path in parts]))
        return
    mark = f"{comment} __CLANG_OFFLOAD_BUNDLE____"
    pieces = [f"{mark}START__ {name}\n{path.read_text()}\n{mark}END__ {name}\n" for name, path in parts]
    output.write_text("\n".join(pieces))


def _vendor_triple(triple: str) -> str:
    """``x86_64-linux-gnu`` as LLVM normalises it: ``x86_64-unknown-linux-gnu``."""
    words = triple.split("-")
    return "-".join([words[0], "unknown", *words[1:]]) if len(words) == 3 else triple


def fatbin_symbols(host_object_file: bytes) -> list[str]:
    """Names of the fat binaries that a host object refers to (none when it has no kernels)."""
    return sorted({found.decode() for found in _SYMBOL.findall(host_object_file)})


def write_fatbin_object(output: Path, bundle_file: Path, host_object_file: Path, machine: str) -> None:
    """Make the object that defines what ``host_object_file`` refers to."""
    names = fatbin_symbols(host_object_file.read_bytes())
    output.write_bytes(host_object(bundle_file.read_bytes() if names else b"", names, machine))


def write_linked_object(output: Path, bundle_file: Path, names: Sequence[str], machine: str) -> None:
    """Make the object that defines what all objects of a ``-fgpu-rdc`` link refer to.

    One fat binary goes by every file's name for it, and so does the one place that keeps its handle once the
    first of them has registered it.
    """
    binaries = [name for name in names if name.startswith("__hip_fatbin_")]
    handles = [name for name in names if name.startswith("__hip_gpubin_handle_")]
    sections = [
        Section(b".hip_fatbin", SHF_ALLOC, _PAGE, bundle_file.read_bytes() if binaries else b"", binaries),
        Section(b".hip_gpubin_handle", SHF_ALLOC | SHF_WRITE, 8, bytes(8), handles),
    ]
    output.write_bytes(_object(sections, machine))


def write_carried_object(output: Path, bundle_file: Path, section: str, machine: str) -> None:
    """Make an object that holds a bundle in a section which linkers leave out of programs."""
    content = bundle_file.read_bytes()
    output.write_bytes(_object([Section(section.encode(), SHF_EXCLUDE, 8, content, [])], machine))


def host_object(content: bytes, names: Sequence[str], machine: str) -> bytes:
    """A relocatable ELF with ``content`` in ``.hip_fatbin``, and hidden symbols for its start."""
    return _object([Section(b".hip_fatbin", SHF_ALLOC, _PAGE, content, names)], machine)


class Section(NamedTuple):
    """A section of an object, and the hidden symbols that name its start."""

    name: bytes
    flags: int
    align: int
    content: bytes
    symbols: Sequence[str]


def _object(sections: Sequence[Section], machine: str) -> bytes:
    """Layout: ELF header, contents, symbol table, names, section headers (System V ABI, "Object Files")."""
    strings, symbols = b"\0", bytes(24)
    for number, section in enumerate(sections, start=1):
        for name in section.symbols:
            # st_name, st_info = GLOBAL OBJECT, st_other = HIDDEN, st_shndx, st_value, st_size
            symbols += struct.pack("<IBBHQQ", len(strings), 0x11, 2, number, 0, len(section.content))
            strings += name.encode() + b"\0"
    table = len(sections) + 1  # of symbols; the names follow it
    rows = [(one.name, _PROGBITS, one.flags, one.align, one.content, 0, 0, 0) for one in sections]
    rows += [
        (b".symtab", _SYMTAB, 0, 8, symbols, table + 1, 1, 24),
        (b".strtab", _STRTAB, 0, 1, strings, 0, 0, 0),
        (b".shstrtab", _STRTAB, 0, 1, b"", 0, 0, 0),
        (b".note.GNU-stack", _PROGBITS, 0, 1, b"", 0, 0, 0),
    ]
    names = b"\0" + b"".join(row[0] + b"\0" for row in rows)
    body, headers = b"", bytes(64)
    for title, kind, flags, align, content, link, info, entry in rows:
        blob = names if title == b".shstrtab" else content
        body += bytes(-(64 + len(body)) % align)
        place, at = 64 + len(body), names.index(b"\0" + title + b"\0") + 1
        headers += struct.pack("<IIQQQQIIQQ", at, kind, flags, 0, place, len(blob), link, info, align, entry)
        body += blob
    body += bytes(-(64 + len(body)) % 8)
    header = _elf_header(machine, 64 + len(body), sections=len(rows) + 1, names_at=table + 2)
    return header + body + headers


def _elf_header(machine: str, section_headers: int, sections: int, names_at: int) -> bytes:
    identity = b"\x7fELF" + bytes((2, 1, 1)) + bytes(9)  # 64-bit, little-endian, version 1
    return identity + struct.pack(
        "<HHIQQQIHHHHHH", 1, MACHINES[machine], 1, 0, 0, section_headers, 0, 64, 0, 0, 64, sections, names_at
    )


def main(argv: Sequence[str]) -> int:
    """A step by hand, as ``-###`` prints it.

    ``bundle OUT TARGET=FILE...``, ``text OUT NAME=FILE...``, ``object OUT BUNDLE HOST_OBJECT MACHINE``,
    ``carried OUT BUNDLE SECTION MACHINE`` or ``linked OUT BUNDLE SYMBOLS_FILE MACHINE``.
    """
    verb, output, *rest = argv
    pairs = [word.rsplit("=", 1) for word in rest if verb in ("text", "bundle")]
    if verb == "text":
        comment = {".ll": ";", ".bc": ""}.get(Path(output).suffix, "#")
        write_text_bundle(Path(output), [(name, Path(file)) for name, file in pairs], comment)
    elif verb == "bundle":
        write_bundle(Path(output), [(Target.parse(target), Path(file)) for target, file in pairs])
    elif verb == "carried":
        write_carried_object(Path(output), Path(rest[0]), rest[1], rest[2])
    elif verb == "linked":
        write_linked_object(Path(output), Path(rest[0]), Path(rest[1]).read_text().split(), rest[2])
    else:
        write_fatbin_object(Path(output), Path(rest[0]), Path(rest[1]), rest[2])
    return 0


if __name__ == "__main__":
    import sys

    raise SystemExit(main(sys.argv[1:]))
