"""Which devices a process sees: environment in, (backend, index) pairs in HIP's order out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from anyhip import config
from anyhip.errors import UsageError

if TYPE_CHECKING:
    from anyhip.backends.backend import Backend

__all__ = ["backends", "selected", "why_none"]

_KFD = "/dev/kfd"  # the Linux kernel's driver for computing on AMD's GPUs
_MASKS = ("ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL")  # applied in this order, before HIP's own


def backends() -> list[Backend]:
    """The kinds of device that ``ANYHIP_DEVICE`` asks for, in its order.

    Unset, it is the GPUs of ROCm where there are any, else the virtual GPU.

    Raises:
        UsageError: a kind that does not exist.
    """
    wanted = config.get_list("ANYHIP_DEVICE")
    if wanted:
        return [_open(item) for item in wanted]
    if os.path.exists(_KFD):
        found = _open("rocm")
        if found.count():
            return [found]
    return [_open("virtual")]


def _open(item: str) -> Backend:
    kind, _, what = item.partition(":")
    backend: Backend
    if kind == "virtual":
        from anyhip.backends.virtual.device import VirtualBackend

        backend = VirtualBackend(what)
    elif kind == "nvidia":
        from anyhip.backends.nvidia.backend import NvidiaBackend

        backend = NvidiaBackend(what)
    elif kind == "rocm":
        from anyhip.backends.rocm.backend import RocmBackend

        backend = RocmBackend(what)
    else:
        raise UsageError(
            f"ANYHIP_DEVICE={item}: there is no kind of device called {kind!r}",
            "use virtual, virtual:gfx942, virtual:gfx942x2, nvidia, nvidia:0, rocm or rocm:0",
        )
    return backend


def selected(found: Sequence[Backend]) -> list[tuple[Backend, int]]:
    """Every device of the backends, filtered and ordered by the environment's masks.

    As on AMD, a mask ends at its first entry that names no device, a device counts once, and a mask that is
    set but empty hides all (ROCm documentation, "GPU isolation techniques"; clr, rocdevice.cpp). NVIDIA's
    driver applies CUDA_VISIBLE_DEVICES to its devices: where it is asked for any, that mask is left to it.
    """
    devices = [(backend, index) for backend in found for index in range(backend.count())]
    for name in _masks(found):
        devices = _masked(devices, config.get_list(name))
    return devices


def why_none(found: Sequence[Backend] | None = None) -> str:
    """Why there is no device: kinds that were asked for are absent, or masks hide what there is."""
    asked = backends() if found is None else found
    absent = [f"{backend.name}: {backend.absent_reason()}" for backend in asked if not backend.count()]
    present = sum(backend.count() for backend in asked)
    masks = ", ".join(f"{name}={config.get(name)}" for name in _masks(asked))
    if present and masks:
        absent.append(f"{masks} hides all {present}" if present > 1 else f"{masks} hides the only one")
    return "; ".join(absent)


def _masks(found: Sequence[Backend]) -> list[str]:
    """The masks that are set, in the order in which they apply; ROCm's runtime has applied them itself."""
    if any(backend.name == "rocm" for backend in found):
        return []
    names = [*_MASKS, "HIP_VISIBLE_DEVICES"]
    if not config.is_present("HIP_VISIBLE_DEVICES") and all(backend.name != "nvidia" for backend in found):
        names.append("CUDA_VISIBLE_DEVICES")
    return [name for name in names if config.is_present(name)]


def _masked(devices: list[tuple[Backend, int]], mask: Sequence[str]) -> list[tuple[Backend, int]]:
    kept: list[tuple[Backend, int]] = []
    for item in mask:
        chosen = _named(devices, item)
        if chosen is None:
            break
        if chosen not in kept:
            kept.append(chosen)
    return kept


def _named(devices: list[tuple[Backend, int]], item: str) -> tuple[Backend, int] | None:
    """The device of a number, or of a uuid (``GPU-…``), which may be shortened."""
    if item.startswith("GPU-") and len(item) > len("GPU-"):
        for backend, index in devices:
            uuid = str(backend.device(index).properties.get("uuid", ""))
            if f"GPU-{uuid}".startswith(item):
                return backend, index
        return None
    return devices[int(item)] if item.isdecimal() and int(item) < len(devices) else None
