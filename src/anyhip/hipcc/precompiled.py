"""Precompiled headers: one file a pass, since clang reads one only for the target that it was made for.

The host's has the name that the user gave; beside it lies one for each device target, named by that target.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from anyhip.errors import UsageError
from anyhip.target import Target

__all__ = ["device_file", "emit_args", "include_args"]


def emit_args(given: Sequence[str]) -> list[str]:
    """Options that make clang write a precompiled header, whatever output its driver planned.

    Args:
        given: the user's options, which may say so already.
    """
    return [] if "-emit-pch" in given else ["-Xclang", "-emit-pch"]


def device_file(header: str | Path, target: Target) -> Path:
    """The precompiled header of a device target."""
    return Path(f"{header}.{target.id.replace(':', '-')}")


def include_args(headers: Iterable[str], target: Target | None) -> list[str]:
    """Options that include precompiled headers in one pass.

    Args:
        target: of a device pass; None for the host's.

    Raises:
        UsageError: a header was not precompiled for that target.
    """
    args: list[str] = []
    for header in headers:
        file = Path(header) if target is None else device_file(header, target)
        if target is not None and not file.is_file():
            raise UsageError(
                f"{header} was not precompiled for {target}",
                f"precompile the header with this hipcc, as HIP and with --offload-arch={target}",
            )
        args += ["-Xclang", "-include-pch", "-Xclang", str(file)]
    return args
