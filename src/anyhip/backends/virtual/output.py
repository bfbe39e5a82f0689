"""Records that kernels printed in, text on C's stdio out.

Through stdio, so that the text keeps its place among the program's own lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

__all__ = ["write_records"]


def write_records(ffi: Any, lib: Any, device: int, formats: Callable[[int], Mapping[int, str]]) -> None:
    """Decode and write all that the device's completed kernels printed.

    Args:
        ffi, lib: the engine's module.
        device: handle of the device.
        formats: kernel handle -> its code object's format strings by id.
    """
    from anyhip.backends.virtual import printf

    def read_string(address: int) -> bytes:
        return _string(ffi, lib, device, address)

    output = ffi.new("struct engine_output *")
    while lib.device_output_take(device, output):
        try:
            records = bytes(ffi.buffer(output.records, output.size))
            _write(lib, printf.decode(records, formats(output.kernel), read_string))
            if output.dropped:
                _write(
                    lib,
                    [(True, b"anyhip: %d calls of printf did not fit into its buffer\n" % output.dropped)],
                )
        finally:
            lib.output_release(output)


def _write(lib: Any, texts: Iterable[tuple[bool, bytes]]) -> None:
    for is_stderr, text in texts:
        lib.write_text(is_stderr, text, len(text))


def _string(ffi: Any, lib: Any, device: int, address: int) -> bytes:
    """The text at an address of the device's memory; what is not its memory is not touched."""
    found = ffi.new("struct engine_allocation *")
    known = lib.memory_nearest(device, address, found) and found.live
    if not known or not found.address <= address < found.address + found.size:
        return b"(string at %#x)" % address
    text: bytes = ffi.string(ffi.cast("char *", address), found.address + found.size - address)
    return text
