"""Matrix instructions: layouts by the documents' formulas, products by NumPy, translated as interpreted."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from anyhip.backends.virtual.semantics import matrix
from anyhip.errors import UnsupportedInstruction
from anyhip.isa import opcodes
from anyhip.isa.decode import Instruction
from anyhip.target import Target
from support.machine import Native, State, compile_program, interpret, program

GENERATIONS = ("gfx90a", "gfx942", "gfx950")
A, B, C, D, INDEX = 0, 8, 16, 32, 30  # first registers
TYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32}


def rows(generation: str) -> list[opcodes.Opcode]:
    chosen = {"formats"}  # these are in test_scaled_matrix
    return [row for row in opcodes.load(generation) if row.klass == "mfma" and not row.flags & chosen]


def encode(row: opcodes.Opcode, c: int, cbsz: int = 0, abid: int = 0, blgp: int = 0) -> tuple[int, int]:
    """VOP3P-MAI; ``c`` is the encoding of the third source."""
    word = 0b110100111 << 23 | row.number << 16 | D | cbsz << 8 | abid << 11
    return word | (256 + A) << 32 | (256 + B) << 41 | c << 50 | blgp << 61, 8


def third(op: matrix.MatrixOp, registers: int) -> int:
    """The third source: the index, D itself where C would not fit beside it, else other registers."""
    if op.sparse:
        return 256 + INDEX
    return 256 + (C if registers <= 16 else D)


def accumulators(op: matrix.MatrixOp, state: State, first: int) -> np.ndarray:
    """C or D as [item][lane]."""
    kind = TYPES[op.acc_type]
    size = 2 if kind is np.float64 else 1
    data = state.vgpr[first : first + size * op.d_items]
    return np.ascontiguousarray(data.reshape(op.d_items, size, 64).swapaxes(1, 2)).view(kind)[..., 0]


def same(made: State, wanted: State, op: matrix.MatrixOp) -> bool:
    """Equal registers; which NaN an operation gives is the host's choice."""
    x, y = (accumulators(op, state, D) for state in (made, wanted))
    others = np.arange(64) < D
    return np.array_equal(x, y, equal_nan=op.acc_type != "i32") and np.array_equal(
        made.vgpr[others], wanted.vgpr[others]
    )


@pytest.mark.parametrize("generation", GENERATIONS)
def test_translation_agrees_with_the_interpreter(generation: str, tmp_path: Path) -> None:
    """Random registers (NaNs and infinities among them), plain and with a modifier, whatever EXEC is."""
    rng = random.Random(5)
    target = Target.parse(generation)
    words, shapes = [], []
    known = {row.name for row in rows("gfx942")} if generation == "gfx950" else set()
    for row in rows(generation):
        if row.name in known and "fp8" not in row.name:  # what differs is how 8-bit floats are read
            continue
        op = matrix.find(row)
        c = third(op, op.d_items * (2 if op.acc_type == "f64" else 1))
        cbsz = rng.randrange(1, op.blocks.bit_length()) if op.blocks > 1 and not op.sparse else 0
        abid = rng.randrange(4) if op.sparse else rng.randrange(1 << cbsz)
        blgp = rng.randrange(8)
        constant = 256 + INDEX if op.sparse else rng.choice((128, 193, 242))
        words += [encode(row, c), encode(row, c, cbsz, abid, blgp), encode(row, constant)]
        shapes += [op] * 3
    code, instructions = program(words, target)
    native = Native(compile_program(code, tmp_path, target=target))
    for number, (op, instruction) in enumerate(zip(shapes, instructions, strict=True)):
        state = State(rng, rng.getrandbits(64))
        made, wanted = native.step(state, number), interpret(instruction, state)
        assert same(made, wanted, op), f"{instruction.name} {instruction.fields}"


# -- the documents' formulas: item and lane of A[i][k] (B[k][j] alike), and of D[i][j], in block b
Place = Callable[[int, int, int], tuple[int, int]]
LAYOUTS: dict[str, tuple[Place, Place]] = {
    "v_mfma_f32_16x16x16_f16": (
        lambda b, i, k: (k % 4, 16 * (k // 4) + i),
        lambda b, i, j: (i % 4, 16 * (i // 4) + j),
    ),
    "v_mfma_f32_32x32x8_bf16": (
        lambda b, i, k: (k % 4, 32 * (k // 4) + i),
        lambda b, i, j: (4 * (i // 8) + i % 4, 32 * (i // 4 % 2) + j),
    ),
    "v_mfma_f32_32x32x1_2b_f32": (
        lambda b, i, k: (0, 32 * b + i),
        lambda b, i, j: (16 * b + 4 * (i // 8) + i % 4, 32 * (i // 4 % 2) + j),
    ),
    "v_mfma_f32_16x16x4_4b_f16": (
        lambda b, i, k: (k, 16 * b + i),
        lambda b, i, j: (4 * b + i % 4, 16 * (i // 4) + j),
    ),
    "v_mfma_f32_4x4x4_16b_f16": (lambda b, i, k: (k, 4 * b + i), lambda b, i, j: (i, 4 * b + j)),
    "v_mfma_i32_16x16x32_i8": (
        lambda b, i, k: (k % 8, 16 * (k // 8) + i),
        lambda b, i, j: (i % 4, 16 * (i // 4) + j),
    ),
    "v_mfma_f64_16x16x4_f64": (
        lambda b, i, k: (0, 16 * k + i),
        lambda b, i, j: (i // 4, 16 * (i % 4) + j),
    ),
    "v_mfma_f64_4x4x4_4b_f64": (
        lambda b, i, k: (0, 16 * k + 4 * b + i),
        lambda b, i, j: (0, 16 * i + 4 * b + j),
    ),
    "v_mfma_f32_16x16x8_xf32": (
        lambda b, i, k: (k % 2, 16 * (k // 2) + i),
        lambda b, i, j: (i % 4, 16 * (i // 4) + j),
    ),
}


def raw(kind: str, values: np.ndarray) -> np.ndarray:
    """Small integers as elements of the type, in unsigned integers of its width."""
    if kind == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    made = values.astype({"f16": np.float16, "i8": np.int8, "f64": np.float64}.get(kind, np.float32))
    return made.view(f"u{made.itemsize}")


def place(state: State, first: int, kind: str, items: np.ndarray) -> None:
    """Put [item][lane] into the registers from ``first`` on."""
    packed = np.ascontiguousarray(raw(kind, items).T)  # one lane's items side by side
    words = packed.view(np.uint8).reshape(64, -1).view(np.uint32)
    state.vgpr[first : first + words.shape[1]] = words.T


def run_both(row: opcodes.Opcode, word: tuple[int, int], state: State, folder: Path) -> State:
    """Translated and interpreted: the same, or the test fails."""
    code, (instruction,) = program([word])
    made = Native(compile_program(code, folder)).step(state, 0)
    assert same(made, interpret(instruction, state), matrix.find(row))
    return made


def operands(
    op: matrix.MatrixOp, a_place: Place, a: np.ndarray, b: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """A and B as [item][lane]."""
    left, right = np.zeros((op.a_items, 64)), np.zeros((op.b_items, 64))
    for block, i, k in np.ndindex(a.shape):
        left[a_place(block, i, k)] = a[block, i, k]
        right[a_place(block, i, k)] = b[block, k, i]
    return left, right


@pytest.mark.parametrize("name", LAYOUTS)
def test_products_are_numpys(name: str, tmp_path: Path) -> None:
    """Small integers: every sum is exact, so every order of additions gives it."""
    row = next(row for row in rows("gfx942") if row.name == name)
    op, (a_place, d_place) = matrix.find(row), LAYOUTS[name]
    rng = np.random.default_rng(3)
    a = rng.integers(-8, 9, (op.blocks, op.m, op.k))
    b = rng.integers(-8, 9, (op.blocks, op.k, op.n))
    state = State(random.Random(1), 0)
    for first, kind, items in zip((A, B), (op.a_type, op.b_type), operands(op, a_place, a, b), strict=True):
        place(state, first, kind, items)
    made = run_both(row, encode(row, 128), state, tmp_path)  # C = 0
    d, expected = accumulators(op, made, D), a @ b
    for block, i, j in np.ndindex(expected.shape):
        assert d[d_place(block, i, j)] == expected[block, i, j], (block, i, j)


def test_broadcasts_choose_blocks(tmp_path: Path) -> None:
    """CBSZ 1, ABID 1: both blocks take A's second; BLGP 1: both take B's first (CDNA3 ISA, 7.1.5)."""
    row = next(row for row in rows("gfx942") if row.name == "v_mfma_f32_32x32x1_2b_f32")
    op, (a_place, d_place) = matrix.find(row), LAYOUTS["v_mfma_f32_32x32x1_2b_f32"]
    a, b = np.arange(64.0).reshape(2, 32, 1), np.arange(64.0).reshape(2, 1, 32) - 20
    state = State(random.Random(1), 0)
    for first, items in zip((A, B), operands(op, a_place, a, b), strict=True):
        place(state, first, "f32", items)
    d = accumulators(op, run_both(row, encode(row, 128, 1, 1, 1), state, tmp_path), D)
    expected = a[1] @ b[0]
    for block, i, j in np.ndindex(2, 32, 32):
        assert d[d_place(block, i, j)] == expected[i, j]


def test_f64_signs(tmp_path: Path) -> None:
    """BLGP negates A, B and C of f64 instructions."""
    row = next(row for row in rows("gfx942") if row.name == "v_mfma_f64_4x4x4_4b_f64")
    op = matrix.find(row)
    state = State(random.Random(1), 0)
    place(state, A, "f64", np.full((1, 64), 2.0))
    place(state, B, "f64", np.full((1, 64), 3.0))
    place(state, C, "f64", np.full((1, 64), 100.0))
    for blgp, wanted in ((0, 124), (1, 76), (2, 76), (3, 124), (4, -76), (7, -76)):
        folder = tmp_path / str(blgp)
        folder.mkdir()
        made = run_both(row, encode(row, 256 + C, blgp=blgp), state, folder)
        assert (accumulators(op, made, D) == wanted).all(), blgp


@pytest.mark.parametrize(
    ("name", "per_lane", "shift"),
    [("v_smfmac_f32_16x16x32_f16", 8, 8), ("v_smfmac_i32_32x32x32_i8", 16, 16)],
)
def test_sparse_products(name: str, per_lane: int, shift: int, tmp_path: Path) -> None:
    """Two of four elements of a row of A, at the places that the index names; ABID 1 is its second set."""
    row = next(row for row in rows("gfx942") if row.name == name)
    op = matrix.find(row)
    rng = np.random.default_rng(4)
    a = np.zeros((op.m, op.k))
    left, right, index = np.zeros((op.a_items, 64)), np.zeros((op.b_items, 64)), np.zeros(64, np.uint32)
    for i in range(op.m):
        for quad in range(op.k // 4):
            places = sorted(rng.choice(4, 2, replace=False))
            lane = op.m * (4 * quad // per_lane) + i
            for which, at in enumerate(places):
                item = quad % (per_lane // 4) * 2 + which
                a[i, 4 * quad + at] = left[item, lane] = rng.integers(1, 9)
                index[lane] |= np.uint32(at << (shift + 2 * item))
    b = rng.integers(-8, 9, (op.k, op.n))
    for k, j in np.ndindex(b.shape):
        right[k % per_lane, op.n * (k // per_lane) + j] = b[k, j]
    state = State(random.Random(1), 0)
    place(state, A, op.a_type, left)
    place(state, B, op.b_type, right)
    state.vgpr[INDEX] = index
    state.vgpr[D : D + op.d_items] = 0
    d = accumulators(op, run_both(row, encode(row, 256 + INDEX, abid=1), state, tmp_path), D)
    expected = a @ b
    for i, j in np.ndindex(expected.shape):
        assert d[op.d_place(0, i, j)] == expected[i, j], (i, j)


def test_float_sums_keep_to_their_bound(tmp_path: Path) -> None:
    row = next(row for row in rows("gfx942") if row.name == "v_mfma_f32_16x16x16_f16")
    op, (a_place, d_place) = matrix.find(row), LAYOUTS["v_mfma_f32_16x16x16_f16"]
    rng = np.random.default_rng(9)
    a, b = (rng.normal(size=(1, 16, 16)).astype(np.float16).astype(np.float64) for _ in range(2))
    state = State(random.Random(1), 0)
    for first, items in zip((A, B), operands(op, a_place, a, b), strict=True):
        place(state, first, "f16", items)
    d = accumulators(op, run_both(row, encode(row, 242), state, tmp_path), D)  # C = 1.0
    bound = (1 + np.abs(a) @ np.abs(b)) * 17 * 2.0**-24
    exact = 1 + a @ b
    for block, i, j in np.ndindex(exact.shape):
        assert abs(d[d_place(block, i, j)] - exact[block, i, j]) <= bound[block, i, j]


def test_undefined_broadcasts_are_refused() -> None:
    row = next(row for row in rows("gfx942") if row.name == "v_mfma_f32_16x16x16_f16")
    _, (instruction,) = program([encode(row, 128, cbsz=1)])
    assert isinstance(instruction, Instruction)
    with pytest.raises(UnsupportedInstruction, match="cbsz 1 and abid 0 is undefined"):
        interpret(instruction, State(random.Random(1), 0))


@pytest.mark.parametrize(
    ("generation", "byte", "value"),
    [("gfx942", 0x40, 1.0), ("gfx950", 0x38, 1.0), ("gfx942", 0x80, np.nan), ("gfx950", 0x7F, np.nan)],
)
def test_eight_bit_floats_are_the_generations(generation: str, byte: int, value: float) -> None:
    """FP8 is E4M3 with bias 8 and NaN at 0x80 on gfx942, with bias 7 and NaN at 0x7f on gfx950."""
    row = next(row for row in rows(generation) if row.name == "v_mfma_f32_16x16x32_fp8_fp8")
    _, (instruction,) = program([encode(row, 128)], Target.parse(generation))
    state = State(random.Random(1), 0)
    state.vgpr[A : A + 2] = state.vgpr[B : B + 2] = 0x01010101 * byte
    d = interpret(instruction, state).vgpr[D : D + 4].view(np.float32)
    np.testing.assert_array_equal(d, np.full((4, 64), 32 * value, np.float32))
