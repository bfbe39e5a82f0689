"""Fixtures: a fake device under the real runtime."""

from collections.abc import Iterator

import pytest

from anyhip.runtime import device as devices_
from anyhip.runtime.device import Device
from runtime.fake import FakeBackend, FakeDevice


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeBackend]:
    for name in ("HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"):
        monkeypatch.delenv(name, raising=False)
    made = FakeBackend(2)
    devices_.install([made])
    yield made
    for one in devices_.devices():
        one.backend.fault = None
        one.reset()
    devices_.install(None)


@pytest.fixture
def device(backend: FakeBackend) -> Device:
    return devices_.get(0)


@pytest.fixture
def fake(backend: FakeBackend) -> FakeDevice:
    return backend.devices[0]
