# ruff: noqa: D103 (the functions are HIP's own, and documented as such)
"""Devices: the current one, properties, attributes, limits, peers, versions."""

from __future__ import annotations

from typing import Any

from anyhip.errors import HipError
from anyhip.runtime import device as devices_
from anyhip.runtime.device import Device
from anyhip.sdk.types import array, ffi, put, put_bytes, text, view

VERSION = 70200000  # HIP 7.2: major * 10^7 + minor * 10^5 + patch
_PROPERTIES = "hipDeviceProp_tR0600"
_ABSENT_FEATURES = ("hasFunnelShift", "hasSurfaceFuncs", "hasDynamicParallelism")  # hipDeviceArch_t on AMD
_LIMITS = {0x0, 0x1, 0x2}  # hipLimitStackSize, PrintfFifoSize, MallocHeapSize
_SCRATCH_MIN, _SCRATCH_MAX, _SCRATCH_CURRENT = 0x1000, 0x1001, 0x1002
_CACHE_CONFIGS = 3
_LINK_PCIE, _LINK_XGMI = 2, 4  # HSA_AMD_LINK_INFO_TYPE


def hipInit(flags: int) -> None:
    if flags:
        raise HipError("hipErrorInvalidValue", f"hipInit flags {flags:#x}")
    devices_.current()


def hipDriverGetVersion(version: int) -> None:
    put("int *", version, VERSION)


def hipRuntimeGetVersion(version: int) -> None:
    put("int *", version, VERSION)


def hipGetDeviceCount(count: int) -> int | None:
    found = len(devices_.devices())
    put("int *", count, found)
    if not found:
        raise HipError("hipErrorNoDevice", "", "see what there is with `anyhip info`")
    return None


def hipGetDevice(number: int) -> None:
    put("int *", number, devices_.current().index)


def hipSetDevice(number: int) -> None:
    devices_.get(number).set_current()


def hipSetValidDevices(numbers: int, count: int) -> None:
    for number in array("int *", numbers, count):
        devices_.get(number)


def hipDeviceGet(device: int, number: int) -> None:
    put("int *", device, devices_.get(number).index)


def hipDeviceSynchronize() -> None:
    devices_.current().sync()


def hipDeviceReset() -> None:
    devices_.current().reset()


def hipGetDevicePropertiesR0600(properties: int, number: int) -> None:
    fill_properties(view(_PROPERTIES + " *", properties), devices_.get(number))


def fill_properties(made: Any, device: Device) -> None:
    """Write hipDeviceProp_t; fields that the device does not state are zero."""
    ffi.memmove(made, bytes(ffi.sizeof(_PROPERTIES)), ffi.sizeof(_PROPERTIES))
    stated = {"gcnArchName": device.target.id, **device.properties}
    for field, where in ffi.typeof(_PROPERTIES).fields:
        value = stated.get(field)
        if field == "uuid":
            made.uuid.bytes = device.uuid.encode()[:16]
        elif value is None or where.type.kind in ("struct", "pointer"):
            continue
        elif isinstance(value, str):
            setattr(made, field, value.encode()[: where.type.length - 1])
        else:
            setattr(made, field, value)
    for field, _ in ffi.typeof("hipDeviceArch_t").fields:
        setattr(made.arch, field, field not in _ABSENT_FEATURES)


def hipChooseDeviceR0600(number: int, wanted: int) -> None:
    """The first device that has at least what is asked for, else the first."""
    asked = view(_PROPERTIES + " *", wanted)
    for device in devices_.devices():
        enough = all(
            int(device.properties.get(name, 0)) >= getattr(asked, name)  # type: ignore[arg-type]
            for name in ("major", "minor", "totalGlobalMem", "sharedMemPerBlock", "multiProcessorCount")
        )
        if enough:
            put("int *", number, device.index)
            return
    put("int *", number, devices_.get(0).index)


def hipDeviceGetAttribute(value: int, attribute: int, number: int) -> None:
    if not value:
        raise HipError("hipErrorInvalidValue", "a null int *")
    put("int *", value, devices_.get(number).attribute(attribute))


def hipDeviceGetName(name: int, room: int, number: int) -> None:
    put_bytes(name, devices_.get(number).name.encode(), room)


def hipDeviceGetUuid(uuid: int, number: int) -> None:
    view("hipUUID *", uuid).bytes = devices_.get(number).uuid.encode()[:16]


def hipDeviceTotalMem(size: int, number: int) -> None:
    put("size_t *", size, devices_.get(number).memory_info()[1])


def hipDeviceComputeCapability(major: int, minor: int, number: int) -> None:
    version = devices_.get(number).compute_capability
    put("int *", major, version[0])
    put("int *", minor, version[1])


def _bus_id(device: Device) -> str:
    fields = (device.properties.get(name, 0) for name in ("pciDomainID", "pciBusID", "pciDeviceID"))
    return "{:04x}:{:02x}:{:02x}.0".format(*fields)


def hipDeviceGetPCIBusId(name: int, room: int, number: int) -> None:
    put_bytes(name, _bus_id(devices_.get(number)).encode(), room)


def hipDeviceGetByPCIBusId(number: int, name: int) -> None:
    wanted = text(name).lower()
    for device in devices_.devices():
        if _bus_id(device) == wanted:
            put("int *", number, device.index)
            return
    raise HipError("hipErrorInvalidValue", f"no device at {wanted}")


def hipGetDeviceFlags(flags: int) -> None:
    put("unsigned int *", flags, devices_.current().flags)


def hipSetDeviceFlags(flags: int) -> None:
    devices_.set_flags(devices_.current(), flags)


def hipDeviceGetLimit(value: int, limit: int) -> None:
    limits = {_SCRATCH_MIN: 0, _SCRATCH_MAX: 1 << 32, _SCRATCH_CURRENT: 1 << 26, **devices_.current().limits}
    if limit not in limits:
        raise HipError("hipErrorUnsupportedLimit", f"limit {limit:#x}")
    put("size_t *", value, limits[limit])


def hipDeviceSetLimit(limit: int, value: int) -> None:
    if limit not in _LIMITS:
        raise HipError("hipErrorUnsupportedLimit", f"limit {limit:#x}")
    devices_.current().limits[limit] = value


def hipDeviceGetCacheConfig(config: int) -> None:
    put("int *", config, devices_.current().cache_config)


def hipDeviceSetCacheConfig(config: int) -> None:
    """A hint that AMD devices ignore."""
    if config > _CACHE_CONFIGS:
        raise HipError("hipErrorInvalidValue", f"cache configuration {config}")


def hipDeviceGetSharedMemConfig(config: int) -> None:
    put("int *", config, devices_.current().shared_config)


def hipDeviceSetSharedMemConfig(config: int) -> None:
    """A hint that AMD devices ignore."""
    if config >= _CACHE_CONFIGS:
        raise HipError("hipErrorInvalidValue", f"shared-memory configuration {config}")


def hipDeviceCanAccessPeer(answer: int, number: int, peer: int) -> None:
    pair = devices_.get(number), devices_.get(peer)
    put("int *", answer, int(pair[0] is not pair[1] and pair[0].kind == pair[1].kind))


def _peer(number: int) -> tuple[Device, Device]:
    device, peer = devices_.current(), devices_.get(number)
    if peer is device:
        raise HipError("hipErrorInvalidDevice", "a device is no peer of itself")
    return device, peer


def hipDeviceEnablePeerAccess(number: int, flags: int) -> None:
    device, peer = _peer(number)
    if flags:
        raise HipError("hipErrorInvalidValue", f"peer flags {flags:#x}")
    if peer.index in device.peers:
        raise HipError("hipErrorPeerAccessAlreadyEnabled")
    device.peers.add(peer.index)


def hipDeviceDisablePeerAccess(number: int) -> None:
    device, peer = _peer(number)
    if peer.index not in device.peers:
        raise HipError("hipErrorPeerAccessNotEnabled")
    device.peers.remove(peer.index)


def hipDeviceGetP2PAttribute(value: int, attribute: int, source: int, target: int) -> None:
    pair = devices_.get(source), devices_.get(target)
    if pair[0] is pair[1]:
        raise HipError("hipErrorInvalidDevice", "a device is no peer of itself")
    if not 0 <= attribute <= 3:
        raise HipError("hipErrorInvalidValue", f"peer attribute {attribute}")
    reachable = pair[0].kind == pair[1].kind
    put("int *", value, int(reachable and attribute != 0))  # rank 0 is the best link


def hipExtGetLinkTypeAndHopCount(first: int, second: int, kind: int, hops: int) -> None:
    pair = devices_.get(first), devices_.get(second)
    if pair[0] is pair[1]:
        raise HipError("hipErrorInvalidDevice", "a device has no link to itself")
    put("uint32_t *", kind, _LINK_XGMI if pair[0].kind == pair[1].kind else _LINK_PCIE)
    put("uint32_t *", hops, 1)


def hipDeviceGetStreamPriorityRange(least: int, greatest: int) -> None:
    from anyhip.runtime.stream import GREATEST_PRIORITY, LEAST_PRIORITY

    if least:
        put("int *", least, LEAST_PRIORITY)
    if greatest:
        put("int *", greatest, GREATEST_PRIORITY)


def hipProfilerStart() -> None:
    """Nothing records yet, so nothing starts."""


def hipProfilerStop() -> None:
    """Nothing records yet, so nothing stops."""
