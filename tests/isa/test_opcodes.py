"""Every row of the opcode tables, in every address form, against clang's assembler.

A row is given register numbers, encoded from the tables, decoded and printed; the assembler must make the
same bytes of the text. A wrong opcode number, field place, operand width or order gives other bytes or an
error.
"""

import pytest

from anyhip.isa import opcodes, text
from anyhip.isa.decode import decode
from anyhip.target import parse
from isa.assembler import assemble, encode, size

PROVEN = ("gfx90a", "gfx942", "gfx950")
FLOATS = {"f16", "f32", "f64"}

# The register (or immediate) in each field; wide enough apart for 32 registers, aligned for 16.
NUMBERS = {
    "sdst": 8, "ssrc0": 16, "ssrc1": 24, "sdata": 16, "sbase": 2, "imm7": 5, "imm8": 1,
    "vdst": 64, "src0": 256 + 16, "src1": 256 + 32, "src2": 256 + 128, "vsrc1": 32,
    "addr": 2, "data0": 4, "data1": 8, "vaddr": 2, "vdata": 4, "srsrc": 4, "soffset": 128,
    "simm16": 0x12, "literal": 0x12345678, "scale0": 256 + 24, "scale1": 256 + 25,
}  # fmt: skip
SIMM16 = {"end": 0, "imm16": 3, "waitcnt": 0x0070, "sendmsg": 1, "gpr_idx": 1, "hwreg": 0xF801, "rel": 5}
IMPLICIT = {"vcc", "scc", "exec", "m0", "flat_scratch"}


def operands(opcode):
    """Field values of an opcode's operands."""
    found = {}
    for name, type in (*opcode.dst, *opcode.src):
        if name in IMPLICIT or (opcode.format == "SMEM" and name == "soffset"):
            continue
        if name == "saddr":
            found[name] = 0x7F
        elif name == "simm16":
            found[name] = SIMM16.get(type, 0x1234)
        elif type == "mask" and name == "src2":
            found[name] = 50
        elif name == "literal" and type == "f16":
            found[name] = 0x1234
        else:
            found[name] = NUMBERS[name]
    if opcode.name in ("v_readlane_b32", "v_writelane_b32"):
        found["src1"] = 130
        if opcode.name == "v_writelane_b32":
            found["src0"] = 16
    return found


def modifiers(opcode):
    """Modifier values that the assembler writes when none are given, and offsets."""
    if opcode.format == "SMEM":
        used = any(name == "soffset" for name, _ in opcode.src)
        return {"imm": 1, "offset": 16} if used else {}
    if opcode.format == "DS":
        if "gws" in opcode.flags:
            return {"gds": 1}
        return (
            {}
            if opcode.klass == "nop"
            else {"offset0": 3, "offset1": 5}
            if "two" in opcode.flags
            else {"offset": 16}
        )
    if opcode.format in ("FLAT", "GLOBAL", "SCRATCH"):
        return {"offset": 16}
    if opcode.format in ("MUBUF", "MTBUF") and opcode.src:
        return {"offset": 16, "offen": 1} | ({"dfmt": 1} if opcode.format == "MTBUF" else {})
    if opcode.format == "VOP3P" and "mix" not in opcode.flags and opcode.klass != "mfma":
        return {"op_sel_hi": 7}
    return {}


def forms(opcode):
    """Dictionaries of fields, one for each form of an opcode worth trying."""
    plain = operands(opcode) | modifiers(opcode)
    if "rtn" in opcode.flags and "vdst" in plain:
        plain["vdst"] = 0  # nothing is returned without sc0
    if opcode.format == "SCRATCH":
        plain["vaddr"] = 0  # unused unless sve is set
    yield plain
    yield from MORE.get(opcode.format, lambda opcode, plain: ())(opcode, plain)


def flat_forms(opcode, plain):
    returns = [{}, {"sc0": 1}] if "rtn" in opcode.flags else [{"sc0": 1, "nt": 1, "sc1": 1}]
    for extra in returns:
        plain = plain | extra | ({"vdst": NUMBERS["vdst"] if extra else 0} if "rtn" in opcode.flags else {})
        yield plain
        if opcode.format == "GLOBAL":
            yield plain | {"saddr": 6, "offset": 0x1FF0}
    if (opcode.dst or "store" in opcode.flags) and opcode.name not in ACC_REFUSED:
        yield plain | {"acc": 1}


def scratch_forms(opcode, plain):
    for saddr in (0x7F, 33):
        for used in (0, 1):
            address = {"vaddr": 2 if used else 0, "saddr": saddr}
            yield plain | address | {"sve": used}


def buffer_forms(opcode, plain):
    if not opcode.src:
        return
    for offen, idxen in ((0, 0), (0, 1), (1, 1)):
        yield (
            plain | {"offen": offen, "idxen": idxen, "soffset": 33} | ({} if offen or idxen else {"vaddr": 0})
        )
    yield plain | {"acc": 1, "nt": 1, "sc1": int("atomic" not in opcode.flags)}
    if opcode.format == "MUBUF" and "rtn" in opcode.flags:
        yield plain | {"sc0": 1}


def smem_forms(opcode, plain):
    if "imm" in plain and opcode.klass == "smem":
        if "buffer" not in opcode.name:  # there offsets are unsigned
            yield plain | {"offset": 0x1FFFFC}
        yield plain | {"imm": 0, "offset": 33}
        yield plain | {"glc": 1}
        yield plain | {"soffset_en": 1, "soffset": 33}


def lds_forms(opcode, plain):
    vector = {"data0", "data1", "vdst"} & plain.keys()
    if vector and opcode.klass == "lds" and "gds" not in plain:
        yield plain | {"acc": 1}


def vop3_forms(opcode, plain):
    sources = [type for name, type in opcode.src if name in ("src0", "src1", "src2")]
    if not sources or not set(sources) <= FLOATS or "bitop3" in opcode.flags:
        return
    yield plain | {"neg": (1 << len(sources)) - 1}
    if "vop3b" not in opcode.flags:
        yield plain | {"abs": 1, "neg": 1}
    if opcode.dst[0][1] in FLOATS and "vop3b" not in opcode.flags:
        yield plain | {"clamp": 1}
        yield plain | {"omod": 2, "src0": 242}


def packed_forms(opcode, plain):
    if opcode.klass == "mfma":
        yield plain | {"acc": 3, "acc_cd": 1}
        if "formats" in opcode.flags:
            yield from (plain | {"cbsz": cbsz, "blgp": blgp} for cbsz, blgp in ((1, 2), (3, 4), (4, 0)))
        if "scaled" in opcode.flags:
            yield plain | {"op_sel": 1, "op_sel_hi": 2}
            yield plain | {"op_sel": 2, "op_sel_hi": 3, "src2": 242}
    elif "mix" in opcode.flags:
        yield plain | {"op_sel": 5, "op_sel_hi": 6, "neg": 1, "abs": 2, "clamp": 1}
    elif opcode.dst[0][1] == "pk_f16":
        yield plain | {"op_sel": 1, "op_sel_hi": 6, "neg": 2, "neg_hi": 1, "clamp": 1}


def short_forms(opcode, plain):
    if "src0" in plain and "literal" not in plain and opcode.name not in SCALARS_REFUSED:
        yield plain | {"src0": 193}
        if ("vcc", "mask") not in opcode.src:  # one scalar register is all that they may read
            yield plain | {"src0": 16}


MORE = {
    "FLAT": flat_forms, "GLOBAL": flat_forms, "SCRATCH": scratch_forms,
    "MUBUF": buffer_forms, "MTBUF": buffer_forms,
    "SMEM": smem_forms, "DS": lds_forms, "VOP3": vop3_forms, "VOP3P": packed_forms, "VOP3PX": packed_forms,
    "VOP1": short_forms, "VOP2": short_forms, "VOPC": short_forms,
}  # fmt: skip
# The assembler takes no AccVGPR for these when they return a value.
ACC_REFUSED = {"global_atomic_add_f32", "global_atomic_pk_add_f16"}
SCALARS_REFUSED = {
    "v_readfirstlane_b32",
    "v_swap_b32",
    "v_accvgpr_mov_b32",
    "v_permlane16_swap_b32",
    "v_permlane32_swap_b32",
}


def cases(generation):
    for opcode in opcodes.load(generation):
        if "plain" in opcode.flags and opcode.format == "VOP3":
            continue  # has no spelling of its own
        for fields in forms(opcode):
            if generation == "gfx90a" and opcode.format == "SCRATCH":
                fields = gfx90a_scratch(fields)
            word, length = encode(opcode, **fields), size(opcode, **fields)
            yield opcode, fields, word.to_bytes(16, "little")[:length]


def gfx90a_scratch(fields):
    """There the address is either a VGPR or an SGPR, and no bit says which."""
    vector = fields["saddr"] == 0x7F
    return {name: value for name, value in fields.items() if name != "sve"} | {"vaddr": 2 if vector else 0}


@pytest.mark.parametrize("generation", PROVEN)
def test_every_row_in_every_form_is_what_the_assembler_makes(tmp_path, generation):
    found = list(cases(generation))
    instructions = [decode(code, 0, 0, parse(generation)) for _, _, code in found]
    lines = [text.format(instruction) for instruction in instructions]
    made = assemble(lines, tmp_path, generation)
    offset = 0
    wrong = []
    for (opcode, fields, code), instruction, line in zip(found, instructions, lines, strict=True):
        assert instruction.opcode == opcode
        assert instruction.size == len(code)
        again = made[offset : offset + len(code)]
        if again != code:
            wrong.append(f"{line}: {code.hex()} assembled as {again.hex()} ({opcode.format} {fields})")
        offset += len(code)
    assert not wrong, "\n".join(wrong[:40])
    assert offset == len(made)
    assert len(found) > 3000


@pytest.mark.parametrize("generation", PROVEN)
def test_rows_are_well_formed(generation):
    numbers = set()
    for opcode in opcodes.load(generation):
        assert (opcode.format, opcode.number) not in numbers
        numbers.add((opcode.format, opcode.number))
        for name, type in (*opcode.dst, *opcode.src):
            assert name
            assert type
