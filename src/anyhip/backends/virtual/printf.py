"""Decode the records that kernels leave in the printf buffer, and format them as the C library would.

The record layout is what clang emits for ``-mprintf-kind=buffered`` (LLVM ``emitAMDGPUPrintfCall``): a
32-bit control word (size in bytes << 2 | constant format << 1 | stderr), then either the 64-bit hash of a
format that the code object's metadata holds or the format itself, then eight bytes an argument. Strings stand
in the record, zero-terminated and padded to eight bytes; a null pointer takes no room at all. A format that
was no constant leaves clang not knowing which arguments are strings, so those are addresses; the device
library's own assertion message (marked for stderr) keeps them inline.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping

from anyhip.backends.virtual.printf_format import INTEGERS, Argument, Directive, parse, render

__all__ = ["decode"]

ReadString = Callable[[int], bytes]
_CONSTANT, _STDERR = 2, 1


def decode(
    records: bytes, formats: Mapping[int, str], read_string: ReadString | None = None
) -> list[tuple[bool, bytes]]:
    """The texts printed, in order: pairs of (meant for stderr, text).

    Args:
        records: the used part of the buffer, after its 16-byte header.
        formats: format strings by their hash, from the code object (``amdhsa.printf``).
        read_string: reads the zero-terminated string at a device address; without it the string arguments of
            formats that are no constants print as ``(string at 0x...)``.

    A record that cannot be read (an unknown hash, arguments that do not fit) says so in its own text.
    """
    return [
        (bool(control & _STDERR), _text(control, payload, formats, read_string))
        for control, payload in _split(records)
    ]


def _split(records: bytes) -> Iterator[tuple[int, bytes]]:
    """Control word and payload of each record; a zero word ends the buffer early."""
    position = 0
    while position + 4 <= len(records):
        (control,) = struct.unpack_from("<I", records, position)
        size = control >> 2
        if size < 4 or position + size > len(records):
            return
        yield control, records[position + 4 : position + size]
        position += size


def _text(control: int, payload: bytes, formats: Mapping[int, str], read_string: ReadString | None) -> bytes:
    if control & _CONSTANT:
        key = int.from_bytes(payload[:8], "little")
        found = formats.get(key)
        if found is None:
            return f"(printf with an unknown format {key:#018x})\n".encode()
        template, arguments, inline = found.encode("utf-8", "surrogateescape"), payload[8:], True
    else:
        template, _, _ = payload.partition(b"\0")
        arguments, inline = payload[(len(template) + 8) & ~7 :], bool(control & _STDERR)
    directives = parse(template)
    kinds = [kind for directive in directives for kind in directive.consumes]
    if inline:
        values = _arguments(kinds, arguments)
    else:
        values = _addresses(kinds, arguments, read_string)
    if values is None:
        return b"(printf arguments do not match the format: " + template.strip() + b")\n"
    return _join(directives, values)


def _join(directives: tuple[Directive, ...], values: list[Argument]) -> bytes:
    position, parts = 0, []
    for directive in directives:
        count = len(directive.consumes)
        parts.append(render(directive, values[position : position + count]))
        position += count
    return b"".join(parts)


def _arguments(kinds: list[str], data: bytes) -> list[Argument] | None:
    """Values that use the record up exactly, or None.

    Strings are tried as present first and as null (no bytes) second: only the total length tells which.
    """
    if not kinds:
        return [] if not data else None
    kind, rest = kinds[0], kinds[1:]
    if kind == "string":
        end = data.find(b"\0")
        if end >= 0:
            tail = _arguments(rest, data[(end + 8) & ~7 :])
            if tail is not None:
                return [data[:end], *tail]
        tail = _arguments(rest, data)
        return None if tail is None else [None, *tail]
    if len(data) < 8:
        return None
    tail = _arguments(rest, data[8:])
    return None if tail is None else [_number(kind, data), *tail]


def _addresses(kinds: list[str], data: bytes, read_string: ReadString | None) -> list[Argument] | None:
    if len(data) < 8 * len(kinds):
        return None
    values: list[Argument] = []
    for index, kind in enumerate(kinds):
        word = data[8 * index :]
        if kind != "string":
            values.append(_number(kind, word))
            continue
        address = int.from_bytes(word[:8], "little")
        if address == 0:
            values.append(None)
        elif read_string is None:
            values.append(f"(string at {address:#x})".encode())
        else:
            values.append(read_string(address))
    return values


def _number(kind: str, data: bytes) -> Argument:
    if kind == "double":
        return float(struct.unpack_from("<d", data)[0])
    size, signed = INTEGERS[kind]
    return int.from_bytes(data[:size], "little", signed=signed)
