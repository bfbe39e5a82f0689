"""LDS instructions of their own kind, loads straight to LDS, and what of MODE may be set."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from anyhip.backends.virtual import cfg
from anyhip.backends.virtual.interpreter_lds import LDS_INSTRUCTIONS
from anyhip.backends.virtual.interpreter_memory import HostMemory
from anyhip.backends.virtual.interpreter_state import Group
from anyhip.backends.virtual.semantics.memory import find
from anyhip.backends.virtual.translate import translate
from anyhip.errors import UnsupportedInstruction
from anyhip.isa import opcodes
from anyhip.isa.decode import Instruction, decode
from anyhip.isa.registers import M0
from support.machine import SCRATCH, TARGET, Native, State, compile_program, interpret, program

ADDRESS, DATA, SECOND, RESULT = 2, 8, 16, 24
BYTES = 32768
EXECS = ((1 << 64) - 1, 0x0F0F_3355_0000_FFFE)
GFX942 = opcodes.load("gfx942")
LDS = [row for row in GFX942 if row.name in LDS_INSTRUCTIONS and row.klass == "lds"]
STRAIGHT = [row for row in GFX942 if (memory := find(row.name)) and memory.to_lds]


def lds_word(row: opcodes.Opcode, offsets: int = 1 | 3 << 8) -> tuple[int, int]:
    word = 0b110110 << 26 | row.number << 17 | offsets
    return word | ADDRESS << 32 | DATA << 40 | SECOND << 48 | RESULT << 56, 8


def straight_word(row: opcodes.Opcode) -> tuple[int, int]:
    """Address v2:3 (global) or v2 (private), offset 16."""
    segment = 2 if row.format == "GLOBAL" else 1
    word = 0b110111 << 26 | row.number << 18 | segment << 14 | 16 | (row.format == "SCRATCH") << 13
    return word | ADDRESS << 32 | 0x7F << 48, 8


def both(
    native: Native, number: int, instruction: Instruction, state: State, before: np.ndarray
) -> tuple[State, np.ndarray]:
    """Run it twice; registers and LDS must be the same, and are returned."""
    native.lds[:BYTES], native.scratch[:BYTES] = before, before
    columns = native.scratch[: 64 * SCRATCH].view(np.uint32).reshape(-1, 64)
    private = [bytearray(columns[:, lane].tobytes()) for lane in range(64)]
    made = native.step(state, number)
    group = Group(HostMemory(), bytearray(before.tobytes() + bytes(65536 - BYTES)), 0)
    wanted = interpret(instruction, state, group, private)
    lds = native.lds[:BYTES].copy()
    np.testing.assert_array_equal(made.vgpr, wanted.vgpr, instruction.name)
    np.testing.assert_array_equal(lds, np.frombuffer(bytes(group.lds[:BYTES]), np.uint8), instruction.name)
    return made, lds


def test_every_form_agrees(tmp_path: Path) -> None:
    code, instructions = program([*map(lds_word, LDS), *map(straight_word, STRAIGHT)])
    native = Native(compile_program(code, tmp_path, scratch=True))
    rng = random.Random(3)
    source = np.frombuffer(rng.randbytes(4096), np.uint8)
    for number, instruction in enumerate(instructions):
        for execute in (*EXECS, 0):
            state = State(rng, execute)
            state.sgpr[M0] = 512
            places = np.array(rng.sample(range(64), 64), np.uint64) * np.uint64(8)
            if instruction.format == "GLOBAL":
                places += np.uint64(source.ctypes.data)
            state.vgpr[ADDRESS], state.vgpr[ADDRESS + 1] = (
                places & np.uint64(0xFFFFFFFF),
                places >> np.uint64(32),
            )
            both(native, number, instruction, state, np.frombuffer(rng.randbytes(BYTES), np.uint8))


def one(
    name: str, folder: Path, state: State, before: np.ndarray, offsets: int = 0
) -> tuple[State, np.ndarray]:
    row = next(row for row in GFX942 if row.name == name)
    code, (instruction,) = program([lds_word(row, offsets)])
    return both(Native(compile_program(code, folder)), 0, instruction, state, before)


def test_counting(tmp_path: Path) -> None:
    """Twenty lanes append: the counter at M0 + 8 goes from 5 to 25, and each of them gets 5."""
    state = State(random.Random(1), (1 << 20) - 1)
    state.sgpr[M0] = 16
    before = np.zeros(BYTES, np.uint8)
    before[24] = 5
    made, lds = one("ds_append", tmp_path, state, before, 8)
    assert (lds[24], set(made.vgpr[RESULT, :20])) == (25, {5})
    assert (made.vgpr[RESULT, 20:] == state.vgpr[RESULT, 20:]).all()


@pytest.mark.parametrize(
    ("name", "first", "second", "memory", "expected"),
    [
        ("ds_mskor_rtn_b32", 0xFF, 0x5, 0x1234, 0x1205),
        ("ds_wrap_rtn_b32", 10, 100, 7, 107),
        ("ds_wrap_rtn_b32", 10, 100, 12, 2),
        ("ds_cmpst_rtn_f32", 0x80000000, 77, 0, 77),  # -0.0 equals 0.0
        ("ds_cmpst_rtn_f32", 0x7FC00000, 77, 0x7FC00000, 0x7FC00000),  # NaN equals nothing
    ],
)
def test_atomics(name: str, first: int, second: int, memory: int, expected: int, tmp_path: Path) -> None:
    state = State(random.Random(1), 1)
    state.vgpr[ADDRESS], state.vgpr[DATA], state.vgpr[SECOND] = 64, first, second
    before = np.zeros(BYTES, np.uint8)
    before[64:68] = np.frombuffer(memory.to_bytes(4, "little"), np.uint8)
    made, lds = one(name, tmp_path, state, before)
    assert int(lds[64:68].view(np.uint32)[0]) == expected
    assert made.vgpr[RESULT, 0] == memory


def test_marked_exchange(tmp_path: Path) -> None:
    """ds_condxchg32: the dword whose top bit is set is stored without it, the other one stays."""
    state = State(random.Random(1), 1)
    state.vgpr[ADDRESS], state.vgpr[DATA], state.vgpr[DATA + 1] = 64, 0x80000007, 9
    before = np.zeros(BYTES, np.uint8)
    before[64], before[68] = 1, 2
    made, lds = one("ds_condxchg32_rtn_b64", tmp_path, state, before)
    assert (lds[64], lds[68]) == (7, 2)
    assert made.vgpr[RESULT : RESULT + 2, 0].tolist() == [1, 2]


def test_straight_to_lds_lies_by_lane() -> None:
    """Lane l's dword lies at M0 + offset + 4 l, whichever lanes are enabled."""
    row = next(row for row in STRAIGHT if row.name == "global_load_lds_dword")
    _, (instruction,) = program([straight_word(row)])
    source = np.arange(128, dtype=np.uint32) + 1000
    state = State(random.Random(1), 0b1010)
    state.sgpr[M0] = 32
    places = np.arange(64, dtype=np.uint64) * np.uint64(8) + np.uint64(source.ctypes.data)
    state.vgpr[ADDRESS], state.vgpr[ADDRESS + 1] = places & np.uint64(0xFFFFFFFF), places >> np.uint64(32)
    group = Group(HostMemory(), bytearray(4096), 0)
    interpret(instruction, state, group)
    lds = np.frombuffer(bytes(group.lds), np.uint32)
    assert np.flatnonzero(lds).tolist() == [(32 + 16) // 4 + 1, (32 + 16) // 4 + 3]
    assert lds[13] == 1000 + 2 + 4  # 8 bytes a lane and 16 for the offset


# -- hardware registers and messages
SETREG = next(row for row in GFX942 if row.name == "s_setreg_imm32_b32")


def setreg(register: int, offset: int, size: int, value: int) -> tuple[int, int]:
    """s_setreg_imm32_b32."""
    word = 0b1011 << 28 | SETREG.number << 23 | register | offset << 6 | (size - 1) << 11
    return word | value << 32, 8


def refusals(words: list[tuple[int, int]]) -> list[str]:
    code, _ = program(words)
    flow = cfg.build(lambda pc: decode(code, pc, pc, TARGET), 0, [], TARGET)
    return translate(flow, TARGET, False, False)[1]


def test_modes_may_be_set() -> None:
    words = [
        setreg(1, 4, 2, 3),
        setreg(1, 0, 4, 0),
        setreg(1, 27, 1, 1),
        setreg(1, 4, 2, 0),
        setreg(1, 23, 1, 1),
    ]
    assert refusals(words) == []


@pytest.mark.parametrize("word", [setreg(7, 0, 1, 0), setreg(3, 0, 9, 0)])
def test_other_registers_are_not_set(word: tuple[int, int]) -> None:
    (message,) = refusals([word])
    assert message.startswith("s_setreg_imm32_b32 of hardware register")


def test_wave_sync_is_refused_by_name() -> None:
    row = next(row for row in GFX942 if row.name == "ds_gws_barrier")
    _, (instruction,) = program([lds_word(row, 0)])
    with pytest.raises(UnsupportedInstruction, match="ds_gws_barrier at 0x0"):
        interpret(instruction, State(random.Random(1), 1))
    assert [text.split()[0] for text in refusals([lds_word(row, 0)])] == ["ds_gws_barrier"]
