"""Offload bundles: one file with code for several targets, taken apart, put together and chosen from.

Plain layout (clang documentation "ClangOffloadBundler"): 24-byte magic, u64 count, then for each entry
u64 offset, u64 size, u64 length of id, id; then the contents, each at a multiple of 4096 as clang's HIP
toolchain writes them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from anyhip.codeobj import compress as ccob
from anyhip.codeobj import elf
from anyhip.codeobj.codeobject import target_of
from anyhip.codeobj.elf import Elf
from anyhip.errors import CodeObjectError, HipError, UsageError
from anyhip.target import Target

__all__ = ["Entry", "bundle", "entry_id", "host_bundles", "select", "unbundle"]

MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
ALIGNMENT = 4096
HOST_ID = "host-x86_64-unknown-linux-gnu-"
_COUNT = struct.Struct("<Q")
_ENTRY = struct.Struct("<QQQ")
_MOST_ENTRIES = 4096
_FATBIN_SECTIONS = (".hip_fatbin", ".hip_fatbin_segment_data")


class Entry(NamedTuple):
    """One content of a bundle.

    Attributes:
        id: as the bundle spells it, e.g. ``hipv4-amdgcn-amd-amdhsa--gfx942:xnack-``.
        kind: the part of the id before the triple: ``host``, ``hip``, ``hipv4``, ``openmp`` …
        target: what it was compiled for; None for the host's entry and for processors unknown here.
        data: its bytes: an AMD ELF, or PTX text.
    """

    id: str
    kind: str
    target: Target | None
    data: bytes


def entry_id(target: Target) -> str:
    """The bundle id of device code for ``target``."""
    return f"hipv4-{target.triple}--{target.id}"


def unbundle(data: bytes | memoryview) -> list[Entry]:
    """Take a bundle apart.

    Args:
        data: plain or compressed bundle, several of them one after the other (as a linked host object holds
            them), or a raw AMD ELF, which is a bundle of one entry.

    Raises:
        CodeObjectError: none of these, or damaged.
    """
    view = memoryview(data)
    if bytes(view[:4]) == elf.MAGIC:
        target, _version = target_of(Elf(view, "code object"))
        return [Entry(entry_id(target), "hipv4", target, bytes(view))]
    entries: list[Entry] = []
    while len(view):
        if bytes(view[: len(MAGIC)]) == MAGIC:
            found, size = _plain(view)
        elif bytes(view[:4]) == ccob.MAGIC:
            size = ccob.compressed_size(view)
            found, _ = _plain(memoryview(ccob.decompress(view[:size])))
        else:
            raise CodeObjectError(
                f"not an offload bundle or an AMD ELF: it begins with {bytes(view[:8])!r}",
                "give the output of `hipcc --genco`, a fat binary or a code object",
            )
        entries += found
        view = _after_padding(view[size:])
    if not entries:
        raise CodeObjectError("the offload bundle is empty", "was the file written completely?")
    return entries


def bundle(entries: Iterable[tuple[str, bytes]], compress: str | None = None, version: int = 3) -> bytes:
    """Put a bundle together.

    Args:
        entries: (id, bytes) pairs. An empty host entry is put in front unless there is one, as clang does.
        compress: None, ``"zlib"`` or ``"zstd"``.
        version: header version when compressed, 1 to 3.
    """
    items = [(name.encode(), bytes(content)) for name, content in entries]
    if not any(name.startswith(b"host") for name, _ in items):
        items.insert(0, (HOST_ID.encode(), b""))
    offset = len(MAGIC) + _COUNT.size + sum(_ENTRY.size + len(name) for name, _ in items)
    table, contents = [MAGIC, _COUNT.pack(len(items))], []
    for name, content in items:
        padding = -offset % ALIGNMENT
        offset += padding
        table += [_ENTRY.pack(offset, len(content), len(name)), name]
        contents += [bytes(padding), content]
        offset += len(content)
    plain = b"".join(table + contents)
    return ccob.compress(plain, compress, version) if compress else plain


def select(entries: Sequence[Entry], device: Target) -> Entry:
    """The entry that runs best on a device: same processor before generic, more features fixed before fewer.

    Raises:
        HipError: hipErrorNoBinaryForGpu, listing what is there and the flag that would add the device.
    """
    usable = [entry for entry in entries if entry.target is not None and entry.target.matches(device)]
    if not usable:
        held = ", ".join(
            entry.target.id if entry.target else entry.id for entry in entries if entry.kind != "host"
        )
        raise HipError(
            "hipErrorNoBinaryForGpu",
            f"no code for {device.id}; the file holds code for {held or 'no device'}",
            f"compile with --offload-arch={device.arch}",
        )
    return max(usable, key=lambda entry: _fit(entry, device))


def host_bundles(data: bytes | memoryview) -> list[bytes]:
    """Contents of the fat-binary sections of a host executable, shared library or object file.

    Returns:
        One blob a section, ready for :func:`unbundle`; empty when the file has no device code.

    Raises:
        CodeObjectError: not an ELF file, or a damaged one.
    """
    file = Elf(data, "host binary")
    return [bytes(file.section_bytes(s)) for s in file.sections if s.name in _FATBIN_SECTIONS and s.size]


def _fit(entry: Entry, device: Target) -> tuple[bool, int, int, int]:
    target = entry.target
    assert target is not None  # select() keeps only entries with a target
    return target.arch == device.arch, len(target.features), target.major, target.minor


def _plain(view: memoryview) -> tuple[list[Entry], int]:
    """Entries of the plain bundle at the start of ``view`` and the bytes it takes."""
    at = len(MAGIC)
    if bytes(view[:at]) != MAGIC or len(view) < at + _COUNT.size:
        raise CodeObjectError("offload bundle ends inside its header")
    (count,) = _COUNT.unpack_from(view, at)
    at += _COUNT.size
    if count > _MOST_ENTRIES:
        raise CodeObjectError(f"offload bundle claims {count} entries")
    entries, end = [], at
    for _ in range(count):
        if len(view) < at + _ENTRY.size:
            raise CodeObjectError("offload bundle ends inside its table of entries")
        offset, size, id_size = _ENTRY.unpack_from(view, at)
        at += _ENTRY.size
        if id_size > 4096 or at + id_size > len(view) or offset + size > len(view):
            raise CodeObjectError(
                f"offload bundle entry at {offset:#x}+{size:#x} lies outside its {len(view)} bytes"
            )
        entries.append(
            _entry(bytes(view[at : at + id_size]).decode("utf-8", "replace"), view[offset : offset + size])
        )
        at += id_size
        end = max(end, at, offset + size)
    return entries, end


def _entry(name: str, content: memoryview) -> Entry:
    kind, _, rest = name.partition("-")
    target = None
    if kind != "host":
        # The id is kind-arch-vendor-os-environment-processor; old compilers leave the environment out. A
        # processor may have dashes of its own: gfx9-4-generic, gfx942:xnack-.
        words = rest.split("-", 3)
        try:
            target = Target.parse(words[-1].removeprefix("-"))
        except UsageError:
            target = None  # listed by its id; select() never picks it
    return Entry(name, kind, target, bytes(content))


def _after_padding(view: memoryview) -> memoryview:
    """What follows the zeros that align the next bundle."""
    step = 65536
    for start in range(0, len(view), step):
        piece = bytes(view[start : start + step])
        rest = piece.lstrip(b"\0")
        if rest:
            return view[start + len(piece) - len(rest) :]
    return view[len(view) :]
