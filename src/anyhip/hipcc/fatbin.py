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

from anyhip.target import Target

__all__ = [
    "MACHINES",
    "fatbin_symbols",
    "host_object",
    "main",
    "write_bundle",
    "write_fatbin_object",
    "write_text_bundle",
]

# e_machine of the ELF specification, by the first word of the host triple
MACHINES = {"x86_64": 62, "aarch64": 183, "riscv64": 243, "powerpc64le": 21, "ppc64le": 21}

_SYMBOL = re.compile(rb"\0(__hip_fatbin_[0-9a-f]+)(?=\0)")
_PAGE = 4096


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


def host_object(content: bytes, names: Sequence[str], machine: str) -> bytes:
    """A relocatable ELF with ``content`` in ``.hip_fatbin``, and hidden symbols for its start.

    Layout: ELF header, contents, symbol table, names, section headers (System V ABI, "Object Files").
    """
    strings = b"\0" + b"".join(name.encode() + b"\0" for name in names)
    symbols = bytes(24)
    offset = 1
    for name in names:
        # st_name, st_info = GLOBAL OBJECT, st_other = HIDDEN, st_shndx = 1, st_value, st_size
        symbols += struct.pack("<IBBHQQ", offset, 0x11, 2, 1, 0, len(content))
        offset += len(name) + 1
    section_names = b"\0.hip_fatbin\0.symtab\0.strtab\0.shstrtab\0.note.GNU-stack\0"
    blobs = [content, symbols, strings, section_names, b""]
    starts, position, body = [], 64, b""
    for blob, alignment in zip(blobs, (_PAGE, 8, 1, 1, 1), strict=True):
        padding = -position % alignment
        starts.append(position + padding)
        body += bytes(padding) + blob
        position += padding + len(blob)
    body += bytes(-position % 8)
    position += -position % 8
    headers = bytes(64) + b"".join(
        struct.pack(
            "<IIQQQQIIQQ",
            section_names.index(name),
            kind,
            flags,
            0,
            start,
            len(blob),
            link,
            info,
            align,
            size,
        )
        for name, kind, flags, start, blob, link, info, align, size in (
            (b".hip_fatbin", 1, 2, starts[0], content, 0, 0, _PAGE, 0),
            (b".symtab", 2, 0, starts[1], symbols, 3, 1, 8, 24),
            (b".strtab", 3, 0, starts[2], strings, 0, 0, 1, 0),
            (b".shstrtab", 3, 0, starts[3], section_names, 0, 0, 1, 0),
            (b".note.GNU-stack", 1, 0, starts[4], b"", 0, 0, 1, 0),
        )
    )
    return _elf_header(machine, position, sections=6, names_at=4) + body + headers


def _elf_header(machine: str, section_headers: int, sections: int, names_at: int) -> bytes:
    identity = b"\x7fELF" + bytes((2, 1, 1)) + bytes(9)  # 64-bit, little-endian, version 1
    return identity + struct.pack(
        "<HHIQQQIHHHHHH", 1, MACHINES[machine], 1, 0, 0, section_headers, 0, 64, 0, 0, 64, sections, names_at
    )


def main(argv: Sequence[str]) -> int:
    """A step by hand, as ``-###`` prints it.

    ``bundle OUT TARGET=FILE...``, ``text OUT NAME=FILE...`` or ``object OUT BUNDLE HOST_OBJECT MACHINE``.
    """
    verb, output, *rest = argv
    pairs = [word.rsplit("=", 1) for word in rest]
    if verb == "text":
        comment = {".ll": ";", ".bc": ""}.get(Path(output).suffix, "#")
        write_text_bundle(Path(output), [(name, Path(file)) for name, file in pairs], comment)
    elif verb == "bundle":
        write_bundle(Path(output), [(Target.parse(target), Path(file)) for target, file in pairs])
    else:
        write_fatbin_object(Path(output), Path(rest[0]), Path(rest[1]), rest[2])
    return 0


if __name__ == "__main__":
    import sys

    raise SystemExit(main(sys.argv[1:]))
