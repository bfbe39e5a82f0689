"""What tells the generations of AMD machine code apart before an opcode is looked up.

Sources: "Scalar ALU Operands" and "Microcode Formats" of AMD's CDNA3, RDNA2, RDNA3 and RDNA4 ISA guides.
"""

from __future__ import annotations

from dataclasses import dataclass

from anyhip.errors import IsaError

__all__ = ["GENERATIONS", "Generation", "generation"]


@dataclass(frozen=True, slots=True)
class Generation:
    """One column of the opcode tables.

    Attributes:
        family: ``gfx9``, ``gfx10``, ``gfx11`` or ``gfx12``: the encodings that it shares with others.
        window: bytes of its longest instruction.
        m0, null: source numbers of M0 and of the register that reads as zero (-1: there is none).
        true16: whether 16-bit operands of vector instructions name halves of registers.
    """

    name: str
    family: str
    window: int
    m0: int
    null: int
    true16: bool


_GFX9 = ("gfx9", 8, 124, -1, False)
GENERATIONS = {
    generation.name: generation
    for generation in (
        Generation("gfx90a", *_GFX9),
        Generation("gfx942", *_GFX9),
        Generation("gfx950", "gfx9", 16, 124, -1, False),
        Generation("gfx1030", "gfx10", 20, 124, 125, False),
        Generation("gfx1100", "gfx11", 20, 125, 124, True),
        Generation("gfx1201", "gfx12", 12, 125, 124, True),
    )
}


def generation(name: str) -> Generation:
    """The generation of that name.

    Raises:
        IsaError: its machine code cannot be decoded.
    """
    found = GENERATIONS.get(name)
    if found is None:
        known = ", ".join(GENERATIONS)
        raise IsaError(f"machine code of generation {name} cannot be decoded", f"decodable are {known}")
    return found
