"""Loads and stores of a whole wave as one call, for straight code of big kernels.

Inlined, an access is some forty instructions for the host's compiler to chew on, and unrolled kernels have
hundreds of them. Outside loops such kernels therefore call a function of the module that goes through the
wave's chunks and works on rows of the VGPR file in memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyhip.backends.virtual import vector_memory
from anyhip.backends.virtual.addresses import Place
from anyhip.backends.virtual.chunk import Chunk
from anyhip.backends.virtual.layout import VGPR_BYTES
from anyhip.backends.virtual.llvm_builder import LlvmBuilder
from anyhip.backends.virtual.run import Run, emit_loop
from anyhip.backends.virtual.scalar_code import read_scalar
from anyhip.backends.virtual.scalars import EXEC
from anyhip.backends.virtual.value import Value

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import RunQueue
    from anyhip.backends.virtual.semantics.memory import MemoryOp
    from anyhip.isa.decode import Instruction, Operand

__all__ = ["call", "possible"]

PARAMETERS = (
    "ptr %a, ptr %d, ptr %r, i64 %exec, ptr %base, i64 %imm, ptr %lds, i64 %lds.size, i32 %lds_size.v"
)
ADDRESS, DATA, RESULT = 0, 2, 6  # the function's own registers, whose rows the parameters a, d and r point to


class _Rows(Chunk):
    """A chunk whose registers are the rows that the function's parameters point to."""

    def pointer(self, r: int) -> str:
        parameter, first = ("%r", RESULT) if r >= RESULT else ("%d", DATA) if r >= DATA else ("%a", ADDRESS)
        start = self.b.let(f"getelementptr i32, ptr {parameter}, i64 {self.first}")
        return self.b.offset(start, (r - first) * VGPR_BYTES)


def possible(queue: RunQueue, instruction: Instruction, space: str) -> bool:
    """Whether :func:`call` can do the access."""
    if space == "scratch" or (space == "flat" and queue.private_in_flat):
        return False
    return all(
        o.kind == "v"
        for (field, _), o in zip(instruction.opcode.src, instruction.src, strict=True)
        if field != "saddr"
    )


def call(queue: RunQueue, instruction: Instruction, memory: MemoryOp, space: str) -> None:
    """Emit the access as one call, or two for two-address LDS instructions."""
    queue.flush()
    sources = {field: o for (field, _), o in zip(instruction.opcode.src, instruction.src, strict=True)}
    fields = instruction.fields
    saddr = sources.get("saddr")
    scalar = saddr if saddr is not None and saddr.name != "off" else None
    form = "lds" if space == "lds" else space if scalar is None else "saddr"
    name = _define(queue, memory, form)
    base, address = "null", sources["addr"] if space == "lds" else sources["vaddr"]
    if scalar is not None:
        base = queue.b.let(f"inttoptr i64 {read_scalar(queue, scalar).data} to ptr")
    target = instruction.dst[0].index if instruction.dst else 0
    data = [o for field, o in sources.items() if field in ("vdata", "data0", "data1")]
    if not memory.strides:
        _emit(queue, name, address, data[0].index if data else 0, target, base, fields.get("offset", 0))
        return
    numbers = list(range(len(memory.strides)))
    if memory.kind == "load" and target <= address.index < target + memory.units:
        numbers.reverse()  # the first access would overwrite the address of the second
    for i in numbers:
        stride, register = memory.strides[i], data[i].index if data else 0
        _emit(queue, name, address, register, target + i * memory.units, base, fields[f"offset{i}"] * stride)


def _emit(
    queue: RunQueue, name: str, address: Operand, data: int, target: int, base: str, offset: int
) -> None:
    b = queue.b
    rows = [b.offset("%vgprs", r * VGPR_BYTES) for r in (address.index, data, target)]
    execute = queue.mask64(EXEC).data
    registers = ", ".join(f"ptr {row}" for row in rows)
    b.emit(
        f"  call void {name}({registers}, i64 {execute}, ptr {base}, i64 {offset}, "
        "ptr %lds, i64 %lds.size, i32 %lds_size.v)"
    )


def _define(queue: RunQueue, memory: MemoryOp, form: str) -> str:
    """The function for this kind of access, written at its first use."""
    sign = "s" if memory.signed else "u"
    name = f"@wave.{memory.kind}.{form}.{sign}{memory.bits}x{memory.units}{memory.half}"
    b = queue.b
    if name not in b.functions:
        b.functions[name] = []
        with b.elsewhere(name) as lines:
            b.emit(f"define internal void {name}({PARAMETERS}) #1 {{")
            b.start("entry")
            run = Run(b.uniform("i64", "%exec"), private_in_flat=False, inline_accesses=True)
            done = b.label("end")
            start = b.label("wave")
            b.emit(f"  br label %{start}")
            emit_loop(b, run, start, done, queue.wave_size, _Rows, lambda chunk: _body(chunk, memory, form))
            b.start(done)
            b.emit("  ret void")
            lines.append("}")
    return name


def _body(chunk: Chunk, memory: MemoryOp, form: str) -> None:
    b = chunk.b
    immediate = b.uniform("i64", "%imm")
    place = _place(chunk, b, immediate, form)
    if memory.kind == "load":
        values = vector_memory.load(chunk, place, memory.bits, memory.units)
        vector_memory.set_result(chunk, memory, RESULT, values)
        chunk.store_written(frozenset(range(RESULT, RESULT + memory.units)))
    else:
        data = [chunk.register(DATA + i) for i in range(memory.units)]
        vector_memory.store(chunk, place, data, memory.bits, memory.half == "hi")


def _place(chunk: Chunk, b: LlvmBuilder, immediate: Value, form: str) -> Place:
    if form == "lds":
        return Place("%lds", chunk.register(ADDRESS), constant=immediate.trunc("i32").data)
    if form == "saddr":
        return Place(b.offset("%base", immediate.data), chunk.register(ADDRESS))
    address = chunk.pair(ADDRESS) + immediate
    return Place("null", vector_memory.flat_to_host(chunk, address, None) if form == "flat" else address)
