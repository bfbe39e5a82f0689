import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import anyhip
from anyhip.errors import HipError
from anyhip.runtime import arguments, module
from anyhip.runtime.buffer import Buffer, address_and_size
from anyhip.runtime.device import Device
from anyhip.runtime.face import LaunchConfig, launch
from runtime.fake import FakeDevice, kernel_info
from runtime.test_launch import bundle


def arg(size: int, kind: str = "by_value") -> SimpleNamespace:
    return SimpleNamespace(size=size, value_kind=kind)


def kernel_with(device: Device, fake: FakeDevice, *args: SimpleNamespace) -> Any:
    fake.code.kernels["k"] = kernel_info(args=(*args, arg(4, "hidden_block_count_x")))
    return module.load_data(device, bundle()).kernel("k")


def packed(kernel: Any, *values: object) -> list[bytes]:
    _, kept = arguments.pack(kernel, values)
    return [cell.raw for cell in kept]


def test_numbers_take_the_argument_s_size(device: Device, fake: FakeDevice) -> None:
    kernel = kernel_with(device, fake, arg(1), arg(4), arg(8), arg(4), arg(8), arg(1))
    assert packed(kernel, -1, 7, -2, 1.5, 1.5, True) == [
        b"\xff",
        b"\x07\0\0\0",
        b"\xfe" + b"\xff" * 7,
        np.float32(1.5).tobytes(),
        np.float64(1.5).tobytes(),
        b"\x01",
    ]


def test_scalars_and_structures_keep_theirs(device: Device, fake: FakeDevice) -> None:
    class Pair(ctypes.Structure):
        _fields_ = (("a", ctypes.c_int), ("b", ctypes.c_float))

    kernel = kernel_with(device, fake, arg(2), arg(4), arg(8))
    values = packed(kernel, np.float16(2), ctypes.c_uint32(9), Pair(1, 2.0))
    assert values == [b"\x00\x40", b"\x09\0\0\0", b"\x01\0\0\0\x00\x00\x00\x40"]


def test_memory_goes_by_address(device: Device, fake: FakeDevice) -> None:
    kernel = kernel_with(device, fake, arg(8, "global_buffer"), arg(8, "global_buffer"))
    buffer, array = device.allocate(64), np.zeros(4)
    assert packed(kernel, buffer, array) == [
        buffer.handle.to_bytes(8, "little"),
        array.ctypes.data.to_bytes(8, "little"),
    ]


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ((1,), "takes 2 arguments, 1 were given"),
        ((1, 300), "argument 1: 300 does not fit 1 bytes"),
        ((np.int64(1), 1), "argument 0"),
    ],
)
def test_what_does_not_fit(device: Device, fake: FakeDevice, values: tuple[object, ...], why: str) -> None:
    kernel = kernel_with(device, fake, arg(4), arg(1))
    with pytest.raises(HipError, match=why):
        arguments.pack(kernel, values)


def test_launch(device: Device, fake: FakeDevice) -> None:
    kernel = kernel_with(device, fake, arg(4))
    launch(device.default_stream, LaunchConfig(grid=(2, 3), block=64, shmem_size=8), kernel, 5)
    (_, number, grid, block, shared, _, cooperative) = fake.launches[0]
    assert (number, grid, block, shared, cooperative) == (1, (2, 3, 1), (64, 1, 1), 8, False)
    with pytest.raises(HipError, match="hipErrorInvalidConfiguration"):
        launch(device.default_stream, LaunchConfig((1, 1, 1, 1), 1), kernel, 5)


def test_buffers_copy(device: Device) -> None:
    source = np.arange(16, dtype=np.float32)
    with device.allocate(64) as buffer:
        buffer.copy_from(source)
        result = np.empty(16, np.float32)
        buffer.copy_to(result)
        assert (result == source).all()
        buffer.fill(0)
        buffer.copy_to(result)
        assert not result.any()
        with pytest.raises(HipError, match="65 bytes, the buffer has 64"):
            buffer.copy_from(bytes(65))


def test_buffers_share_memory_with_numpy(device: Device, fake: FakeDevice) -> None:
    buffer = device.allocate(64)
    for shared in (np.from_dlpack(buffer), np.asarray(buffer)):
        assert shared.ctypes.data == buffer.handle
        assert (shared.dtype, shared.shape) == (np.uint8, (64,))
    buffer.fill(3)
    assert shared.sum() == 3 * 64


def test_a_dlpack_view_keeps_the_buffer(device: Device, fake: FakeDevice) -> None:
    view = np.from_dlpack(device.allocate(64))
    assert len(fake.buffers) == 1
    del view
    assert fake.buffers == {}


def test_an_unused_capsule_frees_the_buffer(device: Device, fake: FakeDevice) -> None:
    for version in (None, (1, 0)):
        capsule = device.allocate(64).__dlpack__(max_version=version)
        assert len(fake.buffers) == 1
        del capsule
        assert fake.buffers == {}


def test_dlpack_elsewhere(device: Device) -> None:
    buffer = device.allocate(8)
    assert buffer.__dlpack_device__() == (1, 0)
    with pytest.raises(BufferError):
        buffer.__dlpack__(dl_device=(10, 0))


def test_addresses() -> None:
    array = np.zeros((2, 3), np.int16)
    assert address_and_size(array) == (array.ctypes.data, 12)
    mutable = bytearray(5)
    assert address_and_size(mutable)[1] == 5
    with pytest.raises(TypeError, match="not contiguous"):
        address_and_size(array[:, ::2])
    with pytest.raises(TypeError, match="read-only"):
        address_and_size(memoryview(b"12"))


def test_closing_twice(device: Device, fake: FakeDevice) -> None:
    buffer = Buffer.allocate(device, 8, device.default_stream)
    buffer.close()
    buffer.close()
    assert fake.buffers == {}


def test_every_exported_name_exists() -> None:
    assert set(anyhip.__all__) <= set(dir(anyhip))
    for name in anyhip.__all__:
        assert getattr(anyhip, name).__doc__
    with pytest.raises(AttributeError):
        _ = anyhip.no_such_name


def test_what_cannot_be_an_argument_is_named_by_its_place(device: Device, fake: FakeDevice) -> None:
    kernel = kernel_with(device, fake, arg(8), arg(4))
    with pytest.raises(TypeError, match="k: argument 1: "):
        arguments.pack(kernel, (0, "text"))
    with pytest.raises(HipError, match="k: argument 1: 4294967296 does not fit 4 bytes"):
        arguments.pack(kernel, (0, 1 << 32))


def test_a_closed_buffer_is_refused_before_a_kernel_sees_it(device: Device, fake: FakeDevice) -> None:
    kernel = kernel_with(device, fake, arg(8, "global_buffer"))
    buffer = device.allocate(64)
    buffer.close()
    buffer.close()
    with pytest.raises(HipError, match="the buffer was closed"):
        arguments.pack(kernel, (buffer,))
    assert repr(buffer).endswith("(closed)>")


@pytest.mark.parametrize("grid", [-1, (1, -2), (1, 1, 1, 1), ()])
def test_a_shape_of_no_size_is_no_shape(device: Device, fake: FakeDevice, grid: Any) -> None:
    kernel = kernel_with(device, fake)
    with pytest.raises(HipError, match="hipErrorInvalidConfiguration"):
        launch(device.default_stream, LaunchConfig(grid, 64), kernel)


def test_a_shape_is_made_of_whole_numbers(device: Device, fake: FakeDevice) -> None:
    with pytest.raises(TypeError):
        launch(device.default_stream, LaunchConfig(1.5, 64), kernel_with(device, fake))  # type: ignore[arg-type]
