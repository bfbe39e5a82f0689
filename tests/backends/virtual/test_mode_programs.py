"""Machine code that changes MODE: each block runs in the mode that control brings to it, on both sides."""

from __future__ import annotations

import ctypes
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from anyhip.backends.virtual import interpreter, jit, layout
from anyhip.backends.virtual.mode import initial
from anyhip.errors import UnsupportedInstruction
from backends.virtual.kernels import linked

FOLDER = Path(__file__).resolve().parent
SOURCES = FOLDER.parents[2] / "src"
HEAD = """.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.p2align 8
.globl kernel
.type kernel,@function
kernel:
  s_load_dwordx4 s[8:11], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_load_dwordx4 s[16:19], s[8:9], 0x0
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v1, s16
  v_mov_b32 v2, s17
  v_lshlrev_b32 v9, 2, v0
"""
TAIL = """
  global_store_dword v9, v4, s[10:11]
  global_store_dword v9, v5, s[10:11] offset:256
  global_store_dword v9, v6, s[10:11] offset:512
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel kernel
  .amdhsa_kernarg_size 16
  .amdhsa_group_segment_fixed_size 64
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_count 2
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 32
  .amdhsa_accum_offset 16
  .amdhsa_float_denorm_mode_32 %d
.end_amdhsa_kernel
"""
ONE, TINY = 0x3F800000, 2.0**-30  # 1 + TINY is 1, or its neighbours above
ABOVE = 0x3F800001
UP, DOWN = 1, 2


def word(number: float) -> int:
    return struct.unpack("<I", struct.pack("<f", number))[0]


def translated(code, kernarg: bytes) -> int:
    function = ctypes.CDLL(str(jit.kernel_library(code, "kernel"))).anyhip_kernel
    function.argtypes = [ctypes.c_void_p]
    arguments = ctypes.create_string_buffer(kernarg, len(kernarg) + 64)
    state = ctypes.create_string_buffer(layout.OFFSETS["vgpr"] + 32 * layout.VGPR_BYTES + 64)
    wave = (ctypes.addressof(state) + 63) & ~63
    mode = initial(code.kernels["kernel"].descriptor.rsrc1, "gfx942")
    exec_place = layout.OFFSETS["sgpr"] + 4 * 126
    for place, form, value in (
        (layout.OFFSETS["sgpr"], "<Q", ctypes.addressof(arguments)),
        (exec_place, "<Q", (1 << 64) - 1),
        (layout.OFFSETS["fuel"], "<I", 3),
        (layout.OFFSETS["mode"], "<I", mode),
    ):
        ctypes.memmove(wave + place, struct.pack(form, value), struct.calcsize(form))
    lds = ctypes.create_string_buffer(128)
    ctypes.memmove(wave + layout.OFFSETS["lds"], struct.pack("<Q", ctypes.addressof(lds)), 8)
    ctypes.memmove(wave + layout.OFFSETS["lds_size"], struct.pack("<I", 64), 4)
    ctypes.memmove(wave + layout.OFFSETS["vgpr"], np.arange(64, dtype=np.uint32).tobytes(), 256)
    while (result := function(wave)) == layout.Return.YIELD:
        ctypes.memmove(wave + layout.OFFSETS["fuel"], struct.pack("<I", 3), 4)
    return result


def run(body: str, folder: Path, inputs: list[int], denormals: int = 3) -> list[int]:
    """v4, v5 and v6 of the first lane at the end, the same from both executors."""
    source = folder / "kernel.s"
    source.write_text(HEAD + body + TAIL % denormals)
    code = linked(folder, source, "assembler")
    data = np.array([*inputs, 0, 0, 0][:4], np.uint32)
    outputs = [np.zeros((3, 64), np.uint32) for _ in range(2)]
    arguments = [struct.pack("<QQ", data.ctypes.data, out.ctypes.data) for out in outputs]
    assert translated(code, arguments[0]) == layout.Return.END
    interpreter.run(code, "kernel", (1, 1, 1), (64, 1, 1), arguments[1])
    assert np.array_equal(*outputs)
    return outputs[0][:, 0].tolist()


ADD = "v_add_f32 v{}, v1, v2\n"
SUM = [ONE, word(TINY)]


def round_to(direction: int) -> str:
    return f"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), {direction}\n"


def test_a_constant_counts_from_its_place_on(tmp_path: Path) -> None:
    body = ADD.format(4) + round_to(UP) + ADD.format(5) + round_to(0) + ADD.format(6)
    assert run(body, tmp_path, SUM) == [ONE, ABOVE, ONE]


@pytest.mark.parametrize(("taken", "wanted"), [(0, ONE), (1, ABOVE)])
def test_modes_meet_behind_a_branch(tmp_path: Path, taken: int, wanted: int) -> None:
    body = f"""
      s_cmp_eq_u32 s18, 1
      s_cbranch_scc0 past
      {round_to(UP)}
    past:
      {ADD.format(4)}
      s_getreg_b32 s20, hwreg(HW_REG_MODE, 0, 2)
      v_mov_b32 v5, s20
      v_mov_b32 v6, 0
    """
    assert run(body, tmp_path, [*SUM, taken]) == [wanted, taken, 0]


def test_a_loop_may_change_the_mode_in_every_turn(tmp_path: Path) -> None:
    """Rounded up, to nearest, up ... from 1: each turn upwards adds a last place."""
    body = f"""
      s_mov_b32 s20, 10
      v_mov_b32 v4, v1
    again:
      v_add_f32 v4, v4, v2
      s_bitcmp1_b32 s20, 0
      s_cbranch_scc1 odd
      {round_to(UP)}
      s_branch next
    odd:
      {round_to(0)}
    next:
      s_sub_u32 s20, s20, 1
      s_cmp_lg_u32 s20, 0
      s_cbranch_scc1 again
      v_mov_b32 v5, 0
      v_mov_b32 v6, 0
    """
    assert run(body, tmp_path, SUM)[0] == ONE + 5


@pytest.mark.parametrize("direction", range(4))
def test_a_mode_that_only_a_register_knows(tmp_path: Path, direction: int) -> None:
    body = "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s18\n" + "".join(ADD.format(n) for n in (4, 5, 6))
    wanted = ABOVE if direction == UP else ONE
    assert run(body, tmp_path, [*SUM, direction | direction << 2]) == [wanted] * 3


def test_the_whole_register_is_saved_and_brought_back(tmp_path: Path) -> None:
    body = f"""
      s_getreg_b32 s20, hwreg(HW_REG_MODE)
      {round_to(UP)}
      {ADD.format(4)}
      s_getreg_b32 s21, hwreg(HW_REG_MODE)
      s_setreg_b32 hwreg(HW_REG_MODE), s20
      {ADD.format(5)}
      s_setreg_b32 hwreg(HW_REG_MODE), s21
      {ADD.format(6)}
    """
    assert run(body, tmp_path, SUM) == [ABOVE, ONE, ABOVE]


def test_a_mode_that_no_block_has_is_refused_when_it_comes(tmp_path: Path) -> None:
    source = tmp_path / "kernel.s"
    body = "s_setreg_b32 hwreg(HW_REG_MODE), s18\n" + ADD.format(4) + "v_mov_b32 v5, 0\nv_mov_b32 v6, 0\n"
    source.write_text(HEAD + body + TAIL % 3)
    code = linked(tmp_path, source, "assembler")
    out = np.zeros(256, np.uint32)
    for mode, wanted in ((0x3F0, layout.Return.END), (0x3F3, layout.Return.UNSUPPORTED)):
        data = np.array([*SUM, mode, 0], np.uint32)
        assert translated(code, struct.pack("<QQ", data.ctypes.data, out.ctypes.data)) == wanted


def test_the_descriptor_says_whether_denormals_are_flushed(tmp_path: Path) -> None:
    inputs = [word(2.0**-126), word(-(2.0**-127))]
    body = ADD.format(4) + "v_mul_f32 v5, 0.5, v1\nv_max_f32 v6, v2, v2\n"
    assert run(body, tmp_path, inputs, 3) == [word(2.0**-127), word(2.0**-127), word(-(2.0**-127))]
    assert run(body, tmp_path, inputs, 0) == [word(2.0**-126), 0, 0x80000000]


def test_a_division_may_keep_denormals_for_itself(tmp_path: Path) -> None:
    """As LLVM expands an f32 division where denormals are flushed."""
    body = """
      s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3
      v_mul_f32 v4, 0.5, v1
      s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0
      v_mul_f32 v5, 0.5, v1
      v_mov_b32 v6, 0
    """
    assert run(body, tmp_path, [word(2.0**-126), 0], 0) == [word(2.0**-127), 0, 0]


# -- other hardware registers
def test_registers_that_compute_code_reads(tmp_path: Path) -> None:
    body = """
      s_cmp_eq_u32 s16, s16
      s_getreg_b32 s20, hwreg(HW_REG_STATUS, 0, 1)
      s_getreg_b32 s21, hwreg(HW_REG_STATUS, 9, 1)
      s_getreg_b32 s22, hwreg(HW_REG_TRAPSTS)
      v_mov_b32 v4, s20
      v_mov_b32 v5, s21
      v_mov_b32 v6, s22
    """
    assert run(body, tmp_path, []) == [1, 0, 0]


@pytest.mark.parametrize(
    ("instruction", "said"),
    [
        ("s_getreg_b32 s20, hwreg(HW_REG_GPR_ALLOC)", "hardware register 5"),
        ("s_getreg_b32 s20, hwreg(HW_REG_STATUS)", "hardware register 2, bits 0 to 31"),
        ("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 1), 1", "enables exceptions"),
        ("s_setreg_b32 hwreg(HW_REG_TRAPSTS, 0, 8), s18", "hardware register 3"),
    ],
)
def test_what_is_not_known_is_refused_by_name(tmp_path: Path, instruction: str, said: str) -> None:
    source = tmp_path / "kernel.s"
    source.write_text(HEAD + instruction + TAIL % 3)
    code = linked(tmp_path, source, "assembler")
    assert any(said in text for text in jit.kernel_ir(code, "kernel")[1])
    data = np.zeros(256, np.uint32)
    with pytest.raises(UnsupportedInstruction, match=said):
        interpreter.run(
            code, "kernel", (1, 1, 1), (64, 1, 1), struct.pack("<QQ", data.ctypes.data, data.ctypes.data)
        )


def test_lds_atomics_flush_and_those_of_memory_do_not(tmp_path: Path) -> None:
    """v4: LDS's sum of two denormals, v5: LDS's minimum, v6: global memory's sum."""
    body = """
      s_mov_b64 exec, 1
      v_mov_b32 v7, 0
      v_mov_b32 v8, s18
      ds_write_b32 v7, v8
      ds_write_b32 v7, v8 offset:4
      ds_add_f32 v7, v8
      ds_min_f32 v7, v2 offset:4
      s_waitcnt lgkmcnt(0)
      ds_read_b32 v4, v7
      ds_read_b32 v5, v7 offset:4
      global_store_dword v9, v8, s[10:11]
      s_waitcnt vmcnt(0)
      global_atomic_add_f32 v9, v8, s[10:11]
      s_waitcnt vmcnt(0) lgkmcnt(0)
      global_load_dword v6, v9, s[10:11]
      s_waitcnt vmcnt(0)
    """
    tiny = 1 << 20
    assert run(body, tmp_path, [0, ONE, tiny], 3) == [2 * tiny, tiny, 2 * tiny]
    assert run(body, tmp_path, [0, ONE, tiny], 0) == [0, tiny, 2 * tiny]


FLUSHING = ("-fgpu-flush-denormals-to-zero",)


@pytest.mark.parametrize(
    ("target", "options", "wanted"),
    [("gfx942", (), "kept"), ("gfx942", FLUSHING, "flushed"), ("gfx1201", FLUSHING, "flushed")],
)
def test_the_compilers_option_is_honoured(target: str, options: tuple[str, ...], wanted: str) -> None:
    """Divisions too, for which the compiler changes MODE and back."""
    command = [sys.executable, "-m", "anyhip", "run", str(FOLDER / "flush.hip")]
    environment = {**os.environ, "PYTHONPATH": str(SOURCES), "ANYHIP_DEVICE": f"virtual:{target}"}
    done = subprocess.run(
        [*command, f"--offload-arch={target}", *options],
        capture_output=True, text=True, check=False, timeout=240, env=environment,
    )  # fmt: skip
    assert (done.stdout, done.stderr, done.returncode) == (f"{wanted}\n", "", 0)
