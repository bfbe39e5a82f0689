"""What an NVIDIA device says of itself: the driver's answers in, hipDeviceProp_t by field name out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

from anyhip import tables
from anyhip.backends.nvidia.driver import Driver
from anyhip.target import Target, known

__all__ = ["Property", "device_properties", "target_of"]

Property = int | str | bool | tuple[int, ...]

_MAJOR, _MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_*
_NAME_ROOM = 256


def target_of(driver: Driver, device: int) -> Target:
    """The device's architecture; one that is newer than the table is made from the newest that it runs."""
    version = tuple(driver.number("cuDeviceGetAttribute", name, device) for name in (_MAJOR, _MINOR))
    plain = [t for t in known() if t.isa == "nvptx" and t.arch[-1].isdigit()]
    older = [t for t in plain if (t.major, t.minor) <= version] or plain[:1]
    nearest = max(older, key=lambda t: (t.major, t.minor))
    arch = f"sm_{version[0]}{version[1]}"
    return dataclasses.replace(
        nearest, arch=arch, generation=arch, major=version[0], minor=version[1], stepping=0
    )


def device_properties(driver: Driver, device: int, index: int, target: Target) -> Mapping[str, Property]:
    """hipDeviceProp_t of a device.

    Args:
        device: the driver's CUdevice.
        index: its number among the backend's devices.

    Raises:
        HipError: the driver does not answer.
    """
    ffi, lib = driver.ffi, driver.lib
    name, memory, uuid = ffi.new("char[]", _NAME_ROOM), ffi.new("size_t *"), ffi.new("char[16]")
    driver.check(lib.cuDeviceGetName(name, _NAME_ROOM, device), "cuDeviceGetName")
    driver.check(lib.cuDeviceTotalMem_v2(memory, device), "cuDeviceTotalMem")
    driver.check(lib.cuDeviceGetUuid_v2(uuid, device), "cuDeviceGetUuid")
    return {
        **_attributes(driver, device),
        "name": ffi.string(name).decode(errors="replace"),
        "totalGlobalMem": int(memory[0]),
        "uuid": bytes(ffi.buffer(uuid)).hex()[:16],
        "gcnArchName": target.id,
        "multiGpuBoardGroupID": index,
    }


def _attributes(driver: Driver, device: int) -> dict[str, Property]:
    """Fields that are attributes of the driver's; one that this driver does not know yet is 0."""
    path = Path(__file__).with_suffix(".tsv")
    value = driver.ffi.new("int *")
    found: dict[str, Property] = {}
    for row in tables.read(path):
        numbers = []
        for attribute in row["attribute"].split():
            status = driver.lib.cuDeviceGetAttribute(value, int(attribute), device)
            numbers.append(int(value[0]) if status == 0 else 0)
        found[row["field"]] = tuple(numbers) if len(numbers) > 1 else numbers[0]
    return found
