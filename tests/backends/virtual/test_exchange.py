"""Lanes that exchange rows, transposing loads, registers chosen by M0, memory by lane, in both builders."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anyhip.backends.virtual.interpreter_memory import HostMemory
from anyhip.backends.virtual.interpreter_state import Group
from anyhip.errors import UnsupportedInstruction
from anyhip.isa import opcodes
from anyhip.isa.opcodes import Opcode
from anyhip.isa.registers import M0
from anyhip.target import Target
from isa import assembler
from support.machine import Native, State, compile_program, interpret, program

TARGETS = {name: Target.parse(name) for name in ("gfx950", "gfx1030", "gfx1100", "gfx1201")}
TARGETS["gfx1100-wave64"] = replace(TARGETS["gfx1100"], wave_size=64)
ALL = (1 << 64) - 1
EXECS = (ALL, 0x0F0F_3355_3355_FFFE)


def find(name: str, mnemonic: str, format: str = "") -> Opcode:
    rows = opcodes.load(TARGETS[name].generation)
    return next(row for row in rows if row.name == mnemonic and row.format.startswith(format))


def run_both(
    name: str, word: tuple[int, int], states: list[State], folder: Path, lds: np.ndarray | None = None
) -> list[State]:
    """What translated code makes of each state, which is what the interpreter makes."""
    target = TARGETS[name]
    code, (instruction,) = program([word], target)
    native = Native(compile_program(code, folder, target=target))
    out = []
    for state in states:
        content = bytearray(65536)
        if lds is not None:
            native.lds[: lds.nbytes] = lds.view(np.uint8)
            content[: lds.nbytes] = lds.tobytes()
        made = native.step(state, 0)
        wanted = interpret(instruction, state, Group(HostMemory(), content, 0), wave_size=target.wave_size)
        size = target.wave_size
        np.testing.assert_array_equal(made.vgpr[:, :size], wanted.vgpr[:, :size], instruction.name)
        np.testing.assert_array_equal(made.sgpr, wanted.sgpr, instruction.name)
        out.append(made)
    return out


# -- rows of lanes
@pytest.mark.parametrize("distance", [16, 32])
@pytest.mark.parametrize("options", [0, 1, 2, 3])
def test_rows_are_swapped(distance: int, options: int, tmp_path: Path) -> None:
    """Lanes with bit ``distance`` clear give their source and get the destination of the lane above."""
    row = find("gfx950", f"v_permlane{distance}_swap_b32", "VOP3")
    word = assembler.encode(row, vdst=8, src0=256 + 4, op_sel=options), 8
    states = [State(random.Random(1), execute) for execute in EXECS]
    made = run_both("gfx950", word, states, tmp_path)
    for execute, before, after in zip(EXECS, states, made, strict=True):
        for lane in range(64):
            low = lane & ~distance
            mine, other = (4, 8) if lane == low else (8, 4)
            wanted = before.vgpr[other, lane ^ distance]
            if not execute >> (lane ^ distance) & 1 and not options & 1:
                wanted = 0 if options & 2 else before.vgpr[mine, lane]
            if not execute >> lane & 1:
                wanted = before.vgpr[mine, lane]
            assert after.vgpr[mine, lane] == wanted, (lane, hex(execute))


@pytest.mark.parametrize(("mnemonic", "other"), [("v_permlane16_var_b32", 0), ("v_permlanex16_var_b32", 16)])
def test_lanes_name_their_source(mnemonic: str, other: int, tmp_path: Path) -> None:
    row = find("gfx1201", mnemonic)
    word = assembler.encode(row, vdst=8, src0=256 + 4, src1=256 + 5), 8
    states = [State(random.Random(2), execute, 32) for execute in EXECS]
    (after, _) = run_both("gfx1201", word, states, tmp_path)
    for lane in range(32):
        source = (lane & 16 ^ other) | int(states[0].vgpr[5, lane]) & 15
        assert after.vgpr[8, lane] == states[0].vgpr[4, source]


def test_disabled_lanes_are_permuted_too(tmp_path: Path) -> None:
    word = assembler.encode(find("gfx1201", "ds_bpermute_fi_b32"), vdst=8, addr=4, data0=5, offset=4), 8
    states = [State(random.Random(3), execute, 32) for execute in EXECS]
    for execute, state, after in zip(EXECS, states, run_both("gfx1201", word, states, tmp_path), strict=True):
        for lane in range(32):
            source = (int(state.vgpr[4, lane]) + 4) // 4 % 32
            wanted = state.vgpr[5, source] if execute >> lane & 1 else state.vgpr[8, lane]
            assert after.vgpr[8, lane] == wanted


# -- transposing loads
@pytest.mark.parametrize(
    ("mnemonic", "bits"),
    [
        ("ds_read_b64_tr_b16", 16),
        ("ds_read_b64_tr_b8", 8),
        ("ds_read_b64_tr_b4", 4),
        ("ds_read_b96_tr_b6", 6),
    ],
)
def test_tiles_in_lds_are_transposed(mnemonic: str, bits: int, tmp_path: Path) -> None:
    """16 columns of a row of k side by side in memory: then each lane has a column (CDNA4 ISA, 11.4)."""
    row = find("gfx950", mnemonic)
    size = 96 if bits == 6 else 64
    depth = size // bits  # k of a set of 16 lanes
    rng = np.random.default_rng(4)
    tiles = rng.integers(0, 1 << bits, (4, depth, 16))
    lds = np.zeros(4096, np.uint8)
    state = State(random.Random(4), ALL)
    for number, tile in enumerate(tiles):
        for k in range(depth):
            whole = sum(int(code) << bits * column for column, code in enumerate(tile[k]))
            at = 1024 * number + 64 * k
            lds[at : at + 16 * bits // 8] = list(whole.to_bytes(16 * bits // 8, "little"))
        lanes_a_row = 16 * bits // size
        for lane in range(16):
            k, part = divmod(lane, lanes_a_row)
            state.vgpr[2, 16 * number + lane] = 1024 * number + 64 * k + part * size // 8
    (after,) = run_both("gfx950", (assembler.encode(row, vdst=8, addr=2), 8), [state], tmp_path, lds)
    for number, tile in enumerate(tiles):
        for column in range(16):
            words = [int(after.vgpr[8 + i, 16 * number + column]) for i in range(size // 32)]
            whole = sum(word << 32 * i for i, word in enumerate(words))
            assert [whole >> bits * k & (1 << bits) - 1 for k in range(depth)] == tile[:, column].tolist()


def test_tiles_in_memory_are_transposed(tmp_path: Path) -> None:
    """8 by 8 elements of 16 bits of 8 lanes."""
    row = find("gfx1201", "global_load_tr_b128")
    memory = np.random.default_rng(5).integers(0, 1 << 16, (32, 8), np.uint16)
    state = State(random.Random(5), ALL, 32)
    address = memory.ctypes.data
    state.sgpr[4:6] = [address & 0xFFFFFFFF, address >> 32]
    state.vgpr[2] = 16 * np.arange(64)
    word = assembler.encode(row, vdst=8, vaddr=2, saddr=4), assembler.size(row)
    (after,) = run_both("gfx1201", word, [state], tmp_path)
    made = np.ascontiguousarray(after.vgpr[8:12, :32].T).view(np.uint16)
    for lane in range(32):
        first = lane // 8 * 8
        np.testing.assert_array_equal(made[lane], memory[first : first + 8, lane % 8])


def test_transposing_loads_of_wide_waves_are_refused() -> None:
    wide = replace(TARGETS["gfx1201"], wave_size=64)
    row = find("gfx1201", "global_load_tr_b128")
    _, (instruction,) = program([(assembler.encode(row, vdst=8, vaddr=2, saddr=4), 12)], wide)
    with pytest.raises(UnsupportedInstruction, match="in waves of 64"):
        interpret(instruction, State(random.Random(1), ALL))


# -- registers chosen by M0
RELATIVE = ("v_movreld_b32", "v_movrels_b32", "v_movrelsd_b32", "v_movrelsd_2_b32", "v_swaprel_b32")


@pytest.mark.parametrize("name", ["gfx1030", "gfx1100", "gfx1201", "gfx1100-wave64"])
@pytest.mark.parametrize("mnemonic", RELATIVE)
def test_registers_are_chosen_by_m0(name: str, mnemonic: str, tmp_path: Path) -> None:
    word = assembler.encode(find(name, mnemonic, "VOP1"), vdst=5, src0=256 + 7), 4
    two = "_2_" in mnemonic or "swap" in mnemonic
    m0 = 20 << 16 | 10 if two else 10
    states = [State(random.Random(6), execute, TARGETS[name].wave_size) for execute in EXECS]
    for state in states:
        state.sgpr[M0] = m0
    source = 7 if mnemonic == "v_movreld_b32" else 17
    target = 5 if mnemonic == "v_movrels_b32" else 25 if two else 15
    for execute, before, after in zip(EXECS, states, run_both(name, word, states, tmp_path), strict=True):
        for lane in range(TARGETS[name].wave_size):
            on = execute >> lane & 1
            assert after.vgpr[target, lane] == before.vgpr[source if on else target, lane]
            if "swap" in mnemonic:
                assert after.vgpr[source, lane] == before.vgpr[target if on else source, lane]


def test_scalar_registers_are_chosen_by_m0(tmp_path: Path) -> None:
    word = assembler.encode(find("gfx1100", "s_movrelsd_2_b32"), sdst=5, ssrc0=7), 4
    state = State(random.Random(7), ALL, 32)
    state.sgpr[M0] = 20 << 16 | 10
    (after,) = run_both("gfx1100", word, [state], tmp_path)
    assert after.sgpr[25] == state.sgpr[17]


# -- memory by lane
@pytest.mark.parametrize("name", ["gfx1030", "gfx1100", "gfx1201"])
def test_lanes_have_their_own_dwords(name: str, tmp_path: Path) -> None:
    old = name == "gfx1030"
    load = find(name, "global_load_dword_addtid" if old else "global_load_addtid_b32")
    store = find(name, "global_store_dword_addtid" if old else "global_store_addtid_b32")
    memory = np.arange(64, dtype=np.uint32) + 1000
    state = State(random.Random(8), 0xFFFF_FFFE, 32)
    address = memory.ctypes.data
    state.sgpr[4:6] = [address & 0xFFFFFFFF, address >> 32]
    (tmp_path / "store").mkdir()
    word = assembler.encode(load, vdst=8, saddr=4, offset=16), assembler.size(load)
    (after,) = run_both(name, word, [state], tmp_path)
    assert after.vgpr[8, 1:32].tolist() == list(range(1005, 1036))
    assert after.vgpr[8, 0] == state.vgpr[8, 0]
    word = assembler.encode(store, vdata=9, saddr=4, offset=16), assembler.size(store)
    run_both(name, word, [state], tmp_path / "store")
    np.testing.assert_array_equal(memory[5:36], state.vgpr[9, 1:32])
    assert memory[4] == 1004
