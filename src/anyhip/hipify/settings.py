"""How to port: the options every rule reads."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PortOptions"]


@dataclass(frozen=True, slots=True)
class PortOptions:
    """How to port.

    Args:
        roc: name AMD's own libraries (rocBLAS) instead of the hip* wrappers where both exist.
        experimental: use names that HIP marks as experimental.
        hip_launch: turn `<<<>>>` into hipLaunchKernelGGL.
        runtime_include: when a file without it gets hip_runtime.h: "auto" (it uses CUDA), "always", "never".
        whitelist: names to leave alone.
        rocm6: spell as ROCm 6's hipify-clang does: its header paths and types, and renaming inside strings.
    """

    roc: bool = False
    experimental: bool = False
    hip_launch: bool = False
    runtime_include: str = "auto"
    whitelist: frozenset[str] = frozenset()
    rocm6: bool = False
