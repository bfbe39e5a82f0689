"""An image in memory whose size nobody told: address in, its bytes out.

``hipModuleLoadData`` and ``__hipRegisterFatBinary`` get a bare pointer. Each of the three formats says its
own
size: ELF by its section table (gABI, "ELF Header"), offload bundles by their entries, compressed bundles by
their header (clang documentation, ClangOffloadBundler).
"""

from __future__ import annotations

import ctypes
import struct

from anyhip.errors import HipError

__all__ = ["read"]

_BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"
_COMPRESSED = b"CCOB"
_ELF = b"\x7fELF"
_MOST_ENTRIES = 4096


def read(address: int) -> bytes:
    """The bytes of the ELF file or bundle at an address.

    Raises:
        HipError: hipErrorInvalidValue for null, hipErrorInvalidImage for anything else.
    """
    if not address:
        raise HipError("hipErrorInvalidValue", "the image is null")
    magic = ctypes.string_at(address, 4)
    if magic == _ELF:
        return ctypes.string_at(address, _elf_size(address))
    if magic == _COMPRESSED:
        return ctypes.string_at(address, _compressed_size(address))
    if magic == _BUNDLE[:4] and ctypes.string_at(address, len(_BUNDLE)) == _BUNDLE:
        return ctypes.string_at(address, _bundle_size(address))
    raise HipError(
        "hipErrorInvalidImage", f"{address:#x} starts with {magic!r}: no ELF file, no offload bundle"
    )


def _elf_size(address: int) -> int:
    header = ctypes.string_at(address, 64)
    sections, size, count = struct.unpack_from("<Q10xHH", header, 0x28)
    segments, segment_size, segment_count = struct.unpack_from("<Q14xHH", header, 0x20)
    ends = [64, sections + size * count, segments + segment_size * segment_count]
    for index in range(count):
        kind, offset, length = struct.unpack_from(
            "<I16xQQ", ctypes.string_at(address + sections + index * size, 64), 4
        )
        if kind != 8:  # SHT_NOBITS occupies no bytes
            ends.append(offset + length)
    return int(max(ends))


def _bundle_size(address: int) -> int:
    (count,) = struct.unpack("<Q", ctypes.string_at(address + len(_BUNDLE), 8))
    if count > _MOST_ENTRIES:
        raise HipError("hipErrorInvalidImage", f"an offload bundle of {count} entries")
    position, end = len(_BUNDLE) + 8, 0
    for _ in range(count):
        offset, size, name = struct.unpack("<QQQ", ctypes.string_at(address + position, 24))
        position += 24 + name
        end = max(end, offset + size)
    return max(position, end)


def _compressed_size(address: int) -> int:
    (version,) = struct.unpack("<H", ctypes.string_at(address + 4, 2))
    if version == 2:
        return int(struct.unpack("<I", ctypes.string_at(address + 8, 4))[0])
    if version == 3:
        return int(struct.unpack("<Q", ctypes.string_at(address + 8, 8))[0])
    raise HipError(
        "hipErrorInvalidImage",
        f"a compressed bundle of version {version} does not say its size",
        "compress with clang 19 or newer, or load it from a file",
    )
