"""PyTorch's names for ported files."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from anyhip.hipify import project
from anyhip.hipify.renaming import pytorch_path

TREE = {
    "csrc/cuda/kernel.cu": '#include "util.h"\n#include "../ops.h"\n__global__ void k() {}\n',
    "csrc/cuda/util.h": "#pragma once\nint x;\n",
    "csrc/ops.h": "#include <cuda_runtime.h>\nvoid f(cudaStream_t);\n",
    "csrc/bind.cpp": '#include "cuda/util.h"\n#include <vector>\n#include "other.h"\n',
    "csrc/other.h": "int y;\n",
    "setup.py": "from torch.utils.cpp_extension import BuildExtension, CUDAExtension\n",
}
PORTED = {
    "csrc/hip/kernel.hip": '#include "util.h"\n#include "../ops_hip.h"\n__global__ void k() {}\n',
    "csrc/hip/util.h": "#pragma once\nint x;\n",
    "csrc/ops_hip.h": "#include <hip/hip_runtime.h>\nvoid f(hipStream_t);\n",
    "csrc/bind_hip.cpp": '#include "hip/util.h"\n#include <vector>\n#include "other.h"\n',
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ANYHIP_CACHE_DIR", str(tmp_path / "cache"))
    for name, text in TREE.items():
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text(text)
    return tmp_path / "tree"


# What torch.utils.hipify's get_hip_file_path answers for an extension.
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a.cu", "a.hip"),
        ("a_cuda.cpp", "a_hip.cpp"),
        ("a.cpp", "a_hip.cpp"),
        ("cuda/a.cpp", "hip/a.cpp"),
        ("src/cuda_ops/CUDAx.cuh", "src/hip_ops/HIPx.cuh"),
        ("x/THC/a.h", "x/THH/a.h"),
    ],
)
def test_names(old: str, new: str) -> None:
    assert pytorch_path(Path(old)) == Path(new)


def _files(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*") if path.is_file()}


def _check(root: Path) -> None:
    found = _files(root)
    assert {name: found.pop(name) for name in TREE} == TREE
    assert found.pop("csrc/hip/kernel.hip").endswith(PORTED["csrc/hip/kernel.hip"])
    assert found == {name: text for name, text in PORTED.items() if name != "csrc/hip/kernel.hip"}


def test_new_files_stand_beside_the_old_ones(tree: Path) -> None:
    assert project.main([str(tree), "--pytorch", "--in-place"]) == 0
    _check(tree)
    assert project.main([str(tree), "--pytorch", "--beside"]) == 0  # ported files are none of CUDA's
    _check(tree)


def test_a_copy_and_a_patch(tree: Path, tmp_path: Path) -> None:
    words = [str(tree), "--pytorch", f"--output={tmp_path / 'copy'}", f"--patch={tmp_path / 'patch'}"]
    assert project.main(words) == 0
    _check(tmp_path / "copy")
    assert _files(tree) == TREE
    subprocess.run(["git", "apply", str(tmp_path / "patch")], cwd=tree, check=True)
    _check(tree)
