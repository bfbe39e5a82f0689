"""WMMA and SWMMAC: layouts by the manuals' tables, products by NumPy, translated as interpreted."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anyhip.backends.virtual.semantics import wave_matrix
from anyhip.backends.virtual.semantics.matrix import BITS, MatrixOp
from anyhip.errors import UnsupportedInstruction
from anyhip.isa import opcodes
from anyhip.isa.decode import Instruction
from anyhip.isa.opcodes import Opcode
from anyhip.target import Target
from isa import assembler
from support.machine import Native, State, compile_program, interpret, program

TARGETS = {
    f"{name}-wave{size}": replace(Target.parse(name), wave_size=size)
    for name in ("gfx1100", "gfx1201")
    for size in (32, 64)
}
A, B, C, D, INDEX = 0, 8, 16, 32, 30  # first registers
INTEGERS = ("i8", "u8", "i4", "u4")


def rows(name: str) -> list[Opcode]:
    """The matrix instructions of a target."""
    return [row for row in opcodes.load(TARGETS[name].generation) if row.klass == "wmma"]


ROWS = [(name, row.name) for name in TARGETS for row in rows(name)]


def find(name: str, mnemonic: str) -> Opcode:
    return next(row for row in rows(name) if row.name == mnemonic)


def encode(row: Opcode, c: int | None = None, **modifiers: int) -> tuple[int, int]:
    """VOP3P; ``c`` is the encoding of the third source."""
    sparse = "index" in row.flags
    third = (256 + INDEX if sparse else 256 + C) if c is None else c
    fields = {"vdst": D, "src0": 256 + A, "src1": 256 + B, "src2": third, "op_sel_hi": 7} | modifiers
    return assembler.encode(row, **fields), 8


def modified(row: Opcode, rng: random.Random) -> dict[str, int]:
    """Modifiers that the ISA defines."""
    if "signs" in row.flags:
        out = {"neg": rng.getrandbits(2), "clamp": rng.getrandbits(1)}
    elif "fp8" in row.name or "bf8" in row.name:
        out = {"neg": 4 * rng.getrandbits(1), "neg_hi": 4 * rng.getrandbits(1)}
    else:
        out = {"neg": rng.getrandbits(3), "neg_hi": rng.getrandbits(3)}
    if "index" in row.flags:
        return {name: value & 3 if name != "clamp" else value for name, value in out.items()} | {
            "op_sel": rng.getrandbits(1)
        }
    return out | ({"op_sel": 4 * rng.getrandbits(1)} if "halves" in row.flags else {})


def same(made: State, wanted: State, op: MatrixOp) -> bool:
    """Equal registers; which NaN an operation gives is the host's choice."""
    x, y = (state.vgpr[D : D + op.d_registers] for state in (made, wanted))
    kind = {"i32": np.uint32, "f32": np.float32, "f16": np.float16, "bf16": np.uint16}[op.acc_type]
    x, y = (np.ascontiguousarray(each).view(kind) for each in (x, y))
    if op.acc_type == "bf16":
        x, y = ((each.astype(np.uint32) << 16).view(np.float32) for each in (x, y))
    others = np.r_[0:D, D + op.d_registers : len(made.vgpr)]
    return np.array_equal(x, y, equal_nan=op.acc_type != "i32") and np.array_equal(
        made.vgpr[others], wanted.vgpr[others]
    )


@pytest.mark.parametrize("name", TARGETS)
def test_translation_agrees_with_the_interpreter(name: str, tmp_path: Path) -> None:
    """Random registers (NaNs and infinities among them), plain, modified and with a constant."""
    rng, target = random.Random(5), TARGETS[name]
    words = []
    for row in rows(name):
        constant = None if "index" in row.flags else rng.choice((128, 193, 242, 248))
        words += [encode(row), encode(row, **modified(row, rng)), encode(row, constant, **modified(row, rng))]
    code, instructions = program(words, target)
    native = Native(compile_program(code, tmp_path, target=target))
    for number, instruction in enumerate(instructions):
        op = wave_matrix.describe(instruction, target.wave_size)
        state = State(rng, rng.getrandbits(64), target.wave_size)
        made = native.step(state, number)
        wanted = interpret(instruction, state, wave_size=target.wave_size)
        assert same(made, wanted, op), f"{instruction.name} {instruction.fields}"


# -- where the manuals put the elements: (lane, element of the lane) of A[row][k], alike of B[k][column]
def place_of_a(name: str, bits: int, depth: int, row: int, k: int) -> tuple[int, int]:
    """RDNA3 ISA, 7.9: a lane has a whole row. RDNA4 ISA, 7.12.2: the bits of k say where."""
    if name.startswith("gfx1100"):
        return row, k
    half, per = depth // 2, depth // 4
    if bits == 16:  # lane {k[2], row}, register and position the rest; in waves of 64 {k[3:2], row}
        if name.endswith("32"):
            return row + 16 * (k // per % 2), k % per + per * (k // half)
        return row + 16 * (k // per), k % per
    if name.endswith("32") or depth * bits == 64:  # the upper lanes of a wave of 64 are not used then
        return row + 16 * (k // half), k % half
    return row + 16 * (k // half) + 32 * (k // per % 2), k % per


def place_of_d(name: str, i: int, j: int) -> tuple[int, int]:
    """Lane, and element of the lane."""
    wide = name.endswith("64")
    if name.startswith("gfx1100"):
        return (i % 4 * 16 + j, i // 4) if wide else (i % 2 * 16 + j, i // 2)
    return (i // 4 % 2 * 32 + i // 8 * 16 + j, i % 4) if wide else (i // 8 * 16 + j, i % 8)


def raw(kind: str, values: np.ndarray) -> np.ndarray:
    """Small integers as bits of the type."""
    if kind in INTEGERS:
        return values.astype(np.int64) & (1 << BITS[kind]) - 1
    if kind == "bf16":
        return values.astype(np.float32).view(np.uint32) >> 16
    if kind in ("fp8", "bf8"):  # OCP's, with three or two bits of mantissa and bias 7 or 15
        mantissa = 3 if kind == "fp8" else 2
        half = values.astype(np.float16).view(np.uint16).astype(np.int64)
        wide = (half & 0x7FFF) - ((15 - (7 if kind == "fp8" else 15)) << 10)
        return np.where(values == 0, 0, wide >> 10 - mantissa | (half >> 15) << 7)
    return values.astype(np.float16).view(np.uint16)


def put(state: State, first: int, bits: int, lane: int, element: int, value: int) -> None:
    register, low = divmod(element * bits, 32)
    word = int(state.vgpr[first + register, lane])
    state.vgpr[first + register, lane] = word & ~(((1 << bits) - 1) << low) | int(value) << low


def place(state: State, name: str, op: MatrixOp, a: np.ndarray, b: np.ndarray) -> None:
    """A (as stored) and B into registers; on RDNA3 into every 16 lanes, as the manual wants it."""
    copies = range(0, op.lanes, 16) if name.startswith("gfx1100") else (0,)
    for first, kind, matrix in ((A, op.a_type, raw(op.a_type, a)), (B, op.b_type, raw(op.b_type, b.T))):
        for (row, k), value in np.ndenumerate(matrix):
            lane, element = place_of_a(name, BITS[kind], matrix.shape[1], row, k)
            for copy in copies:
                put(state, first, BITS[kind], lane + copy, element, int(value))


def result(state: State, name: str, op: MatrixOp) -> np.ndarray:
    out = np.zeros((16, 16))
    for i, j in np.ndindex(16, 16):
        lane, element = place_of_d(name, i, j)
        if op.acc_type in ("f16", "bf16"):
            register, half = (element, op.half) if op.half is not None else divmod(element, 2)
            bits = np.uint16(state.vgpr[D + register, lane] >> 16 * half & 0xFFFF)
            wide = np.uint32(int(bits) << 16).view(np.float32)
            out[i, j] = bits.view(np.float16) if op.acc_type == "f16" else wide
        else:
            kind = np.int32 if op.acc_type == "i32" else np.float32
            out[i, j] = state.vgpr[D + element, lane].view(kind)
    return out


def random_matrix(kind: str, shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """Numbers whose sums of products are exact in every type, in every order of additions."""
    low, high = {"u4": (0, 16), "u8": (0, 256), "i4": (-8, 8), "i8": (-128, 128)}.get(kind, (-3, 4))
    return rng.integers(low, high, shape)


def run_both(name: str, word: tuple[int, int], state: State, folder: Path) -> tuple[State, Instruction]:
    """Translated and interpreted: the same, or the test fails."""
    target = TARGETS[name]
    code, (instruction,) = program([word], target)
    made = Native(compile_program(code, folder, target=target)).step(state, 0)
    wanted = interpret(instruction, state, wave_size=target.wave_size)
    assert same(made, wanted, wave_matrix.describe(instruction, target.wave_size))
    return made, instruction


@pytest.mark.parametrize(("name", "mnemonic"), ROWS)
def test_products_are_numpys(name: str, mnemonic: str) -> None:
    """Both signs of integers, both halves of 16-bit results, a sparse A by each set of its index."""
    row, rng = find(name, mnemonic), np.random.default_rng(3)
    target = TARGETS[name]
    for turn in range(4):
        modifiers = {"neg": turn} if "signs" in row.flags else {}
        if "halves" in row.flags:
            modifiers = {"op_sel": 4 * (turn & 1)}
        op = wave_matrix.find(row, target.wave_size, signed=(bool(turn & 1), bool(turn & 2)), half=turn & 1)
        a, b = random_matrix(op.a_type, (16, op.k), rng), random_matrix(op.b_type, (op.k, 16), rng)
        state = State(random.Random(1), 0, target.wave_size)
        state.vgpr[D : D + 8] = 0
        stored = a
        if op.sparse:
            sets = 16 // op.a_items
            a, stored = sparse(name, op, a, state, turn % sets, rng)
            modifiers |= {"op_sel": turn % sets}
        place(state, name, op, stored, b)
        word = encode(row, None if op.sparse else 128, **modifiers)
        _, (instruction,) = program([word], target)
        made = interpret(instruction, state, wave_size=target.wave_size)
        np.testing.assert_array_equal(result(made, name, op), a @ b, f"turn {turn}")


def sparse(
    name: str, op: MatrixOp, a: np.ndarray, state: State, chosen: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """A with two of every four left, and the two alone; the index goes into its register.

    RDNA4 ISA, 7.12.3: the two bits of an element lie where it lies in its lane, in one of several sets.
    """
    stored, whole = np.zeros((16, op.k // 2), a.dtype), np.zeros_like(a)
    for row, k in np.ndindex(stored.shape):
        if k % 2 == 0:
            places = sorted(rng.choice(4, 2, replace=False))
        at = int(places[k % 2])
        stored[row, k] = whole[row, k // 2 * 4 + at] = a[row, k // 2 * 4 + at]
        lane, element = place_of_a(name, BITS[op.a_type], op.k // 2, row, k)
        put(state, INDEX, 2, lane, element + op.a_items * chosen, at)
    return whole, stored


@pytest.mark.parametrize("name", TARGETS)
def test_16_bit_results_in_translated_code(name: str, tmp_path: Path) -> None:
    row = find(name, "v_wmma_f16_16x16x16_f16")
    state, rng = State(random.Random(1), 0, TARGETS[name].wave_size), np.random.default_rng(8)
    op = wave_matrix.find(row, TARGETS[name].wave_size, half=1)
    a, b = random_matrix("f16", (16, 16), rng), random_matrix("f16", (16, 16), rng)
    place(state, name, op, a, b)
    made, _ = run_both(name, encode(row, 242, op_sel=4), state, tmp_path)  # C = 1.0
    np.testing.assert_array_equal(result(made, name, op), 1 + a @ b)


@pytest.mark.parametrize("name", ["gfx1100-wave32", "gfx1201-wave32"])
def test_signs_of_float_operands(name: str) -> None:
    """NEG turns A's and B's elements of even number, NEG_HI the odd ones; of C they are NEG and ABS."""
    row, rng = find(name, "v_wmma_f32_16x16x16_f16"), np.random.default_rng(2)
    op = wave_matrix.find(row, 32)
    a, b = random_matrix("f16", (16, 16), rng), random_matrix("f16", (16, 16), rng)
    even = np.arange(16) % 2 == 0
    c = np.float32(-5)
    for neg, neg_hi in ((1, 0), (0, 1), (2, 2), (4, 0), (0, 4), (7, 4)):
        state = State(random.Random(1), 0, 32)
        place(state, name, op, a, b)
        state.vgpr[C : C + 8] = c.view(np.uint32)
        _, (instruction,) = program([encode(row, neg=neg, neg_hi=neg_hi)], TARGETS[name])
        made = result(interpret(instruction, state, wave_size=32), name, op)
        signs = [np.where(even, 1 - 2 * (neg >> n & 1), 1 - 2 * (neg_hi >> n & 1)) for n in range(2)]
        start = (5 if neg_hi & 4 else -5) * (-1 if neg & 4 else 1)
        np.testing.assert_array_equal(made, start + (a * signs[0]) @ (b * signs[1][:, None]))


def test_clamped_integers_saturate() -> None:
    name = "gfx1100-wave32"
    row = find(name, "v_wmma_i32_16x16x16_iu8")
    state = State(random.Random(1), 0, 32)
    state.vgpr[A : A + 4] = state.vgpr[B : B + 4] = 0xFFFFFFFF  # 255
    state.vgpr[C : C + 8] = 0x7FFFFFF0
    for clamp, wanted in ((1, 0x7FFFFFFF), (0, 0x7FFFFFF0 + 16 * 255 * 255)):
        _, (instruction,) = program([encode(row, clamp=clamp)], TARGETS[name])
        made = interpret(instruction, state, wave_size=32)
        assert (made.vgpr[D : D + 8, :32] == wanted).all()


def test_undefined_modifiers_are_refused() -> None:
    row = find("gfx1201-wave32", "v_wmma_f32_16x16x16_fp8_fp8")
    _, (instruction,) = program([encode(row, neg=1)], TARGETS["gfx1201-wave32"])
    with pytest.raises(UnsupportedInstruction, match="with neg is undefined"):
        interpret(instruction, State(random.Random(1), 0, 32), wave_size=32)


@pytest.mark.parametrize("name", ["gfx1100-wave32", "gfx1201-wave64"])
def test_float_sums_keep_to_their_bound(name: str) -> None:
    row, rng = find(name, "v_wmma_f32_16x16x16_bf16"), np.random.default_rng(9)
    op = wave_matrix.find(row, TARGETS[name].wave_size)
    a, b = (
        (rng.normal(size=(16, 16)).astype(np.float32).view(np.uint32) & 0xFFFF0000).view(np.float32)
        for _ in range(2)
    )
    state = State(random.Random(1), 0, op.lanes)
    place(state, name, op, a, b)
    _, (instruction,) = program([encode(row, 242)], TARGETS[name])
    made = result(interpret(instruction, state, wave_size=op.lanes), name, op)
    a, b = a.astype(np.float64), b.astype(np.float64)
    assert (abs(made - (1 + a @ b)) <= (1 + np.abs(a) @ np.abs(b)) * 17 * 2.0**-24).all()
