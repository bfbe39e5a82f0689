"""Device architectures: text such as ``gfx942:sramecc+:xnack-`` or ``sm_90`` in, a Target out.

A target id is a processor and, for AMD, features that are on (``+``), off (``-``) or left out, which means
"runs either way" (LLVM AMDGPUUsage, "Target ID"). Facts of each processor are rows of ``tables/targets.tsv``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from anyhip import tables
from anyhip.errors import UsageError

__all__ = ["Product", "Target", "known", "known_archs", "parse", "product"]

_AMD_TRIPLES = ("amdgcn-amd-amdhsa", "amdgpu-amd-amdhsa")


@dataclass(frozen=True, slots=True)
class Target:
    """What code was compiled for, or what a device is.

    Attributes:
        arch: processor, e.g. ``gfx942``, ``gfx11-generic`` or ``sm_90``.
        features: (name, on) pairs in alphabetical order; a feature left out is "any".
        isa: ``amdgcn`` or ``nvptx``.
        wave_size: lanes of a wavefront as HIP compiles for this processor.
        generation: opcode-table column that describes the processor's machine code.
        major, minor, stepping: version of the processor (compute capability for NVIDIA).
        mach: EF_AMDGPU_MACH number of its ELF files; 0 for NVIDIA.
        generic: the generic processor whose code it also runs; empty when there is none.
    """

    arch: str
    features: tuple[tuple[str, bool], ...]
    isa: str
    wave_size: int
    generation: str
    major: int
    minor: int
    stepping: int
    mach: int
    generic: str

    @property
    def id(self) -> str:
        """Canonical target id, e.g. ``gfx942:sramecc+:xnack-``."""
        return self.arch + "".join(f":{name}{'+' if on else '-'}" for name, on in self.features)

    @property
    def triple(self) -> str:
        """clang's target triple."""
        return "amdgcn-amd-amdhsa" if self.isa == "amdgcn" else "nvptx64-nvidia-cuda"

    def __str__(self) -> str:
        return self.id

    @property
    def code_object_version(self) -> int:
        """What its code objects are made as: 5, or 6 for generic processors, which came with it.

        Source: LLVM AMDGPUUsage, "Generic Code Object Version".
        """
        return 6 if self.arch in _generic_archs() else 5

    @staticmethod
    def parse(text: str) -> Target:
        """Read a target id; see :func:`parse`."""
        return parse(text)

    def matches(self, device: Target) -> bool:
        """Whether code for this target runs on ``device``.

        A feature that the code fixes must have that same value on the device, unless the device leaves it
        open (a virtual device runs both). Generic code runs on the processors that name it. PTX of a lower
        compute capability runs on a newer NVIDIA device, unless it is architecture-specific (``sm_90a``).
        """
        if self.isa != device.isa:
            return False
        if self.isa == "nvptx":
            return self._ptx_matches(device)
        if self.arch not in (device.arch, device.generic):
            return False
        modes = dict(device.features)
        return all(modes.get(name, on) == on for name, on in self.features)

    def _ptx_matches(self, device: Target) -> bool:
        if self.arch.endswith("a"):
            return self.arch.rstrip("a") == device.arch.rstrip("a")
        return (self.major, self.minor) <= (device.major, device.minor)


class Product(NamedTuple):
    """One product of an architecture: what a device made of it reports. Units as in ``targets.tsv``."""

    name: str
    compute_units: int
    simds_per_cu: int
    waves_per_simd: int
    vgprs_per_simd: int
    lds_bytes: int
    clock_khz: int
    memory_clock_khz: int
    bus_width: int
    memory_bytes: int
    l2_bytes: int
    pci_device: int

    @property
    def waves_per_cu(self) -> int:
        """Wavefronts resident in a compute unit at most."""
        return self.simds_per_cu * self.waves_per_simd


@lru_cache(maxsize=1)
def _rows() -> dict[str, dict[str, str]]:
    return {row["arch"]: row for row in tables.load("targets")}


@lru_cache(maxsize=1)
def _generic_archs() -> frozenset[str]:
    return frozenset(row["generic"] for row in _rows().values()) - {""}


def known_archs() -> list[str]:
    """Names of every architecture in the table, in its order."""
    return list(_rows())


def known() -> list[Target]:
    """Every architecture in the table with no feature fixed, in its order."""
    return [parse(arch) for arch in _rows()]


def product(arch: str) -> Product | None:
    """The product that stands for an architecture, or None where the table names none.

    Raises:
        UsageError: the architecture is unknown.
    """
    row = _row(arch)
    if not row["product"]:
        return None
    numbers = {name: int(row[name], 0) for name in Product._fields if name != "name"}
    return Product(name=row["product"], **numbers)


@lru_cache(maxsize=256)
def parse(text: str) -> Target:
    """Read a target id, with or without a triple in front (``amdgcn-amd-amdhsa--gfx942``).

    Args:
        text: e.g. ``gfx942``, ``gfx90a:xnack+``, ``sm_90``, ``compute_90``.

    Raises:
        UsageError: unknown processor or feature, or a feature given twice or without sign.
    """
    arch, *features = _without_triple(text).split(":")
    if arch.startswith("compute_"):
        arch = "sm_" + arch.removeprefix("compute_")
    row = _row(arch)
    return Target(
        arch=arch,
        features=_features(text, features, row["features"].split()),
        isa=row["isa"],
        wave_size=int(row["wave_size"]),
        generation=row["generation"],
        major=int(row["major"]),
        minor=int(row["minor"]),
        stepping=int(row["stepping"]),
        mach=int(row["mach"] or "0", 0),
        generic=row["generic"],
    )


def _without_triple(text: str) -> str:
    for triple in _AMD_TRIPLES:
        if text.startswith(triple):
            return text.removeprefix(triple).lstrip("-")
    return text.removeprefix("nvptx64-nvidia-cuda").lstrip("-")


def _row(arch: str) -> dict[str, str]:
    row = _rows().get(arch)
    if row is None:
        raise UsageError(f"unknown architecture {arch!r}", "known are " + ", ".join(_rows()))
    return row


def _features(text: str, given: list[str], allowed: list[str]) -> tuple[tuple[str, bool], ...]:
    found: dict[str, bool] = {}
    for feature in given:
        name, sign = feature[:-1], feature[-1:]
        if sign not in "+-" or name not in allowed or name in found:
            can = ", ".join(f"{name}+ or {name}-" for name in allowed) or "no feature"
            raise UsageError(
                f"bad feature {feature!r} in target id {text!r}", f"this processor takes {can}, each once"
            )
        found[name] = sign == "+"
    return tuple(sorted(found.items()))
