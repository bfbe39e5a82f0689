"""Emitting one chunk of lanes of a run: operands in, semantics, results out.

Inside a chunk, registers written by earlier instructions of the run are SSA values; the others are loaded
from the wave's VGPR file. Lanes that EXEC disables hold garbage in those SSA values: nothing may look at them
(the stores at the end of the run, memory accesses and lane masks are all guarded by the chunk's mask).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyhip.backends.virtual import lanes, vector_memory
from anyhip.backends.virtual.addresses import ADDRESS_ARITHMETIC
from anyhip.backends.virtual.chunk_registers import ChunkRegisters
from anyhip.backends.virtual.deferred import Kept
from anyhip.backends.virtual.llvm_builder import CHUNK, LlvmBuilder
from anyhip.backends.virtual.semantics import CLAMPED, MIXED, PACKED, SEMANTICS
from anyhip.backends.virtual.semantics.arithmetic import evaluate
from anyhip.backends.virtual.semantics.modifiers import (
    PRESERVES_HIGH_HALF,
    apply_output_modifiers,
    apply_source_modifiers,
)
from anyhip.backends.virtual.value import BITS, FLOATS, Value, element_type

if TYPE_CHECKING:
    from anyhip.backends.virtual.run import Item, Run
    from anyhip.isa.decode import Instruction, Operand

__all__ = ["Chunk", "supported"]

PACKED_ELEMENT = {"pk_f16": "half", "pk_bf16": "bfloat", "pk_f32": "float", "pk_b32": "i32"}
Result = tuple["Value | tuple[Value, ...]", "Value | None"]
WITH_OP_SEL = {"VOP1", "VOP2", "VOPC", "VOP3"}
ZEROES_HIGH_HALF = {"gfx90a", "gfx942", "gfx950"}  # generations whose 16-bit results clear bits 31:16
REAL_OF = {"i16": "half", "i32": "float", "i64": "double"}


def supported(instruction: Instruction) -> bool:
    """The instruction has a meaning that a chunk can execute."""
    name = instruction.name
    if instruction.parts:
        return all(part.name in SEMANTICS for part in instruction.parts)
    if instruction.variant in lanes.DPP and instruction.src[0].count != 1:
        return False
    return name in SEMANTICS or name in PACKED or name in MIXED or name in lanes.GATHERS


class Chunk(ChunkRegisters):
    """The state of one chunk while its code is emitted.

    Args:
        first: text (i64) of the number of the chunk's first lane.
        wave_size: lanes a wave.
        mask: enabled lanes as i1 a lane, or None when all are.
    """

    def __init__(self, b: LlvmBuilder, run: Run, first: str, mask: Value | None, wave_size: int) -> None:
        super().__init__(b, run, first, mask)
        self.run_wave = wave_size
        self.deferring = False  # stores wait for the other chunks' loads
        self.kept: list[Kept] = []
        self.masks: dict[int, Value] = {}  # i1 by SGPR number
        self.scalar_masks: dict[str, Value] = {}  # parts of captured masks, by the scalar's text

    @staticmethod
    def element(operand: Operand) -> str:
        """LLVM's type of one lane of the operand."""
        return element_type(operand.type)

    # -- lane masks
    def bits_of(self, mask: Value) -> str:
        """A lane mask as an i16."""
        return self.b.let(f"bitcast <{CHUNK} x i1> {self.b.splat(mask)} to i{CHUNK}")

    def lanes_of(self, scalar: Value) -> Value:
        """The part that the chunk sees of a 64-bit lane mask."""
        shifted = self.b.let(f"lshr i64 {scalar.data}, {self.first}")
        part = self.b.let(f"trunc i64 {shifted} to i{CHUNK}")
        return self.b.lanes("i1", self.b.let(f"bitcast i{CHUNK} {part} to <{CHUNK} x i1>"))

    def active(self, value: Value) -> Value:
        """A lane mask without the lanes that EXEC disables."""
        return value if self.mask is None else value & self.mask

    def table(self, values: list[int]) -> Value:
        """The chunk's part of a constant with one i32 a lane of the wave."""
        return lanes.lane_table(self, values)

    # -- operands
    def read(self, operand: Operand, captured: Value | None) -> Value | tuple[Value, ...]:
        """The operand's value in its row type; scalar registers were captured when the run was queued."""
        if operand.type == "mask":
            if captured is None:
                return self.masks[operand.index]
            known = self.scalar_masks.get(captured.data)
            if known is None:
                known = self.scalar_masks[captured.data] = self.lanes_of(captured)
            return known
        kind = element_type(operand.type)
        if operand.kind == "const" and captured is not None:
            return captured
        if captured is None and (operand.count > 2 or (operand.count == 2 and BITS[kind] < 64)):
            return tuple(self.register(operand.index + i) for i in range(operand.count))
        raw = self.raw(operand, captured)
        if BITS[kind] < raw.bits:
            raw = raw.trunc(f"i{BITS[kind]}") if operand.count == 1 else raw
        return raw.bitcast(kind) if BITS[kind] == raw.bits else raw

    def raw(self, operand: Operand, captured: Value | None) -> Value:
        """One or two dwords of an operand, as an integer."""
        if captured is not None:
            return captured.int_bits()
        return self.register(operand.index) if operand.count == 1 else self.pair(operand.index)

    def write(self, operand: Operand, value: Value | tuple[Value, ...], half: int | None = None) -> None:
        """Assign a VGPR operand or a lane mask.

        Args:
            half: of 16-bit results: the half (0 low, 1 high) to write alone; None writes zeros to the other.
        """
        if operand.kind == "s":
            assert isinstance(value, Value)
            self.masks[operand.index] = value
            return
        if isinstance(value, tuple):
            for i, part in enumerate(value):
                self.set_register(operand.index + i, part.bitcast("i32"))
            return
        raw = value.int_bits()
        if raw.bits == 64:
            self.set_pair(operand.index, raw)
        elif raw.bits == 32 or half is None:
            self.set_register(operand.index, raw.zext("i32"))
        else:  # a 16-bit result that leaves the other half of the register as it is
            old = self.register(operand.index)
            placed = raw.zext("i32") << 16 if half else raw.zext("i32")
            self.set_register(operand.index, placed | (old & (0xFFFF if half else 0xFFFF0000)))

    # -- instructions
    def execute(self, item: Item) -> None:
        """Emit one queued instruction for the chunk's lanes."""
        instruction = item.instruction
        self.b.lane_id = self.lane_id  # type: ignore[method-assign]  # semantics ask the builder for it
        self.b.mode = item.mode
        if item.memory is not None:
            self.b.at(instruction.pc)
            self.deferring = item.deferred
            vector_memory.access(self, item)
            self.b.at(None)
        elif instruction.parts:
            self._dual(item)
        elif instruction.name in lanes.GATHERS:
            lanes.gather(self, item)
        elif instruction.name in PACKED:
            self._packed(item)
        elif instruction.name in MIXED:
            self._mixed(item)
        elif instruction.name in ADDRESS_ARITHMETIC:
            self.forms.before(item)
            self._plain(item)
            self.forms.note(item)
        else:
            self._plain(item)

    def _mixed(self, item: Item) -> None:
        """An instruction that looks at its own modifiers; DPP still is ours."""
        instruction = item.instruction
        sources = self._raw_sources(item)
        write_enable: Value | None = None
        if instruction.variant in lanes.DPP:
            sources[0], write_enable = lanes.dpp_source(self, instruction, instruction.src[0])
        self._commit(instruction, MIXED[instruction.name](self.b, instruction, sources), write_enable)

    def _raw_sources(self, item: Item) -> list[Value | tuple[Value, ...]]:
        """Sources of an instruction that looks at its own modifiers: dwords as i32."""
        return [
            self.read(operand, captured)
            if operand.type == "mask" or operand.count != 1
            else self.raw(operand, captured)
            for operand, captured in zip(item.instruction.src, item.captured, strict=True)
        ]

    def _plain(self, item: Item) -> None:
        self._commit(item.instruction, *self._compute(item.instruction, item.captured))

    def _dual(self, item: Item) -> None:
        """Two instructions in one: both read before either writes (RDNA3 ISA, "Dual Issue VALU")."""
        rest = item.captured
        results = []
        for part in item.instruction.parts:
            results.append(self._compute(part, rest[: len(part.src)]))
            rest = rest[len(part.src) :]
        for part, result in zip(item.instruction.parts, results, strict=True):
            self._commit(part, *result)

    def _compute(self, instruction: Instruction, captured_sources: list[Value | None]) -> Result:
        """An instruction's results, modifiers applied, and the lanes that DPP lets it write (None: all)."""
        fields = instruction.fields
        sources: list[Value | tuple[Value, ...]] = []
        write_enable: Value | None = None
        for position, (operand, captured) in enumerate(zip(instruction.src, captured_sources, strict=True)):
            value: Value | tuple[Value, ...]
            if position == 0 and instruction.variant in lanes.DPP:
                moved, write_enable = lanes.dpp_source(self, instruction, operand)
                value = self._typed(moved, operand, upper=bool(fields.get("op_sel", 0) & 1))
            else:
                value = self.read(operand, captured)
                if isinstance(value, Value) and operand.type != "mask":
                    value = self._select_part(instruction, position, operand, captured, value)
            if isinstance(value, Value) and operand.type != "mask":
                neg, absolute = fields.get("neg", 0) >> position & 1, fields.get("abs", 0) >> position & 1
                if neg or absolute:
                    real = value.bitcast(
                        REAL_OF.get(value.type, value.type)
                    )  # v_cndmask_b32 negates raw bits too
                    value = apply_source_modifiers(self.b, real, bool(neg), bool(absolute)).bitcast(
                        value.type
                    )
            sources.append(value)
        clamp, omod = fields.get("clamp", 0), fields.get("omod", 0)
        function = SEMANTICS[instruction.name]
        if clamp and instruction.name in CLAMPED:
            function, clamp = CLAMPED[instruction.name], 0
        result = evaluate(self.b, instruction.name, function, sources)
        if clamp or omod:
            first = result[0] if isinstance(result, tuple) else result
            first = apply_output_modifiers(self.b, first, bool(clamp), omod)
            result = (first, *result[1:]) if isinstance(result, tuple) else first
        return result, write_enable

    def _typed(self, raw: Value, operand: Operand, upper: bool) -> Value:
        """A register's dword as the operand's type; of 16-bit types its upper or lower half."""
        kind = self.element(operand)
        if BITS[kind] == 16 and upper:
            raw = raw >> 16
        return (raw if BITS[kind] == 32 else raw.trunc(f"i{BITS[kind]}")).bitcast(kind)

    def _select_part(
        self, instruction: Instruction, position: int, operand: Operand, captured: Value | None, value: Value
    ) -> Value:
        """SDWA's sub-dword selection and VOP3's op_sel on 16-bit operands."""
        fields = instruction.fields
        if position == 0 and "byte_src" in instruction.opcode.flags and fields.get("byte_sel", 0):
            return self.raw(operand, captured) >> 8 * fields["byte_sel"]
        if instruction.variant == "sdwa" and position < 2:
            return lanes.sdwa_source(self, instruction, position, operand, value)
        format = instruction.format
        # In short formats an old destination has its half from the destination's bit.
        bit = 3 if format != "VOP3" and instruction.opcode.src[position][0] == "vdst" else position
        selected = format in WITH_OP_SEL and fields.get("op_sel", 0) >> bit & 1
        if BITS[value.type] == 16 and operand.kind != "const" and selected:
            return (self.raw(operand, captured) >> 16).trunc("i16").bitcast(value.type)
        return value

    def _packed(self, item: Item) -> None:
        """A packed instruction: its meaning on the low elements, then on the high ones."""
        instruction = item.instruction
        clamp = bool(instruction.fields.get("clamp", 0))
        function = PACKED[instruction.name]
        if clamp and instruction.name in CLAMPED:
            function = CLAMPED[instruction.name]
        kind = PACKED_ELEMENT.get(instruction.dst[0].type, "i16")
        parts = []
        for high in (0, 1):
            sources = self._packed_half(item, high, kind)
            result = evaluate(self.b, instruction.name, function, sources)
            parts.append(apply_output_modifiers(self.b, result, clamp, 0).int_bits())
        register = instruction.dst[0].index
        if BITS[kind] == 32:
            self.set_register(register, parts[0])
            self.set_register(register + 1, parts[1])
        else:
            self.set_register(register, parts[0].zext("i32") | (parts[1].zext("i32") << 16))

    def _packed_half(self, item: Item, high: int, kind: str) -> list[Value | tuple[Value, ...]]:
        """The sources of the low or high element of a packed instruction, modifiers applied."""
        fields = item.instruction.fields
        select = fields.get("op_sel_hi" if high else "op_sel", 0)
        if item.instruction.variant == "e32":  # VOP2 has no modifiers: low from low, high from high
            select = -high
        negate = fields.get("neg_hi" if high else "neg", 0)
        out: list[Value | tuple[Value, ...]] = []
        for position, (operand, captured) in enumerate(zip(item.instruction.src, item.captured, strict=True)):
            upper = select >> position & 1
            if BITS[kind] == 32:
                value = self._packed_dword(operand, captured, upper).bitcast(kind)
            else:
                raw = self.raw(operand, captured)
                value = (raw >> 16 if upper else raw).trunc("i16").bitcast(kind)
            if negate >> position & 1 and kind in FLOATS:
                value = -value
            out.append(value)
        return out

    def _packed_dword(self, operand: Operand, captured: Value | None, upper: int) -> Value:
        if captured is None:
            return self.register(operand.index + upper)
        raw = captured.int_bits()
        if raw.bits == 32:
            return raw
        return (raw >> 32 if upper else raw).trunc("i32")

    @staticmethod
    def _result_half(instruction: Instruction, position: int) -> int | None:
        """The half of the register that a 16-bit result goes to, keeping the other; None: it clears that."""
        swapped = position == 1 and instruction.name == "v_swap_b16"  # to the half that source 0 came from
        bit = 0 if swapped else 3
        if instruction.format in WITH_OP_SEL and instruction.fields.get("op_sel", 0) >> bit & 1:
            return 1
        name, generation = instruction.name, instruction.opcode.generation
        return 0 if name in PRESERVES_HIGH_HALF or generation not in ZEROES_HIGH_HALF else None

    def _commit(
        self,
        instruction: Instruction,
        result: Value | tuple[Value, ...],
        write_enable: Value | None = None,
    ) -> None:
        results = result if isinstance(result, tuple) and len(instruction.dst) > 1 else (result,)
        if isinstance(result, tuple) and len(instruction.dst) == 1 and instruction.dst[0].type == "mask":
            results = result[-1:]  # v_cmpx of RDNA writes EXEC alone
        for position, (operand, value) in enumerate(zip(instruction.dst, results, strict=True)):
            if operand.name == "null":
                continue
            half = self._result_half(instruction, position)
            if instruction.variant == "sdwa" and operand.kind == "v":
                assert isinstance(value, Value)
                value = lanes.sdwa_result(self, instruction, operand, value)
            kept = {}
            if write_enable is not None and operand.kind == "s":
                assert isinstance(value, Value)
                value = value & write_enable  # lanes that DPP forbids to write give 0 in a lane mask
            elif write_enable is not None:
                kept = {r: self.register(r) for r in range(operand.index, operand.index + operand.count)}
            self.write(operand, value, half)
            for r, old in kept.items():  # lanes that DPP forbids to write
                assert write_enable is not None
                self.set_register(r, write_enable.select(self.registers[r], old))
