"""What EXEC lies within, through the ways in which compilers save, narrow and restore it."""

from __future__ import annotations

from pathlib import Path

import pytest

from anyhip.backends.virtual import cfg, exec_bounds, jit
from anyhip.backends.virtual.exec_bounds import ANY, ENTRY
from anyhip.backends.virtual.loops import Loops
from anyhip.isa.decode import decode
from anyhip.target import Target
from isa.assembler import assemble


class Kernel:
    """Assembled code, and what is known of EXEC before each of its instructions."""

    def __init__(self, lines: list[str], folder: Path, arch: str = "gfx942") -> None:
        target = Target.parse(arch)
        code = assemble(lines, folder, arch)
        flow = cfg.build(lambda pc: jit.unified(decode(code, pc, pc, target), 0), 0, [], target)
        self.bounds, states = exec_bounds.analyse(flow, Loops(flow), target.wave_size)
        self.masks: list[int] = []
        for block in flow.blocks.values():
            state = states[block.pc].copy()
            for instruction in block.instructions:
                self.masks.append(state.execute)
                self.bounds.step(instruction, state)

    def within(self, later: int, earlier: int) -> bool:
        """Whether EXEC before one instruction is sure to lie within that before another."""
        return self.bounds.within(self.masks[later], self.masks[earlier])


def test_a_branch_that_is_left_gives_back_the_mask_before_it(tmp_path: Path) -> None:
    kernel = Kernel(
        [
            "v_cmp_gt_i32_e32 vcc, s4, v0",
            "s_and_saveexec_b64 s[2:3], vcc",
            "v_mov_b32_e32 v1, 1",
            "s_or_b64 exec, exec, s[2:3]",
            "v_mov_b32_e32 v1, 2",
            "s_endpgm",
        ],
        tmp_path,
    )
    assert kernel.masks[0] == ENTRY
    assert kernel.within(2, 0)
    assert not kernel.within(4, 2)
    assert kernel.within(4, 0)


def test_else_is_within_the_mask_before_if_but_not_within_then(tmp_path: Path) -> None:
    kernel = Kernel(
        [
            "s_and_saveexec_b64 s[2:3], vcc",
            "s_xor_b64 s[2:3], exec, s[2:3]",
            "v_mov_b32_e32 v1, 1",
            "s_andn2_saveexec_b64 s[2:3], s[2:3]",
            "v_mov_b32_e32 v1, 2",
            "s_or_b64 exec, exec, s[2:3]",
            "s_endpgm",
        ],
        tmp_path,
    )
    assert kernel.within(4, 0)
    assert not kernel.within(4, 2)
    assert kernel.within(6, 0)


@pytest.mark.parametrize("restore", ["s_mov_b64 exec, -1", "s_mov_b64 exec, s[8:9]", "s_not_b64 exec, exec"])
def test_a_mask_that_is_not_known_lies_within_none(tmp_path: Path, restore: str) -> None:
    kernel = Kernel(["v_mov_b32_e32 v1, 1", restore, "v_mov_b32_e32 v1, 2", "s_endpgm"], tmp_path)
    assert kernel.masks[2] == ANY
    assert not kernel.within(2, 0)


def test_a_saved_mask_is_forgotten_when_its_register_is_written(tmp_path: Path) -> None:
    kernel = Kernel(
        [
            "s_and_saveexec_b64 s[2:3], vcc",
            "s_mov_b32 s3, s9",
            "s_or_b64 exec, exec, s[2:3]",
            "v_mov_b32_e32 v1, 2",
            "s_endpgm",
        ],
        tmp_path,
    )
    assert kernel.masks[3] == ANY


def test_half_a_mask_is_none(tmp_path: Path) -> None:
    kernel = Kernel(
        [
            "s_mov_b64 s[2:3], exec",
            "s_and_saveexec_b64 s[4:5], vcc",
            "s_mov_b32 exec_hi, s2",
            "v_mov_b32_e32 v1, 2",
            "s_endpgm",
        ],
        tmp_path,
    )
    assert kernel.within(2, 0)
    assert kernel.masks[3] == ANY


def test_a_divergent_loop_stays_within_the_mask_before_it(tmp_path: Path) -> None:
    kernel = Kernel(
        [
            "s_mov_b64 s[2:3], 0",
            "v_add_u32_e32 v1, 1, v1",
            "v_cmp_lt_i32_e32 vcc, v1, v2",
            "s_or_b64 s[2:3], vcc, s[2:3]",
            "s_andn2_b64 exec, exec, s[2:3]",
            "s_cbranch_execnz -5",
            "s_or_b64 exec, exec, s[2:3]",
            "v_mov_b32_e32 v1, 2",
            "s_endpgm",
        ],
        tmp_path,
    )
    assert kernel.within(1, 0)
    assert kernel.within(5, 0)
    assert kernel.within(7, 0)
    assert not kernel.within(7, 5)


def test_waves_of_32_save_single_registers(tmp_path: Path) -> None:
    kernel = Kernel(
        [
            "v_cmp_gt_i32_e32 vcc_lo, s4, v0",
            "s_and_saveexec_b32 s2, vcc_lo",
            "v_cmpx_gt_i32_e32 s5, v0",
            "v_mov_b32_e32 v1, 1",
            "s_or_b32 exec_lo, exec_lo, s2",
            "v_mov_b32_e32 v1, 2",
            "s_endpgm",
        ],
        tmp_path,
        "gfx1100",
    )
    assert kernel.within(3, 2)
    assert not kernel.within(2, 3)
    assert kernel.within(5, 0)
