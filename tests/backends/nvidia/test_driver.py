"""What the driver answers: errors as HIP's, and the compiled module between it and Python."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import pytest

from anyhip import errors, tables
from anyhip.backends.nvidia import driver as drivers
from anyhip.backends.nvidia import native
from anyhip.backends.nvidia.driver import Driver, result
from anyhip.errors import DeviceFault, HipError
from backends.nvidia.fake import FFI, FakeLibrary

FOLDER = Path(drivers.__file__).parent


def test_every_error_becomes_one_that_hip_has() -> None:
    rows = tables.parse((FOLDER / "errors.tsv").read_text())
    assert len(rows) == len({row["number"] for row in rows}) == 100
    assert {row["hip"] for row in rows} <= set(errors.codes())
    # where HIP and CUDA have an error of the same number, it is the same error
    same = {number: name for name, (number, _) in errors.codes().items()}
    differ = {int(r["number"]) for r in rows if same.get(int(r["number"]), r["hip"]) != r["hip"]}
    assert differ == {911, 912}  # HIP gives these numbers to textures


@pytest.mark.parametrize(
    ("status", "hip"),
    [
        (700, "hipErrorIllegalAddress"),
        (710, "hipErrorAssert"),
        (716, "hipErrorLaunchFailure"),
        (719, "hipErrorLaunchFailure"),
    ],
)
def test_what_a_kernel_did_is_a_fault(status: int, hip: str) -> None:
    with pytest.raises(DeviceFault) as caught:
        Driver(FFI, FakeLibrary()).check(status)
    assert caught.value.code_name == hip
    assert result(status).name in caught.value.message
    assert "ANYHIP_DEVICE=virtual" in caught.value.hint


def test_what_a_call_did_is_an_error_in_the_drivers_words() -> None:
    with pytest.raises(HipError, match=r"hipErrorOutOfMemory: a test: CUDA_ERROR_OUT_OF_MEMORY: words for 2"):
        Driver(FFI, FakeLibrary()).check(2, "a test")
    with pytest.raises(HipError, match="hipErrorUnknown: CUresult 12345: words for 12345"):
        Driver(FFI, FakeLibrary()).check(12345)


def test_no_driver_is_said_before_anything_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers, "LIBRARY", "libnone_such.so.1")
    monkeypatch.setattr(native, "load", lambda: pytest.fail("compiled"))
    drivers.load.cache_clear()
    with pytest.raises(drivers.AbsentError, match=r"there is no NVIDIA driver: libnone_such\.so\.1"):
        drivers.load()


def test_the_module_calls_what_a_library_has_and_refuses_what_it_lacks(tmp_path: Path) -> None:
    from anyhip import toolchain

    source = tmp_path / "cuda.c"
    source.write_text(
        "int cuDriverGetVersion(int *v) { *v = 13000; return 0; }\n"
        "int cuLaunchKernel(long f, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned g,\n"
        "                   unsigned s, long st, long p, long x)\n"
        "{ return f + a * 2 + b * 3 + c * 5 + d * 7 + e * 11 + g * 13 + s * 17 + st * 19 + p + x; }\n"
    )
    library = tmp_path / "libcuda.so.1"
    toolchain.shared_library(library, [source])
    module = native.load()
    ffi, lib = module.ffi, module.lib
    assert ffi.string(lib.anyhip_open(str(tmp_path / "none").encode())).startswith(str(tmp_path).encode())
    assert lib.anyhip_open(str(library).encode()) == ffi.NULL
    version = ffi.new("int *")
    assert (lib.cuDriverGetVersion(version), version[0]) == (0, 13000)
    assert lib.cuLaunchKernel(1, 1, 1, 1, 1, 1, 1, 1, 1, 1 << 8, 1 << 10) == 78 + 256 + 1024
    assert lib.cuCtxSynchronize() == 801


def test_every_declared_function_has_a_pointer() -> None:
    declared = re.findall(r"^int (cu\w+)\(", native.declarations(), re.MULTILINE)
    assert len(declared) == len(set(declared)) == 54
    text = native.glue()
    assert all(text.count(f"#define {name} ") == text.count(f'{{"{name}",') == 1 for name in declared)


def test_the_copy_record_has_the_layout_of_the_drivers() -> None:
    assert FFI.sizeof("CUDA_MEMCPY3D") == 200
    offsets = {
        name: FFI.offsetof("CUDA_MEMCPY3D", name) for name in ("srcDevice", "dstDevice", "dstHeight", "Depth")
    }
    assert offsets == {"srcDevice": 48, "dstDevice": 136, "dstHeight": 168, "Depth": 192}


def test_host_functions_run_once_and_know_that_they_run() -> None:
    from anyhip.backends.nvidia.host_calls import HostCalls

    calls, seen = HostCalls(FFI), []
    run = ctypes.CFUNCTYPE(None, ctypes.c_size_t)(calls.function)
    first, second = (calls.add(lambda n=n: seen.append((n, calls.inside))) for n in "ab")
    run(second)
    run(first)
    assert seen == [("b", True), ("a", True)]
    assert not calls.inside
