"""Waves and workgroups: initial state, barriers, yields and residency."""

from __future__ import annotations

import ctypes
import time

import pytest

from anyhip.backends.virtual import engine
from backends.virtual.engine_kernels import Kernel, Words


def test_ids_of_a_partial_last_wave(device):
    out = Words(2 * 2 * 66, ctypes.c_uint64)
    Kernel(device, "ids")(out.address, 2, grid=(2, 1, 1), block=(9, 5, 2))
    device.wait_all()
    for group in range(2):
        for wave, lanes in ((0, 64), (1, 26)):
            row = [out[(group * 2 + wave) * 66 + i] for i in range(66)]
            flat = [wave * 64 + lane for lane in range(lanes)]
            assert row[:lanes] == [n % 9 | (n // 9 % 5) << 10 | (n // 45) << 20 for n in flat]
            assert row[lanes:64] == [0xDEAD] * (64 - lanes)
            assert row[64] == (1 << lanes) - 1
            assert row[65] == 0


@pytest.mark.parametrize(("dims", "expected"), [(0, 3), (1, 3 | 4 << 10), (2, 3 | 4 << 10 | 1 << 20)])
def test_descriptor_decides_how_many_ids_are_packed(device, dims, expected):
    out = Words(2 * 66, ctypes.c_uint64)
    Kernel(device, "ids", workitem_dims=dims)(out.address, 2, block=(8, 8, 2))
    device.wait_all()
    assert out[66 + 3 + 8 * 4] == expected


@pytest.mark.parametrize(
    ("enabled", "grid"), [(0b111, (4, 1, 1)), (0b001, (4, 1, 1)), (0b110, (1, 4, 1)), (0b100, (1, 1, 4))]
)
def test_enabled_group_ids_are_dense_after_the_user_sgprs(device, enabled, grid):
    out = Words(4 * 66, ctypes.c_uint64)  # the kernel takes what is in s2 as its workgroup's number
    Kernel(device, "ids", group_ids=enabled)(out.address, 1, grid=grid)
    device.wait_all()
    assert [out[66 * number + 64] for number in range(4)] == [2**64 - 1] * 4
    assert [out[66 * number + 65] for number in range(4)] == [0] * 4


def test_second_and_third_group_id(device):
    words = Words(128)
    seen = set()
    for grid in ((1, 2, 1), (1, 1, 2)):
        words[3] = words[4] = 9
        Kernel(device, "copy_sgprs_of_last_group")(words.address, 1, grid=grid)
        device.wait_all()
        seen.add((words[2], words[3], words[4]))
    assert seen == {(0, 1, 0), (0, 0, 1)}


@pytest.mark.parametrize("groups", [1, 7, 300])
def test_barrier_joins_all_waves(device, groups):
    out = Words(groups * 4)
    Kernel(device, "barrier", lds=64)(out.address, 4, grid=(groups, 1, 1), block=(256, 1, 1))
    device.wait_all()
    assert [out[i] for i in range(groups * 4)] == [10] * (groups * 4)


def test_barrier_does_not_wait_for_ended_waves(device):
    out = Words(1)
    Kernel(device, "early_end")(out.address, grid=(3, 1, 1), block=(320, 1, 1))
    device.wait_all()
    assert out[0] == 3 * 4


@pytest.mark.parametrize("grid", [(100_003, 1, 1), (7, 11, 13), (1, 1, 1)])
def test_every_workgroup_runs_once(device, grid):
    out = Words(1, ctypes.c_uint64)
    Kernel(device, "count")(out.address, grid=grid)
    device.wait_all()
    assert out[0] == grid[0] * grid[1] * grid[2]


@pytest.mark.parametrize("name", ["spin_on_later_group", "poll_later_group"])
def test_waiting_for_a_later_workgroup_progresses(device, name):
    groups = 60
    flags = Words(groups)
    begin = time.monotonic()
    Kernel(device, name)(flags.address, groups, grid=(groups, 1, 1))
    device.wait_all()
    assert [flags[i] for i in range(groups)] == [1] * groups
    assert time.monotonic() - begin < 2  # waits are recognised: it takes milliseconds


def test_long_loops_resume_where_they_were(device):
    steps, groups, waves = 300_000, 5, 4
    out = Words(groups * waves, ctypes.c_uint64)
    Kernel(device, "long_loop")(out.address, steps, waves, grid=(groups, 1, 1), block=(waves * 64, 1, 1))
    device.wait_all()
    assert {out[i] for i in range(groups * waves)} == {steps * (steps - 1) // 2}


def test_cooperative_launch_makes_all_workgroups_resident(device):
    groups = 1300  # more than a worker keeps of an ordinary launch
    count = Words(2)
    Kernel(device, "grid_sync")(count.address, groups, grid=(groups, 1, 1), cooperative=True)
    device.wait_all()
    assert (count[0], count[1]) == (groups, groups)


def test_kernel_spins_until_the_host_writes(device):
    words = Words(2)
    Kernel(device, "spin_until")(words.address, words.address + 4, grid=(5, 1, 1))
    assert not device.stream_done(device.default_stream)
    assert words[1] == 0
    words[0] = 1
    device.wait_all()
    assert words[1] == 5


def test_spinning_kernel_does_not_starve_other_streams(device):
    words, out = Words(2), Words(1, ctypes.c_uint64)
    first, second, third = (device.create_stream(blocking=False) for _ in range(3))
    Kernel(device, "spin_until")(words.address, words.address + 4, grid=(64, 1, 1), stream=first)
    Kernel(device, "count")(out.address, grid=(1000, 1, 1), stream=second)
    device.wait_stream(second)
    assert out[0] == 1000
    size = 1 << 20  # larger than what the caller copies itself
    source, target = device.allocate(size), device.allocate(size)
    device.fill(third, source, 7, 1, size)
    device.copy(third, target, source, size)
    device.wait_stream(third)
    assert ctypes.string_at(target, size) == b"\7" * size
    Kernel(device, "set")(words.address, 1, stream=second)  # and only now may the first end
    device.wait_stream(first)
    assert words[1] == 64


def test_private_memory_is_each_waves_own(device):
    total = Words(1)
    Kernel(device, "scratch", scratch=1024)(total.address, grid=(3, 1, 1), block=(256, 1, 1))
    device.wait_all()
    assert total[0] == 3 * 4 * 1024


def test_abort_ends_a_kernel_that_never_would(device):
    words = Words(2)
    kernel = Kernel(device, "spin_until")
    kernel(words.address, words.address + 4, grid=(10, 1, 1))
    device.abort()
    assert device.stream_done(device.default_stream)
    words[0] = 1
    kernel(words.address, words.address + 4)
    device.wait_all()  # no fault is left behind
    assert words[1] == 1


def test_thread_count_is_the_configured_one():
    assert engine.lib().engine_threads() >= 1
