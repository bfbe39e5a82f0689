"""The reference interpreter on single RDNA instructions, assembled from text; expected values by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from anyhip.backends.virtual import interpreter
from anyhip.backends.virtual.interpreter_hardware import leave_barriers
from anyhip.backends.virtual.interpreter_memory import HostMemory
from anyhip.backends.virtual.interpreter_state import Group, Wave
from anyhip.backends.virtual.semantics import canonical, load_all
from anyhip.errors import UnsupportedInstruction
from anyhip.isa.decode import decode_all
from anyhip.isa.registers import EXEC, M0, VCC
from anyhip.target import Target
from isa.assembler import assemble

load_all()
ALL = 0xFFFFFFFF
Run = Callable[..., Wave]
LANE = np.arange(64, dtype=np.uint32)


@pytest.fixture
def run(tmp_path) -> Run:
    def execute(*lines: str, arch: str = "gfx1100", wave_size: int = 32, wave: Wave | None = None) -> Wave:
        """A wave after the lines; v0 holds the lanes' numbers, v1 ten times that, EXEC every lane."""
        target = replace(Target.parse(arch), wave_size=wave_size)
        wave = wave or fresh(wave_size)
        size = None if arch == "gfx942" else wave_size
        for instruction in decode_all(assemble(lines, tmp_path, arch, size), 0, target):
            for part in (instruction, *instruction.parts):
                part.name = canonical(part.opcode)
            interpreter.execute(wave, instruction)
        return wave

    return execute


def fresh(wave_size: int = 32, group: Group | None = None) -> Wave:
    group = group or Group(HostMemory(), bytearray(64), 0)
    wave = Wave(group, 0, 0, wave_size)
    group.waves.append(wave)
    wave.write_mask(EXEC, (1 << wave_size) - 1)
    wave.vector["v"][0], wave.vector["v"][1] = LANE, LANE * 10
    return wave


def lanes(wave: Wave, register: int) -> list[int]:
    return wave.vector["v"][register][: wave.wave_size].tolist()


# -- waves of 32
def test_masks_are_one_register(run):
    wave = fresh()
    wave.sgpr[VCC + 1] = 7
    run("v_cmp_gt_u32 vcc_lo, 5, v0", "v_cmp_eq_u32 s4, 3, v0", wave=wave)
    assert (wave.sgpr[VCC], wave.sgpr[VCC + 1], wave.sgpr[4]) == (0b11111, 7, 0b1000)


def test_comparison_may_write_exec_alone(run):
    wave = fresh()
    wave.sgpr[VCC] = 7
    run("v_cmpx_gt_u32 5, v0", "v_mov_b32 v2, 1", wave=wave)
    assert (wave.exec, wave.sgpr[VCC]) == (0b11111, 7)
    assert lanes(wave, 2) == [1] * 5 + [0] * 27


def test_null_takes_anything_and_is_zero(run):
    wave = run("v_add_co_u32 v2, null, -1, v0", "s_mov_b32 null, 5", "s_mov_b32 s4, null")
    assert lanes(wave, 2)[:3] == [0xFFFFFFFF, 0, 1]
    assert wave.sgpr[4] == 0
    assert not wave.sgpr[124:126].any()


# -- two instructions in one
def test_both_halves_of_a_dual_instruction_read_first(run):
    wave = run("v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0")
    assert lanes(wave, 0) == list(range(0, 320, 10))
    assert lanes(wave, 1) == list(range(32))


def test_dual_instruction_with_literal(run):
    wave = run("v_dual_fmaak_f32 v2, 1.0, v5, 0x40000000 :: v_dual_add_nc_u32 v3, 2, v0")
    assert lanes(wave, 2) == [0x40000000] * 32
    assert lanes(wave, 3) == list(range(2, 34))


# -- halves of registers
def test_halves_are_operands(run):
    wave = fresh()
    wave.vector["v"][2] = 0x00050003
    wave.vector["v"][3] = 0xAAAABBBB
    run("v_mov_b16 v3.h, v2.l", "v_mov_b16 v4.l, v2.h", "v_add_nc_u16 v5.h, v2.l, v2.h", wave=wave)
    assert (lanes(wave, 3)[0], lanes(wave, 4)[0], lanes(wave, 5)[0]) == (0x0003BBBB, 5, 8 << 16)


def test_swapped_halves_of_one_register(run):
    wave = fresh()
    wave.vector["v"][2] = 0x00050003
    run("v_swap_b16 v2.l, v2.h", wave=wave)
    assert lanes(wave, 2)[0] == 0x00030005


def test_sums_grow_in_the_half_that_they_are_in(run):
    wave = fresh()
    wave.vector["v"][2] = 0x3C004000
    run("v_fmac_f16 v2.h, v2.h, v2.l", wave=wave)
    assert lanes(wave, 2)[0] == 0x42004000  # 1 * 2 + 1


@pytest.mark.parametrize("arch", ["gfx942", "gfx1100"])
def test_registers_change_places(run, arch):
    wave = run("v_swap_b32 v0, v1", arch=arch, wave_size=64)
    assert (lanes(wave, 0), lanes(wave, 1)) == ([10 * i for i in range(64)], list(range(64)))


def test_half_results_keep_the_other_half_on_gfx10(run):
    wave = fresh()
    wave.vector["v"][2] = 0x3C003C00
    run("v_add_f16 v2, v2, v2", wave=wave, arch="gfx1030")
    assert lanes(wave, 2)[0] == 0x3C004000


# -- lanes that move
@pytest.mark.parametrize(("control", "wanted"), [
    ("row_share:3", [3] * 16 + [19] * 16),
    ("row_xmask:5", [i ^ 5 for i in range(32)]),
    ("row_ror:1", [15, *range(15), 31, *range(16, 31)]),
    ("quad_perm:[3,2,1,0]", [i ^ 3 for i in range(32)]),
])  # fmt: skip
def test_dpp_controls(run, control, wanted):
    assert lanes(run(f"v_mov_b32_dpp v2, v0 {control} row_mask:0xf bank_mask:0xf"), 2) == wanted


@pytest.mark.parametrize(
    ("flags", "lane1", "lane3"), [("", 77, 77), (" bound_ctrl:1", 0, 0), (" fi:1", 0, 2)]
)
def test_disabled_and_missing_sources_of_dpp(run, flags, lane1, lane3):
    """Lane 1 reads the disabled lane 0, lane 3 the disabled lane 2, lane 0 of the next row nothing at all."""
    wave = fresh()
    wave.write_mask(EXEC, ALL & ~0b101)
    wave.vector["v"][2] = 77
    run(f"v_mov_b32_dpp v2, v0 row_shr:1 row_mask:0xf bank_mask:0xf{flags}", wave=wave)
    made = lanes(wave, 2)
    assert (made[0], made[1], made[3], made[4]) == (77, lane1, lane3, 3)
    assert made[16] == (0 if "bound" in flags else 77)


@pytest.mark.parametrize(("flag", "first"), [("", 0), (" fi:1", 1)])
def test_dpp8(run, flag, first):
    wave = fresh()
    wave.write_mask(EXEC, ALL & ~2)
    wave.vector["v"][2] = 77
    run(f"v_mov_b32_dpp v2, v0 dpp8:[1,7,6,5,4,3,2,0]{flag}", wave=wave)
    assert lanes(wave, 2)[:9] == [first, 77, 6, 5, 4, 3, 2, 0, 9]


def test_dpp_of_long_instructions(run):
    wave = run("v_add3_u32_e64_dpp v2, v0, v1, v1 row_ror:1 row_mask:0xf bank_mask:0xf")
    assert lanes(wave, 2)[:3] == [15, 20, 41]


def test_lanes_of_a_row_in_any_order(run):
    wave = fresh()
    wave.sgpr[4], wave.sgpr[5] = 0x76543210, 0x01234567
    run("v_permlane16_b32 v2, v0, s4, s5", "v_permlanex16_b32 v3, v0, s4, s5", wave=wave)
    row = [*range(8), *range(7, -1, -1)]
    assert lanes(wave, 2) == row + [16 + i for i in row]
    assert lanes(wave, 3) == [16 + i for i in row] + row


@pytest.mark.parametrize(("flags", "wanted"), [("", 77), (" op_sel:[0,1]", 0), (" op_sel:[1,0]", 5)])
def test_disabled_lanes_of_a_row(run, flags, wanted):
    wave = fresh()
    wave.write_mask(EXEC, ALL & ~32)
    wave.vector["v"][2] = 77
    wave.sgpr[4], wave.sgpr[5] = 0x55555555, 0x55555555
    run(f"v_permlane16_b32 v2, v0, s4, s5{flags}", wave=wave)
    assert lanes(wave, 2)[0] == wanted


def test_halves_of_a_wave_of_64_change_places(run):
    assert lanes(run("v_permlane64_b32 v2, v0", wave_size=64), 2) == [*range(32, 64), *range(32)]
    assert lanes(run("v_permlane64_b32 v2, v0"), 2) == [0] * 32


def test_each_lane_names_its_source(run):
    wave = run("v_xor_b32 v3, 15, v0", "v_permlane16_var_b32 v2, v0, v3", arch="gfx1201")
    assert lanes(wave, 2) == [i ^ 15 for i in range(32)]


# -- registers chosen at run time
def test_vector_moves_relative_to_m0(run):
    wave = fresh()
    wave.sgpr[M0] = 1
    run("v_movrels_b32 v4, v0", "v_movreld_b32 v5, v0", wave=wave)
    assert lanes(wave, 4) == [10 * i for i in range(32)]
    assert lanes(wave, 6) == list(range(32))
    wave.sgpr[M0] = 2 << 16 | 1
    run("v_movrelsd_2_b32 v6, v0", "v_swaprel_b32 v6, v0", wave=wave)
    assert lanes(wave, 8) == [10 * i for i in range(32)]


def test_scalar_moves_relative_to_m0(run):
    wave = fresh()
    wave.sgpr[:8] = range(100, 108)
    wave.sgpr[M0] = 2
    run("s_movrels_b32 s10, s0", "s_movreld_b64 s[12:13], s[4:5]", wave=wave)
    assert (wave.sgpr[10], wave.sgpr[14], wave.sgpr[15]) == (102, 104, 105)


# -- hardware
def test_modes(run):
    wave = run("s_round_mode 0x5", "s_denorm_mode 0xa", "s_getreg_b32 s4, hwreg(HW_REG_MODE, 0, 8)")
    assert wave.sgpr[4] == 0xA5
    run(
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 1",
        "s_getreg_b32 s5, hwreg(HW_REG_MODE, 4, 4)",
        wave=wave,
    )
    assert wave.sgpr[5] == 0b1001


def test_clocks_go_on(run):
    wave = run("s_sendmsg_rtn_b64 s[4:5], sendmsg(MSG_RTN_GET_REALTIME)")
    first = wave.read64(4)
    run("s_sendmsg_rtn_b64 s[4:5], sendmsg(MSG_RTN_GET_REALTIME)", wave=wave)
    assert wave.read64(4) > first > 0
    with pytest.raises(UnsupportedInstruction, match="message 0x80"):
        run("s_sendmsg_rtn_b32 s4, sendmsg(MSG_RTN_GET_DOORBELL)", wave=wave)


def test_a_barrier_in_two_parts(run):
    first, second = (fresh(32, group) for group in [Group(HostMemory(), bytearray(64), 0)] * 2)
    run("s_barrier_signal_isfirst -1", "s_barrier_wait -1", arch="gfx1201", wave=first)
    assert first.scc
    leave_barriers(first.group)
    assert first.waiting
    run("s_barrier_signal_isfirst -1", arch="gfx1201", wave=second)
    leave_barriers(first.group)
    assert (first.waiting, second.scc) == (False, False)


def test_an_ended_wave_holds_up_nobody(run):
    first, second = (fresh(32, group) for group in [Group(HostMemory(), bytearray(64), 0)] * 2)
    run("s_barrier", wave=first)
    run("s_endpgm", wave=second)
    leave_barriers(first.group)
    assert not first.waiting
