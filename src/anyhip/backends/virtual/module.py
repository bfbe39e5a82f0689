"""A code object in the virtual GPU's memory: segments copied, relocations applied, kernels launchable."""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any

from anyhip import cache
from anyhip.backends.virtual import engine
from anyhip.backends.virtual.faults import KernelSource
from anyhip.backends.virtual.layout import LaneForm, packed_ids
from anyhip.backends.virtual.mode import initial
from anyhip.codeobj.codeobject import CodeObject, KernelInfo, Relocation
from anyhip.errors import CodeObjectError, HipError

if TYPE_CHECKING:
    from pathlib import Path

    from anyhip.backends.virtual.device import VirtualDevice

__all__ = ["LoadedKernel", "VirtualModule"]

_PAGE = 4096
_DYNAMIC_STACK = 16 << 10  # bytes a lane for kernels whose need is not known
_HIDDEN_BLOCK, _PRINTF_BUFFER = 256, 72  # bytes of hidden arguments, and where in them printf's buffer is
_WAVE_OFFSET_SCRATCH = {"gfx9", "gfx908", "gfx90a", "gfx1030"}  # set up by the kernel's prolog
_TTMP_GROUP_IDS = {"gfx1200", "gfx1201"}

# Relocation types (LLVM AMDGPUUsage, "Relocation Records"): how the value is made, and what is stored of it.
_ABSOLUTE = {1: "lo", 2: "hi", 3: "64", 6: "lo"}
_RELATIVE = {4: "lo", 5: "64", 10: "lo", 11: "hi"}
_BASE_RELATIVE = 13


class LoadedKernel:
    """A kernel of a loaded module. Its native libraries are made when a launch needs them."""

    def __init__(self, module: VirtualModule, info: KernelInfo, handle: int) -> None:
        self.module = module
        self.info = info
        self.handle = handle
        self.source = KernelSource(info.name, module.code)
        self.prints = printf_offset(module.code, info) > 0
        self._lock = Lock()

    def prepare(self, lanes: LaneForm) -> None:
        """Translate and open the native library for workgroups of a form. Other kernels go on meanwhile.

        Raises:
            AnyHipError: it cannot be translated.
            HipError: hipErrorInvalidImage when the library does not open.
        """
        from anyhip.backends.virtual import jit

        with self._lock:
            if lanes in self.source.libraries:
                return
            library = jit.kernel_library(self.module.code, self.info.name, lanes)
            if self._open(library, lanes):
                cache.discard(library)  # damaged
                library = jit.kernel_library(self.module.code, self.info.name, lanes)
                if said := self._open(library, lanes):
                    what = f"kernel {self.info.name}: {library}: {said}"
                    raise HipError("hipErrorInvalidImage", what, "delete that file")
            self.source.libraries[lanes] = library

    def _open(self, library: Path, lanes: LaneForm) -> str:
        """Let the engine open the native library; what it complains of, if so."""
        ffi, lib = engine.ffi(), engine.lib()
        complaint = lib.kernel_open(self.handle, os.fsencode(library), lanes)
        return "" if complaint == ffi.NULL else ffi.string(complaint).decode(errors="replace")


class VirtualModule:
    """A code object loaded on one device (see :class:`anyhip.backends.backend.BackendModule`).

    Raises:
        HipError: hipErrorOutOfMemory.
        CodeObjectError: a relocation that cannot be applied.
    """

    def __init__(self, device: VirtualDevice, code: CodeObject) -> None:
        self.code = code
        self._device = device
        self._kernels: dict[str, LoadedKernel] = {}
        size = max((s.vaddr + s.memsz for s in code.segments), default=0)
        if not size:
            raise CodeObjectError("the code object has nothing to load")
        self.base = device.allocate(-(-size // _PAGE) * _PAGE)
        try:
            self._memory = engine.ffi().buffer(engine.ffi().cast("char *", self.base), size)
            for segment in code.segments:
                self._memory[segment.vaddr : segment.vaddr + len(segment.data)] = segment.data
            for relocation in code.relocations:
                self._relocate(relocation, size)
        except CodeObjectError:
            device.free(self.base)
            raise
        self._run_all("init")

    def _relocate(self, relocation: Relocation, size: int) -> None:
        value, part = self._relocated(relocation)
        data = struct.pack("<Q", value & (1 << 64) - 1)
        data = {"64": data, "lo": data[:4], "hi": data[4:]}[part]
        if not 0 <= relocation.offset <= size - len(data):
            raise CodeObjectError(f"a relocation patches {relocation.offset:#x}, outside of the code object")
        self._memory[relocation.offset : relocation.offset + len(data)] = data

    def _relocated(self, relocation: Relocation) -> tuple[int, str]:
        if relocation.type == _BASE_RELATIVE:
            return self.base + relocation.addend, "64"
        symbol = self.code.symbols.get(relocation.symbol)
        if symbol is None or symbol.kind == "undefined":
            name = relocation.symbol or "a symbol without a name"
            raise CodeObjectError(
                f"the code object uses {name}, which nothing defines",
                "link the device code with what defines it (-fgpu-rdc, --hip-link)",
            )
        value = self.base + symbol.value + relocation.addend
        if relocation.type in _ABSOLUTE:
            return value, _ABSOLUTE[relocation.type]
        if relocation.type in _RELATIVE:
            return value - (self.base + relocation.offset), _RELATIVE[relocation.type]
        raise CodeObjectError(f"relocation type {relocation.type} of {relocation.symbol} is not supported")

    def symbol(self, name: str) -> tuple[int, int]:
        """Address and size of a device variable. KeyError if absent."""
        symbol = self.code.symbols[name]
        if symbol.kind != "object":
            raise KeyError(name)
        return self.base + symbol.value, symbol.size

    def kernel(self, name: str) -> int:
        """Handle of a kernel. KeyError if absent."""
        loaded = self._kernels.get(name)
        if loaded is None:
            info = self.code.kernels[name]
            loaded = self._kernels[name] = LoadedKernel(self, info, self._create(info))
            self._device.add_kernel(loaded)
        return loaded.handle

    def _create(self, info: KernelInfo) -> int:
        ffi, lib = engine.ffi(), engine.lib()
        explicit = [n for arg in info.args if not arg.hidden for n in (arg.offset, arg.size)]
        hidden_args = [(arg.value_kind, arg.offset) for arg in info.args if arg.hidden]
        if printf_offset(self.code, info) and all(kind != "hidden_printf_buffer" for kind, _ in hidden_args):
            hidden_args.append(("hidden_printf_buffer", printf_offset(self.code, info)))
        hidden = [n for kind, offset in hidden_args for n in (_hidden_kind(lib, kind, info), offset)]
        generation = self.code.target.generation
        config = ffi.new("struct engine_kernel_config *")
        config.descriptor = ffi.cast("uint8_t *", self.base + info.descriptor_address)
        config.name = name = ffi.new("char[]", info.name.encode())  # noqa: F841 - kept until the engine has copied it
        numbers = [ffi.new("uint32_t[]", explicit), ffi.new("uint32_t[]", hidden)]
        config.explicit_args, config.hidden_args = numbers
        config.explicit_count, config.hidden_count = len(explicit) // 2, len(hidden) // 2
        config.code_base = self.base
        config.kernarg_size = info.kernarg_size
        config.packed_ids = packed_ids(self.code.target)
        config.architected_scratch = generation not in _WAVE_OFFSET_SCRATCH
        config.ttmp_group_ids = generation in _TTMP_GROUP_IDS
        config.mode = initial(info.descriptor.rsrc1, generation)
        config.vgpr_rows = _vgpr_rows(info)
        config.scratch_bytes = info.private_segment_size + (_DYNAMIC_STACK if info.uses_dynamic_stack else 0)
        handle: int = lib.kernel_create(config)
        if not handle:
            raise HipError("hipErrorOutOfMemory", f"no memory to load kernel {info.name}")
        return handle

    def attributes(self, kernel: int) -> Mapping[str, int]:
        """hipFuncAttributes by field name."""
        info = self._device.loaded_kernel(kernel).info
        limit = self._device.properties["sharedMemPerBlock"]
        assert isinstance(limit, int)
        return {
            "binaryVersion": self.code.target.major * 10 + self.code.target.minor,
            "cacheModeCA": 0,
            "constSizeBytes": 0,
            "localSizeBytes": info.private_segment_size,
            "maxDynamicSharedSizeBytes": limit - info.group_segment_size,
            "maxThreadsPerBlock": info.max_flat_workgroup_size,
            "numRegs": info.vgpr_count,
            "preferredShmemCarveout": 0,
            "ptxVersion": 0,
            "sharedSizeBytes": info.group_segment_size,
        }

    def _run_all(self, kind: str) -> None:
        """Device-side constructors and destructors (``.kind`` in LLVM AMDGPUUsage, "Kernel Metadata")."""
        names = [name for name, info in self.code.kernels.items() if info.kind == kind]
        for name in names:
            one = (1, 1, 1)
            self._device.launch_packed(self._device.default_stream, self.kernel(name), one, one, 0, b"")
        if names:
            self._device.wait_stream(self._device.default_stream)

    def unload(self) -> None:
        """Run device-side destructors, then free the module's memory."""
        self._run_all("fini")
        self._device.settle()
        for loaded in self._kernels.values():
            self._device.remove_kernel(loaded)
        self._kernels.clear()
        self._device.free(self.base)


def _vgpr_rows(info: KernelInfo) -> int:
    """Rows of the wave's register file: accumulation VGPRs follow at the descriptor's offset, or at 256."""
    rows = info.vgpr_count
    if info.agpr_count:
        rows = max(rows, (info.descriptor.accum_offset or 256) + info.agpr_count)
    return max(-(-rows // 8) * 8, 8)


def printf_offset(code: CodeObject, info: KernelInfo) -> int:
    """Where in the kernel's arguments the printf buffer's address belongs; 0: it takes none.

    The metadata names that argument only in objects that hold a format, but assert() uses the buffer as well.
    From code-object version 5 on its place in the block of hidden arguments is fixed, and the block is whole
    wherever a kernel uses any of it (LLVM AMDGPUUsage, "Code Object V5 Metadata").
    """
    listed = {arg.value_kind: arg.offset for arg in info.args if arg.hidden}
    if "hidden_printf_buffer" in listed:
        return listed["hidden_printf_buffer"]
    block = listed.get("hidden_block_count_x", 0)
    whole = (
        code.version >= 5 and "hidden_block_count_x" in listed and info.kernarg_size >= block + _HIDDEN_BLOCK
    )
    return block + _PRINTF_BUFFER if whole else 0


def _hidden_kind(lib: Any, value_kind: str, info: KernelInfo) -> int:
    number: int | None = getattr(lib, value_kind.upper(), None)
    if number is None:
        raise CodeObjectError(f"kernel {info.name} wants an argument {value_kind}, which is unknown")
    return number
