import ctypes

import pytest

from anyhip.errors import HipError
from anyhip.runtime import copy, memory
from anyhip.runtime.device import Device
from runtime.fake import FakeDevice


def at(data: bytes) -> tuple[ctypes.Array[ctypes.c_char], int]:
    buffer = ctypes.create_string_buffer(data, len(data))
    return buffer, ctypes.addressof(buffer)


def test_there_and_back(device: Device) -> None:
    there = memory.allocate(device, 16)
    _source, src = at(bytes(range(16)))
    result, dst = at(bytes(16))
    copy.copy(device.default_stream, there, src, 16, copy.HOST_TO_DEVICE)
    copy.copy(device.default_stream, dst, there, 16, copy.DEVICE_TO_HOST)
    assert result.raw == bytes(range(16))


@pytest.mark.parametrize("kind", [-1, 5, 1023])
def test_kinds(device: Device, kind: int) -> None:
    with pytest.raises(HipError, match="hipErrorInvalidMemcpyDirection"):
        copy.copy(device.default_stream, 1, 1, 1, kind)


def test_no_bytes_need_no_pointers(device: Device) -> None:
    copy.copy(device.default_stream, 0, 0, 0)
    copy.fill(device.default_stream, 0, 1, 4, 0)


@pytest.mark.parametrize("null", ["destination", "source"])
def test_null(device: Device, null: str) -> None:
    there = memory.allocate(device, 16)
    ends = (0, there) if null == "destination" else (there, 0)
    with pytest.raises(HipError, match=f"the {null} is null"):
        copy.copy(device.default_stream, *ends, 16)


def test_past_the_end(device: Device) -> None:
    there = memory.allocate(device, 16)
    _keep, src = at(bytes(32))
    with pytest.raises(HipError, match="17 bytes, but the destination's allocation has 16 left"):
        copy.copy(device.default_stream, there, src, 17)
    with pytest.raises(HipError, match="has 12 left"):
        copy.copy_async(device.default_stream, src, there + 4, 13)


def test_a_pageable_source_can_change_at_once(device: Device, fake: FakeDevice) -> None:
    """The copy is enqueued from a private copy of the source, which lives until the copy is done."""
    there = memory.allocate(device, 4)
    source, src = at(b"abcd")
    enqueued: list[tuple[int, int, int]] = []
    fake.pending.add(device.default_stream.queue)
    fake.copy = lambda stream, dst, src, size: enqueued.append((dst, src, size))  # type: ignore[method-assign]
    calls: list[object] = []
    fake.host_call = lambda stream, function: calls.append(function)  # type: ignore[method-assign]
    copy.copy_async(device.default_stream, there, src, 4)
    source[:] = b"wxyz"
    ((dst, staged, size),) = enqueued
    assert (dst, size) == (there, 4)
    assert staged != src
    assert ctypes.string_at(staged, 4) == b"abcd"
    assert len(calls) == 1


def test_a_pageable_destination_is_written_on_return(device: Device, fake: FakeDevice) -> None:
    there = memory.allocate(device, 4)
    _result, dst = at(bytes(4))
    before = fake.waits
    copy.copy_async(device.default_stream, dst, there, 4)
    assert fake.waits == before + 1


def test_pinned_memory_does_not_wait(device: Device, fake: FakeDevice) -> None:
    there, pinned = memory.allocate(device, 4), memory.allocate(device, 4, memory.HOST)
    before = fake.waits
    copy.copy_async(device.default_stream, there, pinned, 4)
    assert fake.waits == before


def test_rect(device: Device) -> None:
    there = memory.allocate(device, 32)
    _source, src = at(b"abcdefgh")
    copy.copy_rect(device.default_stream, (there, 8, 32), (src, 4, 8), (3, 2, 1), 1, True)
    assert ctypes.string_at(there, 3) == b"abc"
    assert ctypes.string_at(there + 8, 3) == b"efg"
    with pytest.raises(HipError, match="hipErrorInvalidPitchValue"):
        copy.copy_rect(device.default_stream, (there, 8, 32), (src, 2, 4), (3, 2, 1), 1, True)
    with pytest.raises(HipError, match="hipErrorInvalidValue"):
        copy.copy_rect(device.default_stream, (there, 32, 64), (src, 4, 8), (4, 2, 1), 1, True)


@pytest.mark.parametrize(
    ("width", "value", "expected"),
    [(1, 0x1FF, b"\xff" * 8), (2, 0x1234, b"\x34\x12" * 4), (4, -2, b"\xfe\xff\xff\xff" * 2)],
)
def test_fill(device: Device, width: int, value: int, expected: bytes) -> None:
    there = memory.allocate(device, 8)
    copy.fill(device.default_stream, there, value, width, 8 // width)
    assert ctypes.string_at(there, 8) == expected


def test_fill_refuses(device: Device) -> None:
    there = memory.allocate(device, 8)
    _pageable, host = at(bytes(8))
    for dst, width, count, why in (
        (there + 1, 4, 1, "not aligned"),
        (there, 4, 3, "has 8 left"),
        (host, 1, 8, "not memory that HIP allocated"),
        (0, 1, 8, "is null"),
    ):
        with pytest.raises(HipError, match=why):
            copy.fill(device.default_stream, dst, 0, width, count)


def test_fill_rect(device: Device) -> None:
    there = memory.allocate(device, 16)
    copy.fill(device.default_stream, there, 0, 1, 16)
    copy.fill_rect(device.default_stream, (there, 8, 16), 0x7, 1, (3, 2, 1))
    assert ctypes.string_at(there, 16) == b"\x07\x07\x07\0\0\0\0\0" * 2
