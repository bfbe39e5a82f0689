"""MODE: what its fields do to results, on the NumPy builder and between both executors."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from anyhip.backends.virtual.mode import DOWN, NEAREST, TOWARD_ZERO, UP, Mode, initial
from anyhip.backends.virtual.numpy_builder import NumpyBuilder
from anyhip.backends.virtual.semantics import SEMANTICS
from anyhip.backends.virtual.semantics.arithmetic import evaluate
from anyhip.isa.opcodes import Opcode
from backends.virtual.test_opcodes import ROWS, TARGETS, compare, encode
from support.machine import Native, State, compile_program, interpret, program

TYPES = {"half": np.float16, "float": np.float32, "double": np.float64}
REAL = ("f16", "f32", "f64", "pk_f16", "pk_f32", "mix")
SIGNALING, QUIET, PAYLOAD = 0x7F800001, 0x7FC00000, 0x7FC00123
EDGES = [0.0, -0.0, 1.0, -1.0, 1.5, 3.0, 1e-3, -7.7, math.inf, -math.inf, math.nan]


def build(bits: int, generation: str = "gfx942") -> NumpyBuilder:
    builder = NumpyBuilder()
    builder.mode = Mode.of(bits, generation)
    return builder


def result(name: str, bits: int, type: str, *sources, generation: str = "gfx942"):
    """An instruction on arrays of numbers, or of raw bits of f32 where they are integers."""
    builder = build(bits, generation)
    values = [
        builder.value("i32", s).bitcast("float")
        if isinstance(s[0], int)
        else builder.value(type, np.array(s, np.float64).astype(TYPES[type]))
        for s in sources
    ]
    return evaluate(builder, name, SEMANTICS[name], values)


def bits_of(value) -> list[int]:
    return value.int_bits().data.tolist()


# -- the register
def test_a_kernels_first_mode_is_its_descriptors() -> None:
    assert initial(0xF0 << 12 | 1 << 21 | 1 << 23, "gfx942") == Mode().bits == 0x3F0
    assert initial(0xC5 << 12 | 1 << 26, "gfx1100") == 0xC5 | 1 << 23
    assert initial(0xF0 << 12 | 1 << 21 | 1 << 23, "gfx1201") == Mode.default("gfx1201").bits == 0xF0


def test_fields_are_read_by_type() -> None:
    mode = Mode(bits=0b10_01_11_01)
    assert [mode.rounding(type) for type in ("float", "half", "double", "bfloat")] == [
        UP, TOWARD_ZERO, TOWARD_ZERO, NEAREST,
    ]  # fmt: skip
    assert [mode.keeps_inputs(type) for type in ("float", "half", "double", "bfloat")] == [
        True, False, False, True,
    ]  # fmt: skip
    assert [mode.keeps_outputs(type) for type in ("float", "half", "double", "bfloat")] == [
        False, True, True, True,
    ]  # fmt: skip


# -- rounding
def neighbours_hold(direction: int, got, exact: Fraction) -> bool:
    """IEEE 754: the nearest number of the type that is not beyond the exact one in the direction."""
    if math.isinf(got):
        largest = Fraction(float(np.finfo(got.dtype).max))
        return exact > largest if got > 0 else exact < -largest
    value, infinity = Fraction(float(got)), got.dtype.type(np.inf)
    if direction == TOWARD_ZERO:
        direction = DOWN if exact > 0 else UP
    toward = -infinity if direction == UP else infinity
    next_one = np.nextafter(got, toward)
    inside = value >= exact if direction == UP else value <= exact
    if math.isinf(next_one):
        return inside
    beyond = Fraction(float(next_one))
    return inside and (beyond < exact if direction == UP else beyond > exact)


OPERATIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "fma": lambda a, b, c: a * b + c,
}


@pytest.mark.parametrize("direction", [UP, DOWN, TOWARD_ZERO])
@pytest.mark.parametrize(
    ("operation", "type"),
    [(o, t) for o in OPERATIONS for t in ("f16", "f32", "f64") if f"v_{o}_{t}" != "v_sub_f64"],
)
def test_results_lie_on_the_side_that_the_mode_wants(operation: str, type: str, direction: int) -> None:
    name = f"v_{operation}_{type}"
    kind = {"f16": "half", "f32": "float", "f64": "double"}[type]
    rng = np.random.default_rng(5)
    span = {"half": 12, "float": 120, "double": 1000}[kind]
    count = 3 if operation == "fma" else 2
    sources = [
        (rng.normal(0, 1, 200) * 2.0 ** rng.integers(-span, span // 2, 200)).astype(TYPES[kind])
        for _ in range(count)
    ]
    got = result(name, 0x3F0 | direction | direction << 2, kind, *sources).data
    for lane, number in enumerate(got):
        exact = OPERATIONS[operation](*(Fraction(float(s[lane])) for s in sources))
        assert exact == Fraction(float(number)) if math.isfinite(number) and exact == 0 else True
        if exact:
            same = math.isfinite(number) and Fraction(float(number)) == exact
            assert same or neighbours_hold(direction, number, exact), (sources, lane)


def test_overflow_and_zeros_follow_the_direction() -> None:
    largest = float(np.finfo(np.float32).max)
    for direction, wanted in ((UP, math.inf), (DOWN, largest), (TOWARD_ZERO, largest), (NEAREST, math.inf)):
        assert result("v_add_f32", 0x3F0 | direction, "float", [largest], [largest]).data[0] == wanted
    for direction, sign in ((UP, 1.0), (DOWN, -1.0), (TOWARD_ZERO, 1.0)):
        zero = result("v_sub_f32", 0x3F0 | direction, "float", [1.0], [1.0]).data[0]
        assert (zero, math.copysign(1, zero)) == (0.0, sign)
        positive = result("v_add_f32", 0x3F0 | direction, "float", [0.0], [0.0]).data[0]
        assert math.copysign(1, positive) == 1.0


def test_conversions_round_by_the_type_that_they_give() -> None:
    single, double = 0x3F0 | UP, 0x3F0 | UP << 2
    assert result("v_cvt_f32_f64", single, "double", [0.1]).data[0] == np.float32(0.1)
    third = result("v_cvt_f32_f64", single, "double", [1 / 3]).data[0]
    assert float(third) >= 1 / 3
    assert float(result("v_cvt_f32_f64", 0x3F0 | DOWN, "double", [1 / 3]).data[0]) <= 1 / 3
    assert result("v_cvt_f16_f32", double, "float", [1.0001]).data[0] == np.float16(1.0009765625)
    assert result("v_cvt_f16_f32", single, "float", [1.0001]).data[0] == np.float16(1)
    builder = build(0x3F0 | DOWN)
    number = evaluate(
        builder, "v_cvt_f32_u32", SEMANTICS["v_cvt_f32_u32"], [builder.value("i32", [0xFFFFFFFF])]
    )
    assert number.data[0] == 4294967040.0


# -- denormals
def test_denormals_are_flushed_as_inputs_and_as_outputs() -> None:
    tiny, least = 2.0**-130, 2.0**-126
    for field, wanted in ((3, tiny), (2, 0.0), (1, 0.0), (0, 0.0)):
        assert result("v_add_f32", 0x3C0 | field << 4, "float", [tiny], [0.0]).data[0] == wanted
    for field, wanted in ((3, least / 2), (2, least / 2), (1, 0.0), (0, 0.0)):
        assert result("v_mul_f32", 0x3C0 | field << 4, "float", [least], [0.5]).data[0] == wanted
    assert result("v_mul_f32", 0x300, "float", [-least], [0.5]).int_bits().data[0] == 0x80000000
    assert result("v_add_f16", 0x330, "half", [2.0**-24], [0.0]).data[0] == 0.0
    assert result("v_add_f16", 0x3C0, "half", [2.0**-24], [0.0]).data[0] == 2.0**-24
    assert result("v_add_f64", 0x330, "double", [2.0**-1074], [0.0]).data[0] == 0.0


def test_minima_have_no_output_denormals_to_flush_of_their_own() -> None:
    tiny = 2.0**-130
    assert result("v_min_f32", 0x3D0, "float", [tiny], [1.0]).data[0] == tiny  # inputs allowed, outputs not
    assert result("v_min_f32", 0x3E0, "float", [tiny], [1.0]).data[0] == 0.0


def test_the_classes_of_numbers_are_those_of_the_bits() -> None:
    builder = build(0x300)
    sources = [builder.value("i32", [1]).bitcast("float"), builder.value("i32", [1 << 7])]
    assert evaluate(builder, "v_cmp_class_f32", SEMANTICS["v_cmp_class_f32"], sources).data.tolist() == [True]


def test_comparisons_take_flushed_denormals_for_zeros() -> None:
    assert not result("v_cmp_lt_f32", 0x300, "float", [0.0], [2.0**-130]).data[0]
    assert result("v_cmp_lt_f32", 0x330, "float", [0.0], [2.0**-130]).data[0]


# -- NaN
def test_ieee_lets_signaling_nans_win() -> None:
    one = 0x3F800000
    for name in ("v_min_f32", "v_max_f32"):
        for x, y in ((SIGNALING, one), (one, SIGNALING)):
            assert bits_of(result(name, 0x3F0, "float", [x], [y])) == [SIGNALING | 1 << 22]
            assert bits_of(result(name, 0x1F0, "float", [x], [y])) == [one]
            assert bits_of(result(name, 0xF0, "float", [x], [y], generation="gfx1201")) == [one]
        assert bits_of(result(name, 0x3F0, "float", [QUIET], [one])) == [one]
        assert bits_of(result(name, 0x3F0, "float", [one], [QUIET])) == [one]
    assert bits_of(result("v_max_f32", 0x3F0, "float", [SIGNALING], [SIGNALING + 1])) == [SIGNALING | 1 << 22]


def test_of_two_quiet_nans_generations_differ() -> None:
    for generation, wanted in (
        ("gfx942", PAYLOAD),
        ("gfx1030", PAYLOAD),
        ("gfx1100", QUIET),
        ("gfx1201", QUIET),
    ):
        got = result("v_min_f32", 0x3F0, "float", [QUIET], [PAYLOAD], generation=generation)
        assert bits_of(got) == [wanted]


def test_zeros_have_an_order() -> None:
    for x, y in ((0.0, -0.0), (-0.0, 0.0)):
        assert bits_of(result("v_min_f32", 0x3F0, "float", [x], [y])) == [0x80000000]
        assert bits_of(result("v_max_f32", 0x3F0, "float", [x], [y])) == [0]


def test_halves_may_saturate() -> None:
    saturating = 0x3F0 | 1 << 23
    assert result("v_mul_f16", saturating, "half", [60000.0], [2.0]).data[0] == 65504.0
    assert result("v_mul_f16", saturating, "half", [-60000.0], [2.0]).data[0] == -65504.0
    assert result("v_mul_f16", saturating, "half", [math.inf], [2.0]).data[0] == math.inf
    assert result("v_rcp_f16", saturating, "half", [0.0]).data[0] == math.inf
    assert result("v_mul_f16", 0x3F0, "half", [60000.0], [2.0]).data[0] == math.inf


# -- both executors
def real(row: Opcode) -> bool:
    return any(type in REAL for _, type in (*row.src, *row.dst))


MODES = [
    ("gfx942", 0x3F5), ("gfx942", 0x3FA), ("gfx942", 0x3FF), ("gfx942", 0x300), ("gfx942", 0x19C),
    ("gfx942", 0x8000E0), ("gfx1100", 0x36B), ("gfx1100", 0x0D6), ("gfx1201", 0x0F5), ("gfx1201", 0x80000F),
]  # fmt: skip


@pytest.mark.parametrize(("name", "bits"), MODES)
def test_translation_follows_the_mode_as_the_interpreter_does(name: str, bits: int, tmp_path: Path) -> None:
    rng = random.Random(bits)
    target = TARGETS[name]
    mode = Mode.of(bits, target.generation)
    rows = rng.sample([row for row in ROWS[name] if real(row)], 40)
    code, instructions = program([encode(row, rng) for row in rows], target)
    native = Native(compile_program(code, tmp_path, target=target, mode=mode))
    for number, instruction in enumerate(instructions):
        for execute in ((1 << 64) - 1, 0x0F0F_3355_3355_FFFE):
            state = State(rng, execute, target.wave_size)
            made = native.step(state, number)
            compare(
                instruction, state, made, interpret(instruction, state, None, None, target.wave_size, mode)
            )


# -- dot products have rules of their own
def test_dot_products_flush_on_cdna_whatever_the_mode_says() -> None:
    least = 1  # the least denormal half, twice, and an f32 one
    for generation, wanted in (("gfx942", 0.0), ("gfx1100", 2.0**-149 + 2.0**-24)):
        builder = build(0x3F0, generation)
        half, one = (builder.value("i32", [bits]) for bits in (least, 0x3C00))
        total = builder.value("i32", [1]).bitcast("float")
        got = evaluate(builder, "v_dot2c_f32_f16", SEMANTICS["v_dot2c_f32_f16"], [half, one, total])
        assert got.data[0] == np.float32(wanted)
