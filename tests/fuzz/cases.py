"""One case a function: a target and a random generator in, a word for how it ended out.

A case that raises anything but an AnyHIP error has found a fault of ours.
"""

from __future__ import annotations

import contextlib
import ctypes
import random
import struct
import threading
from collections.abc import Callable
from functools import cache

from anyhip.backends.virtual import interpreter
from anyhip.backends.virtual.device import VirtualDevice
from anyhip.backends.virtual.interpreter import Dispatch
from anyhip.backends.virtual.semantics import load_all
from anyhip.codeobj import bundle, codeobject
from anyhip.errors import AnyHipError, DeviceFault, IsaError
from anyhip.isa import text
from anyhip.isa.decode import decode
from anyhip.runtime import image
from anyhip.target import Target
from anyhip.tools import objdump
from fuzz import mutate, seeds

__all__ = ["CASES", "STOP_SECONDS"]

STOP_SECONDS = 1.0  # time that a kernel gets
ITEMS = 64
DATA_BYTES = 65536
_PACKINGS: tuple[tuple[str | None, int], ...] = ((None, 3), ("zstd", 2), ("zstd", 3), ("zlib", 3))


class Stopped(AnyHipError):
    """The case took too long, as a kernel with a wrong branch may."""


@cache
def device(arch: str) -> VirtualDevice:
    """The device that all cases of a process share: each must leave it usable."""
    return VirtualDevice(Target.parse(arch), memory=1 << 30)


# -- loading
@cache
def images(arch: str) -> list[bytes]:
    """Code objects of all versions, alone and in bundles."""
    objects = [seeds.elf(arch, version) for version in (4, 5, 6)]
    entries = [("host-x86_64-unknown-linux-gnu-", b""), (f"hipv4-amdgcn-amd-amdhsa--{arch}", objects[1])]
    packed = [bundle.bundle(entries, method, version) for method, version in _PACKINGS]
    return [*objects, *packed]


def load(arch: str, rng: random.Random) -> str:
    """A damaged file through everything that reads files: reader, disassembler, loader, first translation."""
    whole = rng.choice(images(arch))
    damage = mutate.damaged if rng.random() < 0.5 else mutate.headers_damaged
    data = damage(whole, rng)
    kept = ctypes.create_string_buffer(data)
    with contextlib.suppress(AnyHipError):  # then the file itself goes on
        data = image.read(ctypes.addressof(kept))
    code = device(arch).select(bundle.unbundle(data))
    for entry in code.kernels.values():
        objdump.listing(code, entry)
    module = device(arch).load(code)
    try:
        for name in list(code.symbols)[:8]:
            try:
                module.symbol(name)
            except KeyError:
                continue
        for name in list(code.kernels)[:2]:
            launch(arch, module, name)
    finally:
        module.unload()
    return "ran"


# -- machine code
def launch(arch: str, module: object, name: str) -> None:
    """Run a kernel of a module on memory of its own, for a while."""
    gpu = device(arch)
    data = gpu.allocate(DATA_BYTES)
    stopped = threading.Event()

    def stop() -> None:
        stopped.set()
        gpu.abort()

    timer = threading.Timer(STOP_SECONDS, stop)
    timer.start()
    try:
        kernarg = struct.pack("<QI", data, 21)
        gpu.launch_packed(gpu.default_stream, module.kernel(name), (2, 1, 1), (ITEMS, 1, 1), 0, kernarg)
        gpu.wait_all()
    finally:
        timer.cancel()
        timer.join()
        gpu.settle()
        gpu.clear_faults()
        gpu.free(data)
    if stopped.is_set():
        raise Stopped("stopped after a while")


def translate(arch: str, rng: random.Random) -> str:
    """Wrong machine code through the translator and the engine."""
    words = mutate.instructions(seeds.generation(arch), rng, seeds.real_code(arch))
    module = device(arch).load(codeobject.load(seeds.with_code(arch, words)))
    try:
        launch(arch, module, "hole")
    finally:
        module.unload()
    return "ran"


def check(arch: str) -> None:
    """The device still does what it should."""
    gpu = device(arch)
    module = gpu.load(seeds.loaded(arch))
    data = gpu.allocate(4 * ITEMS)
    kernarg = struct.pack("<QI", data, 5)
    gpu.launch_packed(gpu.default_stream, module.kernel("good"), (1, 1, 1), (ITEMS, 1, 1), 0, kernarg)
    gpu.wait_all()
    numbers = struct.unpack(f"<{ITEMS}I", ctypes.string_at(data, 4 * ITEMS))
    gpu.free(data)
    module.unload()
    assert numbers == tuple(range(5, 5 + ITEMS)), "the device computes wrongly after a bad kernel"


class Window:
    """Global memory of the interpreter: a few pieces of this process, and nothing else."""

    def __init__(self) -> None:
        self.pieces: list[tuple[int, int]] = []

    def _check(self, address: int, size: int) -> None:
        if not any(begin <= address and address + size <= end for begin, end in self.pieces):
            raise DeviceFault("hipErrorIllegalAddress", f"{size} bytes at {address:#x}")

    def read(self, address: int, size: int) -> bytes:
        """``size`` bytes from ``address``."""
        self._check(address, size)
        return ctypes.string_at(address, size)

    def write(self, address: int, data: bytes) -> None:
        """Store ``data`` at ``address``."""
        self._check(address, len(data))
        ctypes.memmove(address, data, len(data))


def interpret(arch: str, rng: random.Random) -> str:
    """Wrong machine code through the reference interpreter."""
    words = mutate.instructions(seeds.generation(arch), rng, seeds.real_code(arch))
    code = codeobject.load(seeds.with_code(arch, words))
    load_all()
    data, memory = ctypes.create_string_buffer(DATA_BYTES), Window()
    kernarg = struct.pack("<QI", ctypes.addressof(data), 21)
    there = interpreter.load(code)
    run = Dispatch(code, code.kernels["hole"], (1, 1, 1), (ITEMS, 1, 1), kernarg, 0, memory, there)
    size = max(segment.vaddr + segment.memsz for segment in code.segments)
    memory.pieces = [
        (ctypes.addressof(data), ctypes.addressof(data) + DATA_BYTES),
        (run.kernarg_address, run.kernarg_address + len(run.preload)),
        (there.base, there.base + size),
    ]
    run.run()
    return "ran"


def disassemble(arch: str, rng: random.Random) -> str:
    """Random words through the decoder and the disassembler, a few hundred at once."""
    target = Target.parse(arch)
    words = mutate.instructions(seeds.generation(arch), rng, seeds.real_code(arch))
    words += rng.randbytes(64)
    for offset in range(0, len(words) - 20, 4):
        try:
            text.format(decode(words, offset, offset, target))
        except IsaError:
            continue
    return "read"


CASES: dict[str, Callable[[str, random.Random], str]] = {
    "load": load,
    "translate": translate,
    "interpret": interpret,
    "disassemble": disassemble,
}
