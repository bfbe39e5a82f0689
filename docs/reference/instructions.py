"""Which instructions the virtual GPU executes: every opcode row, encoded, decoded and translated."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from anyhip.backends.virtual import cfg, jit, semantics, translate
from anyhip.isa import opcodes
from anyhip.isa.decode import Instruction, decode
from anyhip.isa.generations import GENERATIONS
from anyhip.isa.opcodes import Opcode
from anyhip.target import Target, known
from reference.markdown import code, names, table

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
from isa.assembler import encode, size  # type: ignore[import-untyped, import-not-found, unused-ignore]

__all__ = ["executed", "text"]

LISTED = "gfx942"
VGPR0 = 256  # in a source field that takes scalars as well
HW_ID = 31 << 11 | 4  # a register that s_getreg_b32 may read


def executed(opcode: Opcode, target: Target) -> bool:
    """Whether the translator takes the instruction: one with plain operands and no modifiers."""
    if opcode.format.startswith("VOPD"):  # half an instruction: its meaning is that of a whole one
        return opcode.meaning.replace("v_dual_", "v_") in semantics.SEMANTICS
    fields = {name: VGPR0 for name, kind in opcode.src if name in ("src0", "src1", "src2") and kind != "mask"}
    if any(name == "saddr" for name, _ in opcode.src):
        fields["saddr"] = GENERATIONS[opcode.generation].null
    if opcode.name == "s_getreg_b32":
        fields["simm16"] = HW_ID
    data = encode(opcode, **fields).to_bytes(size(opcode, **fields) + 16, "little")
    one = jit.unified(decode(data, 0, 0, target), 0)
    assert (one.opcode.name, one.format) == (opcode.name, opcode.format)

    def only(pc: int) -> Instruction:
        return one if pc == 0 else decode(b"", pc, 0, target)

    _, refused = translate.translate(cfg.build(only, 0, [], target), target, True, False)
    return not refused


def text() -> str:
    """The section."""
    semantics.load_all()
    counts, left = [], {}
    for generation in opcodes.GENERATIONS:
        target = next(one for one in known() if one.generation == generation)
        rows = opcodes.load(generation)
        done = {row.name for row in rows if executed(row, target)}
        missing: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            if row.name not in done:
                missing[row.klass].add(row.name)
        left[generation] = missing
        counts.append((code(generation), str(len({row.name for row in rows})), str(len(done))))
    listed = [(klass, names(sorted(found))) for klass, found in sorted(left[LISTED].items())]
    return "\n".join(
        [
            "By opcode column (the table of [targets](#devices-and-targets) says whose it is):\n",
            table(("opcode column", "decoded", "executed"), counts),
            "A wave that reaches one of the others stops there with `hipErrorLaunchFailure`. For "
            f"{LISTED} they are:\n",
            table(("class", "not executed"), listed),
        ]
    )
