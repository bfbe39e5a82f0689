"""RDNA's buffers: translated as interpreted, and both by the ISA's rules of addresses, ranges and formats."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from anyhip.backends.virtual.interpreter_memory import HostMemory
from anyhip.backends.virtual.interpreter_state import Group
from anyhip.backends.virtual.semantics import buffer_rdna, formats
from anyhip.backends.virtual.semantics.memory import find
from anyhip.backends.virtual.semantics.scalar_memory import scalar_access
from anyhip.errors import UnsupportedInstruction
from anyhip.isa import opcodes
from anyhip.isa.decode import Instruction
from anyhip.isa.generations import GENERATIONS
from anyhip.isa.opcodes import Opcode
from anyhip.isa.registers import M0
from anyhip.target import Target
from isa import assembler
from support.machine import Native, State, compile_program, interpret, program

NAMES = ("gfx1030", "gfx1100", "gfx1201")
ADDRESS, DATA, RESOURCE, OFFSET = 2, 8, 8, 20  # v2:3, v8:11, s8:11, s20
BYTES = 32768
WAVE = 32
EXECS = ((1 << 32) - 1, 0x5533_FFFE)
STRUCTURED, INDEXED, UNCHECKED, RAW = range(4)  # the range checks
SWIZZLES = (0, 1, 3)


def rows(name: str) -> list[Opcode]:
    return [row for row in opcodes.load(name) if row.klass in ("mubuf", "mtbuf")]


def encode(row: Opcode, format: int, **fields: int) -> tuple[int, int]:
    """Index and offset in v2:3, the descriptor in s8:11, the scalar offset in s20, and an offset of 16."""
    gfx12 = row.generation == "gfx1201"
    plain = {"vaddr": ADDRESS, "vdata": DATA, "soffset": OFFSET, "offset": 16, "offen": 1, "idxen": 1}
    plain["srsrc"] = RESOURCE if gfx12 else RESOURCE // 4
    if row.format == "MTBUF":
        plain["format"] = format
    elif "rtn" in row.flags:
        plain["th" if gfx12 else "glc"] = 1
    return assembler.encode(row, **(plain | fields)), assembler.size(row)


def descriptor(
    name: str, base: int, check: int, format: int, stride: int = 32, records: int = 100, swizzle: int = 0,
    lane: bool = False,
) -> list[int]:  # fmt: skip
    """Four dwords; components in order; an index stride of 16."""
    swizzle_bits = swizzle << 30 if name != "gfx1030" else bool(swizzle) << 31
    flags = 0o7654 | format << 12 | 1 << 21 | lane << 23 | check << 28
    return [base & 0xFFFFFFFF, base >> 32 | stride << 16 | swizzle_bits, records, flags]


def formats_of(name: str, largest: int = 16) -> list[int]:
    """Formats without small floats, which have NaNs that are quieted or not."""
    known = buffer_rdna.element_formats(GENERATIONS[name].family)
    return [
        number
        for number, (data, kind) in enumerate(known)
        if 0 < formats.BYTES[data] <= largest and not (kind == formats.FLOAT and data in (6, 7))
    ]


def decoded(name: str, word: tuple[int, int]) -> Instruction:
    _, (instruction,) = program([word], Target.parse(name))
    return instruction


def find_row(name: str, meaning: str) -> Opcode:
    return next(row for row in rows(name) if row.meaning == meaning)


@pytest.mark.parametrize("name", NAMES)
def test_translation_agrees_with_the_interpreter(name: str, tmp_path: Path) -> None:
    """Every row, with each check and swizzle in turn; most lanes are in range."""
    rng, target = random.Random(4), Target.parse(name)
    cases = []
    for number, row in enumerate(rows(name)):
        memory = find("global" + row.meaning.removeprefix("buffer"))
        stores = memory is None or memory.kind != "load"
        wide = memory is None or memory.bits * memory.units > 32
        swizzle = 0 if stores and wide else SWIZZLES[number % 3]  # lanes of swizzled wide stores could meet
        cases.append((row, rng.choice(formats_of(name)), number % 4, swizzle))
    words = [encode(row, format) for row, format, _, _ in cases]
    code, instructions = program(words, target)
    native = Native(compile_program(code, tmp_path, target=target))
    memory = np.zeros(BYTES, np.uint8)
    for number, ((row, format, check, swizzle), instruction) in enumerate(
        zip(cases, instructions, strict=True)
    ):
        for execute in EXECS:
            state = State(rng, execute, WAVE)
            records = 2000 if check == RAW and not swizzle else 40
            words_of = descriptor(name, memory.ctypes.data, check, format, 32, records, swizzle)
            state.sgpr[RESOURCE : RESOURCE + 4] = words_of
            state.sgpr[OFFSET], state.sgpr[M0] = 64, 0
            state.vgpr[ADDRESS] = np.random.default_rng(number).permutation(64)
            state.vgpr[ADDRESS + 1] = (
                0 if "store" in row.flags or "atomic" in row.flags else 4 * rng.randrange(3)
            )
            state.vgpr[DATA : DATA + 4] &= 0x3F3F3F3F  # no NaNs
            before = np.frombuffer(rng.randbytes(BYTES), np.uint8) & 0x3F
            memory[:] = before
            made = native.step(state, number)
            after = memory.copy()
            memory[:] = before
            wanted = interpret(instruction, state, Group(HostMemory(), bytearray(65536), 0), wave_size=WAVE)
            what = f"{instruction.name} {instruction.fields} check {check} swizzle {swizzle}"
            np.testing.assert_array_equal(made.vgpr[:, :WAVE], wanted.vgpr[:, :WAVE], what)
            np.testing.assert_array_equal(after, memory, what)


def loaded(
    name: str, meaning: str, resource: list[int], offset: int, index: int = 0, scalar: int = 0
) -> list[int]:
    """What lane 0 gets with the instruction's 16 and these."""
    row = find_row(name, meaning)
    state = State(random.Random(1), 1, WAVE)
    state.sgpr[RESOURCE : RESOURCE + 4], state.sgpr[OFFSET] = resource, scalar
    state.vgpr[ADDRESS], state.vgpr[ADDRESS + 1] = index, offset
    instruction = decoded(name, encode(row, 0))
    after = interpret(instruction, state, wave_size=WAVE)
    return [int(x) for x in after.vgpr[DATA : DATA + instruction.dst[0].count, 0]]


@pytest.mark.parametrize("name", NAMES)
def test_ranges(name: str) -> None:
    """RDNA3 ISA, table 46; RDNA2 compares where an access begins with the stride."""
    memory = np.arange(4096, dtype=np.uint32)
    base, format = memory.ctypes.data, formats_of(name)[0]

    def quad(check: int, offset: int, index: int = 0, scalar: int = 0, **fields: int) -> list[int]:
        resource = descriptor(name, base, check, format, **fields)
        return loaded(name, "buffer_load_dwordx4", resource, offset, index, scalar)

    assert quad(STRUCTURED, 0) == [4, 5, 6, 7]
    assert quad(STRUCTURED, 8) == [6, 7, 0, 0]  # a record is 8 dwords long
    assert quad(STRUCTURED, 0, index=99) == [796, 797, 798, 799]
    assert quad(STRUCTURED, 0, index=100) == [0] * 4
    assert quad(INDEXED, 8) == [6, 7, 8, 9]
    assert quad(INDEXED, 8, index=100) == [0] * 4
    assert quad(UNCHECKED, 8, index=101) == [814, 815, 816, 817]
    assert quad(UNCHECKED, 8, records=0) == [0] * 4
    assert quad(RAW, 0, records=24) == [4, 5, 0, 0]  # bytes
    assert quad(RAW, 0, scalar=4, records=24) == [5, 0, 0, 0]
    byte = 7 if name != "gfx1030" else 8  # a dword that ends behind the record
    partly = descriptor(name, base, STRUCTURED, format, stride=16 + byte)
    assert loaded(name, "buffer_load_dword", partly, 4) == [5 if name == "gfx1030" else 0]


@pytest.mark.parametrize("name", NAMES)
def test_no_format_is_no_buffer(name: str) -> None:
    memory = np.arange(64, dtype=np.uint32) + 1
    assert loaded(name, "buffer_load_dword", descriptor(name, memory.ctypes.data, UNCHECKED, 0), 0) == [0]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("swizzle", [1, 3])
def test_swizzled_addresses(name: str, swizzle: int) -> None:
    """RDNA3 ISA, 9.4.2: elements of 4 or 16 bytes of 16 records lie together."""
    element = 16 if swizzle == 3 and name != "gfx1030" else 4
    memory = np.arange(8192, dtype=np.uint32)
    resource = descriptor(name, memory.ctypes.data, UNCHECKED, formats_of(name)[0], 64, 100, swizzle)
    for index, offset in ((0, 0), (5, 8), (19, 20)):
        within = offset + 16
        wanted = (
            (index // 16 * 64 + within // element * element) * 16 + index % 16 * element + within % element
        ) // 4
        assert loaded(name, "buffer_load_dword", resource, offset, index) == [wanted]


def test_strides_of_gfx12_are_scaled() -> None:
    memory = np.arange(8192, dtype=np.uint32)
    resource = descriptor("gfx1201", memory.ctypes.data, INDEXED, formats_of("gfx1201")[0])
    for scale, factor in enumerate((1, 4, 8, 32)):
        resource[3] = resource[3] & ~(3 << 18) | scale << 18
        assert loaded("gfx1201", "buffer_load_dword", resource, 0, index=3) == [4 + 3 * 8 * factor]


@pytest.mark.parametrize("name", NAMES)
def test_scalar_offsets_of_gfx12_are_swizzled(name: str) -> None:
    memory = np.arange(8192, dtype=np.uint32)
    resource = descriptor(name, memory.ctypes.data, UNCHECKED, formats_of(name)[0], swizzle=1)
    wanted = (16 + 4) // 4 * 16 if name == "gfx1201" else 16 // 4 * 16 + 1
    assert loaded(name, "buffer_load_dword", resource, 0, scalar=4) == [wanted]


@pytest.mark.parametrize("name", NAMES)
def test_lane_numbers_are_added(name: str) -> None:
    memory = np.arange(8192, dtype=np.uint32)
    state = State(random.Random(1), (1 << 32) - 1, WAVE)
    resource = descriptor(name, memory.ctypes.data, UNCHECKED, formats_of(name)[0], lane=True)
    state.sgpr[RESOURCE : RESOURCE + 4], state.sgpr[OFFSET] = resource, 0
    instruction = decoded(name, encode(find_row(name, "buffer_load_dword"), 0, offen=0, idxen=0))
    made = interpret(instruction, state, wave_size=WAVE).vgpr[DATA, :WAVE]
    np.testing.assert_array_equal(made, 4 + 8 * np.arange(WAVE))


@pytest.mark.parametrize(
    ("name", "format", "raw", "expected"),
    [
        ("gfx1030", 56, 0x80FF0033, [0.2, 0.0, 1.0, 128 / 255]),  # 8_8_8_8_UNORM
        ("gfx1100", 42, 0x80FF0033, [0.2, 0.0, 1.0, 128 / 255]),
        ("gfx1201", 24, 0x80007FFF, [1.0, -1.0, 0, 0]),  # 16_16_SNORM
        ("gfx1100", 38, 3 << 30 | 5 << 20 | 6 << 10 | 7, [7.0, 6.0, 5.0, 3.0]),  # 2_10_10_10_USCALED
    ],
)  # fmt: skip
def test_formats(name: str, format: int, raw: int, expected: list[float]) -> None:
    """By an instruction of its own format, and by the descriptor's."""
    memory = np.full(64, raw, np.uint32)
    state = State(random.Random(1), 1, WAVE)
    for meaning, described in (("tbuffer_load_format_xyzw", 0), ("buffer_load_format_xyzw", format)):
        resource = descriptor(name, memory.ctypes.data, INDEXED, described)
        state.sgpr[RESOURCE : RESOURCE + 4], state.sgpr[OFFSET] = resource, 0
        state.vgpr[ADDRESS : ADDRESS + 2] = 0
        instruction = decoded(name, encode(find_row(name, meaning), format))
        made = interpret(instruction, state, wave_size=WAVE).vgpr[DATA : DATA + 4, 0]
        assert made.view(np.float32).tolist() == pytest.approx(expected, abs=1e-7)


def test_residency_is_refused() -> None:
    instruction = decoded("gfx1100", encode(find_row("gfx1100", "buffer_load_dword"), 0, tfe=1))
    with pytest.raises(UnsupportedInstruction, match="with tfe is not implemented"):
        interpret(instruction, State(random.Random(1), 1, WAVE), wave_size=WAVE)


# -- scalar memory
NARROW = [
    row
    for row in opcodes.load("gfx1201")
    if row.name.endswith(("_i8", "_u8", "_i16", "_u16")) and row.klass == "smem"
]


def test_scalar_loads_of_bytes_and_words(tmp_path: Path) -> None:
    """Extended to a dword; of a buffer what lies behind its end is 0."""
    target = Target.parse("gfx1201")
    words = [
        (assembler.encode(row, sdata=24, sbase=RESOURCE // 2, soffset=OFFSET, offset=2), 8) for row in NARROW
    ]
    assert len(words) == 8
    code, instructions = program(words, target)
    native = Native(compile_program(code, tmp_path, target=target))
    memory = np.frombuffer(bytes(range(0x7C, 0x8C)), np.uint8).copy()
    for number, instruction in enumerate(instructions):
        access = scalar_access(instruction.name)
        assert access is not None
        size = access.bits // 8
        for offset in (0, 2, 4):
            state = State(random.Random(1), 1, WAVE)
            address = memory.ctypes.data
            state.sgpr[RESOURCE : RESOURCE + 4] = [address & 0xFFFFFFFF, address >> 32, 6, 0]
            state.sgpr[OFFSET] = offset
            at = offset + 2
            wanted = (
                int.from_bytes(memory[at : at + size].tobytes(), "little", signed=access.signed) & 0xFFFFFFFF
            )
            if access.buffer and at >= 6:
                wanted = 0
            for after in (native.step(state, number), interpret(instruction, state, wave_size=WAVE)):
                assert after.sgpr[24] == wanted, (instruction.name, offset)
