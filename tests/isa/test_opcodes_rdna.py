"""Every RDNA row of the opcode tables, in its forms, against clang's assembler; see ``test_opcodes``."""

import dataclasses

import pytest

from anyhip.isa import formats, formats_rdna, opcodes, text
from anyhip.isa.decode import decode
from anyhip.isa.generations import GENERATIONS
from anyhip.isa.slots_rdna import HALVES
from anyhip.target import parse
from isa.assembler import assemble, encode, put_bits, size

PROVEN = tuple(name for name, known in GENERATIONS.items() if known.family != "gfx9")
FLOATS = {"f16", "f32", "f64"}
SHORT = ("VOP1", "VOP2", "VOPC")
MEMORY = ("FLAT", "GLOBAL", "SCRATCH")

NUMBERS = {
    "sdst": 8, "ssrc0": 16, "ssrc1": 24, "sdata": 16, "sbase": 2, "imm7": 5, "simm8": 0x83,
    "vdst": 64, "src0": 256 + 16, "src1": 256 + 32, "src2": 256 + 128, "vsrc1": 32,
    "addr": 2, "data0": 4, "data1": 8, "vaddr": 2, "vdata": 4, "srsrc": 4, "soffset": 128,
    "simm16": 0x12, "literal": 0x12345678, "attr": 13, "vsrc": 5, "param": 1,
}  # fmt: skip
SIMM16 = {"end": 0, "imm16": 3, "waitcnt": 0x0070, "sendmsg": 1, "hwreg": 0xF801, "rel": 5, "depctr": 0xFF9E}
SIMM16 |= {"delay": 0x91, "version": 0x2006, "count": 3, "barrier": 0xFFFF}
IMPLICIT = {"vcc", "scc", "exec", "m0"}


def null(opcode):
    return GENERATIONS[opcode.generation].null


def family(opcode):
    return GENERATIONS[opcode.generation].family


def operands(opcode):
    """Field values of an opcode's operands."""
    found = {}
    for name, type in (*opcode.dst, *opcode.src):
        if name in IMPLICIT:
            continue
        if name == "saddr" or (name == "soffset" and opcode.format == "SMEM"):
            found[name] = null(opcode)
        elif opcode.format == "EXP":
            found[name] = 3 + int(name[-1])
        elif name == "simm16":
            found[name] = SIMM16.get(type, 0x1234)
        elif type == "mask" and name == "src2":
            found[name] = 50
        elif name == "literal" and type == "f16":
            found[name] = 0x1234
        elif opcode.format == "SOPK" and opcode.klass == "wait" and name == "sdst":
            found[name] = null(opcode)
        elif name in ("soffset", "srsrc") and family(opcode) == "gfx12":
            found[name] = null(opcode) if name == "soffset" else 16
        elif type == "barrier":
            found[name] = 0xC1
        else:
            found[name] = NUMBERS[name]
    scalars = SCALAR_SOURCES.get(opcode.name, {})
    return found | {name: number for name, number in scalars.items() if name in found}


# Sources that cannot be vector registers.
SCALAR_SOURCES = {
    "v_readlane_b32": {"src1": 130},
    "v_writelane_b32": {"src0": 16, "src1": 130},
    "v_permlane16_b32": {"src1": 20, "src2": 21},
    "v_permlanex16_b32": {"src1": 20, "src2": 21},
}
for _name in ("exp", "log", "rcp", "rsq", "sqrt"):
    SCALAR_SOURCES[f"v_s_{_name}_f32"] = SCALAR_SOURCES[f"v_s_{_name}_f16"] = {"src0": 16}


def modifiers(opcode):
    """Modifier values that the assembler writes when none are given, and offsets."""
    format = opcode.format
    if format == "SMEM":
        return {"offset": 16} if any(name == "soffset" for name, _ in opcode.src) else {}
    if format == "DS":
        if "gws" in opcode.flags:
            return {"gds": 1}
        two = {"offset0": 3, "offset1": 5} if "two" in opcode.flags else {"offset": 16}
        return {} if opcode.klass == "nop" else two
    if format == "EXP":
        return {"en": 15}
    if format == "FLAT":
        return {"offset": 16, "saddr": null(opcode)}
    if format in MEMORY:
        return {"offset": 16} if opcode.klass != "cache" else {}
    if format in ("MUBUF", "MTBUF") and opcode.src:
        typed = {"format": 22} if format == "MTBUF" else {"format": 1} if family(opcode) == "gfx12" else {}
        return {"offset": 16, "offen": 1} | typed
    if format == "VOP3P" and "mix" not in opcode.flags:
        return {"op_sel_hi": 7}
    if format == "VOP3" and opcode.dst and opcode.dst[0][0] == "exec":
        return {"raw": 126}
    return {}


def forms(opcode):
    """Dictionaries of fields, one for each form of an opcode worth trying."""
    plain = operands(opcode) | modifiers(opcode)
    if "rtn" in opcode.flags and "vdst" in plain:
        plain["vdst"] = 0
    if opcode.format == "SCRATCH":
        yield from scratch_forms(opcode, plain)
        return
    if opcode.klass == "cache" and opcode.format == "GLOBAL":
        plain = {"saddr": null(opcode)}
    yield plain
    yield from MORE.get(opcode.format, lambda opcode, plain: ())(opcode, plain)


def caching(opcode):
    return {"th": 1, "scope": 2} if family(opcode) == "gfx12" else {"glc": 1, "slc": 1, "dlc": 1}


def flat_forms(opcode, plain):
    if opcode.klass == "cache":
        return
    plain = plain | caching(opcode) | ({"vdst": 64} if "rtn" in opcode.flags else {})
    yield plain
    if opcode.format == "GLOBAL":
        negative = (1 << (24 if family(opcode) == "gfx12" else 12)) - 8
        yield plain | {"saddr": 6, "offset": negative + (0x1000 if family(opcode) == "gfx11" else 0)}


def scratch_forms(opcode, plain):
    if family(opcode) == "gfx10":
        for saddr, vaddr in ((0x7F, 0), (125, 2), (33, 0)):
            yield plain | {"saddr": saddr, "vaddr": vaddr}
        return
    for saddr in (null(opcode), 33):
        for used in (0, 1):
            yield plain | {"vaddr": 2 if used else 0, "saddr": saddr, "sve": used}


def buffer_forms(opcode, plain):
    if not opcode.src:
        return
    for offen, idxen in ((0, 0), (0, 1), (1, 1)):
        vector = {} if offen or idxen else {"vaddr": 0}
        yield plain | {"offen": offen, "idxen": idxen, "soffset": 33} | vector
    caches = caching(opcode)
    if "rtn" in opcode.flags:  # the assembler leaves it out
        caches.pop("dlc", 0)
    yield plain | caches


def smem_forms(opcode, plain):
    if "offset" in plain and opcode.klass == "smem":
        yield plain | {"soffset": 33}
        if "buffer" not in opcode.name:
            yield plain | {"offset": (1 << (24 if family(opcode) == "gfx12" else 21)) - 4}


def sources(opcode):
    return [type for name, type in opcode.src if name in ("src0", "src1", "src2")]


def cross_lane(opcode, plain):
    """The DPP forms: what stands in src0's place, and the dword that follows."""
    if not opcode.src or opcode.src[0][0] != "src0" or opcode.name in NO_DPP or "literal" in plain:
        return
    types = [type for _, type in (*opcode.dst, *opcode.src)]
    if any(type in WIDE for type in types) or opcode.klass in ("lane", "wmma") or "swap" in opcode.flags:
        return
    dpp16 = {"dpp_ctrl": 0x153, "row_mask": 10, "bank_mask": 15, "bound_ctrl": 1, "fi": 1}
    word = 0
    for name, value in dpp16.items():
        word = put_bits(word, formats_rdna.DPP16[name], value)
    yield plain | {"src0": 250, "extra": word >> 32 | 16}
    yield plain | {"src0": 233, "extra": 0o01234567 << 8 | 16}


def sub_dword(opcode, plain):
    """The SDWA forms of gfx10: two vector sources, and scalar ones."""
    types = [type for _, type in (*opcode.dst, *opcode.src)]
    if any(type in WIDE for type in types) or opcode.name in NO_SDWA or "vdst" in dict(opcode.src):
        return
    select = {"src0_sel": 1} | ({"src1_sel": 5} if "vsrc1" in plain else {})
    if opcode.format != "VOPC":
        select |= {"dst_sel": 4, "dst_unused": 2}
    word = 0
    for name, value in select.items():
        word = put_bits(word, formats.SDWA[name], value)
    yield plain | {"src0": 249, "extra": word >> 32 | 16}
    yield plain | {"src0": 249, "extra": word >> 32 | 16 | 1 << 23}
    if opcode.format == "VOPC" and opcode.dst[0][0] == "vcc":
        yield plain | {"src0": 249, "extra": word >> 32 | 16 | (0x80 | 20) << 8}


NO_SDWA = {"v_movrelsd_b32", "v_movrelsd_2_b32", "v_movreld_b32", "v_movrels_b32"}
# Types of operands that DPP does not move, and instructions that have no DPP form.
WIDE = {"f64", "i64", "u64", "b64", "pk_f32"}
NO_DPP = {
    "v_readfirstlane_b32", "v_pipeflush", "v_nop", "v_movrelsd_b32", "v_fma_legacy_f32",
    "v_mul_lo_u32", "v_mul_hi_u32", "v_mul_hi_i32", "v_mqsad_u32_u8", "v_pk_fmac_f16",
    "v_fma_dx9_zero_f32", "v_fmac_dx9_zero_f32", "v_fmac_legacy_f32",
    "v_div_fixup_f32", "v_div_scale_f32", "v_div_fmas_f32",
}  # fmt: skip


def short_forms(opcode, plain):
    if "src0" not in plain or opcode.klass == "lane" or "swap" in opcode.flags:
        return
    halves = GENERATIONS[opcode.generation].true16
    if "literal" not in plain and not opcode.name.startswith("v_movrel"):
        yield plain | {"src0": 193}
        yield plain | {"src0": 16}
        half = dict(opcode.src)["src0"] in HALVES
        yield plain | {"src0": 255, "literal": 0x1234 if half else 0x12345678}
        if (family(opcode), opcode.format) != ("gfx10", "VOPC"):
            yield from cross_lane(opcode, plain)
        if family(opcode) == "gfx10":
            yield from sub_dword(opcode, plain)
    if halves and family(opcode) == "gfx11":
        halves = {name for name, type in (*opcode.dst, *opcode.src) if type in HALVES} - {"literal"}
        yield plain | {name: plain[name] | 128 for name in halves & plain.keys()}


def vop3_forms(opcode, plain):
    types = sources(opcode)
    if not types or "interp" in opcode.flags:
        return
    scalar = opcode.name in SCALAR_SOURCES
    if not scalar and opcode.klass != "lane":
        half = types[0] in HALVES
        if not opcode.name.startswith("v_movrel"):
            yield plain | {"src0": 255, "literal": 0x1234 if half else 0x12345678}
        if family(opcode) != "gfx10" and "vop3only" not in opcode.flags:
            yield from cross_lane(opcode, plain)
    if set(types) <= FLOATS:
        yield plain | {"neg": (1 << len(types)) - 1}
        if "vop3b" not in opcode.flags:
            yield plain | {"abs": 1, "neg": 1}
        if opcode.dst[0][1] in FLOATS and "vop3b" not in opcode.flags:
            yield plain | {"clamp": 1}
            yield plain | {"omod": 2, "src0": plain["src0"] if scalar else 242}
    if family(opcode) == "gfx11" and "permlane" not in opcode.flags:
        bits = {"src0": 1, "src1": 2, "src2": 4, "vdst": 8}
        if opcode.name == "v_fmac_f16":  # the assembler does not take what the disassembler writes for vdst
            bits["vdst"] = 0
        select = sum({bits[n] for n, t in (*opcode.dst, *opcode.src) if t in HALVES and n in bits})
        if select and "vop3b" not in opcode.flags:
            yield plain | {"op_sel": select}


def export_forms(opcode, plain):
    for target in (0, 8, 12, 20):
        yield plain | {"en": 15, "target": target, "done": 1}
    yield {"en": 15, "target": 33} | plain if family(opcode) == "gfx10" else plain | {"en": 15, "row_en": 1}


def packed_forms(opcode, plain):
    if "mix" in opcode.flags:
        yield plain | {"op_sel": 5, "op_sel_hi": 6, "neg": 1, "abs": 2, "clamp": 1}
    elif "signs" in opcode.flags:
        yield plain | {"neg": 1, "clamp": 1}
    elif "index" in opcode.flags:
        yield plain | {"op_sel": 1}
    elif opcode.klass != "wmma" and opcode.dst[0][1] == "pk_f16":
        yield plain | {"op_sel": 1, "op_sel_hi": 6, "neg": 2, "neg_hi": 1, "clamp": 1}
        yield plain | {"src0": 255, "literal": 0x12345678}


MORE = {
    "FLAT": flat_forms, "GLOBAL": flat_forms, "MUBUF": buffer_forms, "MTBUF": buffer_forms,
    "SMEM": smem_forms, "VOP3": vop3_forms, "VOP3P": packed_forms,
    "VOP1": short_forms, "VOP2": short_forms, "VOPC": short_forms, "EXP": export_forms,
}  # fmt: skip


def cases(generation):
    for opcode in opcodes.load(generation):
        if opcode.format.startswith("VOPD") or opcode.klass == "image":
            continue
        if "plain" in opcode.flags and opcode.format == "VOP3":
            continue  # has no spelling of its own
        for fields in forms(opcode):
            word, length = encode(opcode, **fields), size(opcode, **fields)
            yield opcode, fields, word.to_bytes(20, "little")[:length]


def differences(found, target, folder):
    """What the assembler makes otherwise than the tables."""
    instructions = [decode(code, 0, 0, target) for _, _, code in found]
    lines = [text.format(instruction) for instruction in instructions]
    made = assemble(lines, folder, target.arch, target.wave_size)
    offset, wrong = 0, []
    for (opcode, fields, code), instruction, line in zip(found, instructions, lines, strict=True):
        assert instruction.opcode.name == opcode.name
        assert instruction.size == len(code), line
        again = made[offset : offset + len(code)]
        if again != code:
            wrong.append(f"{line}: {code.hex()} assembled as {again.hex()} ({opcode.format} {fields})")
        offset += len(code)
    assert wrong or offset == len(made)
    return wrong


@pytest.mark.parametrize("generation", PROVEN)
@pytest.mark.parametrize("wave_size", [32, 64])
def test_every_row_in_every_form_is_what_the_assembler_makes(tmp_path, generation, wave_size):
    target = dataclasses.replace(parse(generation), wave_size=wave_size)
    found = [case for case in cases(generation) if wave_size == 64 or "wave64" not in case[0].flags]
    wrong = differences(found, target, tmp_path)
    assert not wrong, f"{len(wrong)} wrong:\n" + "\n".join(wrong[:40])
    assert len(found) > 3000


@pytest.mark.parametrize("generation", PROVEN)
def test_rows_are_well_formed(generation):
    numbers = set()
    meanings = {row["name"] for other in opcodes.GENERATIONS for row in opcodes.by_encoding(other).values()}
    for opcode in opcodes.load(generation):
        assert (opcode.format, opcode.number) not in numbers
        numbers.add((opcode.format, opcode.number))
        known = {opcode.meaning, opcode.meaning.replace("flat_", "global_")} & meanings
        assert known or opcode.format.startswith("VOPD"), opcode.name
        for name, type in (*opcode.dst, *opcode.src):
            assert name
            assert type


def dual_cases(generation):
    """Each first and each second instruction of a VOPD, with a move beside it; codes and their sizes."""
    rows = {(row.format, row.name): row for row in opcodes.load(generation) if row.format.startswith("VOPD")}
    for (format, name), row in rows.items():
        partner = rows["VOPD_Y" if format == "VOPD_X" else "VOPD_X", "v_dual_mov_b32"]
        first, second = (row, partner) if format == "VOPD_X" else (partner, row)
        names = {field for field, _ in row.src}
        for source, literal in ((256 + 4, None), (20, None), (255, 0x12345678)):
            if literal and name == "v_dual_cndmask_b32" and format == "VOPD_Y":
                continue
            third = literal or (0x12345678 if "literal" in names else None)
            if source == 20 and "literal" in names:
                continue
            plain = 256 + 7
            word = 0b110010 << 26 | first.number << 22 | second.number << 17
            word |= source if format == "VOPD_X" else plain
            word |= (source if format == "VOPD_Y" else plain) << 32
            word |= (5 << 9) * (format == "VOPD_X" and "vsrc1" in names)
            word |= (6 << 41) * (format == "VOPD_Y" and "vsrc1" in names)
            word |= 2 << 56 | 4 << 49
            size = 12 if third else 8
            yield row, (word | (third or 0) << 64).to_bytes(12, "little")[:size]


@pytest.mark.parametrize("generation", [name for name in PROVEN if name != "gfx1030"])
def test_every_dual_instruction_is_what_the_assembler_makes(tmp_path, generation):
    found = list(dual_cases(generation))
    target = parse(generation)
    instructions = [decode(code, 0, 0, target) for _, code in found]
    made = assemble([text.format(instruction) for instruction in instructions], tmp_path, generation)
    assert made == b"".join(code for _, code in found)
    for (row, _), instruction in zip(found, instructions, strict=True):
        assert row.name in [part.name for part in instruction.parts]
        assert instruction.src == instruction.parts[0].src + instruction.parts[1].src
        assert [operand.index for operand in instruction.dst] == [2, 9]
    assert len(found) > 80
