"""Scalar moves relative to M0: translated as interpreted, also where the register is set in another block."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from anyhip.isa import opcodes
from anyhip.isa.registers import M0
from support.machine import Native, State, compile_program, interpret, program

ROWS = [row for row in opcodes.load("gfx942") if row.name.startswith("s_movrel")]
SOURCE, TARGET = 8, 40


@pytest.mark.parametrize("m0", [0, 1, 7, 30])
def test_moves(m0: int, tmp_path: Path) -> None:
    words = [(0b101111101 << 23 | TARGET << 16 | row.number << 8 | SOURCE, 4) for row in ROWS]
    code, instructions = program(words)
    native = Native(compile_program(code, tmp_path))
    for number, instruction in enumerate(instructions):
        state = State(random.Random(number), 0)
        state.sgpr[M0] = m0
        made, wanted = native.step(state, number), interpret(instruction, state)
        np.testing.assert_array_equal(made.sgpr, wanted.sgpr, instruction.name)
        first, second = (SOURCE + m0, TARGET) if "rels" in instruction.name else (SOURCE, TARGET + m0)
        assert made.sgpr[second] == state.sgpr[first], instruction.name
    assert len(instructions) == 4
