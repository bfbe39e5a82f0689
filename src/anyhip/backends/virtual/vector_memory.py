"""Loads and stores of a chunk of lanes.

Three forms, told apart at run time: lanes at consecutive addresses (one vector access), all lanes at the
same address (one scalar access), anything else (gather or scatter). An address that is uniform at
translation time needs no test.

Spaces: ``global`` (64-bit host addresses), ``lds`` (32-bit offsets; what lies outside the workgroup's LDS goes to the
spare bytes that the engine keeps behind it), ``scratch``
(offsets into private memory, whose dword k of lane l lies at (k*64 + l)*4) and ``flat`` (any of the three, by the
address's high dword).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyhip.backends.virtual.layout import PRIVATE_APERTURE, SHARED_APERTURE
from anyhip.backends.virtual.llvm_builder import CHUNK, LlvmBuilder
from anyhip.backends.virtual.value import Value

if TYPE_CHECKING:
    from anyhip.backends.virtual.chunk import Chunk
    from anyhip.backends.virtual.run import Item

__all__ = ["access", "lds_clamped"]


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
    b, memory = chunk.b, item.memory
    assert memory is not None
    offset = item.instruction.fields.get("offset", 0)
    vaddr, saddr = _operand(chunk, item, "vaddr"), _operand(chunk, item, "saddr")
    if saddr is not None:
        assert vaddr is not None
        start = b.offset(b.let(f"inttoptr i64 {saddr.data} to ptr"), offset)
        _transfer(chunk, item, start, vaddr.zext("i64"), memory.units)
        return
    assert vaddr is not None
    address = vaddr + offset if offset else vaddr
    if item.space == "flat":
        if chunk.run.private_in_flat:
            _flat_by_dword(chunk, item, address)
            return
        address = _flat_to_host(chunk, address, None)
    _transfer(chunk, item, "null", address, memory.units)


def _flat_to_host(chunk: Chunk, address: Value, dword: int | None) -> Value:
    """Host addresses of generic ones; ``dword`` numbers the dword of a private access (None: no private memory)."""
    b = chunk.b
    high = (address >> 32).trunc("i32")
    lds = b.uniform("i64", b.let("ptrtoint ptr %lds to i64"))
    low = address & 0xFFFFFFFF
    step = 4 * (dword or 0)
    out = high.eq(SHARED_APERTURE).select(lds + lds_clamped(b, low + step), address + step)
    if dword is not None:
        scratch = b.uniform("i64", b.let("ptrtoint ptr %scratch to i64"))
        inside = low.umin(b.uniform("i64", "%scratch.last"))
        place = (((inside >> 2) + dword) << 8) + (inside & 3) + (chunk.b.lane_id().zext("i64") << 2)
        out = high.eq(PRIVATE_APERTURE).select(scratch + place, out)
    return out


def _flat_by_dword(chunk: Chunk, item: Item, address: Value) -> None:
    """Generic addresses when private memory may be meant: each dword has its own place."""
    memory = item.memory
    assert memory is not None
    hosts = [_flat_to_host(chunk, address, i) for i in range(memory.units)]
    if memory.kind == "load":
        _result(chunk, item, [_load(chunk, "null", host, memory.bits, 1)[0] for host in hosts])
    else:
        for host, value in zip(hosts, _data(chunk, item), strict=True):
            _store(chunk, "null", host, [value], memory.bits)


def _lds(chunk: Chunk, item: Item) -> None:
    memory, fields = item.memory, item.instruction.fields
    assert memory is not None
    address = _operand(chunk, item, "addr")
    assert address is not None
    if not memory.strides:
        _transfer(chunk, item, "%lds", _lds_offset(address, fields.get("offset", 0)), memory.units)
        return
    places = [_lds_offset(address, fields[f"offset{i}"] * stride) for i, stride in enumerate(memory.strides)]
    if memory.kind == "load":
        values: list[Value] = []
        for place in places:
            values += _load(chunk, "%lds", place, 32, memory.units)
        _result(chunk, item, values)
    else:
        _store(chunk, "%lds", places[0], _data(chunk, item, ("data0",)), 32)
        _store(chunk, "%lds", places[1], _data(chunk, item, ("data1",)), 32)


def _lds_offset(address: Value, offset: int) -> Value:
    return address + offset if offset else address


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
    lane = b.lane_id() << 2
    places = [(((offset >> 2) + i) << 8) + (offset & 3) + lane for i in range(memory.units)]
    if memory.kind == "load":
        _result(chunk, item, [_load(chunk, "%scratch", place, memory.bits, 1)[0] for place in places])
    else:
        for place, value in zip(places, _data(chunk, item), strict=True):
            _store(chunk, "%scratch", place, [value], memory.bits)


def _transfer(chunk: Chunk, item: Item, pointer: str, offset: Value, units: int) -> None:
    memory = item.memory
    assert memory is not None
    if memory.kind == "load":
        _result(chunk, item, _load(chunk, pointer, offset, memory.bits, units))
    else:
        _store(chunk, pointer, offset, _data(chunk, item), memory.bits, memory.half == "hi")


def _result(chunk: Chunk, item: Item, units: list[Value]) -> None:
    """Write loaded units (i8, i16 or i32 a lane) to the destination registers."""
    memory, operand = item.memory, item.instruction.dst[0]
    assert memory is not None
    if memory.bits == 32:
        for i, value in enumerate(units):
            chunk.set_register(operand.index + i, value)
        return
    wide = "i16" if memory.half else "i32"
    value = units[0].sext(wide) if memory.signed else units[0].zext(wide)
    if memory.half:
        old = chunk.register(operand.index)
        if memory.half == "hi":
            value = (value.zext("i32") << 16) | (old & 0xFFFF)
        else:
            value = value.zext("i32") | (old & 0xFFFF0000)
    chunk.set_register(operand.index, value)


# -- the three forms
def _pattern(chunk: Chunk, offset: Value, stride: int) -> tuple[str, str, str]:
    """Texts of: the first lane's offset, "lanes are ``stride`` bytes apart", "all lanes are equal" (of enabled lanes)."""
    b = chunk.b
    vector = f"<{CHUNK} x {offset.type}>"
    first = b.uniform(offset.type, b.let(f"extractelement {vector} {offset.data}, i32 0"))
    steps = "<" + ", ".join(f"{offset.type} {i * stride}" for i in range(CHUNK)) + ">"
    expected = b.lanes(offset.type, steps) + first
    texts = []
    for test in (offset.eq(expected), offset.eq(first)):
        bits = chunk.bits_of(test if chunk.mask is None else test | ~chunk.mask)
        texts.append(b.let(f"icmp eq i{CHUNK} {bits}, -1"))
    return first.data, texts[0], texts[1]


def _within(chunk: Chunk, pointer: str, first: str, size: int, test: str) -> str:
    """``test`` and, in LDS, that ``size`` bytes from ``first`` lie inside."""
    if pointer != "%lds":
        return test
    b = chunk.b
    end = b.uniform("i32", first).zext("i64") + size
    return b.let(f"and i1 {test}, {b.compare('ule', end, b.uniform('i64', '%lds.size')).data}")


def lds_clamped(b: LlvmBuilder, offset: Value) -> Value:
    """The offset, or the end of the workgroup's LDS if it lies beyond: the engine keeps spare bytes there."""
    return offset.umin(b.uniform(offset.type, "%lds.size" if offset.type == "i64" else "%lds_size.v"))


def _clamped(chunk: Chunk, pointer: str, offset: Value) -> Value:
    return lds_clamped(chunk.b, offset) if pointer == "%lds" else offset


def _pointer(chunk: Chunk, pointer: str, offset: Value | str, type: str) -> str:
    """``pointer`` + uniform offset; offsets are unsigned."""
    b = chunk.b
    text = offset if isinstance(offset, str) else offset.data
    if type == "i32":
        text = b.let(f"zext i32 {text} to i64")
    if pointer == "null":
        return b.let(f"inttoptr i64 {text} to ptr")
    return b.let(f"getelementptr i8, ptr {pointer}, i64 {text}")


def _pointers(chunk: Chunk, pointer: str, offset: Value, extra: int) -> str:
    """One pointer a lane."""
    b = chunk.b
    if pointer == "null":
        wide = offset + extra if extra else offset
        return b.let(f"inttoptr <{CHUNK} x i64> {wide.data} to <{CHUNK} x ptr>")
    wide = offset.zext("i64") if offset.type == "i32" else offset
    start = b.offset(pointer, extra)
    return b.let(f"getelementptr i8, ptr {start}, <{CHUNK} x i64> {wide.data}")


def _load(
    chunk: Chunk, pointer: str, offset: Value, bits: int, units: int
) -> list[Value]:
    """``units`` consecutive elements of ``bits`` at every lane's offset."""
    b, size = chunk.b, bits // 8
    if offset.uniform:
        place = _pointer(chunk, pointer, _clamped(chunk, pointer, offset), offset.type)
        return [b.load(f"i{bits}", b.offset(place, i * size), 1) for i in range(units)]
    first, contiguous, equal = _pattern(chunk, offset, size * units)
    near, test, same, far, join = (b.label(stem) for stem in ("near", "test", "same", "far", "loaded"))
    contiguous = _within(chunk, pointer, first, size * units * CHUNK, contiguous)
    b.emit(f"  br i1 {contiguous}, label %{near}, label %{test}")
    arms: list[tuple[list[str], str]] = []

    b.start(near)
    arms.append((_load_contiguous(chunk, _pointer(chunk, pointer, first, offset.type), bits, units), b.current))
    b.emit(f"  br label %{join}")

    b.start(test)
    equal = _within(chunk, pointer, first, size * units, equal)
    b.emit(f"  br i1 {equal}, label %{same}, label %{far}")
    b.start(same)
    place = _pointer(chunk, pointer, first, offset.type)
    values = [b.load(f"i{bits}", b.offset(place, i * size), 1) for i in range(units)]
    arms.append(([b.splat(v) for v in values], b.current))
    b.emit(f"  br label %{join}")

    b.start(far)
    clamped = _clamped(chunk, pointer, offset)
    arms.append(([_gather(chunk, pointer, clamped, bits, i * size) for i in range(units)], b.current))
    b.emit(f"  br label %{join}")

    b.start(join)
    out = []
    for i in range(units):
        phi = ", ".join(f"[ {texts[i]}, %{label} ]" for texts, label in arms)
        out.append(b.lanes(f"i{bits}", b.let(f"phi <{CHUNK} x i{bits}> {phi}")))
    return out


def _mask_text(chunk: Chunk) -> str:
    return "splat (i1 true)" if chunk.mask is None else str(chunk.mask.data)


def _load_contiguous(chunk: Chunk, place: str, bits: int, units: int) -> list[str]:
    b = chunk.b
    count = CHUNK * units
    wide = f"<{count} x i{bits}>"
    if chunk.mask is None:
        whole = b.let(f"load {wide}, ptr {place}, align 1")
    else:
        mask = chunk.mask.data
        if units > 1:
            spread = ", ".join(f"i32 {i // units}" for i in range(count))
            mask = b.let(
                f"shufflevector <{CHUNK} x i1> {mask}, <{CHUNK} x i1> poison, <{count} x i32> <{spread}>"
            )
        name = f"llvm.masked.load.v{count}i{bits}.p0"
        b.intrinsic(name, wide, f"ptr, i32, <{count} x i1>, {wide}")
        whole = b.let(f"call {wide} @{name}(ptr {place}, i32 1, <{count} x i1> {mask}, {wide} zeroinitializer)")
    if units == 1:
        return [whole]
    out = []
    for i in range(units):
        order = ", ".join(f"i32 {lane * units + i}" for lane in range(CHUNK))
        out.append(b.let(f"shufflevector {wide} {whole}, {wide} poison, <{CHUNK} x i32> <{order}>"))
    return out


def _gather(chunk: Chunk, pointer: str, offset: Value, bits: int, extra: int) -> str:
    b = chunk.b
    pointers = _pointers(chunk, pointer, offset, extra)
    if bits < 32:
        return b.let(f"call <{CHUNK} x i{bits}> @gather{bits}(<{CHUNK} x ptr> {pointers}, <{CHUNK} x i1> {_mask_text(chunk)})")
    name = f"llvm.masked.gather.v{CHUNK}i{bits}.v{CHUNK}p0"
    vector = f"<{CHUNK} x i{bits}>"
    b.intrinsic(name, vector, f"<{CHUNK} x ptr>, i32, <{CHUNK} x i1>, {vector}")
    return b.let(
        f"call {vector} @{name}(<{CHUNK} x ptr> {pointers}, i32 1, <{CHUNK} x i1> {_mask_text(chunk)}, {vector} poison)"
    )


def _store(
    chunk: Chunk, pointer: str, offset: Value, values: list[Value], bits: int, high: bool = False
) -> None:
    """Store one list of dwords (or the low/high part of one) at every enabled lane's offset."""
    b, size, units = chunk.b, bits // 8, len(values)
    if bits < 32:
        values = [((v >> 16) if high else v).trunc(f"i{bits}") for v in values]
    texts = [b.splat(v) for v in values]
    if offset.uniform:  # the last enabled lane wins
        offset = b.lanes(offset.type, b.splat(offset))
    first, contiguous, _ = _pattern(chunk, offset, size * units)
    near, far, join = (b.label(stem) for stem in ("near", "far", "stored"))
    contiguous = _within(chunk, pointer, first, size * units * CHUNK, contiguous)
    b.emit(f"  br i1 {contiguous}, label %{near}, label %{far}")
    b.start(near)
    _store_contiguous(chunk, _pointer(chunk, pointer, first, offset.type), texts, bits)
    b.emit(f"  br label %{join}")
    b.start(far)
    clamped = _clamped(chunk, pointer, offset)
    for i, text in enumerate(texts):
        pointers = _pointers(chunk, pointer, clamped, i * size)
        b.emit(
            f"  call void @scatter{bits}(<{CHUNK} x i{bits}> {text}, <{CHUNK} x ptr> {pointers}, "
            f"<{CHUNK} x i1> {_mask_text(chunk)})"
        )
    b.emit(f"  br label %{join}")
    b.start(join)


def _store_contiguous(chunk: Chunk, place: str, texts: list[str], bits: int) -> None:
    b, units = chunk.b, len(texts)
    count = CHUNK * units
    wide = f"<{count} x i{bits}>"
    whole, mask = texts[0], _mask_text(chunk)
    if units > 1:
        whole = _interleave(chunk, texts, bits)
        if chunk.mask is not None:
            spread = ", ".join(f"i32 {i // units}" for i in range(count))
            mask = b.let(f"shufflevector <{CHUNK} x i1> {mask}, <{CHUNK} x i1> poison, <{count} x i32> <{spread}>")
    if chunk.mask is None:
        b.emit(f"  store {wide} {whole}, ptr {place}, align 1")
        return
    name = f"llvm.masked.store.v{count}i{bits}.p0"
    b.intrinsic(name, "void", f"{wide}, ptr, i32, <{count} x i1>")
    b.emit(f"  call void @{name}({wide} {whole}, ptr {place}, i32 1, <{count} x i1> {mask})")


def _interleave(chunk: Chunk, texts: list[str], bits: int) -> str:
    """Vectors of a structure's fields -> one vector of structures."""
    b, units = chunk.b, len(texts)
    parts, width = list(texts), CHUNK
    while len(parts) & (len(parts) - 1):
        parts.append(f"poison:{width}")
    joined = [p if not p.startswith("poison") else "poison" for p in parts]
    while len(joined) > 1:
        order = ", ".join(f"i32 {i}" for i in range(2 * width))
        kind = f"<{width} x i{bits}>"
        joined = [
            b.let(f"shufflevector {kind} {joined[i]}, {kind} {joined[i + 1]}, <{2 * width} x i32> <{order}>")
            for i in range(0, len(joined), 2)
        ]
        width *= 2
    order = ", ".join(f"i32 {i * CHUNK + lane}" for lane in range(CHUNK) for i in range(units))
    kind = f"<{width} x i{bits}>"
    return b.let(f"shufflevector {kind} {joined[0]}, {kind} poison, <{CHUNK * units} x i32> <{order}>")
