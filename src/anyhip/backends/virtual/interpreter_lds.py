"""LDS and global instructions that are neither plain accesses nor atomics, in the reference interpreter.

Facts: see :mod:`~anyhip.backends.virtual.lds_code`, :mod:`~anyhip.backends.virtual.semantics.lane_exchange`.
"""

from __future__ import annotations

__all__ = ["LDS_INSTRUCTIONS"]

from collections.abc import Callable, Iterator

from anyhip.backends.virtual.interpreter_memory import Bounded, named_sources, place_of
from anyhip.backends.virtual.interpreter_state import Wave
from anyhip.backends.virtual.layout import WAVE_LANES
from anyhip.backends.virtual.semantics.lane_exchange import TRANSPOSES, transposed
from anyhip.backends.virtual.semantics.lds import exchange_strides
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import Instruction, Operand
from anyhip.isa.registers import M0


def _lanes(wave: Wave) -> Iterator[int]:
    return (lane for lane in range(WAVE_LANES) if wave.exec >> lane & 1)


def _base(wave: Wave, instruction: Instruction) -> int:
    return (int(wave.sgpr[M0]) & 0xFFFF) + instruction.fields["offset"]


def _by_lane(wave: Wave, instruction: Instruction) -> None:
    lds, base = Bounded(wave.group.lds), _base(wave, instruction)
    for lane in _lanes(wave):
        if instruction.dst:
            word = int.from_bytes(lds.read(base + 4 * lane, 4), "little")
            wave.row(instruction.dst[0])[lane] = word
        else:
            lds.write(base + 4 * lane, int(wave.row(instruction.src[0])[lane]).to_bytes(4, "little"))


def _count(wave: Wave, instruction: Instruction) -> None:
    lds, base = Bounded(wave.group.lds), _base(wave, instruction)
    old = int.from_bytes(lds.read(base, 4), "little")
    lanes = wave.exec.bit_count()
    new = old + lanes if instruction.name == "ds_append" else old - lanes
    lds.write(base, (new & 0xFFFFFFFF).to_bytes(4, "little"))
    for lane in _lanes(wave):
        wave.row(instruction.dst[0])[lane] = old


def _exchange(wave: Wave, instruction: Instruction) -> None:
    lds = Bounded(wave.group.lds)
    stride, bits = exchange_strides(instruction.name)
    address, *data = instruction.src
    size = bits // 8
    for lane in _lanes(wave):
        start = int(wave.row(address)[lane])
        places = [start + instruction.fields[f"offset{i}"] * stride & 0xFFFFFFFF for i in (0, 1)]
        old = [lds.read(place, size) for place in places]
        for place, operand in zip(places, data, strict=True):
            lds.write(place, _data(wave, operand, lane, size))
        whole = b"".join(old)
        for i in range(0, len(whole), 4):
            word = int.from_bytes(whole[i : i + 4], "little")
            wave.row(instruction.dst[0], i // 4)[lane] = word


def _data(wave: Wave, operand: Operand, lane: int, size: int) -> bytes:
    return b"".join(int(wave.row(operand, i)[lane]).to_bytes(4, "little") for i in range(size // 4))


def _memory_by_lane(wave: Wave, instruction: Instruction) -> None:
    operands = named_sources(instruction)
    saddr = operands["saddr"]
    base = instruction.fields["offset"] + (wave.read64(saddr.index) if saddr.name != "off" else 0)
    for lane in _lanes(wave):
        if instruction.dst:
            word = int.from_bytes(wave.group.memory.read(base + 4 * lane, 4), "little")
            wave.row(instruction.dst[0])[lane] = word
        else:
            data = int(wave.row(operands["vdata"])[lane]).to_bytes(4, "little")
            wave.group.memory.write(base + 4 * lane, data)


def _transpose(wave: Wave, instruction: Instruction) -> None:
    """Loads whose elements change lanes."""
    name = instruction.name
    if name.startswith("global") and wave.wave_size != 32:
        raise UnsupportedInstruction(f"{name} in waves of 64 at {instruction.pc:#x} is not implemented")
    bits, count, _ = TRANSPOSES[name]
    operands = named_sources(instruction)
    loaded: dict[int, int] = {}
    for lane in _lanes(wave):
        memory, address = place_of(wave, instruction, operands, lane, instruction.fields["offset"])
        loaded[lane] = int.from_bytes(memory.read(address, bits * count // 8), "little")
    for lane in _lanes(wave):
        whole = 0
        for element in range(count):
            source, number = transposed(name, lane, element)
            part = loaded.get(source, 0) >> bits * number & (1 << bits) - 1
            whole |= part << bits * element
        for i in range(bits * count // 32):
            wave.row(instruction.dst[0], i)[lane] = whole >> 32 * i & 0xFFFFFFFF


def _refused(wave: Wave, instruction: Instruction) -> None:
    raise UnsupportedInstruction(f"{instruction.name} at {instruction.pc:#x} is not implemented")


LDS_INSTRUCTIONS: dict[str, Callable[[Wave, Instruction], None]] = {
    **dict.fromkeys(("ds_read_addtid_b32", "ds_write_addtid_b32"), _by_lane),
    **dict.fromkeys(("ds_append", "ds_consume"), _count),
    **dict.fromkeys(("global_load_dword_addtid", "global_store_dword_addtid"), _memory_by_lane),
    **dict.fromkeys(TRANSPOSES, _transpose),
    **{f"ds_wrxchg2{form}_rtn_b{bits}": _exchange for form in ("", "st64") for bits in (32, 64)},
    # the global wave sync unit queues waves of all workgroups: no message to be ignored
    **{
        f"ds_gws_{name}": _refused
        for name in ("init", "barrier", "sema_v", "sema_p", "sema_br", "sema_release_all")
    },
    "s_sendmsghalt": _refused,
}
