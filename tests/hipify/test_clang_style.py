"""What only hipify-clang's spelling asks for: launches behind macros, halves of pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from anyhip.hipify import PortOptions, cli, port_source

STYLE = PortOptions(hip_launch=True, expand_launches=True, rocm6=True, runtime_include="never")


def _port(text: str) -> str:
    return port_source(text.encode(), None, STYLE).text.decode()


def test_a_kernel_given_to_a_macro_is_launched_where_the_macro_is_used() -> None:
    text = "#define L(k, g, b, ...) \\\n  k<<<g, b, 0, s>>>(__VA_ARGS__);\nL(f<int>, n / 2, dim3(4), p, 3);\n"
    use = _port(text).splitlines()[-1]
    assert use == "hipLaunchKernelGGL(HIP_KERNEL_NAME(f<int>), dim3(n / 2), dim3(dim3(4)), 0, s, p, 3);"


def test_a_macro_without_arguments_is_completed_by_its_use() -> None:
    text = "#define CALL k<<<1, n>>>\nCALL(a, b);\nCALL ();\n"
    assert _port(text).splitlines()[1:] == [
        "hipLaunchKernelGGL(k, dim3(1), dim3(n), 0, 0, a, b);",
        "hipLaunchKernelGGL(k, dim3(1), dim3(n), 0, 0);",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "#define K k<<<1, 2>>>(3)\nK;\n",  # complete: its definition is enough
        "#define L(k) if (x) k<<<1, 2>>>(3)\nL(f);\n",  # more than a launch
        "#define L(k) k<<<1, 2>>>(3)\n",  # never used
    ],
)
def test_other_macros_keep_their_uses(text: str) -> None:
    assert _port(text).splitlines()[1:] == text.splitlines()[1:]


def test_halves_of_a_pair_say_what_they_are() -> None:
    text = (
        "half2 t, *u; const half2 c; t.x = f(a.t.x, u->x, c.y); g(reinterpret_cast<half&>(t.y), t.z, s.x);\n"
    )
    assert _port(text) == text.replace("t.x = ", "reinterpret_cast<half&>(t.x) = ")


def test_hipify_clang_spells_as_amds_unless_asked(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text('#include <cublas_v2.h>\nconst char* s = "cudaMalloc";\n')
    assert cli.main_clang([str(path)]) == 0
    six = (tmp_path / "a.cu.hip").read_text()
    assert six.splitlines()[1:] == ["#include <hipblas.h>", 'const char* s = "hipMalloc";']
    assert cli.main_clang(["--rocm7", str(path)]) == 0
    seven = (tmp_path / "a.cu.hip").read_text()
    assert seven.splitlines()[1:] == ["#include <hipblas/hipblas.h>", 'const char* s = "cudaMalloc";']
