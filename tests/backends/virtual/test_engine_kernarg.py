"""Arguments in memory and in SGPRs, against the layouts of LLVM AMDGPUUsage."""

from __future__ import annotations

import ctypes
import struct

import pytest

from anyhip.backends.virtual import layout
from backends.virtual.engine_kernels import KERNARG_PTR, Kernel, Words

DISPATCH_PTR, QUEUE_PTR, DISPATCH_ID, FLAT_SCRATCH_INIT, PRIVATE_SIZE, WAVE32 = (
    1 << n for n in (1, 2, 4, 5, 6, 10)
)


COV5 = [  # AMDGPUUsage, "Code Object V5 Metadata": offsets from the implicit argument pointer
    ("hidden_block_count_x", 0), ("hidden_block_count_y", 4), ("hidden_block_count_z", 8),
    ("hidden_group_size_x", 12), ("hidden_group_size_y", 14), ("hidden_group_size_z", 16),
    ("hidden_remainder_x", 18), ("hidden_remainder_y", 20), ("hidden_remainder_z", 22),
    ("hidden_global_offset_x", 40), ("hidden_global_offset_y", 48), ("hidden_global_offset_z", 56),
    ("hidden_grid_dims", 64), ("hidden_multigrid_sync_arg", 88), ("hidden_dynamic_lds_size", 120),
    ("hidden_private_base", 192), ("hidden_shared_base", 196), ("hidden_queue_ptr", 200),
]  # fmt: skip


def test_explicit_arguments_are_packed_by_offset_and_size(device):
    out = ctypes.create_string_buffer(32)
    args = [(0, 8), (8, 8), (16, 4), (20, 1), (24, 8), (32, 12)]
    kernel = Kernel(device, "copy_kernarg", args=args, kernarg=48)
    triple = (ctypes.c_float * 3)(1.0, 2.0, 3.0)

    values = [
        ctypes.c_uint64(ctypes.addressof(out)),
        ctypes.c_uint64(32),
        ctypes.c_uint32(7),
        ctypes.c_uint8(200),
    ]
    cells = [*values, ctypes.c_double(0.5), triple]
    pointers = (ctypes.c_void_p * 6)(*[ctypes.addressof(cell) for cell in cells])
    device.launch(device.default_stream, kernel.handle, (1, 1, 1), (1, 1, 1), 0, ctypes.addressof(pointers))
    triple[0] = 99.0  # the launch has taken its copy
    device.wait_all()
    assert out.raw[:32] == struct.pack("<IB3xd3f4x", 7, 200, 0.5, 1.0, 2.0, 3.0)


@pytest.mark.parametrize(
    ("grid", "block", "dims"),
    [((5, 1, 1), (64, 1, 1), 1), ((5, 6, 1), (8, 4, 1), 2), ((1, 1, 2), (3, 1, 1), 3)],
)
def test_hidden_arguments_of_code_object_v5(device, grid, block, dims):
    out = ctypes.create_string_buffer(256)
    hidden = [(kind, 16 + offset) for kind, offset in COV5]
    kernel = Kernel(device, "copy_kernarg", args=2, hidden=hidden, kernarg=272, lds=128)
    kernel(ctypes.addressof(out), 256, grid=grid, block=block, shared=96)
    device.wait_all()
    raw = out.raw
    assert struct.unpack_from("<3I3H3H", raw) == (*grid, *block, 0, 0, 0)
    assert struct.unpack_from("<3Q", raw, 40) == (0, 0, 0)
    assert struct.unpack_from("<H", raw, 64) == (dims,)
    assert struct.unpack_from("<Q", raw, 88) == (0,)
    assert struct.unpack_from("<I", raw, 120) == (96,)
    assert struct.unpack_from("<IIQ", raw, 192) == (layout.PRIVATE_APERTURE, layout.SHARED_APERTURE, 0)
    assert raw[128:192] == bytes(64)


def test_hidden_arguments_beyond_the_segment_are_left_out(device):
    out = ctypes.create_string_buffer(b"\xff" * 16, 16)
    kernel = Kernel(device, "copy_kernarg", args=2, hidden=[("hidden_block_count_x", 20)], kernarg=20)
    kernel(ctypes.addressof(out), 16, grid=(9, 1, 1))
    device.wait_all()
    assert out.raw == bytes(16)


def test_packed_launch(device):
    out = ctypes.create_string_buffer(24)
    kernel = Kernel(device, "copy_kernarg", args=2, hidden=[("hidden_block_count_x", 24)], kernarg=32)
    kernarg = struct.pack("<QQQ", ctypes.addressof(out), 16, 0x1122334455667788)
    device.launch_packed(device.default_stream, kernel.handle, (3, 1, 1), (1, 1, 1), 0, kernarg)
    device.wait_all()
    assert out.raw[:16] == struct.pack("<QII", 0x1122334455667788, 3, 0)


def sgprs(device, values=(), **bits):
    out = Words(128)
    launch = {name: bits.pop(name) for name in ("grid", "block", "shared") if name in bits}
    Kernel(device, "copy_sgprs", **bits)(out.address, *values, **launch)
    device.wait_all()
    return [out[i] for i in range(128)]


def pointer(words, at):
    return words[at] | words[at + 1] << 32


def test_preloaded_arguments_and_group_ids(device):
    # length 3 from dword 2: the second and third argument's first three dwords
    got = sgprs(
        device, (0x1111111122222222, 0x3333333344444444), user_sgprs=5, preload=2 << 7 | 3, group_ids=0b101
    )
    assert got[2:5] == [0x22222222, 0x11111111, 0x44444444]
    assert got[5:7] == [0, 0]
    assert got[126:128] == [0xFFFFFFFF, 0xFFFFFFFF]


def test_unused_sgprs_are_zero(device):
    got = sgprs(device)
    assert set(got[2:126]) == {0}


def test_wave32_has_half_an_exec_and_twice_the_waves(device):
    out = Words(2 * 66, ctypes.c_uint64)
    Kernel(device, "ids", properties=KERNARG_PTR | WAVE32)(out.address, 2, block=(40, 1, 1))
    device.wait_all()
    assert (out[64], out[66 + 64]) == (0xFFFFFFFF, 0xFF)
    assert [out[66 + lane] for lane in range(8)] == list(range(32, 40))


def test_dispatch_packet(device):
    """hsa_kernel_dispatch_packet_t, reached through the dispatch pointer that comes before the arguments'."""
    words = Words(16)
    kernel = Kernel(
        device, "copy_dispatch", properties=DISPATCH_PTR | KERNARG_PTR, user_sgprs=4, lds=64, scratch=32
    )
    kernel(words.address, grid=(3, 2, 1), block=(16, 4, 1), shared=8)
    device.wait_all()
    raw = struct.pack("<16I", *[words[i] for i in range(16)])
    header, dims, x, y, z, _ = struct.unpack_from("<6H", raw)
    assert (header & 0xFF, dims, (x, y, z)) == (2, 2, (16, 4, 1))
    assert struct.unpack_from("<5I", raw, 12) == (48, 8, 1, 32, 72)
    descriptor, kernarg = struct.unpack_from("<QQ", raw, 32)
    assert descriptor
    assert kernarg % 64 == 0


def test_grid_sync_argument_of_cooperative_launches(device):
    """struct mg_info of ROCm's device library: grid 0 of 1, and how many workgroups and work-items it has."""
    words = Words(11)
    kernel = Kernel(device, "copy_grid_sync", args=2, hidden=[("hidden_multigrid_sync_arg", 16)], kernarg=24)
    kernel(words.address, 0, grid=(5, 1, 1), block=(64, 1, 1), cooperative=True)
    device.wait_all()
    raw = struct.pack("<11I", *[words[i] for i in range(11)])
    assert struct.unpack("<QIIQQIII", raw) == (0, 0, 1, 0, 320, 0, 0, 5)
