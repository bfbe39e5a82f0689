"""Code objects made by the compiler, for the tests of the reader."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from anyhip import toolchain

SOURCE = r"""
#define DEVICE __attribute__((device))
#define KERNEL extern "C" __attribute__((global))
extern "C" DEVICE int printf(const char*, ...);
extern "C" DEVICE void* __printf_alloc(unsigned) { return 0; }
DEVICE int counter = 5;
DEVICE int zeros[1024];
DEVICE int* pointers[2] = {&counter, zeros};
KERNEL void scale(int n, float* a, float b, char c) {
  __attribute__((shared)) static float tile[64];
  int i = __builtin_amdgcn_workitem_id_x() + 64 * __builtin_amdgcn_workitem_id_z();
  tile[i & 63] = a[i];
  __builtin_amdgcn_s_barrier();
  float sum = tile[63 - (i & 63)] * b + c + *pointers[n & 1];
  if (i < n) a[i] = sum + __builtin_amdgcn_workgroup_id_y();
}
KERNEL __attribute__((amdgpu_flat_work_group_size(1, 128))) void say(int n) {
  printf("n = %d:, \"%s\"\n", n, "text");
}
"""


@cache
def code_object(arch="gfx942", version=5, source=SOURCE):
    """Bytes of a linked code object."""
    tools = toolchain.find()
    with TemporaryDirectory() as folder:
        text, bitcode, made, linked = (Path(folder) / name for name in ("k.hip", "k.bc", "k.o", "k.hsaco"))
        text.write_text(source)
        shared = [f"-mcode-object-version={version}", "-nogpulib", "-O2"]
        front = [
            "-x",
            "hip",
            "--cuda-device-only",
            f"--offload-arch={arch}",
            "-nogpuinc",
            "-mprintf-kind=buffered",
        ]
        toolchain.check([*tools.clang, *front, *shared, "-emit-llvm", "-c", str(text), "-o", str(bitcode)])
        back = ["--target=amdgcn-amd-amdhsa", f"-mcpu={arch}"]
        toolchain.check([*tools.clang, *back, *shared, "-x", "ir", "-c", str(bitcode), "-o", str(made)])
        toolchain.check([*tools.lld, "-shared", str(made), "-o", str(linked)])
        return linked.read_bytes()
