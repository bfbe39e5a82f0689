"""What cases begin with: code objects of every target, made by the compiler."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from anyhip import cache as store
from anyhip.codeobj import codeobject
from anyhip.codeobj.codeobject import CodeObject
from anyhip.target import Target
from codeobj.made import code_object

TARGETS = ("gfx942", "gfx90a", "gfx950", "gfx1030", "gfx1100", "gfx1201")
S_NOP = (0xBF800000).to_bytes(4, "little")  # of every generation
HOLE = 512  # of them in the kernel
_KERNEL = r"""
#define KERNEL extern "C" __attribute__((global))
KERNEL void hole(unsigned* data, unsigned n) {
  __attribute__((shared)) static unsigned tile[256];
  unsigned i = __builtin_amdgcn_workitem_id_x();
  unsigned volatile own[16];
  own[i & 15] = i;
  tile[i & 255] = n;
  asm volatile(".fill 512, 4, 0xbf800000" : : "s"(data), "v"(data + i), "v"(i * 4), "s"(n)
               : "memory", "v63", "s60", "vcc");
  data[i] = own[i & 15] + tile[(i + 1) & 255];
}
KERNEL void real(unsigned* data, unsigned n) {
  __attribute__((shared)) static unsigned tile[64];
  unsigned i = __builtin_amdgcn_workitem_id_x();
  float sum = 0;
  for (unsigned k = 0; k < (n & 31); k++) {
    tile[i & 63] = data[(i + k) & 63];
    __builtin_amdgcn_s_barrier();
    sum += (float)tile[(i ^ k) & 63] / (float)(k + 3);
    if (i & 1) sum = sum * sum - (float)data[k]; else data[i & 63] += (unsigned)sum;
    __builtin_amdgcn_s_barrier();
  }
  __scoped_atomic_fetch_add(&data[i & 7], (unsigned)sum, 0, 1);
}
KERNEL void good(unsigned* data, unsigned n) {
  data[__builtin_amdgcn_workitem_id_x()] = n + __builtin_amdgcn_workitem_id_x();
}
"""


@cache
def elf(arch: str, version: int = 5) -> bytes:
    """The code object of a target, kept in the cache between the processes of a run."""
    key = store.digest(_KERNEL, arch, str(version), Path(__file__))
    return store.build(
        store.path("fuzz", key, ".hsaco"), lambda path: path.write_bytes(code_object(arch, version, _KERNEL))
    ).read_bytes()


@cache
def loaded(arch: str) -> CodeObject:
    """The same, read."""
    return codeobject.load(elf(arch))


@cache
def real_code(arch: str) -> bytes:
    """The machine code of the kernel ``real``."""
    code = loaded(arch)
    begin = code.kernels["real"].entry
    return code.code(begin, code.symbols["real"].size)


def with_code(arch: str, words: bytes) -> bytes:
    """The code object whose kernel ``hole`` has these words where it had nothing to do."""
    data = elf(arch)
    at = data.index(S_NOP * HOLE)
    piece = words[: 4 * HOLE]
    return data[:at] + piece + data[at + len(piece) :]


def generation(arch: str) -> str:
    """The column of the opcode tables."""
    return Target.parse(arch).generation
