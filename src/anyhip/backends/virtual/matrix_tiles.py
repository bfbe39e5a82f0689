"""Tiles of a matrix product: a few rows by one vector of columns, each a call of a small function.

The function loops over k with the tile's sums in registers. Rows and columns are found by D's layout, so that
one way serves every shape: where a vector of D's lanes spans several blocks, a row's factors are a shuffle of
a vector of A, else a broadcast.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from anyhip.backends.virtual.layout import VGPR_BYTES
from anyhip.backends.virtual.llvm_builder import CHUNK, LlvmBuilder
from anyhip.backends.virtual.semantics import matrix
from anyhip.backends.virtual.semantics.matrix import MatrixOp, Signs
from anyhip.backends.virtual.semantics.scaled_matrix import Scale
from anyhip.backends.virtual.value import Value

__all__ = ["Form", "Tile", "define_tile", "tiles"]

ROWS = 4  # rows of D in a tile
UNROLL = 4  # steps of k a turn of a tile's loop


@dataclass(frozen=True)
class Form:
    """What tells one function from another.

    Attributes:
        a_lanes, b_lanes: where the lanes' items come from.
        signs: what is done to the operands' signs.
        constant: C when it is an inline constant, an element's bits.
        index_shift: lowest bit of a sparse A's index.
        scales: where the factors of a scaled A and B are.
        flushes: denormals of f32 operands count as zeros.
    """

    op: MatrixOp
    a_lanes: tuple[int, ...]
    b_lanes: tuple[int, ...]
    signs: Signs
    constant: int | None
    index_shift: int
    scales: tuple[Scale, ...]
    flushes: bool

    @property
    def real(self) -> str:
        """The type that is multiplied and summed in: small integers are exact in float."""
        return "double" if self.op.acc_type == "f64" or self.op.scaled else "float"

    @property
    def size(self) -> int:
        """Bytes of an element of :attr:`real`."""
        return 8 if self.real == "double" else 4

    @property
    def width(self) -> int:
        """Columns of a tile."""
        return CHUNK * 4 // self.size


@dataclass(frozen=True, slots=True)
class Tile:
    """Some rows by one vector of columns of D.

    Attributes:
        d: byte offset of the first row's first column from D's first register.
        a, b: element offsets in the arrays' first rows.
        pattern: of each row, the byte offset from ``d`` (of 16-bit sums plus 2 in the upper half of
            registers) and its lanes' elements of A from ``a`` on.
    """

    d: int
    a: int
    b: int
    pattern: tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]


@cache
def tiles(op: MatrixOp) -> list[Tile]:
    """D, cut so that each tile's rows meet the same columns of B."""
    size = 8 if op.acc_type == "f64" or op.scaled else 4
    width = CHUNK * 4 // size
    rows: dict[int, list[tuple[tuple[int, ...], int]]] = {}
    for place, lanes in _vectors(op, width):
        columns = [op.n * block + j for block, _, j in lanes]
        assert columns == list(range(columns[0], columns[0] + width))
        elements = tuple(op.m * block + i for block, i, _ in lanes)
        rows.setdefault(columns[0], []).append((elements, place))
    out = []
    for column, each in rows.items():
        each.sort()
        for first in range(0, len(each), ROWS):
            part = each[first : first + ROWS]
            start = part[0][1] & ~3
            origin = min(part[0][0]) // ROWS * ROWS if size == 4 else min(part[0][0])
            pattern = (
                tuple(place - start for _, place in part),
                tuple(tuple(e - origin for e in elements) for elements, _ in part),
            )
            out.append(Tile(start, origin, column, pattern))
    return out


def _vectors(op: MatrixOp, width: int) -> Iterator[tuple[int, list[tuple[int, int, int]]]]:
    """Byte offset in D's registers of each vector of lanes, and its elements' block, i and j."""
    elements = {
        op.d_place(block, i, j): (block, i, j)
        for block in range(op.blocks)
        for i in range(op.m)
        for j in range(op.n)
    }
    for item in range(op.d_items):
        register, half = op.d_register(item)
        for first in range(0, op.lanes, width):
            lanes = [elements[item, lane] for lane in range(first, first + width)]
            yield register * VGPR_BYTES + 4 * first + 2 * half, lanes


def define_tile(
    b: LlvmBuilder, form: Form, places: tuple[int, ...], elements: tuple[tuple[int, ...], ...]
) -> str:
    """The function that adds all products to a tile of D."""
    op = form.op
    sizes = op.a_depth, op.m * op.blocks, op.n * op.blocks
    key = (form.real, op.acc_type, op.saturate, sizes, op.sparse, places, elements)
    name = b.named.setdefault(key, f"@tile{len(b.named)}")
    if name in b.functions:
        return name
    b.functions[name] = []
    with b.elsewhere(name) as lines:
        b.emit(f"define internal void {name}(ptr %d, ptr noalias %a, ptr noalias %b, ptr noalias %p) #1 {{")
        b.start("entry")
        _TileBody(b, form, places, elements).emit()
        b.emit("  ret void")
        lines.append("}")
    return name


class _TileBody:
    """Writes a tile's function."""

    def __init__(
        self, b: LlvmBuilder, form: Form, places: tuple[int, ...], elements: tuple[tuple[int, ...], ...]
    ) -> None:
        self.b, self.form, self.places, self.elements = b, form, places, elements
        self.vector = f"<{form.width} x {form.real}>"
        suffix = "f64" if form.real == "double" else "f32"
        self.fma = f"llvm.fma.v{form.width}{suffix}"
        b.intrinsic(self.fma, self.vector, f"{self.vector}, {self.vector}, {self.vector}")

    def emit(self) -> None:
        depth = self.form.op.a_depth
        whole = self.form.op.acc_type == "i32"
        start = ["zeroinitializer" if whole else self._load_d(place) for place in self.places]
        step = min(UNROLL, depth)
        totals = start
        if depth == step:
            for k in range(depth):
                totals = self._step("%a", "%b", "%p", k, totals)
        else:
            totals = self._loop(start, depth, step)
        for place, total in zip(self.places, totals, strict=True):
            if whole:
                total = self._added(place, total)
            self._store_d(place, total)

    def _loop(self, start: list[str], depth: int, step: int) -> list[str]:
        """``step`` values of k a turn."""
        b, op, size = self.b, self.form.op, self.form.size
        head, done = b.label("head"), b.label("done")
        before = b.current
        strides = (op.m * op.blocks * size, 0 if op.sparse else op.n * op.blocks * size, op.m * 4)
        b.emit(f"  br label %{head}")
        b.start(head)
        position = len(b.lines)
        carried = [b.name() for _ in start]
        totals = carried
        for k in range(step):
            totals = self._step("%pa", "%pb", "%pp", k, totals)
        pointers = [
            b.let(f"getelementptr i8, ptr {name}, i64 {stride * step}")
            for name, stride in zip(("%pa", "%pb", "%pp"), strides, strict=True)
        ]
        following = b.let(f"add nuw nsw i64 %n, {step}")
        more = b.let(f"icmp ult i64 {following}, {depth}")
        b.emit(f"  br i1 {more}, label %{head}, label %{done}, !llvm.loop !0")
        names = ["%n", "%pa", "%pb", "%pp", *carried]
        kinds = ["i64", "ptr", "ptr", "ptr", *[self.vector] * len(start)]
        firsts = ["0", "%a", "%b", "%p", *start]
        b.lines[position:position] = [
            f"  {name} = phi {kind} [ {first}, %{before} ], [ {last}, %{head} ]"
            for name, kind, first, last in zip(
                names, kinds, firsts, [following, *pointers, *totals], strict=True
            )
        ]
        b.start(done)
        return totals

    def _step(self, a: str, bb: str, p: str, k: int, totals: list[str]) -> list[str]:
        """One k for every row."""
        b, op, size = self.b, self.form.op, self.form.size
        left = b.offset(a, k * op.m * op.blocks * size)
        place = b.offset(p, k * op.m * 4)
        shared = "" if op.sparse else self._row(b.offset(bb, k * op.n * op.blocks * size))
        wide = ""
        out = []
        for elements, total in zip(self.elements, totals, strict=True):
            if len(set(elements)) == 1:
                factor = self._broadcast(b.offset(left, elements[0] * size))
            else:  # several blocks in a vector
                wide = wide or self._row(left)
                factor = b.shuffle(self.vector, wide, elements)
            right = shared
            if op.sparse:
                offset = b.load("i32", b.offset(place, elements[0] * 4), 4).zext("i64")
                right = self._row(b.offset(bb, offset.data))
            arguments = ", ".join(f"{self.vector} {x}" for x in (factor, right, total))
            out.append(b.let(f"call {self.vector} @{self.fma}({arguments})"))
        return out

    def _row(self, pointer: str) -> str:
        return self.b.let(f"load {self.vector}, ptr {pointer}, align {self.form.size * 4}")

    def _broadcast(self, pointer: str) -> str:
        b = self.b
        one = b.load(self.form.real, pointer, self.form.size).data
        vector = b.let(f"insertelement {self.vector} poison, {self.form.real} {one}, i32 0")
        return b.shuffle(self.vector, vector, [0] * self.form.width)

    # -- D's registers
    def _load_d(self, place: int) -> str:
        b, width, op = self.b, self.form.width, self.form.op
        pointer = b.offset("%d", place & ~3)
        if op.acc_type in ("f16", "bf16"):
            return matrix.accumulator(op, self._word(pointer), place >> 1 & 1).data  # type: ignore[no-any-return]
        if op.acc_type == "f32":
            number = b.let(f"load <{width} x float>, ptr {pointer}, align 4")
            return b.let(f"fpext <{width} x float> {number} to {self.vector}") if op.scaled else number
        halves = f"<{width} x i32>"
        low, high = (
            b.let(f"load {halves}, ptr {b.offset(pointer, part)}, align 4") for part in (0, VGPR_BYTES)
        )
        order = [i + part for i in range(width) for part in (0, width)]
        both = b.shuffle(halves, low, order, high)
        return b.let(f"bitcast <{2 * width} x i32> {both} to {self.vector}")

    def _word(self, pointer: str) -> Value:
        return self.b.load("i32", pointer, 4, uniform=False)

    def _store_d(self, place: int, value: str) -> None:
        b, width, op = self.b, self.form.width, self.form.op
        pointer = b.offset("%d", place & ~3)
        if op.acc_type in ("f16", "bf16"):
            total = b.lanes("float", value)
            b.store(
                matrix.with_result(op, self._word(pointer), place >> 1 & 1, total), pointer, 4, uniform=False
            )
            return
        if op.acc_type != "f64":
            if op.scaled:
                value = b.let(f"fptrunc {self.vector} {value} to <{width} x float>")
            b.emit(f"  store <{width} x float> {value}, ptr {pointer}, align 4")
            return
        both = b.let(f"bitcast {self.vector} {value} to <{2 * width} x i32>")
        for part in (0, 1):
            half = b.shuffle(f"<{2 * width} x i32>", both, range(part, 2 * width, 2))
            b.emit(f"  store <{width} x i32> {half}, ptr {b.offset(pointer, part * VGPR_BYTES)}, align 4")

    def _added(self, place: int, total: str) -> str:
        """Integer C plus the exact sum, as the bits of a vector of floats."""
        b, integers = self.b, f"<{self.form.width} x i32>"
        old = b.let(f"load {integers}, ptr {b.offset('%d', place)}, align 4")
        whole = b.let(f"fptosi {self.vector} {total} to {integers}")
        if self.form.op.saturate:
            name = f"llvm.sadd.sat.v{self.form.width}i32"
            b.intrinsic(name, integers, f"{integers}, {integers}")
            new = b.let(f"call {integers} @{name}({integers} {old}, {integers} {whole})")
        else:
            new = b.let(f"add {integers} {old}, {whole}")
        return b.let(f"bitcast {integers} {new} to {self.vector}")
