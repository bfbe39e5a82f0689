import pytest

from anyhip.errors import HipError
from anyhip.runtime import event, stream
from anyhip.runtime.device import Device
from anyhip.runtime.event import Event
from anyhip.runtime.stream import Stream
from runtime.fake import FakeDevice


def test_handles(device: Device) -> None:
    made = Stream.create(device)
    assert stream.find(made.handle) is made
    assert stream.find(0) is device.default_stream
    assert stream.find(stream.LEGACY) is device.default_stream
    per_thread = stream.find(stream.PER_THREAD)
    assert per_thread is stream.find(stream.PER_THREAD)
    assert per_thread is not device.default_stream


def test_destroyed(device: Device) -> None:
    made = Stream.create(device)
    made.close()
    with pytest.raises(HipError, match="hipErrorContextIsDestroyed"):
        stream.find(made.handle)
    with pytest.raises(HipError, match="hipErrorInvalidHandle"):
        made.close()


@pytest.mark.parametrize(("asked", "given"), [(-9, -1), (0, 0), (9, 1)])
def test_priorities_are_clamped(device: Device, asked: int, given: int) -> None:
    assert Stream.create(device, priority=asked).priority == given


def test_stream_flags(device: Device) -> None:
    with pytest.raises(HipError, match="hipErrorInvalidValue"):
        Stream.create(device, flags=2)


def test_done(device: Device, fake: FakeDevice) -> None:
    made = Stream.create(device)
    assert made.done
    fake.pending.add(made.queue)
    assert not made.done


def test_callbacks(device: Device) -> None:
    seen: list[int] = []
    device.default_stream.host_call(lambda: seen.append(1))
    assert seen == [1]


def test_elapsed(device: Device) -> None:
    start, stop = Event.create(device), Event.create(device)
    start.record(device.default_stream)
    stop.record(device.default_stream)
    assert stop - start == 1.0
    assert start - stop == -1.0


def test_elapsed_needs_recorded_timing_events(device: Device, fake: FakeDevice) -> None:
    start, stop = Event.create(device), Event.create(device)
    start.record(device.default_stream)
    with pytest.raises(HipError, match="hipErrorInvalidHandle.*never recorded"):
        _ = stop - start
    untimed = Event.create(device, event.DISABLE_TIMING)
    untimed.record(device.default_stream)
    with pytest.raises(HipError, match="hipErrorInvalidHandle.*hipEventDisableTiming"):
        _ = untimed - start
    stop.record(device.default_stream)
    fake.pending.add(1)
    with pytest.raises(HipError, match="hipErrorNotReady"):
        _ = stop - start


def test_an_event_never_recorded_is_done(device: Device) -> None:
    never = Event.create(device)
    assert never.done
    never.sync()


def test_an_event_of_another_device(device: Device) -> None:
    with pytest.raises(HipError, match="hipErrorInvalidHandle"):
        Event.create(Device(1)).record(device.default_stream)


@pytest.mark.parametrize("flags", [0x8, 0x4, 0x40000000 | 0x80000000])
def test_event_flags(device: Device, flags: int) -> None:
    with pytest.raises(HipError, match="hipErrorInvalidValue"):
        Event.create(device, flags)


def test_event_handles(device: Device) -> None:
    made = Event.create(device)
    assert event.find(made.handle) is made
    made.close()
    for handle in (made.handle, 0):
        with pytest.raises(HipError, match="hipErrorInvalidHandle"):
            event.find(handle)
