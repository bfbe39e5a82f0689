"""Records that kernels printed in, text on C's stdio out.

Through stdio, so that the text keeps its place among the program's own lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["write_records"]


def write_records(ffi: Any, lib: Any, device: int, formats: Callable[[int], Mapping[int, str]]) -> None:
    """Decode and write all that the device's completed kernels printed.

    Args:
        ffi, lib: the engine's module.
        device: handle of the device.
        formats: kernel handle -> its code object's format strings by id.
    """
    output = ffi.new("struct engine_output *")
    while lib.device_output_take(device, output):
        try:
            _write(ffi, lib, output, formats(output.kernel))
        finally:
            lib.output_release(output)


def _write(ffi: Any, lib: Any, output: Any, formats: Mapping[int, str]) -> None:
    from anyhip.backends.virtual import printf

    records = bytes(ffi.buffer(output.records, output.size))
    for is_stderr, text in printf.decode(records, formats):
        lib.write_text(is_stderr, text, len(text))
    if output.dropped:
        lost = f"anyhip: {output.dropped} calls of printf did not fit into its buffer\n".encode()
        lib.write_text(True, lost, len(lost))
