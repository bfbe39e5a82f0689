"""Which ALU instructions have a meaning, and that each gives what its opcode row promises."""

from __future__ import annotations

import numpy as np
import pytest

from anyhip.backends.virtual import semantics
from anyhip.backends.virtual.value import BITS, Value, element_type
from anyhip.isa import opcodes
from backends.virtual.evaluate import BUILDER

TARGETS = ("gfx942", "gfx1030", "gfx1100", "gfx1201")
ROWS = {
    name: [row for row in opcodes.load(name) if row.klass in ("salu", "valu", "trans", "vcmp")]
    for name in TARGETS
}
# Control flow, hardware registers and register indexing are the executors' own; the rest is refused by name.
EVERYWHERE = {
    "s_getpc_b64", "s_getreg_b32", "s_setreg_b32", "s_setreg_imm32_b32",
    "s_movreld_b32", "s_movreld_b64", "s_movrels_b32", "s_movrels_b64",
}  # fmt: skip
RDNA = EVERYWHERE | {
    "s_denorm_mode", "s_round_mode", "s_movrelsd_2_b32", "v_movreld_b32", "v_movrels_b32", "v_movrelsd_b32",
    "v_movrelsd_2_b32", "v_swaprel_b32",
}  # fmt: skip
WITHOUT = {
    "gfx942": EVERYWHERE | {
        "s_setvskip", "s_set_gpr_idx_idx", "s_set_gpr_idx_mode", "s_set_gpr_idx_off", "s_set_gpr_idx_on",
        "v_clrexcp", "v_screen_partition_4se_b32",
    },
    "gfx1030": RDNA | {"v_clrexcp"},
    "gfx1100": RDNA,
    "gfx1201": RDNA,
}  # fmt: skip


@pytest.mark.parametrize("target", TARGETS)
def test_only_these_instructions_have_no_meaning(target: str):
    names = {semantics.canonical(row) for row in ROWS[target]}
    known = set(semantics.SEMANTICS) | set(semantics.PACKED) | set(semantics.MIXED)
    assert names - known == WITHOUT[target]


def test_no_meaning_without_an_instruction():
    rows = [row for generation in opcodes.GENERATIONS for row in opcodes.load(generation)]
    every = (
        {row.name for row in rows}
        | {row.meaning for row in rows}
        | {semantics.canonical(row) for row in rows}
    )
    tables = (semantics.SEMANTICS, semantics.PACKED, semantics.MIXED, semantics.CLAMPED)
    assert set().union(*tables) <= every


def test_every_saturating_form_has_a_plain_one():
    assert set(semantics.CLAMPED) <= set(semantics.SEMANTICS) | set(semantics.PACKED)


def kind_of(row_type: str, scalar: bool) -> str:
    if row_type in ("mask32", "mask64"):
        return "i" + row_type[4:]
    return ("i64" if scalar else "i1") if row_type == "mask" else element_type(row_type)


def sample(row_type: str, scalar: bool, random: np.random.Generator) -> Value | tuple[Value, ...]:
    if row_type in ("b96", "b128"):
        return tuple(sample("b32", scalar, random) for _ in range(int(row_type[1:]) // 32))
    kind = kind_of(row_type, scalar)
    shape = () if scalar else 64
    if kind == "i1":
        return BUILDER.value("i1", random.integers(0, 2, shape).astype(bool))
    bits = random.integers(0, 1 << BITS[kind], shape, dtype=np.uint64)
    return BUILDER.value(f"i{BITS[kind]}", bits).bitcast(kind)


PLAIN = [row for name in TARGETS for row in ROWS[name] if semantics.canonical(row) in semantics.SEMANTICS]


@pytest.mark.parametrize("row", PLAIN, ids=lambda row: f"{row.generation}-{row.name}-{row.format}")
def test_results_have_the_rows_types(row):
    random = np.random.default_rng(0)
    scalar = row.klass == "salu"
    name = semantics.canonical(row)
    forms = [semantics.SEMANTICS[name]]
    forms += [semantics.CLAMPED[name]] if name in semantics.CLAMPED else []
    for function in forms:
        result = function(BUILDER, *(sample(t, scalar, random) for _, t in row.src))
        results = result if isinstance(result, tuple) and len(row.dst) > 1 else (result,)
        if isinstance(result, tuple) and len(row.dst) == 1 and row.dst[0][1] == "mask":
            results = result[-1:]  # v_cmpx of RDNA writes EXEC alone
        assert len(results) == len(row.dst)
        for value, (_, row_type) in zip(results, row.dst, strict=True):
            if isinstance(value, tuple):  # several dwords
                assert len(value) * 32 == {"b128": 128, "pk_f32": 64}[row_type]
            else:
                assert value.type == kind_of(row_type, scalar)
