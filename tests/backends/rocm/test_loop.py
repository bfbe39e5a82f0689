import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from anyhip.backends.rocm import library
from anyhip.backends.rocm.backend import RocmBackend
from anyhip.errors import UsageError
from anyhip.hipcc import driver
from anyhip.runtime import visible
from anyhip.sdk import header, root

KERNEL = """
#include <hip/hip_runtime.h>
__device__ int factor = 1;
extern "C" __global__ void scale(int* x, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = factor * i + offset;
}
"""


def test_everything_goes_through_the_c_interface_and_back(tmp_path):
    (tmp_path / "k.hip").write_text(KERNEL)
    made = tmp_path / "k.co"
    assert driver.main(["--genco", str(tmp_path / "k.hip"), "-o", str(made)], Path) == 0
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("loop.py"), made],
        env=os.environ | {"ANYHIP_DEVICE": "virtual:gfx942x2"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "all checks passed\n"), done.stderr


def prototypes() -> dict[str, str]:
    text = Path(library.__file__).with_name("functions.h").read_text()
    found = re.findall(r"(?:int|const char \*)\s*(hip\w+)\(([^;]*)\);", text)
    return dict(found)


def test_functions_are_declared_as_the_headers_declare_them():
    declared = header.parse()
    for name, parameters in prototypes().items():
        ours = [] if parameters == "void" else [" ".join(one.split()) for one in parameters.split(",")]
        theirs = declared[name].parameters
        assert len(ours) == len(theirs), name
        for own, other in zip(ours, theirs, strict=True):
            wide = "*" in own or own.startswith(("uintptr_t", "size_t"))
            if other.kind in ("i", "u") and not wide:
                assert "*" not in other.text, (name, other.text)
            if wide and not own.startswith("size_t"):
                assert "*" in other.text or re.search(r"hip\w+_t|hipDeviceptr_t|hip\w*Fn", other.text), (
                    name,
                    other.text,
                )


def test_our_own_library_is_passed_over(monkeypatch):
    monkeypatch.setenv("ROCM_PATH", str(root.ensure()))
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    assert next(library.candidates()).samefile(root.ensure() / "lib" / "libamdhip64.so.7")
    if Path("/opt/rocm/lib/libamdhip64.so").exists():
        pytest.skip("this machine has ROCm")
    backend = RocmBackend()
    assert backend.count() == 0
    assert "no libamdhip64 of ROCm's was found" in backend.absent_reason()
    assert "is AnyHIP's own" in backend.absent_reason()


def test_a_file_that_is_no_library(monkeypatch, tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libamdhip64.so.6").write_bytes(b"no library")
    monkeypatch.setenv("ROCM_PATH", str(tmp_path))
    assert "libamdhip64.so.6 does not load" in RocmBackend().absent_reason()


def test_the_kind_is_chosen_by_name(monkeypatch, tmp_path):
    monkeypatch.setenv("ANYHIP_DEVICE", "rocm:1")
    assert [one.name for one in visible.backends()] == ["rocm"]
    monkeypatch.setenv("ANYHIP_DEVICE", "rocm:x")
    with pytest.raises(UsageError, match="'x' is no device number"):
        visible.backends()
    monkeypatch.delenv("ANYHIP_DEVICE")
    monkeypatch.setattr(visible, "_KFD", str(tmp_path))  # a driver, but no library
    monkeypatch.setenv("ROCM_PATH", str(tmp_path))
    assert [one.name for one in visible.backends()] == ["virtual"]
