"""Every ALU instruction: translated code and the reference interpreter leave the same registers."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anyhip.backends.virtual.semantics import MIXED, PACKED, SEMANTICS, canonical, load_all
from anyhip.isa import opcodes
from anyhip.isa.decode import Instruction
from anyhip.isa.formats import FORMATS
from anyhip.isa.opcodes import Opcode
from anyhip.target import Target
from support import machine, rdna
from support.machine import Native, State, compile_program, interpret, program, with_dpp, with_sdwa

load_all()
Word = tuple[int, int]  # an instruction's bits, and its bytes
SIZES = {format.name: format.size for format in FORMATS}
SCALAR = ("SOP1", "SOP2", "SOPC", "SOPK")
VECTOR = ("VOP1", "VOP2", "VOPC", "VOP3", "VOP3P")
TARGETS = {
    "gfx942": Target.parse("gfx942"),
    "gfx1030": Target.parse("gfx1030"),
    "gfx1100": Target.parse("gfx1100"),
    "gfx1201": Target.parse("gfx1201"),
    "gfx1100-wave64": replace(Target.parse("gfx1100"), wave_size=64),
}
BATCH = 40
EXECS = ((1 << 64) - 1, 0x0F0F_3355_3355_FFFE, 0)


def has_meaning(row: Opcode) -> bool:
    name = canonical(row)
    return name in SEMANTICS if row.klass == "salu" else name in SEMANTICS | PACKED | MIXED


def rows_of(name: str) -> list[Opcode]:
    return [
        row
        for row in opcodes.load(TARGETS[name].generation)
        if row.format in (*SCALAR, *VECTOR)
        and row.klass in ("salu", "valu", "trans", "vcmp")
        and has_meaning(row)
        and (name != "gfx942" or not any(field == "literal" for field, _ in row.src))
    ]


ROWS = {name: rows_of(name) for name in TARGETS}


def encode(row: Opcode, rng: random.Random) -> Word:
    if row.generation == "gfx942":
        return machine.encode(row, rng), SIZES[row.format]
    return rdna.encode(row, rng)


def batches(rows: dict[str, list[Opcode]]) -> list[tuple[str, int]]:
    return [(name, first) for name in rows for first in range(0, len(rows[name]), BATCH)]


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
    for row in ROWS["gfx942"]
    if row.format in ("VOP1", "VOP2", "VOPC")
    and narrow(row)
    and row.name not in ("v_swap_b32", "v_fmac_f32", "v_xnor_b32")
    and not any(part in row.name for part in ("acc", "cmpx", "sat_pk"))
]


MOVED = {name: [row for row in ROWS[name] if rdna.can_dpp(row)] for name in TARGETS if name != "gfx942"}
DUAL = {
    name: [row for row in opcodes.load(name) if row.format in ("VOPD_X", "VOPD_Y")]
    for name in ("gfx1100", "gfx1201")
}


def check(
    words: list[Word], folder: Path, rng: random.Random, two_versions: bool, name: str = "gfx942"
) -> None:
    """Run each instruction both ways under several EXECs."""
    target = TARGETS[name]
    code, instructions = program(words, target)
    native = Native(compile_program(code, folder, two_versions, target=target))
    for number, instruction in enumerate(instructions):
        for execute in EXECS:
            state = State(rng, execute, target.wave_size)
            made = native.step(state, number)
            wanted = interpret(instruction, state, wave_size=target.wave_size)
            compare(instruction, state, made, wanted)


def scalars(instruction: Instruction, state: State) -> np.ndarray:
    """SGPRs, every NaN that the instruction gives being the same one."""
    out = state.sgpr.copy()
    for operand in instruction.dst:
        if operand.kind == "s" and operand.type in ("f16", "f32"):
            kind = {"f16": np.float16, "f32": np.float32}[operand.type]
            number = out[operand.index : operand.index + 1].view(kind)[0]
            if np.isnan(number):
                out[operand.index] = 0x7FC00000
    return out


def compare(instruction: Instruction, state: State, made: State, wanted: State) -> None:
    i = instruction
    where = f"{i.name} {i.format} {i.variant} {i.dst} {i.src} {i.fields}; EXEC {int(state.sgpr[126]):#x}"
    differs = np.argwhere((made.vgpr != wanted.vgpr) & ~both_nan(instruction, made, wanted))
    if differs.size:
        r, lane = differs[0]
        sources = [hex(state.vgpr[o.index, lane]) for o in instruction.src if o.kind == "v"]
        got = f"{made.vgpr[r, lane]:#x}, not {wanted.vgpr[r, lane]:#x}"
        pytest.fail(f"{where}: v{r} lane {lane} is {got}; sources {sources}")
    np.testing.assert_array_equal(scalars(instruction, made), scalars(instruction, wanted), where)
    assert made.scc == wanted.scc, where


@pytest.mark.parametrize(("name", "first"), batches(ROWS))
def test_translation_agrees_with_the_interpreter(name: str, first: int, tmp_path: Path) -> None:
    rng = random.Random(first)
    words = [encode(row, rng) for row in ROWS[name][first : first + BATCH]]
    check(words, tmp_path, rng, bool(first // BATCH % 2), name)


@pytest.mark.parametrize("first", range(0, len(SUB_DWORD), BATCH))
def test_sub_dword_operands_agree(first: int, tmp_path: Path) -> None:
    rng = random.Random(first)
    rows = [row for row in SUB_DWORD[first : first + BATCH] if row.format != "VOPC"] or SUB_DWORD[:1]
    words = [(with_sdwa(machine.encode(row, rng), rng, all_float(row)), 8) for row in rows]
    check(words, tmp_path, rng, two_versions=bool(first // BATCH % 2))


@pytest.mark.parametrize("first", range(0, len(SUB_DWORD), BATCH))
def test_moved_lanes_agree(first: int, tmp_path: Path) -> None:
    rng = random.Random(first)
    rows = [row for row in SUB_DWORD[first : first + BATCH] if row.format != "VOPC"] or SUB_DWORD[:1]
    words = [(with_dpp(machine.encode(row, rng), rng, all_float(row)), 8) for row in rows]
    check(words, tmp_path, rng, two_versions=bool(first // BATCH % 2))


@pytest.mark.parametrize(("name", "first"), batches(MOVED))
def test_moved_lanes_of_rdna_agree(name: str, first: int, tmp_path: Path) -> None:
    rng = random.Random(first)
    words = [rdna.encode_dpp(row, rng) for row in MOVED[name][first : first + BATCH]]
    check(words, tmp_path, rng, bool(first // BATCH % 2), name)


@pytest.mark.parametrize("name", DUAL)
def test_dual_instructions_agree(name: str, tmp_path: Path) -> None:
    rng = random.Random(1)
    firsts = [row for row in DUAL[name] if row.format == "VOPD_X"]
    seconds = [row for row in DUAL[name] if row.format == "VOPD_Y"]
    pairs = [(row, rng.choice(seconds)) for row in firsts] + [(rng.choice(firsts), row) for row in seconds]
    check([rdna.dual(*pair, rng) for pair in pairs], tmp_path, rng, False, name)
