"""IR functions that load or store one value a lane of a chunk, shared by all accesses of a module.

Three forms are told apart at run time: lanes at consecutive addresses (one vector access), all lanes at the
same address (one scalar access), anything else (gather or scatter, lane by lane where the host has none). A
call is inlined where the access lies in a loop of the kernel, and stays a call elsewhere: translating
straight code fast matters more than running it fast.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from anyhip.backends.virtual import whole_lanes
from anyhip.backends.virtual.addresses import Place
from anyhip.backends.virtual.llvm_builder import CHUNK, LlvmBuilder
from anyhip.backends.virtual.value import Value

__all__ = ["ATTRIBUTES", "Access", "load", "store"]

LDS_DUMP = 32  # bytes behind a workgroup's LDS where out-of-range stores go, in the engine's spare 64
INLINE, OUT_OF_LINE = "#2", "#3"
LIKELY = ", !prof !8"
ATTRIBUTES = """attributes #2 = { alwaysinline }
attributes #3 = { noinline }
!8 = !{!"branch_weights", i32 1000, i32 1}"""


@dataclass(frozen=True, slots=True)
class Access:
    """What tells one access function from another.

    ``lds`` accesses are bounded by the workgroup's LDS: beyond it loads read zeros that the engine keeps
    there, and stores go to bytes that nothing reads.
    """

    kind: str  # load, store
    lds: bool
    offset: str  # i32, i64
    bits: int
    units: int
    masked: bool
    shift: int
    signed: bool
    known: str = ""  # how lanes lie, where the translator knows: near (one behind the other) or same

    @classmethod
    def at(cls, place: Place, kind: str, bits: int, units: int, masked: bool) -> Access:
        """The access of ``units`` elements of ``bits`` a lane at a place."""
        lds = place.base == "%lds"
        access = cls(kind, lds, place.offset.type, bits, units, masked, place.shift, place.signed)
        pattern = place.offset.lanes
        if pattern is None or pattern.low_only or place.offset.uniform:
            return access
        if access.step and pattern.consecutive(access.step):
            return replace(access, known="near")
        return replace(access, known="same") if pattern.equal and kind == "load" else access

    @property
    def name(self) -> str:
        """The access function's name in the module; equal accesses share one."""
        space, mask = "lds" if self.lds else "mem", "masked" if self.masked else "full"
        offset = f"{'s' if self.signed else 'u'}{self.offset[1:]}.{self.shift}"
        known = f".{self.known}" if self.known else ""
        return f"@{self.kind}.{space}.{offset}.{self.bits}x{self.units}.{mask}{known}"

    @property
    def vector(self) -> str:
        """LLVM's type of one unit of every lane."""
        return f"<{CHUNK} x i{self.bits}>"

    @property
    def result(self) -> str:
        """LLVM's type of what the function returns: a vector a unit, in a structure if there are several."""
        if self.kind == "store":
            return "void"
        return self.vector if self.units == 1 else "{ " + ", ".join([self.vector] * self.units) + " }"

    @property
    def whole(self) -> str:
        """LLVM's type of all units of all lanes, as they lie in memory at consecutive addresses."""
        return f"<{CHUNK * self.units} x i{self.bits}>"

    @property
    def size(self) -> int:
        """Bytes a lane."""
        return self.bits // 8 * self.units

    @property
    def step(self) -> int:
        """How offsets grow from lane to lane where lanes lie one behind the other; 0: they cannot."""
        step = self.size >> self.shift
        return step if step << self.shift == self.size else 0


def load(b: LlvmBuilder, access: Access, place: Place, mask: Value | None, inline: bool) -> list[Value]:
    """``units`` consecutive elements of ``bits`` from the place of every enabled lane."""
    _define(b, access, _known_load_body if access.known else _load_body)
    called = b.let(
        f"call {access.result} {access.name}({_arguments(b, access, place, mask)}) {_how(inline, access)}"
    )
    if access.units == 1:
        return [b.lanes(f"i{access.bits}", called)]
    return [
        b.lanes(f"i{access.bits}", b.let(f"extractvalue {access.result} {called}, {i}"))
        for i in range(access.units)
    ]


def store(
    b: LlvmBuilder,
    access: Access,
    place: Place,
    values: list[Value],
    mask: Value | None,
    inline: bool,
) -> None:
    """Store ``values`` to the place of every enabled lane; of lanes that meet, the highest wins."""
    _define(b, access, _store_body)
    data = "".join(f", {access.vector} {b.splat(v)}" for v in values)
    b.emit(f"  call void {access.name}({_arguments(b, access, place, mask)}{data}) {_how(inline, access)}")


def _how(inline: bool, access: Access) -> str:
    return INLINE if inline or access.known else OUT_OF_LINE


def _arguments(b: LlvmBuilder, access: Access, place: Place, mask: Value | None) -> str:
    size = "%lds.size" if access.lds else "0"
    offsets = f"<{CHUNK} x {access.offset}> {b.splat(place.offset)}"
    text = f"ptr {place.base}, i64 {size}, i32 {place.constant}, {offsets}"
    if access.known:
        pattern = place.offset.lanes
        assert pattern is not None
        holds = b.const("i1", 1)
        for condition in pattern.conditions:
            holds = holds & condition()
        text += f", {access.offset} {(pattern.base() + pattern.offsets[0]).data}, i1 {holds.data}"
    return text if mask is None else f"{text}, <{CHUNK} x i1> {mask.data}"


def _define(b: LlvmBuilder, access: Access, body: Callable[[_Body], None]) -> None:
    """Write the access function unless the module has it."""
    if access.name in b.functions:
        return
    b.functions[access.name] = []
    parameters = f"ptr %base, i64 %size, i32 %constant, <{CHUNK} x {access.offset}> %offset"
    if access.known:
        parameters += f", {access.offset} %first, i1 %holds"
    if access.masked:
        parameters += f", <{CHUNK} x i1> %mask"
    if access.kind == "store":
        parameters += "".join(f", {access.vector} %x{i}" for i in range(access.units))
    with b.elsewhere(access.name) as lines:
        b.emit(f"define internal {access.result} {access.name}({parameters}) #4 {{")
        b.start("entry")
        body(_Body(b, access))
        lines.append("}")


class _Body:
    """The parts of an access function."""

    def __init__(self, b: LlvmBuilder, access: Access) -> None:
        self.b = b
        self.access = access
        self.offset = b.lanes(access.offset, "%offset")
        self.mask = b.lanes("i1", "%mask") if access.masked else None
        self.mask_text = "%mask" if access.masked else "splat (i1 true)"
        first = (
            "%first" if access.known else b.let(f"extractelement <{CHUNK} x {access.offset}> %offset, i32 0")
        )
        self.first = b.uniform(access.offset, first)

    def all_lanes(self, test: Value) -> Value:
        """Whether the test holds in every enabled lane."""
        b = self.b
        if self.mask is not None:
            test = test | ~self.mask
        bits = b.let(f"bitcast <{CHUNK} x i1> {test.data} to i{CHUNK}")
        return b.uniform("i1", b.let(f"icmp eq i{CHUNK} {bits}, -1"))

    def is_contiguous(self) -> Value:
        """Lanes lie one behind the other, and their offsets do not wrap around."""
        b, access, step = self.b, self.access, self.access.step
        if not step:
            return b.const("i1", 0)
        if access.known:
            test = b.uniform("i1", "%holds")
        else:
            steps = "<" + ", ".join(f"{access.offset} {i * step}" for i in range(CHUNK)) + ">"
            test = self.all_lanes(self.offset.eq(b.lanes(access.offset, steps) + self.first))
        if access.offset == "i32" and not access.lds:
            highest = (1 << (31 if access.signed else 32)) - CHUNK * step
            test = test & self.first.cmp("slt" if access.signed else "ult", highest)
        return self.within(CHUNK, test)

    def is_equal(self) -> Value:
        """All lanes have the same offset."""
        if self.access.known:
            return self.within(1, self.b.uniform("i1", "%holds"))
        return self.within(1, self.all_lanes(self.offset.eq(self.first)))

    def within(self, lanes: int, test: Value) -> Value:
        """``test`` and, in LDS, that so many lanes' bytes from the first on lie inside."""
        if not self.access.lds:
            return test
        end = self.wide(self.first) + lanes * self.access.size
        return test & end.cmp("ule", self.b.uniform("i64", "%size"))

    def wide(self, offset: Value) -> Value:
        """An offset in bytes, i64."""
        if self.access.lds:
            return (offset + self.b.uniform("i32", "%constant")).zext("i64")
        extended = offset.sext("i64") if self.access.signed else offset.zext("i64")
        return extended << self.access.shift if self.access.shift else extended

    def place(self) -> str:
        """Pointer to the first lane's data."""
        return self.b.let(f"getelementptr i8, ptr %base, i64 {self.wide(self.first).data}")

    def places(self, unit: int) -> str:
        """One pointer a lane, to its ``unit``-th element."""
        b, access = self.b, self.access
        start = b.offset("%base", unit * access.bits // 8)
        if (
            access.signed and access.offset == "i32"
        ):  # as an index, so that the host's gather extends and scales it
            return b.let(f"getelementptr [{1 << access.shift} x i8], ptr {start}, <{CHUNK} x i32> %offset")
        wide = self.wide(self.offset)
        if access.lds:
            size = b.uniform("i64", "%size")
            if access.kind == "load":
                wide = wide.umin(size)
            else:  # past what loads may read, so that they go on finding zeros
                wide = (wide + access.size).cmp("ule", size).select(wide, size + LDS_DUMP)
        return b.let(f"getelementptr i8, ptr {start}, <{CHUNK} x i64> {wide.data}")

    def spread_mask(self) -> str:
        """The lane mask with each bit repeated for every unit."""
        units = self.access.units
        if self.mask is None or units == 1:
            return self.mask_text
        return self.b.shuffle(f"<{CHUNK} x i1>", "%mask", (i // units for i in range(CHUNK * units)))


def _load_body(body: _Body) -> None:
    b, access = body.b, body.access
    b.emit(f"  br i1 {body.is_contiguous().data}, label %near, label %test")
    b.start("near")
    _give(body, _load_contiguous(body))
    b.start("test")
    b.emit(f"  br i1 {body.is_equal().data}, label %same, label %far")
    b.start("same")
    _give(body, _load_one(body))
    b.start("far")
    if whole_lanes.whole(access.bits, access.units):
        _give(body, whole_lanes.gather(b, body.places(0), body.mask_text, access.units))
    else:
        _give(body, [_gather(body, i) for i in range(access.units)])


def _load_one(body: _Body) -> list[str]:
    """The same for every lane."""
    b, bits, units = body.b, body.access.bits, body.access.units
    place = body.place()
    if whole_lanes.whole(bits, units):
        return [b.splat(b.uniform("i32", text)) for text in whole_lanes.uniform_load(b, place, units)]
    return [b.splat(b.load(f"i{bits}", b.offset(place, i * bits // 8), 1)) for i in range(units)]


def _known_load_body(body: _Body) -> None:
    b, near = body.b, body.access.known == "near"
    test = body.is_contiguous() if near else body.is_equal()
    b.emit(f"  br i1 {test.data}, label %near, label %far{LIKELY}")
    b.start("near")
    _give(body, _load_contiguous(body) if near else _load_one(body))
    b.start("far")
    result = b.let(_general(body))
    b.emit(f"  ret {body.access.result} {result}")


def _general(body: _Body, data: str = "") -> str:
    """A call of the access function that looks at all offsets itself."""
    b, general = body.b, replace(body.access, known="")
    _define(b, general, _load_body if general.kind == "load" else _store_body)
    mask = f", <{CHUNK} x i1> %mask" if general.masked else ""
    offsets = f"<{CHUNK} x {general.offset}> %offset"
    arguments = f"ptr %base, i64 %size, i32 %constant, {offsets}{mask}{data}"
    return f"call {general.result} {general.name}({arguments}) {OUT_OF_LINE}"


def _give(body: _Body, texts: list[str]) -> None:
    """Return the vectors."""
    b, access = body.b, body.access
    if access.units == 1:
        b.emit(f"  ret {access.vector} {texts[0]}")
        return
    whole = "poison"
    for i, text in enumerate(texts):
        whole = b.let(f"insertvalue {access.result} {whole}, {access.vector} {text}, {i}")
    b.emit(f"  ret {access.result} {whole}")


def _load_contiguous(body: _Body) -> list[str]:
    b, units, wide = body.b, body.access.units, body.access.whole
    if body.mask is None:
        whole = b.let(f"load {wide}, ptr {body.place()}, align 1")
    else:
        count = CHUNK * units
        name = f"llvm.masked.load.v{count}i{body.access.bits}.p0"
        b.intrinsic(name, wide, f"ptr, i32, <{count} x i1>, {wide}")
        mask = body.spread_mask()
        whole = b.let(
            f"call {wide} @{name}(ptr {body.place()}, i32 1, <{count} x i1> {mask}, {wide} zeroinitializer)"
        )
    if units == 1:
        return [whole]
    return [b.shuffle(wide, whole, range(i, CHUNK * units, units)) for i in range(units)]


def _gather(body: _Body, unit: int) -> str:
    b, bits, mask = body.b, body.access.bits, body.mask_text
    pointers = body.places(unit)
    if bits >= 32:
        return b.gather(f"i{bits}", pointers, 1, mask)
    return b.let(
        f"call {body.access.vector} @gather{bits}(<{CHUNK} x ptr> {pointers}, <{CHUNK} x i1> {mask})"
    )


def _store_body(body: _Body) -> None:
    b, access = body.b, body.access
    b.emit(f"  br i1 {body.is_contiguous().data}, label %near, label %far{LIKELY if access.known else ''}")
    b.start("near")
    _store_contiguous(body)
    b.emit("  ret void")
    b.start("far")
    _store_far(body)
    b.emit("  ret void")


def _store_far(body: _Body) -> None:
    b, access = body.b, body.access
    if access.known:
        data = "".join(f", {access.vector} %x{i}" for i in range(access.units))
        b.emit(f"  {_general(body, data)}")
        return
    if whole_lanes.whole(access.bits, access.units):
        whole_lanes.scatter(b, _interleaved(body), body.places(0), body.mask_text, access.units)
        return
    for i in range(access.units):
        data, places = f"{access.vector} %x{i}", f"<{CHUNK} x ptr> {body.places(i)}"
        mask = f"<{CHUNK} x i1> {body.mask_text}"
        if (
            access.bits == 32 and b.native_scatter
        ):  # in lane order where lanes meet (LangRef, "masked.scatter")
            name = f"llvm.masked.scatter.v{CHUNK}i32.v{CHUNK}p0"
            b.intrinsic(name, "void", f"{access.vector}, <{CHUNK} x ptr>, i32, <{CHUNK} x i1>")
            b.emit(f"  call void @{name}({data}, {places}, i32 1, {mask})")
        else:
            b.emit(f"  call void @scatter{access.bits}({data}, {places}, {mask})")


def _store_contiguous(body: _Body) -> None:
    b, units, wide = body.b, body.access.units, body.access.whole
    whole = _interleaved(body) if units > 1 else "%x0"
    if body.mask is None:
        b.emit(f"  store {wide} {whole}, ptr {body.place()}, align 1")
        return
    count = CHUNK * units
    name = f"llvm.masked.store.v{count}i{body.access.bits}.p0"
    b.intrinsic(name, "void", f"{wide}, ptr, i32, <{count} x i1>")
    mask = body.spread_mask()
    b.emit(f"  call void @{name}({wide} {whole}, ptr {body.place()}, i32 1, <{count} x i1> {mask})")


def _interleaved(body: _Body) -> str:
    """Vectors of a structure's fields -> one vector of structures."""
    b, bits, units = body.b, body.access.bits, body.access.units
    parts, width = [f"%x{i}" for i in range(units)], CHUNK
    if len(parts) == 3:
        parts.append("poison")
    while len(parts) > 1:
        kind = f"<{width} x i{bits}>"
        parts = [b.shuffle(kind, parts[i], range(2 * width), parts[i + 1]) for i in range(0, len(parts), 2)]
        width *= 2
    order = [i * CHUNK + lane for lane in range(CHUNK) for i in range(units)]
    return b.shuffle(f"<{width} x i{bits}>", parts[0], order)
