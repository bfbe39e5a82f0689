"""Instructions whose lanes read other lanes: DPP, LDS permutes and swizzles, readlane and its kin; and SDWA.

Within a chunk of 16 lanes (a DPP row) lanes move by a constant shuffle. What crosses chunks is read from the
VGPR file in memory, which therefore must not change while the run's loop goes through the chunks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyhip.backends.virtual.layout import VGPR_BYTES
from anyhip.backends.virtual.llvm_builder import CHUNK
from anyhip.backends.virtual.semantics import lanes as tables
from anyhip.backends.virtual.semantics.lane_exchange import SWAPS
from anyhip.backends.virtual.value import BITS, Value

if TYPE_CHECKING:
    from anyhip.backends.virtual.chunk import Chunk
    from anyhip.backends.virtual.run import Item
    from anyhip.isa.decode import Instruction, Operand

__all__ = [
    "GATHERS",
    "crosses_lanes",
    "dpp_source",
    "gather",
    "rows_read_across",
    "sdwa_result",
    "sdwa_source",
]

DPP = ("dpp", "dpp8")
PERMLANES = {  # -> what is added to the row, modulo 32
    "v_permlane16_b32": 0, "v_permlanex16_b32": 16, "v_permlane16_var_b32": 0, "v_permlanex16_var_b32": 16,
}  # fmt: skip
GATHERS = {  # -> position of the source that is read across lanes
    "ds_bpermute_b32": 1,
    "ds_bpermute_fi_b32": 1,
    "ds_swizzle_b32": 0,
    "v_permlane64_b32": 0,
    **dict.fromkeys(PERMLANES, 0),
}
SCALAR_LANE = {"v_readlane_b32", "v_readfirstlane_b32", "v_writelane_b32", "ds_permute_b32", *SWAPS}


def crosses_lanes(instruction: Instruction) -> bool:
    """The instruction may read a lane that EXEC disables or another lane's register."""
    name = instruction.name
    return (
        instruction.variant in DPP
        or name in GATHERS
        or name in SCALAR_LANE
        or instruction.opcode.klass in ("mfma", "wmma")
    )


def _dpp_table(instruction: Instruction, wave: int) -> list[int | None]:
    """The source lane of every lane; None where it is out of bounds."""
    if instruction.variant == "dpp8":  # three bits a lane, within groups of eight (RDNA3 ISA, "DPP8")
        select = instruction.fields["dpp8"]
        return [lane & ~7 | select >> 3 * (lane & 7) & 7 for lane in range(wave)]
    return tables.dpp_source(instruction.fields["dpp_ctrl"])[:wave]


def _within_rows(table: list[int | None]) -> bool:
    return all(s is None or s // CHUNK == lane // CHUNK for lane, s in enumerate(table)) and all(
        (s is None) == (table[lane % CHUNK] is None) and (s is None or s % CHUNK == table[lane % CHUNK])
        for lane, s in enumerate(table)
    )


def rows_read_across(instruction: Instruction) -> list[int]:
    """VGPRs of which the instruction reads other chunks."""
    if instruction.name in GATHERS:
        return [instruction.src[GATHERS[instruction.name]].index]
    if instruction.variant == "dpp" and not _within_rows(_dpp_table(instruction, 64)):
        operand = instruction.src[0]
        return list(range(operand.index, operand.index + operand.count))
    return []


def _row(chunk: Chunk, r: int) -> str:
    """Pointer to the whole register's 64 lanes, or to the copy made when the run itself overwrites it."""
    return "%spare" if r in chunk.run.copied else chunk.b.offset("%vgprs", r * VGPR_BYTES)


def _gather_row(chunk: Chunk, r: int, source: Value) -> Value:
    """Element ``source`` (i32 a lane, in range) of register ``r``."""
    b = chunk.b
    pointers = b.let(f"getelementptr i32, ptr {_row(chunk, r)}, <{CHUNK} x i32> {source.data}")
    return b.lanes("i32", b.gather("i32", pointers, 4, "splat (i1 true)"))


def _enabled(chunk: Chunk, source: Value) -> Value:
    """Whether EXEC enables lane ``source``."""
    b = chunk.b
    bits = chunk.run.execute >> source.zext("i64")
    return b.lanes("i1", b.let(f"trunc <{CHUNK} x i64> {bits.data} to <{CHUNK} x i1>"))


def lane_table(chunk: Chunk, values: list[int], type: str = "i32") -> Value:
    """The chunk's part of a constant with one element a lane."""
    b = chunk.b
    if values == values[:CHUNK] * (len(values) // CHUNK):
        return b.lanes(type, "<" + ", ".join(f"{type} {v}" for v in values[:CHUNK]) + ">")
    name = b.table(type, values)
    pointer = b.let(f"getelementptr {type}, ptr {name}, i64 {chunk.first}")
    return b.load(type, pointer, BITS[type] // 8, uniform=False)


def gather(chunk: Chunk, item: Item) -> None:
    """ds_bpermute_b32 and ds_swizzle_b32: what EXEC disables is read as 0 (CDNA3 ISA, "Data Share")."""
    instruction = item.instruction
    wave = chunk.run_wave
    if instruction.name in PERMLANES:
        _permlane(chunk, item)
        return
    if instruction.name == "v_permlane64_b32":
        if wave == 64:  # whatever EXEC says of the source lane; nothing in wave32 (RDNA3 ISA)
            source = lane_table(chunk, [lane ^ 32 for lane in range(wave)])
            chunk.write(instruction.dst[0], _gather_row(chunk, instruction.src[0].index, source))
        return
    if instruction.name == "ds_swizzle_b32":
        offset = instruction.fields["offset"]
        source = lane_table(chunk, tables.swizzle_source(offset)[:wave])
    else:
        address = chunk.read(instruction.src[0], item.captured[0])
        assert isinstance(address, Value)
        source = ((address + instruction.fields.get("offset", 0)) >> 2) & (wave - 1)
        source = chunk.b.lanes("i32", chunk.b.splat(source))
    value = _gather_row(chunk, instruction.src[GATHERS[instruction.name]].index, source)
    if chunk.mask is not None and instruction.name != "ds_bpermute_fi_b32":  # that one reads all lanes
        value = _enabled(chunk, source).select(value, 0)
    chunk.write(instruction.dst[0], value)


def _permlane(chunk: Chunk, item: Item) -> None:
    """v_permlane16 and v_permlanex16: four bits of two scalars, or of the lane's own, name its source.

    It lies in the lane's own row of 16 or in the other one of the pair. op_sel bit 0 lets disabled lanes be
    read, bit 1 gives 0 for them; else such lanes keep their old value (RDNA3 ISA, "V_PERMLANE16_B32").
    """
    b, instruction = chunk.b, item.instruction
    lane = chunk.lane_id()
    if "_var_" in instruction.name:
        chosen = chunk.raw(instruction.src[1], item.captured[1]) & 15
    else:
        low, high = (chunk.raw(o, c) for o, c in zip(instruction.src[1:3], item.captured[1:3], strict=True))
        select = low.zext("i64") | (high.zext("i64") << 32)
        chosen = (select >> ((lane & 15) << 2).zext("i64")).trunc("i32") & 15
    source = chosen | ((lane & ~15) ^ PERMLANES[instruction.name])
    source = b.lanes("i32", b.splat(source))
    value = _gather_row(chunk, instruction.src[0].index, source)
    options = instruction.fields.get("op_sel", 0)
    if chunk.mask is not None and not options & 1:
        enabled = _enabled(chunk, source)
        value = enabled.select(value, 0 if options & 2 else chunk.register(instruction.dst[0].index))
    chunk.write(instruction.dst[0], value)


def _moved(chunk: Chunk, register: int, table: list[int | None]) -> tuple[Value, Value | None]:
    """The register's lanes as the table orders them, and which of these sources EXEC enables (None: all)."""
    b, indices = chunk.b, [s or 0 for s in table]
    if not _within_rows(table):
        source = lane_table(chunk, indices)
        value = _gather_row(chunk, register, source)
        return value, None if chunk.mask is None else _enabled(chunk, source)
    order = [i % CHUNK for i in indices[:CHUNK]]
    value = b.lanes("i32", b.shuffle(f"<{CHUNK} x i32>", b.splat(chunk.register(register)), order))
    if chunk.mask is None:
        return value, None
    return value, b.lanes("i1", b.shuffle(f"<{CHUNK} x i1>", chunk.mask.data, order))


def _both(a: Value | None, b: Value) -> Value:
    """The lanes that both masks have; None has all."""
    return b if a is None else a & b


def dpp_source(chunk: Chunk, instruction: Instruction, operand: Operand) -> tuple[Value, Value | None]:
    """Source 0's register (i32) as DPP permutes it, and which lanes the instruction may write (None: all).

    A lane whose source is outside its row or disabled is not written, or reads 0 if BOUND_CTRL is set;
    ROW_MASK and BANK_MASK forbid writes (CDNA3 ISA, "Data Parallel Processing"). FI makes disabled lanes
    readable; DPP8 always reads 0 for those that are not (RDNA3 ISA, "DPP8").
    """
    fields = instruction.fields
    table = _dpp_table(instruction, chunk.run_wave)
    value, valid = _moved(chunk, operand.index, table)
    if fields.get("fi", 0):
        valid = None
    if None in table:
        valid = _both(valid, lane_table(chunk, [int(s is not None) for s in table], "i8").trunc("i1"))
    writable: Value | None = None
    if valid is not None:
        if fields.get("bound_ctrl", 0) or instruction.variant == "dpp8":
            value = valid.select(value, 0)
        else:
            writable = valid
    rows, banks = fields.get("row_mask", 15), fields.get("bank_mask", 15)
    if rows != 15 or banks != 15:
        allowed = [rows >> (lane // 16) & banks >> (lane % 16 // 4) & 1 for lane in range(chunk.run_wave)]
        writable = _both(writable, lane_table(chunk, allowed, "i8").trunc("i1"))
    return value, writable


# -- SDWA (CDNA3 ISA, "Sub-Dword Addressing")
_SELECT = {0: (0, 8), 1: (8, 8), 2: (16, 8), 3: (24, 8), 4: (0, 16), 5: (16, 16), 6: (0, 32)}  # shift, bits


def sdwa_source(
    chunk: Chunk, instruction: Instruction, position: int, operand: Operand, value: Value
) -> Value:
    """The byte or word that SRC0_SEL/SRC1_SEL names, extended to the operand's type."""
    shift, bits = _SELECT[instruction.fields.get(f"src{position}_sel", 6)]
    signed = instruction.fields.get(f"src{position}_sext", 0)
    if bits == 32:
        return value
    raw = chunk.register(operand.index) if operand.kind in "va" else value.int_bits()
    part = (raw >> shift if shift else raw).trunc(f"i{bits}")
    width = f"i{value.bits}"
    part = part if part.bits == value.bits else part.sext(width) if signed else part.zext(width)
    return part.bitcast(value.type)


def sdwa_result(chunk: Chunk, instruction: Instruction, operand: Operand, value: Value) -> Value:
    """Place the result as DST_SEL says; DST_UNUSED: 0 pad with zeros, 1 sign-extend, 2 keep the rest."""
    shift, bits = _SELECT[instruction.fields.get("dst_sel", 6)]
    raw = value.int_bits()
    if bits == 32:
        return value
    part = raw.trunc(f"i{bits}") if raw.bits > bits else raw
    unused = instruction.fields.get("dst_unused", 0)
    wide = part.sext("i32") if unused == 1 else part.zext("i32")
    wide = wide << shift if shift else wide
    if unused == 2:
        keep = 0xFFFFFFFF ^ (((1 << bits) - 1) << shift)
        wide = wide | (chunk.register(operand.index) & keep)
    return wide
