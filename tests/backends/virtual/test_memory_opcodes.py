"""Every load, store and atomic: translated code and the reference interpreter move the same bytes."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from anyhip.backends.virtual import translate
from anyhip.backends.virtual.interpreter_memory import HostMemory
from anyhip.backends.virtual.interpreter_state import Group
from anyhip.backends.virtual.layout import SHARED_APERTURE
from anyhip.backends.virtual.semantics.memory import MemoryOp, find
from anyhip.isa import opcodes
from anyhip.isa.decode import Instruction
from anyhip.isa.generations import GENERATIONS
from anyhip.isa.opcodes import Opcode
from anyhip.target import Target
from isa import assembler
from support.machine import Native, State, compile_program, interpret, program

FORMATS = ("DS", "FLAT", "GLOBAL", "SCRATCH")
TARGETS = {name: Target.parse(name) for name in ("gfx942", "gfx1030", "gfx1100", "gfx1201")}
NO_SADDR = {"gfx9": 0x7F, "gfx10": 0x7F, "gfx11": 0x7C, "gfx12": 0x7C}
ADDRESS, DATA, SECOND, RESULT, BASE = 2, 8, 16, 24, 10  # v2:3, v8.., v16.., v24.., s10:11
BYTES = 32768
EXECS = ((1 << 64) - 1, 0x0F0F_3355_3355_FFFE)
PATTERNS = ("consecutive", "equal", "spread", "backwards")


def rows_of(name: str) -> list[Opcode]:
    return [
        row
        for row in opcodes.load(name)
        if row.format in FORMATS
        and find(row.meaning) is not None
        and row.klass != "lane"
        and "lds_" not in row.name
    ]


ROWS = {name: rows_of(name) for name in TARGETS}


def encode(row: Opcode, memory: MemoryOp, use_saddr: bool, result: int = RESULT) -> tuple[int, int]:
    family = GENERATIONS[row.generation].family
    values = {
        "addr": ADDRESS,
        "vaddr": ADDRESS,
        "data0": DATA,
        "vdata": DATA,
        "data1": SECOND,
        "vdst": result,
    }
    fields = {name: values[name] for name, _ in (*row.dst, *row.src) if name in values}
    if row.format == "DS":
        return assembler.encode(
            row, **fields, **({"offset0": 1, "offset1": 3} if memory.strides else {"offset": 16})
        ), 8
    fields["offset"] = 16
    if row.format != "FLAT" or family != "gfx9":
        fields["saddr"] = BASE if use_saddr and row.format != "FLAT" else NO_SADDR[family]
    if row.format == "SCRATCH" and family != "gfx10":
        fields |= {"raw": 1 << 13} if family == "gfx9" else {"sve": 1}  # the VGPR address counts
    if memory.kind == "atomic":  # return the old value
        fields |= {"gfx9": {"sc0": 1}, "gfx12": {"th": 1}}.get(family, {"glc": 1})
    return assembler.encode(row, **fields), assembler.size(row)


def addresses(pattern: str, size: int, rng: np.random.Generator) -> np.ndarray:
    lanes = np.arange(64)
    order = {
        "consecutive": lanes,
        "equal": np.full(64, 5),
        "spread": rng.integers(0, 200, 64),
        "backwards": 63 - lanes,
    }[pattern]
    return order * size


def set_addresses(state: State, row: Opcode, places: np.ndarray, base: int, use_saddr: bool) -> None:
    whole = places.astype(np.uint64)
    if row.format == "FLAT" or (row.format == "GLOBAL" and not use_saddr):
        whole = whole + np.uint64(base)
    elif use_saddr:
        start = base if row.format == "GLOBAL" else 64
        state.sgpr[BASE], state.sgpr[BASE + 1] = start & 0xFFFFFFFF, start >> 32
    state.vgpr[ADDRESS] = (whole & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    state.vgpr[ADDRESS + 1] = (whole >> np.uint64(32)).astype(np.uint32)


def columns(native: Native, size: int) -> list[bytearray]:
    """The interleaved private memory of a translated wave, lane by lane."""
    rows = native.scratch[: size * 64].view(np.uint32).reshape(-1, 64)
    return [bytearray(rows[:, lane].tobytes()) for lane in range(64)]


def outcome(
    native: Native,
    number: int,
    instruction: Instruction,
    state: State,
    buffer: np.ndarray,
    before: np.ndarray,
    wave_size: int = 64,
) -> tuple[list[object], list[object]]:
    """Registers and memory after either has run the instruction."""
    buffer[:], native.lds[:BYTES], native.scratch[:BYTES] = before, before, before
    private = columns(native, BYTES // 64)
    made = native.step(state, number)
    results = [made.vgpr, made.sgpr, buffer.copy(), native.lds[:BYTES].copy(), columns(native, BYTES // 64)]
    buffer[:] = before
    group = Group(HostMemory(), bytearray(before.tobytes() + bytes(65536 - BYTES)), 0)
    wanted = interpret(instruction, state, group, private, wave_size)
    lds = np.frombuffer(bytes(group.lds[:BYTES]), np.uint8)
    return results, [wanted.vgpr, wanted.sgpr, buffer.copy(), lds, private]


@pytest.mark.parametrize("called", [False, True], ids=["inlined", "called"])
@pytest.mark.parametrize("use_saddr", [False, True], ids=["vaddr", "saddr"])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("target", TARGETS)
def test_memory(
    target: str,
    format: str,
    use_saddr: bool,
    called: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(translate, "FEW_ACCESSES", 0 if called else 10_000)
    rows = [
        (row, memory)
        for row in ROWS[target]
        if row.format == format and (memory := find(row.meaning)) is not None
    ]
    code, instructions = program([encode(row, memory, use_saddr) for row, memory in rows], TARGETS[target])
    scratch = format == "SCRATCH"
    library = compile_program(code, tmp_path, not called, scratch, TARGETS[target])
    native, wave_size = Native(library), TARGETS[target].wave_size
    rng = np.random.default_rng(7)
    buffer = np.zeros(BYTES, np.uint8)
    for number, ((row, memory), instruction) in enumerate(zip(rows, instructions, strict=True)):
        size = memory.bits // 8 * memory.units
        for pattern in PATTERNS:
            for execute in EXECS:
                state = State(random.Random(number), execute, wave_size)
                before = rng.integers(0, 256, BYTES, np.uint8)
                # no NaNs: which one a sum gives is the host's choice
                if memory.atomic.endswith(("f32", "f64", "f16")) or memory.atomic.startswith("f"):
                    before &= 0x3F
                    state.vgpr[DATA : DATA + 2] &= 0x3F3F3F3F
                places = addresses(pattern, size, rng)
                if memory.strides:  # the two accesses of a lane must not meet those of another
                    places = places % memory.strides[0] if "64" in row.meaning.split("_")[1] else places * 4
                elif format == "SCRATCH":
                    places = places % (16 * size)
                set_addresses(state, row, places, buffer.ctypes.data, use_saddr)
                made, wanted = outcome(native, number, instruction, state, buffer, before, wave_size)
                for name, a, b in zip(
                    ("VGPRs", "SGPRs", "memory", "LDS", "private memory"), made, wanted, strict=True
                ):
                    np.testing.assert_array_equal(
                        a, b, f"{name} after {row.name}, {pattern} lanes, EXEC {execute:#x}"
                    )


@pytest.mark.parametrize("called", [False, True], ids=["inlined", "called"])
@pytest.mark.parametrize("result", [ADDRESS, ADDRESS - 2, DATA], ids=["address", "around", "data"])
@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_results_may_replace_addresses_and_data(
    target: str, result: int, called: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translate, "FEW_ACCESSES", 0 if called else 10_000)
    rows = [
        (row, memory)
        for row in ROWS[target]
        if row.format in ("DS", "GLOBAL") and row.dst and (memory := find(row.meaning)) is not None
    ]
    encoded = [encode(row, memory, False, result) for row, memory in rows]
    code, instructions = program(encoded, TARGETS[target])
    native = Native(compile_program(code, tmp_path, target=TARGETS[target]))
    rng = np.random.default_rng(8)
    buffer = np.zeros(BYTES, np.uint8)
    for number, ((row, memory), instruction) in enumerate(zip(rows, instructions, strict=True)):
        state = State(random.Random(number), EXECS[1], TARGETS[target].wave_size)
        # no NaNs: which one a sum gives is the host's choice
        before = rng.integers(0, 0x3F, BYTES, np.uint8)
        state.vgpr[DATA : DATA + 4] &= 0x3F3F3F3F
        places = rng.permutation(64) * 16 if memory.strides else rng.permutation(64) * 64
        set_addresses(state, row, places, buffer.ctypes.data, False)
        made, wanted = outcome(native, number, instruction, state, buffer, before, TARGETS[target].wave_size)
        for name, a, b in zip(("VGPRs", "SGPRs", "memory", "LDS", "-"), made, wanted, strict=True):
            np.testing.assert_array_equal(a, b, f"{name} after {row.name} {instruction}")


def test_flat_addresses_reach_lds(tmp_path: Path) -> None:
    rows = [
        (row, find(row.name))
        for row in ROWS["gfx942"]
        if row.name in ("flat_load_dword", "flat_store_dwordx2", "flat_atomic_add")
    ]
    code, instructions = program([encode(row, memory, False) for row, memory in rows if memory])
    native = Native(compile_program(code, tmp_path))
    buffer, before = np.zeros(BYTES, np.uint8), np.arange(BYTES, dtype=np.uint8)
    for number, instruction in enumerate(instructions):
        state = State(random.Random(number), EXECS[1])
        set_addresses(state, rows[number][0], np.arange(64) * 12, SHARED_APERTURE << 32, False)
        made, wanted = outcome(native, number, instruction, state, buffer, before)
        for a, b in zip(made, wanted, strict=True):
            np.testing.assert_array_equal(a, b, instruction.name)
