import threading

import pytest

from anyhip.backends.virtual.device import VirtualBackend
from anyhip.errors import DeviceFault, HipError, UsageError
from anyhip.runtime import device as devices_
from anyhip.runtime import memory, visible
from anyhip.runtime.device import Device
from anyhip.runtime.stream import Stream
from runtime.fake import TOTAL, FakeBackend, FakeDevice


def test_device_is_one_object_a_number(backend: FakeBackend) -> None:
    assert Device(1) is Device(1)
    assert Device() is Device(0)
    assert [one.index for one in devices_.devices()] == [0, 1]


@pytest.mark.parametrize("number", [-1, 2])
def test_a_number_that_is_not_visible(backend: FakeBackend, number: int) -> None:
    with pytest.raises(HipError) as caught:
        Device(number)
    assert caught.value.name == "hipErrorInvalidDevice"
    assert caught.value.code == 101


def test_no_device(backend: FakeBackend) -> None:
    devices_.install([FakeBackend(0)])
    with pytest.raises(HipError, match="hipErrorNoDevice"):
        Device()


def test_the_current_device_belongs_to_a_thread(backend: FakeBackend) -> None:
    Device(1).set_current()
    seen: list[int] = []
    other = threading.Thread(target=lambda: seen.append(Device().index))
    other.start()
    other.join()
    assert Device().index == 1
    assert seen == [0]


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        (5, 2100000),  # hipDeviceAttributeClockRate
        (26, 1024),  # MaxBlockDimX
        (29, 2147483647),  # MaxGridDimX
        (87, 64),  # WarpSize
        (10000, 0),  # ClockInstructionRate, which the fake does not state
    ],
)
def test_attribute(device: Device, attribute: int, value: int) -> None:
    assert device.attribute(attribute) == value


@pytest.mark.parametrize("attribute", [-1, 9999, 20000])
def test_what_is_no_attribute(device: Device, attribute: int) -> None:
    with pytest.raises(HipError, match="hipErrorInvalidValue"):
        device.attribute(attribute)


def test_a_fault_stays_until_reset(
    device: Device, fake: FakeDevice, capfd: pytest.CaptureFixture[str]
) -> None:
    fake.fault = DeviceFault("hipErrorIllegalAddress", "kernel k wrote to 0x10", "check the index")
    with pytest.raises(DeviceFault):
        device.sync()
    fake.fault = None
    for again in (device.sync, device.default_stream.sync, lambda: device.default_stream.done):
        with pytest.raises(DeviceFault) as caught:
            again()
        assert caught.value.code == 700
    assert capfd.readouterr().err.count("kernel k wrote to 0x10") == 1
    device.reset()
    device.sync()


def test_reset_frees_everything(device: Device, fake: FakeDevice) -> None:
    memory.allocate(device, 64)
    stream = Stream.create(device)
    device.reset()
    assert fake.buffers == {}
    assert device.memory_info() == (TOTAL, TOTAL)
    with pytest.raises(HipError):
        stream.close()


@pytest.mark.parametrize(
    ("name", "mask", "kept"),
    [
        ("HIP_VISIBLE_DEVICES", "1,0", [1, 0]),
        ("CUDA_VISIBLE_DEVICES", "1", [1]),
        ("HIP_VISIBLE_DEVICES", "1,7,0", [1]),  # ends at what does not exist
        ("HIP_VISIBLE_DEVICES", "-1", []),
        ("ROCR_VISIBLE_DEVICES", "1", [1]),
        ("GPU_DEVICE_ORDINAL", "1,1,0,1", [1, 0]),  # each counts once
        ("HIP_VISIBLE_DEVICES", "0,x,1", [0]),
        ("HIP_VISIBLE_DEVICES", "", []),  # set but empty: none
        ("ROCR_VISIBLE_DEVICES", "", []),
        ("HIP_VISIBLE_DEVICES", "GPU-", []),
    ],
)
def test_masks(
    monkeypatch: pytest.MonkeyPatch, backend: FakeBackend, name: str, mask: str, kept: list[int]
) -> None:
    monkeypatch.setenv(name, mask)
    assert [number for _, number in visible.selected([backend])] == kept


def test_masks_by_uuid(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = VirtualBackend("gfx942x2")
    uuids = [str(backend.device(number).properties["uuid"]) for number in range(2)]
    assert len(set(uuids)) == 2
    monkeypatch.setenv("ROCR_VISIBLE_DEVICES", f"GPU-{uuids[1]},GPU-{uuids[0]}")
    assert [number for _, number in visible.selected([backend])] == [1, 0]
    monkeypatch.setenv("ROCR_VISIBLE_DEVICES", f"0,GPU-{uuids[1][:-1]}x,1")
    assert [number for _, number in visible.selected([backend])] == [0]


def test_hip_wins_over_cuda(monkeypatch: pytest.MonkeyPatch, backend: FakeBackend) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    monkeypatch.setenv("HIP_VISIBLE_DEVICES", "1")
    assert [number for _, number in visible.selected([backend])] == [1]
    monkeypatch.setenv("HIP_VISIBLE_DEVICES", "")
    assert visible.selected([backend]) == []


def test_who_hides_the_devices_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROCR_VISIBLE_DEVICES", "0")
    monkeypatch.setenv("HIP_VISIBLE_DEVICES", "3")
    devices_.install([FakeBackend(2)])
    monkeypatch.setattr(visible, "backends", lambda: [FakeBackend(2)])
    with pytest.raises(HipError, match="ROCR_VISIBLE_DEVICES=0, HIP_VISIBLE_DEVICES=3 hides all 2"):
        Device()
    devices_.install(None)


def test_another_architecture_for_virtual_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HSA_OVERRIDE_GFX_VERSION", "9.0.10")
    assert [one.device(0).target.id for one in visible.backends()] == ["gfx90a"]
    monkeypatch.setenv("HSA_OVERRIDE_GFX_VERSION", "10.3")
    with pytest.raises(UsageError, match=r"10.3 is no version"):
        visible.backends()


def test_masks_compose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROCR_VISIBLE_DEVICES", "3,2,1")
    monkeypatch.setenv("HIP_VISIBLE_DEVICES", "2,0")
    assert [number for _, number in visible.selected([FakeBackend(4)])] == [1, 3]
