"""Which devices a process sees: environment in, (backend, index) pairs in HIP's order out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anyhip import config
from anyhip.errors import UsageError

if TYPE_CHECKING:
    from anyhip.backends.backend import Backend

__all__ = ["backends", "selected", "why_none"]

_MASKS = ("ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL")  # applied in this order, before HIP's own


def backends() -> list[Backend]:
    """The kinds of device that ``ANYHIP_DEVICE`` asks for, in its order (the virtual GPU, when it is unset).

    Raises:
        UsageError: a kind that does not exist.
    """
    wanted = config.get_list("ANYHIP_DEVICE") or ("virtual",)
    return [_open(item) for item in wanted]


def _open(item: str) -> Backend:
    kind, _, what = item.partition(":")
    backend: Backend
    if kind == "virtual":
        from anyhip.backends.virtual.device import VirtualBackend

        backend = VirtualBackend(what)
    elif kind == "nvidia":
        from anyhip.backends.nvidia.backend import NvidiaBackend

        backend = NvidiaBackend(what)
    else:
        raise UsageError(
            f"ANYHIP_DEVICE={item}: there is no kind of device called {kind!r}",
            "use virtual, virtual:gfx942, virtual:gfx942x2, nvidia or nvidia:0",
        )
    return backend


def selected(found: Sequence[Backend]) -> list[tuple[Backend, int]]:
    """Every device of the backends, filtered and ordered by the environment's masks.

    As on AMD, a mask ends at its first entry that names no device. NVIDIA's driver applies
    CUDA_VISIBLE_DEVICES to its own devices: where it is asked for any, that mask is left to it.
    """
    devices = [(backend, index) for backend in found for index in range(backend.count())]
    hip_masks = ["HIP_VISIBLE_DEVICES"]
    if not config.is_set("HIP_VISIBLE_DEVICES") and all(backend.name != "nvidia" for backend in found):
        hip_masks.append("CUDA_VISIBLE_DEVICES")
    for name in (*_MASKS, *hip_masks):
        if config.is_set(name):
            devices = _masked(devices, config.get_list(name))
    return devices


def why_none(found: Sequence[Backend] | None = None) -> str:
    """Why kinds of device that were asked for are absent; empty when masks alone hide every device."""
    asked = backends() if found is None else found
    return "; ".join(f"{backend.name}: {backend.absent_reason()}" for backend in asked if not backend.count())


def _masked(devices: list[tuple[Backend, int]], mask: Sequence[str]) -> list[tuple[Backend, int]]:
    by_name = {str(number): device for number, device in enumerate(devices)}
    for backend, index in devices:
        by_name.setdefault(f"GPU-{backend.device(index).properties.get('uuid', '')}", (backend, index))
    kept = []
    for item in mask:
        if item not in by_name:
            break
        kept.append(by_name[item])
    return kept
