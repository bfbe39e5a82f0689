"""Calls as the skin makes them: integers in, results in C's memory."""

from collections.abc import Callable
from typing import Any

import pytest

from anyhip.errors import HipError
from anyhip.runtime import module as modules
from anyhip.runtime.device import Device
from anyhip.sdk import entry
from anyhip.sdk.calls import context, copy, event, launch, library, managed, memory, module, pools, stream
from anyhip.sdk.calls import device as devices
from anyhip.sdk.types import ffi
from runtime.fake import TOTAL, FakeBackend, FakeDevice
from runtime.test_launch import bundle

pytestmark = pytest.mark.usefixtures("backend")


def at(pointer: Any) -> int:
    return int(ffi.cast("uintptr_t", pointer))


def answer(type_: str, call: Callable[..., object], *after: int, before: tuple[int, ...] = ()) -> Any:
    """The output that a call stores through its pointer."""
    cell = ffi.new(f"{type_} *")
    call(*before, at(cell), *after)
    return cell[0]


def address(call: Callable[..., object], *after: int) -> int:
    return int(answer("uintptr_t", call, *after))


def test_properties() -> None:
    made = ffi.new("hipDeviceProp_tR0600 *")
    devices.hipGetDevicePropertiesR0600(at(made), 0)
    assert ffi.string(made.name) == b"Fake GPU"
    assert ffi.string(made.gcnArchName) == b"gfx942:sramecc+:xnack-"
    assert bytes(ffi.buffer(made.uuid.bytes)) == b"0123456789abcdef"
    assert (made.totalGlobalMem, list(made.maxThreadsDim), made.warpSize) == (TOTAL, [1024, 1024, 1024], 64)
    assert (made.arch.hasWarpShuffle, made.arch.hasDynamicParallelism) == (1, 0)


def test_devices() -> None:
    assert answer("int", devices.hipGetDeviceCount) == 2
    devices.hipSetDevice(1)
    assert answer("int", devices.hipGetDevice) == 1
    name = ffi.new("char[8]")
    devices.hipDeviceGetName(at(name), 8, 0)
    assert ffi.string(name) == b"Fake GP"
    devices.hipDeviceGetPCIBusId(at(name := ffi.new("char[32]")), 32, 0)
    assert ffi.string(name) == b"0000:c1:00.0"
    assert answer("int", devices.hipDeviceGetByPCIBusId, at(name)) == 0


def test_limits_and_flags() -> None:
    devices.hipDeviceSetLimit(2, 4096)
    assert answer("size_t", devices.hipDeviceGetLimit, 2) == 4096
    with pytest.raises(HipError, match="hipErrorUnsupportedLimit"):
        devices.hipDeviceSetLimit(7, 1)
    devices.hipSetDeviceFlags(4)
    assert answer("unsigned int", devices.hipGetDeviceFlags) == 4
    with pytest.raises(HipError, match="hipErrorInvalidValue"):
        devices.hipSetDeviceFlags(3)


def test_peers() -> None:
    assert answer("int", devices.hipDeviceCanAccessPeer, 0, 1) == 1
    assert answer("int", devices.hipDeviceCanAccessPeer, 0, 0) == 0
    devices.hipDeviceEnablePeerAccess(1, 0)
    with pytest.raises(HipError, match="hipErrorPeerAccessAlreadyEnabled"):
        devices.hipDeviceEnablePeerAccess(1, 0)
    devices.hipDeviceDisablePeerAccess(1)
    with pytest.raises(HipError, match="hipErrorPeerAccessNotEnabled"):
        devices.hipDeviceDisablePeerAccess(1)


def test_contexts() -> None:
    first, second = address(context.hipCtxCreate, 0, 0), address(context.hipCtxCreate, 0, 1)
    assert answer("int", context.hipCtxGetDevice) == 1
    assert address(context.hipCtxPopCurrent) == second
    assert address(context.hipCtxGetCurrent) == first
    context.hipCtxSetCurrent(second)
    assert answer("int", devices.hipGetDevice) == 1
    context.hipCtxDestroy(second)
    with pytest.raises(HipError, match="hipErrorInvalidContext"):
        context.hipCtxPushCurrent(7)


@pytest.mark.parametrize(("call", "null"), [(memory.hipMalloc, True), (memory.hipHostMalloc, True)])
def test_no_bytes_are_a_null_pointer(call: Callable[..., object], null: bool) -> None:
    flags = (0,) if call is memory.hipHostMalloc else ()
    assert address(call, 0, *flags) == 0
    with pytest.raises(HipError, match="hipErrorInvalidValue"):
        call(0, 4, *flags)


def test_pitched_memory_and_3d_copies() -> None:
    extent = ffi.new("hipExtent *", (10, 3, 2))
    there, back = ffi.new("hipPitchedPtr *"), ffi.new("hipPitchedPtr *")
    memory.hipMalloc3D(at(there), at(extent))
    memory.hipMalloc3D(at(back), at(extent))
    assert (there.pitch, there.xsize, there.ysize) == (256, 10, 3)
    copy.hipMemset3D(at(there), 0x5A, at(extent))
    copy.hipMemset3D(at(back), 0, at(extent))
    parameters = ffi.new("hipMemcpy3DParms *")
    parameters.srcPtr, parameters.dstPtr = there[0], back[0]
    parameters.dstPos = (1, 1, 0)
    parameters.extent = (4, 2, 2)
    parameters.kind = 3
    copy.hipMemcpy3D(at(parameters))
    data = bytes(ffi.buffer(ffi.cast("char *", back.ptr), 256 * 3 * 2))
    copied = [i for i, byte in enumerate(data) if byte == 0x5A]
    assert copied == [z * 768 + y * 256 + x for z in (0, 1) for y in (1, 2) for x in (1, 2, 3, 4)]


def test_pitch() -> None:
    pitch = ffi.new("size_t *")
    assert address(memory.hipMallocPitch, at(pitch), 257, 4) % 256 == 0
    assert pitch[0] == 512


def test_param_2d() -> None:
    there = address(memory.hipMalloc, 64)
    source = ffi.new("char[64]", bytes(range(64)))
    p = ffi.new("hip_Memcpy2D *")
    p.srcMemoryType, p.srcHost, p.srcPitch, p.srcXInBytes, p.srcY = 1, source, 8, 2, 1
    p.dstMemoryType, p.dstDevice, p.dstPitch = 2, ffi.cast("void *", there), 4
    p.WidthInBytes, p.Height = 3, 2
    copy.hipMemcpyParam2D(at(p))
    assert bytes(ffi.buffer(ffi.cast("char *", there), 7)) == bytes([10, 11, 12, 0, 18, 19, 20])


def test_d16_counts_elements() -> None:
    there = address(memory.hipMalloc, 8)
    copy.hipMemsetD16(there, 0x1234, 4)
    assert bytes(ffi.buffer(ffi.cast("char *", there), 8)) == b"\x34\x12" * 4
    copy.hipMemsetD2D32(there, 4, 0x01020304, 1, 2)
    assert bytes(ffi.buffer(ffi.cast("char *", there), 8)) == b"\x04\x03\x02\x01" * 2


def test_pointer_attributes() -> None:
    made = ffi.new("hipPointerAttribute_t *")
    for allocate, kind, is_managed in ((memory.hipMalloc, 2, 0), (memory.hipHostMalloc, 1, 0)):
        where = address(allocate, 64, *((0,) if allocate is memory.hipHostMalloc else ()))
        memory.hipPointerGetAttributes(at(made), where + 5)
        assert (made.type, made.device, made.isManaged, at(made.devicePointer)) == (
            kind,
            0,
            is_managed,
            where + 5,
        )
        assert at(made.hostPointer) == (0 if kind == 2 else where + 5)
    memory.hipPointerGetAttributes(at(made), 0)
    assert (made.type, made.device, at(made.devicePointer)) == (0, -2, 0)
    shared = address(memory.hipMallocManaged, 64, 1)
    assert answer("int", memory.hipPointerGetAttribute, 8, shared) == 1
    assert answer("size_t", memory.hipPointerGetAttribute, 12, shared + 1) == 64


def test_address_range() -> None:
    there, size = address(memory.hipMalloc, 100), ffi.new("size_t *")
    assert address(memory.hipMemGetAddressRange, at(size), there + 99) == there
    assert size[0] == 100


def test_streams_and_events(fake: FakeDevice) -> None:
    handle, mark = address(stream.hipStreamCreateWithPriority, 1, -5), address(event.hipEventCreate)
    assert answer("unsigned int", stream.hipStreamGetFlags, before=(handle,)) == 1
    assert answer("int", stream.hipStreamGetPriority, before=(handle,)) == -1
    assert stream.hipStreamQuery(handle) is None
    event.hipEventRecord(mark, handle)
    stream.hipStreamWaitEvent(handle, mark, 0)
    fake.pending.add(2)
    assert event.hipEventQuery(mark) == 600
    with pytest.raises(HipError, match="hipErrorInvalidValue"):
        event.hipEventElapsedTime(0, mark, mark)


def test_values_written_in_stream_order() -> None:
    there = address(memory.hipMalloc, 8)
    stream.hipStreamWriteValue64(0, there, 0x1122334455667788, 0)
    stream.hipStreamWriteValue32(0, there, 7, 0)
    assert ffi.cast("uint64_t *", there)[0] == 0x1122334400000007


def test_pools() -> None:
    pool = address(pools.hipDeviceGetDefaultMemPool, 0)
    there = address(pools.hipMallocAsync, 4096, 0)
    assert answer("uint64_t", pools.hipMemPoolGetAttribute, before=(pool, 7)) == 4096
    pools.hipFreeAsync(there, 0)
    pools.hipFreeAsync(0, 0)
    assert answer("uint64_t", pools.hipMemPoolGetAttribute, before=(pool, 7)) == 0
    threshold = ffi.new("uint64_t *", 99)
    pools.hipMemPoolSetAttribute(pool, 4, at(threshold))
    assert answer("uint64_t", pools.hipMemPoolGetAttribute, before=(pool, 4)) == 99


def test_advice() -> None:
    shared = address(memory.hipMallocManaged, 64, 1)
    managed.hipMemAdvise(shared, 64, 3, -1)
    managed.hipMemPrefetchAsync(shared, 64, 1, 0)
    for size, advice, number, code in (
        (65, 1, 0, "InvalidValue"),
        (64, 9, 0, "InvalidValue"),
        (64, 1, 5, "InvalidDevice"),
    ):
        with pytest.raises(HipError, match=code):
            managed.hipMemAdvise(shared, size, advice, number)


def test_modules(tmp_path: Any, device: Device) -> None:
    file = tmp_path / "code.hsaco"
    file.write_bytes(bundle())
    name = ffi.new("char[]", str(file).encode())
    loaded = address(module.hipModuleLoad, at(name))
    k, table = ffi.new("char[]", b"k"), ffi.new("char[]", b"table")
    function = address(module.hipModuleGetFunction, loaded, at(k))
    assert answer("int", module.hipFuncGetAttribute, 0, function) == 1024
    assert answer("int", module.hipFuncGetAttribute, 4, function) == 32
    assert answer("unsigned int", module.hipModuleGetFunctionCount, loaded) == 1
    size = ffi.new("size_t *")
    assert address(module.hipModuleGetGlobal, at(size), loaded, at(table)) % 256 == 0
    assert size[0] == 64
    best = answer("int", module.hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, function, 256, 0)
    assert best == 8
    module.hipModuleUnload(loaded)
    with pytest.raises(HipError, match="hipErrorInvalidHandle"):
        module.hipModuleUnload(loaded)


def test_launches(device: Device, fake: FakeDevice) -> None:
    function = modules.load_data(device, bundle()).kernel("k").handle
    launch.hipExtModuleLaunchKernel(function, 512, 2, 1, 256, 1, 1, 4, 0, 0x99, 0, 0, 0, 0)
    assert fake.launches[-1] == (1, 1, (2, 2, 1), (256, 1, 1), 4, 0x99, False)
    with pytest.raises(HipError, match="no whole workgroups"):
        launch.hipExtModuleLaunchKernel(function, 100, 1, 1, 64, 1, 1, 0, 0, 0, 0, 0, 0, 0)
    attribute = ffi.new("hipLaunchAttribute[1]")
    attribute[0].id, attribute[0].value.cooperative = 2, 1
    config = ffi.new("HIP_LAUNCH_CONFIG *")
    config.gridDimX, config.gridDimY, config.gridDimZ = 3, 1, 1
    config.blockDimX, config.blockDimY, config.blockDimZ = 64, 1, 1
    config.attrs, config.numAttrs = attribute, 1
    launch.hipDrvLaunchKernelEx(at(config), function, 0x77, 0)
    assert fake.launches[-1] == (1, 1, (3, 1, 1), (64, 1, 1), 0, 0x77, True)


def test_peer_copies(backend: FakeBackend) -> None:
    here = address(memory.hipMalloc, 4)
    devices.hipSetDevice(1)
    there = address(memory.hipMalloc, 4)
    copy.hipMemsetD32(there, 0x01020304, 1)
    copy.hipMemcpyPeer(here, 0, there, 1, 4)
    assert ffi.cast("uint32_t *", here)[0] == 0x01020304
    with pytest.raises(HipError, match="hipErrorInvalidDevice"):
        copy.hipMemcpyPeer(here, 2, there, 1, 4)


def test_libraries() -> None:
    data, k = ffi.new("char[]", bundle()), ffi.new("char[]", b"k")
    handle = address(library.hipLibraryLoadData, at(data), 0, 0, 0, 0, 0, 0)
    assert answer("unsigned int", library.hipLibraryGetKernelCount, handle) == 1
    kernel = address(library.hipLibraryGetKernel, handle, at(k))
    assert address(library.hipLibraryEnumerateKernels, 1, handle) == kernel
    assert address(library.hipKernelGetLibrary, kernel) == handle
    assert ffi.string(ffi.cast("char *", address(library.hipKernelGetName, kernel))) == b"k"
    here = address(library.hipKernelGetFunction, kernel)
    devices.hipSetDevice(1)
    assert address(library.hipKernelGetFunction, kernel) != here
    assert answer("int", library.hipKernelGetAttribute, 0, kernel, 1) == 1024
    library.hipLibraryUnload(handle)
    for gone in (lambda: library.hipLibraryUnload(handle), lambda: library.hipKernelGetFunction(8, kernel)):
        with pytest.raises(HipError, match="hipErrorInvalidHandle"):
            gone()


def test_what_is_wrong_with_an_image_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    error = HipError("hipErrorInvalidImage", "section 7 ends past the file", "was it written completely?")
    assert entry.failed(error, "hipModuleLoadData") == 200
    assert capsys.readouterr().err == f"anyhip: hipModuleLoadData: {error}\n"
