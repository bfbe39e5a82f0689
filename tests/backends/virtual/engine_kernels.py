"""Kernels written in C for the engine's tests: compiled once a run, launched like translated ones."""

from __future__ import annotations

import ctypes
import struct
import tempfile
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from anyhip import toolchain
from anyhip.backends.virtual import engine, layout
from anyhip.backends.virtual.device import VirtualDevice
from anyhip.backends.virtual.faults import KernelSource

_FOLDER = tempfile.TemporaryDirectory(prefix="anyhip-engine-kernels")

KERNARG_PTR = 1 << 3


@cache
def library(name: str) -> Path:
    return toolchain.shared_library(
        Path(_FOLDER.name) / f"{name}.so",
        [Path(__file__).with_suffix(".c")],
        include_dirs=[engine.include_dir()],
        defines=[*layout.defines(), f"KERNEL_{name}"],
        flags=["-std=gnu11", "-Wno-infinite-recursion", "-fno-optimize-sibling-calls"],
    )


def descriptor(
    *, lds=0, scratch=0, user_sgprs=2, group_ids=0b111, workitem_dims=2, properties=KERNARG_PTR, preload=0
):
    rsrc1 = 0b1111_0000 << 12 | 1 << 21 | 1 << 23  # denormals on, round to nearest even, DX10_CLAMP, IEEE
    rsrc2 = user_sgprs << 1 | group_ids << 7 | workitem_dims << 11 | (scratch > 0)
    return struct.pack("<III4xq20xIIIHH4x", lds, scratch, 0, 0, 0, rsrc1, rsrc2, properties, preload)


class Kernel:
    """A hand-written kernel; its arguments are u64 each unless ``args`` gives (offset, size) pairs."""

    def __init__(
        self, device: VirtualDevice, name: str, *, args=3, hidden=(), kernarg=256, rows=8, packed=1, **bits
    ):
        ffi, lib = engine.ffi(), engine.lib()
        pairs = [(8 * i, 8) for i in range(args)] if isinstance(args, int) else args
        hidden_pairs = [(getattr(lib, kind.upper()), offset) for kind, offset in hidden]
        self._keep = [
            ffi.new("uint8_t[]", descriptor(**bits)),
            ffi.new("char[]", name.encode()),
            ffi.new("uint32_t[]", [n for pair in pairs for n in pair]),
            ffi.new("uint32_t[]", [n for pair in hidden_pairs for n in pair]),
        ]
        config = ffi.new("struct engine_kernel_config *")
        config.descriptor, config.name, config.explicit_args, config.hidden_args = self._keep
        config.explicit_count, config.hidden_count = len(pairs), len(hidden_pairs)
        config.kernarg_size, config.vgpr_rows = kernarg, rows
        config.packed_ids, config.architected_scratch = packed, 1
        self.device = device
        self.handle = lib.kernel_create(config)
        self.source = KernelSource(name)
        self.prints = any(kind == "hidden_printf_buffer" for kind, _ in hidden)
        self.module = SimpleNamespace(code=SimpleNamespace(printf_formats={}))
        self._native = str(library(name)).encode()
        device.add_kernel(self)

    def prepare(self, lanes: layout.LaneForm) -> None:
        """It is native already, and fits workgroups of every shape."""
        complaint = engine.lib().kernel_open(self.handle, self._native, lanes)
        assert complaint == engine.ffi().NULL, engine.ffi().string(complaint)

    def __call__(self, *values, grid=(1, 1, 1), block=(64, 1, 1), shared=0, stream=0, cooperative=False):
        cells = [v if isinstance(v, ctypes._SimpleCData) else ctypes.c_uint64(v) for v in values]
        pointers = (ctypes.c_void_p * max(len(cells), 3))(*[ctypes.addressof(c) for c in cells])
        unused = ctypes.c_uint64(0)
        for i in range(len(cells), 3):
            pointers[i] = ctypes.addressof(unused)
        stream = stream or self.device.default_stream
        self.device.launch(stream, self.handle, grid, block, shared, ctypes.addressof(pointers), cooperative)


class Words:
    """Host memory of u32 words: the virtual GPU reads and writes it as its own."""

    def __init__(self, count: int, kind=ctypes.c_uint32):
        self._array = (kind * count)()
        self.address = ctypes.addressof(self._array)

    def __getitem__(self, index):
        return self._array[index]

    def __setitem__(self, index, value):
        self._array[index] = value
