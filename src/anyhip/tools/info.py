"""``anyhip info``: the devices that programs see, the compiler, and the folders in use."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

from anyhip import cache, toolchain
from anyhip.hipcc.driver import HIP_VERSION

__all__ = ["facts", "main"]


def main(as_json: bool) -> None:
    """Print the facts, for a person or for a program."""
    known = facts()
    if as_json:
        import json

        print(json.dumps(known, indent=2))
        return
    print(
        f"AnyHIP {known['anyhip']}, HIP {known['hip']}, clang {known['clang']}, "
        f"host C++ library {known['cxx_stdlib']}"
    )
    for device in known["devices"]:
        memory = device["memory_bytes"] / 2**30
        print(
            f"device {device['index']}: {device['kind']} {device['target']}, {device['name']}, "
            f"{device['compute_units']} compute units, {memory:.0f} GiB"
        )
    print(f"compiler: {known['compiler']}")
    print(f"cache: {known['cache']} ({known['cache_bytes'] / 1e6:.1f} MB)")


def facts() -> dict[str, Any]:
    """What ``anyhip info`` shows, as plain data.

    Raises:
        ToolchainError: there is no compiler.
    """
    chosen = toolchain.find()
    return {
        "anyhip": _version(),
        "hip": HIP_VERSION,
        "clang": chosen.version,
        "compiler": str(chosen.root),
        "cxx_stdlib": chosen.stdlib,
        "devices": _devices(),
        "cache": str(cache.cache_dir()),
        "cache_bytes": cache.size(),
    }


def _version() -> str:
    try:
        return version("anyhip")
    except PackageNotFoundError:  # run from a source tree
        return "(source tree)"


def _devices() -> list[dict[str, Any]]:
    from anyhip.runtime.device import devices

    return [
        {
            "index": index,
            "kind": device.kind,
            "target": device.backend.target.id,
            "name": device.backend.properties["name"],
            "compute_units": device.backend.properties["multiProcessorCount"],
            "memory_bytes": device.backend.properties["totalGlobalMem"],
        }
        for index, device in enumerate(devices())
    ]
