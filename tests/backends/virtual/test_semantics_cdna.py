"""Instructions that only gfx90a or gfx950 has: exact values, and translated as interpreted."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from anyhip.isa import opcodes
from anyhip.target import Target
from support.machine import Native, State, compile_program, interpret, program

A, B, C, D = 2, 4, 6, 8


def encode(generation: str, name: str, table: int = 0, halves: int = 0) -> tuple[int, int]:
    """v8 = name v2, v4, v6; ``table`` of bitop3 is spread over neg, abs and omod."""
    row = next(r for r in opcodes.load(generation) if r.name == name and r.format in ("VOP3", "VOP2"))
    if row.format == "VOP2":  # with a literal
        return row.number << 25 | D << 17 | B << 9 | 256 + A | 0x40490FDB << 32, 8
    word = 0b110100 << 26 | row.number << 16 | D | halves << 11
    word |= 256 + A << 32 | 256 + B << 41 | 256 + C << 50
    return word | (table & 7) << 61 | (table >> 3 & 7) << 8 | (table >> 6) << 59, 8


def run(generation: str, word: tuple[int, int], state: State, folder: Path) -> np.ndarray:
    """The result's register, translated and interpreted."""
    target = Target.parse(generation)
    code, (instruction,) = program([word], target)
    made = Native(compile_program(code, folder, target=target)).step(state, 0).vgpr[D]
    wanted = interpret(instruction, state).vgpr[D]
    both_nan = np.isnan(made.view(np.float32)) & np.isnan(wanted.view(np.float32))
    np.testing.assert_array_equal(np.where(both_nan, 0, made), np.where(both_nan, 0, wanted))
    return made


def state_with(*values: float | int) -> State:
    state = State(random.Random(4), (1 << 64) - 1)
    for register, value in zip((A, B, C), values, strict=False):
        kind = np.float32 if isinstance(value, float) else np.uint32
        state.vgpr[register, 0] = np.array(value, kind).view(np.uint32)
    return state


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("v_mad_f32", (1.0 + 2**-23, 1.0 + 2**-23, -1.0), 2.0**-22),  # fused it would be 2**-22 + 2**-46
        ("v_mad_f32", (2.0**-100, 2.0**-40, 0.0), 0.0),  # a denormal product
        ("v_mad_f32", (2.0**-130, 2.0**100, 1.0), 1.0),  # a denormal source
        ("v_mad_legacy_f32", (0.0, float("inf"), 3.0), 3.0),
        ("v_mad_f32", (0.0, float("inf"), 3.0), float("nan")),
    ],
)
def test_unfused(name: str, values: tuple[float, ...], expected: float, tmp_path: Path) -> None:
    made = run("gfx90a", encode("gfx90a", name), state_with(*values), tmp_path)
    assert made.view(np.float32)[0] == expected or np.isnan(expected)


@pytest.mark.parametrize(
    ("name", "expected"), [("v_madmk_f32", 2 * np.float32(np.pi) + 3), ("v_madak_f32", 6 + np.float32(np.pi))]
)
def test_literals(name: str, expected: float, tmp_path: Path) -> None:
    made = run("gfx90a", encode("gfx90a", name), state_with(2.0, 3.0), tmp_path)
    assert made.view(np.float32)[0] == np.float32(expected)


@pytest.mark.parametrize("table", [0x01, 0x96, 0xE8, 0xCA, 0xFF])
def test_truth_tables(table: int, tmp_path: Path) -> None:
    """0x96 is the parity, 0xe8 the majority, 0xca a choice: bit 4 x + 2 y + z of the table is the result."""
    state = state_with(0b11110000, 0b11001100, 0b10101010)
    made = run("gfx950", encode("gfx950", "v_bitop3_b32", table), state, tmp_path)
    assert made[0] & 0xFF == table


def test_truth_table_of_halves(tmp_path: Path) -> None:
    """op_sel 0b1001: the first source's and the result's upper half; the lower one is kept."""
    state = state_with(0x00F0_1234, 0xCC, 0xAA)
    word = encode("gfx950", "v_bitop3_b16", 0x96, halves=0b1001)
    made = run("gfx950", word, state, tmp_path)
    assert made[0] == (0x96 << 16 | state.vgpr[D, 0] & 0xFFFF)


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("v_prng_b32", (0x80000001,), 2 ^ 197),
        ("v_cvt_f32_bf16", (0x1234_C020,), 0xC020_0000),
        ("v_cvt_pk_f16_f32", (1.0, -2.0), 0xC000_3C00),
        ("v_cvt_pk_bf16_f32", (1.0, 1.0 + 3 * 2**-8), 0x3F82_3F80),  # a tie goes to even
    ],
)
def test_others(name: str, values: tuple[float | int, ...], expected: int, tmp_path: Path) -> None:
    assert run("gfx950", encode("gfx950", name), state_with(*values), tmp_path)[0] == expected
