"""nvcc: CUDA sources as they are, compiled by hipcc."""

import os
import subprocess

import pytest

from anyhip.tools import nvcc

HEADER = "#pragma once\n#include <cuda_runtime.h>\n#define N 64\n"
KERNEL = """#include "sizes.h"
__device__ int thrice(int x);
__global__ void fill(int* x) { x[threadIdx.x] = thrice(threadIdx.x); }
int main() {
  int *device, host[N], total = 0;
  cudaMalloc(&device, sizeof host);
  fill<<<1, N>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int value : host) total += value;
  return total != 3 * N * (N - 1) / 2 || cudaFree(device) != cudaSuccess;
}
"""
FUNCTION = '#include "sizes.h"\n__device__ int thrice(int x) { return 3 * x; }\n'


@pytest.fixture
def sources(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "sizes.h").write_text(HEADER)
    (tmp_path / "main.cu").write_text(KERNEL)
    (tmp_path / "function.cu").write_text(FUNCTION)
    return tmp_path


def test_separate_compilation_as_makefiles_write_it(sources, capfd):
    shared = [
        "-ccbin",
        "g++",
        "-Iinclude",
        "-m64",
        "-dc",
        "--threads",
        "0",
        "--std=c++17",
        "-Xcompiler",
        "-Wall",
    ]
    assert nvcc.main([*shared, "-MMD", "-o", "main.o", "-c", "main.cu"]) == 0
    assert nvcc.main([*shared, "-o", "function.o", "-c", "function.cu"]) == 0
    assert nvcc.main(["-lib", "-o", "function.a", "function.o"]) == 0
    assert nvcc.main(["-ccbin", "g++", "-o", "main", "main.o", "function.a", "-lcudart"]) == 0
    assert capfd.readouterr().err == ""
    assert (
        subprocess.run(["./main"], env={**os.environ, "ANYHIP_DEVICE": "virtual"}, check=False).returncode
        == 0
    )
    listed = (sources / "main.d").read_text().replace("\\\n", " ").split()
    assert listed[0] == "main.o:"
    assert {"main.cu", "include/sizes.h"} <= set(listed)
    assert not [name for name in listed if "/ported/" in name]


def test_messages_speak_of_the_original(sources, capfd):
    (sources / "main.cu").write_text("#include <cuda_runtime.h>\nint x = nowhere;\n")
    assert nvcc.main(["-c", "main.cu"]) == 1
    assert capfd.readouterr().err.startswith("main.cu:2:9: error: use of undeclared identifier 'nowhere'")


def test_what_cannot_be_listed_is_refused(sources, capfd):
    assert nvcc.main(["-M", "main.cu"]) == 2
    assert "-M and -MM would list ported copies" in capfd.readouterr().err
    assert nvcc.main(["-c", "nothing.cu"]) == 2
    assert "no such file: 'nothing.cu'" in capfd.readouterr().err
    assert nvcc.main(["--version"]) == 0
