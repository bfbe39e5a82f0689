"""Loading: real code objects, compiled here, in the device's memory."""

from __future__ import annotations

import ctypes
import dataclasses
import struct

import pytest

from anyhip import toolchain
from anyhip.codeobj import codeobject
from anyhip.codeobj.codeobject import Relocation
from anyhip.errors import CodeObjectError, DeviceFault

SOURCE = """
#define KERNEL __attribute__((amdgpu_kernel, visibility("default")))
#define GLOBAL __attribute__((address_space(1)))
#define SHOWN __attribute__((visibility("default")))
SHOWN int table[4] = {10, 20, 30, 40};
SHOWN int *pointer = &table[2];
SHOWN int cleared[100];
static int hidden[2] = {7, 8};
SHOWN int *to_hidden = &hidden[1];

KERNEL void put(GLOBAL int *out, int value) {
  unsigned i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  out[i] = value;
}
KERNEL void die(GLOBAL int *out) {
  if (__builtin_amdgcn_workitem_id_x() == 5) __builtin_trap();
  out[0] = 1;
}
"""


@pytest.fixture(scope="module")
def code(tmp_path_factory):
    folder = tmp_path_factory.mktemp("module")
    source = folder / "kernels.c"
    source.write_text(SOURCE)
    clang = [*toolchain.find().clang, "--target=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-nogpulib"]
    toolchain.check([*clang, "-O2", "-g", "-c", source, "-o", folder / "kernels.o"])
    image = toolchain.link_shared(folder / "kernels.hsaco", [folder / "kernels.o"])
    return codeobject.load(image.read_bytes())


def ints(address, count):
    return list((ctypes.c_int * count).from_address(address))


def launch(device, module, name, *values, grid=(1, 1, 1)):
    pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
    kernel = module.kernel(name)
    device.launch(device.default_stream, kernel, grid, (64, 1, 1), 0, ctypes.addressof(pointers))


def test_segments_and_relocations(device, code):
    module = device.load(code)
    table, size = module.symbol("table")
    assert (size, ints(table, 4)) == (16, [10, 20, 30, 40])
    where = ctypes.c_uint64.from_address(module.symbol("pointer")[0]).value
    assert where == table + 8
    assert ints(ctypes.c_uint64.from_address(module.symbol("to_hidden")[0]).value, 1) == [8]
    cleared, size = module.symbol("cleared")
    assert ints(cleared, size // 4) == [0] * 100
    module.unload()


def test_two_copies_are_independent(device, code):
    first, second = device.load(code), device.load(code)
    ctypes.c_int.from_address(first.symbol("table")[0]).value = 99
    assert ints(second.symbol("table")[0], 1) == [10]
    first.unload()
    second.unload()


def test_absent_names(device, code):
    module = device.load(code)
    for find in (module.symbol, module.kernel):
        with pytest.raises(KeyError):
            find("nothing")
    with pytest.raises(KeyError):
        module.symbol("put")  # a kernel is no variable
    module.unload()


def test_attributes(device, code):
    module = device.load(code)
    attributes = module.attributes(module.kernel("put"))
    assert attributes["maxThreadsPerBlock"] == 1024
    assert attributes["sharedSizeBytes"] == 0
    assert attributes["maxDynamicSharedSizeBytes"] == 65536
    assert attributes["numRegs"] == code.kernels["put"].vgpr_count > 0
    module.unload()


def test_unloading_frees_the_memory(device, code):
    before = device.memory_info()
    module = device.load(code)
    module.kernel("put")
    assert device.memory_info() < before
    module.unload()
    assert device.memory_info() == before


def test_undefined_symbols_are_named(device, code):
    offset = code.relocations[0].offset
    broken = dataclasses.replace(code, relocations=(Relocation(offset, 3, 0, "elsewhere"),))
    before = device.memory_info()
    with pytest.raises(CodeObjectError, match="uses elsewhere, which nothing defines"):
        device.load(broken)
    assert device.memory_info() == before


@pytest.mark.parametrize(
    ("kind", "size", "expected"),
    [
        (1, 4, lambda base, s, p: (s + 5) & 0xFFFFFFFF),
        (2, 4, lambda base, s, p: (s + 5) >> 32),
        (3, 8, lambda base, s, p: s + 5),
        (4, 4, lambda base, s, p: (s + 5 - p) & 0xFFFFFFFF),
        (5, 8, lambda base, s, p: s + 5 - p & 2**64 - 1),
        (13, 8, lambda base, s, p: base + 5),
    ],
)
def test_relocation_types(device, code, kind, size, expected):
    """LLVM AMDGPUUsage, "Relocation Records": ABS32_LO, ABS32_HI, ABS64, REL32, REL64 and RELATIVE64."""
    place = code.symbols["cleared"].value
    moved = dataclasses.replace(code, relocations=(Relocation(place, kind, 5, "table"),))
    module = device.load(moved)
    address, _ = module.symbol("cleared")
    got = ctypes.string_at(address, 16)
    value = expected(module.base, module.symbol("table")[0], address)
    assert got == struct.pack("<Q", value)[:size] + bytes(16 - size)
    module.unload()


@pytest.mark.parametrize("relocation", [Relocation(1 << 40, 3, 0, "table"), Relocation(0, 99, 0, "table")])
def test_impossible_relocations(device, code, relocation):
    with pytest.raises(CodeObjectError, match="relocation"):
        device.load(dataclasses.replace(code, relocations=(relocation,)))


def test_a_translated_kernel_runs(device, code):
    module = device.load(code)
    out = device.allocate(4 * 256)
    launch(device, module, "put", ctypes.c_uint64(out), ctypes.c_int(42), grid=(4, 1, 1))
    device.wait_all()
    assert ints(out, 256) == [42] * 256
    device.free(out)
    module.unload()


def test_faults_name_the_source_line(device, code):
    module = device.load(code)
    out = device.allocate(4096)
    launch(device, module, "die", ctypes.c_uint64(out))
    with pytest.raises(DeviceFault, match=r"kernel die: .*s_trap 2.*\n  at .*kernels\.c:16") as caught:
        device.wait_all()
    assert caught.value.code_name == "hipErrorLaunchFailure"
    device.clear_faults()
    launch(device, module, "put", ctypes.c_uint64(out + 4096), ctypes.c_int(1))
    with pytest.raises(DeviceFault, match=r"past the end of a 4096-byte allocation.*\n  at .*kernels\.c:13"):
        device.wait_all()
    device.clear_faults()
    device.free(out)
    module.unload()
