"""Build files: text in, text out, and the notes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from anyhip.hipify.build_files import build_kind, port_build_file

CMAKE = """\
project(demo LANGUAGES CXX CUDA) # CUDA here
find_package(CUDAToolkit 12 REQUIRED)
set(CMAKE_CUDA_ARCHITECTURES 70 80)
set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} --expt-relaxed-constexpr -Xcompiler -fopenmp -lineinfo")
  add_executable(a main.cu
     k.cu util.cpp)
target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--use_fast_math>)
target_link_libraries(a CUDA::cudart CUDA::nvml "a#b")
set_target_properties(a PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_STANDARD 17)
"""
HIP_CMAKE = """\
project(demo LANGUAGES CXX HIP) # CUDA here
find_package(hip REQUIRED)
set(CMAKE_HIP_ARCHITECTURES gfx90a)
set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS}  -fopenmp -gline-tables-only")
  set_source_files_properties(main.cu k.cu PROPERTIES LANGUAGE HIP)
  add_executable(a main.cu
     k.cu util.cpp)
target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:HIP>:-ffast-math>)
target_link_libraries(a hip::host CUDA::nvml "a#b")
set_target_properties(a PROPERTIES CUDA_SEPARABLE_COMPILATION ON HIP_STANDARD 17)
"""
MAKE = """\
NVCC = $(CUDA_PATH)/bin/nvcc
FLAGS = -march=native -arch=sm_80 -rdc=true # -arch=sm_10
LIBS = -L/usr/local/cuda-12.4/lib64 -lcudart -lcublas -lcublasLt
my-nvcc.o: nvcc.c
"""
HIP_MAKE = """\
NVCC = hipcc
FLAGS = -march=native --offload-arch=gfx90a -fgpu-rdc # -arch=sm_10
LIBS = -L/opt/rocm/lib64 -lamdhip64 -lhipblas -lhipblaslt
my-nvcc.o: nvcc.c
"""


def test_cmake() -> None:
    ported = port_build_file(CMAKE.encode(), "cmake", ["gfx90a"])
    assert ported.text.decode() == HIP_CMAKE
    assert [(note.line, note.name) for note in ported.notes] == [
        (3, "CMAKE_CUDA_ARCHITECTURES 70 80"), (8, "CUDA::nvml"), (9, "CUDA_SEPARABLE_COMPILATION"),
    ]  # fmt: skip
    assert port_build_file(HIP_CMAKE.encode(), "cmake", ["gfx90a"]).text.decode() == HIP_CMAKE


def test_make() -> None:
    ported = port_build_file(MAKE.encode(), "make", ["gfx90a"])
    assert ported.text.decode() == HIP_MAKE
    assert [(note.line, note.name) for note in ported.notes] == [(2, "-arch=sm_80")]


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("json", '{"command": "/usr/bin/nvcc -dc -I/x a.cu"}', '{"command": "hipcc -fgpu-rdc -I/x a.cu"}'),
        (
            "make",
            "nvcc -gencode arch=compute_70,code=sm_70 -gencode=arch=compute_80,code=sm_80 -O3",
            "hipcc --offload-arch=gfx942 --offload-arch=gfx1100 -O3",
        ),
        (
            "make",
            "$(foreach sm,$(SMS),$(eval F += -gencode arch=compute_$(sm),code=sm_$(sm)))",
            "$(foreach sm,$(SMS),$(eval F += --offload-arch=gfx942 --offload-arch=gfx1100))",
        ),
        ("python", "x = ['-O3', '--use_fast_math']  # '--use_fast_math'", None),
        ("meson", "project('a', 'cuda')", "project('a', 'cuda')"),
        (
            "cmake",
            "project(a LANGUAGES CXX)\nadd_library(b b.cu)",
            "project(a LANGUAGES CXX)\nadd_library(b b.cu)",
        ),
        ("make", "\r\nall:\r\n\tg++ \xe9\r\n", "\r\nall:\r\n\tg++ \xe9\r\n"),
    ],
)
def test_others(kind: str, old: str, new: str | None) -> None:
    expected = new if new is not None else "x = ['-O3', '-ffast-math']  # '--use_fast_math'"
    assert port_build_file(old.encode("latin-1"), kind).text == expected.encode("latin-1")


def test_kinds_are_told_by_names() -> None:
    names = ["CMakeLists.txt", "a.cmake", "Makefile", "x.mk", "setup.py", "meson.build", "a.txt", "b.py",
             "BUILD", "BUILD.bazel", "x.bzl"]  # fmt: skip
    kinds = [build_kind(Path("d") / name) for name in names]
    assert kinds == ["cmake", "cmake", "make", "make", "python", "meson", "", "", "bazel", "bazel", "bazel"]


BAZEL = """\
load("@local_config_cuda//cuda:build_defs.bzl", "cuda_library", "if_cuda")  # "cuda_library"
cuda_library(
    name = "k",
    copts = ["--use_fast_math", "-gencode=arch=compute_80,code=sm_80"],
    deps = if_cuda(["@local_config_cuda//cuda:cuda_headers"]) + [":cuda_library"],
)
load("@rules_cuda//cuda:defs.bzl", "cuda_objects")
"""
HIP_BAZEL = """\
load("@local_config_rocm//rocm:build_defs.bzl", "rocm_library", "if_rocm")  # "cuda_library"
rocm_library(
    name = "k",
    copts = ["-ffast-math", "--offload-arch=gfx90a", "--offload-arch=gfx1100"],
    deps = if_rocm(["@local_config_rocm//rocm:rocm_headers"]) + [":cuda_library"],
)
load("@rules_cuda//cuda:defs.bzl", "cuda_objects")
"""


def test_bazel() -> None:
    ported = port_build_file(BAZEL.encode(), "bazel", ["gfx90a", "gfx1100"])
    assert ported.text.decode() == HIP_BAZEL
    assert [(note.line, note.name) for note in ported.notes] == [
        (4, '"-gencode=arch=compute_80,code=sm_80"'), (7, "@rules_cuda//cuda:defs.bzl"),
    ]  # fmt: skip


SETUP = """\
from torch.utils.cpp_extension import BuildExtension, CUDAExtension
home = os.environ.get('CUDA_HOME', '/usr/local/cuda')
command = ["nvcc", "-gencode", "arch=compute_70,code=sm_70", "-gencode", "arch=compute_80,code=sm_80"]
x = CUDAExtension('x', ['x.cu'], libraries=['cudart', 'cublasLt', 'cufft'], extra_compile_args={
    'nvcc': ['-O3', '-arch=sm_80', '-Xcompiler', '-fPIC']})
x['nvcc'].append('-lineinfo')
"""
HIP_SETUP = """\
from torch.utils.cpp_extension import BuildExtension, CUDAExtension
home = os.environ.get('CUDA_HOME', '/opt/rocm')
command = ["hipcc", "--offload-arch=gfx90a", "--offload-arch=gfx1100"]
x = CUDAExtension('x', ['x.cu'], libraries=['amdhip64', 'hipblaslt', 'hipfft'], extra_compile_args={
    'nvcc': ['-O3', '--offload-arch=gfx90a', '--offload-arch=gfx1100', '-fPIC']})
x['nvcc'].append('-gline-tables-only')
"""


def test_setup_py() -> None:
    ported = port_build_file(SETUP.encode(), "python", ["gfx90a", "gfx1100"])
    assert ported.text.decode() == HIP_SETUP
    assert [note.line for note in ported.notes] == [1, 2, 3, 5]


def test_meson() -> None:
    text = b"dep = dependency('cuda', version : '>=11', modules : ['cublas'])\nexecutable('a', 'k.cu')\n"
    ported = port_build_file(text, "meson")
    first = b"dep = dependency('hip', method : 'cmake', modules : ['hip::host'])\n"
    assert ported.text == first + b"executable('a', 'k.cu')\n"
    assert [(note.line, note.name) for note in ported.notes][1:] == [(2, "'k.cu'")]


def test_cmake_finds_the_packages_of_its_targets() -> None:
    text = b"if(x)\n  find_package(CUDAToolkit)\nendif()\ntarget_link_libraries(a CUDA::cublas CUDA::cufft)\n"
    ported = port_build_file(text, "cmake")
    assert ported.text == (
        b"if(x)\n  find_package(hip REQUIRED)\n  find_package(hipblas REQUIRED)\n"
        b"  find_package(hipfft REQUIRED)\nendif()\ntarget_link_libraries(a roc::hipblas hip::hipfft)\n"
    )
    assert ported.notes == []
    alone = port_build_file(text.split(b"\n")[3], "cmake")
    assert [note.message for note in alone.notes] == [
        "needs find_package(hipblas)",
        "needs find_package(hipfft)",
    ]


HOSTILE = (
    b"project(", b"find_package(CUDA ", b"add_library(a.cu ", b"set_source_files_properties(a ",
    b"-gencode x ", b"'-gencode', ", b"BuildExtension ", b"environ ", b"dependency('cuda' ", b'"',
    b"# ", b"CUDA_ARCHITECTURES 70 ",
)  # fmt: skip


@pytest.mark.parametrize("kind", ["cmake", "make", "python", "json", "meson", "bazel"])
def test_hostile_text_takes_linear_time(kind: str) -> None:
    start = time.process_time()
    for text in HOSTILE:
        port_build_file(text * (50_000 // len(text)), kind)
    assert time.process_time() - start < 20, "0.6 MB must not take this long"
