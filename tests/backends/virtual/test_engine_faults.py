"""Faults stay inside: they become errors that name kernel, place and address, and the process lives."""

from __future__ import annotations

import ctypes
import itertools
import os
import subprocess
import sys
import textwrap

import pytest

from anyhip.backends.virtual.faults import demangled
from anyhip.errors import DeviceFault, HipError
from backends.virtual.engine_kernels import Kernel, Words


def fault_of(device, stream=0):
    with pytest.raises(DeviceFault) as caught:
        device.wait_stream(stream or device.default_stream)
    return caught.value


@pytest.mark.parametrize("size", [256, 4096, 100_096, 5 << 20])
def test_store_past_the_end(device, size):
    address = device.allocate(size)
    Kernel(device, "store")(address, size, grid=(3, 1, 1), block=(128, 1, 1))
    fault = fault_of(device)
    assert fault.code_name == "hipErrorIllegalAddress"
    assert "kernel store: workgroup (" in fault.message
    assert (
        f"at {address + size:#x}, 0 bytes past the end of a {size}-byte allocation at {address:#x}"
        in fault.message
    )
    device.free(address)


def test_message_names_group_wave_and_items(device):
    address = device.allocate(64)
    Kernel(device, "store")(address, 1 << 20, grid=(1, 1, 1), block=(50, 1, 1))
    assert (
        "workgroup (0, 0, 0), wave 0 (work-items (0, 0, 0) to (49, 0, 0)) accessed"
        in fault_of(device).message
    )


def test_store_before_the_beginning_and_to_null(device):
    address = device.allocate(8 << 20)
    kernel = Kernel(device, "store")
    kernel(address, 2**64 - 4096)
    assert f"4096 bytes before a {8 << 20}-byte allocation" in fault_of(device).message
    device.clear_faults()
    kernel(0, 8)
    assert "at 0x8, far from every allocation" in fault_of(device).message
    device.free(address)


def test_use_after_free(device):
    address = device.allocate(1 << 16)
    device.free(address)
    Kernel(device, "store")(address, 16)
    assert (
        f"16 bytes into a {1 << 16}-byte allocation at {address:#x} that was freed"
        in fault_of(device).message
    )


def test_fresh_allocations_do_not_reuse_addresses(device):
    first = device.allocate(4096)
    device.free(first)
    second = device.allocate(4096)
    assert second != first
    device.free(second)


def test_fault_is_sticky_on_its_stream_only(device):
    words = Words(2, ctypes.c_uint64)
    bad, good = (device.create_stream(blocking=False) for _ in range(2))
    count = Kernel(device, "count")
    Kernel(device, "store")(0, 0, stream=bad)
    fault_of(device, bad)
    count(words.address, stream=bad)
    fault_of(device, bad)
    assert words[0] == 0  # a faulted stream does no more work
    count(words.address, stream=good)
    device.wait_stream(good)
    assert words[0] == 1
    with pytest.raises(DeviceFault):
        device.wait_all()
    device.clear_faults()
    count(words.address, stream=bad)
    device.wait_stream(bad)
    assert words[0] == 2


def test_fault_skips_the_remaining_workgroups_but_releases_waiters(device):
    seen = []
    Kernel(device, "store")(0, 0, grid=(1 << 30, 1, 1))
    device.host_call(device.default_stream, lambda: seen.append(1))
    assert fault_of(device).code_name == "hipErrorIllegalAddress"
    assert seen == [1]


def test_host_arithmetic_exception(device):
    Kernel(device, "divide")(0)
    fault = fault_of(device)
    assert fault.code_name == "hipErrorLaunchFailure"
    assert "raised an arithmetic exception" in fault.message


def test_host_stack_overflow(device):
    Kernel(device, "recurse")()
    assert fault_of(device).code_name == "hipErrorIllegalAddress"


def test_trap(device):
    words = Words(1)
    Kernel(device, "trap")(words.address, 2, 5, grid=(9, 1, 1), block=(128, 1, 1))
    fault = fault_of(device)
    assert fault.code_name == "hipErrorLaunchFailure"
    assert "workgroup (5, 0, 0), wave 1 (work-items (64, 0, 0) to (127, 0, 0)) stopped" in fault.message
    assert "stopped itself (s_trap 2 at 0x1234)" in fault.message


def test_debug_trap_goes_on(device):
    words = Words(1)
    Kernel(device, "trap")(words.address, 3, 0, block=(128, 1, 1))
    device.wait_all()
    assert words[0] == 77


def test_failed_assertion(device):
    kernel = Kernel(device, "print", args=2, hidden=[("hidden_printf_buffer", 16)], kernarg=24)
    device.flush_output = lambda: None  # the record is not a real one
    kernel(1, 1)
    fault = fault_of(device)
    assert fault.code_name == "hipErrorAssert"
    assert "failed an assertion" in fault.message
    del device.flush_output
    drop_output(device)


def drop_output(device):
    output = device._ffi.new("struct engine_output *")
    records = []
    while device._lib.device_output_take(device._handle, output):
        records.append(bytes(device._ffi.buffer(output.records, output.size)))
        device._lib.output_release(output)
    return records


def test_printf_records_come_out_in_order_and_whole(device):
    kernel = Kernel(device, "print", args=2, hidden=[("hidden_printf_buffer", 16)], kernarg=24)
    device.flush_output = lambda: None
    for value in range(50):
        kernel(value, 0)
    device.wait_all()
    del device.flush_output
    assert drop_output(device) == [value.to_bytes(8, "little") for value in range(50)]


def test_unsupported_instruction(device):
    Kernel(device, "unsupported")()
    fault = fault_of(device)
    assert fault.code_name == "hipErrorLaunchFailure"
    assert "does not know, at 0x40" in fault.message


@pytest.mark.parametrize("size", [64, 1 << 20])
def test_copy_to_an_unmapped_address(device, size):
    source = device.allocate(size)
    gone = device.allocate(size)
    device.free(gone)
    if size == 64:
        with pytest.raises(HipError, match="hipErrorInvalidValue"):
            device.copy(device.default_stream, gone, source, size)
    else:
        device.copy(device.default_stream, gone, source, size)
        fault = fault_of(device)
        assert fault.code_name == "hipErrorIllegalAddress"
        assert "a copy or fill reached" in fault.message
    device.free(source)


def test_signals_outside_of_kernels_still_kill(tmp_path):
    program = textwrap.dedent("""
        import ctypes
        from anyhip.backends.virtual.device import VirtualBackend
        VirtualBackend("gfx942").device(0)
        ctypes.string_at(8)
    """)
    environment = os.environ | {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=False)
    assert done.returncode == -11


def test_out_of_memory_and_bad_free(device):
    free, total = device.memory_info()
    with pytest.raises(HipError, match="hipErrorOutOfMemory"):
        device.allocate(total + 1)
    address = device.allocate(1 << 20)
    assert device.memory_info() == (free - (1 << 20), total)
    with pytest.raises(HipError, match="hipErrorInvalidValue"):
        device.free(address + 256)
    device.free(address)
    with pytest.raises(HipError, match="hipErrorInvalidValue"):
        device.free(address)
    assert device.memory_info() == (free, total)


def test_many_allocations_are_aligned_and_apart(device):
    spans = sorted((device.allocate(size), size) for size in range(1, 4000, 7))
    assert all(address % 256 == 0 for address, _ in spans)
    assert all(a + size < b for (a, size), (b, _) in itertools.pairwise(spans))
    for address, _ in spans:
        device.free(address)


def test_kernel_names_are_spelled_as_in_the_source():
    assert demangled("_Z3oobPi") == "oob(int*)"
    assert demangled("plain") == "plain"
    assert demangled("_Znonsense") == "_Znonsense"


def test_handlers_installed_later_do_not_take_the_faults():
    """A crash reporter started after the device sees the host's crashes; kernels' faults stay ours."""
    program = textwrap.dedent("""
        import ctypes, faulthandler, sys
        from backends.virtual.engine_kernels import Kernel
        from anyhip.backends.virtual.device import VirtualBackend
        from anyhip.errors import DeviceFault
        device = VirtualBackend("gfx942").device(0)
        faulthandler.enable()
        Kernel(device, "store")(0, 8)
        try:
            device.wait_all()
        except DeviceFault as fault:
            print(fault.code_name, flush=True)
        ctypes.string_at(8)
    """)
    environment = os.environ | {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "hipErrorIllegalAddress\n"
    assert "Fatal Python error: Segmentation fault" in done.stderr
    assert done.returncode == -11


def test_more_small_allocations_than_the_host_has_mappings(device):
    before = device.memory_info()
    addresses = [device.allocate(100) for _ in range(70_000)]
    assert len(set(addresses)) == len(addresses)
    assert all(address % 256 == 0 for address in addresses)
    large = device.allocate(1 << 20)  # still has its own pages
    Kernel(device, "store")(large, 1 << 20)
    assert "0 bytes past the end of a 1048576-byte allocation" in fault_of(device).message
    for address in (*addresses, large):
        device.free(address)
    assert device.memory_info() == before
