from pathlib import Path

import pytest

from anyhip import toolchain
from anyhip.hipcc import driver

STUB = """
int __hipPushCallConfiguration(void) { return 0; }
int __hipPopCallConfiguration(void) { return 0; }
int hipLaunchKernel(void) { return 0; }
static void *handle;
void **__hipRegisterFatBinary(void *wrapper) { handle = ((void **)wrapper)[1]; return &handle; }
void __hipRegisterFunction(void) {}
void __hipRegisterVar(void) {}
void __hipUnregisterFatBinary(void **h) {}
void *fatbin(void) { return handle; }
"""

# A kernel and its launch in terms of the compiler alone, so that these tests need no headers and no runtime.
KERNEL = """
#define __global__ __attribute__((global))
struct dim3 { unsigned x, y, z; dim3(unsigned a) : x(a), y(1), z(1) {} };
typedef struct ihipStream_t* hipStream_t;
extern "C" int __hipPushCallConfiguration(dim3, dim3, unsigned long = 0, hipStream_t = 0);
extern "C" int __hipPopCallConfiguration(dim3*, dim3*, unsigned long*, hipStream_t*);
extern "C" int hipLaunchKernel(const void*, dim3, dim3, void**, unsigned long, hipStream_t);
__global__ void twice(float* x) { *x *= 2; }
"""
MAIN = """
extern "C" void* fatbin();
extern "C" int printf(const char*, ...);
int main() { twice<<<1, 1>>>(nullptr); return printf("%.24s\\n", (const char*)fatbin()) - 25; }
"""


@pytest.fixture(scope="session")
def runtime(tmp_path_factory) -> Path:
    """A folder with a library under the runtime's name that only remembers the fat binary."""
    folder = tmp_path_factory.mktemp("runtime")
    (folder / "stub.c").write_text(STUB)
    name = "libamdhip64.so.7"
    return toolchain.shared_library(folder / name, [folder / "stub.c"], flags=[f"-Wl,-soname,{name}"]).parent


@pytest.fixture
def hipcc(runtime, tmp_path, monkeypatch, capfd):
    """Run hipcc in an empty folder; returns (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> tuple[int, str, str]:
        code = driver.main(words, lambda: runtime)
        return (code, *capfd.readouterr())

    return call


@pytest.fixture
def source(tmp_path):
    """Write a source file: its kernel, and what is given."""

    def write(name: str, text: str = MAIN, kernel: str = KERNEL) -> str:
        (tmp_path / name).write_text(kernel + text)
        return name

    return write
