"""Matrix instructions in the reference interpreter: whole matrices as NumPy arrays, one fused step a k."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from anyhip.backends.virtual.interpreter_state import Wave
from anyhip.backends.virtual.semantics import matrix
from anyhip.backends.virtual.semantics.matrix import LANES, MatrixOp
from anyhip.backends.virtual.value import Value
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction, Operand

__all__ = ["matrix_multiply"]

Array = Any
_ACC = {"f32": (np.float32, "float"), "f64": (np.float64, "double"), "i32": (np.uint32, "i32")}


def matrix_multiply(wave: Wave, instruction: Instruction) -> None:
    """Execute an MFMA or SMFMAC; EXEC has no say.

    Raises:
        UnsupportedInstruction: a shape that is not described, or modifiers that the ISA leaves undefined.
    """
    op = matrix.find(instruction.opcode)
    first, second, third = instruction.src[:3]
    if first.kind not in "va" or second.kind not in "va":
        raise UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} of a constant is undefined")
    a = _items(wave, op, op.a_type, first, op.a_items)[:, matrix.a_lanes(op, instruction)]
    b = _items(wave, op, op.b_type, second, op.b_items)[:, matrix.b_lanes(op, instruction)]
    d = _accumulator(wave, op, instruction.dst[0] if op.sparse else third)
    negate = instruction.fields["blgp"] if op.acc_type == "f64" else 0
    a, b, d = (-x if negate >> n & 1 else x for n, x in enumerate((a, b, d)))
    index = None
    if op.sparse:
        index = _index(wave, op, third, matrix.index_shift(op, instruction))
    result = _product(wave, op, a[_places(op, "a")], b[_places(op, "b")], d[_places(op, "d")], index)
    _write(wave, op, instruction.dst[0], result)


@cache
def _places(op: MatrixOp, which: str) -> tuple[Array, Array]:
    """Item and lane of each element: A as [block][i][k], B as [block][k][j], D as [block][i][j]."""
    if which == "d":
        places = [[[op.d_place(b, i, j) for j in range(op.n)] for i in range(op.m)] for b in range(op.blocks)]
        table = np.array(places)
        return table[..., 0], table[..., 1]
    size, depth, items = (op.m, op.a_depth, op.a_items) if which == "a" else (op.n, op.k, op.b_items)
    table = np.zeros((op.blocks, size, depth, 2), np.intp)
    for lane in range(LANES):
        group, block = lane // (size * op.blocks), lane // size % op.blocks
        for item in range(items):
            table[block, lane % size, op.depth(group, item, items)] = item, lane
    if which == "b":
        table = table.swapaxes(1, 2)
    return table[..., 0], table[..., 1]


def _registers(wave: Wave, operand: Operand) -> list[Value]:
    return [wave.builder.value("i32", wave.row(operand, i).copy()) for i in range(operand.count)]


def _items(wave: Wave, op: MatrixOp, kind: str, operand: Operand, items: int) -> Array:
    words = _registers(wave, operand)
    return np.array([matrix.element(op, kind, words, item).data for item in range(items)])


def _accumulator(wave: Wave, op: MatrixOp, operand: Operand) -> Array:
    dtype, _ = _ACC[op.acc_type]
    if operand.kind == "const":
        word = np.uint64 if op.acc_type == "f64" else np.uint32
        value = np.array(operand.value, np.uint64).astype(word).view(dtype)
        return np.full((op.d_items, LANES), value)
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


def _product(wave: Wave, op: MatrixOp, a: Array, b: Array, d: Array, index: Array | None) -> Array:
    """D in the layout of ``a`` and ``b``: one multiply-add for each k in turn."""
    builder = wave.builder
    _, kind = _ACC[op.acc_type]
    real = "double" if kind == "double" else "float"
    total = builder.value(real, np.zeros(d.shape, np.float32) if kind == "i32" else d)
    for k in range(op.a_depth):
        row = b[:, k, None, :] if index is None else b[:, index[:, k], :]
        left = builder.value(real, np.broadcast_to(a[:, :, k, None], d.shape))
        total = left.fma(builder.value(real, np.broadcast_to(row, d.shape)), total)
    if kind != "i32":
        return total.data
    return d + total.data.astype(np.int32).view(np.uint32)


def _write(wave: Wave, op: MatrixOp, operand: Operand, result: Array) -> None:
    items, lanes = _places(op, "d")
    dtype, _ = _ACC[op.acc_type]
    out = np.zeros((op.d_items, LANES), dtype)
    out[items, lanes] = result
    if op.acc_type == "f64":
        raw = out.view(np.uint64)
        rows = np.stack([raw & np.uint64(0xFFFFFFFF), raw >> np.uint64(32)], 1).reshape(-1, LANES)
    else:
        rows = out.view(np.uint32)
    for i, row in enumerate(rows):
        wave.row(operand, i)[:] = row.astype(np.uint32)
