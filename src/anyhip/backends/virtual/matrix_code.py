"""Matrix instructions in translated code: an IR function a shape, called with rows of the VGPR file.

The function first widens A and B into arrays in memory, ``A[k][block*m + i]`` and ``B[k][block*n + j]``: a
row of B is then a plain vector load and an element of A a broadcast. Then it updates D by tiles
(:mod:`~anyhip.backends.virtual.matrix_tiles`). A sparse A has beside it an array of the places in B that its
elements meet. Which element lies where is :mod:`~anyhip.backends.virtual.semantics.matrix`'s to say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from anyhip.backends.virtual.layout import VGPR_BYTES
from anyhip.backends.virtual.llvm_builder import CHUNK, LlvmBuilder
from anyhip.backends.virtual.matrix_tiles import Form, define_tile, tiles
from anyhip.backends.virtual.semantics import matrix
from anyhip.backends.virtual.semantics.matrix import LANES
from anyhip.backends.virtual.value import Value
from anyhip.errors import UnsupportedInstruction

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.isa.decode import Instruction

__all__ = ["multiply"]


def multiply(queue: RunQueue, instruction: Instruction) -> None:
    """Emit an MFMA or SMFMAC.

    Raises:
        UnsupportedInstruction: a shape that is not described, or modifiers that the ISA leaves undefined.
    """
    op = matrix.find(instruction.opcode)
    first, second, third = instruction.src[:3]
    if first.kind != "v" or second.kind != "v":
        raise UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} of a constant is undefined")
    queue.flush()
    b = queue.b
    form = Form(
        op,
        tuple(matrix.a_lanes(op, instruction)),
        tuple(matrix.b_lanes(op, instruction)),
        instruction.fields["blgp"] if op.acc_type == "f64" else 0,
        third.value if third.kind == "const" else None,
        matrix.index_shift(op, instruction) if op.sparse else 0,
    )
    name = _define(b, form)
    target = instruction.dst[0].index
    registers = (first.index, second.index, target if third.kind == "const" else third.index, target)
    rows = ", ".join(f"ptr {b.offset('%vgprs', r * VGPR_BYTES)}" for r in registers)
    b.emit(f"  call void {name}({rows})")


def _define(b: LlvmBuilder, form: Form) -> str:
    """The function of a form, written at its first use."""
    name = b.named.setdefault(form, f"@matrix{len(b.named)}")
    if name in b.functions:
        return name
    b.functions[name] = []
    with b.elsewhere(name) as lines:
        b.emit(f"define internal void {name}(ptr %a, ptr %b, ptr %c, ptr %d) #1 {{")
        b.start("entry")
        _body(b, form)
        b.emit("  ret void")
        lines.append("}")
    return name


def _body(b: LlvmBuilder, form: Form) -> None:
    op = form.op
    for name, kind, count in (
        ("A", form.real, op.a_depth * op.m * op.blocks),
        ("B", form.real, op.k * op.n * op.blocks),
        ("P", "i32", op.a_depth * op.m if op.sparse else 0),
    ):
        if count:
            b.emit(f"  %{name} = alloca [{count} x {kind}], align 64")
    _widen(b, form, "%a", "%A", op.a_type, form.a_lanes, form.negate & 1)
    _widen(b, form, "%b", "%B", op.b_type, form.b_lanes, form.negate >> 1 & 1)
    if op.sparse:
        _places(b, form)
    else:
        _start_d(b, form)
    cut = tiles(op)
    tile = define_tile(b, form, *cut[0].pattern)
    for each in cut:
        assert each.pattern == cut[0].pattern
        places = [
            b.offset(array, start)
            for array, start in (
                ("%d", each.d), ("%A", each.a * form.size), ("%B", each.b * form.size),
                ("%P" if op.sparse else "%A", each.a * 4),
            )
        ]  # fmt: skip
        b.emit(f"  call void {tile}({', '.join(f'ptr {place}' for place in places)})")


# -- operands into arrays
def _widen(
    b: LlvmBuilder, form: Form, rows: str, array: str, kind: str, lanes: tuple[int, ...], negate: int
) -> None:
    """Convert an operand's items and store them by their k, one chunk of lanes a turn of a loop."""
    op = form.op
    items, column = (op.a_items, op.m * op.blocks) if array == "%A" else (op.b_items, op.n * op.blocks)
    chunks = [lanes[first : first + CHUNK] for first in range(0, LANES, CHUNK)]
    starts = [wanted[0] // CHUNK * CHUNK for wanted in chunks]
    orders = [[lane - start for lane in wanted] for wanted, start in zip(chunks, starts, strict=True)]
    assert all(order == orders[0] for order in orders)
    part = items // op.halves
    places = [first // column * part * column + first % column for first in range(0, LANES, CHUNK)]

    def body(chunk: Value) -> None:
        source = b.offset(rows, b.lookup([4 * start for start in starts], chunk).zext("i64").data)
        target = b.offset(array, b.lookup([place * form.size for place in places], chunk).zext("i64").data)
        words = [
            b.load("i32", b.offset(source, r * VGPR_BYTES), 64, uniform=False)
            for r in range(items * matrix.BITS[kind] // 32)
        ]
        for item in range(items):
            value = matrix.element(op, kind, words, item)
            if negate:
                value = -value
            text = _rearranged(b, value, orders[0])
            place = b.offset(target, op.depth(0, item, items) * column * form.size)
            b.emit(f"  store <{CHUNK} x {form.real}> {text}, ptr {place}, align 64")

    _each_chunk(b, body)


def _each_chunk(b: LlvmBuilder, body: Callable[[Value], None]) -> None:
    """A loop over the numbers (i64) of the wave's chunks."""
    before, head, done = b.current, b.label("chunk"), b.label("chunks")
    number, following = b.name(), b.name()
    b.emit(f"  br label %{head}")
    b.start(head)
    b.emit(f"  {number} = phi i64 [ 0, %{before} ], [ {following}, %{head} ]")
    body(b.uniform("i64", number))
    b.emit(f"  {following} = add nuw nsw i64 {number}, 1")
    more = b.let(f"icmp ult i64 {following}, {LANES // CHUNK}")
    b.emit(f"  br i1 {more}, label %{head}, label %{done}, !llvm.loop !0")
    b.start(done)


def _rearranged(b: LlvmBuilder, value: Value, order: list[int]) -> str:
    if order == list(range(CHUNK)):
        return b.splat(value)
    return b.shuffle(f"<{CHUNK} x {value.type}>", b.splat(value), order)


def _places(b: LlvmBuilder, form: Form) -> None:
    """For each stored element of a sparse A, the byte offset in B of the row that it meets."""
    op = form.op
    starts = [
        4 * (op.depth(first // op.m, 0, op.a_items) * op.m + first % op.m) for first in range(0, LANES, CHUNK)
    ]
    rows = [op.depth(first // op.m, 0, op.a_items) // 2 * 4 for first in range(0, LANES, CHUNK)]

    def body(chunk: Value) -> None:
        word = b.load("i32", b.offset("%c", (chunk * (4 * CHUNK)).data), 64, uniform=False)
        target = b.offset("%P", b.lookup(starts, chunk).zext("i64").data)
        row = b.lookup(rows, chunk)
        for item in range(op.a_items):
            k = op.depth(0, item, op.a_items)
            within = (word >> (form.index_shift + 2 * item)) & 3
            offset = (within + k // 2 * 4 + row) * (op.n * form.size)
            b.store(offset, b.offset(target, 4 * k * op.m), 64, uniform=False)

    _each_chunk(b, body)


def _start_d(b: LlvmBuilder, form: Form) -> None:
    """Bring C into D's registers, unless it is there."""
    op = form.op
    registers = op.d_items * form.size // 4
    if form.constant is not None:
        for r in range(registers):
            bits = form.constant >> (32 * (r & 1) if form.size == 8 else 0)
            word = b.const("i32", bits ^ (0x80000000 if _negated(form, r) else 0))
            for first in range(0, LANES, CHUNK):
                b.store(word, b.offset("%d", r * VGPR_BYTES + 4 * first), 64, uniform=False)
        return
    b.intrinsic("llvm.memmove.p0.p0.i64", "void", "ptr, ptr, i64, i1")
    b.emit(
        "  call void @llvm.memmove.p0.p0.i64(ptr align 64 %d, ptr align 64 %c, "
        f"i64 {registers * VGPR_BYTES}, i1 false)"
    )
    for r in filter(lambda r: _negated(form, r), range(registers)):
        for first in range(0, LANES, CHUNK):
            place = b.offset("%d", r * VGPR_BYTES + 4 * first)
            b.store(b.load("i32", place, 64, uniform=False) ^ 0x80000000, place, 64, uniform=False)


def _negated(form: Form, register: int) -> bool:
    """The register holds signs that BLGP turns."""
    return bool(form.negate & 4 and register & 1)
