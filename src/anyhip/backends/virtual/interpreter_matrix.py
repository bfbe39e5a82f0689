"""Matrix instructions in the reference interpreter: whole matrices as NumPy arrays, one fused step a k."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from anyhip.backends.virtual.interpreter_state import Wave
from anyhip.backends.virtual.layout import WAVE_LANES
from anyhip.backends.virtual.semantics import matrix, scaled_matrix
from anyhip.backends.virtual.semantics.matrix import MatrixOp
from anyhip.backends.virtual.semantics.wave_matrix import describe
from anyhip.backends.virtual.value import Value
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction, Operand

__all__ = ["matrix_multiply"]

Array = Any
_ACC = {"f64": (np.float64, "double"), "i32": (np.uint32, "i32")}  # others are summed in f32


def matrix_multiply(wave: Wave, instruction: Instruction) -> None:
    """Execute an MFMA, SMFMAC, WMMA or SWMMAC; EXEC has no say.

    Raises:
        UnsupportedInstruction: a shape that is not described, or modifiers that the ISA leaves undefined.
    """
    op = describe(instruction, wave.wave_size)
    first, second, third = instruction.src[:3]
    if first.kind not in "va" or second.kind not in "va":
        raise UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} of a constant is undefined")
    signs = matrix.signs(op, instruction)
    left = _items(wave, op, op.a_type, first, op.a_items, signs.a)
    right = _items(wave, op, op.b_type, second, op.b_items, signs.b)
    a = left[:, matrix.a_lanes(op, instruction)][_places(op, "a")]
    b = right[:, matrix.b_lanes(op, instruction)][_places(op, "b")]
    d = _accumulator(wave, op, instruction.dst[0] if op.sparse else third)[_places(op, "d")]
    d = np.abs(d) if signs.c_absolute else d
    d = -d if signs.c_negative else d
    index = None
    if op.sparse:
        index = _index(wave, op, third, matrix.index_shift(op, instruction))
    if op.scaled:
        a, b, d = _scaled(wave, op, instruction, a, b, d)
    _write(wave, op, instruction.dst[0], _product(wave, op, a, b, d, index))


@cache
def _places(op: MatrixOp, which: str) -> tuple[Array, Array]:
    """Item and lane of each element: A as [block][i][k], B as [block][k][j], D as [block][i][j]."""
    if which == "d":
        places = [[[op.d_place(b, i, j) for j in range(op.n)] for i in range(op.m)] for b in range(op.blocks)]
        table = np.array(places)
        return table[..., 0], table[..., 1]
    spread, size, depth, items = (
        (op.a, op.m, op.a_depth, op.a_items) if which == "a" else (op.b, op.n, op.k, op.b_items)
    )
    table = np.zeros((op.blocks, size, depth, 2), np.intp)
    for lane in range(spread.groups * size * op.blocks):
        group, block = lane // (size * op.blocks), lane // size % op.blocks
        for item in range(items):
            table[block, lane % size, spread.depth(group, item, items)] = item, lane
    if which == "b":
        table = table.swapaxes(1, 2)
    return table[..., 0], table[..., 1]


def _registers(wave: Wave, operand: Operand) -> list[Value]:
    return [wave.builder.value("i32", wave.row(operand, i).copy()) for i in range(operand.count)]


def _items(
    wave: Wave, op: MatrixOp, kind: str, operand: Operand, count: int, negate: tuple[bool, bool]
) -> Array:
    words = _registers(wave, operand)
    items = [matrix.element(op, kind, words, item).data for item in range(count)]
    return np.array([-x if negate[number % 2] else x for number, x in enumerate(items)])


def _accumulator(wave: Wave, op: MatrixOp, operand: Operand) -> Array:
    """C by item and lane."""
    dtype, _ = _ACC.get(op.acc_type, (np.float32, ""))
    if op.acc_type in ("f16", "bf16"):
        if operand.kind == "const":
            word = wave.builder.value("i32", np.full(WAVE_LANES, matrix.constant(op, operand), np.uint32))
            return np.array([matrix.accumulator(op, word, 0).data] * op.d_items)
        words = _registers(wave, operand)
        places = [op.d_register(item) for item in range(op.d_items)]
        return np.array([matrix.accumulator(op, words[r], half).data for r, half in places])
    if operand.kind == "const":
        raw = np.uint64 if op.acc_type == "f64" else np.uint32
        value = np.array(matrix.constant(op, operand), np.uint64).astype(raw).view(dtype)
        return np.full((op.d_items, WAVE_LANES), value)
    rows = np.array([wave.row(operand, i) for i in range(operand.count)], np.uint32)
    if op.acc_type != "f64":
        return rows.view(dtype)
    whole = rows[0::2].astype(np.uint64) | rows[1::2].astype(np.uint64) << np.uint64(32)
    return whole.view(np.float64)


def _index(wave: Wave, op: MatrixOp, operand: Operand, shift: int) -> Array:
    """The k of each stored element of a sparse A, as [i][stored k]."""
    row = np.asarray(wave.row(operand)) >> np.uint32(shift)
    items, lanes = (table[0] for table in _places(op, "a"))
    within = row[lanes] >> (2 * items).astype(np.uint32) & 3
    return within + np.arange(op.a_depth) // 2 * 4


def _scaled(
    wave: Wave, op: MatrixOp, instruction: Instruction, a: Array, b: Array, d: Array
) -> tuple[Array, Array, Array]:
    """A and B times their factors, and C, in f64."""
    tables = []
    for scale, operand in zip(scaled_matrix.scales(instruction), instruction.src[3:5], strict=True):
        row = wave.row(operand).copy() if operand.kind != "const" else np.full(WAVE_LANES, operand.value)
        factors = scaled_matrix.factor(scale, wave.builder.value("i32", row)).data
        tables.append(factors.reshape(op.k // scaled_matrix.BLOCK, op.m).repeat(scaled_matrix.BLOCK, 0))
    with np.errstate(invalid="ignore"):
        return a * tables[0].T[None], b * tables[1][None], d.astype(np.float64)


def _product(wave: Wave, op: MatrixOp, a: Array, b: Array, d: Array, index: Array | None) -> Array:
    """D in the layout of ``a`` and ``b``: one multiply-add for each k in turn."""
    builder = wave.builder
    whole = op.acc_type == "i32"
    real = "double" if op.acc_type == "f64" or op.scaled else "float"
    total = builder.value(real, np.zeros(d.shape, np.float32) if whole else d)
    for k in range(op.a_depth):
        row = b[:, k, None, :] if index is None else b[:, index[:, k], :]
        left = builder.value(real, np.broadcast_to(a[:, :, k, None], d.shape))
        total = left.fma(builder.value(real, np.broadcast_to(row, d.shape)), total)
    if not whole:
        return total.data
    exact = total.data.astype(np.int64)
    if op.saturate:
        return np.clip(d.view(np.int32) + exact, -(1 << 31), (1 << 31) - 1).astype(np.int32).view(np.uint32)
    return d + exact.astype(np.int32).view(np.uint32)


def _write(wave: Wave, op: MatrixOp, operand: Operand, result: Array) -> None:
    items, lanes = _places(op, "d")
    dtype, _ = _ACC.get(op.acc_type, (np.float32, ""))
    out = np.zeros((op.d_items, op.lanes), dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        out[items, lanes] = result
    if op.acc_type in ("f16", "bf16"):
        for item in range(op.d_items):
            register, half = op.d_register(item)
            row = wave.row(operand, register)[: op.lanes]
            word = wave.builder.value("i32", row.copy())
            row[:] = matrix.with_result(op, word, half, wave.builder.value("float", out[item])).data
        return
    if op.acc_type == "f64":
        raw = out.view(np.uint64)
        rows = np.stack([raw & np.uint64(0xFFFFFFFF), raw >> np.uint64(32)], 1).reshape(-1, op.lanes)
    else:
        rows = out.view(np.uint32)
    for i, row in enumerate(rows):
        wave.row(operand, i)[: op.lanes] = row.astype(np.uint32)
