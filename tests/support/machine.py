"""Single instructions, run by translated code and by the reference interpreter on equal wave states."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from anyhip import toolchain
from anyhip.backends.virtual import cfg, interpreter, jit
from anyhip.backends.virtual.interpreter_memory import HostMemory
from anyhip.backends.virtual.interpreter_state import Group, Wave
from anyhip.backends.virtual.layout import OFFSETS, VGPR_BYTES, Return
from anyhip.backends.virtual.mode import Mode
from anyhip.backends.virtual.semantics import load_all
from anyhip.backends.virtual.translate import translate
from anyhip.isa import opcodes
from anyhip.isa.decode import Instruction, decode
from anyhip.isa.formats import FORMATS
from anyhip.target import Target

TARGET = Target.parse("gfx942")
SCRATCH = 8192  # bytes of private memory a lane
REGISTERS = 64  # VGPRs that instructions may name
_FORMATS = {format.name: format for format in FORMATS}
# Bits to clear so that operands are s0..s30 (even) or v0..v31: the upper bits of each register field.
_CLEAR = {
    "SOP1": 0b0110_0001_0000_0000_1110_0001,
    "SOP2": 0b0110_0001_1110_0001_1110_0001,
    "SOPC": 0b1110_0001_1110_0001,
    "SOPK": 0b0110_0001 << 16,
    "VOP1": 0b0000_0001_1100_0000_0000_0000_1110_0000,
    "VOP2": 0b0000_0001_1100_0001_1100_0000_1110_0000,
    "VOPC": 0b0000_0000_0000_0001_1100_0000_1110_0000,
    "VOP3": 0xE0 | 0xE0 << 32 | 0xE0 << 41 | 0xE0 << 50 | 1 << 32 | 1 << 41 | 1 << 50,
    "VOP3P": 0xE0 | 0xE0 << 32 | 0xE0 << 41 | 0xE0 << 50 | 1 << 32 | 1 << 41 | 1 << 50,
}
_MODIFIERS = {"VOP3": 0x7 << 8 | 0xF << 11 | 1 << 15 | 0x1F << 59, "VOP3P": 0}
INTERESTING = np.array(
    [0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000,
     0x00000001, 0x80000001, 0x007FFFFF, 0x3C003C00, 0x7C00FC00, 0x00018001, 0x7FEFFFFF, 0x7FF00000,
     0x4B800000, 31, 32],
    np.uint32,
)  # fmt: skip


def encode(opcode: opcodes.Opcode, rng: random.Random) -> int:
    """A random instruction of the row; modifiers only where its operands are floats."""
    format = _FORMATS[opcode.format]
    width, value = format.ident
    word = rng.getrandbits(8 * format.size) & ~_CLEAR[opcode.format]
    if "vop3b" in opcode.flags:
        word &= ~(0b1100001 << 8)
    if ("src2", "mask") in opcode.src:
        word &= ~(1 << 58)  # lane masks lie in scalar registers
    floats = all(type.startswith("f") for _, type in (*opcode.src, *opcode.dst) if type != "mask")
    modifiers = _MODIFIERS.get(opcode.format, 0)
    if "vop3b" in opcode.flags:
        modifiers &= ~(0x7F << 8)
    if modifiers and not floats:
        word &= ~modifiers
    elif modifiers:
        word &= ~(0xF << 11 if "vop3b" not in opcode.flags else 0)
    word &= ~(((1 << width) - 1) << 32 - width) & ~(((1 << format.opcode.width) - 1) << format.opcode.low)
    return word | value << 32 - width | opcode.number << format.opcode.low


def with_sdwa(word: int, rng: random.Random, floats: bool) -> int:
    """A VOP1, VOP2 or VOPC word in SDWA form, parts and extensions at random (CDNA3 ISA, "SDWA")."""
    extra = rng.randrange(32) | rng.randrange(7) << 8 | rng.randrange(3) << 11
    extra |= rng.randrange(7) << 16 | rng.randrange(7) << 24
    extra |= (
        rng.getrandbits(2) << 20 | rng.getrandbits(2) << 28
        if floats
        else rng.getrandbits(1) << 19 | rng.getrandbits(1) << 27
    )
    return word & ~0x1FF | 0xF9 | extra << 32


DPP_CONTROLS: list[int] = [
    *range(256), *range(0x101, 0x110), *range(0x111, 0x120), *range(0x121, 0x130),
    0x130, 0x134, 0x138, 0x13C, 0x140, 0x141, 0x142, 0x143, *range(0x150, 0x160),
]  # fmt: skip


def with_dpp(word: int, rng: random.Random, floats: bool) -> int:
    """A VOP1 or VOP2 word in DPP form (CDNA3 ISA, "DPP")."""
    extra = rng.randrange(32) | rng.choice(DPP_CONTROLS) << 8 | rng.getrandbits(1) << 19
    extra |= rng.choice((15, rng.getrandbits(4))) << 24 | rng.choice((15, rng.getrandbits(4))) << 28
    if floats:
        extra |= rng.getrandbits(4) << 20
    return word & ~0x1FF | 0xFA | extra << 32


def program(words: Sequence[tuple[int, int]], target: Target = TARGET) -> tuple[bytes, list[Instruction]]:
    """Machine code of the (word, size) instructions with an ``s_sleep`` after each, and them decoded."""
    code, found = bytearray(), []
    pause, end = (control(target, name) for name in ("s_sleep", "s_endpgm"))
    for word, size in words:
        code += word.to_bytes(size, "little")
        start = len(code) - size
        found.append(jit.unified(decode(bytes(code) + bytes(20), start, start, target), 0))
        assert found[-1].size == size, found[-1].name
        code += pause
    code += end
    return bytes(code), found


def control(target: Target, name: str) -> bytes:
    """An SOPP instruction without operand."""
    row = next(row for row in opcodes.load(target.generation) if row.name == name)
    return (0b101111111 << 23 | row.number << 16).to_bytes(4, "little")


def compile_program(
    code: bytes,
    folder: Path,
    two_versions: bool = False,
    scratch: bool = False,
    target: Target = TARGET,
    mode: Mode | None = None,
) -> ctypes.CDLL:
    """The translation of a program, loaded; every register counts as live everywhere."""
    load_all()
    flow = cfg.build(lambda pc: jit.unified(decode(code, pc, pc, target), 0), 0, [], target)
    for block in flow.blocks.values():
        block.live_in = set(range(REGISTERS))
        block.scalars_in = {cfg.SCC, *range(128)}
    text, unsupported = translate(flow, target, scratch, two_versions, mode=mode)
    assert not unsupported
    (folder / "program.o").write_bytes(jit.compile_ir(text))
    toolchain.link_shared(folder / "program.so", [folder / "program.o"])
    return ctypes.CDLL(str(folder / "program.so"))


class State:
    """A wave's registers as both sides start from them; EXEC is ``execute``'s low bits in a wave of 32."""

    def __init__(self, rng: random.Random, execute: int, wave_size: int = 64) -> None:
        execute &= (1 << wave_size) - 1
        seed = np.random.default_rng(rng.getrandbits(32))
        self.vgpr = seed.integers(0, 1 << 32, (REGISTERS, 64), np.uint32)
        special = seed.random((REGISTERS, 64)) < 0.4
        self.vgpr[special] = seed.choice(INTERESTING, int(special.sum()))
        small = seed.random(REGISTERS) < 0.25
        self.vgpr[small] = seed.normal(0, 10, (int(small.sum()), 64)).astype(np.float32).view(np.uint32)
        self.sgpr = seed.integers(0, 1 << 32, 128, np.uint32)
        self.sgpr[126], self.sgpr[127] = execute & 0xFFFFFFFF, execute >> 32
        self.scc = rng.getrandbits(1)


class Native:
    """Translated code on a wave state in memory."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.entry = library.anyhip_kernel
        self.entry.argtypes = [ctypes.c_void_p]
        size = OFFSETS["vgpr"] + REGISTERS * VGPR_BYTES
        self.memory = np.zeros(size + 64, np.uint8)
        start = -self.memory.ctypes.data % 64
        self.wave = self.memory[start : start + size]
        self.lds = np.zeros(65536 + 64, np.uint8)
        self.scratch = np.zeros(64 * SCRATCH + 768, np.uint8)

    def word(self, field: str, kind: type = np.uint32) -> np.ndarray:
        return self.wave[OFFSETS[field] : OFFSETS[field] + np.dtype(kind).itemsize].view(kind)

    def step(self, state: State, number: int) -> State:
        """Run the ``number``-th instruction of the program on the state."""
        self.wave[: OFFSETS["vgpr"]] = 0
        self.wave[:512].view(np.uint32)[:] = state.sgpr
        self.wave[OFFSETS["vgpr"] :].view(np.uint32)[:] = state.vgpr.reshape(-1)
        self.word("resume", np.uint64)[0] = number
        self.word("scc")[0] = state.scc
        self.word("fuel")[0] = 1000
        self.word("lds", np.uint64)[0] = self.lds.ctypes.data
        self.word("lds_size")[0] = 65536
        self.word("scratch", np.uint64)[0] = self.scratch.ctypes.data
        self.word("scratch_size")[0] = SCRATCH
        assert self.entry(self.wave.ctypes.data) == Return.YIELD
        after = State.__new__(State)
        after.sgpr = self.wave[:512].view(np.uint32).copy()
        after.vgpr = self.wave[OFFSETS["vgpr"] :].view(np.uint32).reshape(REGISTERS, 64).copy()
        after.scc = int(self.word("scc")[0])
        return after


def interpret(
    instruction: Instruction,
    state: State,
    group: Group | None = None,
    private: list[bytearray] | None = None,
    wave_size: int = 64,
    mode: Mode | None = None,
) -> State:
    """What the reference interpreter makes of the instruction.

    Args:
        private: each lane's private memory, changed in place.
        mode: MODE before it; HIP's default if None.
    """
    generation = instruction.opcode.generation
    wave = Wave(group or Group(HostMemory(), bytearray(65536), 0), 0, 0, wave_size, generation)
    if mode is not None:
        wave.set_mode(mode.bits)
    if private is not None:
        wave.scratch = private
    wave.sgpr[:] = state.sgpr
    wave.vector["v"][:REGISTERS] = state.vgpr
    wave.scc = bool(state.scc)
    interpreter.execute(wave, instruction)
    after = State.__new__(State)
    after.sgpr, after.vgpr, after.scc = wave.sgpr.copy(), wave.vector["v"][:REGISTERS].copy(), int(wave.scc)
    return after
