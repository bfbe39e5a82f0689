"""Code-object metadata: the msgpack note in, plain values and argument lists out.

Layout: LLVM AMDGPUUsage "Code Object V3 Metadata" and its V4 and V5 additions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from anyhip.errors import CodeObjectError

__all__ = ["KernelArg", "kernel_args", "printf_formats", "unpack"]

NT_AMDGPU_METADATA = 32
OWNER = b"AMDGPU"


class KernelArg(NamedTuple):
    """One kernel argument: bytes ``offset .. offset + size`` of the kernarg segment.

    ``value_kind`` is the metadata's own word: ``by_value``, ``global_buffer``, ``dynamic_shared_pointer``,
    ``hidden_block_count_x`` …
    """

    offset: int
    size: int
    value_kind: str
    name: str = ""
    type_name: str = ""
    address_space: str = ""
    access: str = ""
    pointee_align: int = 0
    is_const: bool = False
    is_restrict: bool = False
    is_volatile: bool = False

    @property
    def hidden(self) -> bool:
        """Whether the runtime fills it in."""
        return self.value_kind.startswith("hidden_")


def unpack(note: bytes, what: str) -> dict[str, Any]:
    """Decode the note's msgpack document.

    Raises:
        CodeObjectError: not msgpack, or not a map at the top.
    """
    import msgpack

    try:
        document = msgpack.unpackb(note, raw=False, strict_map_key=True)
    except (ValueError, TypeError, msgpack.exceptions.UnpackException) as error:
        raise CodeObjectError(f"{what}: metadata is not valid msgpack ({error})") from error
    if not isinstance(document, dict):
        raise CodeObjectError(f"{what}: metadata is not a map")
    return document


def typed(record: dict[str, Any], key: str, kind: type, default: object, what: str) -> Any:
    """A value of a metadata map, checked for its type."""
    value: Any = record.get(key, default)
    fits = isinstance(value, kind)
    if kind is int and fits:
        fits = not isinstance(value, bool) and 0 <= int(value) < 1 << 32
    if not fits:
        raise CodeObjectError(f"{what}: metadata field {key} is {value!r:.80}, not {kind.__name__}")
    return value


def kernel_args(kernel: dict[str, Any], kernarg_size: int, what: str) -> tuple[KernelArg, ...]:
    """The arguments of one kernel, in order.

    Args:
        kernel: its map in ``amdhsa.kernels``.
        kernarg_size: size of the segment, which no argument may leave.

    Raises:
        CodeObjectError: an argument lacks a field, has a wrong type or lies outside the segment.
    """
    found = []
    for arg in typed(kernel, ".args", list, [], what):
        if not isinstance(arg, dict):
            raise CodeObjectError(f"{what}: an argument in the metadata is not a map")
        offset, size = typed(arg, ".offset", int, None, what), typed(arg, ".size", int, None, what)
        if offset + size > kernarg_size:
            raise CodeObjectError(
                f"{what}: argument at {offset}+{size} leaves the {kernarg_size}-byte kernarg segment"
            )
        found.append(
            KernelArg(
                offset=offset,
                size=size,
                value_kind=typed(arg, ".value_kind", str, None, what),
                name=typed(arg, ".name", str, "", what),
                type_name=typed(arg, ".type_name", str, "", what),
                address_space=typed(arg, ".address_space", str, "", what),
                access=typed(arg, ".access", str, "", what),
                pointee_align=typed(arg, ".pointee_align", int, 0, what),
                is_const=typed(arg, ".is_const", bool, False, what),
                is_restrict=typed(arg, ".is_restrict", bool, False, what),
                is_volatile=typed(arg, ".is_volatile", bool, False, what),
            )
        )
    return tuple(found)


def printf_formats(metadata: dict[str, Any], what: str) -> dict[int, str]:
    """Formats of ``amdhsa.printf`` by id.

    An entry is ``id:count:size…:format`` or, as clang's buffered printf writes it, ``0:0:<hash>,<format>``
    where the hash (hex) is the id that a record carries.

    Raises:
        CodeObjectError: an entry has neither shape.
    """
    found: dict[int, str] = {}
    for entry in typed(metadata, "amdhsa.printf", list, [], what):
        try:
            number, count, rest = entry.split(":", 2)
            if (number, count) == ("0", "0"):
                key, text = rest.split(",", 1)
                found[int(key, 16)] = text
            else:
                found[int(number)] = rest.split(":", int(count))[int(count)]
        except (ValueError, IndexError, AttributeError) as error:
            raise CodeObjectError(
                f"{what}: printf entry {entry!r:.80} in the metadata makes no sense"
            ) from error
    return found
