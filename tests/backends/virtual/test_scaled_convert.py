"""Conversions with a scale: all numbers of the small formats by their tables, translated as interpreted."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from anyhip.isa import opcodes
from anyhip.isa.decode import Instruction
from anyhip.isa.opcodes import Opcode
from anyhip.target import Target
from isa import assembler
from support import small_floats
from support.machine import Native, State, compile_program, interpret, program

TARGET = Target.parse("gfx950")
FIRST, SECOND, THIRD, RESULT = 0, 34, 52, 28  # registers
ALL = (1 << 64) - 1
ROWS = [
    row
    for row in opcodes.load("gfx950")
    if row.name.startswith(("v_cvt_scalef32_", "v_cvt_sr_f16", "v_cvt_sr_bf16", "v_ashr_pk_"))
]


def encode(row: Opcode, select: int = 0, **modifiers: int) -> tuple[int, int]:
    """Sources in v0, v34 and v52 (of 16 registers each in v0 and v16), the result in v28."""
    both = "2xpk16" in row.name
    places = {"vdst": RESULT, "src0": FIRST, "src1": 16 if both else SECOND, "src2": THIRD}
    names = {name for name, _ in (*row.dst, *row.src)}
    fields = {
        name: number + (256 if name != "vdst" else 0) for name, number in places.items() if name in names
    }
    return assembler.encode(row, **fields, op_sel=select, **modifiers), 8


def decoded(row: Opcode, select: int = 0, **modifiers: int) -> Instruction:
    _, (instruction,) = program([encode(row, select, **modifiers)], TARGET)
    return instruction


def find(name: str) -> Opcode:
    return next(row for row in ROWS if row.name == name)


def float_state(*registers: tuple[int, object], seed: int = 1) -> State:
    """A state whose registers from each first one on hold the given u32s, a row a register."""
    state = State(random.Random(seed), ALL)
    for first, data in registers:
        rows = np.atleast_2d(np.asarray(data, np.uint32))
        state.vgpr[first : first + len(rows)] = rows
    return state


def bits(numbers: object) -> np.ndarray:
    return np.asarray(numbers, np.float32).view(np.uint32)


def test_translation_agrees_with_the_interpreter(tmp_path: Path) -> None:
    rng = random.Random(7)
    words = [encode(row, rng.getrandbits(4)) for row in ROWS]
    words += [encode(row, rng.getrandbits(4), neg=1) for row in ROWS if row.src[0][1] in ("f32", "pk_f16")]
    code, instructions = program(words, TARGET)
    native = Native(compile_program(code, tmp_path, target=TARGET))
    for number, instruction in enumerate(instructions):
        for execute in (ALL, 0x0F0F_3355_3355_FFFE):
            state = State(rng, execute)
            made, wanted = native.step(state, number).vgpr, interpret(instruction, state).vgpr
            np.testing.assert_array_equal(made, same_nans(instruction, made, wanted), instruction.name)


def same_nans(instruction: Instruction, made: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """What is wanted, with the NaNs that were made where both have some: their bits are the host's choice."""
    kind = instruction.dst[0].type
    if "f32" in kind:
        both = np.isnan(made.view(np.float32)) & np.isnan(wanted.view(np.float32))
        return np.where(both, made, wanted)
    out = wanted.copy().view(np.uint16)
    x, y = made.view(np.uint16), wanted.view(np.uint16)
    greatest = 0x7F80 if "bf16" in instruction.name else 0x7C00
    both = ((x & 0x7FFF) > greatest) & ((y & 0x7FFF) > greatest)
    out[both] = x[both]
    return out.view(np.uint32)


def codes(kind: str) -> np.ndarray:
    """Each code of a format in turn, as often as there are lanes."""
    return np.resize(np.arange(1 << small_floats.BITS[kind], dtype=np.uint32), 256)


@pytest.mark.parametrize("scale", [1.0, 0.125, 2.0**40])
@pytest.mark.parametrize("kind", ["fp8", "bf8"])
def test_bytes_are_widened(kind: str, scale: float) -> None:
    """Each byte that op_sel names."""
    table, words = np.array(small_floats.values(kind)), codes(kind).view(np.uint8)[::4].copy()
    register = words.reshape(64, 4).copy().view(np.uint32).T
    wanted = table[words.reshape(64, 4)] * scale
    state = float_state((FIRST, register), (SECOND, np.resize(bits(scale), 64)))
    for byte in range(4):
        made = interpret(decoded(find(f"v_cvt_scalef32_f32_{kind}"), byte), state).vgpr[RESULT]
        np.testing.assert_array_equal(made.view(np.float32), wanted[:, byte].astype(np.float32))
        row = find(f"v_cvt_scalef32_f16_{kind}")
        half = interpret(decoded(row, byte | 8), state).vgpr[RESULT]
        with np.errstate(over="ignore"):
            expected = wanted[:, byte].astype(np.float16)
        np.testing.assert_array_equal((half >> 16).astype(np.uint16).view(np.float16), expected)
        np.testing.assert_array_equal(half & 0xFFFF, state.vgpr[RESULT] & 0xFFFF)
    for word in range(2):
        made = interpret(decoded(find(f"v_cvt_scalef32_pk_f32_{kind}"), word), state).vgpr[RESULT:][:2]
        pair = wanted[:, 2 * word : 2 * word + 2].T.astype(np.float32)
        np.testing.assert_array_equal(made.view(np.float32), pair)


@pytest.mark.parametrize("kind", ["fp6", "bf6", "fp4"])
def test_small_floats_are_widened(kind: str) -> None:
    """All codes of a format, of 6 bits 32 a lane side by side in six registers."""
    size, table = small_floats.BITS[kind], np.array(small_floats.values(kind))
    count = 2 if size == 4 else 32
    chosen = np.random.default_rng(2).integers(0, 1 << size, (64, count))
    registers = [[] for _ in range(6)]
    for lane in chosen:
        whole = sum(int(code) << size * number for number, code in enumerate(lane))
        for number in range(6):
            registers[number].append(whole >> 32 * number & 0xFFFFFFFF)
    state = float_state((FIRST, registers[: 1 if size == 4 else 6]), (SECOND, np.resize(bits(0.5), 64)))
    name = f"v_cvt_scalef32_pk_f32_{kind}" if size == 4 else f"v_cvt_scalef32_pk32_f32_{kind}"
    made = interpret(decoded(find(name)), state).vgpr[RESULT : RESULT + count].view(np.float32)
    np.testing.assert_array_equal(made.T, table[chosen].astype(np.float32) * np.float32(0.5))
    name = name.replace("_f32_f", "_f16_f").replace("_f32_b", "_f16_b")
    made = interpret(decoded(find(name)), state).vgpr[RESULT : RESULT + count // 2].T.copy().view(np.float16)
    np.testing.assert_array_equal(made, (table[chosen] * 0.5).astype(np.float16))


INTERESTING = [
    0.0, -0.0, 0.25, 0.75, 1.0, 1.25, -1.75, 2.5, 3.5, 5.0, -6.0, 7.0, 7.25, 28.0, 30.0, 31.0, 448.0, 464.0,
    -465.0, 1e9, 57344.0, 61440.0, math.inf, -math.inf, math.nan, 2.0**-9, 2.0**-10, 3 * 2.0**-11, 2.0**-17,
    2.0**-149, 0.0625,
]  # fmt: skip


def numbers(seed: int, count: int) -> np.ndarray:
    """[count][lane]: edge values and random ones of many sizes."""
    rng = np.random.default_rng(seed)
    out = (rng.normal(size=(count, 64)) * 2.0 ** rng.integers(-6, 6, (count, 64))).astype(np.float32)
    out[:, : len(INTERESTING)] = np.roll(np.array(INTERESTING, np.float32), seed)
    return out


@pytest.mark.parametrize("scale", [1.0, 4.0, 2.0**-3])
@pytest.mark.parametrize("kind", ["fp8", "bf8", "fp4"])
def test_pairs_are_narrowed_to_the_nearest(kind: str, scale: float) -> None:
    width = small_floats.BITS[kind]
    x, y = numbers(1, 2)
    state = float_state((FIRST, bits(x)), (SECOND, bits(y)), (THIRD, np.resize(bits(scale), 64)))
    place = 1 if width == 8 else 3
    select = 8 * place if width == 8 else 4 * place
    made = interpret(decoded(find(f"v_cvt_scalef32_pk_{kind}_f32"), select), state).vgpr[RESULT]
    low = 2 * width * place
    for lane in range(64):
        first, second = (small_floats.nearest(kind, float(each[lane]) / scale) for each in (x, y))
        got = int(made[lane]) >> low & (1 << 2 * width) - 1
        assert got == first | second << width, (x[lane], y[lane])
    kept = np.uint32(0xFFFFFFFF & ~((1 << 2 * width) - 1 << low))
    np.testing.assert_array_equal(made & kept, state.vgpr[RESULT] & kept)


@pytest.mark.parametrize("kind", ["fp6", "bf6"])
def test_vectors_are_narrowed_to_the_nearest(kind: str) -> None:
    """The elements of the two sources in turn."""
    x, y = numbers(3, 16), numbers(4, 16)
    state = float_state((FIRST, bits(x)), (16, bits(y)), (THIRD, np.resize(bits(2.0), 64)))
    made = interpret(decoded(find(f"v_cvt_scalef32_2xpk16_{kind}_f32")), state).vgpr[RESULT : RESULT + 6]
    for lane in range(64):
        whole = sum(int(made[r, lane]) << 32 * r for r in range(6))
        for number in range(32):
            source = (x, y)[number % 2][number // 2, lane]
            assert whole >> 6 * number & 63 == small_floats.nearest(kind, float(source) / 2), source


@pytest.mark.parametrize("kind", ["fp6", "bf6"])
def test_halves_are_narrowed_to_the_nearest(kind: str) -> None:
    with np.errstate(over="ignore"):
        x = numbers(5, 32).astype(np.float16)
    packed = np.ascontiguousarray(x.reshape(16, 2, 64).swapaxes(1, 2)).view(np.uint32)[..., 0]
    state = float_state((FIRST, packed), (SECOND, np.resize(bits(0.5), 64)))
    made = interpret(decoded(find(f"v_cvt_scalef32_pk32_{kind}_f16")), state).vgpr[RESULT : RESULT + 6]
    for lane in range(64):
        whole = sum(int(made[r, lane]) << 32 * r for r in range(6))
        for number in range(32):
            assert whole >> 6 * number & 63 == small_floats.nearest(kind, float(x[number, lane]) * 2)


def stochastic(kind: str, x: float, noise: int) -> int:
    """The code below x plus the noise's share of a step: of the noise the bits that f32 has to spare."""
    _, mantissa, bias = small_floats.FIELDS[kind]
    magnitude = Fraction(abs(x))
    exponent = max(math.frexp(abs(x))[1] - 1, 1 - bias) if x else 1 - bias
    step = Fraction(2) ** (exponent - mantissa)
    cut = 23 - mantissa
    steps = int(magnitude / step + Fraction(noise >> 32 - cut, 1 << cut))
    code = steps + (exponent - (1 - bias)) * (1 << mantissa)
    greatest = (1 << small_floats.BITS[kind] - 1) - 1
    return min(code, greatest) | (math.copysign(1.0, x) < 0) << small_floats.BITS[kind] - 1


def next_random(noise: int) -> int:
    """V_PRNG_B32."""
    return (noise << 1 & 0xFFFFFFFF) ^ (197 if noise >> 31 else 0)


def test_stochastic_rounding_adds_the_noise() -> None:
    """A new number after each element."""
    rng = np.random.default_rng(6)
    x = rng.uniform(-7, 7, (32, 64)).astype(np.float32)
    noise = rng.integers(0, 1 << 32, 64, np.uint32)
    state = float_state((FIRST, bits(x)), (SECOND, noise), (THIRD, np.resize(bits(1.0), 64)))
    made = interpret(decoded(find("v_cvt_scalef32_sr_pk32_fp6_f32")), state).vgpr[RESULT : RESULT + 6]
    for lane in range(64):
        whole, now = sum(int(made[r, lane]) << 32 * r for r in range(6)), int(noise[lane])
        for number in range(32):
            wanted = stochastic("fp6", float(x[number, lane]), now)
            assert whole >> 6 * number & 63 == wanted, (x[number, lane], now)
            now = next_random(now)


@pytest.mark.parametrize(("kind", "cut"), [("f16", 13), ("bf16", 16)])
def test_stochastic_rounding_to_16_bits(kind: str, cut: int) -> None:
    """Truncation after the noise's upper bits were added to what f32 has more."""
    rng = np.random.default_rng(8)
    x = rng.uniform(1, 2, 64).astype(np.float32) * np.float32(2.0) ** rng.integers(-10, 10, 64).astype(
        np.float32
    )
    noise = rng.integers(0, 1 << 32, 64, np.uint32)
    state = float_state((FIRST, bits(x)), (SECOND, noise))
    made = interpret(decoded(find(f"v_cvt_sr_{kind}_f32"), 8), state).vgpr[RESULT]
    wide = (
        ((bits(x).astype(np.uint64) + (noise >> 32 - cut)) >> cut << cut).astype(np.uint32).view(np.float32)
    )
    wanted = wide.astype(np.float16).view(np.uint16) if kind == "f16" else wide.view(np.uint32) >> 16
    np.testing.assert_array_equal(made >> 16, wanted)
    np.testing.assert_array_equal(made & 0xFFFF, state.vgpr[RESULT] & 0xFFFF)


@pytest.mark.parametrize(("name", "low", "high"), [("i8", -128, 127), ("u8", 0, 255)])
def test_shifted_integers_saturate(name: str, low: int, high: int) -> None:
    rng = np.random.default_rng(9)
    x, y = rng.integers(-(1 << 31), 1 << 31, (2, 64))
    count = rng.integers(0, 64, 64)
    state = float_state((FIRST, x), (SECOND, y), (THIRD, count))
    made = interpret(decoded(find(f"v_ashr_pk_{name}_i32")), state).vgpr[RESULT]
    first, second = (np.clip(each >> (count & 31), low, high) & 0xFF for each in (x, y))
    np.testing.assert_array_equal(made & 0xFFFF, first | second << 8)
