"""Every ALU instruction: translated code and the reference interpreter leave the same registers."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest


from anyhip.backends.virtual.semantics import MIXED, PACKED, SEMANTICS, load_all
from anyhip.isa import opcodes
from anyhip.isa.decode import Instruction
from anyhip.isa.formats import FORMATS
from support.machine import Native, State, compile_program, encode, interpret, program, with_dpp, with_sdwa

load_all()
SIZES = {format.name: format.size for format in FORMATS}
ROWS = [
    row
    for row in opcodes.load("gfx942")
    if row.format in ("SOP1", "SOP2", "SOPC", "SOPK", "VOP1", "VOP2", "VOPC", "VOP3", "VOP3P")
    and row.klass in ("salu", "valu", "trans", "vcmp")
    and (
        row.name in SEMANTICS
        if row.klass == "salu"
        else (row.name in SEMANTICS or row.name in PACKED or row.name in MIXED)
    )
    and not any(field == "literal" for field, _ in row.src)
]
BATCH = 40
EXECS = ((1 << 64) - 1, 0x0F0F_3355_0000_FFFE, 0)


def both_nan(instruction: Instruction, made: State, wanted: State) -> np.ndarray:
    """Where both results are NaN: which NaN an operation gives is the host's choice."""
    out = np.zeros(made.vgpr.shape, bool)
    for operand in instruction.dst:
        if operand.kind != "v" or operand.type.lstrip("pk_")[0] != "f":
            continue
        rows = slice(operand.index, operand.index + operand.count)
        bits = int(operand.type.rpartition("f")[2])
        kind = {16: np.float16, 32: np.float32, 64: np.float64}[bits]
        values = [s.vgpr[rows].T.copy().view(kind) for s in (made, wanted)]
        nan = (np.isnan(values[0]) & np.isnan(values[1])) | (values[0] == values[1])
        nan = nan.all(axis=1) if bits == 64 else nan.reshape(64, operand.count, -1).all(axis=2)
        out[rows] = np.broadcast_to(nan.reshape(64, -1).T, out[rows].shape)
    return out


def all_float(row: opcodes.Opcode) -> bool:
    return all(type.startswith("f") for _, type in (*row.src, *row.dst) if type != "mask")


def narrow(row: opcodes.Opcode) -> bool:
    """Every operand fits a register, as SDWA and DPP want it."""
    types = [type for _, type in (*row.src, *row.dst)]
    return all(type == "mask" or (type.endswith(("16", "32")) and "pk" not in type) for type in types)


SUB_DWORD = [
    row
    for row in ROWS
    if row.format in ("VOP1", "VOP2", "VOPC")
    and narrow(row)
    and row.name not in ("v_swap_b32", "v_fmac_f32", "v_xnor_b32")
    and not any(part in row.name for part in ("acc", "cmpx", "sat_pk"))
]


def check(words: list[tuple[int, int]], folder: Path, rng: random.Random, two_versions: bool) -> None:
    """Run each instruction both ways under several EXECs."""
    code, instructions = program(words)
    native = Native(compile_program(code, folder, two_versions))
    for number, instruction in enumerate(instructions):
        for execute in EXECS:
            state = State(rng, execute)
            made, wanted = native.step(state, number), interpret(instruction, state)
            i = instruction
            where = f"{i.name} {i.variant} {i.dst} {i.src} {i.fields}"
            differs = np.argwhere((made.vgpr != wanted.vgpr) & ~both_nan(instruction, made, wanted))
            if differs.size:
                r, lane = differs[0]
                sources = [hex(state.vgpr[o.index, lane]) for o in instruction.src if o.kind == "v"]
                got = f"{made.vgpr[r, lane]:#x}, not {wanted.vgpr[r, lane]:#x}"
                pytest.fail(f"{where}: v{r} lane {lane} is {got}; EXEC {execute:#x}, sources {sources}")
            np.testing.assert_array_equal(made.sgpr, wanted.sgpr, where)
            assert made.scc == wanted.scc, where


@pytest.mark.parametrize("first", range(0, len(ROWS), BATCH))
def test_translation_agrees_with_the_interpreter(first: int, tmp_path: Path) -> None:
    rng = random.Random(first)
    words = [(encode(row, rng), SIZES[row.format]) for row in ROWS[first : first + BATCH]]
    check(words, tmp_path, rng, two_versions=bool(first // BATCH % 2))


@pytest.mark.parametrize("first", range(0, len(SUB_DWORD), BATCH))
def test_sub_dword_operands_agree(first: int, tmp_path: Path) -> None:
    rng = random.Random(first)
    rows = SUB_DWORD[first : first + BATCH]
    words = [(with_sdwa(encode(row, rng), rng, all_float(row)), 8) for row in rows if row.format != "VOPC"]
    check(words or [(encode(rows[0], rng), 4)], tmp_path, rng, two_versions=bool(first // BATCH % 2))


@pytest.mark.parametrize("first", range(0, len(SUB_DWORD), BATCH))
def test_moved_lanes_agree(first: int, tmp_path: Path) -> None:
    rng = random.Random(first)
    rows = [row for row in SUB_DWORD[first : first + BATCH] if row.format != "VOPC"]
    words = [(with_dpp(encode(row, rng), rng, all_float(row)), 8) for row in rows]
    check(
        words or [(encode(ROWS[0], rng), SIZES[ROWS[0].format])],
        tmp_path,
        rng,
        two_versions=bool(first // BATCH % 2),
    )
