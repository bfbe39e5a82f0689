"""Disassembly: text through the assembler and back, and against llvm-objdump where it is installed."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from anyhip import toolchain
from anyhip.isa import text
from anyhip.isa.decode import decode, decode_all
from anyhip.isa.generations import GENERATIONS
from anyhip.target import parse
from isa.assembler import assemble

GFX942 = parse("gfx942")
SPELLINGS = sorted(Path(__file__).parent.glob("spellings_*.txt"))
OBJDUMP = shutil.which("llvm-objdump-22")

KERNELS = """
#define DEVICE __attribute__((device))
#define KERNEL extern "C" __attribute__((global))
DEVICE int table[64];
KERNEL void integers(long long* a, int n, unsigned char* bytes) {
  int i = __builtin_amdgcn_workitem_id_x();
  for (int j = 0; j < n; ++j) {
    a[i] = a[i] * j / (n | 1) + (a[j] >> (j & 63)) % 1000003;
    bytes[i * 3 + j] = (unsigned char)(a[i] * 7 + table[j & 63]);
    if (a[i] & 1) __hip_atomic_fetch_add(&table[j & 63], i, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
}
KERNEL void reals(float* f, double* d, _Float16* h, int n) {
  __attribute__((shared)) static float tile[256];
  int i = __builtin_amdgcn_workitem_id_x();
  tile[i] = f[i];
  __builtin_amdgcn_s_barrier();
  for (int j = 0; j < n; ++j) {
    f[i] += tile[j & 255] / f[j] + __builtin_sqrtf(tile[i ^ j]);
    d[i] = d[j] / d[i] + (double)f[i] * 0.5 - __builtin_floor(d[i]);
    h[i] = h[j] * (_Float16)f[i] + h[i];
  }
}
"""


def instructions(code, base=0):
    return decode_all(code, base, GFX942)


@pytest.mark.parametrize("path", SPELLINGS, ids=lambda path: path.stem)
def test_every_spelling_survives_the_assembler(tmp_path, path):
    arch = path.stem.removeprefix("spellings_")
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    found = decode_all(assemble(lines, tmp_path, arch), 0, parse(arch))
    assert [text.format(instruction) for instruction in found] == lines


def test_labels_name_the_targets_of_branches(tmp_path):
    code = assemble(["s_cbranch_scc0 1", "s_nop 0", "s_branch 65533"], tmp_path)
    found = instructions(code, base=0x1000)
    labels = {0x1000: "loop", 0x1008: "done"}
    assert [text.format(instruction, labels) for instruction in found] == [
        "s_cbranch_scc0 done", "s_nop 0", "s_branch loop",
    ]  # fmt: skip
    assert [instruction.branch_target for instruction in found] == [0x1008, None, 0x1000]


def compiled(folder, level, arch):
    """Path of a code object of KERNELS."""
    source, bitcode, made = folder / "k.hip", folder / "k.bc", folder / "k.o"
    source.write_text(KERNELS)
    clang = toolchain.find().clang
    device = ["-x", "hip", "--cuda-device-only", f"--offload-arch={arch}", "-nogpuinc", "-nogpulib", level]
    toolchain.check([*clang, *device, "-emit-llvm", "-c", str(source), "-o", str(bitcode)])
    back = ["--target=amdgcn-amd-amdhsa", f"-mcpu={arch}", "-nogpulib", level, "-x", "ir"]
    toolchain.check([*clang, *back, str(bitcode), "-c", "-o", str(made)])
    return made


@pytest.mark.skipif(OBJDUMP is None, reason="llvm-objdump-22 (Debian's llvm-22) is not installed")
@pytest.mark.parametrize("level", ["-O0", "-O3"])
@pytest.mark.parametrize("arch", list(GENERATIONS))
def test_compiled_kernels_read_as_llvm_objdump_reads_them(tmp_path, level, arch):
    dump = subprocess.run(
        [OBJDUMP, "-d", compiled(tmp_path, level, arch)], capture_output=True, text=True, check=True
    )
    count = 0
    for line in dump.stdout.splitlines():
        found = re.match(r"\t(.*?)\s*// ([0-9A-F]+): ((?:[0-9A-F]{8} ?)+)", line)
        if not found:
            continue
        code = b"".join(int(word, 16).to_bytes(4, "little") for word in found[3].split())
        instruction = decode(code, int(found[2], 16), 0, parse(arch))
        assert text.format(instruction) == re.sub(r"\s+", " ", found[1])
        assert instruction.size == len(code)
        count += 1
    assert count > 400
