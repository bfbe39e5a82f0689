"""Buffer and scalar memory: translated as interpreted, and both as the ISA's rules say."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from anyhip.backends.virtual.interpreter_memory import HostMemory
from anyhip.backends.virtual.interpreter_state import Group
from anyhip.backends.virtual.numpy_builder import NumpyBuilder
from anyhip.backends.virtual.semantics import buffer, formats
from anyhip.backends.virtual.semantics.memory import find
from anyhip.backends.virtual.semantics.scalar_memory import scalar_access
from anyhip.isa import opcodes
from anyhip.isa.decode import Instruction
from anyhip.isa.registers import M0
from support.machine import Native, State, compile_program, interpret, program

ADDRESS, DATA, RESOURCE, OFFSET = 2, 8, 8, 20  # v2:3, v8:11, s8:11, s20
BYTES = 32768
EXECS = ((1 << 64) - 1, 0x0F0F_3355_0000_FFFE)
RAW, STRUCTURED, SWIZZLED, PRIVATE = "raw", "structured", "swizzled", "private"
IDENT = {"MUBUF": 0b111000, "MTBUF": 0b111010}
ROWS = [row for row in opcodes.load("gfx942") if row.klass in ("mubuf", "mtbuf")]


def encode(row: opcodes.Opcode, kind: str, rng: random.Random, lds: bool = False) -> tuple[int, int]:
    """The row with the address operands that a buffer of this kind is used with."""
    index, offset = {RAW: (0, 1), STRUCTURED: (1, 1), SWIZZLED: (1, 1), PRIVATE: (0, 1)}[kind]
    word = IDENT[row.format] << 26 | 16 | offset << 12 | index << 13
    word |= ADDRESS << 32 | DATA << 40 | RESOURCE // 4 << 48 | OFFSET << 56
    if "atomic" in row.flags:
        word |= 1 << 14
    if row.format == "MTBUF":
        data = rng.choice(formats_of(kind))
        return word | row.number << 15 | data << 19 | number_of(rng, data) << 23, 8
    return word | row.number << 18 | lds << 16, 8


def descriptor(kind: str, base: int, data: int, number: int, selects: int = 0o7654) -> list[int]:
    """A resource of 100 records of 32 bytes, or of 3200 bytes; selects by component, x in the low bits."""
    stride = 0 if kind == RAW else 32
    records = {RAW: 3200, STRUCTURED: 100, SWIZZLED: 100, PRIVATE: 0}[kind]
    data = 0 if kind == PRIVATE else data
    flags = selects | number << 12 | data << 15 | 1 << 21 | (kind == PRIVATE) << 23
    swizzle = (kind in (SWIZZLED, PRIVATE)) << 31
    return [base & 0xFFFFFFFF, base >> 32 | stride << 16 | swizzle, records, flags]


def formats_of(kind: str) -> list[int]:
    """Formats whose elements of different lanes do not meet: swizzled buffers interleave 4 bytes of each."""
    return [i for i, size in enumerate(formats.BYTES) if size and (size <= 4 or kind in (RAW, STRUCTURED))]


def number_of(rng: random.Random, data: int) -> int:
    """A number format; small floats are left to their own test, for their NaNs are quieted or not."""
    return rng.choice(
        (0, 1, 2, 3, 4, 5) if 11 in formats.WIDTHS[data] or 10 in formats.WIDTHS[data] else (0, 1, 4, 7)
    )


def fits(row: opcodes.Opcode, kind: str) -> bool:
    memory = find("global" + row.name.removeprefix("buffer"))
    if memory is None or memory.kind == "load" or kind in (RAW, STRUCTURED):
        return True
    return memory.bits * memory.units <= 32


def prepared(rng: random.Random, kind: str, base: int, execute: int) -> State:
    """Registers with most lanes in range."""
    state = State(rng, execute)
    seed = np.random.default_rng(rng.getrandbits(32))
    data = rng.choice(formats_of(kind))
    words = descriptor(kind, base, data, number_of(rng, data))
    state.sgpr[RESOURCE : RESOURCE + 4] = words
    state.sgpr[OFFSET], state.sgpr[M0] = 64, 256
    if kind == RAW:
        state.vgpr[ADDRESS] = rng.choice((np.arange(64), seed.permutation(230)[:64])) * 16
    elif kind == PRIVATE:
        state.vgpr[ADDRESS] = 8 * rng.randrange(4)
    else:
        state.vgpr[ADDRESS] = np.arange(64) if rng.getrandbits(1) else seed.permutation(120)[:64]
        state.vgpr[ADDRESS + 1] = 8 if kind == SWIZZLED else 0
    return state


def outcomes(
    native: Native,
    number: int,
    instruction: Instruction,
    state: State,
    memory: np.ndarray,
    before: np.ndarray,
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Registers and memory after either has run the instruction."""
    memory[:], native.lds[:BYTES] = before, before
    made = native.step(state, number)
    results = [made.vgpr, made.sgpr, memory.copy(), native.lds[:BYTES].copy()]
    memory[:] = before
    group = Group(HostMemory(), bytearray(before.tobytes() + bytes(65536 - BYTES)), 0)
    wanted = interpret(instruction, state, group)
    lds = np.frombuffer(bytes(group.lds[:BYTES]), np.uint8)
    return list(zip(results, [wanted.vgpr, wanted.sgpr, memory, lds], strict=True))


@pytest.mark.parametrize("kind", [RAW, STRUCTURED, SWIZZLED, PRIVATE])
def test_buffers(kind: str, tmp_path: Path) -> None:
    rng = random.Random(len(kind))
    few = [row for row in ROWS if kind == RAW or rng.random() < 0.3]
    rows = [row for row in few if fits(row, kind)]
    words = [encode(row, kind, rng) for row in rows]
    if kind == RAW:
        loads = [row for row in rows if row.name in ("buffer_load_dword", "buffer_load_sbyte")]
        words += [encode(row, kind, rng, lds=True) for row in loads]
    code, instructions = program(words)
    native = Native(compile_program(code, tmp_path))
    memory = np.zeros(BYTES, np.uint8)
    for number, instruction in enumerate(instructions):
        for execute in EXECS:
            state = prepared(rng, kind, memory.ctypes.data, execute)
            before = np.frombuffer(rng.randbytes(BYTES), np.uint8) & 0x3F  # no NaNs: a sum's is the host's
            if "atomic" in instruction.name:
                state.vgpr[DATA : DATA + 4] &= 0x3F3F3F3F
            elif "store" in instruction.name and "d16" in instruction.name:
                state.vgpr[DATA : DATA + 4] &= 0xBFFFBFFF
            for a, b in outcomes(native, number, instruction, state, memory, before):
                what = f"{instruction.name} {instruction.fields} {state.sgpr[8:12]}"
                np.testing.assert_array_equal(a, b, what)


def interpreted(name: str, state: State, memory: np.ndarray, kind: str = RAW) -> State:
    row = next(row for row in ROWS if row.name == name)
    _, (instruction,) = program([encode(row, kind, random.Random(1))])
    return interpret(instruction, state)


def test_out_of_range_components_are_zero() -> None:
    """A raw buffer of 24 bytes: dwords at 16 (the instruction's offset) and on, as far as they exist."""
    memory = np.arange(64, dtype=np.uint32)
    state = State(random.Random(1), (1 << 64) - 1)
    words = descriptor(RAW, memory.ctypes.data, 4, 4)
    words[2] = 24
    state.sgpr[RESOURCE : RESOURCE + 4], state.sgpr[OFFSET] = words, 0
    state.vgpr[ADDRESS] = np.where(np.arange(64) == 1, 8, 0)
    after = interpreted("buffer_load_dwordx4", state, memory.view(np.uint8))
    assert after.vgpr[DATA : DATA + 4, 0].tolist() == [4, 5, 0, 0]
    assert after.vgpr[DATA : DATA + 4, 1].tolist() == [0, 0, 0, 0]
    interpreted("buffer_store_dwordx4", after, memory.view(np.uint8))
    assert memory[:8].tolist() == list(range(8))
    words[3] = 0  # no format: no buffer
    state.sgpr[RESOURCE : RESOURCE + 4] = words
    assert not interpreted("buffer_load_dword", state, memory.view(np.uint8)).vgpr[DATA].any()


def test_swizzled_addresses() -> None:
    """Stride 32, index stride 16 (CDNA3 ISA, 9.1.5.2): elements of 4 bytes of 16 records lie together."""
    memory = np.arange(4096, dtype=np.uint32)
    state = State(random.Random(1), (1 << 64) - 1)
    state.sgpr[RESOURCE : RESOURCE + 4] = descriptor(SWIZZLED, memory.ctypes.data, 4, 4)
    state.sgpr[OFFSET] = 0
    state.vgpr[ADDRESS], state.vgpr[ADDRESS + 1] = np.arange(64), 4  # 20 with the instruction's: element 5
    after = interpreted("buffer_load_dword", state, memory.view(np.uint8), SWIZZLED)
    expected = [(lane // 16 * 32 + 20) // 4 * 16 + lane % 16 for lane in range(64)]
    assert after.vgpr[DATA].tolist() == expected


@pytest.mark.parametrize(
    ("data", "number", "raw", "expected"),
    [
        (10, 0, [0x80FF0033], [0.2, 0.0, 1.0, 128 / 255]),  # 8_8_8_8 unorm
        (5, 1, [0x8000_7FFF], [1.0, -1.0, 0, 0]),  # 16_16 snorm
        (3, 3, [0xFF7F], [127.0, -1.0, 0, 0]),  # 8_8 sscaled
        (9, 2, [3 << 30 | 5 << 20 | 6 << 10 | 7], [7.0, 6.0, 5.0, 3.0]),  # 2_10_10_10 uscaled
        (12, 7, [0x4000_3C00, 0xC000_3800], [1.0, 2.0, 0.5, -2.0]),  # 16_16_16_16 float
        (6, 7, [0x3C0 | 0x400 << 11 | 0x1C0 << 22], [1.0, 2.0, 0.5, 0]),  # 10_11_11 float
    ],
)
def test_formats(data: int, number: int, raw: list[int], expected: list[float]) -> None:
    b = NumpyBuilder()
    words = [b.const("i32", word) for word in [*raw, 0, 0, 0, 0][:4]]
    values = formats.unpack(b, words, data, number)
    assert [float(v.bitcast("float").data) for v in values] == pytest.approx(expected, abs=1e-7)
    back = formats.pack(b, values, b.const("i32", data), b.const("i32", number))
    kept = 0x8001_7FFF if raw == [0x8000_7FFF] else raw[0]  # -1.0 is the larger of its two codes
    assert [int(word.data) for word in back[: len(raw)]] == [kept, *raw[1:]]


def test_integer_formats_and_halves() -> None:
    b = NumpyBuilder()
    values = formats.unpack(b, [b.const("i32", 0xFF80_0102)] * 4, 10, 5)  # 8_8_8_8 sint
    assert [int(v.data) for v in values] == [2, 1, 0xFFFFFF80, 0xFFFFFFFF]
    selects = [b.const("i32", which) for which in (1, 0, 5, 4)]
    assert [int(v.data) for v in formats.select(b, values, selects, 5)] == [1, 0, 1, 2]
    assert int(formats.to_half(b, b.const("float", 1.5).int_bits(), 7).data) == 0x3E00
    assert int(formats.from_half(b, b.const("i16", 0xFFFF), 5).data) == 0xFFFFFFFF


def test_every_row_moves_what_its_name_says() -> None:
    for row in ROWS:
        typed = "_format_" in row.name
        memory = find("global" + row.name.removeprefix("buffer"))
        assert typed == (memory is None), row.name


# -- scalar memory
SCALAR = [row for row in opcodes.load("gfx942") if row.klass == "smem" and scalar_access(row.name)]


def encode_scalar(row: opcodes.Opcode) -> tuple[int, int]:
    """Base s8 (s8:11 for buffers), data s24 and on (a copy lies in s40), immediate 8 and s20."""
    word = 0b110000 << 26 | row.number << 18 | 1 << 17 | 1 << 14 | 24 << 6 | RESOURCE // 2
    if "atomic" in row.flags:
        word |= 1 << 16
    return word | 8 << 32 | OFFSET << 57, 8


@pytest.mark.parametrize("records", [4096, 14])
def test_scalar_memory(records: int, tmp_path: Path) -> None:
    code, instructions = program([encode_scalar(row) for row in SCALAR])
    native = Native(compile_program(code, tmp_path))
    memory = np.zeros(BYTES, np.uint8)
    rng = random.Random(records)
    for number, instruction in enumerate(instructions):
        state = State(rng, 0)
        address = memory.ctypes.data
        state.sgpr[RESOURCE : RESOURCE + 4] = [address & 0xFFFFFFFF, address >> 32, records, 0]
        state.sgpr[OFFSET] = 4
        before = np.frombuffer(rng.randbytes(BYTES), np.uint8)
        for a, b in outcomes(native, number, instruction, state, memory, before):
            np.testing.assert_array_equal(a, b, instruction.name)


def test_scalar_buffers_end() -> None:
    row = next(row for row in SCALAR if row.name == "s_buffer_load_dwordx4")
    _, (instruction,) = program([encode_scalar(row)])
    memory = np.arange(16, dtype=np.uint32) + 1
    state = State(random.Random(1), 0)
    address = memory.ctypes.data
    state.sgpr[RESOURCE : RESOURCE + 4] = [address & 0xFFFFFFFF, address >> 32, 20, 0]
    state.sgpr[OFFSET] = 4  # 12 with the immediate
    assert interpret(instruction, state).sgpr[24:28].tolist() == [4, 5, 0, 0]


def test_names_of_scalar_memory() -> None:
    found = scalar_access("s_buffer_load_b256")
    assert found is not None
    assert (found.dwords, found.buffer) == (8, True)
    assert scalar_access("s_dcache_inv") is None
    assert buffer.components is not None
