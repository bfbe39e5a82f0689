"""Which ALU instructions of gfx942 have a meaning, and that each gives what its opcode row promises."""

from __future__ import annotations

import numpy as np
import pytest

from anyhip.backends.virtual import semantics
from anyhip.backends.virtual.value import BITS, Value, element_type
from anyhip.isa import opcodes
from backends.virtual.evaluate import BUILDER

ROWS = [row for row in opcodes.load("gfx942") if row.klass in ("salu", "valu", "trans", "vcmp")]
# Control flow, hardware registers and register indexing are the executors' own; the rest is refused by name.
WITHOUT = {
    "s_getpc_b64", "s_getreg_b32", "s_setreg_b32", "s_setreg_imm32_b32", "s_setvskip",
    "s_movreld_b32", "s_movreld_b64", "s_movrels_b32", "s_movrels_b64",
    "s_set_gpr_idx_idx", "s_set_gpr_idx_mode", "s_set_gpr_idx_off", "s_set_gpr_idx_on",
    "v_clrexcp", "v_screen_partition_4se_b32",
}  # fmt: skip


def test_only_these_instructions_have_no_meaning():
    names = {row.name for row in ROWS}
    known = set(semantics.SEMANTICS) | set(semantics.PACKED) | set(semantics.MIXED)
    assert names - known == WITHOUT


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


def sample(row_type: str, scalar: bool, random: np.random.Generator) -> Value | tuple[Value, ...]:
    if row_type in ("b96", "b128"):
        return tuple(sample("b32", scalar, random) for _ in range(int(row_type[1:]) // 32))
    kind = ("i64" if scalar else "i1") if row_type == "mask" else element_type(row_type)
    shape = () if scalar else 64
    if kind == "i1":
        return BUILDER.value("i1", random.integers(0, 2, shape).astype(bool))
    bits = random.integers(0, 1 << BITS[kind], shape, dtype=np.uint64)
    return BUILDER.value(f"i{BITS[kind]}", bits).bitcast(kind)


PLAIN = [row for row in ROWS if row.name in semantics.SEMANTICS]


@pytest.mark.parametrize("row", PLAIN, ids=lambda row: f"{row.name}-{row.format}")
def test_results_have_the_rows_types(row):
    random = np.random.default_rng(0)
    scalar = row.klass == "salu"
    forms = [semantics.SEMANTICS[row.name]]
    forms += [semantics.CLAMPED[row.name]] if row.name in semantics.CLAMPED else []
    for function in forms:
        result = function(BUILDER, *(sample(t, scalar, random) for _, t in row.src))
        results = result if isinstance(result, tuple) and len(row.dst) > 1 else (result,)
        assert len(results) == len(row.dst)
        for value, (_, row_type) in zip(results, row.dst, strict=True):
            if isinstance(value, tuple):  # several dwords
                assert len(value) * 32 == {"b128": 128, "pk_f32": 64}[row_type]
            else:
                expected = ("i64" if scalar else "i1") if row_type == "mask" else element_type(row_type)
                assert value.type == expected
