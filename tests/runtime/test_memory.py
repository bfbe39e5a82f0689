import ctypes

import pytest

from anyhip.errors import HipError
from anyhip.runtime import memory, pool
from anyhip.runtime.device import Device
from runtime.fake import TOTAL, FakeDevice


def test_allocate_and_free(device: Device, fake: FakeDevice) -> None:
    address = memory.allocate(device, 1000)
    assert address % 256 == 0
    assert list(fake.buffers) == [address]
    memory.free(address)
    assert fake.buffers == {}


def test_free_of_null_is_nothing(device: Device) -> None:
    memory.free(0)


def test_free_waits_for_the_device(device: Device, fake: FakeDevice) -> None:
    address = memory.allocate(device, 8)
    before = fake.waits
    memory.free(address)
    assert fake.waits == before + 1


def test_second_free(device: Device) -> None:
    address = memory.allocate(device, 8)
    memory.free(address)
    with pytest.raises(HipError, match="hipErrorInvalidValue.*freed before"):
        memory.free(address)


def test_free_inside_an_allocation(device: Device) -> None:
    address = memory.allocate(device, 64)
    with pytest.raises(HipError, match="lies 16 bytes inside an allocation"):
        memory.free(address + 16)


def test_device_free_of_host_memory(device: Device) -> None:
    address = memory.allocate(device, 64, memory.HOST)
    with pytest.raises(HipError, match="is host memory"):
        memory.free(address)
    memory.free(address, (memory.HOST,))


def test_more_than_there_is(device: Device) -> None:
    with pytest.raises(HipError, match="hipErrorOutOfMemory"):
        memory.allocate(device, TOTAL + 1)


def test_find(device: Device) -> None:
    first, second = sorted(memory.allocate(device, 512) for _ in range(2))
    for address, found in ((first, first), (first + 511, first), (second, second), (second + 511, second)):
        allocation = memory.find(address)
        assert allocation is not None
        assert allocation.address == found
    assert memory.find(first - 1) is None
    assert memory.find(second + 512) is None


def test_register(device: Device, fake: FakeDevice) -> None:
    host = ctypes.create_string_buffer(100)
    address = ctypes.addressof(host)
    memory.register(device, address, 100)
    assert fake.registered == {address: 100}
    with pytest.raises(HipError, match="hipErrorHostMemoryAlreadyRegistered"):
        memory.register(device, address + 50, 10)
    memory.unregister(address)
    assert fake.registered == {}
    with pytest.raises(HipError, match="hipErrorHostMemoryNotRegistered"):
        memory.unregister(address)


def test_pool_counts(device: Device) -> None:
    ours = pool.default(device)
    ours.set_attribute(pool.USED_HIGH, 0)
    address = ours.allocate(4096)
    assert ours.attribute(pool.USED_NOW) == 4096
    memory.free_async(address, device.default_stream)
    assert ours.attribute(pool.USED_NOW) == 0
    assert ours.attribute(pool.USED_HIGH) == 4096
    with pytest.raises(HipError):
        ours.set_attribute(pool.USED_HIGH, 1)
    with pytest.raises(HipError, match="default pool"):
        ours.close()


def test_current_pool(device: Device) -> None:
    mine = pool.Pool(device)
    pool.set_current(device, mine)
    assert pool.current(device) is mine
    with pytest.raises(HipError, match="another device"):
        pool.set_current(Device(1), mine)
    mine.close()
    assert pool.current(device) is pool.default(device)


def test_async_free_waits_for_nothing(device: Device, fake: FakeDevice) -> None:
    address = pool.default(device).allocate(64)
    before = fake.waits
    memory.free_async(address, device.default_stream)
    assert fake.waits == before
    assert fake.buffers == {}
