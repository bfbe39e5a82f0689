"""Which NVIDIA devices there are, and how the environment chooses among them and others."""

from __future__ import annotations

import pytest

from anyhip.backends.nvidia import driver as drivers
from anyhip.backends.nvidia.backend import NvidiaBackend
from anyhip.backends.nvidia.driver import AbsentError, Driver
from anyhip.errors import HipError, UsageError
from anyhip.runtime import device as devices_
from anyhip.runtime import visible
from backends.nvidia.fake import FFI, backend

MASKS = "ANYHIP_DEVICE HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES GPU_DEVICE_ORDINAL"


@pytest.fixture(autouse=True)
def no_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in MASKS.split():
        monkeypatch.delenv(name, raising=False)


def absent() -> Driver:
    raise AbsentError("there is no NVIDIA driver: libcuda.so.1 is missing")


def test_no_driver_is_no_device_and_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers, "load", absent)
    one = NvidiaBackend()
    assert one.count() == 0
    assert one.absent_reason() == "there is no NVIDIA driver: libcuda.so.1 is missing"
    with pytest.raises(HipError, match="NVIDIA device 0 of 0"):
        one.device(0)
    assert visible.selected([one]) == []
    assert visible.why_none([one, backend(1)[0]]) == (
        "nvidia: there is no NVIDIA driver: libcuda.so.1 is missing"
    )
    monkeypatch.setenv("ANYHIP_DEVICE", "nvidia")
    try:
        devices_.install(None)
        with pytest.raises(HipError, match="hipErrorNoDevice: nvidia: there is no NVIDIA driver"):
            devices_.current()
    finally:
        devices_.install(None)


def test_a_driver_without_devices() -> None:
    one, library = backend(0)
    assert (one.count(), one.absent_reason()) == (0, "the NVIDIA driver finds no device")
    library.answer("cuDeviceGetCount", 100)
    reason = NvidiaBackend("", Driver(FFI, library)).absent_reason()
    assert "cuDeviceGetCount: CUDA_ERROR_NO_DEVICE: words for 100" in reason


def test_devices_are_made_once() -> None:
    one, library = backend(3)
    assert (one.count(), one.absent_reason()) == (3, "")
    assert one.device(2) is one.device(2)
    assert library.named("cuDeviceGet") == [(2,)]
    with pytest.raises(HipError, match="NVIDIA device 3 of 3"):
        one.device(3)


def test_one_device_by_number() -> None:
    one, library = backend(3, "1")
    assert one.count() == 1
    one.device(0)
    assert library.named("cuDeviceGet") == [(1,)]
    none, _ = backend(3, "7")
    assert (none.count(), none.absent_reason()) == (0, "there is no NVIDIA device 7: the driver finds 3")
    with pytest.raises(UsageError, match="'sm_90' is no device number"):
        NvidiaBackend("sm_90")


def test_peers() -> None:
    one, library = backend(2)
    first, second = one.device(0), one.device(1)
    assert (first.can_access_peer(second), first.can_access_peer(first)) == (True, False)
    first.enable_peer_access(second)
    assert library.current == first.context != second.context
    assert library.named("cuCtxEnablePeerAccess") == [(second.context, 0)]
    library.answer("cuCtxEnablePeerAccess", 704)
    with pytest.raises(HipError, match="hipErrorPeerAccessAlreadyEnabled"):
        first.enable_peer_access(second)
    first.disable_peer_access(second)
    assert library.named("cuCtxDisablePeerAccess") == [(second.context,)]


def test_a_kind_that_does_not_exist_names_those_that_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANYHIP_DEVICE", "intel")
    with pytest.raises(UsageError) as caught:
        visible.backends()
    assert caught.value.hint.endswith("nvidia, nvidia:0, rocm or rocm:0")


def test_the_order_of_kinds_is_the_order_of_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANYHIP_DEVICE", "virtual:gfx942x2,nvidia:0")
    made = visible.backends()
    assert [one.name for one in made] == ["virtual", "nvidia"]
    made[1], _ = backend(2)
    assert [(one.name, index) for one, index in visible.selected(made)] == [
        ("virtual", 0), ("virtual", 1), ("nvidia", 0), ("nvidia", 1),
    ]  # fmt: skip
    monkeypatch.setenv("HIP_VISIBLE_DEVICES", "3,0")
    assert [(one.name, index) for one, index in visible.selected(made)] == [("nvidia", 1), ("virtual", 0)]


def test_cudas_own_mask_is_the_drivers_to_apply(monkeypatch: pytest.MonkeyPatch) -> None:
    from anyhip.backends.virtual.device import VirtualBackend

    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")  # the driver then has one device, number 0
    assert len(visible.selected([backend(1)[0]])) == 1
    assert [index for _, index in visible.selected([VirtualBackend("gfx942x2")])] == [1]


def test_a_virtual_device_and_an_nvidia_one_in_a_process() -> None:
    from anyhip.backends.virtual.device import VirtualBackend

    nvidia, library = backend(1)
    try:
        devices_.install([VirtualBackend(), nvidia])
        first, second = devices_.devices()
        assert [(d.kind, d.arch, d.fact("warpSize")) for d in (first, second)] == [
            ("virtual", "gfx942", 64), ("nvidia", "sm_90", 32),
        ]  # fmt: skip
        buffers = [device.allocate(64) for device in (first, second)]
        assert list(library.memory) == [buffers[1].handle]
        second.sync()
        for buffer in buffers:
            buffer.close()
        assert library.memory == {}
    finally:
        devices_.install(None)
