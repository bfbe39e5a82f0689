"""What must compile, and what must not, for AMD's wave64 and wave32 GPUs, for NVIDIA's, and for the host."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from anyhip import toolchain

INCLUDE = Path(__file__).resolve().parents[2] / "src" / "anyhip" / "include"
TARGETS = {
    "gfx942": ["-x", "hip", "--cuda-device-only", "--offload-arch=gfx942", "-nogpuinc", "-nogpulib"],
    "gfx1100": ["-x", "hip", "--cuda-device-only", "--offload-arch=gfx1100", "-nogpuinc", "-nogpulib"],
    "sm_90": ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib",
              "-Wno-unknown-cuda-version"],
    "host": ["-x", "hip", "--cuda-host-only", "--offload-arch=gfx942", "-nogpuinc", "-nogpulib"],
}  # fmt: skip


def compile_for(target: str, text: str, *flags: str) -> subprocess.CompletedProcess[str]:
    chosen = toolchain.find()
    options = ["-std=c++17", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused", "-isystem", str(INCLUDE)]
    clang = [*chosen.clang, f"--target={chosen.host_triple}"]
    return toolchain.run([*clang, *TARGETS[target], *options, *chosen.cxx_flags, *flags, "-"], input=text)


RUNTIME = "#include <hip/hip_runtime.h>\n"
PROGRAMS = {
    "nothing but the header": RUNTIME,
    "every header": "".join(
        f"#include <hip/{path.name}>\n"
        for path in sorted((INCLUDE / "hip").glob("*.h"))
        if path.name not in ("hip_gl_interop.h", "hiprtc.h")
    ),
    "the C++ library first": "#include <cmath>\n#include <algorithm>\n#include <complex>\n#include <limits>\n"
    + RUNTIME
    + "__global__ void k(float* f, double* d, int* n) {\n"
    "  f[0] = std::sin(f[1]) + sinf(f[1]) + std::pow(f[1], 2) + std::abs(f[2]) + std::max(f[1], f[2]);\n"
    "  d[0] = std::exp(d[1]) + fmax(d[1], d[2]) + sqrt(2) + std::floor(d[1]) + INFINITY;\n"
    "  n[0] = std::abs(n[1]) + abs(n[2]) + std::min(n[0], n[1]) + std::isnan(f[0]) + isinf(d[0]);\n"
    "  f[3] = std::numeric_limits<float>::max();\n}\n"
    "float h(float x) {\n"
    "  return std::sin(x) + sinf(x) + std::abs(-3) + abs(3) + sqrt(x) + std::max(x, 1.f); }\n",
    "the C++ library last": RUNTIME + "#include <cmath>\n#include <cstdlib>\n#include <vector>\n"
    "__global__ void k(float* f) { f[0] = std::sin(f[1]) + cosf(f[2]) + std::sqrt(f[3]); }\n"
    "double h(double x) { return std::sin(x) + std::fabs(x) + std::abs(x) + isnan(x) + std::isinf(x); }\n",
    "only the header's own names": RUNTIME + "float h(float x) { char* p = (char*)malloc(4); free(p);\n"
    '  printf("%d", atoi("3")); return std::fabs(x) + fabs(x) + memcmp(p, p, 0) + EXIT_FAILURE; }\n'
    "bool t(float x, double y) { return isnan(x) || isinf(y) || std::isnan(y) || isfinite(x); }\n"
    "double m(double x, unsigned n, float f) {\n"
    "  return max(x, n) + min(n, x) + max(f, 3ul) + max(2, f) + min(1, 2u); }\n",
    "variables named like the built-in ones": RUNTIME
    + "__global__ void k(int* p) { p[threadIdx.x] = warpSize; }\n"
    "int main() { dim3 gridDim(2), blockDim = 3; int warpSize = 32; unsigned threadIdx = 1;\n"
    "  k<<<gridDim, blockDim>>>(nullptr); return warpSize + threadIdx; }\n",
    "functions named like ours": RUNTIME
    + "template <class T> __device__ T clamp(T x) { return max(x, T(0)); }\n"
    "__device__ unsigned umin(unsigned a, unsigned b) { return min(a, b); }\n"
    "__device__ long long atomicAdd(long long* p, long long v) {\n"
    "  return atomicAdd((unsigned long long*)p, (unsigned long long)v); }\n"
    "__device__ long atomicCAS(long* p, long c, long v) { return atomicCAS((unsigned long*)p, c, v); }\n"
    "__global__ void counts(long long* p, long* q) { atomicAdd(p, 1LL); atomicCAS(q, 1L, 2L); }\n"
    "struct S { int min, max, abs, y0, j1; };\nint y1(S s) { return s.y0; }\n",
    "ways to launch": RUNTIME
    + "template <class T, int n> __global__ __launch_bounds__(256, 2) void k(T* p) { p[n] = n; }\n"
    "__global__ void __launch_bounds__(64) j(int* p) { *p = 1; }\n"
    "void go(hipStream_t s) { k<float, 3><<<1, 2, 0, s>>>(nullptr); j<<<dim3(1, 2), dim3(3)>>>(nullptr);\n"
    "  hipLaunchKernelGGL(HIP_KERNEL_NAME(k<float, 3>), dim3(1), dim3(2), 0, s, nullptr);\n"
    "  hipLaunchKernelGGL(j, 1, 2, 0, 0, nullptr); }\n",
    "kinds of memory": RUNTIME + "__constant__ float table[4] = {1, 2, 3, 4};\n__device__ int counter = 3;\n"
    "__managed__ int shared_by_all = 1;\n"
    "__global__ void k(float* p) { __shared__ float a[64]; extern __shared__ float rest[];\n"
    "  HIP_DYNAMIC_SHARED(float, more); __shared__ float4 v[2];\n"
    "  a[threadIdx.x] = table[threadIdx.x % 4]; __syncthreads();\n"
    "  rest[0] = a[0] + more[1]; v[0] = make_float4(1, 2, 3, 4);\n"
    "  *p = rest[0] + v[0].w + counter++ + shared_by_all; __threadfence(); }\n",
    "CUDA's own way of writing vectors": RUNTIME
    + "float4 zero() { float4 v = {0}; float3 w = {1.f, 2.f}; v.x = w.y;\n"
    "  int i = 3; uint2 u = {(unsigned)i, 4u}; dim3 d(u.x, u.y); uint3 t = d; v.y = t.z; return v; }\n"
    "inline __host__ __device__ float4 operator*(float4 a, float b) {\n"
    "  return make_float4(a.x * b, a.y * b, 0, 0); }\n"
    "float4 twice(float4 a) { return a * 2.0f; }\n",
    "reductions over groups": "#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;\n"
    "__global__ void k(int* p) { auto t = cg::tiled_partition<32>(cg::this_thread_block());\n"
    "  p[0] = cg::reduce(t, p[1], cg::plus<int>()) + cg::reduce(t, p[2], cg::less<>());\n"
    "  p[1] = cg::reduce(cg::coalesced_threads(), p[3], cg::greater<int>()); }\n",
    "placement new and a class with a virtual function": RUNTIME + "#include <new>\n"
    "struct A { int x; __device__ A(int n) : x(n) {} __device__ virtual int get() { return x; }\n"
    "  __device__ virtual ~A() {} };\n"
    "__global__ void k(int* p) { __shared__ char room[sizeof(A)]; A* a = new (room) A(3); *p = a->get();\n"
    "  A* b = new A(4); *p += b->get(); delete b; }\n",
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_compiles_without_a_warning(program: str, target: str) -> None:
    done = compile_for(target, PROGRAMS[program])
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("target", TARGETS)
def test_every_device_function_of_hip_is_declared(target: str) -> None:
    # names.txt: the device functions and types that HIP supports, by the names of its own porting tables
    names = Path(__file__).with_name("names.txt").read_text().split()
    assert len(names) == 513
    text = (
        PROGRAMS["every header"] + "namespace n {\n" + "".join(f"using ::{name};\n" for name in names) + "}\n"
    )
    done = compile_for(target, text)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("standard", ["c++14", "c++20", "c++23"])
def test_other_standards(standard: str) -> None:
    text = PROGRAMS["every header"] + "__global__ void k(float4* v) { v[0] = v[1] * 2 + v[2]; ++v[3]; }\n"
    done = compile_for("gfx942", text, f"-std={standard}")
    assert (done.returncode, done.stderr) == (0, "")


def test_programs_compiled_at_run_time_need_no_c_library() -> None:
    chosen = toolchain.find()
    text = (
        "#include <hip/hip_runtime.h>\n#include <hip/hip_fp16.h>\n#include <hip/hip_bf16.h>\n"
        "#include <hip/hip_complex.h>\n#include <hip/hip_cooperative_groups.h>\n"
        'extern "C" __global__ void k(float* f, size_t n) { f[n] = sinf(f[1]); printf("%d", 3); }\n'
    )
    options = [
        "-D__HIPCC_RTC__",
        "-nostdinc",
        "-nostdinc++",
        "-std=c++17",
        "-fsyntax-only",
        "-Wall",
        "-Werror",
    ]
    clang = [*chosen.clang, f"--target={chosen.host_triple}", *TARGETS["gfx942"], *options]
    done = toolchain.run([*clang, "-isystem", str(INCLUDE), "-"], input=text)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_32_bit_lane_mask_is_refused_with_its_reason() -> None:
    done = compile_for(
        "gfx942", RUNTIME + "__global__ void k(int* p) { *p = __shfl_sync(0xffffffff, *p, 0); }\n"
    )
    assert done.returncode == 1
    assert "HIP lane masks are 64-bit integers on every target" in done.stderr


def test_plain_c_sees_the_vector_types(tmp_path: Path) -> None:
    chosen = toolchain.find()
    source = tmp_path / "a.c"
    source.write_text(
        "#include <hip/hip_vector_types.h>\n"
        '_Static_assert(sizeof(float3) == 12 && _Alignof(float4) == 16 && sizeof(uchar4) == 4, "");\n'
    )
    done = toolchain.run(
        [
            *chosen.cc,
            "-fsyntax-only",
            "-Wno-unused-command-line-argument",
            "-isystem",
            str(INCLUDE),
            str(source),
        ]
    )
    assert (done.returncode, done.stderr) == (0, "")
