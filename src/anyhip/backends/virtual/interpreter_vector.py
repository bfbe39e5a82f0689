"""Vector ALU instructions in the reference interpreter: modifiers, SDWA, DPP, packed elements, and lanes
that move.
"""

from __future__ import annotations

__all__ = ["LANE_INSTRUCTIONS", "vector"]

from collections.abc import Callable
from typing import Any

import numpy as np

from anyhip.backends.virtual.interpreter_state import Source, Wave
from anyhip.backends.virtual.layout import WAVE_LANES
from anyhip.backends.virtual.semantics import CLAMPED, MIXED, PACKED, SEMANTICS
from anyhip.backends.virtual.semantics import lanes as tables
from anyhip.backends.virtual.semantics.arithmetic import evaluate
from anyhip.backends.virtual.semantics.lane_exchange import SWAPS
from anyhip.backends.virtual.semantics.modifiers import (
    PRESERVES_HIGH_HALF,
    apply_output_modifiers,
    apply_source_modifiers,
)
from anyhip.backends.virtual.value import BITS, FLOATS, Value
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction, Operand

Array = Any
_SELECTS = ("VOP1", "VOP2", "VOPC", "VOP3")  # formats whose op_sel names halves
_KEEP_HALVES = {"gfx1030", "gfx1100", "gfx1201"}  # generations whose 16-bit results keep the other half
_ELEMENT = {"pk_f16": "half", "pk_bf16": "bfloat", "pk_f32": "float", "pk_b32": "i32"}


def vector(wave: Wave, instruction: Instruction) -> None:
    """Execute a VALU instruction.

    Raises:
        UnsupportedInstruction: its meaning is not implemented.
    """
    name = instruction.name
    if instruction.parts:
        _dual(wave, instruction)
    elif name in PACKED:
        _packed(wave, instruction)
    elif name in MIXED:
        sources, enabled = _raw_sources(wave, instruction)
        _commit(wave, instruction, MIXED[name](wave.builder, instruction, sources), enabled)
    elif name in SEMANTICS:
        _plain(wave, instruction)
    else:
        raise UnsupportedInstruction(f"{name} at {instruction.pc:#x} is not implemented")


def _bit(instruction: Instruction, name: str, position: int) -> bool:
    return bool((instruction.fields.get(name, 0) >> position) & 1)


# -- plain instructions
def _plain(wave: Wave, instruction: Instruction) -> None:
    _commit(wave, instruction, *_compute(wave, instruction))


def _dual(wave: Wave, instruction: Instruction) -> None:
    """Two instructions, of which both read before either writes (RDNA3 ISA, "Dual Issue VALU")."""
    results = [_compute(wave, part) for part in instruction.parts]
    for part, (result, enabled) in zip(instruction.parts, results, strict=True):
        _commit(wave, part, result, enabled)


def _compute(wave: Wave, instruction: Instruction) -> tuple[Source, Array]:
    """The results, modifiers applied, and the lanes that they are for."""
    if instruction.name not in SEMANTICS:
        raise UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} is not implemented")
    enabled = wave.active
    sources: list[Source] = []
    for position, operand in enumerate(instruction.src):
        value = wave.source(operand, position=position)
        if isinstance(value, Value) and operand.type != "mask":
            value = _part(wave, instruction, position, operand, value)
            if position == 0 and instruction.variant in ("dpp", "dpp8"):
                value, enabled = _dpp(wave, instruction, value)
            negate, absolute = _bit(instruction, "neg", position), _bit(instruction, "abs", position)
            value = apply_source_modifiers(wave.builder, value, negate, absolute)
        sources.append(value)
    function, clamp = SEMANTICS[instruction.name], bool(instruction.fields.get("clamp", 0))
    if clamp and instruction.name in CLAMPED:
        function = CLAMPED[instruction.name]
    result = evaluate(wave.builder, instruction.name, function, sources)
    omod = instruction.fields.get("omod", 0)
    if isinstance(result, Value):
        return apply_output_modifiers(wave.builder, result, clamp, omod), enabled
    if len(instruction.dst) > 1:
        return (apply_output_modifiers(wave.builder, result[0], clamp, omod), *result[1:]), enabled
    if instruction.dst[0].type == "mask":
        return result[-1], enabled  # v_cmpx of RDNA writes EXEC alone
    return result, enabled


def _part(wave: Wave, instruction: Instruction, position: int, operand: Operand, value: Value) -> Value:
    """SDWA's byte or word of a source, or the half that op_sel, or the byte that byte_sel names."""
    if instruction.variant == "sdwa" and position < 2:
        return _sdwa_source(wave, instruction, position, operand, value)
    if position == 0 and "byte_src" in instruction.opcode.flags and "byte_sel" in instruction.fields:
        return value >> 8 * instruction.fields["byte_sel"]
    selects = instruction.format in _SELECTS and operand.kind != "const" and value.bits == 16
    if selects and _bit(instruction, "op_sel", _half_bit(instruction, position)):
        return (_register(wave, operand, position) >> 16).trunc("i16").bitcast(value.type)
    return value


def _half_bit(instruction: Instruction, position: int) -> int:
    """The bit of op_sel that names a source's half: its own, the destination's for an old destination."""
    if instruction.format != "VOP3" and instruction.opcode.src[position][0] == "vdst":
        return 3
    return position


def _register(wave: Wave, operand: Operand, position: int = 0) -> Value:
    """A one-dword operand's whole register as i32."""
    if operand.kind == "special":
        value = wave.source(operand)
        assert isinstance(value, Value)
        return value.int_bits() if value.bits == 32 else value.int_bits().zext("i32")
    if operand.kind == "s":
        return wave.builder.value("i32", wave.sgpr[operand.index])
    return wave.builder.value("i32", wave.row(operand, 0, position).copy())


def _sdwa_source(
    wave: Wave, instruction: Instruction, position: int, operand: Operand, value: Value
) -> Value:
    select = instruction.fields.get(f"src{position}_sel", 6)
    if select == 6 or operand.kind not in ("v", "s"):
        return value
    shift, bits = (8 * select, 8) if select < 4 else (16 * (select - 4), 16)
    part = (_register(wave, operand, position) >> shift).trunc(f"i{bits}")
    extended = part.sext("i32") if instruction.fields.get(f"src{position}_sext", 0) else part.zext("i32")
    return extended.trunc(f"i{value.bits}").bitcast(value.type)


def _dpp(wave: Wave, instruction: Instruction, value: Value) -> tuple[Value, Array]:
    """Source 0 moved between lanes, and the lanes that are written.

    A lane whose source is outside its row, or disabled and FI not set, is not written, or reads 0 if
    BOUND_CTRL is set (DPP8: always reads 0).
    """
    fields, active = instruction.fields, wave.active
    table: list[int | None]
    if instruction.variant == "dpp8":
        table, rows, zero = [*tables.dpp8_source(fields["dpp8"])], np.full(WAVE_LANES, 1), 1
    else:
        lane = np.arange(WAVE_LANES)
        table, zero = tables.dpp_source(fields["dpp_ctrl"]), fields.get("bound_ctrl", 0)
        rows = (fields["row_mask"] >> (lane >> 4)) & (fields["bank_mask"] >> ((lane & 15) >> 2)) & 1
    readable = np.ones(WAVE_LANES, np.bool_) if fields.get("fi", 0) else active
    valid = np.array([s is not None and bool(readable[s]) for s in table])
    moved = np.broadcast_to(value.data, WAVE_LANES)[[s or 0 for s in table]]
    enabled = active & (rows != 0)
    if zero:
        moved = np.where(valid, moved, np.zeros_like(moved))
    else:
        enabled = enabled & valid
    return wave.builder.value(value.type, moved), enabled


# -- packed and mixed
def _packed(wave: Wave, instruction: Instruction) -> None:
    function = PACKED[instruction.name]
    clamp = bool(instruction.fields.get("clamp", 0))
    if clamp and instruction.name in CLAMPED:
        function = CLAMPED[instruction.name]
    kind = _ELEMENT.get(instruction.dst[0].type, "i16")
    parts = []
    for high in (0, 1):
        sources = [_element(wave, instruction, p, o, high, kind) for p, o in enumerate(instruction.src)]
        result = evaluate(wave.builder, instruction.name, function, sources)
        parts.append(apply_output_modifiers(wave.builder, result, clamp, 0).int_bits())
    if kind in ("float", "i32"):
        _commit(wave, instruction, tuple(parts))
    else:
        _commit(wave, instruction, parts[0].zext("i32") | (parts[1].zext("i32") << 16))


def _element(
    wave: Wave, instruction: Instruction, position: int, operand: Operand, high: int, kind: str
) -> Value:
    """One source of the low or high element, chosen and negated."""
    upper = (
        high
        if instruction.variant == "e32"
        else _bit(instruction, "op_sel_hi" if high else "op_sel", position)
    )
    whole = wave.source(operand, position=position)
    if BITS[kind] == 32:
        value = whole[int(upper)] if isinstance(whole, tuple) else whole
    else:
        assert isinstance(whole, Value)
        value = (whole >> 16 if upper else whole).trunc("i16")
    value = value.bitcast(kind)
    negate = kind in FLOATS and _bit(instruction, "neg_hi" if high else "neg", position)
    return -value if negate else value


def _raw_sources(wave: Wave, instruction: Instruction) -> tuple[list[Source], Array]:
    """Sources without modifiers, 16-bit ones as their whole register, for op_sel; and the lanes to write."""
    out: list[Source] = []
    enabled = wave.active
    for position, operand in enumerate(instruction.src):
        value = wave.source(operand, position=position)
        if isinstance(value, Value) and value.bits == 16:
            constant = operand.kind == "const"
            value = value.int_bits().zext("i32") if constant else _register(wave, operand, position)
        if position == 0 and instruction.variant in ("dpp", "dpp8"):
            assert isinstance(value, Value)
            value, enabled = _dpp(wave, instruction, value)
        out.append(value)
    return out, enabled


# -- results
def _commit(wave: Wave, instruction: Instruction, result: Source, enabled: Array | None = None) -> None:
    lanes = wave.active if enabled is None else enabled
    results: tuple[Any, ...] = result if isinstance(result, tuple) and len(instruction.dst) > 1 else (result,)
    for number, (operand, value) in enumerate(zip(instruction.dst, results, strict=True)):
        if operand.name == "null":
            continue
        if operand.kind == "s" and operand.type == "mask":
            wave.write_lane_mask(operand, value, lanes)
        elif operand.kind == "s":  # v_s_*: a uniform result
            wave.write_scalar(operand, value)
        elif isinstance(value, tuple):
            for i, part in enumerate(value):
                wave.write_row(operand, i, part.int_bits().data, lanes)
        else:
            _write_vector(wave, instruction, number, value, lanes)


def _write_vector(wave: Wave, instruction: Instruction, number: int, value: Value, lanes: Array) -> None:
    """Assign destination ``number``."""
    operand = instruction.dst[number]
    raw = value.int_bits()
    if raw.bits == 64:
        wave.write_row(operand, 0, raw.trunc("i32").data, lanes)
        wave.write_row(operand, 1, (raw >> 32).trunc("i32").data, lanes)
        return
    if instruction.variant == "sdwa":
        raw = _sdwa_result(wave, instruction, operand, raw)
    elif raw.bits < 32:
        raw = _half_result(wave, instruction, number, raw)
    wave.write_row(operand, 0, raw.data, lanes)


def _half_result(wave: Wave, instruction: Instruction, number: int, raw: Value) -> Value:
    """A 16-bit result in its register: op_sel[3] names the upper half and keeps the lower."""
    old = _register(wave, instruction.dst[number])
    position = 0 if number else 3  # v_swap_b16's second destination is its source 0
    if instruction.format in _SELECTS and _bit(instruction, "op_sel", position):
        return (old & 0xFFFF) | (raw.zext("i32") << 16)
    if instruction.name in PRESERVES_HIGH_HALF or instruction.opcode.generation in _KEEP_HALVES:
        return (old & 0xFFFF0000) | raw.zext("i32")
    return raw.zext("i32")


def _sdwa_result(wave: Wave, instruction: Instruction, operand: Operand, raw: Value) -> Value:
    """The result in the byte or word that dst_sel names; dst_unused: 0 zeros, 1 sign, 2 the old bits."""
    select, unused = instruction.fields.get("dst_sel", 6), instruction.fields.get("dst_unused", 0)
    whole = raw.zext("i32")
    if select == 6:
        return whole
    shift, bits = (8 * select, 8) if select < 4 else (16 * (select - 4), 16)
    part = whole.trunc(f"i{bits}")
    if unused == 1:
        return part.sext("i32") << shift
    mask = ((1 << bits) - 1) << shift
    placed = part.zext("i32") << shift
    return (_register(wave, operand) & ~mask) | placed if unused == 2 else placed


# -- lanes that move
def _lane_number(wave: Wave, operand: Operand) -> int:
    value = wave.source(operand)
    assert isinstance(value, Value)
    return int(value.data) & (wave.wave_size - 1)


def _readlane(wave: Wave, instruction: Instruction) -> None:
    _read(wave, instruction, _lane_number(wave, instruction.src[1]))


def _readfirstlane(wave: Wave, instruction: Instruction) -> None:
    mask = wave.exec
    _read(wave, instruction, (mask & -mask).bit_length() - 1 if mask else 0)


def _read(wave: Wave, instruction: Instruction, lane: int) -> None:
    register = _register(wave, instruction.src[0]) if instruction.src[0].kind in ("v", "a", "s") else None
    value = register if register is not None else wave.source(instruction.src[0])
    assert isinstance(value, Value)
    number = int(np.broadcast_to(value.int_bits().data, WAVE_LANES)[lane])
    wave.write_scalar(instruction.dst[0], wave.builder.const("i32", number))


def _writelane(wave: Wave, instruction: Instruction) -> None:
    """Writes whatever EXEC says."""
    value = wave.source(instruction.src[0])
    assert isinstance(value, Value)
    lane = _lane_number(wave, instruction.src[1])
    wave.row(instruction.dst[0])[lane] = np.broadcast_to(value.int_bits().data, WAVE_LANES)[lane]


def _swizzle(wave: Wave, instruction: Instruction) -> None:
    _gather(
        wave, instruction, tables.swizzle_source(instruction.fields["offset"]), wave.row(instruction.src[0])
    )


def _address_lanes(wave: Wave, instruction: Instruction) -> list[int]:
    offset = instruction.fields["offset"]
    return [((int(a) + offset) >> 2) % wave.wave_size for a in wave.row(instruction.src[0])]


def _bpermute(wave: Wave, instruction: Instruction) -> None:
    _gather(wave, instruction, _address_lanes(wave, instruction), wave.row(instruction.src[1]))


def _gather(wave: Wave, instruction: Instruction, table: list[int], row: Array) -> None:
    """Every lane reads another; lanes that are off give 0."""
    active = wave.active
    moved = np.where(active[table], row[table], np.uint32(0))
    wave.write_row(instruction.dst[0], 0, moved, active)


def _permute(wave: Wave, instruction: Instruction) -> None:
    """Every lane writes another; the highest of several writers wins, lanes without one get 0."""
    active, row = wave.active, wave.row(instruction.src[1])
    moved = np.zeros(WAVE_LANES, np.uint32)
    for lane, target in enumerate(_address_lanes(wave, instruction)):
        if active[lane]:
            moved[target] = row[lane]
    wave.write_row(instruction.dst[0], 0, moved, active)


def _permlane(wave: Wave, instruction: Instruction) -> None:
    """Each lane reads the one of its row, or of the other row of the pair, that four bits name.

    op_sel[0] is FI and op_sel[1] BOUND_CTRL: what a disabled lane gives, as for DPP.
    """
    name = instruction.name
    if "_var_" in name:
        chosen = [int(x) & 15 for x in wave.row(instruction.src[1])]
    else:
        low, high = (wave.source(operand) for operand in instruction.src[1:3])
        assert isinstance(low, Value)
        assert isinstance(high, Value)
        selects = int(low.data) | int(high.data) << 32
        chosen = [selects >> 4 * (lane & 15) & 15 for lane in range(WAVE_LANES)]
    other = 16 if name.startswith("v_permlanex16") else 0
    table = [(lane & ~15 ^ other) | chosen[lane] for lane in range(WAVE_LANES)]
    active, row = wave.active, wave.row(instruction.src[0])
    valid = np.ones(WAVE_LANES, np.bool_) if _bit(instruction, "op_sel", 0) else active[table]
    enabled = active if _bit(instruction, "op_sel", 1) else active & valid
    wave.write_row(instruction.dst[0], 0, np.where(valid, row[table], np.uint32(0)), enabled)


def _permlane64(wave: Wave, instruction: Instruction) -> None:
    """Swaps the halves of a wave of 64; disabled lanes are read too. Nothing in a wave of 32."""
    if wave.wave_size == 64:
        row = wave.row(instruction.src[0]).copy()
        wave.write_row(instruction.dst[0], 0, np.roll(row, 32), wave.active)


def _bpermute_all(wave: Wave, instruction: Instruction) -> None:
    """ds_bpermute_fi_b32: disabled lanes are read too."""
    row = wave.row(instruction.src[1])
    wave.write_row(instruction.dst[0], 0, row[_address_lanes(wave, instruction)].copy(), wave.active)


def _swap_rows(wave: Wave, instruction: Instruction) -> None:
    """v_permlane16_swap_b32 and v_permlane32_swap_b32: lanes of the source and of the destination, in pairs.

    op_sel[0] lets disabled lanes be read, op_sel[1] gives 0 for them; else the other lane stays.
    """
    far, active = SWAPS[instruction.name], wave.active
    target, source = (wave.row(operand) for operand in instruction.dst)
    new, old = source.copy(), target.copy()
    low = np.array([lane for lane in range(wave.wave_size) if not lane & far])
    for row, lanes, other, others in ((source, low, old, low + far), (target, low + far, new, low)):
        readable = active[others] | _bit(instruction, "op_sel", 0)
        written = active[lanes] & (readable | _bit(instruction, "op_sel", 1))
        row[lanes] = np.where(written, np.where(readable, other[others], np.uint32(0)), row[lanes])


LANE_INSTRUCTIONS: dict[str, Callable[[Wave, Instruction], None]] = {
    "v_readlane_b32": _readlane, "v_readfirstlane_b32": _readfirstlane, "v_writelane_b32": _writelane,
    "ds_swizzle_b32": _swizzle, "ds_bpermute_b32": _bpermute, "ds_permute_b32": _permute,
    "ds_bpermute_fi_b32": _bpermute_all, **dict.fromkeys(SWAPS, _swap_rows),
    "v_permlane16_b32": _permlane, "v_permlanex16_b32": _permlane, "v_permlane64_b32": _permlane64,
    "v_permlane16_var_b32": _permlane, "v_permlanex16_var_b32": _permlane,
}  # fmt: skip
