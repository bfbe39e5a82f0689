"""Matrices of small floats: NumPy's products by the documents' layouts; translated as interpreted."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from anyhip.backends.virtual.semantics import scaled_matrix
from anyhip.errors import UnsupportedInstruction
from anyhip.isa import opcodes
from anyhip.isa.decode import Instruction
from anyhip.isa.opcodes import Opcode
from anyhip.target import Target
from isa import assembler
from support import small_floats
from support.machine import Native, State, compile_program, interpret, program

TARGET = Target.parse("gfx950")
A, B, C, D, SCALES = 0, 8, 16, 32, 60  # first registers; C where D is where that is of 16
TYPES = ("fp8", "bf8", "fp6", "bf6", "fp4")
ROWS = [row for row in opcodes.load("gfx950") if "formats" in row.flags]


def encode(
    row: Opcode, types: tuple[int, int], c: int = 256 + D, select: int = 0, **fields: int
) -> tuple[int, int]:
    """``select``: op_sel and above it op_sel_hi."""
    plain = {"vdst": D, "src0": 256 + A, "src1": 256 + B, "src2": c, "cbsz": types[0], "blgp": types[1]}
    if "scaled" not in row.flags:
        return assembler.encode(row, **plain), 8
    scales = {
        "scale0": 256 + SCALES,
        "scale1": 256 + SCALES + 1,
        "op_sel": select & 3,
        "op_sel_hi": select >> 2,
    }
    return assembler.encode(row, **plain, **(scales | fields)), 16


def decoded(word: tuple[int, int]) -> Instruction:
    _, (instruction,) = program([word], TARGET)
    return instruction


def test_translation_agrees_with_the_interpreter(tmp_path: Path) -> None:
    """All pairs of types; random factors, NaN among them, and constants."""
    rng = random.Random(3)
    words = []
    for row in ROWS:
        pairs = list(product(range(5), repeat=2))
        words += [encode(row, types, select=rng.getrandbits(4)) for types in rng.sample(pairs, 5)]
        words.append(encode(row, (0, 4), 242))
        if "scaled" in row.flags:
            words.append(encode(row, (4, 0), scale0=242, scale1=256 + SCALES))
    code, instructions = program(words, TARGET)
    native = Native(compile_program(code, tmp_path, target=TARGET))
    for number, instruction in enumerate(instructions):
        state = State(rng, rng.getrandbits(64))
        made, wanted = native.step(state, number).vgpr, interpret(instruction, state).vgpr
        both = np.isnan(made.view(np.float32)) & np.isnan(wanted.view(np.float32))
        np.testing.assert_array_equal(made[~both], wanted[~both], f"{instruction.name} {instruction.fields}")


def place(kind: str, m: int, row: int, k: int) -> tuple[int, int]:
    """Lane, and element of the lane: 8-bit floats in two ranges of 16 k, others in one of 32."""
    groups = 64 // m
    if kind in ("fp8", "bf8"):
        return row + m * (k // 16 % groups), k % 16 + 16 * (k // (16 * groups))
    return row + m * (k // 32), k % 32


def put(state: State, first: int, kind: str, m: int, codes: np.ndarray) -> None:
    """Codes of [row][k] into registers."""
    size = small_floats.BITS[kind]
    lanes = [0] * 64
    for (row, k), code in np.ndenumerate(codes):
        lane, element = place(kind, m, row, k)
        lanes[lane] |= int(code) << size * element
    for lane, whole in enumerate(lanes):
        for register in range(size):  # 32 elements
            state.vgpr[first + register, lane] = whole >> 32 * register & 0xFFFFFFFF


def result(state: State, m: int) -> np.ndarray:
    out = np.zeros((m, m))
    for i, j in np.ndindex(m, m):
        item, lane = (i % 4, 16 * (i // 4) + j) if m == 16 else (4 * (i // 8) + i % 4, 32 * (i // 4 % 2) + j)
        out[i, j] = state.vgpr[D + item, lane].view(np.float32)
    return out


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_products_are_numpys(row: Opcode) -> None:
    """Each type with itself and another, within the bound of sums in f32."""
    m, k = (16, 128) if "16x16" in row.name else (32, 64)
    rng = np.random.default_rng(1)
    for number, first in enumerate(TYPES):
        for second in (first, TYPES[(number + 2) % 5]):
            state = State(random.Random(number), 0)
            state.vgpr[D : D + 16] = 0
            matrices = []
            for at, kind in ((A, first), (B, second)):
                table = np.array(small_floats.values(kind))
                codes = rng.choice(np.flatnonzero(np.isfinite(table) & (abs(table) < 64)), (m, k))
                put(state, at, kind, m, codes)
                matrices.append(table[codes])
            select = rng.integers(0, 16)
            factors = [np.ones((m, k)), np.ones((m, k))]
            if "scaled" in row.flags:
                for operand in range(2):
                    exponents = rng.integers(120, 135, (m, k // 32))
                    byte = (select >> operand & 1) | (select >> 2 + operand & 1) << 1
                    for (line, block), exponent in np.ndenumerate(exponents):
                        lane = line + m * block
                        old = int(state.vgpr[SCALES + operand, lane]) & ~(0xFF << 8 * byte)
                        state.vgpr[SCALES + operand, lane] = old | int(exponent) << 8 * byte
                    factors[operand] = 2.0 ** (exponents.repeat(32, 1) - 127)
            word = encode(row, (TYPES.index(first), TYPES.index(second)), select=int(select))
            made = result(interpret(decoded(word), state), m)
            a, b = matrices[0] * factors[0], (matrices[1] * factors[1]).T
            bound = (abs(a) @ abs(b)) * (k + 1) * 2.0**-24
            assert (abs(made - a @ b) <= bound).all(), (first, second)


def test_extreme_factors_do_not_overflow_on_their_way() -> None:
    """2**127 by 2**-127: the product is as if there were none."""
    row = next(row for row in ROWS if row.name == "v_mfma_scale_f32_16x16x128_f8f6f4")
    state = State(random.Random(1), 0)
    state.vgpr[A : A + 8] = state.vgpr[B : B + 8] = 0x7E7E7E7E  # 448
    state.vgpr[SCALES], state.vgpr[SCALES + 1] = 254, 0
    made = result(interpret(decoded(encode(row, (0, 0), 128)), state), 16)
    assert (made == 128 * 448.0 * 448.0).all()


def test_unknown_types_are_refused() -> None:
    instruction = decoded(encode(ROWS[0], (5, 0)))
    with pytest.raises(UnsupportedInstruction, match="with cbsz 5 is undefined"):
        interpret(instruction, State(random.Random(1), 0))
    assert instruction.src[0].count == 8
    assert scaled_matrix.BLOCK == 32
