"""Decoded operands and modifiers, with exact values, and what happens to bytes that are no instruction."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anyhip.errors import IsaError
from anyhip.isa import text
from anyhip.isa.decode import Operand, decode, decode_all
from anyhip.isa.generations import GENERATIONS
from anyhip.target import parse
from isa.assembler import assemble

GFX942 = parse("gfx942")
OFF = Operand("special", 127, 0, "u32", name="off")
VCC = Operand("s", 106, 2, "mask")
EXEC = Operand("s", 126, 2, "mask")
SCC = Operand("special", 253, 1, "bool", name="scc")


def s(index, type="b32", count=1):
    return Operand("s", index, count, type)


def v(index, type="b32", count=1):
    return Operand("v", index, count, type)


def a(index, type="b32", count=1):
    return Operand("a", index, count, type)


def const(index, type, value, count=1):
    return Operand("const", index, count, type, value)


LITERAL = 255

# assembly, destinations, sources, some of the modifiers
EXPECTED = [
    ("s_add_u32 s1, s2, s3", [s(1, "u32"), SCC], [s(2, "u32"), s(3, "u32")], {}),
    ("s_addc_u32 s1, s2, 0x1234", [s(1, "u32"), SCC], [s(2, "u32"), const(LITERAL, "u32", 0x1234), SCC], {}),
    ("s_and_saveexec_b64 s[2:3], vcc", [s(2, "mask", 2), EXEC, SCC], [VCC, EXEC], {}),
    ("s_cmov_b32 s1, s2", [s(1)], [s(2), SCC, s(1)], {}),
    ("s_movk_i32 s1, 0xfffe", [s(1, "i32")], [const(LITERAL, "i32", 0xFFFFFFFE)], {"simm16": 0xFFFE}),
    ("s_cmpk_eq_u32 s1, 0xfffe", [SCC], [s(1, "u32"), const(LITERAL, "u32", 0xFFFE)], {}),
    ("s_addk_i32 s1, 5", [s(1, "i32"), SCC], [s(1, "i32"), const(LITERAL, "i32", 5)], {}),
    ("s_bitset1_b64 s[2:3], 5", [s(2, "b64", 2)], [const(133, "u32", 5), s(2, "b64", 2)], {}),
    ("s_mov_b64 s[2:3], 1.0", [s(2, "b64", 2)], [const(242, "b64", 0x3FF0000000000000, 2)], {}),
    ("s_mov_b64 s[2:3], -3", [s(2, "b64", 2)], [const(195, "b64", 0xFFFFFFFFFFFFFFFD, 2)], {}),
    ("s_mov_b64 s[2:3], 0xfffffff0", [s(2, "b64", 2)], [const(LITERAL, "b64", 0xFFFFFFF0, 2)], {}),
    ("s_ashr_i64 s[2:3], 0x80000000, 1", [s(2, "i64", 2), SCC],
     [const(LITERAL, "i64", 0xFFFFFFFF80000000, 2), const(129, "u32", 1)], {}),
    ("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3", [],
     [const(LITERAL, "hwreg", 0x0901), const(LITERAL, "b32", 3)], {}),
    ("s_load_dwordx2 s[2:3], s[4:5], -8", [s(2, "b64", 2)], [s(4, "b64", 2), OFF], {"offset": -8, "imm": 1}),
    ("s_load_dword s2, s[4:5], s6", [s(2)], [s(4, "b64", 2), s(6, "u32")], {"offset": 0}),
    ("s_load_dword s2, s[4:5], s6 offset:0x10", [s(2)], [s(4, "b64", 2), s(6, "u32")], {"offset": 16}),
    ("v_add_f32_e32 v1, 1.0, v2", [v(1, "f32")], [const(242, "f32", 0x3F800000), v(2, "f32")], {}),
    ("v_add_f16_e32 v1, 1.0, v2", [v(1, "f16")], [const(242, "f16", 0x3C00), v(2, "f16")], {}),
    ("v_add_f64 v[2:3], -|v[4:5]|, 0.5", [v(2, "f64", 2)],
     [v(4, "f64", 2), const(240, "f64", 0x3FE0000000000000, 2)], {"neg": 1, "abs": 1}),
    ("v_trunc_f64_e32 v[2:3], 0x40240000", [v(2, "f64", 2)],
     [const(LITERAL, "f64", 0x4024000000000000, 2)], {}),
    ("v_pk_add_f16 v1, -1, v2", [v(1, "pk_f16")], [const(193, "pk_f16", 0xFFFFFFFF), v(2, "pk_f16")], {}),
    ("v_pk_add_f16 v1, 1.0, v2", [v(1, "pk_f16")], [const(242, "pk_f16", 0x3C00), v(2, "pk_f16")], {}),
    ("v_pk_add_u16 v1, 1.0, v2", [v(1, "pk_u16")], [const(242, "pk_u16", 0x3F800000), v(2, "pk_u16")], {}),
    ("v_pk_add_f32 v[2:3], v[4:5], 1.0 op_sel_hi:[1,0]", [v(2, "pk_f32", 2)],
     [v(4, "pk_f32", 2), const(242, "pk_f32", 0x3F800000, 2)], {"op_sel": 0}),
    ("v_fmac_f32_e32 v1, v2, v3", [v(1, "f32")], [v(2, "f32"), v(3, "f32"), v(1, "f32")], {}),
    ("v_fmaak_f32 v1, v2, v3, 0x12345678", [v(1, "f32")],
     [v(2, "f32"), v(3, "f32"), const(LITERAL, "f32", 0x12345678)], {}),
    ("v_fmamk_f32 v1, v2, 0x12345678, v3", [v(1, "f32")],
     [v(2, "f32"), const(LITERAL, "f32", 0x12345678), v(3, "f32")], {}),
    ("v_add_co_u32_e32 v1, vcc, v2, v3", [v(1, "u32"), VCC], [v(2, "u32"), v(3, "u32")], {}),
    ("v_addc_co_u32_e64 v1, s[2:3], v2, v3, s[4:5]", [v(1, "u32"), s(2, "mask", 2)],
     [v(2, "u32"), v(3, "u32"), s(4, "mask", 2)], {}),
    ("v_cndmask_b32_e64 v1, 0, 1, s[4:5]", [v(1)],
     [const(128, "b32", 0), const(129, "b32", 1), s(4, "mask", 2)], {}),
    ("v_cmp_lt_f32_e32 vcc, v2, v3", [VCC], [v(2, "f32"), v(3, "f32")], {}),
    ("v_cmpx_lt_f32_e64 s[4:5], v2, -v3", [s(4, "mask", 2), EXEC], [v(2, "f32"), v(3, "f32")], {"neg": 2}),
    ("v_div_scale_f32 v1, vcc, v2, v3, v4", [v(1, "f32"), VCC], [v(2, "f32"), v(3, "f32"), v(4, "f32")], {}),
    ("v_div_fmas_f64 v[2:3], v[4:5], v[6:7], v[8:9]", [v(2, "f64", 2)],
     [v(4, "f64", 2), v(6, "f64", 2), v(8, "f64", 2), VCC], {}),
    ("v_mad_u64_u32 v[2:3], s[4:5], v6, v7, v[8:9]", [v(2, "u64", 2), s(4, "mask", 2)],
     [v(6, "u32"), v(7, "u32"), v(8, "u64", 2)], {}),
    ("v_readlane_b32 s1, v2, 3", [s(1)], [v(2), const(131, "u32", 3)], {}),
    ("v_writelane_b32 v1, s2, 3", [v(1)], [s(2), const(131, "u32", 3), v(1)], {}),
    ("v_swap_b32 v1, v2", [v(1), v(2)], [v(2), v(1)], {}),
    ("v_cvt_pk_fp8_f32 v1, v2, v3 op_sel:[0,0,1]", [v(1)], [v(2, "f32"), v(3, "f32"), v(1)], {"op_sel": 8}),
    ("v_fma_mix_f32 v1, 1.0, v2, -|v3| op_sel:[0,1,0] op_sel_hi:[0,1,0]", [v(1, "f32")],
     [const(242, "f32", 0x3F800000), v(2, "f16"), v(3, "f32")],
     {"op_sel": 2, "op_sel_hi": 2, "neg": 4, "abs": 4}),
    ("v_dot4_i32_i8 v1, v2, v3, v4", [v(1, "i32")], [v(2), v(3), v(4, "i32")], {}),
    ("v_mfma_f32_32x32x8_f16 a[0:15], v[16:17], a[32:33], a[0:15]", [a(0, "f32x16", 16)],
     [v(16, "f16x4", 2), a(32, "f16x4", 2), a(0, "f32x16", 16)], {"cbsz": 0, "abid": 0, "blgp": 0}),
    ("v_smfmac_f32_16x16x32_f16 v[10:13], a[2:3], v[4:7], v0 cbsz:3 abid:1", [v(10, "f32x4", 4)],
     [a(2, "f16x4", 2), v(4, "f16x8", 4), v(0), v(10, "f32x4", 4)], {"cbsz": 3, "abid": 1}),
    ("v_accvgpr_read_b32 v1, a2", [v(1)], [a(2)], {}),
    ("v_accvgpr_write_b32 a1, v2", [a(1)], [v(2)], {}),
    ("v_accvgpr_mov_b32 a1, a2", [a(1)], [a(2)], {}),

       ("v_add_u32_sdwa v1, sext(v2), s3 dst_sel:WORD_1 "
     "dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:DWORD",
     [v(1, "u32")], [v(2, "u32"), s(3, "u32")],
     {"dst_sel": 5, "dst_unused": 2, "src0_sel": 1, "src0_sext": 1, "src1_sel": 6, "src1_sext": 0}),
    ("v_cmp_eq_u32_sdwa s[2:3], v4, v5 src0_sel:BYTE_0 src1_sel:DWORD", [s(2, "mask", 2)],
     [v(4, "u32"), v(5, "u32")], {}),
    ("v_cmp_eq_u32_sdwa vcc, v4, v5 src0_sel:BYTE_0 src1_sel:DWORD", [VCC], [v(4, "u32"), v(5, "u32")], {}),
    ("v_add_f32_dpp v1, -v2, |v3| row_shl:1 row_mask:0xa bank_mask:0xf bound_ctrl:1", [v(1, "f32")],
     [v(2, "f32"), v(3, "f32")],
     {"dpp_ctrl": 0x101, "row_mask": 10, "bank_mask": 15, "bound_ctrl": 1, "neg": 1, "abs": 2}),
    ("ds_read2_b64 v[4:7], v1 offset0:3 offset1:7", [v(4, "b128", 4)],
     [v(1, "u32")], {"offset0": 3, "offset1": 7}),
    ("ds_add_rtn_u32 v1, v2, v3 offset:8", [v(1, "u32")], [v(2, "u32"), v(3, "u32")], {"offset": 8}),
    ("ds_write_b64 v1, a[2:3]", [], [v(1, "u32"), a(2, "b64", 2)], {}),
    ("global_load_dwordx2 v[2:3], v[4:5], off offset:-16", [v(2, "b64", 2)],
     [v(4, "u64", 2), Operand("special", 127, 0, "b64", name="off")], {"offset": -16}),
    ("global_load_dword a2, v4, s[6:7] sc0 nt sc1", [a(2)],
     [v(4, "u32"), s(6, "u64", 2)], {"sc0": 1, "nt": 1, "sc1": 1}),
    ("global_atomic_add v4, v5, s[6:7]", [], [v(4, "u32"), v(5, "u32"), s(6, "u64", 2)], {"sc0": 0}),
    ("global_atomic_cmpswap v1, v4, v[2:3], s[6:7] sc0", [v(1)],
     [v(4, "u32"), v(2, "b64", 2), s(6, "u64", 2)], {}),
    ("scratch_load_dword v1, off, s33 offset:4", [v(1)], [OFF, s(33, "u32")], {"offset": 4}),
    ("scratch_store_dword v1, v2, s33 offset:-4", [], [v(1, "u32"), v(2), s(33, "u32")], {"offset": -4}),
    ("flat_atomic_add_f64 v[2:3], v[4:5], v[6:7] sc0", [v(2, "f64", 2)],
     [v(4, "u64", 2), v(6, "f64", 2)], {}),
    ("global_load_short_d16_hi v1, v[2:3], off", [v(1)],
     [v(2, "u64", 2), Operand("special", 127, 0, "b64", name="off"), v(1)], {}),
    ("buffer_load_dword v1, v[2:3], s[8:11], s4 idxen offen offset:12", [v(1)],
     [v(2, "u64", 2), s(8, "b128", 4), s(4, "u32")], {"offset": 12, "idxen": 1, "offen": 1}),
    ("buffer_store_dword v1, off, s[8:11], 0", [], [v(1), OFF, s(8, "b128", 4), const(128, "u32", 0)], {}),
    ("buffer_atomic_cmpswap v[2:3], v1, s[8:11], 0 offen sc0", [v(2)],
     [v(2, "b64", 2), v(1, "u32"), s(8, "b128", 4), const(128, "u32", 0)], {"sc0": 1}),
    ("s_cbranch_execz 5", [], [const(LITERAL, "rel", 5), EXEC], {"simm16": 5}),
    ("s_waitcnt vmcnt(0)", [], [const(LITERAL, "waitcnt", 0x0F70)], {"simm16": 0x0F70}),
]  # fmt: skip


def test_operands_and_modifiers(tmp_path):
    found = decode_all(assemble([line for line, *_ in EXPECTED], tmp_path), 0x100, GFX942)
    assert len(found) == len(EXPECTED)
    for instruction, (line, dst, src, fields) in zip(found, EXPECTED, strict=True):
        assert list(instruction.dst) == dst, line
        assert list(instruction.src) == src, line
        assert {name: instruction.fields[name] for name in fields} == fields, line


def test_variants_and_sizes(tmp_path):
    lines = [
        "v_add_f32_e32 v1, v2, v3",
        "v_add_f32_e32 v1, 0x12345678, v3",
        "v_add_f32_e64 v1, v2, v3",
        "v_add_f32_dpp v1, v2, v3 row_mirror row_mask:0xf bank_mask:0xf",
        "v_add_f32_sdwa v1, v2, v3 dst_sel:DWORD src0_sel:DWORD src1_sel:DWORD",
        "s_add_u32 s1, s2, s3",
        "s_add_u32 s1, s2, 0x12345678",
        "v_pk_add_f16 v1, v2, v3",
        "ds_nop",
    ]
    found = decode_all(assemble(lines, tmp_path), 0x100, GFX942)
    assert [(i.name, i.format, i.variant, i.size) for i in found] == [
        ("v_add_f32", "VOP2", "e32", 4),
        ("v_add_f32", "VOP2", "lit", 8),
        ("v_add_f32", "VOP3", "e64", 8),
        ("v_add_f32", "VOP2", "dpp", 8),
        ("v_add_f32", "VOP2", "sdwa", 8),
        ("s_add_u32", "SOP2", "", 4),
        ("s_add_u32", "SOP2", "lit", 8),
        ("v_pk_add_f16", "VOP3P", "e64", 8),
        ("ds_nop", "DS", "", 8),
    ]
    assert [i.pc for i in found] == [0x100, 0x104, 0x10C, 0x114, 0x11C, 0x124, 0x128, 0x130, 0x138]


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("", "at 0x40, words 00000000 00000000: the code ends inside the instruction"),
        ("010203", "the code ends inside the instruction"),
        ("ff0080be", "the code ends inside the instruction"),  # s_mov_b32 with a literal that is not there
        ("000040dc", "the code ends inside the instruction"),
        ("000000f0", "at 0x40, words f0000000 00000000: unknown encoding"),
        ("0000ffbe", "SOP1 opcode 0x0"),
        ("00ff80be", "SOP1 opcode 0xff is not known on gfx942"),
        ("7d0080be", "operand field has the reserved value 125"),
        ("00c000dc00000000", "FLAT opcode"),
    ],
)
def test_what_is_no_instruction_is_refused_with_its_words(code, complaint):
    if complaint.startswith("SOP1 opcode 0x0"):
        assert text.format(decode(bytes.fromhex(code), 0, 0, GFX942)) == "s_mov_b32 exec_hi, s0"
        return
    with pytest.raises(IsaError, match=complaint):
        decode(bytes.fromhex(code), 0x40, 0, GFX942)


def test_generations_without_tables_are_refused():
    with pytest.raises(IsaError, match="generation gfx10 cannot be decoded"):
        decode(bytes(8), 0, 0, parse("gfx1010"))


@given(st.binary(min_size=1, max_size=20), st.sampled_from(list(GENERATIONS)))
def test_any_bytes_decode_and_print_or_raise(code, arch):
    try:
        instruction = decode(code, 0, 0, parse(arch))
    except IsaError:
        return
    assert 0 < instruction.size <= len(code)
    assert text.format(instruction).startswith(instruction.name.split(" ")[0])


def test_decoding_is_fast(tmp_path):
    code = assemble([line for line, *_ in EXPECTED] * 40, tmp_path)
    decode_all(code, 0, GFX942)

    def seconds_each():
        started = time.thread_time()  # other tests' workers and a collection of their garbage do not count
        count = len(decode_all(code, 0, GFX942))
        return (time.thread_time() - started) / count

    assert min(seconds_each() for _ in range(3)) < 40e-6  # about 5 µs on a 2024 machine
