import ctypes
import struct
import threading
import time
from types import SimpleNamespace

import pytest

from anyhip.errors import DeviceFault, HipError
from anyhip.runtime import kernel, launch, module, registration
from anyhip.runtime.device import Device
from anyhip.runtime.kernel import Kernel
from anyhip.runtime.stream import Stream
from runtime.fake import FakeDevice, kernel_info

ENTRY = b"hipv4-amdgcn-amd-amdhsa--gfx942"


def bundle() -> bytes:
    """An offload bundle with one entry, whose content the fake does not look at."""
    head = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<QQQQ", 1, 4096, 8, len(ENTRY)) + ENTRY
    return head.ljust(4096, b"\0") + b"\x7fELF1234"


@pytest.fixture
def known(device: Device) -> Kernel:
    return module.load_data(device, bundle()).kernel("k")


class Program:
    """What clang makes of a program with one kernel and one variable."""

    def __init__(self) -> None:
        self.image = ctypes.create_string_buffer(bundle())
        wrapper = struct.pack("<IIQQ", registration.WRAPPER_MAGIC, 1, ctypes.addressof(self.image), 0)
        self.wrapper = ctypes.create_string_buffer(wrapper)
        self.key = id(self)
        registration.binary(self.key, ctypes.addressof(self.wrapper))
        registration.function(self.key, 0x1000, "k")
        registration.variable(self.key, 0x2000, "table", 64)


def test_host_function(device: Device, fake: FakeDevice) -> None:
    program = Program()
    launch.launch_host(0x1000, (2, 1, 1), (64, 1, 1), 0x77, 128, 0)
    assert fake.launches == [(device.default_stream.queue, 1, (2, 1, 1), (64, 1, 1), 128, 0x77)]
    stream = Stream.create(Device(1))
    launch.launch_host(0x1000, (1, 1, 1), (1, 1, 1), 0, 0, stream.handle)
    assert len(fake.launches) == 1  # the second one went to the stream's device
    registration.unregister(program.key)
    device.kernels.clear()
    with pytest.raises(HipError, match="hipErrorInvalidDeviceFunction"):
        launch.launch_host(0x1000, (1, 1, 1), (1, 1, 1), 0, 0, 0)


def test_first_launches_of_several_threads_load_once(device: Device, fake: FakeDevice) -> None:
    program, loads, barrier = Program(), [], threading.Barrier(4)
    load = fake.load

    def slow(code: object) -> object:
        loads.append(code)
        time.sleep(0.05)
        return load(code)

    fake.load = slow  # type: ignore[method-assign, assignment]

    def first() -> None:
        barrier.wait()
        launch.launch_host(0x1000, (1, 1, 1), (1, 1, 1), 0, 0, 0)

    threads = [threading.Thread(target=first) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(loads), len(fake.launches)) == (1, 4)
    registration.unregister(program.key)


def test_unregistering_forgets_the_fast_path(device: Device) -> None:
    program = Program()
    launch.launch_host(0x1000, (1, 1, 1), (1, 1, 1), 0, 0, 0)
    assert 0x1000 in device.kernels
    registration.unregister(program.key)
    assert 0x1000 not in device.kernels


@pytest.mark.parametrize(
    ("grid", "block", "shared", "code"),
    [
        ((0, 1, 1), (1, 1, 1), 0, "hipErrorInvalidConfiguration"),
        ((1, 1, 1), (1, 0, 1), 0, "hipErrorInvalidConfiguration"),
        ((1, 1, 1), (1025, 1, 1), 0, "hipErrorInvalidConfiguration"),
        ((1, 1, 1), (32, 32, 2), 0, "hipErrorInvalidConfiguration"),
        ((1, 1, 1), (64, 1, 1), 65537, "hipErrorInvalidValue"),
        ((1 << 31, 1, 1), (64, 1, 1), 0, "hipErrorInvalidConfiguration"),
        ((1, 1 << 16, 1), (1, 1024, 64), 0, "hipErrorInvalidConfiguration"),
    ],
)
def test_limits(
    device: Device,
    fake: FakeDevice,
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    shared: int,
    code: str,
) -> None:
    program = Program()
    with pytest.raises(HipError, match=rf"{code}: k<<<"):
        launch.launch_host(0x1000, grid, block, 0, shared, 0)
    assert fake.launches == []
    registration.unregister(program.key)


def test_launch_bounds(device: Device, fake: FakeDevice) -> None:
    fake.code.kernels["k"] = kernel_info(attributes={"maxThreadsPerBlock": 256, "sharedSizeBytes": 1024})
    program = Program()
    with pytest.raises(HipError, match=r"hipErrorLaunchFailure.*compiled for 256") as caught:
        launch.launch_host(0x1000, (1, 1, 1), (257, 1, 1), 0, 0, 0)
    assert "__launch_bounds__(257)" in caught.value.hint
    with pytest.raises(HipError, match="64512 are left"):
        launch.launch_host(0x1000, (1, 1, 1), (1, 1, 1), 0, 64513, 0)
    registration.unregister(program.key)


def test_bad_stream(device: Device) -> None:
    with pytest.raises(HipError, match="hipErrorInvalidValue"):
        launch.launch_host(0x1000, (1, 1, 1), (1, 1, 1), 0, 0, 0xDEAD)


def test_after_a_fault(device: Device, known: Kernel, capfd: pytest.CaptureFixture[str]) -> None:
    device.fail(DeviceFault("hipErrorLaunchFailure", "k trapped"))
    with pytest.raises(DeviceFault, match="k trapped"):
        launch.launch_kernel(known, device.default_stream, (1, 1, 1), (1, 1, 1), 0)
    assert "k trapped" in capfd.readouterr().err


def test_module_launches_say_invalid_value(device: Device, known: Kernel) -> None:
    with pytest.raises(HipError, match="hipErrorInvalidValue"):
        launch.launch_kernel(known, device.default_stream, (0, 1, 1), (1, 1, 1), 0)


def test_missing_arguments(device: Device, fake: FakeDevice) -> None:
    fake.code.kernels["k"] = kernel_info(args=(SimpleNamespace(value_kind="by_value"),))
    loaded = module.load_data(device, bundle()).kernel("k")
    with pytest.raises(HipError, match="takes arguments"):
        launch.launch_kernel(loaded, device.default_stream, (1, 1, 1), (1, 1, 1), 0)


def test_cooperative(device: Device, fake: FakeDevice, known: Kernel) -> None:
    most = known.blocks_per_unit(1024, 0) * 304
    launch.launch_kernel(known, device.default_stream, (most, 1, 1), (1024, 1, 1), 8, cooperative=True)
    assert fake.launches[-1][-1] is True
    with pytest.raises(
        HipError, match=f"hipErrorCooperativeLaunchTooLarge.*{most + 1} workgroups, {most} fit"
    ):
        launch.launch_kernel(
            known, device.default_stream, (most + 1, 1, 1), (1024, 1, 1), 8, cooperative=True
        )


def test_packed(device: Device, fake: FakeDevice, known: Kernel) -> None:
    launch.launch_packed(known, device.default_stream, (1, 1, 1), (1, 1, 1), b"12345678", 4)
    assert fake.launches == [(device.default_stream.queue, 1, (1, 1, 1), (1, 1, 1), 4, b"12345678")]


def test_blocking(device: Device, fake: FakeDevice, known: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HIP_LAUNCH_BLOCKING", "1")
    monkeypatch.setattr(launch, "_blocking", None)
    before = fake.waits
    launch.launch_kernel(known, device.default_stream, (1, 1, 1), (1, 1, 1), 0)
    assert fake.waits == before + 1


@pytest.mark.parametrize(
    ("registers", "shared", "block", "dynamic", "blocks"),
    [
        (32, 0, 64, 0, 32),  # 32 waves
        (32, 0, 256, 0, 8),
        (32, 0, 1024, 0, 2),
        (128, 0, 256, 0, 4),  # 512 / 128 waves on each of four SIMDs
        (129, 0, 256, 0, 3),  # allocated by eights: 136
        (32, 16384, 64, 0, 4),
        (32, 1, 64, 0, 32),
        (32, 0, 64, 32768 + 1, 1),
        (32, 0, 1025, 0, 0),
    ],
)
def test_occupancy(
    device: Device, fake: FakeDevice, registers: int, shared: int, block: int, dynamic: int, blocks: int
) -> None:
    facts = {"maxThreadsPerBlock": 1024, "numRegs": registers, "sharedSizeBytes": shared}
    fake.code.kernels["k"] = kernel_info(attributes=facts)
    assert module.load_data(device, bundle()).kernel("k").blocks_per_unit(block, dynamic) == blocks


def test_best_block(known: Kernel) -> None:
    assert known.best_block(0) == (608, 1024)
    assert known.best_block(0, 300) == (304 * 8, 256)


def test_symbols(device: Device) -> None:
    program = Program()
    address, size = registration.symbol(device, 0x2000)
    assert (address % 256, size) == (0, 64)
    with pytest.raises(HipError, match="hipErrorInvalidSymbol"):
        registration.symbol(device, 0x2001)
    registration.unregister(program.key)
    with pytest.raises(HipError, match="hipErrorInvalidSymbol"):
        registration.symbol(device, 0x2000)


def test_managed_variables(device: Device, fake: FakeDevice) -> None:
    program = Program()
    pointer, initial = ctypes.c_uint64(), ctypes.c_uint32(42)
    registration.managed_variable(
        device, program.key, ctypes.addressof(pointer), ctypes.addressof(initial), "table", 4
    )
    assert ctypes.c_uint32.from_address(pointer.value).value == 42
    registration.host_kernel(device, 0x1000)
    shadow = registration.symbol(device, 0x2000)
    assert registration.symbol(device, ctypes.addressof(pointer)) == (pointer.value, 4)
    assert shadow[0] == pointer.value
    device.reset()
    assert ctypes.c_uint32.from_address(pointer.value).value == 42  # a variable outlives the reset
    registration.unregister(program.key)


def test_modules(device: Device, fake: FakeDevice) -> None:
    loaded = module.load_data(device, bundle())
    assert module.find(loaded.handle) is loaded
    known = loaded.kernel("k")
    assert kernel.find(known.handle) is known
    assert loaded.kernel("k") is known
    assert loaded.symbol("table")[1] == 64
    with pytest.raises(HipError, match="no kernel 'x'") as caught:
        loaded.kernel("x")
    assert caught.value.hint.startswith("the module has k;")
    with pytest.raises(HipError, match="hipErrorNotFound"):
        loaded.symbol("x")
    loaded.unload()
    for gone in (lambda: module.find(loaded.handle), lambda: kernel.find(known.handle)):
        with pytest.raises(HipError, match="hipErrorInvalidHandle"):
            gone()


def test_images_that_are_none(device: Device, tmp_path: object) -> None:
    with pytest.raises(HipError, match="hipErrorInvalidImage"):
        module.load_data(device, b"")
    with pytest.raises(HipError, match="hipErrorInvalidImage"):
        module.load_data(device, b"not code at all")
    with pytest.raises(HipError, match="hipErrorFileNotFound"):
        module.load_file(device, f"{tmp_path}/absent.hsaco")
