"""Launching from Python in cuda.core's words: ``launch(stream, LaunchConfig(grid, block), kernel,
*arguments)``.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anyhip.errors import HipError
from anyhip.runtime import arguments
from anyhip.runtime import launch as launches

if TYPE_CHECKING:
    from anyhip.runtime.kernel import Kernel
    from anyhip.runtime.stream import Stream

__all__ = ["LaunchConfig", "launch"]

_Size = int | tuple[int, ...]


def _three(size: _Size) -> tuple[int, int, int]:
    sizes = tuple(size) if isinstance(size, Sequence) else (size,)
    if not 1 <= len(sizes) <= 3:
        raise HipError("hipErrorInvalidConfiguration", f"{size} is no one to three dimensions")
    x, y, z = (operator.index(one) for one in (*sizes, 1, 1)[:3])
    if min(x, y, z) < 0:
        raise HipError("hipErrorInvalidConfiguration", f"{size}: a dimension is negative")
    return x, y, z


@dataclass(frozen=True, slots=True)
class LaunchConfig:
    """The shape of a launch.

    Attributes:
        grid: workgroups, in one to three dimensions.
        block: work-items of a workgroup, in one to three dimensions.
        shmem_size: bytes of dynamic shared memory.
        cooperative_launch: all workgroups must be resident at once.
    """

    grid: _Size
    block: _Size
    shmem_size: int = 0
    cooperative_launch: bool = False


def launch(stream: Stream, config: LaunchConfig, kernel: Kernel, *values: object) -> None:
    """Run a kernel in a stream's order.

    Args:
        values: its arguments. Buffer and arrays go by address; a Python int becomes an integer and a float a
            floating-point number of the parameter's size (its type is not known: write 2.0 for a float);
            NumPy and ctypes scalars, ctypes structures and bytes are taken as they are.

    Raises:
        HipError: the shape, or an argument's number or size, is wrong.
        TypeError: a value that cannot be an argument.
    """
    array, kept = arguments.pack(kernel, values)
    launches.launch_kernel(
        kernel,
        stream,
        _three(config.grid),
        _three(config.block),
        ctypes.addressof(array),
        config.shmem_size,
        cooperative=config.cooperative_launch,
        shape_code="hipErrorInvalidConfiguration",
    )
    del kept  # the backend has copied the arguments
