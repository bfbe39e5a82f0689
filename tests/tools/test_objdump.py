"""``anyhip objdump`` on code objects, bundles and executables."""

from __future__ import annotations

from pathlib import Path

import pytest

from anyhip import cli
from anyhip.tools.hipcc import main as hipcc

SOURCE = """#include <hip/hip_runtime.h>
__global__ void store(int *p, int n) { if ((int)threadIdx.x < n) p[threadIdx.x] = n; }
int main() {}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("objdump")
    source = folder / "store.hip"
    source.write_text(SOURCE)
    assert (
        hipcc(["--genco", "--offload-arch=gfx942,gfx1100", str(source), "-o", str(folder / "store.co")]) == 0
    )
    assert hipcc([str(source), "-o", str(folder / "store")]) == 0
    return folder


@pytest.mark.parametrize("name", ["store.co", "store"])
def test_a_kernel_is_listed_as_llvm_does(folder: Path, name: str, capsys):
    assert cli.main(["objdump", "--arch", "gfx942", str(folder / name)]) == 0
    out = capsys.readouterr().out
    assert "file format elf64-amdgpu, gfx942" in out
    assert "<_Z5storePii>:" in out
    assert "; argument at 0: 8 bytes, global_buffer" in out
    assert "\ts_endpgm                                                   // " in out
    assert ": BF810000" in out


def test_architectures_and_kernels_can_be_chosen(folder: Path, capsys):
    assert cli.main(["objdump", "--arch", "gfx1100", str(folder / "store.co")]) == 0
    out = capsys.readouterr().out
    assert "wave32" in out
    assert "gfx942" not in out
    assert cli.main(["objdump", "--kernel", "absent", str(folder / "store.co")]) == 2
    assert "there are: _Z5storePii" in capsys.readouterr().err


def test_the_translation_is_shown(folder: Path, capsys):
    assert cli.main(["objdump", "--arch", "gfx942", "--ir", str(folder / "store.co")]) == 0
    assert "define i32 @anyhip_kernel(ptr noalias %w)" in capsys.readouterr().out
    assert cli.main(["objdump", "--arch", "gfx942", "--asm", str(folder / "store.co")]) == 0
    assert "anyhip_kernel:" in capsys.readouterr().out


def test_other_files_are_refused(tmp_path: Path, capsys):
    other = tmp_path / "text"
    other.write_text("no code")
    assert cli.main(["objdump", str(other)]) == 1
    assert "anyhip: error:" in capsys.readouterr().err
