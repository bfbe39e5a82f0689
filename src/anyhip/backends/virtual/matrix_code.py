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
from anyhip.backends.virtual.semantics import matrix, scaled_matrix
from anyhip.backends.virtual.semantics.matrix import LANES
from anyhip.backends.virtual.semantics.scaled_matrix import Scale
from anyhip.backends.virtual.semantics.wave_matrix import describe
from anyhip.backends.virtual.value import Value
from anyhip.errors import UnsupportedInstruction

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.isa.decode import Instruction

__all__ = ["multiply"]


def multiply(queue: RunQueue, instruction: Instruction) -> None:
    """Emit an MFMA, SMFMAC, WMMA or SWMMAC.

    Raises:
        UnsupportedInstruction: a shape that is not described, or modifiers that the ISA leaves undefined.
    """
    op = describe(instruction, queue.wave_size)
    first, second, third = instruction.src[:3]
    if first.kind != "v" or second.kind != "v":
        raise UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} of a constant is undefined")
    form = Form(
        op,
        tuple(matrix.a_lanes(op, instruction)),
        tuple(matrix.b_lanes(op, instruction)),
        matrix.signs(op, instruction),
        matrix.constant(op, third) if third.kind == "const" else None,
        matrix.index_shift(op, instruction) if op.sparse else 0,
        scaled_matrix.scales(instruction) if op.scaled else (),
        not queue.mode.keeps_inputs("float"),
    )
    queue.flush()
    b = queue.b
    name = _define(b, form)
    target = instruction.dst[0].index
    registers = [first.index, second.index, target if third.kind == "const" else third.index, target]
    if op.scaled:
        registers += [o.index if o.kind == "v" else target for o in instruction.src[3:5]]
    rows = ", ".join(f"ptr {b.offset('%vgprs', r * VGPR_BYTES)}" for r in registers)
    b.emit(f"  call void {name}({rows})")


def _define(b: LlvmBuilder, form: Form) -> str:
    """The function of a form, written at its first use."""
    name = b.named.setdefault(form, f"@matrix{len(b.named)}")
    if name in b.functions:
        return name
    b.functions[name] = []
    with b.elsewhere(name) as lines:
        names = ["a", "b", "c", "d", *(["sa", "sb"] if form.op.scaled else [])]
        b.emit(f"define internal void {name}({', '.join(f'ptr %{each}' for each in names)}) #1 {{")
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
    _widen(b, form, "%a", "%A", op.a_type, form.a_lanes, form.signs.a)
    _widen(b, form, "%b", "%B", op.b_type, form.b_lanes, form.signs.b)
    for scale, rows, array, size in zip(
        form.scales, ("%sa", "%sb"), ("%A", "%B"), (op.m, op.n), strict=False
    ):
        _scale(b, scale, rows, array, size)
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
    b: LlvmBuilder,
    form: Form,
    rows: str,
    array: str,
    kind: str,
    lanes: tuple[int, ...],
    negate: tuple[bool, bool],
) -> None:
    """Convert an operand's items and store them by their k, one chunk of lanes a turn of a loop."""
    op = form.op
    spread, items, column = (
        (op.a, op.a_items, op.m * op.blocks) if array == "%A" else (op.b, op.b_items, op.n * op.blocks)
    )
    firsts = range(0, spread.groups * column, CHUNK)
    chunks = [lanes[first : first + CHUNK] for first in firsts]
    starts = [wanted[0] // CHUNK * CHUNK for wanted in chunks]
    orders = [[lane - start for lane in wanted] for wanted, start in zip(chunks, starts, strict=True)]
    assert all(order == orders[0] for order in orders)
    places = [spread.depth(first // column, 0, items) * column + first % column for first in firsts]

    def body(chunk: Value) -> None:
        source = b.offset(rows, b.lookup([4 * start for start in starts], chunk).zext("i64").data)
        target = b.offset(array, b.lookup([place * form.size for place in places], chunk).zext("i64").data)
        words = [
            b.load("i32", b.offset(source, r * VGPR_BYTES), 64, uniform=False)
            for r in range(items * matrix.BITS[kind] // 32)
        ]
        for item in range(items):
            value = matrix.element(op, kind, words, item)
            if negate[item % 2]:
                value = -value
            text = _rearranged(b, value.to(form.real), orders[0])
            place = b.offset(target, spread.depth(0, item, items) * column * form.size)
            b.emit(f"  store <{CHUNK} x {form.real}> {text}, ptr {place}, align 64")

    _each_chunk(b, body, len(firsts))


def _scale(b: LlvmBuilder, scale: Scale, rows: str, array: str, size: int) -> None:
    """Multiply A or B by its factors; a chunk of lanes has those of 32 k of 16 rows or columns."""
    firsts = range(0, LANES, CHUNK)
    starts = [8 * (first // size * scaled_matrix.BLOCK * size + first % size) for first in firsts]

    def body(chunk: Value) -> None:
        if scale.constant is None:
            word = b.load("i32", b.offset(rows, (chunk * (4 * CHUNK)).data), 64, uniform=False)
        else:
            word = b.const("i32", scale.constant)
        factor = scaled_matrix.factor(scale, word)
        target = b.offset(array, b.lookup(starts, chunk).zext("i64").data)
        for k in range(scaled_matrix.BLOCK):
            place = b.offset(target, 8 * k * size)
            b.store(b.load("double", place, 64, uniform=False) * factor, place, 64, uniform=False)

    _each_chunk(b, body, len(firsts))


def _each_chunk(b: LlvmBuilder, body: Callable[[Value], None], count: int) -> None:
    """A loop over the numbers (i64) of so many chunks."""
    before, head, done = b.current, b.label("chunk"), b.label("chunks")
    number, following = b.name(), b.name()
    b.emit(f"  br label %{head}")
    b.start(head)
    b.emit(f"  {number} = phi i64 [ 0, %{before} ], [ {following}, %{head} ]")
    body(b.uniform("i64", number))
    b.emit(f"  {following} = add nuw nsw i64 {number}, 1")
    more = b.let(f"icmp ult i64 {following}, {count}")
    b.emit(f"  br i1 {more}, label %{head}, label %{done}, !llvm.loop !0")
    b.start(done)


def _rearranged(b: LlvmBuilder, value: Value, order: list[int]) -> str:
    if order == list(range(CHUNK)):
        return b.splat(value)
    return b.shuffle(f"<{CHUNK} x {value.type}>", b.splat(value), order)


def _places(b: LlvmBuilder, form: Form) -> None:
    """For each stored element of a sparse A, the byte offset in B of the row that it meets."""
    op = form.op
    firsts = range(0, op.a.groups * op.m, CHUNK)
    depths = [op.a.depth(first // op.m, 0, op.a_items) for first in firsts]
    starts = [4 * (depth * op.m + first % op.m) for depth, first in zip(depths, firsts, strict=True)]
    rows = [depth // 2 * 4 for depth in depths]

    def body(chunk: Value) -> None:
        word = b.load("i32", b.offset("%c", (chunk * (4 * CHUNK)).data), 64, uniform=False)
        target = b.offset("%P", b.lookup(starts, chunk).zext("i64").data)
        row = b.lookup(rows, chunk)
        for item in range(op.a_items):
            k = op.a.depth(0, item, op.a_items)
            within = (word >> (form.index_shift + 2 * item)) & 3
            offset = (within + k // 2 * 4 + row) * (op.n * form.size)
            b.store(offset, b.offset(target, 4 * k * op.m), 64, uniform=False)

    _each_chunk(b, body, len(firsts))


def _start_d(b: LlvmBuilder, form: Form) -> None:
    """Bring C into D's registers, unless it is there; a 16-bit D may leave half of them as they are."""
    op = form.op
    changed = form.signs.c_absolute or form.signs.c_negative
    if form.constant is None and op.half is None and op.lanes == LANES and not changed:
        b.intrinsic("llvm.memmove.p0.p0.i64", "void", "ptr, ptr, i64, i1")
        size = op.d_registers * VGPR_BYTES
        b.emit(f"  call void @llvm.memmove.p0.p0.i64(ptr align 64 %d, ptr align 64 %c, i64 {size}, i1 false)")
        return
    for first in range(0, op.lanes, CHUNK):
        places = [r * VGPR_BYTES + 4 * first for r in range(op.d_registers)]
        words = [_start(b, form, r, place) for r, place in enumerate(places)]  # all of C before any of D
        for word, place in zip(words, places, strict=True):
            b.store(word, b.offset("%d", place), 64, uniform=False)


def _start(b: LlvmBuilder, form: Form, register: int, place: int) -> Value:
    """A chunk of a register of D before the products are added."""
    op, small = form.op, form.op.acc_type in ("f16", "bf16")
    if form.constant is None:
        word = b.load("i32", b.offset("%c", place), 64, uniform=False)
    elif small:
        word = b.const("i32", form.constant * 0x10001)
    else:
        word = b.const("i32", form.constant >> (32 * (register & 1) if op.acc_type == "f64" else 0))
    sign = 0x80008000 if small else 0 if op.acc_type == "f64" and not register & 1 else 0x80000000
    if form.signs.c_absolute:
        word = word & ~sign
    if form.signs.c_negative:
        word = word ^ sign
    if op.half is None:
        return word
    old = b.load("i32", b.offset("%d", place), 64, uniform=False)
    taken = 0xFFFF << 16 * op.half
    return (old & ~taken) | (word & taken)
