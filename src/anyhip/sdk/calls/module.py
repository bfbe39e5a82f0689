# ruff: noqa: D103 (the functions are HIP's own, and documented as such)
"""Modules, functions, their attributes, and occupancy."""

from __future__ import annotations

from anyhip.errors import HipError
from anyhip.runtime import device as devices_
from anyhip.runtime import image, kernel, module, registration
from anyhip.runtime.kernel import Kernel
from anyhip.sdk.types import ffi, put, put_handle, text, view

# hipFunction_attribute: field of hipFuncAttributes
_FUNCTION_FIELDS = (
    "maxThreadsPerBlock", "sharedSizeBytes", "constSizeBytes", "localSizeBytes", "numRegs", "ptxVersion",
    "binaryVersion", "cacheModeCA", "maxDynamicSharedSizeBytes", "preferredShmemCarveout",
)  # fmt: skip
_MAX_DYNAMIC_SHARED, _CARVEOUT = 8, 9
_CACHE_CONFIGS = 3


# ---- modules ----------------------------------------------------------------------------------------------


def hipModuleLoad(handle: int, path: int) -> None:
    name = text(path)
    if not handle:
        raise HipError("hipErrorInvalidValue", "a null hipModule_t *")
    put_handle(handle, module.load_file(devices_.current(), name).handle)


def hipModuleLoadData(handle: int, data: int) -> None:
    if not handle:
        raise HipError("hipErrorInvalidValue", "a null hipModule_t *")
    put_handle(handle, module.load_data(devices_.current(), image.read(data)).handle)


def hipModuleLoadDataEx(handle: int, data: int, count: int, options: int, values: int) -> None:
    """The options steer a JIT compiler; code objects need none."""
    hipModuleLoadData(handle, data)


def hipModuleLoadFatBinary(handle: int, data: int) -> None:
    hipModuleLoadData(handle, data)


def hipModuleUnload(handle: int) -> None:
    module.find(handle).unload()


def hipModuleGetFunction(function: int, handle: int, name: int) -> None:
    if not function or not name:
        raise HipError("hipErrorInvalidValue", "a null pointer")
    put_handle(function, module.find(handle).kernel(text(name)).handle)


def hipModuleGetFunctionCount(count: int, handle: int) -> None:
    put("unsigned int *", count, len(module.find(handle).kernel_names))


def hipModuleGetGlobal(address: int, size: int, handle: int, name: int) -> None:
    where, length = module.find(handle).symbol(text(name))
    if address:
        put_handle(address, where)
    if size:
        put("size_t *", size, length)


# ---- functions --------------------------------------------------------------------------------------------


def _host_kernel(host: int) -> Kernel:
    return registration.host_kernel(devices_.current(), host)


def hipGetFuncBySymbol(function: int, host: int) -> None:
    put_handle(function, _host_kernel(host).handle)


def _value(known: Kernel, field: str) -> int:
    if field == "maxDynamicSharedSizeBytes" and _MAX_DYNAMIC_SHARED in known.settings:
        return known.settings[_MAX_DYNAMIC_SHARED]
    return known.attributes.get(field, 0)


def hipFuncGetAttributes(attributes: int, host: int) -> None:
    made = view("hipFuncAttributes *", attributes)
    known = _host_kernel(host)
    for field, _ in ffi.typeof("hipFuncAttributes").fields:
        setattr(made, field, _value(known, field))


def hipFuncGetAttribute(value: int, attribute: int, function: int) -> None:
    if not 0 <= attribute < len(_FUNCTION_FIELDS):
        raise HipError("hipErrorInvalidValue", f"function attribute {attribute}")
    put("int *", value, _value(kernel.find(function), _FUNCTION_FIELDS[attribute]))


def hipFuncSetAttribute(host: int, attribute: int, value: int) -> None:
    known = _host_kernel(host)
    if attribute not in (_MAX_DYNAMIC_SHARED, _CARVEOUT):
        raise HipError("hipErrorInvalidValue", f"function attribute {attribute}")
    room = known.device.fact("sharedMemPerBlock")
    if attribute == _MAX_DYNAMIC_SHARED and not 0 <= value <= room - known.attributes.get(
        "sharedSizeBytes", 0
    ):
        raise HipError(
            "hipErrorInvalidValue", f"{value} bytes of dynamic shared memory, the device has {room}"
        )
    if attribute == _CARVEOUT and not -1 <= value <= 100:
        raise HipError("hipErrorInvalidValue", f"a carve-out of {value} per cent")
    known.settings[attribute] = value


def hipFuncSetCacheConfig(host: int, config: int) -> None:
    """A hint that AMD devices ignore."""
    _host_kernel(host)
    if not 0 <= config <= _CACHE_CONFIGS:
        raise HipError("hipErrorInvalidValue", f"cache configuration {config}")


def hipFuncSetSharedMemConfig(host: int, config: int) -> None:
    """A hint that AMD devices ignore."""
    _host_kernel(host)
    if not 0 <= config < _CACHE_CONFIGS:
        raise HipError("hipErrorInvalidValue", f"shared-memory configuration {config}")


# ---- occupancy --------------------------------------------------------------------------------------------


def _blocks(count: int, known: Kernel, block: int, shared: int, flags: int) -> None:
    if not count or flags & ~0x1:
        raise HipError("hipErrorInvalidValue", f"a null int *, or flags {flags:#x}")
    put("int *", count, known.blocks_per_unit(block, shared))


def _best(grid: int, block: int, known: Kernel, shared: int, limit: int, flags: int) -> None:
    if not grid or not block or flags & ~0x1:
        raise HipError("hipErrorInvalidValue", f"a null int *, or flags {flags:#x}")
    best = known.best_block(shared, limit)
    put("int *", grid, best[0])
    put("int *", block, best[1])


def hipOccupancyMaxActiveBlocksPerMultiprocessor(count: int, host: int, block: int, shared: int) -> None:
    _blocks(count, _host_kernel(host), block, shared, 0)


def hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    count: int, host: int, block: int, shared: int, flags: int
) -> None:
    _blocks(count, _host_kernel(host), block, shared, flags)


def hipOccupancyMaxPotentialBlockSize(grid: int, block: int, host: int, shared: int, limit: int) -> None:
    _best(grid, block, _host_kernel(host), shared, limit, 0)


def hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(
    count: int, function: int, block: int, shared: int
) -> None:
    _blocks(count, kernel.find(function), block, shared, 0)


def hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    count: int, function: int, block: int, shared: int, flags: int
) -> None:
    _blocks(count, kernel.find(function), block, shared, flags)


def hipModuleOccupancyMaxPotentialBlockSize(
    grid: int, block: int, function: int, shared: int, limit: int
) -> None:
    _best(grid, block, kernel.find(function), shared, limit, 0)


def hipModuleOccupancyMaxPotentialBlockSizeWithFlags(
    grid: int, block: int, function: int, shared: int, limit: int, flags: int
) -> None:
    _best(grid, block, kernel.find(function), shared, limit, flags)


def hipOccupancyAvailableDynamicSMemPerBlock(size: int, host: int, blocks: int, block: int) -> None:
    known = _host_kernel(host)
    if blocks <= 0 or blocks > known.blocks_per_unit(block, 0):
        raise HipError("hipErrorInvalidValue", f"{blocks} workgroups of {block} do not fit on a compute unit")
    unit = known.device.fact("sharedMemPerMultiprocessor")
    room = known.device.fact("sharedMemPerBlock")
    static = known.attributes.get("sharedSizeBytes", 0)
    put("size_t *", size, max(min(unit // blocks, room) - static, 0))
