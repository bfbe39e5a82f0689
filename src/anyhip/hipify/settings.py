"""How to port: the options every rule reads."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PortOptions"]

_DNN = ("dnn", "overlays/dnn")


@dataclass(frozen=True, slots=True)
class PortOptions:
    """How to port.

    Args:
        roc: name AMD's own libraries (rocBLAS) instead of the hip* wrappers where both exist.
        experimental: use names that HIP marks as experimental.
        hip_launch: turn `<<<>>>` into hipLaunchKernelGGL.
        expand_launches: with hip_launch, rewrite the uses of macros that hold part of a launch.
        runtime_include: when a file without it gets hip_runtime.h: "auto" (it uses CUDA), "always", "never".
        whitelist: names to leave alone.
        hipdnn: name hipDNN for cuDNN, as AMD's own tools do, instead of MIOpen, the library that ROCm has.
        miopen: with roc, name MIOpen's own queue type for streams.
        rocm6: spell as ROCm 6's hipify-clang does: its header paths and types,
            halves of a half2, and renaming inside strings.
        skip_excluded: in branches that the preprocessor certainly drops, change names only.
        defines: macros that count as defined for that.
        own: tokens to leave alone, by index: names that are the program's own.
    """

    roc: bool = False
    experimental: bool = False
    hip_launch: bool = False
    expand_launches: bool = False
    runtime_include: str = "auto"
    whitelist: frozenset[str] = frozenset()
    rocm6: bool = False
    hipdnn: bool = False
    miopen: bool = False
    skip_excluded: bool = False
    defines: frozenset[str] = frozenset()
    own: frozenset[int] = frozenset()

    @property
    def overlays(self) -> tuple[str, ...]:
        """The map files that replace rows of others."""
        wanted = (("rocm6", self.rocm6), ("dnn", not self.hipdnn), ("miopen", self.miopen))
        return tuple(name for name, is_wanted in wanted if is_wanted)

    def names_own(self, library: str) -> bool:
        """Whether AMD's own library is named instead of a hip* wrapper, for a map's name."""
        return self.roc or (not self.hipdnn and library in _DNN)
