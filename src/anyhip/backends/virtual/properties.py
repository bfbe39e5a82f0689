"""What a virtual device says of itself: a target in, hipDeviceProp_t by field name out.

Facts of the product come from ``tables/targets.tsv``, what all virtual devices share from ``properties.tsv``;
memory is bounded by the host's.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from anyhip import tables
from anyhip.errors import UsageError
from anyhip.target import Product, Target, product

__all__ = ["Property", "device_properties", "host_memory", "reported_target"]

Property = int | str | bool | tuple[int, ...]

_DEFAULT_FEATURES = {"sramecc": True, "xnack": False}  # as the products run by default


def host_memory() -> int:
    """Bytes of memory that this process may use: the machine's, or its control group's limit."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for name in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            text = Path(name).read_text().strip()
        except OSError:
            continue
        if text.isdigit():
            total = min(total, int(text))
    return total


def reported_target(target: Target) -> str:
    """gcnArchName: every feature of the processor, as the target fixes it or products run by default."""
    fixed = dict(target.features)
    known = {name for name in _DEFAULT_FEATURES if _has_feature(target, name)}
    modes = {name: fixed.get(name, _DEFAULT_FEATURES[name]) for name in sorted(known)}
    return target.arch + "".join(f":{name}{'+' if on else '-'}" for name, on in modes.items())


def _has_feature(target: Target, name: str) -> bool:
    try:
        Target.parse(f"{target.arch}:{name}+")
    except UsageError:
        return False
    return True


def _shared() -> dict[str, Property]:
    path = Path(__file__).with_suffix(".tsv")
    out: dict[str, Property] = {}
    for row in tables.read(path):
        numbers = tuple(int(word) for word in row["value"].split())
        out[row["field"]] = numbers if len(numbers) > 1 else numbers[0]
    return out


def device_properties(target: Target, index: int, memory: int) -> Mapping[str, Property]:
    """hipDeviceProp_t of a virtual device.

    Args:
        index: number of the device among its backend's.
        memory: bytes that it may allocate.

    Raises:
        UsageError: no product is known of that architecture.
    """
    made_of = product(target.arch)
    if made_of is None:
        raise UsageError(
            f"no virtual device can be made of {target.arch}: no product of it is known",
            "gfx942, gfx90a and gfx1100 have one",
        )
    return {**_shared(), **_of_product(target, made_of), **_of_instance(target, made_of, index, memory)}


def _of_product(target: Target, made_of: Product) -> dict[str, Property]:
    registers = made_of.vgprs_per_simd * target.wave_size * made_of.simds_per_cu
    waves = made_of.waves_per_cu
    return {
        "sharedMemPerBlock": made_of.lds_bytes,
        "sharedMemPerBlockOptin": made_of.lds_bytes,
        "sharedMemPerMultiprocessor": made_of.lds_bytes,
        "maxSharedMemoryPerMultiProcessor": made_of.lds_bytes,
        "warpSize": target.wave_size,
        "clockRate": made_of.clock_khz,
        "memoryClockRate": made_of.memory_clock_khz,
        "memoryBusWidth": made_of.bus_width,
        "l2CacheSize": made_of.l2_bytes,
        "major": target.major,
        "minor": target.minor,
        "multiProcessorCount": made_of.compute_units,
        "physicalMultiProcessorCount": made_of.compute_units,
        "maxThreadsPerMultiProcessor": waves * target.wave_size,
        "maxBlocksPerMultiProcessor": waves,
        "maxAvailableVgprsPerThread": min(made_of.vgprs_per_simd, 512),
        "regsPerMultiprocessor": registers,
        "pciChipId": made_of.pci_device,
    }


def _of_instance(target: Target, made_of: Product, index: int, memory: int) -> dict[str, Property]:
    return {
        "name": f"{made_of.name} (virtual)",
        "gcnArchName": reported_target(target),
        "totalGlobalMem": memory,
        "uuid": f"{0xA11F_1B00_0000_0000 + (target.mach << 16) + index:016x}",
        "pciDomainID": 0,
        "pciBusID": index + 1,
        "pciDeviceID": 0,
        "multiGpuBoardGroupID": index,
    }
