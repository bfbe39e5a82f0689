"""Load and store instructions of a chunk of lanes: where they go, and what arrives in which register.

Spaces: ``global`` (64-bit host addresses), ``lds`` (32-bit offsets; what lies outside the workgroup's LDS
goes to the spare bytes that the engine keeps behind it), ``scratch`` (offsets into private memory, whose
dword k of lane l lies at (k*64 + l)*4) and ``flat`` (any of the three, by the address's high dword).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyhip.backends.virtual import deferred, lane_access, whole_lanes
from anyhip.backends.virtual.addresses import Place
from anyhip.backends.virtual.layout import PRIVATE_APERTURE, SHARED_APERTURE
from anyhip.backends.virtual.llvm_builder import LlvmBuilder
from anyhip.backends.virtual.value import Value

if TYPE_CHECKING:
    from anyhip.backends.virtual.chunk import Chunk
    from anyhip.backends.virtual.run import Item
    from anyhip.backends.virtual.semantics.memory import MemoryOp

__all__ = ["access", "flat_to_host", "lds_clamped", "lds_places", "load", "set_result", "store"]


def access(chunk: Chunk, item: Item) -> None:
    """Emit the load or store of ``item`` for the lanes of the chunk."""
    memory = item.memory
    assert memory is not None
    if item.space == "lds":
        _lds(chunk, item)
    elif item.space == "scratch":
        _scratch(chunk, item)
    else:
        _global(chunk, item)


# -- addresses
def _operand(chunk: Chunk, item: Item, field: str) -> Value | None:
    """The source operand that the encoding calls ``field``, or None when it is absent (``off``)."""
    for position, (name, _) in enumerate(item.instruction.opcode.src):
        operand = item.instruction.src[position]
        if name == field and operand.name != "off":
            captured = item.captured[position]
            if captured is not None:
                return captured.int_bits()
            return chunk.pair(operand.index) if operand.count == 2 else chunk.register(operand.index)
    return None


def _data(chunk: Chunk, item: Item, fields: tuple[str, ...] = ("vdata", "data", "data0")) -> list[Value]:
    """The dwords to store."""
    for position, (field, _) in enumerate(item.instruction.opcode.src):
        if field in fields:
            operand = item.instruction.src[position]
            captured = item.captured[position]
            if captured is not None:
                return [captured.int_bits()]
            return [chunk.register(operand.index + i) for i in range(operand.count)]
    raise AssertionError(f"{item.instruction.name} has no data")


def _global(chunk: Chunk, item: Item) -> None:
    b = chunk.b
    offset = item.instruction.fields.get("offset", 0)
    vaddr, saddr = _operand(chunk, item, "vaddr"), _operand(chunk, item, "saddr")
    assert vaddr is not None
    if item.space == "flat":
        address = vaddr + offset if offset else vaddr
        if chunk.run.private_in_flat:
            _flat_by_dword(chunk, item, address)
        else:
            _transfer(chunk, item, Place("null", flat_to_host(chunk, address, None)))
    elif saddr is not None:
        _transfer(chunk, item, Place(b.offset(b.let(f"inttoptr i64 {saddr.data} to ptr"), offset), vaddr))
    else:
        _transfer(chunk, item, _vector_place(chunk, item, vaddr, offset))


def _vector_place(chunk: Chunk, item: Item, address: Value, offset: int) -> Place:
    """The place of 64-bit addresses, by scalar base and 32-bit index where they are known to be made so."""
    b = chunk.b
    operand = item.instruction.src[[name for name, _ in item.instruction.opcode.src].index("vaddr")]
    form = chunk.forms.of(operand.index) if operand.kind == "v" else None
    if form is None or form.base is None:
        return Place(b.let(f"inttoptr i64 {offset} to ptr") if offset else "null", address)
    base = b.let(f"inttoptr i64 {form.base.data} to ptr")
    return Place(b.offset(base, offset), form.index, form.shift, form.signed)


def flat_to_host(chunk: Chunk, address: Value, dword: int | None) -> Value:
    """Host addresses of generic ones.

    Args:
        dword: number of the dword in an access that may go to private memory; None: the kernel has none.
    """
    b = chunk.b
    high = (address >> 32).trunc("i32")
    lds = b.uniform("i64", b.let("ptrtoint ptr %lds to i64"))
    low = address & 0xFFFFFFFF
    step = 4 * (dword or 0)
    out = high.eq(SHARED_APERTURE).select(lds + lds_clamped(b, low + step), address + step)
    if dword is not None:
        scratch = b.uniform("i64", b.let("ptrtoint ptr %scratch to i64"))
        inside = low.umin(b.uniform("i64", "%scratch.last"))
        place = (((inside >> 2) + dword) << 8) + (inside & 3) + (chunk.lane_id().zext("i64") << 2)
        out = high.eq(PRIVATE_APERTURE).select(scratch + place, out)
    return out


def _flat_by_dword(chunk: Chunk, item: Item, address: Value) -> None:
    """Generic addresses when private memory may be meant: each dword has its own place."""
    memory = item.memory
    assert memory is not None
    _transfer_each(chunk, item, [Place("null", flat_to_host(chunk, address, i)) for i in range(memory.units)])


def _transfer_each(chunk: Chunk, item: Item, places: list[Place]) -> None:
    """Load or store whose units each have a place of their own."""
    memory = item.memory
    assert memory is not None
    if memory.kind == "load":
        values = [load(chunk, place, memory.bits, 1)[0] for place in places]
        set_result(chunk, memory, item.instruction.dst[0].index, values)
    else:
        for place, value in zip(places, _data(chunk, item), strict=True):
            store(chunk, place, [value], memory.bits, memory.half == "hi")


def _lds(chunk: Chunk, item: Item) -> None:
    memory, fields = item.memory, item.instruction.fields
    assert memory is not None
    address = _operand(chunk, item, "addr")
    assert address is not None
    if not memory.strides:
        _transfer(chunk, item, Place("%lds", address, constant=str(fields.get("offset", 0))))
        return
    places = [
        Place("%lds", address, constant=str(fields[f"offset{i}"] * stride))
        for i, stride in enumerate(memory.strides)
    ]
    if memory.kind == "load":
        values: list[Value] = []
        for place in places:
            values += load(chunk, place, 32, memory.units)
        set_result(chunk, memory, item.instruction.dst[0].index, values)
    else:
        store(chunk, places[0], _data(chunk, item, ("data0",)), 32)
        store(chunk, places[1], _data(chunk, item, ("data1",)), 32)


def _scratch(chunk: Chunk, item: Item) -> None:
    """Private memory: every lane its own column, so the dwords of equal offsets are contiguous."""
    b, memory = chunk.b, item.memory
    assert memory is not None
    vaddr, saddr = _operand(chunk, item, "vaddr"), _operand(chunk, item, "saddr")
    offset = b.const("i32", item.instruction.fields.get("offset", 0))
    for part in (vaddr, saddr):
        if part is not None:
            offset = offset + part
    offset = offset.umin(b.uniform("i32", b.let("trunc i64 %scratch.last to i32")))
    lane = chunk.lane_id() << 2
    places = [(((offset >> 2) + i) << 8) + (offset & 3) + lane for i in range(memory.units)]
    _transfer_each(chunk, item, [Place("%scratch", place) for place in places])


def _transfer(chunk: Chunk, item: Item, place: Place) -> None:
    memory = item.memory
    assert memory is not None
    if memory.kind == "load":
        units = load(chunk, place, memory.bits, memory.units)
        set_result(chunk, memory, item.instruction.dst[0].index, units)
    else:
        store(chunk, place, _data(chunk, item), memory.bits, memory.half == "hi")


def set_result(chunk: Chunk, memory: MemoryOp, register: int, units: list[Value]) -> None:
    """Write loaded units (i8, i16 or i32 a lane) to the registers from ``register`` on."""
    if memory.bits == 32:
        for i, value in enumerate(units):
            chunk.set_register(register + i, value)
        return
    wide = "i16" if memory.half else "i32"
    value = units[0].sext(wide) if memory.signed else units[0].zext(wide)
    if memory.half:
        old = chunk.register(register)
        if memory.half == "hi":
            value = (value.zext("i32") << 16) | (old & 0xFFFF)
        else:
            value = value.zext("i32") | (old & 0xFFFF0000)
    chunk.set_register(register, value)


# -- one access
def lds_clamped(b: LlvmBuilder, offset: Value) -> Value:
    """The offset, or the end of the workgroup's LDS if it lies beyond: the engine keeps spare bytes there."""
    return offset.umin(b.uniform(offset.type, "%lds.size" if offset.type == "i64" else "%lds_size.v"))


def lds_places(b: LlvmBuilder, offset: Value, size: int) -> tuple[str, str]:
    """Pointers for a load and for a store of ``size`` bytes at an LDS offset (i32, uniform).

    Out of range they are the zeros behind the workgroup's LDS, and the bytes there that nothing reads.
    """
    limit, wide = b.uniform("i64", "%lds.size"), offset.zext("i64")
    inside = (wide + size).cmp("ule", limit)
    places = (inside.select(wide, limit), inside.select(wide, limit + lane_access.LDS_DUMP))
    load, store = (b.let(f"getelementptr i8, ptr %lds, i64 {place.data}") for place in places)
    return load, store


def load(chunk: Chunk, place: Place, bits: int, units: int) -> list[Value]:
    """``units`` consecutive elements of ``bits`` at every lane's (or one uniform) place."""
    b, lds = chunk.b, place.base == "%lds"
    if not place.offset.uniform:
        access = lane_access.Access.at(place, "load", bits, units, chunk.mask is not None)
        return lane_access.load(b, access, place, chunk.mask, chunk.run.inline_accesses)
    offset = place.offset
    if lds:
        offset = lds_clamped(b, offset + b.uniform("i32", place.constant))
    wide = offset.sext("i64") if place.signed else offset.zext("i64")
    start = b.let(f"getelementptr i8, ptr {place.base}, i64 {(wide << place.shift).data}")
    if whole_lanes.whole(bits, units):
        return [b.uniform("i32", text) for text in whole_lanes.uniform_load(b, start, units)]
    return [b.load(f"i{bits}", b.offset(start, i * bits // 8), 1) for i in range(units)]


def store(chunk: Chunk, place: Place, values: list[Value], bits: int, high: bool = False) -> None:
    """Store dwords, or the low or high part of one, at every enabled lane's place."""
    if bits < 32:
        values = [((v >> 16) if high else v).trunc(f"i{bits}") for v in values]
    if chunk.deferring:
        deferred.keep(chunk, place, values, bits)
        return
    access = lane_access.Access.at(place, "store", bits, len(values), chunk.mask is not None)
    lane_access.store(chunk.b, access, place, values, chunk.mask, chunk.run.inline_accesses)
