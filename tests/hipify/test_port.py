"""Properties of porting that no single case shows."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anyhip.hipify import PortOptions, port_source
from anyhip.hipify.lexer import tokenize

WORDS = [
    "int", "cub", "cuda_stream", "texture", "x", "->", ".", "min", "umin", "gridDim", "cudaish",
    "mycudaMalloc", "CUDA_R_local", "norm", '"cudaMalloc"', "// cudaFree\n", "/* <<<1, 1>>> */", "(", ")",
    "{", "}", "<", ">", ",", ";", "=", "\n", " ", "#if 1\n", "#endif\n", "#include <vector>\n", "'\\''", "7",
    "std::",
]  # fmt: skip


@given(st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_source_without_cuda_comes_out_as_it_was(text: str) -> None:
    data = text.replace("cub std::", "std::").encode()
    assert port_source(data).text == data


@given(
    st.lists(st.sampled_from([*WORDS, "cudaMalloc", "<<<", ">", "__shfl_sync", "cudaMemcpyToSymbol", "-1"]))
)
def test_any_order_of_words_is_ported(words: list[str]) -> None:
    text = " ".join(words).encode()
    for options in (PortOptions(), PortOptions(hip_launch=True, roc=True, experimental=True)):
        ported = port_source(text, None, options)
        assert b"cudaMalloc" not in tokenize(ported.text)


def test_notes_have_places() -> None:
    ported = port_source(b"\n\n  int x; cudaGraphConditionalHandle h;\r\n\tnvmlInit;\n")
    assert [(note.line, note.col, note.kind, note.name) for note in ported.notes] == [
        (3, 10, "unsupported", "cudaGraphConditionalHandle")
    ]


def test_counts() -> None:
    ported = port_source(b"#include <cuda_runtime.h>\nk<<<1,1>>>(); cudaFree(p); cudaFree(q);")
    assert dict(ported.counts) == {"include_cuda_main_h": 1, "kernel_launch": 1, "memory": 2}
    assert ported.renamed["cudaFree", "hipFree"] == 2
    assert ported.converted == 4


def test_utf16_is_left_alone() -> None:
    text = "cudaFree(0);".encode("utf-16")
    ported = port_source(text, "a.cu")
    assert ported.text == text
    assert [note.kind for note in ported.notes] == ["encoding"]


def test_byte_order_mark_and_nul_survive() -> None:
    assert port_source(b"\xef\xbb\xbf\0cudaFree\0", None, PortOptions(runtime_include="never")).text == (
        b"\xef\xbb\xbf\0hipFree\0"
    )


@pytest.mark.parametrize(("when", "expected"), [("auto", False), ("always", True), ("never", False)])
def test_runtime_include(when: str, expected: bool) -> None:
    ported = port_source(b"int main() {}\n", None, PortOptions(runtime_include=when))
    assert ported.text.startswith(b"#include <hip/hip_runtime.h>\n") == expected


def test_first_cublas_api_is_reported() -> None:
    ported = port_source(b"#include <cublas.h>\nvoid f() { cublasSscal(n, a, x, 1); }\n")
    assert b"cublasSscal" in ported.text
    assert port_source(ported.text).text == ported.text
    assert [(note.line, note.name) for note in ported.notes] == [(2, "cublasSscal")]


def test_rocm6_names() -> None:
    text = b'#include <cublas_v2.h>\nconst char *s = "cudaMalloc failed"; __nv_bfloat16 b;\n'
    ported = port_source(text, None, PortOptions(rocm6=True))
    assert b"#include <hipblas.h>" in ported.text
    assert b'"hipMalloc failed"; hip_bfloat16 b;' in ported.text


def test_whitelist() -> None:
    ported = port_source(b"cudaFree(cudaArray_t);", None, PortOptions(whitelist=frozenset({"cudaFree"})))
    assert b"cudaFree(hipArray_t);" in ported.text


def test_caffe2_words_need_caffe2() -> None:
    assert b"cuda_stream" in port_source(b"cudaStream_t cuda_stream;").text
    assert b"hip_stream" in port_source(b"namespace caffe2 { f(cuda_stream); }").text


HOSTILE = {
    "one long line": b"cudaFree(x); " * 40_000,
    "open parentheses": b"cudaMemcpyToSymbol(" * 30_000,
    "nested calls": b"cudaMallocHost(a," * 10_000 + b")" * 10_000,
    "open templates": b"cudaMemcpyToSymbol(" + b"a<" * 100_000 + b");",
    "open strings": b'"' * 300_000,
    "open comments": b"/*" * 300_000,
    "open raw strings": b'R"(' * 150_000,
    "launches": b"a<b>><<<" * 60_000,
    "masks": b"int m = " + b"m = " * 60_000 + b"__shfl_sync(m, 1);",
    "directives": b"#if __CUDA_ARCH__\n" * 20_000,
    "backslashes": b"\\" * 300_000,
    "zeros": bytes(300_000),
    "launches of macros": b"k<<<1,2>>>(a);" * 30_000 + b"\n" + b"#define A k<<<1,2>>>(a)\n" * 10_000,
    "open asm": b'asm("mov.u32 %0, x;" : ' * 20_000,
    "open functions": b"__global__ void f(" * 30_000,
    "lane arithmetic": b"__device__ void f(){" + b"(" * 50_000 + b"int i = threadIdx.x" + b") % 32" * 50_000,
    "matrix products": b"cudaDataType " * 20_000
    + b"cublasGemmEx("
    + (b"a," * 17 + b"t,0); cublasGemmEx(") * 10_000,
    "kept ballots": b"int m = __ballot(1), n; n = m; __popc(n + (" * 10_000,
    "groups": b"using namespace cooperative_groups; cooperative_groups::reduce(" * 10_000,
    "foreign": b"nvmlInit(" * 30_000,
    "open loops": b"__device__ void f(){" + b"for (int o = 16;;)" * 30_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_linear_time(name: str) -> None:
    text = HOSTILE[name]
    start = time.process_time()
    port_source(text, None, PortOptions(hip_launch=True, expand_launches=True))
    assert time.process_time() - start < 10, "some 0.5 MB must not take this long"


EXCLUDED = b"""#define MINE
#ifdef MINE
a<<<1, 1>>>();
#elif 1
b<<<1, 1>>>();
#endif
#ifndef OTHER
c<<<1, 1>>>();
#else
d<<<1, 1>>>(); cudaFree(0);
#endif
#if CUDA_VERSION > 3
e<<<1, 1>>>();
#elif !defined(OTHER)
f<<<1, 1>>>();
#elif defined OTHER
g<<<1, 1>>>();
#endif
#if 0
#if 1
h<<<1, 1>>>();
#endif
#ifdef NAMED
i<<<1, 1>>>();
#endif
#endif
#ifdef NAMED
j<<<1, 1>>>();
#endif
#ifdef __linux__
k<<<1, 1>>>();
"""


def test_excluded_branches() -> None:
    options = PortOptions(hip_launch=True, skip_excluded=True, defines=frozenset({"NAMED"}))
    text = port_source(EXCLUDED, None, options).text
    launched = [name for name in "abcdefghijk" if f"hipLaunchKernelGGL({name}," in text.decode()]
    assert "".join(launched) == "acefjk"
    assert b"d<<<1, 1>>>(); hipFree(0);" in text


def test_a_name_that_goes_stays_where_the_program_defines_it() -> None:
    text = b"#ifndef CUDA_CB\n#define CUDA_CB\n#endif\nvoid CUDA_CB f();\n"
    ported = port_source(text, None, PortOptions(runtime_include="never")).text
    assert ported == text.replace(b"void CUDA_CB f", b"void f")
