"""Every ALU instruction on both executors: translated code must leave what the reference interpreter leaves.

Instructions run in batches: one kernel reads random sources, executes each instruction into registers of its
own under a partial EXEC, and stores all results.
"""

from __future__ import annotations

import ctypes
import struct
from dataclasses import dataclass, field

import numpy as np
import pytest

from anyhip.backends.virtual import interpreter, jit, layout, semantics
from anyhip.isa import opcodes
from anyhip.isa.opcodes import Opcode
from anyhip.isa.registers import dwords
from backends.virtual.kernels import linked
from isa.assembler import encode, size

semantics.load_all()
# Where each source field reads from, four registers apart; results go to v64 and up.
SOURCES = {"src0": 256 + 16, "src1": 256 + 20, "src2": 256 + 24, "vsrc1": 20, "ssrc0": 16, "ssrc1": 20}
SCALAR_RESULT, MASK_SOURCE, VCC_START, EXEC_START = 40, 24, 26, 30
FIRST_RESULT, LAST_RESULT = 64, 240
VECTOR_INPUTS, SCALAR_INPUTS = range(16, 28), range(16, 32)
SPECIAL = np.array(
    [
        *(0, 1, 31, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF),  # integers
        *(
            0x3F800000,
            0xBF800000,
            0x7F800000,
            0xFF800000,
            0x7FC00000,
            0x00400000,
            0x80000001,
            0x42F00000,
        ),  # f32
        *(0x3FF00000, 0x7FF00000, 0x3C003C00, 0x7C00FC00),  # high dwords of f64, pairs of f16
    ],
    np.uint32,
)


def meaningful() -> list[Opcode]:
    """Rows with a meaning whose operands are plain registers."""
    rows = [row for row in opcodes.load("gfx942") if row.klass in ("salu", "valu", "trans", "vcmp")]
    known = set(semantics.SEMANTICS) | set(semantics.PACKED) | set(semantics.MIXED)
    return [row for row in rows if row.name in known and "swap" not in row.flags]


@dataclass
class Batch:
    """Assembly of some instructions and what they leave: a label for each stored register."""

    text: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)

    @property
    def next(self) -> int:
        return FIRST_RESULT + len(self.results)

    def keep(self, label: str, source: str) -> None:
        self.text.append(f"v_mov_b32 v{self.next}, {source}")
        self.results.append(label)

    def add(self, row: Opcode) -> bool:
        """Append an instruction; False when the registers are used up."""
        if self.next + 12 > LAST_RESULT:
            return False
        fields = self._fields(row)
        word = encode(row, **fields)
        words = [hex(word >> 32 * i & 0xFFFFFFFF) for i in range(size(row, **fields) // 4)]
        vector = sum(dwords(type) for name, type in row.dst if name == "vdst")
        self.text += [f"v_mov_b32 v{self.next + i}, v{16 + i}" for i in range(vector)]
        self.text += [f"s_mov_b64 s[{SCALAR_RESULT}:{SCALAR_RESULT + 1}], s[20:21]"]
        self.text += [f"s_mov_b64 vcc, s[{VCC_START}:{VCC_START + 1}]", "s_bitcmp1_b32 s28, 0"]
        self.text += [f"s_mov_b64 exec, s[{EXEC_START}:{EXEC_START + 1}]", f".long {', '.join(words)}"]
        self.text += ["s_cselect_b32 s44, 1, 0", "s_mov_b64 s[46:47], exec", "s_mov_b64 exec, -1"]
        self.results += [f"{row.name} {row.format} vdst[{i}]" for i in range(vector)]
        for name, source in (("sdst", (40, 41)), ("scc", (44,)), ("vcc", (106, 107)), ("exec", (46, 47))):
            if any(name == n for n, _ in row.dst):
                for i, number in enumerate(source):
                    text = {106: "vcc_lo", 107: "vcc_hi"}.get(number, f"s{number}")
                    self.keep(f"{row.name} {row.format} {name}[{i}]", text)
        return True

    def _fields(self, row: Opcode) -> dict[str, int]:
        fields = {"op_sel_hi": 7} if row.format == "VOP3P" and "mix" not in row.flags else {}
        for name, type in (*row.src, *row.dst):
            if name in ("vcc", "scc", "exec", "m0"):
                continue
            if name == "vdst":
                fields[name] = self.next
            elif name == "sdst":
                fields[name] = SCALAR_RESULT
            elif name in ("simm16", "literal"):
                fields[name] = 0xC123
            else:
                fields[name] = MASK_SOURCE if type == "mask" and row.format == "VOP3" else SOURCES[name]
        return fields

    def source(self) -> str:
        loads = ["s_load_dwordx4 s[8:11], s[0:1], 0x0", "s_waitcnt lgkmcnt(0)"]
        loads += ["s_load_dwordx16 s[16:31], s[8:9], 0x4000", "v_lshlrev_b32 v1, 2, v0"]
        for i, number in enumerate(VECTOR_INPUTS):
            loads += [f"global_load_dword v{number}, v1, s[8:9] offset:{256 * i}"]
        loads += ["s_waitcnt vmcnt(0) lgkmcnt(0)"]
        stores = []
        for i in range(len(self.results)):
            stores += [f"global_store_dword v1, v{FIRST_RESULT + i}, s[10:11]", "v_add_u32 v1, 0x100, v1"]
        return HEAD + "\n".join([*loads, *self.text, *stores, "s_endpgm"]) + TAIL


HEAD = """.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.p2align 8
.globl kernel
.type kernel,@function
kernel:
"""
TAIL = """
.rodata
.p2align 6
.amdhsa_kernel kernel
  .amdhsa_kernarg_size 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_count 2
  .amdhsa_next_free_vgpr 256
  .amdhsa_next_free_sgpr 96
  .amdhsa_accum_offset 256
.end_amdhsa_kernel
"""


def batches(rows: list[Opcode]) -> list[Batch]:
    found = [Batch()]
    for row in rows:
        if not found[-1].add(row):
            found.append(Batch())
            found[-1].add(row)
    return found


def random_words(random: np.random.Generator, count: int) -> np.ndarray:
    """Bits, special values, ordinary floats and small integers, mixed."""
    kinds = [
        random.integers(0, 1 << 32, count, dtype=np.uint64).astype(np.uint32),
        SPECIAL[random.integers(0, len(SPECIAL), count)],
        random.uniform(-300, 300, count).astype(np.float32).view(np.uint32),
        random.integers(0, 70, count).astype(np.uint32),
    ]
    return np.choose(random.integers(0, 4, count), kinds)


def run_translated(code, kernarg: bytes) -> None:
    """Call the translated kernel for one wave, as the native engine does."""
    function = ctypes.CDLL(str(jit.kernel_library(code, "kernel"))).anyhip_kernel
    function.argtypes = [ctypes.c_void_p]
    arguments = ctypes.create_string_buffer(kernarg, len(kernarg) + 64)
    state = ctypes.create_string_buffer(layout.OFFSETS["vgpr"] + 512 * layout.VGPR_BYTES + 64)
    wave = (ctypes.addressof(state) + 63) & ~63
    start = {"sgpr": ("<Q", ctypes.addressof(arguments)), "fuel": ("<I", 1 << 30)}
    for name, (form, value) in start.items():
        ctypes.memmove(wave + layout.OFFSETS[name], struct.pack(form, value), struct.calcsize(form))
    ctypes.memmove(wave + layout.OFFSETS["sgpr"] + 4 * 126, struct.pack("<Q", (1 << 64) - 1), 8)
    lanes = np.arange(64, dtype=np.uint32).tobytes()
    ctypes.memmove(wave + layout.OFFSETS["vgpr"], lanes, len(lanes))
    assert function(wave) == layout.Return.END


def nan_like(words: np.ndarray) -> np.ndarray:
    """Whether a word may be a NaN, or half of one: their signs and payloads are nobody's promise."""
    halves = words.view(np.float16).reshape(-1, 2)
    return np.isnan(words.view(np.float32)) | np.isnan(halves).any(1) | (words & 0x7FF00000 == 0x7FF00000)


def check(batch: Batch, folder, seed: int) -> None:
    source = folder / "batch.s"
    source.write_text(batch.source())
    code = linked(folder, source, "assembler")
    random = np.random.default_rng(seed)
    inputs = random_words(random, 0x1000 + 16)
    outputs = [np.zeros((len(batch.results), 64), np.uint32) for _ in "ab"]
    for out, run in zip(outputs, (run_translated, run_reference), strict=True):
        run(code, struct.pack("<QQ", inputs.ctypes.data, out.ctypes.data))
    translated, reference = outputs
    wrong = {}
    for i, label in enumerate(batch.results):
        got, expected = translated[i], reference[i]
        excused = nan_like(got) & nan_like(expected)
        if label.endswith("vdst[0]") and label[:-3] + "[1]" in batch.results[i + 1 : i + 2]:
            excused |= nan_like(translated[i + 1]) & nan_like(reference[i + 1])  # the low dword of a double
        lanes = np.flatnonzero((got != expected) & ~excused)
        if len(lanes):
            wrong[label] = f"lane {lanes[0]}: {got[lanes[0]]:#x}, expected {expected[lanes[0]]:#x}"
    assert not wrong


def run_reference(code, kernarg: bytes) -> None:
    interpreter.run(code, "kernel", (1, 1, 1), (64, 1, 1), kernarg)


BATCHES = batches(meaningful())


@pytest.mark.parametrize("number", range(len(BATCHES)))
def test_translation_agrees_with_the_interpreter(number, tmp_path):
    check(BATCHES[number], tmp_path, 100 + number)


def test_every_instruction_with_a_meaning_runs():
    ran = {label.split()[0] for batch in BATCHES for label in batch.results}
    assert ran == {row.name for row in meaningful()}
