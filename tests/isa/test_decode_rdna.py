"""Decoded operands and modifiers of RDNA code, with exact values."""

import dataclasses

import pytest

from anyhip.isa import opcodes, registers
from anyhip.isa.decode import Operand, decode_all
from anyhip.target import parse
from isa.assembler import assemble

OFF = Operand("special", 127, 0, "u32", name="off")
NO_SADDR = Operand("special", 127, 0, "b64", name="off")
SCC = Operand("special", 253, 1, "bool", name="scc")
VCC = Operand("s", 106, 1, "mask")
EXEC = Operand("s", 126, 1, "mask")
LITERAL = 255


def s(index, type="b32", count=1):
    return Operand("s", index, count, type)


def v(index, type="b32", count=1):
    return Operand("v", index, count, type)


def null(type, count=1):
    return Operand("special", 125, count, type, name="null")


def const(index, type, value, count=1):
    return Operand("const", index, count, type, value)


# assembly, destinations, sources, some of the modifiers
GFX1100 = [
    ("s_mov_b32 s1, m0", [s(1)], [s(124)], {}),
    ("s_mov_b32 m0, s1", [s(124)], [s(1)], {}),
    ("s_mov_b32 null, s105", [null("b32")], [s(105)], {}),
    ("s_add_u32 s1, null, 0x1234", [s(1, "u32"), SCC], [null("u32"), const(LITERAL, "u32", 0x1234)], {}),
    ("s_and_saveexec_b32 s2, vcc_lo", [s(2, "mask"), EXEC, SCC], [VCC, EXEC], {}),
    ("s_and_saveexec_b64 s[2:3], vcc", [s(2, "b64", 2), s(126, "b64", 2), SCC],
     [s(106, "b64", 2), s(126, "b64", 2)], {}),
    ("s_load_b64 s[2:3], s[4:5], -8", [s(2, "b64", 2)], [s(4, "b64", 2), OFF], {"offset": -8, "glc": 0}),
    ("s_load_b32 s2, s[4:5], s6 offset:0x10 glc", [s(2)], [s(4, "b64", 2), s(6, "u32")],
     {"offset": 16, "glc": 1, "dlc": 0}),
    ("s_sendmsg_rtn_b64 s[2:3], sendmsg(MSG_RTN_GET_REALTIME)", [s(2, "b64", 2)],
     [const(LITERAL, "sendmsg", 0x83)], {}),
    ("s_waitcnt_vscnt null, 0x3", [], [null("b32"), const(LITERAL, "count", 3)], {"simm16": 3}),
    ("v_add_nc_u32_e32 v1, s2, v3", [v(1, "u32")], [s(2, "u32"), v(3, "u32")], {}),
    ("v_add_co_ci_u32_e32 v1, vcc_lo, v2, v3, vcc_lo", [v(1, "u32"), VCC],
     [v(2, "u32"), v(3, "u32"), VCC], {}),
    ("v_add_co_u32 v1, null, v2, v3", [v(1, "u32"), null("mask")], [v(2, "u32"), v(3, "u32")], {}),
    ("v_cmp_lt_f32_e32 vcc_lo, v2, v3", [VCC], [v(2, "f32"), v(3, "f32")], {}),
    ("v_cmpx_lt_f32_e32 v2, v3", [EXEC], [v(2, "f32"), v(3, "f32")], {}),
    ("v_cmpx_lt_f32_e64 v2, -v3", [EXEC], [v(2, "f32"), v(3, "f32")], {"neg": 2}),
    ("v_cndmask_b32_e64 v1, 0, 1, s4", [v(1)],
     [const(128, "b32", 0), const(129, "b32", 1), s(4, "mask")], {}),
    ("v_fma_f32 v1, v2, 0x12345678, v3", [v(1, "f32")],
     [v(2, "f32"), const(LITERAL, "f32", 0x12345678), v(3, "f32")], {"neg": 0}),
    ("v_fma_f64 v[2:3], v[4:5], 0x40240000, v[6:7]", [v(2, "f64", 2)],
     [v(4, "f64", 2), const(LITERAL, "f64", 0x4024000000000000, 2), v(6, "f64", 2)], {}),
    ("v_pk_fma_f16 v1, 0x3c004000, v2, v3", [v(1, "pk_f16")],
     [const(LITERAL, "pk_f16", 0x3C004000), v(2, "pk_f16"), v(3, "pk_f16")], {"op_sel_hi": 7}),
    ("v_add_f16_e32 v1.h, v2.l, v3.h", [v(1, "f16")], [v(2, "f16"), v(3, "f16")], {"op_sel": 10}),
    ("v_add_f16_e32 v1.l, 1.0, v127.h", [v(1, "f16")], [const(242, "f16", 0x3C00), v(127, "f16")],
     {"op_sel": 2}),
    ("v_add_f16_e64 v200.h, v2.h, v3.l", [v(200, "f16")], [v(2, "f16"), v(3, "f16")], {"op_sel": 9}),
    ("v_cvt_f32_f16_e32 v200, v2.h", [v(200, "f32")], [v(2, "f16")], {"op_sel": 1}),
    ("v_cvt_f16_f32_e32 v2.h, v200", [v(2, "f16")], [v(200, "f32")], {"op_sel": 8}),
    ("v_cmp_lt_f16_e32 vcc_lo, v1.h, v2.l", [VCC], [v(1, "f16"), v(2, "f16")], {"op_sel": 1}),
    ("v_mov_b32_dpp v1, v2 row_share:3 row_mask:0xa bank_mask:0xf fi:1", [v(1)], [v(2)],
     {"dpp_ctrl": 0x153, "row_mask": 10, "bank_mask": 15, "bound_ctrl": 0, "fi": 1}),
    ("v_mov_b32_dpp v1, v2 dpp8:[7,6,5,4,3,2,1,0]", [v(1)], [v(2)], {"dpp8": 0o01234567, "fi": 0}),
    ("v_add_f32_e64_dpp v1, -v2, |v3| row_xmask:1 row_mask:0xf bank_mask:0xf", [v(1, "f32")],
     [v(2, "f32"), v(3, "f32")], {"dpp_ctrl": 0x161, "neg": 1, "abs": 2, "fi": 0}),
    ("v_permlane16_b32 v1, v2, s3, s4 op_sel:[1,0]", [v(1)], [v(2), s(3), s(4), v(1)], {"op_sel": 1}),
    ("v_readlane_b32 s1, v2, m0", [s(1)], [v(2), s(124, "u32")], {}),
    ("v_dual_fmac_f32 v2, v4, v5 :: v_dual_cndmask_b32 v7, s1, v6",
     [v(2, "f32"), v(7)], [v(4, "f32"), v(5, "f32"), v(2, "f32"), s(1), v(6), VCC], {}),
    ("v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[24:31]", [v(0, "f32x8", 8)],
     [v(8, "f16x16", 8), v(16, "f16x16", 8), v(24, "f32x8", 8)], {}),
    ("global_load_b64 v[2:3], v[4:5], off offset:-16", [v(2, "b64", 2)], [v(4, "u64", 2), NO_SADDR],
     {"offset": -16}),
    ("global_load_b32 v2, v4, s[6:7] glc slc dlc", [v(2)], [v(4, "u32"), s(6, "u64", 2)],
     {"glc": 1, "slc": 1, "dlc": 1}),
    ("global_atomic_add_u32 v4, v5, s[6:7]", [], [v(4, "u32"), v(5, "u32"), s(6, "u64", 2)], {"glc": 0}),
    ("global_atomic_add_u32 v1, v4, v5, s[6:7] glc", [v(1, "u32")],
     [v(4, "u32"), v(5, "u32"), s(6, "u64", 2)], {"glc": 1}),
    ("scratch_load_b32 v1, off, off offset:4", [v(1)], [OFF, NO_SADDR], {"offset": 4}),
    ("scratch_load_b32 v1, off, s33 offset:-4", [v(1)], [OFF, s(33, "u32")], {"offset": -4}),
    ("scratch_store_b32 v1, v2, s33", [], [v(1, "u32"), v(2), s(33, "u32")], {"offset": 0}),
    ("buffer_load_b32 v1, v[2:3], s[8:11], m0 idxen offen offset:12", [v(1)],
     [v(2, "u64", 2), s(8, "b128", 4), s(124, "u32")], {"offset": 12, "idxen": 1, "offen": 1}),
    ("buffer_load_b32 v[1:2], off, s[8:11], 0 tfe", [v(1, "b32", 2)],
     [OFF, s(8, "b128", 4), const(128, "u32", 0)], {"tfe": 1}),
    ("buffer_atomic_cmpswap_b32 v[2:3], v1, s[8:11], 0 offen glc", [v(2)],
     [v(2, "b64", 2), v(1, "u32"), s(8, "b128", 4), const(128, "u32", 0)], {"glc": 1}),
    ("tbuffer_load_format_x v1, off, s[8:11], 0 format:[BUF_FMT_32_FLOAT]", [v(1)],
     [OFF, s(8, "b128", 4), const(128, "u32", 0)], {"format": 22}),
    ("ds_load_2addr_b64 v[4:7], v1 offset0:3 offset1:7", [v(4, "b128", 4)], [v(1, "u32")],
     {"offset0": 3, "offset1": 7}),
    ("ds_cmpstore_rtn_b32 v1, v2, v3, v4", [v(1)], [v(2, "u32"), v(3), v(4)], {}),
]  # fmt: skip


GFX1030 = [
    ("s_mov_b32 s1, m0", [s(1)], [s(124)], {}),
    ("s_mov_b32 m0, null", [s(124)], [null("b32")], {}),
    ("s_load_dword s2, s[4:5], null", [s(2)], [s(4, "b64", 2), OFF], {"offset": 0}),
    ("v_mov_b32_sdwa v1, s2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1", [v(1)], [s(2)],
     {"dst_sel": 1, "dst_unused": 2, "src0_sel": 5, "src0_sext": 0}),
    ("v_cmp_eq_u32_sdwa s2, v4, v5 src0_sel:BYTE_0 src1_sel:DWORD", [s(2, "mask")],
     [v(4, "u32"), v(5, "u32")], {"src0_sel": 0, "src1_sel": 6}),
    ("v_add_f16_e32 v200, v2, v3", [v(200, "f16")], [v(2, "f16"), v(3, "f16")], {}),
    ("v_add_nc_u16 v1, v2, v3 op_sel:[0,1,1]", [v(1, "u16")], [v(2, "u16"), v(3, "u16")], {"op_sel": 10}),
    ("global_load_dword v2, v4, s[6:7] offset:-2048 dlc", [v(2)], [v(4, "u32"), s(6, "u64", 2)],
     {"offset": -2048, "glc": 0, "slc": 0, "dlc": 1}),
    ("scratch_load_dword v1, off, off offset:4", [v(1)], [OFF, NO_SADDR], {"offset": 4}),
    ("scratch_load_dword v1, v2, off", [v(1)], [v(2, "u32"), NO_SADDR], {}),
    ("scratch_load_dword v1, off, s3", [v(1)], [OFF, s(3, "u32")], {}),
    ("buffer_load_dword off, s[8:11], 0 lds", [], [OFF, s(8, "b128", 4), const(128, "u32", 0)], {"lds": 1}),
    ("tbuffer_load_format_d16_x v1, off, s[8:11], 0 format:[BUF_FMT_32_FLOAT]", [v(1)],
     [OFF, s(8, "b128", 4), const(128, "u32", 0)], {"format": 22}),
    ("image_load v[0:1], [v4, v7], s[8:15] dmask:0x3 dim:SQ_RSRC_IMG_2D", [v(0, "b32x2", 2)],
     [v(4, "b32x1"), v(7, "b32x1"), s(8, "b256", 8)], {"dim": 1, "dmask": 3, "nsa": 1}),
]  # fmt: skip
GFX1201 = [
    ("s_mov_b32 m0, null", [s(124)], [null("b32")], {}),
    ("s_load_b96 s[4:6], s[2:3], -0x800000 th:TH_LOAD_HT scope:SCOPE_SYS", [s(4, "b96", 3)],
     [s(2, "b64", 2), OFF], {"offset": -0x800000, "th": 2, "scope": 3, "nv": 0}),
    ("s_add_co_ci_u32 s1, s2, s3", [s(1, "u32"), SCC], [s(2, "u32"), s(3, "u32"), SCC], {}),
    ("s_fmac_f32 s1, 1.0, s3", [s(1, "f32")], [const(242, "f32", 0x3F800000), s(3, "f32"), s(1, "f32")], {}),
    ("s_barrier_signal -1", [], [const(193, "barrier", 0xFFFFFFFF)], {}),
    ("s_barrier_wait 0xffff", [], [const(LITERAL, "barrier", 0xFFFF)], {"simm16": 0xFFFF}),
    ("s_wait_loadcnt 0x3", [], [const(LITERAL, "count", 3)], {"simm16": 3}),
    ("v_add_f16_e32 v1, v2, v3", [v(1, "f16")], [v(2, "f16"), v(3, "f16")], {"op_sel": 0}),
    ("v_cvt_f32_fp8_e64 v1, v2 byte_sel:2", [v(1, "f32")], [v(2)], {"byte_sel": 2}),
    ("v_cvt_sr_fp8_f32 v1, v2, v3 byte_sel:2", [v(1)], [v(2, "f32"), v(3), v(1)], {"byte_sel": 2}),
    ("v_s_rcp_f32 s1, s2", [s(1, "f32")], [s(2, "f32")], {}),
    ("v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48 index_key:1", [v(64, "f32x8", 8)],
     [v(16, "f16x8", 4), v(32, "f16x16", 8), v(48), v(64, "f32x8", 8)], {"op_sel": 1}),
    ("global_load_b32 v2, v4, s[6:7] offset:-16 th:TH_LOAD_NT scope:SCOPE_DEV", [v(2)],
     [v(4, "u32"), s(6, "u64", 2)], {"offset": -16, "th": 1, "scope": 2}),
    ("global_atomic_add_u32 v4, v5, s[6:7]", [], [v(4, "u32"), v(5, "u32"), s(6, "u64", 2)], {"th": 0}),
    ("global_atomic_add_u32 v1, v4, v5, s[6:7] th:TH_ATOMIC_RETURN", [v(1, "u32")],
     [v(4, "u32"), v(5, "u32"), s(6, "u64", 2)], {"th": 1}),
    ("global_inv scope:SCOPE_DEV", [], [], {"scope": 2}),
    ("scratch_load_b32 v1, v2, s3 offset:4", [v(1)], [v(2, "u32"), s(3, "u32")], {"offset": 4}),
    ("buffer_load_b32 v1, v2, s[4:7], null offen offset:8388607", [v(1)],
     [v(2, "u32"), s(4, "b128", 4), null("u32")], {"offset": 8388607, "offen": 1, "idxen": 0}),
    ("image_sample_d v[0:3], [v4, v6, v8, v[10:12]], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D",
     [v(0, "b32x4", 4)], [v(4, "b32x1"), v(6, "b32x1"), v(8, "b32x1"), v(10, "b32x3", 3),
     s(8, "b256", 8), s(4, "b128", 4)], {"dim": 1, "dmask": 15}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("arch", "expected"), [("gfx1030", GFX1030), ("gfx1100", GFX1100), ("gfx1201", GFX1201)]
)
def test_operands_and_modifiers(tmp_path, arch, expected):
    found = decode_all(assemble([line for line, *_ in expected], tmp_path, arch), 0x100, parse(arch))
    assert len(found) == len(expected)
    for instruction, (line, dst, src, fields) in zip(found, expected, strict=True):
        assert list(instruction.dst) == dst, line
        assert list(instruction.src) == src, line
        assert {name: instruction.fields[name] for name in fields} == fields, line


def test_masks_are_as_wide_as_the_wave(tmp_path):
    target = dataclasses.replace(parse("gfx1100"), wave_size=64)
    lines = [
        "v_cmp_lt_f32_e32 vcc, v2, v3",
        "v_cndmask_b32_e64 v1, v2, v3, s[4:5]",
        "s_and_saveexec_b64 s[2:3], s[4:5]",
        "s_and_saveexec_b32 s2, s4",
        "v_wmma_f32_16x16x16_f16 v[0:3], v[8:15], v[16:23], v[24:27]",
    ]
    compare, select, wide, narrow, matrix = decode_all(assemble(lines, tmp_path, "gfx1100", 64), 0, target)
    assert compare.dst == (s(106, "mask", 2),)
    assert select.src[2] == s(4, "mask", 2)
    assert wide.dst[:2] == (s(2, "mask", 2), s(126, "mask", 2))
    assert narrow.dst[:2] == (s(2, "b32"), s(126, "b32"))
    assert matrix.dst == (v(0, "f32x4", 4),)


def test_variants_and_sizes(tmp_path):
    lines = {
        "v_add_f32_e32 v1, v2, v3": ("VOP2", "e32", 4),
        "v_add_f32_e32 v1, 0x12345678, v3": ("VOP2", "lit", 8),
        "v_add_f32_e64 v1, v2, v3": ("VOP3", "e64", 8),
        "v_add_f32_e64 v1, v2, 0x12345678 clamp": ("VOP3", "e64", 12),
        "v_add_f32_dpp v1, v2, v3 row_mirror row_mask:0xf bank_mask:0xf": ("VOP2", "dpp", 8),
        "v_add_f32_dpp v1, v2, v3 dpp8:[0,1,2,3,4,5,6,7]": ("VOP2", "dpp8", 8),
        "v_add_f32_e64_dpp v1, v2, v3 row_mirror row_mask:0xf bank_mask:0xf": ("VOP3", "dpp", 12),
        "v_add_f32_e64_dpp v1, v2, v3 dpp8:[0,1,2,3,4,5,6,7]": ("VOP3", "dpp8", 12),
        "v_dual_mov_b32 v1, v2 :: v_dual_mov_b32 v4, v3": ("VOPD", "", 8),
        "v_dual_mov_b32 v1, 0x12345678 :: v_dual_mov_b32 v4, v3": ("VOPD", "", 12),
        "s_mov_b32 s1, 0x12345678": ("SOP1", "lit", 8),
        "s_endpgm": ("SOPP", "", 4),
    }
    found = decode_all(assemble(list(lines), tmp_path, "gfx1100"), 0, parse("gfx1100"))
    assert [(i.format, i.variant, i.size) for i in found] == list(lines.values())


def test_the_two_instructions_of_a_dual_one(tmp_path):
    line = "v_dual_mul_f32 v1, v2, v3 :: v_dual_max_f32 v4, 1.0, v5"
    (found,) = decode_all(assemble([line], tmp_path, "gfx1100"), 0x40, parse("gfx1100"))
    first, second = found.parts
    assert first.name == "v_dual_mul_f32"
    assert (first.opcode.meaning, second.opcode.meaning) == ("v_mul_f32", "v_max_f32")
    assert first.dst + second.dst == found.dst == (v(1, "f32"), v(4, "f32"))
    assert second.src == (const(242, "f32", 0x3F800000), v(5, "f32"))
    assert (first.pc, first.size) == (0x40, 8)


MEANINGS = {
    "v_add_nc_u32": "v_add_u32",
    "v_add_co_ci_u32": "v_addc_co_u32",
    "global_load_d16_hi_b16": "global_load_short_d16_hi",
    "global_atomic_min_i64": "global_atomic_smin_x2",
    "s_load_b512": "s_load_dwordx16",
    "ds_load_2addr_stride64_b32": "ds_read2st64_b32",
    "ds_storexchg_rtn_b64": "ds_wrxchg_rtn_b64",
    "s_and_not1_saveexec_b64": "s_andn2_saveexec_b64",
    "v_ctz_i32_b32": "v_ffbl_b32",
    "v_mul_f32": "v_mul_f32",
    # The comparison and the new value changed places: this is an instruction of its own.
    "ds_cmpstore_b32": "ds_cmpstore_b32",
}


def test_new_spellings_name_what_they_mean():
    meanings = {row.name: row.meaning for row in opcodes.load("gfx1100")}
    assert {name: meanings[name] for name in MEANINGS} == MEANINGS


def test_types_that_depend_on_the_wave():
    resolve = registers.resolve
    assert [resolve("mask64", 64), resolve("mask64", 32), resolve("mask32", 32), resolve("mask32", 64)] == [
        "mask", "b64", "mask", "b32",
    ]  # fmt: skip
    assert [resolve("f16x256w", 32), resolve("f16x256w", 64), resolve("f32", 32)] == ["f16x8", "f16x4", "f32"]
