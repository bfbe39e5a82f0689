import ctypes
import struct

import pytest

from anyhip.codeobj import bundle as bundles
from anyhip.errors import HipError
from anyhip.runtime import image
from runtime.test_launch import ENTRY, bundle


def read(data: bytes) -> bytes:
    padded = ctypes.create_string_buffer(data + b"after" * 100)
    return image.read(ctypes.addressof(padded))


def elf(sections: list[tuple[int, int, int]]) -> bytes:
    """An ELF file whose section table comes first: (type, offset, size)."""
    head = b"\x7fELF\x02\x01\x01".ljust(0x28, b"\0") + struct.pack("<Q10xHH", 64, 64, len(sections))
    table = b"".join(struct.pack("<4xI16xQQ24x", kind, offset, size) for kind, offset, size in sections)
    return head.ljust(64, b"\0") + table


def test_bundle() -> None:
    assert read(bundle()) == bundle()


@pytest.mark.parametrize("version", [2, 3])
def test_compressed(version: int) -> None:
    data = bundles.bundle(
        [("hipv4-amdgcn-amd-amdhsa--gfx942", b"x" * 1000)], compress="zstd", version=version
    )
    assert read(data) == data


def test_compressed_without_a_size() -> None:
    data = bundles.bundle([(ENTRY.decode(), b"x" * 1000)], compress="zlib", version=1)
    with pytest.raises(HipError, match="version 1 does not say its size"):
        read(data)


def test_elf_ends_with_its_last_section() -> None:
    data = elf([(0, 0, 0), (1, 300, 20), (8, 10_000, 10_000)]).ljust(320, b"s")
    assert read(data) == data


def test_elf_may_end_with_its_section_table() -> None:
    data = elf([(1, 64, 8)])
    assert read(data) == data


def test_something_else() -> None:
    with pytest.raises(HipError, match="hipErrorInvalidImage"):
        read(b"#!/bin/sh")
    with pytest.raises(HipError, match="hipErrorInvalidImage.*1000000 entries"):
        read(b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", 1_000_000))
    with pytest.raises(HipError, match="hipErrorInvalidValue"):
        image.read(0)


def test_a_size_beyond_the_memory_that_there_is() -> None:
    for damaged in (elf([(1, 1 << 40, 20)]), elf([(1, 300, (1 << 64) - 200)])):
        with pytest.raises(HipError, match="hipErrorInvalidImage.*can be read"):
            read(damaged)
    moved = elf([(1, 64, 8)])
    with pytest.raises(HipError, match="hipErrorInvalidImage.*can be read"):
        read(moved[:0x28] + struct.pack("<Q", 1 << 45) + moved[0x30:])
    with pytest.raises(HipError, match="hipErrorInvalidImage.*0 can be read"):
        image.read(8)
