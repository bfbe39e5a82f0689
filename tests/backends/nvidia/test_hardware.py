"""The backend on a real device: what a driver that runs nothing cannot tell. No compiler is needed."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anyhip.backends.nvidia import ptx
from anyhip.backends.nvidia.backend import NvidiaBackend
from anyhip.backends.nvidia.device import NvidiaDevice
from anyhip.backends.nvidia.module import NvidiaModule
from anyhip.errors import DeviceFault, HipError
from anyhip.target import Target

pytestmark = pytest.mark.nvidia
TEXT = Path(__file__).with_name("kernels.ptx").read_bytes()
ONE = (1, 1, 1)


@pytest.fixture(scope="module")
def device() -> NvidiaDevice:
    backend = NvidiaBackend()
    if not backend.count():
        pytest.skip(backend.absent_reason())
    return backend.device(0)


@pytest.fixture(scope="module")
def module(device: NvidiaDevice) -> NvidiaModule:
    return device.load(ptx.read(TEXT, Target.parse("sm_70")))


class Arguments:
    """A ``void *[]`` and what it points to."""

    def __init__(self, *values: ctypes._SimpleCData) -> None:  # type: ignore[type-arg]
        self.values = values
        self.array = (ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values))
        self.address = ctypes.addressof(self.array)


def read(device: NvidiaDevice, address: int, count: int) -> list[int]:
    words = (ctypes.c_uint32 * count)()
    device.copy(0, ctypes.addressof(words), address, 4 * count)
    device.wait_stream(0)
    return list(words)


def test_properties(device: NvidiaDevice) -> None:
    assert device.properties["name"].startswith("NVIDIA")  # type: ignore[union-attr]
    assert device.properties["warpSize"] == 32
    assert device.target.arch == f"sm_{device.properties['major']}{device.properties['minor']}"
    free, total = device.memory_info()
    assert 0 < free <= total <= device.properties["totalGlobalMem"]  # type: ignore[operator]


@pytest.mark.parametrize("kind", ["device", "host", "managed"])
def test_a_kernel_in_every_kind_of_memory(device: NvidiaDevice, module: NvidiaModule, kind: str) -> None:
    address = device.allocate(4 * 1024, kind)
    device.fill(0, address, 100, 4, 1024)
    given = Arguments(ctypes.c_uint64(address), ctypes.c_uint32(11))
    device.launch(0, module.kernel("add"), (4, 1, 1), (256, 1, 1), 0, given.address)
    device.launch_packed(
        0, module.kernel("add"), (2, 1, 1), (256, 1, 1), 0, bytes(given.values[0]) + b"\1\0\0\0"
    )
    device.wait_all()
    assert read(device, address, 1024) == [112] * 512 + [111] * 512
    if kind != "device":
        assert list((ctypes.c_uint32 * 1024).from_address(address)) == [112] * 512 + [111] * 512
    device.free(address)


def test_attributes_and_symbol(device: NvidiaDevice, module: NvidiaModule) -> None:
    found = module.attributes(module.kernel("add"))
    assert found["maxThreadsPerBlock"] == 512
    assert 4 <= found["numRegs"] <= 64
    address, size = module.symbol("counter")
    assert (size, read(device, address, 1)) == (4, [5])
    with pytest.raises(KeyError):
        module.symbol("nothing")
    assert device.resident_blocks(module.kernel("add"), 512, 0) * 512 <= 2048


def test_rectangles_between_host_and_device(device: NvidiaDevice) -> None:
    source = (ctypes.c_uint8 * 480)(*(i % 251 for i in range(480)))
    back = (ctypes.c_uint8 * 480)()
    address = device.allocate(4096)
    device.fill(0, address, 0xEE, 1, 4096)
    # 3 slices of 4 rows of 20 bytes; the device's slices are no multiple of its pitch
    host, to = (ctypes.addressof(source), 40, 160), (address, 64, 300)
    device.copy_rect(0, to, host, (20, 4, 3))
    device.copy_rect(0, (ctypes.addressof(back), 40, 160), to, (20, 4, 3))
    device.wait_stream(0)
    for z in range(3):
        for y in range(4):
            row = z * 160 + y * 40
            assert bytes(back[row : row + 20]) == bytes(source[row : row + 20])
            assert bytes(back[row + 20 : row + 40]) == bytes(20)
    device.fill_rect(0, (address, 64, 256), 0x1234, 2, (20, 4, 2))
    assert read(device, address, 6) == [0x12341234] * 5 + [0xEEEEEEEE]
    device.free(address)


def test_registered_memory_is_used_by_kernels(device: NvidiaDevice, module: NvidiaModule) -> None:
    words = (ctypes.c_uint32 * 4096)()
    where = ctypes.addressof(words)
    device.register_host(where, 4 * 4096)
    given = Arguments(ctypes.c_uint64(where), ctypes.c_uint32(3))
    device.launch(0, module.kernel("add"), (8, 1, 1), (512, 1, 1), 0, given.address)
    device.wait_all()
    device.unregister_host(where)
    assert list(words) == [3] * 4096


def test_more_shared_memory_than_the_driver_grants_unasked(
    device: NvidiaDevice, module: NvidiaModule
) -> None:
    address, most = device.allocate(4), int(device.properties["sharedMemPerBlockOptin"])  # type: ignore[arg-type]
    assert most > 49152
    given = Arguments(ctypes.c_uint64(address), ctypes.c_uint32(most))
    device.launch(0, module.kernel("through_shared"), ONE, ONE, most, given.address)
    assert read(device, address, 1) == [77]
    with pytest.raises(HipError) as caught:
        device.launch(0, module.kernel("through_shared"), ONE, ONE, most + 1024, given.address)
    assert caught.value.code_name == "hipErrorInvalidConfiguration"
    device.free(address)


def test_streams_events_and_host_functions_keep_their_order(
    device: NvidiaDevice, module: NvidiaModule
) -> None:
    flag = device.allocate(4, "host")
    ctypes.c_uint32.from_address(flag).value = 0
    first, second = device.create_stream(), device.create_stream(blocking=False, priority=-1)
    start, event, stop = (device.create_event() for _ in range(3))
    happened: list[str] = []
    extra = device.allocate(64)
    device.record_event(start, first)
    spin = Arguments(ctypes.c_uint64(flag))
    device.launch(first, module.kernel("spin"), ONE, ONE, 0, spin.address)
    device.host_call(first, lambda: happened.append("first"))
    device.host_call(first, lambda: device.free(extra))
    device.record_event(event, first)
    device.stream_wait_event(second, event)
    device.host_call(second, lambda: happened.append("second"))
    device.record_event(stop, second)
    assert not device.stream_done(second)
    assert not device.event_done(event)
    with pytest.raises(HipError) as caught:
        device.elapsed_ms(start, stop)
    assert caught.value.code_name == "hipErrorNotReady"
    time.sleep(0.02)
    assert happened == []
    ctypes.c_uint32.from_address(flag).value = 1
    device.wait_event(stop)
    device.wait_all()
    assert happened == ["first", "second"]
    assert device.elapsed_ms(start, stop) > 15
    with pytest.raises(HipError):
        device.free(extra)  # the host function did
    for made in (first, second):
        device.destroy_stream(made)
    device.free(flag)


def test_cooperative_launch(device: NvidiaDevice, module: NvidiaModule) -> None:
    address = device.allocate(4 * 1024)
    device.fill(0, address, 0, 4, 1024)
    given = Arguments(ctypes.c_uint64(address), ctypes.c_uint32(2))
    device.launch(0, module.kernel("add"), (2, 1, 1), (512, 1, 1), 0, given.address, True)
    assert read(device, address, 1024) == [2] * 1024
    with pytest.raises(HipError) as caught:
        device.launch(0, module.kernel("add"), (10**6, 1, 1), (512, 1, 1), 0, given.address, True)
    assert caught.value.code_name == "hipErrorCooperativeLaunchTooLarge"
    device.free(address)


def test_ptx_that_does_not_compile_shows_the_log(device: NvidiaDevice) -> None:
    broken = TEXT.replace(b"ld.global.u32 %x", b"ld.global.u33 %x")
    with pytest.raises(HipError) as caught:
        device.load(ptx.read(broken, Target.parse("sm_70")))
    assert caught.value.code_name == "hipErrorInvalidKernelFile"
    assert "u33" in str(caught.value)


def test_too_much_memory_says_how_much_there_is(device: NvidiaDevice) -> None:
    with pytest.raises(HipError) as caught:
        device.allocate(1 << 50)
    assert caught.value.code_name == "hipErrorOutOfMemory"
    assert "are free on the device" in caught.value.message


@pytest.mark.parametrize(
    ("kernel", "code"), [("wild", "hipErrorIllegalAddress"), ("stop", "hipErrorLaunchFailure")]
)
def test_a_fault_stays_and_a_new_process_works(kernel: str, code: str) -> None:
    backend = NvidiaBackend()
    if not backend.count():
        pytest.skip(backend.absent_reason())
    done = subprocess.run(
        [sys.executable, __file__, kernel, code], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "stays\n", "")


def fault(kernel: str, code: str) -> None:
    """In a process of its own: fault, and see it stay."""
    device = NvidiaBackend().device(0)
    module = device.load(ptx.read(TEXT, Target.parse("sm_70")))
    address, stream = device.allocate(4096), device.create_stream()
    device.launch(stream, module.kernel(kernel), ONE, ONE, 0, 0)
    for fails in (
        device.wait_all,
        lambda: device.wait_stream(stream),
        lambda: device.stream_done(stream),
        lambda: device.copy(0, address, address + 8, 8),
        lambda: device.allocate(16),
        device.clear_faults,
    ):
        with pytest.raises(DeviceFault) as caught:
            fails()
        assert caught.value.code_name == code, caught.value
    device.free(address)
    device.destroy_stream(stream)
    print("stays")


if __name__ == "__main__":
    fault(*sys.argv[1:])
