"""Instructions: which the tables know, and which of them the virtual GPU executes."""

from __future__ import annotations

from collections import defaultdict

from anyhip.backends.virtual import cfg, chunk, semantics, translate
from anyhip.backends.virtual.semantics import memory
from anyhip.isa import opcodes
from anyhip.isa.opcodes import Opcode
from reference.markdown import names, table

__all__ = ["executed", "text"]

GENERATION = "gfx942"


def executed(opcode: Opcode) -> bool:
    """Whether translated code has a meaning for it (the order of ``Translation._instruction``)."""
    name = opcode.name
    if name in translate.CONTROL or opcode.klass == "branch":
        return name in {*translate.CONTROL, *translate.CONDITIONS, *cfg.CALLS, *cfg.INDIRECT, "s_branch"}
    if opcode.klass in translate.NO_EFFECT:
        return True
    if opcode.klass == "smem":
        return name.startswith("s_load_dword") or name in translate.SINGLE
    known = memory.find(name) is not None or name in translate.SINGLE or chunk.supported(name)
    return known and opcode.format not in ("MUBUF", "MTBUF")


def text() -> str:
    """The section."""
    semantics.load_all()
    rows = opcodes.load(GENERATION)
    refused: dict[str, set[str]] = defaultdict(set)
    done: set[str] = set()
    for row in rows:
        (done if executed(row) else refused[row.klass]).add(row.name)
    left = {klass: sorted(found - done) for klass, found in refused.items()}
    total = len({row.name for row in rows})
    missing = sum(map(len, left.values()))
    return "\n".join(
        [
            f"Of {GENERATION}'s {total} instructions the virtual GPU executes {total - missing}. A wave that "
            "reaches one of the others stops there with `hipErrorLaunchFailure`:\n",
            table(("class", "not executed yet"), [(k, names(v)) for k, v in sorted(left.items()) if v]),
        ]
    )
