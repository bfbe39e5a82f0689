"""An image in memory whose size nobody told: address in, its bytes out.

``hipModuleLoadData`` and ``__hipRegisterFatBinary`` get a bare pointer. Each of the three formats says its
own
size: ELF by its section table (gABI, "ELF Header"), offload bundles by their entries, compressed bundles by
their header (clang documentation, ClangOffloadBundler). A damaged image may say a size that reaches beyond
the program's memory, so that is looked at first.
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
_SECTION_HEADER = 64


def read(address: int) -> bytes:
    """The bytes of the ELF file or bundle at an address.

    Raises:
        HipError: hipErrorInvalidValue for null, hipErrorInvalidImage for anything else, and for an image that
            is said to be longer than the memory it lies in.
    """
    if not address:
        raise HipError("hipErrorInvalidValue", "the image is null")
    image = _Image(address)
    magic = image.bytes(0, 4)
    if magic == _ELF:
        return image.bytes(0, _elf_size(image))
    if magic == _COMPRESSED:
        return image.bytes(0, _compressed_size(image))
    if magic == _BUNDLE[:4] and image.bytes(0, len(_BUNDLE)) == _BUNDLE:
        return image.bytes(0, _bundle_size(image))
    raise HipError(
        "hipErrorInvalidImage", f"{address:#x} starts with {magic!r}: no ELF file, no offload bundle"
    )


class _Image:
    """Memory from an address on, as far as it can be read."""

    def __init__(self, address: int) -> None:
        self.address = address
        self.size = _readable(address)

    def bytes(self, offset: int, size: int) -> bytes:
        """A part of the image.

        Raises:
            HipError: hipErrorInvalidImage: it is not all there.
        """
        if offset + size > self.size:
            raise HipError(
                "hipErrorInvalidImage",
                f"the image at {self.address:#x} would have {offset + size} bytes; {self.size} can be read",
            )
        return ctypes.string_at(self.address + offset, size)


def _readable(address: int) -> int:
    """How many bytes from the address on are mapped and readable (proc(5), "/proc/pid/maps")."""
    end = address
    with open("/proc/self/maps", encoding="ascii", errors="replace") as maps:
        for line in maps:
            places, rights = line.split(maxsplit=2)[:2]
            first, last = (int(place, 16) for place in places.split("-"))
            if first <= end < last and rights[0] == "r":
                end = last
    return end - address


def _elf_size(image: _Image) -> int:
    header = image.bytes(0, 64)
    sections, size, count = struct.unpack_from("<Q10xHH", header, 0x28)
    segments, segment_size, segment_count = struct.unpack_from("<Q14xHH", header, 0x20)
    ends = [64, sections + size * count, segments + segment_size * segment_count]
    table = image.bytes(sections, size * count)
    if count and size < _SECTION_HEADER:
        raise HipError("hipErrorInvalidImage", f"an ELF file with section headers of {size} bytes")
    for index in range(count):
        kind, offset, length = struct.unpack_from("<I16xQQ", table, index * size + 4)
        if kind != 8:  # SHT_NOBITS occupies no bytes
            ends.append(offset + length)
    return int(max(ends))


def _bundle_size(image: _Image) -> int:
    (count,) = struct.unpack("<Q", image.bytes(len(_BUNDLE), 8))
    if count > _MOST_ENTRIES:
        raise HipError("hipErrorInvalidImage", f"an offload bundle of {count} entries")
    position, end = len(_BUNDLE) + 8, 0
    for _ in range(count):
        offset, size, name = struct.unpack("<QQQ", image.bytes(position, 24))
        position += 24 + name
        end = max(end, offset + size)
    return max(position, end)


def _compressed_size(image: _Image) -> int:
    (version,) = struct.unpack("<H", image.bytes(4, 2))
    if version == 2:
        return int(struct.unpack("<I", image.bytes(8, 4))[0])
    if version == 3:
        return int(struct.unpack("<Q", image.bytes(8, 8))[0])
    raise HipError(
        "hipErrorInvalidImage",
        f"a compressed bundle of version {version} does not say its size",
        "compress with clang 19 or newer, or load it from a file",
    )
