"""The reference interpreter: compiled kernels against Python, and single instructions in assembly."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from anyhip.backends.virtual import interpreter
from anyhip.codeobj import codeobject
from anyhip.errors import DeviceFault, UnsupportedInstruction
from backends.virtual.kernels import linked

M32 = 0xFFFFFFFF
LANE = np.arange(64)
RANDOM = np.random.default_rng(17)


@pytest.fixture(scope="module")
def code(tmp_path_factory) -> codeobject.CodeObject:
    return linked(
        tmp_path_factory.mktemp("kernels"), Path(__file__).with_name("interpreter_kernels.hip"), "hip"
    )


def packed(*arguments) -> bytes:
    """Arguments at their natural alignment; arrays as their address."""
    out = b""
    for a in arguments:
        piece = (
            struct.pack("<Q", a.ctypes.data)
            if isinstance(a, np.ndarray)
            else struct.pack("<f" if isinstance(a, float) else "<i", a)
        )
        out += bytes(-len(out) % len(piece)) + piece
    return out


def launch(code, kernel, grid, block, *arguments, **options) -> None:
    grid, block = ((n, 1, 1) if isinstance(n, int) else n for n in (grid, block))
    interpreter.run(code, kernel, grid, block, packed(*arguments), **options)


def test_saxpy_with_a_partial_group(code):
    x, y = RANDOM.random(200, np.float32), RANDOM.random(200, np.float32)
    expected = (np.float64(2.5) * x + y).astype(np.float32)
    launch(code, "saxpy", 4, 64, 2.5, x, y, 200)
    assert np.array_equal(y, expected)


def test_compiled_division(code):
    x, y = (
        RANDOM.integers(0, 1 << 32, 512, dtype=np.uint64).astype(np.uint32).view(np.float32) for _ in "xy"
    )
    p, q = (RANDOM.integers(0, 1 << 64, 512, dtype=np.uint64).view(np.float64) for _ in "pq")
    z, r = np.zeros_like(x), np.zeros_like(p)
    launch(code, "divide", 2, 256, x, y, z, p, q, r)
    with np.errstate(all="ignore"):
        assert np.array_equal(z, x / y, equal_nan=True)
        assert np.array_equal(r, p / q, equal_nan=True)


def test_barriers_and_atomics(code):
    x, total = RANDOM.integers(-1000, 1000, 512).astype(np.int32), np.zeros(1, np.int32)
    launch(code, "reduce", 2, 256, x, total)
    assert total[0] == x.sum()


def test_divergent_loops(code):
    def steps(v: int) -> int:
        n = 0
        while v != 1:
            v, n = (3 * v + 1 if v & 1 else v // 2), n + 1
        return n

    x = np.arange(1, 65, dtype=np.uint64)
    expected = [steps(int(v)) for v in x]
    launch(code, "collatz", 1, 64, x)
    assert x.tolist() == expected


def test_recursion(code):
    x = (LANE % 8).astype(np.int32)
    launch(code, "recursion", 1, 64, x)
    assert x.tolist() == [[0, 1, 1, 2, 3, 5, 8, 13][n % 8] for n in range(64)]


def test_function_pointers(code):
    x = np.arange(64, dtype=np.int32)
    launch(code, "through_pointer", 1, 64, x)
    assert x.tolist() == [n * n if n & 1 else 2 * n for n in range(64)]


def test_integer_division(code):
    a, b = RANDOM.integers(-(2**31), 2**31, 64).astype(np.int32), RANDOM.integers(1, 300, 64).astype(np.int32)
    c, d = RANDOM.integers(-(2**62), 2**62, 64), RANDOM.integers(1, 2**40, 64)
    q, r = np.zeros(64, np.int32), np.zeros(64, np.int64)
    launch(code, "integer_division", 1, 64, a, b, q, c, d, r)
    assert q.tolist() == [
        int(x) // int(y) if x >= 0 else -(-int(x) // int(y)) for x, y in zip(a, b, strict=True)
    ]
    assert r.tolist() == [abs(int(x)) % int(y) * (1 if x >= 0 else -1) for x, y in zip(c, d, strict=True)]


@pytest.mark.parametrize("optimize", ["-O0", "-O2"])
def test_private_memory(tmp_path, optimize):
    code = linked(tmp_path, Path(__file__).with_name("interpreter_kernels.hip"), "hip", optimize)
    x = RANDOM.integers(0, 1000, 64).astype(np.int32)
    copy = [int(x[i]) * i for i in range(40)]
    copy[5] = 7
    launch(code, "local_array", 1, 64, x, 5)
    assert x.tolist() == [copy[(i + 5) % 40] for i in range(64)]


def test_a_group_may_wait_for_a_later_one(code):
    flag = np.zeros(1, np.int32)
    launch(code, "handshake", 2, 64, flag)
    assert flag[0] == 1


def test_work_item_and_group_ids(code):
    out = np.full(2 * 2 * 3 * 16, -1, np.int32)
    launch(code, "ids", (2, 1, 1), (16, 3, 2), out)
    shape = np.indices((2, 2, 3, 16))
    assert out.tolist() == (shape[3] + 100 * shape[2] + 10000 * shape[1]).ravel().tolist()


def test_trap(code):
    launch(code, "trap", 1, 64, np.zeros(1, np.int32))
    with pytest.raises(DeviceFault, match="trap trapped at 0x") as caught:
        launch(code, "trap", 1, 64, np.ones(1, np.int32))
    assert caught.value.code_name == "hipErrorLaunchFailure"


def test_memory_can_be_watched(code):
    class Watch(interpreter.HostMemory):
        written = 0

        def write(self, address: int, data: bytes) -> None:
            self.written += len(data)
            super().write(address, data)

    watch = Watch()
    launch(code, "collatz", 1, 64, np.arange(1, 65, dtype=np.uint64), memory=watch)
    assert watch.written == 64 * 8


# -- single instructions
ASSEMBLY = """
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.p2align 8
.globl kernel
.type kernel,@function
kernel:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v1, 0
{body}
  s_mov_b64 exec, -1
  v_lshlrev_b32 v0, 2, v0
  global_store_dword v0, v1, s[2:3]
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel kernel
  .amdhsa_group_segment_fixed_size 1024
  .amdhsa_private_segment_fixed_size 256
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_count 2
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_next_free_vgpr 64
  .amdhsa_next_free_sgpr 64
  .amdhsa_accum_offset 64
.end_amdhsa_kernel
"""


@pytest.fixture
def execute(tmp_path):
    """Runs assembly on 64 lanes (v0 is the lane's number) and gives what it left in v1."""

    def run(body: str) -> list[int]:
        source = tmp_path / "kernel.s"
        source.write_text(ASSEMBLY.format(body=body))
        out = np.zeros(64, np.uint32)
        launch(linked(tmp_path, source, "assembler"), "kernel", 1, 64, out)
        return out.tolist()

    return run


def test_masked_writes_and_compare(execute):
    got = execute(
        "v_mov_b32 v1, 5\n v_cmp_gt_u32 vcc, 3, v0\n s_and_saveexec_b64 s[4:5], vcc\n v_mov_b32 v1, v0"
    )
    assert got == [0, 1, 2] + [5] * 61


def test_compare_writes_zero_for_lanes_that_are_off(execute):
    body = "s_mov_b64 exec, 0xff\n v_cmp_lt_u32 s[6:7], 3, v0\n s_mov_b64 exec, -1\n v_mov_b32 v1, s6"
    assert execute(body) == [0xF0] * 64


def test_cmpx_narrows_exec(execute):
    assert execute("v_cmpx_eq_u32 vcc, 7, v0\n v_mov_b32 v1, 9") == [9 if n == 7 else 0 for n in range(64)]


def test_readlane_writelane(execute):
    body = """
      v_mov_b32 v2, 3
      v_readlane_b32 s4, v0, 17
      s_mov_b64 exec, 0xf0
      v_readfirstlane_b32 s5, v0
      v_writelane_b32 v1, s4, 1
      s_mov_b64 exec, -1
      v_add_u32 v1, s5, v1"""
    assert execute(body) == [4 + (17 if n == 1 else 0) for n in range(64)]


def test_dpp(execute):
    assert execute("v_mov_b32_dpp v1, v0 row_shr:1 row_mask:0xf bank_mask:0xf") == [
        n - 1 if n % 16 else 0 for n in range(64)
    ]
    kept = execute("v_mov_b32 v1, 99\n v_mov_b32_dpp v1, v0 row_shr:1 row_mask:0xf bank_mask:0xf")
    assert kept == [n - 1 if n % 16 else 99 for n in range(64)]
    zeros = execute(
        "v_mov_b32 v1, 99\n v_mov_b32_dpp v1, v0 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1"
    )
    assert zeros == [n - 1 if n % 16 else 0 for n in range(64)]
    rows = execute("v_mov_b32_dpp v1, v0 quad_perm:[1,0,3,2] row_mask:0xa bank_mask:0x3")
    assert rows == [n ^ 1 if n // 16 % 2 and n % 16 < 8 else 0 for n in range(64)]


def test_sdwa(execute):
    assert execute(
        "v_mov_b32 v2, 0x80706050\n v_add_u32_sdwa v1, v2, v0 dst_sel:DWORD src0_sel:BYTE_2 src1_sel:DWORD"
    ) == [0x70 + n for n in range(64)]
    body = "v_mov_b32 v2, 0x80706050\n v_mov_b32 v1, -1\n "
    body += "v_mov_b32_sdwa v1, {} dst_sel:BYTE_1 dst_unused:{} src0_sel:BYTE_3"
    assert execute(body.format("v2", "UNUSED_PRESERVE"))[0] == 0xFFFF80FF
    assert execute(body.format("v2", "UNUSED_PAD"))[0] == 0x00008000
    assert execute(body.format("sext(v2)", "UNUSED_SEXT"))[0] == 0xFFFF8000
    compare = "v_mov_b32 v2, 0x30005\n v_cmp_eq_u32_sdwa s[4:5], v2, v0 src0_sel:WORD_1 src1_sel:DWORD\n "
    compare += "v_mov_b32 v1, s4"
    assert execute(compare) == [8] * 64


def test_op_sel(execute):
    setup = "v_mov_b32 v2, 0x40003c00\n v_mov_b32 v1, 0x55556666\n "  # halves 1.0 and 2.0
    assert execute(setup + "v_add_f16 v1, v2, v2")[0] == 0x4000
    assert (
        execute(setup + "v_fma_f16 v1, v2, v2, v2 op_sel:[1,0,0,0]")[0] == 0x5555_4200
    )  # keeps the upper half
    assert execute(setup + "v_fma_f16 v1, v2, v2, v2 op_sel:[0,1,1,1]")[0] == 0x4400_6666


def test_packed_modifiers(execute):
    setup = "v_mov_b32 v2, 0x40003c00\n v_mov_b32 v3, 0x44004200\n "  # (1, 2) and (3, 4)
    assert execute(setup + "v_pk_add_f16 v1, v2, v3")[0] == 0x46004400
    assert execute(setup + "v_pk_add_f16 v1, v2, v3 op_sel:[1,0] op_sel_hi:[0,1]")[0] == 0x45004500
    assert execute(setup + "v_pk_mul_f16 v1, v2, v3 neg_lo:[1,0] neg_hi:[0,1]")[0] == 0xC800C200
    body = "v_mov_b32 v2, 0x7fff8001\n v_pk_add_i16 v1, v2, v2 {}"
    assert execute(body.format(""))[0] == 0xFFFE0002
    assert execute(body.format("clamp"))[0] == 0x7FFF8000


def test_packed_f32_and_moves(execute):
    setup = "v_mov_b32 v2, 1.0\n v_mov_b32 v3, 2.0\n v_mov_b32 v4, 4.0\n v_mov_b32 v5, 0.5\n "
    assert (
        execute(setup + "v_pk_mul_f32 v[6:7], v[2:3], v[4:5] op_sel_hi:[1,0]\n v_mov_b32 v1, v7")[0]
        == 0x41000000
    )
    assert (
        execute(setup + "v_pk_mov_b32 v[6:7], v[2:3], v[4:5] op_sel:[1,1]\n v_mov_b32 v1, v6")[0]
        == 0x40000000
    )
    assert (
        execute(setup + "v_pk_mov_b32 v[6:7], v[2:3], v[4:5] op_sel:[1,1]\n v_mov_b32 v1, v7")[0]
        == 0x3F000000
    )


def test_source_and_output_modifiers(execute):
    assert execute("v_cvt_f32_u32 v2, v0\n v_add_f32 v1, -|v2|, 2.0 clamp")[:4] == [
        0x3F800000,
        0x3F800000,
        0,
        0,
    ]
    scaled = "v_mov_b32 v2, 1.0\n v_mul_f32 v1, v2, v2 mul:4"
    assert execute(scaled)[0] == 0x3F800000  # MODE.IEEE is set: no effect
    assert execute(f"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 6), 0x10\n {scaled}")[0] == 0x40800000
    assert execute("v_mov_b32 v2, -1\n v_add_u32 v1, v2, v0 clamp") == [M32] * 64


def test_lds(execute):
    body = """
      v_lshlrev_b32 v2, 2, v0
      v_add_u32 v3, 100, v0
      ds_write_b32 v2, v3
      s_waitcnt lgkmcnt(0)
      v_mov_b32 v4, 0
      ds_read2_b32 v[4:5], v4 offset0:3 offset1:7
      s_waitcnt lgkmcnt(0)
      v_add_u32 v1, v4, v5"""
    assert execute(body) == [103 + 107] * 64
    body = """
      v_mov_b32 v2, 16
      v_mov_b32 v3, 1
      ds_add_rtn_u32 v1, v2, v3
      s_waitcnt lgkmcnt(0)"""
    assert execute(body) == list(range(64))


def test_narrow_loads_and_stores(execute):
    body = """
      v_mov_b32 v2, 0x8182f384
      v_mov_b32 v3, 8
      ds_write_b32 v3, v2
      ds_write_b8_d16_hi v3, v2 offset:1
      s_waitcnt lgkmcnt(0)
      {}
      s_waitcnt lgkmcnt(0)"""
    assert execute(body.format("ds_read_b32 v1, v3"))[0] == 0x81828284
    assert execute(body.format("ds_read_i8 v1, v3"))[0] == 0xFFFFFF84
    assert execute(body.format("ds_read_u16 v1, v3 offset:2"))[0] == 0x8182
    assert execute(body.format("v_mov_b32 v1, 0x11112222\n ds_read_i8_d16_hi v1, v3"))[0] == 0xFF842222
    assert execute(body.format("v_mov_b32 v1, 0x11112222\n ds_read_u16_d16 v1, v3 offset:2"))[0] == 0x11118182


def test_flat_apertures(execute):
    body = """
      s_mov_b64 s[4:5], src_{}_base
      v_mov_b32 v3, s5
      v_mov_b32 v2, 64
      flat_store_dword v[2:3], v0
      s_waitcnt vmcnt(0) lgkmcnt(0)
      {}
      s_waitcnt vmcnt(0) lgkmcnt(0)"""
    assert execute(body.format("private", "scratch_load_dword v1, v2, off")) == list(range(64))
    assert execute(body.format("shared", "ds_read_b32 v1, v2")) == [63] * 64


def test_lanes_that_move(execute):
    address = "v_lshlrev_b32 v2, 2, v0\n v_xor_b32 v2, 20, v2\n "
    assert execute(address + "ds_bpermute_b32 v1, v2, v0\n s_waitcnt lgkmcnt(0)") == [
        n ^ 5 for n in range(64)
    ]
    assert execute(address + "ds_permute_b32 v1, v2, v0\n s_waitcnt lgkmcnt(0)") == [n ^ 5 for n in range(64)]
    assert (
        execute("v_mov_b32 v2, 8\n ds_permute_b32 v1, v2, v0\n s_waitcnt lgkmcnt(0)") == [0, 0, 63] + [0] * 61
    )
    assert execute('ds_swizzle_b32 v1, v0 offset:swizzle(BITMASK_PERM,"0000p")\n s_waitcnt lgkmcnt(0)') == [
        n % 2 + n // 32 * 32 for n in range(64)
    ]
    off = "s_mov_b64 exec, 0xff\n v_mov_b32 v2, 32\n ds_bpermute_b32 v1, v2, v0\n s_waitcnt lgkmcnt(0)"
    assert execute(off) == [0] * 64  # lane 8 is off


def test_mbcnt_and_scc_as_sources(execute):
    assert execute("v_mbcnt_lo_u32_b32 v1, -1, 0\n v_mbcnt_hi_u32_b32 v1, -1, v1") == list(range(64))
    assert execute("s_cmp_eq_u32 s0, s0\n v_mov_b32 v1, src_scc") == [1] * 64


def test_indexed_registers(execute):
    body = """
      v_mov_b32 v10, 10
      v_mov_b32 v11, 11
      v_mov_b32 v12, 12
      s_mov_b32 s4, 2
      s_set_gpr_idx_on s4, gpr_idx({})
      v_mov_b32 {}
      s_set_gpr_idx_off
      {}"""
    assert execute(body.format("SRC0", "v1, v10", "")) == [12] * 64
    assert execute(body.format("DST", "v10, v0", "v_mov_b32 v1, v12")) == list(range(64))


def test_calls_and_returns(execute):
    body = """
      s_getpc_b64 s[6:7]
      s_add_u32 s6, s6, over@rel32@lo+4
      s_addc_u32 s7, s7, over@rel32@hi+12
      s_swappc_b64 s[8:9], s[6:7]
      v_add_u32 v1, 1, v1
      s_branch done
    over:
      v_mov_b32 v1, 40
      s_setpc_b64 s[8:9]
    done:"""
    assert execute(body) == [41] * 64


def test_atomics_of_every_kind(execute):
    body = """
      v_mov_b32 v2, 0
      v_mov_b32 v4, {data}
      v_mov_b32 v5, {compare}
      v_mov_b32 v6, {start}
      global_store_dword v2, v6, s[2:3]
      s_mov_b64 exec, 1
      {instruction}
      s_mov_b64 exec, -1
      global_load_dword v3, v2, s[2:3]
      s_waitcnt vmcnt(0)
      v_add_u32 v1, v1, v3"""
    for instruction, data, compare, start, total in [
        ("global_atomic_add v1, v2, v4, s[2:3] sc0", 5, 0, 7, 7 + 12),
        ("global_atomic_add v2, v4, s[2:3]", 5, 0, 7, 12),
        ("global_atomic_cmpswap v1, v2, v[4:5], s[2:3] sc0", 9, 7, 7, 7 + 9),
        ("global_atomic_cmpswap v1, v2, v[4:5], s[2:3] sc0", 9, 8, 7, 7 + 7),
        ("global_atomic_inc v1, v2, v4, s[2:3] sc0", 6, 0, 7, 7 + 0),
        ("global_atomic_smax v1, v2, v4, s[2:3] sc0", -3, 0, 7, 14),
        ("global_atomic_umax v1, v2, v4, s[2:3] sc0", 12, 0, 7, 19),
    ]:
        got = execute(body.format(instruction=instruction, data=data, compare=compare, start=start))
        assert got[0] == total, instruction


def test_unsupported_instructions_are_named(execute):
    with pytest.raises(UnsupportedInstruction, match="v_screen_partition_4se_b32 at 0x"):
        execute("v_screen_partition_4se_b32 v1, v0")
