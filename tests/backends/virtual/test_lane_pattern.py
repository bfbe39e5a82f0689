"""Patterns of lanes against plain numbers: base and offsets give what the operation gives in every lane."""

from __future__ import annotations

import numpy as np
import pytest

from anyhip.backends.virtual import lane_pattern
from anyhip.backends.virtual.lane_pattern import Pattern
from anyhip.backends.virtual.llvm_builder import CHUNK, LlvmBuilder
from anyhip.backends.virtual.value import Value

LANES = tuple(range(CHUNK))
NUMPY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "and": np.bitwise_and, "or": np.bitwise_or,
    "xor": np.bitwise_xor, "shl": np.left_shift, "lshr": np.right_shift,
}  # fmt: skip


class Lanes:
    """A value with a pattern, and the numbers that it stands for when its base is ``base``."""

    def __init__(self, builder: LlvmBuilder, base: int, offsets: tuple[int, ...], zeros: int = 0) -> None:
        self.value = builder.lanes("i32", builder.name())
        self.base = builder.const("i32", base)
        self.value.lanes = Pattern(offsets, zeros, lambda: self.base)
        self.numbers = (np.array(offsets, np.int64) + base).astype(np.uint32)


def numbers(value: Value) -> np.ndarray:
    """What the pattern says of every lane; its base is a literal, since all that goes into it is."""
    assert value.lanes is not None
    base = int(value.lanes.base().data)
    return (np.array(value.lanes.offsets, np.int64) + base).astype(np.uint32)


@pytest.mark.parametrize(
    ("op", "other", "base", "zeros"),
    [
        ("add", 77, 0xFFFFFFF8, 0),
        ("sub", 100, 3, 0),
        ("mul", 12, 0x20000001, 0),
        ("shl", 2, 0x7FFFFFFF, 0),
        ("and", 0x3FF, 0xABC10, 4),
        ("and", 7, 0x20, 4),
        ("or", 0x40, 0x1000, 4),
        ("xor", 0x30, 0x1000, 4),
        ("lshr", 2, 0x1230, 4),
        ("lshr", 10, 0x345670, 4),
    ],
)
def test_operations_with_a_number(op: str, other: int, base: int, zeros: int) -> None:
    builder = LlvmBuilder()
    lanes = Lanes(builder, base, LANES, zeros)
    result = builder.binary(op, lanes.value, builder.const("i32", other))
    np.testing.assert_array_equal(numbers(result), NUMPY[op](lanes.numbers, np.uint32(other)))
    if op in ("add", "mul", "and", "or", "xor"):
        turned = builder.binary(op, builder.const("i32", other), lanes.value)
        np.testing.assert_array_equal(numbers(turned), numbers(result))


def test_two_patterns_add_up() -> None:
    builder = LlvmBuilder()
    a, b = Lanes(builder, 5, LANES), Lanes(builder, 1000, tuple(-3 * k for k in LANES))
    np.testing.assert_array_equal(numbers(a.value + b.value), a.numbers + b.numbers)
    np.testing.assert_array_equal(numbers(a.value - b.value), a.numbers - b.numbers)


@pytest.mark.parametrize(
    ("op", "other", "zeros"),
    [("and", 0x3FF, 0), ("lshr", 1, 0), ("or", 1, 4), ("xor", 0x18, 4), ("udiv", 3, 4), ("urem", 16, 4)],
)
def test_where_a_carry_or_a_division_could_break_it_nothing_is_known(op: str, other: int, zeros: int) -> None:
    builder = LlvmBuilder()
    lanes = Lanes(builder, 0x100, LANES, zeros)
    assert builder.binary(op, lanes.value, builder.const("i32", other)).lanes is None


def test_equal_lanes_stay_equal_whatever_is_done() -> None:
    builder = LlvmBuilder()
    equal = Lanes(builder, 9, (0,) * CHUNK)
    result = builder.binary("mul", equal.value, builder.uniform("i32", "%s0"))
    assert result.lanes is not None
    assert result.lanes.equal
    unequal = Lanes(builder, 9, LANES)
    assert builder.binary("mul", unequal.value, builder.uniform("i32", "%s0")).lanes is None


@pytest.mark.parametrize(
    ("op", "base", "holds"),
    [
        ("zext", 0xFFFFFFF0, 1),
        ("zext", 0xFFFFFFF1, 0),
        ("sext", 0x7FFFFFF0, 1),
        ("sext", 0x7FFFFFF1, 0),
        ("sext", 0x80000000, 1),
    ],
)
def test_widening_holds_unless_a_lane_wraps_around(op: str, base: int, holds: int) -> None:
    builder = LlvmBuilder()
    lanes = Lanes(builder, base, LANES)
    wide = builder.cast(op, lanes.value, "i64")
    assert wide.lanes is not None
    (condition,) = wide.lanes.conditions
    test = builder.lines
    condition()
    predicate, left, right = (
        test[-1].replace(",", "").split()[-4:][0],
        *test[-1].replace(",", "").split()[-2:],
    )
    assert predicate in ("ult", "slt")
    number = int(left) - (1 << 32) if op == "sext" and int(left) >> 31 else int(left)
    limit = int(right) - (1 << 32) if op == "sext" and int(right) >> 31 and op == "sext" else int(right)
    assert (number < limit) == bool(holds)


def test_the_lower_half_of_a_wide_sum_is_known_though_the_upper_is_not() -> None:
    builder = LlvmBuilder()
    low = Lanes(builder, 64, LANES)
    pair = builder.lanes("i64", builder.name())
    pair.lanes = Pattern(LANES, 0, lambda: low.base.zext("i64"), low_only=True)
    total = pair + builder.const("i64", 1 << 33 | 6)
    assert total.lanes is not None
    assert total.lanes.low_only
    assert (total >> 32).lanes is None
    np.testing.assert_array_equal(numbers(total.trunc("i32")), low.numbers + 6)


def test_an_offset_too_large_for_any_access_is_forgotten() -> None:
    builder = LlvmBuilder()
    lanes = Lanes(builder, 0, LANES)
    assert (lanes.value << 26).lanes is None


def test_uniform_values_have_equal_lanes() -> None:
    builder = LlvmBuilder()
    pattern = lane_pattern.of_uniform(builder.const("i32", 48), CHUNK)
    assert pattern.equal
    assert pattern.zeros == 4
