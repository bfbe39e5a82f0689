"""Damage to bytes and words, all drawn from one random generator, so that a case can be made again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

from anyhip.isa import opcodes
from anyhip.isa.opcodes import Opcode
from isa import assembler

_EDGES = (0, 1, 2, 3, 7, 8, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
          0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF)  # fmt: skip


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The data with one to eight things wrong with it."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at = rng.randrange(len(out)) if out else 0
        what = rng.randrange(7)
        if what == 0:
            out[at : at + 1] = bytes([rng.getrandbits(8)])
        elif what == 1 and out:
            out[at] ^= 1 << rng.randrange(8)
        elif what == 2:  # a count, an offset or a size
            size = rng.choice((1, 2, 4, 8))
            number = rng.choice(_EDGES) if rng.random() < 0.6 else rng.randrange(2 * len(data) + 1)
            start = at // size * size
            out[start : start + size] = (number & (1 << 8 * size) - 1).to_bytes(size, "little")
        elif what == 3 and rng.random() < 0.3:
            del out[at:]
        elif what == 4:
            del out[at : at + rng.randrange(1, 17)]
        elif what == 5:
            out[at:at] = rng.randbytes(rng.randrange(1, 17))
        else:  # one place looks like another
            other, size = rng.randrange(len(out) + 1), rng.randrange(1, 65)
            out[at : at + size] = out[other : other + size]
    return bytes(out)


def headers_damaged(data: bytes, rng: random.Random) -> bytes:
    """As :func:`damaged`, in the first or the last few hundred bytes, where formats keep their tables."""
    size = min(len(data), rng.choice((64, 512, 4096)))
    if rng.random() < 0.7:
        return damaged(data[:size], rng) + data[size:]
    return data[: len(data) - size] + damaged(data[len(data) - size :], rng)


@cache
def _rows(generation: str) -> tuple[Opcode, ...]:
    """The instructions that have an encoding of their own (halves of a VOPD share one)."""
    return tuple(row for row in opcodes.load(generation) if not row.format.startswith("VOPD"))


def random_row(rows: Sequence[Opcode], rng: random.Random) -> bytes:
    """An instruction of the tables with random operands and modifiers."""
    row = rng.choice(rows)
    format = assembler.format_of(row)
    fixed = assembler.encode(row)
    width, _ = format.ident
    free = (1 << 8 * format.size) - 1
    free = assembler.put(free, 32 - width, width, 0)
    free = assembler.put_bits(free, format.opcode, 0)
    if row.format in ("FLAT", "SCRATCH", "GLOBAL"):
        free = assembler.put_bits(free, dict(format.fields)["seg"], 0)
    word = fixed | rng.getrandbits(8 * format.size) & free
    if rng.random() < 0.7:  # registers that the kernel has: high ones are one kind of damage among many
        for low in (0, 9, 17, 32, 41, 50):
            if low + 8 < 8 * format.size and free >> low & 0xFF == 0xFF and rng.random() < 0.8:
                word &= ~(0xC0 << low)
    return word.to_bytes(format.size, "little")


def instructions(generation: str, rng: random.Random, real: bytes) -> bytes:
    """Machine code: random words, random instructions, or real code with some bits wrong."""
    kind, count = rng.randrange(8), rng.choice((1, 3, 10, 40))
    if kind == 0:
        return rng.randbytes(4 * count)
    if kind < 5:
        return b"".join(random_row(_rows(generation), rng) for _ in range(count))
    words = bytearray(real)
    for _ in range(rng.choice((1, 2, 5, 20))):
        at = rng.randrange(len(words))
        words[at] ^= 1 << rng.randrange(8)
    return bytes(words)
