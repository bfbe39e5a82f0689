"""The exact engine: what belongs to the program keeps its name, what is CUDA's does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from anyhip.hipify import PortOptions, cli
from anyhip.hipify.ast_dump import Fact, Place, facts
from anyhip.hipify.exact import port_exactly

HEADER = """\
#pragma once
inline __host__ __device__ unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
namespace mine {
struct cudaGraph_t { int a; };
int cudaMalloc(int);
template <class T> __host__ __device__ T cudaFree(T t) { return t; }
}
"""
SOURCE = """\
#include <cuda_runtime.h>
#include "own.h"
struct S {
  int cudaMemcpy;
  S() : cudaMemcpy(0) {}
  int cudaFree(int x) { return x + cudaMemcpy; }
};
#define FREE(x) mine::cudaFree(x)
#define REAL_FREE(x) cudaFree(x)
template <class T> __global__ void k(T* p, int cudaEvent_t) {
  T cudaSuccess = cudaEvent_t;
  auto f = [=](int x) { return x + cudaSuccess; };
  p[int(f(0))] = mine::cudaFree(p[0]);
}
int main() {
  float* p;
  S s;
  cudaStream_t stream;
  cudaError_t e = ::cudaMalloc(&p, 40);
  if (e != cudaSuccess) return FREE(3);
  using mine::cudaMalloc;
  k<<<1, 10>>>(p, cudaMalloc(2));
  REAL_FREE(p);
#ifdef NEVER
  s.cudaMemcpy = 1;
  cudaMemcpy(p, p, 1, cudaMemcpyHostToDevice);
#endif
  return s.cudaMemcpy + s.cudaFree(4) + umin(3u, WIDTH);
}
"""
PORTED = {
    1: "#include <hip/hip_runtime.h>",
    9: "#define REAL_FREE(x) hipFree(x)",
    18: "  hipStream_t stream;",
    19: "  hipError_t e = ::hipMalloc(&p, 40);",
    20: "  if (e != hipSuccess) return FREE(3);",
    26: "  hipMemcpy(p, p, 1, hipMemcpyHostToDevice);",
}


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "own.h").write_text(HEADER)
    (tmp_path / "a.cu").write_text(SOURCE)
    return tmp_path / "a.cu"


def test_only_what_is_cudas_is_renamed(program: Path) -> None:
    words = ["-I", str(program.parent / "include"), "-DWIDTH=4u", "--cuda-gpu-arch=sm_70", "-x", "cuda"]
    result = port_exactly(program, words)
    expected = [PORTED.get(number, line) for number, line in enumerate(SOURCE.splitlines(), 1)]
    assert result.ported.text.decode().splitlines() == expected
    assert (result.errors, result.first_error) == (0, "")


def test_an_error_costs_only_its_own_place(program: Path) -> None:
    result = port_exactly(program, ["-I", str(program.parent / "include")])  # no WIDTH
    assert result.errors == 1
    assert result.first_error.startswith(f"{program}:28:")
    assert "return s.cudaMemcpy + s.cudaFree(4) + umin(3u, WIDTH);" in result.ported.text.decode()


def test_a_missing_library_does_not_stop_it(tmp_path: Path) -> None:
    path = tmp_path / "b.cu"
    path.write_text("#include <cublas_v2.h>\nstruct { int cudaFree; } s;\nint f() { return s.cudaFree; }\n")
    result = port_exactly(path, [], PortOptions(runtime_include="never"))
    lines = result.ported.text.decode().splitlines()
    assert lines == ["#include <hipblas/hipblas.h>", *path.read_text().splitlines()[1:]]


def test_hipify_clang_asks_clang_unless_told_not_to(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.cu"
    path.write_text("int f(int cudaFree) { return cudaFree; }\n")
    assert cli.main_clang([str(path)]) == 0
    kept = (tmp_path / "c.cu.hip").read_text().splitlines()[1]
    assert kept == "int f(int cudaFree) { return cudaFree; }"
    assert cli.main_clang(["-no-clang", str(path)]) == 0
    renamed = (tmp_path / "c.cu.hip").read_text().splitlines()[1]
    assert renamed == "int f(int hipFree) { return hipFree; }"
    assert capfd.readouterr().err == ""


def test_a_database_gives_each_file_its_options(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "d.cu"
    path.write_text('#include "d.h"\nint f() { return N; }\n')
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "d.h").write_text("#define N M\n")
    (tmp_path / "compile_commands.json").write_text(
        f'[{{"directory": "{tmp_path}", "file": "d.cu", "command": "nvcc -arch=sm_80 -I sub -DM=1 -c d.cu"}}]'
    )
    assert cli.main_clang([f"-p={tmp_path}", str(path)]) == 0
    assert capfd.readouterr().err == ""
    assert cli.main_clang([str(path)]) == 0
    assert "d.cu: clang found 1 error (the first: " in capfd.readouterr().err
    assert cli.main_clang([f"-p={tmp_path}/none", str(path)]) == 2


def test_facts_of_a_dump() -> None:
    dump = b"""\
|-FunctionDecl 0x1 </i/h.h:3:1, col:9> col:5 hipFree 'int ()'
|-FunctionDecl 0x2 parent 0x9 prev 0x8 <line:7:1, /p/a.cu:2:9> col:5 used hipFree 'int ()'
| `-DeclRefExpr 0x3 <col:11> 'int' lvalue Function 0x2 'hipFree' 'int ()'
| |-LambdaExpr 0x4 <col:1, col:2> '(lambda at /p/b.cu:9:146)'
| `-DeclRefExpr 0x5 <line:4:1, col:3> 'int ()' lvalue Function 0x1 'hipFree' 'int ()'
| `-MemberExpr 0x6 </p/./a.cu:5:1, col:3> 'int' lvalue .hipMemcpy 0x7
| `-UnresolvedLookupExpr 0x7 <col:4> '<overloaded>' lvalue (ADL) = 'hipFree' 0x1 0x2
"""
    path = b"/p/a.cu"
    found = list(facts(dump.splitlines(keepends=True), frozenset({path})))
    places = [Place(path, 2, 5), Place(path, 2, 11), Place(path, 4, 1), Place(path, 4, 3), Place(path, 5, 3)]
    assert found == [
        Fact(b"hipFree", places[0], places[0], True),
        Fact(b"hipFree", places[1], places[1], True),
        Fact(b"hipFree", places[2], places[3], False),
        Fact(b"hipMemcpy", places[4], places[4], False, "member"),
        Fact(b"hipFree", Place(path, 5, 4), Place(path, 5, 4), False),
    ]
