"""The virtual device: what it says of itself, which code it takes, what it prints."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from anyhip.backends.virtual import properties
from anyhip.backends.virtual.device import VirtualBackend, VirtualDevice
from anyhip.codeobj.bundle import Entry
from anyhip.errors import HipError, UsageError
from anyhip.target import Target
from backends.virtual.engine_kernels import Kernel


@pytest.mark.parametrize(
    ("spec", "target", "count"),
    [
        ("", "gfx942", 1),
        ("gfx942", "gfx942", 1),
        ("gfx942x2", "gfx942", 2),
        ("gfx90a:xnack+", "gfx90a:xnack+", 1),
        ("gfx90a:sramecc-:xnack-x12", "gfx90a:sramecc-:xnack-", 12),
        ("x3", "gfx942", 3),
    ],
)
def test_spec(spec, target, count):
    backend = VirtualBackend(spec)
    assert backend.count() == count
    assert backend.device(count - 1).target.id == target
    assert backend.device(0) is backend.device(0)
    with pytest.raises(HipError, match="hipErrorInvalidDevice"):
        backend.device(count)


@pytest.mark.parametrize("spec", ["gfx9000", "sm_90", "gfx902", "gfx942:turbo+"])
def test_impossible_specs(spec):
    with pytest.raises(UsageError):
        VirtualBackend(spec)


def test_properties_of_the_default_device():
    told = VirtualBackend("gfx942").device(0).properties
    expected = {
        "name": "AMD Instinct MI300X (virtual)",
        "gcnArchName": "gfx942:sramecc+:xnack-",
        "warpSize": 64,
        "multiProcessorCount": 304,
        "maxThreadsPerBlock": 1024,
        "maxThreadsPerMultiProcessor": 2048,
        "maxThreadsDim": (1024, 1024, 1024),
        "sharedMemPerBlock": 65536,
        "regsPerMultiprocessor": 131072,
        "major": 9,
        "minor": 4,
        "clockRate": 2100000,
        "memoryBusWidth": 8192,
        "cooperativeLaunch": 1,
    }
    assert {name: told[name] for name in expected} == expected


def test_memory_is_bounded_by_the_host():
    device = VirtualBackend("gfx942").device(0)
    total = device.properties["totalGlobalMem"]
    assert total == device.memory_info()[1] <= properties.host_memory()
    assert total <= 192 << 30


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("gfx90a:xnack+", "gfx90a:sramecc+:xnack+"),
        ("gfx1100", "gfx1100"),
        ("gfx942:sramecc-", "gfx942:sramecc-:xnack-"),
    ],
)
def test_reported_features(target, name):
    assert properties.reported_target(Target.parse(target)) == name


def test_devices_differ_in_identity_and_memory():
    backend = VirtualBackend("gfx942x2")
    first, second = backend.device(0), backend.device(1)
    assert first.properties["uuid"] != second.properties["uuid"]
    assert len(str(first.properties["uuid"])) == 16
    assert first.properties["pciBusID"] != second.properties["pciBusID"]
    address = first.allocate(100)
    assert second.memory_info()[0] == second.memory_info()[1]
    with pytest.raises(HipError):
        second.free(address)
    first.free(address)


def test_code_for_another_processor_is_refused():
    entry = Entry("hipv4-amdgcn-amd-amdhsa--gfx1100", "hipv4", Target.parse("gfx1100"), b"")
    with pytest.raises(HipError, match=r"hipErrorNoBinaryForGpu.*gfx1100"):
        VirtualBackend("gfx942").device(0).select([entry])


def test_output_goes_to_c_stdio_in_order(capfd, monkeypatch):
    def decode(records, formats, read_string):
        assert formats == {}
        value = int.from_bytes(records, "little")
        return [(value % 2 == 1, b"value %d\n" % value)]

    monkeypatch.setitem(
        sys.modules, "anyhip.backends.virtual.printf", SimpleNamespace(decode=decode)
    )  # the decoder is tested by itself
    monkeypatch.setattr("anyhip.backends.virtual.printf", SimpleNamespace(decode=decode), raising=False)
    device = VirtualBackend("gfx942").device(0)
    kernel = Kernel(device, "print", args=2, hidden=[("hidden_printf_buffer", 16)], kernarg=24)
    for value in range(4):
        kernel(value, 0)
    device.wait_stream(device.default_stream)
    captured = capfd.readouterr()
    assert captured.out == "value 0\nvalue 2\n"
    assert captured.err == "value 1\nvalue 3\n"


def test_priorities_and_registration_change_nothing():
    device = VirtualBackend("gfx942").device(0)
    stream = device.create_stream(blocking=False, priority=-1)
    device.register_host(0x1000, 64)
    device.unregister_host(0x1000)
    device.wait_stream(stream)
    device.destroy_stream(stream)


def test_a_device_can_be_smaller():
    device = VirtualDevice(Target.parse("gfx942"), memory=1 << 20)
    address = device.allocate(1 << 19)
    with pytest.raises(HipError, match=r"hipErrorOutOfMemory: 1048576 bytes .* 524288 of 1048576 are free"):
        device.allocate(1 << 20)
    device.free(address)


def test_one_thread_is_enough():
    """Everything that needs progress elsewhere makes it with a single worker too."""
    here = os.path.dirname(__file__)
    environment = os.environ | {"ANYHIP_THREADS": "1", "PYTHONPATH": ":".join(sys.path)}
    names = "spin_on_later or resident or starve or host_writes or host_call or null_stream or barrier"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib"]
    command += ["-c", os.devnull, "--rootdir", here, "-k", names]
    files = [os.path.join(here, f"test_engine_{name}.py") for name in ("waves", "streams")]
    done = subprocess.run([*command, *files], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
