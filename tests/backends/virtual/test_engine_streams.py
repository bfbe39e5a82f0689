"""Streams, events, host calls: what runs when."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
import time

import pytest

from anyhip.backends.virtual import engine
from anyhip.errors import HipError, UsageError
from backends.virtual.engine_kernels import Kernel, Words


@pytest.fixture
def gate(device):
    """A kernel that holds its stream until ``gate.open()``."""

    class Gate:
        def __init__(self):
            self.words = Words(2)

        def close(self, stream):
            Kernel(device, "spin_until")(self.words.address, self.words.address + 4, stream=stream)

        def open(self):
            self.words[0] = 1

    made = Gate()
    yield made
    made.open()
    device.settle()  # while the words live: freed memory may never say what the kernel waits for


def append(device, words, value, stream=0, delay=5):
    Kernel(device, "slow_append")(words.address, value, delay, stream=stream)


def listed(words):
    return [words[1 + i] for i in range(words[0])]


def test_a_stream_keeps_its_order(device):
    words = Words(101)
    stream = device.create_stream()
    for value in range(100):
        append(device, words, value, stream, delay=value % 7)
    device.wait_stream(stream)
    assert listed(words) == list(range(100))


def test_null_stream_waits_for_blocking_streams_and_they_for_it(device, gate):
    words = Words(8)
    first, second = device.create_stream(), device.create_stream()
    gate.close(first)
    append(device, words, 1, first)
    append(device, words, 2)  # null stream: after `first`
    append(device, words, 3, second)  # after the null stream
    time.sleep(0.02)
    assert listed(words) == []
    assert not device.stream_done(device.default_stream)
    assert not device.stream_done(second)
    gate.open()
    device.wait_all()
    assert listed(words) == [1, 2, 3]


def test_nonblocking_streams_ignore_the_null_stream(device, gate):
    words = Words(8)
    free = device.create_stream(blocking=False)
    gate.close(device.default_stream)
    append(device, words, 1, free)
    device.wait_stream(free)
    assert listed(words) == [1]
    assert not device.stream_done(device.default_stream)


def test_blocking_streams_run_beside_each_other(device, gate):
    words = Words(8)
    first, second = device.create_stream(), device.create_stream()
    gate.close(first)
    append(device, words, 1, second)
    device.wait_stream(second)
    assert listed(words) == [1]
    assert not device.stream_done(first)


def test_copies_wait_for_their_stream(device, gate):
    source, target = Words(1), Words(1)
    stream = device.create_stream()
    source[0] = 5
    gate.close(stream)
    device.copy(stream, target.address, source.address, 4)  # small, but the stream is busy
    assert target[0] == 0
    gate.open()
    device.wait_stream(stream)
    assert target[0] == 5


def test_waiting_for_an_event_orders_streams(device, gate):
    words = Words(8)
    first, second = (device.create_stream(blocking=False) for _ in range(2))
    event = device.create_event()
    gate.close(first)
    append(device, words, 1, first)
    device.record_event(event, first)
    device.stream_wait_event(second, event)
    append(device, words, 2, second)
    time.sleep(0.02)
    assert listed(words) == []
    assert not device.event_done(event)
    gate.open()
    device.wait_event(event)
    assert listed(words)[:1] == [1]
    device.wait_stream(second)
    assert listed(words) == [1, 2]
    device.destroy_event(event)


def test_wait_uses_the_record_made_before_it(device, gate):
    first, second = (device.create_stream(blocking=False) for _ in range(2))
    event = device.create_event()
    device.record_event(event, first)
    device.stream_wait_event(second, event)  # the record of now, which is complete
    gate.close(first)
    device.record_event(event, first)
    device.wait_stream(second)
    assert not device.event_done(event)


def test_an_event_never_recorded_is_done(device):
    event = device.create_event()
    assert device.event_done(event)
    device.wait_event(event)
    with pytest.raises(HipError, match="hipErrorInvalidHandle"):
        device.elapsed_ms(event, event)


def test_elapsed_time_is_the_time_between(device, gate):
    start, stop = device.create_event(), device.create_event()
    stream = device.create_stream()
    device.record_event(start, stream)
    gate.close(stream)
    device.record_event(stop, stream)
    with pytest.raises(HipError, match="hipErrorNotReady"):
        device.elapsed_ms(start, stop)
    time.sleep(0.03)
    gate.open()
    device.wait_event(stop)
    assert 30 <= device.elapsed_ms(start, stop) < 300
    assert device.elapsed_ms(stop, start) == -device.elapsed_ms(start, stop)


def test_elapsed_time_resolves_less_than_a_microsecond(device):
    words = Words(1, ctypes.c_uint64)
    start, stop = device.create_event(), device.create_event()
    device.record_event(start, device.default_stream)
    Kernel(device, "count")(words.address)
    device.record_event(stop, device.default_stream)
    device.wait_event(stop)
    assert device.elapsed_ms(start, stop) * 1000 % 1 != 0  # not whole microseconds (a chance of 1 in 1000)


def test_host_calls_happen_in_order(device, gate):
    words, seen = Words(8), []
    stream = device.create_stream()
    gate.close(stream)
    append(device, words, 1, stream)
    device.host_call(stream, lambda: seen.append(listed(words)))
    append(device, words, 2, stream)
    assert seen == []
    gate.open()
    device.wait_stream(stream)
    assert seen == [[1]]
    assert listed(words) == [1, 2]


def test_c_host_call(device):
    seen = []
    callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(seen.append)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    device.host_call_c(device.default_stream, address, 1234)
    device.wait_all()
    assert seen == [1234]


def test_a_kernel_may_wait_for_a_host_call(device):
    words = Words(2)
    first, second = (device.create_stream(blocking=False) for _ in range(2))
    Kernel(device, "spin_until")(words.address, words.address + 4, grid=(8, 1, 1), stream=first)
    device.host_call(second, lambda: words.__setitem__(0, 1))
    device.wait_stream(first)
    assert words[1] == 8


def test_destroying_a_busy_stream_lets_its_work_finish(device, gate):
    words = Words(8)
    stream = device.create_stream(blocking=False)
    gate.close(stream)
    append(device, words, 1, stream)
    device.destroy_stream(stream)
    gate.open()
    device.wait_all()
    assert listed(words) == [1]


def test_threads_may_share_a_device(device):
    counts = Words(1, ctypes.c_uint64)
    kernel = Kernel(device, "count")

    def work():
        stream = device.create_stream(blocking=False)
        for _ in range(200):
            kernel(counts.address, grid=(3, 1, 1), stream=stream)
        device.wait_stream(stream)
        device.destroy_stream(stream)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    device.wait_all()
    assert counts[0] == 4 * 200 * 3


def test_keyboard_interrupt_ends_a_wait_and_the_kernel(device):
    words = Words(2)
    Kernel(device, "spin_until")(words.address, words.address + 4)
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        device.wait_stream(device.default_stream)
    timer.join()
    assert time.monotonic() - begin < 2
    after = Words(4)
    append(device, after, 1)
    device.wait_all()
    assert listed(after) == [1]


def test_a_forked_child_is_told_so(device):
    words = Words(4)
    append(device, words, 1)
    device.wait_all()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            append(device, words, 2)
            text = b"ran"
        except HipError as error:
            text = error.code_name.encode()
        device.wait_all()  # does not hang
        os.write(writer, text)
        os._exit(0)
    os.close(writer)
    assert os.read(reader, 100) == b"hipErrorNotInitialized"
    assert os.waitpid(child, 0)[1] == 0
    append(device, words, 3)  # the parent goes on
    device.wait_all()
    assert listed(words) == [1, 3]


def test_rectangles(device):
    width, rows, slices = 5, 3, 2
    source = (ctypes.c_uint8 * (16 * 4 * 2))(*range(128))
    target = (ctypes.c_uint8 * (8 * 3 * 2))()
    start, goal = ctypes.addressof(source), ctypes.addressof(target)
    device.copy_rect(device.default_stream, (goal, 8, 24), (start, 16, 64), (width, rows, slices))
    device.wait_all()
    for z in range(slices):
        for y in range(rows):
            row = list(target[z * 24 + y * 8 : z * 24 + y * 8 + 8])
            assert row == [z * 64 + y * 16 + x for x in range(width)] + [0] * 3
    device.fill_rect(device.default_stream, (goal, 8, 24), 0xABCD, 2, (4, 2, 2))
    device.wait_all()
    assert bytes(target[:8]) == b"\xcd\xab\xcd\xab\x04\0\0\0"
    assert bytes(target[16:20]) == bytes([32, 33, 34, 35])


def test_large_fill_and_copy(device):
    size = 3 << 20
    address = device.allocate(size)
    stream = device.create_stream()
    device.fill(stream, address, 0x01020304, 4, size // 4)
    out = ctypes.create_string_buffer(size)
    device.copy(stream, ctypes.addressof(out), address, size)
    device.wait_stream(stream)
    assert out.raw == b"\4\3\2\1" * (size // 4)
    device.free(address)


def test_the_engine_starts_without_heavy_modules():
    import subprocess
    import sys

    engine.load()
    program = (
        "import sys; from anyhip.backends.virtual.device import VirtualBackend;"
        "VirtualBackend('gfx942').device(0);"
        "bad = {'numpy','llvmlite','elftools','rich','typer','pycparser','cffi'} & set(sys.modules);"
        "assert not bad, bad"
    )
    subprocess.run(
        [sys.executable, "-c", program], check=True, env=os.environ | {"PYTHONPATH": ":".join(sys.path)}
    )


@pytest.mark.parametrize("number", ["-5", "4097", "99999999999999999999"])
def test_an_absurd_number_of_threads_is_refused(number, monkeypatch):
    monkeypatch.setenv("ANYHIP_THREADS", number)
    with pytest.raises(UsageError, match=f"ANYHIP_THREADS={number} is not a number of threads"):
        engine._threads()
