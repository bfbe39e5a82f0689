"""Compiling at run time, and running on the virtual GPU what came of it."""

from collections.abc import Iterator

import numpy as np
import pytest

from anyhip import Device, LaunchConfig, ObjectCode, Program, ProgramOptions, launch
from anyhip.errors import CompileError, HipError, UsageError
from anyhip.runtime import device as devices_
from anyhip.runtime.program import compile_source

SOURCE = """
extern "C" __global__ void scale(float *values, float factor, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor + SHIFT;
}
template <class T> __global__ void add(T *values, T more) { values[threadIdx.x] += more; }
__device__ int table[4] = {1, 2, 3, 4};
"""


@pytest.fixture(scope="module")
def device() -> Iterator[Device]:
    devices_.install(None)
    found = Device(0)
    found.set_current()
    yield found
    devices_.install(None)


@pytest.fixture(scope="module")
def code(device: Device) -> ObjectCode:
    options = ProgramOptions(std="c++17", define_macro=["SHIFT=1"])
    return Program(SOURCE, "c++", options).compile("hsaco", name_expressions=["add<int>", "table"])


def test_it_runs(device: Device, code: ObjectCode) -> None:
    values = np.arange(1000, dtype=np.float32)
    buffer, stream = device.allocate(values.nbytes), device.create_stream()
    buffer.copy_from(values, stream=stream)
    launch(stream, LaunchConfig(grid=4, block=256), code.get_kernel("scale"), buffer, 2.0, 999)
    stream.sync()
    expected = np.where(np.arange(1000) < 999, 3 * values, values)
    assert (np.from_dlpack(buffer).view(np.float32) == expected).all()


def test_name_expressions(device: Device, code: ObjectCode) -> None:
    assert code.lowered == {"add<int>": "_Z3addIiEvPT_S0_", "table": "table"}
    buffer = device.allocate(64 * 4)
    buffer.fill(0)
    launch(device.default_stream, LaunchConfig(1, 64), code.get_kernel("add<int>"), buffer, np.int32(7))
    device.sync()
    assert (np.asarray(buffer).view(np.int32) == 7).all()
    assert code.get_global("table")[1] == 16


def test_events_time_the_work(device: Device, code: ObjectCode) -> None:
    buffer, stream = device.allocate(4), device.create_stream()
    start = stream.record()
    launch(stream, LaunchConfig(1, 1), code.get_kernel("scale"), buffer, 1.0, 1)
    stop = stream.record()
    stop.sync()
    assert stop - start > 0


def test_headers_and_warnings() -> None:
    made = compile_source(
        '#include "mine.h"\n#warning hello', [], arch="gfx942", headers={"mine.h": "int x;"}
    )
    assert "hello" in made.log


def test_clang_s_own_words(device: Device) -> None:
    program = Program("\n__global__ void k() { oops }")
    with pytest.raises(CompileError) as caught:
        program.compile()
    assert caught.value.diagnostics.startswith("program.hip:2:23: error: use of undeclared identifier 'oops'")
    assert program.log == caught.value.diagnostics


def test_what_cannot_be_made() -> None:
    with pytest.raises(UsageError, match="fortran"):
        Program("", "fortran")
    with pytest.raises(UsageError, match="cubin"):
        Program("").compile("cubin")


def test_another_device_s_code(device: Device) -> None:
    made = Program('extern "C" __global__ void k() {}', "hip", ProgramOptions(arch="gfx1100")).compile()
    with pytest.raises(HipError, match=r"hipErrorNoBinaryForGpu.*gfx1100") as caught:
        made.get_kernel("k")
    assert caught.value.hint == "compile with --offload-arch=gfx942"
