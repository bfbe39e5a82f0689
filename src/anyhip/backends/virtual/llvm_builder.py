"""The builder that writes LLVM IR text: one formatted line an operation.

Building IR through an object model costs ten times what LLVM's own parser does, so the IR is written as
text. Values outside a run are uniform (scalars of the wave); inside a run they are uniform or one element
a lane of the current chunk of :data:`CHUNK` lanes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from anyhip.backends.virtual import directed_ir, lane_pattern
from anyhip.backends.virtual.literals import float_literal, is_signaling, raw_literal
from anyhip.backends.virtual.mode import NEAREST, Mode
from anyhip.backends.virtual.value import BITS, FLOATS, FORMAT, Value

__all__ = ["CHUNK", "LlvmBuilder"]

CHUNK = 16  # lanes a chunk: a DPP row, one AVX-512 register of dwords, two of AVX2

_SUFFIX = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}
_PLAIN_BINARY = {
    "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem",
    "fadd", "fsub", "fmul", "fdiv",
}  # fmt: skip
_FOLDED: dict[str, Callable[[int, int], int]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "and": operator.and_, "or": operator.or_,
    "xor": operator.xor, "shl": operator.lshift, "lshr": operator.rshift,
}  # fmt: skip
# Types whose arithmetic is done in wider ones: hosts differ in what they have for them, and LLVM in what it
# can select there. So every host runs the same operations.
_NARROW = {"half", "bfloat"}
Directed = Callable[..., Value]  # f(b, op, direction, *operands)
_ROUNDED = {"fadd", "fsub", "fmul", "fdiv"}
_QUIETENS = _ROUNDED | {"sqrt", "floor", "ceil", "trunc", "rint", "canonicalize"}
_UNARY_INTRINSICS = {
    "fabs": "fabs", "sqrt": "sqrt", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "rint": "roundeven",
    "ctpop": "ctpop", "bitreverse": "bitreverse", "bswap": "bswap", "canonicalize": "canonicalize",
}  # fmt: skip


class LlvmBuilder:
    """Appends IR lines to :attr:`lines`; declares the intrinsics it used in :attr:`declarations`.

    Args:
        native_scatter: the host has an instruction that stores to one address a lane.
    """

    def __init__(self, native_scatter: bool = False) -> None:
        self.native_scatter = native_scatter
        self.lines: list[str] = []
        self.declarations: dict[str, str] = {}
        self._count = 0
        self._splats: dict[tuple[str, str], str] = {}
        self.globals: list[str] = []
        self.functions: dict[str, list[str]] = {}  # lines of the module's other functions, by name
        self.named: dict[Hashable, str] = {}  # functions that what tells them apart is too long to name
        self._tables: dict[tuple[str, tuple[int, ...]], str] = {}
        self.locations: dict[int, int] = {}  # pc -> number of its metadata node, from 10 on
        self._location = ""
        self.current = ""  # label of the basic block being written
        self.mode = Mode()
        self.rounds: Mode | None = None
        self._quiet: set[str] = set()  # names of floats, and of their bits, that are no signalling NaN
        self._signaling: set[str] = set()  # texts of constants that are one
        self._bitcasts: dict[tuple[str, str], str] = {}

    # -- text
    def name(self) -> str:
        """A new name for an SSA value, unique in the module."""
        self._count += 1
        return f"%v{self._count}"

    def label(self, stem: str) -> str:
        """A new label of a basic block, ``stem`` and a number; :meth:`start` begins the block."""
        self._count += 1
        return f"{stem}{self._count}"

    def at(self, pc: int | None) -> None:
        """What is emitted next belongs to the machine instruction at ``pc``, for faults to name."""
        if pc is None:
            self._location = ""
            return
        number = self.locations.setdefault(pc, len(self.locations) + 10)
        self._location = f", !dbg !{number}"

    def emit(self, line: str) -> None:
        """Append an instruction that gives no value; ``line`` brings its own indentation."""
        self.lines.append(line + self._location)

    def let(self, expression: str) -> str:
        """Emit ``%new = expression`` and return the name."""
        name = self.name()
        self.lines.append(f"  {name} = {expression}{self._location}")
        return name

    def start(self, label: str) -> None:
        """Begin a basic block; splats of the one before are not reused."""
        self.lines.append(f"{label}:")
        self.current = label
        self._splats.clear()
        self._bitcasts.clear()

    @contextmanager
    def elsewhere(self, name: str) -> Iterator[list[str]]:
        """Write into the function ``name`` of :attr:`functions` for a while."""
        kept = self.lines, self.current, self._splats, self._location, self._bitcasts
        self.lines, self._splats, self._location, self._bitcasts = self.functions[name], {}, "", {}
        yield self.lines
        self.lines, self.current, self._splats, self._location, self._bitcasts = kept

    def intrinsic(self, name: str, result: str, arguments: str) -> None:
        """Declare a function of LLVM, given by its types in text; once a module is enough."""
        self.declarations.setdefault(name, f"declare {result} @{name}({arguments})")

    def table(self, type: str, values: list[int]) -> str:
        """The name of a constant array of the module."""
        key = (type, tuple(values))
        if key not in self._tables:
            self._tables[key] = f"@table{len(self._tables)}"
            elements = ", ".join(f"{type} {v}" for v in values)
            array = f"[{len(values)} x {type}] [{elements}]"
            self.globals.append(f"{self._tables[key]} = private unnamed_addr constant {array}, align 64")
        return self._tables[key]

    def lookup(self, table: Sequence[int], index: Value) -> Value:
        """``table[index]`` as i32, from a constant array of the module."""
        place = f"getelementptr i32, ptr {self.table('i32', list(table))}, i64 {index.zext('i64').data}"
        return self.load("i32", self.let(place), 4)

    # -- values
    @staticmethod
    def type_text(type: str, uniform: bool) -> str:
        """LLVM's type: the element itself, or a vector of :data:`CHUNK` of them."""
        return type if uniform else f"<{CHUNK} x {type}>"

    def uniform(self, type: str, text: str) -> Value:
        """IR text of a scalar (a name or a literal) as a value."""
        return Value(self, type, text, True)

    def lanes(self, type: str, text: str) -> Value:
        """IR text of a vector of :data:`CHUNK` elements as a value."""
        return Value(self, type, text, False)

    def const(self, type: str, value: int | float) -> Value:
        """A uniform literal; an integer loses the bits beyond the type's width, nothing is emitted."""
        if type in FLOATS:
            return Value(self, type, float_literal(type, float(value)), True)
        number = int(value) & ((1 << BITS[type]) - 1)
        return Value(self, type, str(number) if type != "i1" else ("true" if number else "false"), True)

    def raw(self, type: str, bits: int) -> Value:
        """The constant of the type that has these bits."""
        if type not in FLOATS:
            return self.const(type, bits)
        made = Value(self, type, raw_literal(type, bits), True)
        if type in FORMAT and is_signaling(type, bits):
            self._signaling.add(made.data)
        return made

    def splat(self, value: Value) -> str:
        """The text of the value as a vector."""
        text: str = value.data
        if not value.uniform:
            return text
        if text[0] != "%":
            return f"splat ({value.type} {text})"
        key = (value.type, text)
        known = self._splats.get(key)
        if known is None:
            vector = f"<{CHUNK} x {value.type}>"
            one = self.let(f"insertelement {vector} poison, {value.type} {text}, i32 0")
            known = self.let(
                f"shufflevector {vector} {one}, {vector} poison, <{CHUNK} x i32> zeroinitializer"
            )
            self._splats[key] = known
        return known

    def shuffle(self, vector: str, a: str, order: Iterable[int], b: str = "poison") -> str:
        """Elements of two vectors of the type ``vector``, numbered through, in a constant order."""
        indices = [f"i32 {i}" for i in order]
        return self.let(
            f"shufflevector {vector} {a}, {vector} {b}, <{len(indices)} x i32> <{', '.join(indices)}>"
        )

    def _texts(self, *values: Value) -> tuple[bool, list[str]]:
        uniform = all(v.uniform for v in values)
        return uniform, [v.data if uniform else self.splat(v) for v in values]

    def _call(self, stem: str, type: str, uniform: bool, texts: list[str], extra: str = "") -> str:
        full = self.type_text(type, uniform)
        suffix = _SUFFIX.get(type, type)
        name = f"llvm.{stem}.{suffix if uniform else f'v{CHUNK}{suffix}'}"
        self.intrinsic(name, full, ", ".join([full] * len(texts)) + (", i1" if extra else ""))
        return self.let(f"call {full} @{name}({', '.join(f'{full} {t}' for t in texts)}{extra})")

    # -- what is known of NaNs
    def never_signaling(self, a: Value) -> bool:
        """Whether a float is a result of arithmetic, or a constant."""
        return a.data in self._quiet if a.data.startswith("%") else a.data not in self._signaling

    def mark_quiet(self, a: Value) -> Value:
        """Note that ``a`` is no signalling NaN."""
        self._quiet.add(a.data)
        return a

    def _by_mode(
        self, op: str, type: str, directed: Directed, nearest: Callable[[], Value], *operands: Value
    ) -> Value:
        """An operation with a result of ``type`` under :attr:`rounds`; what it is made of is to nearest."""
        rounds, self.rounds = self.rounds, None
        assert rounds is not None
        direction = rounds.rounding(type)
        made = nearest() if direction == NEAREST else directed(self, op, direction, *operands)
        self.rounds = rounds
        return self.mark_quiet(made)

    # -- operations
    def binary(self, op: str, a: Value, b: Value) -> Value:
        """An operation on two values of one type; bfloat is computed in float and rounded once more."""
        assert a.type == b.type, f"{op} of {a.type} and {b.type}"
        if self.rounds is not None and op in _ROUNDED:
            return self._by_mode(op, a.type, directed_ir.operation, partial(self.binary, op, a, b), a, b)
        if (
            a.type in _NARROW
        ):  # + - * / in float rounded to the narrow type are the narrow operations' results
            return self.binary(op, a.to("float"), b.to("float")).to(a.type)
        folded = self._folded(op, a, b)
        if folded is not None:
            return folded
        uniform, (x, y) = self._texts(a, b)
        if op in _PLAIN_BINARY:
            text = self.let(f"{op} {self.type_text(a.type, uniform)} {x}, {y}")
            known = None if a.lanes is b.lanes is None else lane_pattern.binary(op, a, b)
            made = Value(self, a.type, text, uniform, known)
            return self.mark_quiet(made) if op in _QUIETENS else made
        return Value(self, a.type, self._call(op, a.type, uniform, [x, y]), uniform)

    def _folded(self, op: str, a: Value, b: Value) -> Value | None:
        """The result where both are integer literals."""
        if op not in _FOLDED or not (a.uniform and b.uniform and a.data.isdigit() and b.data.isdigit()):
            return None
        return self.const(a.type, _FOLDED[op](int(a.data), int(b.data)))

    def unary(self, op: str, a: Value) -> Value:
        """An operation on one value; a count of leading or trailing zeros of 0 is the width."""
        made = self._unary(op, a)
        if op in _QUIETENS or (op in ("fneg", "fabs") and a.data in self._quiet):
            self.mark_quiet(made)
        return made

    def _unary(self, op: str, a: Value) -> Value:
        full = self.type_text(a.type, a.uniform)
        if a.type in _NARROW and op not in ("fneg", "fabs"):
            return self.unary(op, a.to("float")).to(a.type)
        if op == "fneg":
            return Value(self, a.type, self.let(f"fneg {full} {a.data}"), a.uniform)
        if op in ("ctlz", "cttz"):
            return Value(self, a.type, self._call(op, a.type, a.uniform, [a.data], ", i1 false"), a.uniform)
        return Value(self, a.type, self._call(_UNARY_INTRINSICS[op], a.type, a.uniform, [a.data]), a.uniform)

    def ternary(self, op: str, a: Value, b: Value, c: Value) -> Value:
        """``fma``, ``fshl`` or ``fshr`` of three values of one type."""
        assert a.type == b.type == c.type, f"{op} of {a.type}, {b.type}, {c.type}"
        if self.rounds is not None and op == "fma":
            nearest = partial(self.ternary, op, a, b, c)
            return self._by_mode(op, a.type, directed_ir.operation, nearest, a, b, c)
        if a.type in _NARROW:
            return self.ternary(op, a.to("double"), b.to("double"), c.to("double")).to(a.type)
        uniform, texts = self._texts(a, b, c)
        made = Value(self, a.type, self._call(op, a.type, uniform, texts), uniform)
        return self.mark_quiet(made) if op == "fma" else made

    def compare(self, predicate: str, a: Value, b: Value) -> Value:
        """An i1, by LLVM's predicate; floats' ``ult_f`` and its like are spelled without the ``_f``."""
        assert a.type == b.type, f"compare {a.type} with {b.type}"
        uniform, (x, y) = self._texts(a, b)
        kind = "fcmp" if a.type in FLOATS else "icmp"
        predicate = predicate.removesuffix("_f")
        return Value(
            self, "i1", self.let(f"{kind} {predicate} {self.type_text(a.type, uniform)} {x}, {y}"), uniform
        )

    def select(self, condition: Value, a: Value, b: Value) -> Value:
        """``a`` where the i1 holds, else ``b``: both are computed before, there is no branch."""
        assert a.type == b.type, f"select of {a.type} and {b.type}"
        uniform, (c, x, y) = self._texts(condition, a, b)
        full = self.type_text(a.type, uniform)
        ctype = self.type_text("i1", uniform)
        return Value(self, a.type, self.let(f"select {ctype} {c}, {full} {x}, {full} {y}"), uniform)

    def cast(self, op: str, a: Value, type: str) -> Value:
        """A conversion by LLVM's name; ``fptosi_sat`` and ``fptoui_sat`` saturate and turn NaN into 0."""
        if op == "bitcast":
            return self._bitcast(a, type)
        if self.rounds is not None and op in ("fptrunc", "sitofp", "uitofp"):
            directed = partial(directed_ir.convert, type=type)
            return self._by_mode(op, type, directed, partial(self.cast, op, a, type), a)
        made = self._cast(op, a, type)
        return self.mark_quiet(made) if type in FLOATS else made

    def _bitcast(self, a: Value, type: str) -> Value:
        """A bitcast; one made before in the same basic block is used again."""
        key = (a.data, type)
        known = self._bitcasts.get(key) if a.data.startswith("%") else None
        if known is None:
            source, result = self.type_text(a.type, a.uniform), self.type_text(type, a.uniform)
            known = self._bitcasts[key] = self.let(f"bitcast {source} {a.data} to {result}")
            if a.data in self._quiet:
                self._quiet.add(known)
        return Value(self, type, known, a.uniform)

    def _cast(self, op: str, a: Value, type: str) -> Value:
        if op == "fptrunc" and type in _NARROW and a.type == "double":
            a = self._to_odd_float(a)
        if op == "fptrunc" and type == "bfloat":
            return self._to_bfloat(a)
        if op in ("sitofp", "uitofp") and type in _NARROW:
            return self.cast(op, a, "float" if a.bits <= 16 else "double").to(type)
        if op in ("zext", "trunc") and a.uniform and a.data.isdigit():
            return self.const(type, int(a.data))
        source, result = self.type_text(a.type, a.uniform), self.type_text(type, a.uniform)
        if op in ("fptosi_sat", "fptoui_sat"):
            if a.type in ("half", "bfloat"):  # AVX-512 FP16 code for this forgets that NaN gives 0
                return self.cast(op, self.cast("fpext", a, "float"), type)
            suffixes = [
                _SUFFIX.get(t, t) if a.uniform else f"v{CHUNK}{_SUFFIX.get(t, t)}" for t in (type, a.type)
            ]
            name = f"llvm.{op.replace('_', '.')}.{suffixes[0]}.{suffixes[1]}"
            self.intrinsic(name, result, source)
            return Value(self, type, self.let(f"call {result} @{name}({source} {a.data})"), a.uniform)
        known = None if a.lanes is None else lane_pattern.cast(op, a, type)
        return Value(self, type, self.let(f"{op} {source} {a.data} to {result}"), a.uniform, known)

    def _to_odd_float(self, a: Value) -> Value:
        """double to float, rounded to odd: a second rounding, to 16 bits, then is as good as one.

        Hosts without an instruction for double to half would call a library for it.
        """
        nearest = self.cast("fptrunc", a, "float")
        back = nearest.to("double")
        bits = nearest.bitcast("i32")
        toward_zero = back.abs().cmp("ogt", a.abs()).select(bits - 1, bits)
        return back.ne(a).select(toward_zero | 1, bits).bitcast("float")

    def _to_bfloat(self, a: Value) -> Value:
        """float to bfloat, ties to even. AVX-512's instruction for it would flush denormals."""
        bits = a.bitcast("i32")
        rounded = bits + 0x7FFF + ((bits >> 16) & 1)
        return (a.isnan().select(bits | 0x400000, rounded) >> 16).trunc("i16").bitcast("bfloat")

    # -- memory of the wave and of the program
    def load(self, type: str, pointer: str, align: int, uniform: bool = True) -> Value:
        """An element, or if not ``uniform`` a vector of consecutive ones; ``align`` in bytes."""
        full = self.type_text(type, uniform)
        return Value(self, type, self.let(f"load {full}, ptr {pointer}, align {align}"), uniform)

    def store(self, value: Value, pointer: str, align: int, uniform: bool = True) -> None:
        """Write the value; if not ``uniform`` as a vector, whatever the value is; ``align`` in bytes."""
        text = value.data if uniform else self.splat(value)
        self.emit(f"  store {self.type_text(value.type, uniform)} {text}, ptr {pointer}, align {align}")

    def gather(self, type: str, pointers: str, align: int, mask: str) -> str:
        """One element from each lane's pointer; what lanes get that the mask leaves out is undefined."""
        result, places, lanes = (self.type_text(t, False) for t in (type, "ptr", "i1"))
        name = f"llvm.masked.gather.v{CHUNK}{type}.v{CHUNK}p0"
        self.intrinsic(name, result, f"{places}, i32, {lanes}, {result}")
        return self.let(
            f"call {result} @{name}({places} {pointers}, i32 {align}, {lanes} {mask}, {result} poison)"
        )

    def offset(self, pointer: str, offset: int | str) -> str:
        """``pointer`` plus bytes."""
        if offset in (0, "0"):
            return pointer
        return self.let(f"getelementptr i8, ptr {pointer}, i64 {offset}")

    # -- what only vector code has
    def lane_id(self) -> Value:
        """The lane's number, i32; the chunk that is being emitted puts its own function here."""
        raise AssertionError("a lane's number is wanted outside a run")
