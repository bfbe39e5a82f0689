"""The kernarg segment: explicit arguments in, hidden arguments filled in (LLVM AMDGPUUsage, "Kernarg
Segment").
"""

from __future__ import annotations

__all__ = ["complete"]

from anyhip.codeobj.codeobject import KernelInfo

Dim3 = tuple[int, int, int]


def complete(kernel: KernelInfo, given: bytes, grid: Dim3, block: Dim3, shared: int) -> bytes:
    """The whole segment: ``given``, and the hidden arguments that lie behind its end.

    Hidden pointers (printf buffer, heap, queue...) are null.
    """
    segment = bytearray(given.ljust(kernel.kernarg_size, b"\0"))
    values = {"hidden_grid_dims": 3 if grid[2] * block[2] > 1 else 2 if grid[1] * block[1] > 1 else 1}
    values["hidden_dynamic_lds_size"] = shared
    for axis, name in enumerate("xyz"):
        values[f"hidden_block_count_{name}"] = grid[axis]
        values[f"hidden_group_size_{name}"] = block[axis]
    for argument in kernel.args:
        if argument.hidden and argument.offset >= len(given):
            value = values.get(argument.value_kind, 0)
            segment[argument.offset : argument.offset + argument.size] = value.to_bytes(
                argument.size, "little"
            )
    return bytes(segment)
