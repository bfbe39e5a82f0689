"""Image instructions in every shape of address and data, against clang's assembler."""

import pytest

from anyhip.isa import opcodes, plans_image
from anyhip.isa.decode import decode
from anyhip.isa.generations import GENERATIONS
from anyhip.target import parse
from isa.assembler import encode, format_of
from isa.test_opcodes_rdna import PROVEN, differences


def dimensions(opcode):
    """Values of dim that an instruction takes: what filters reads no multisampled image."""
    if "msaa" in opcode.name:
        return (6, 7)
    if opcode.name.startswith("image_gather4"):
        return (1, 3, 5)
    if "sample" in opcode.name or opcode.name == "image_get_lod":
        return range(6)
    return range(7 if "_mip" in opcode.name else 8)


def shapes(opcode):
    """Modifiers worth trying."""
    if "atomic" in opcode.flags:
        mask = 3 if "cmpswap" in opcode.name else 1
        wide = (
            {} if "_pk_" in opcode.name or opcode.name.endswith("_flt") else {"dmask": 15 if mask == 3 else 3}
        )
        yield from ({"dim": dim, "dmask": mask} for dim in range(6))
        yield {"dim": 1, "dmask": mask, "a16": 1} | wide
        return
    dims = dimensions(opcode)
    mask = 1 if "gather" in opcode.flags else 15
    yield from ({"dim": dim, "dmask": mask} for dim in dims)
    yield {"dim": dims[0], "dmask": mask, "a16": 1}
    if "pck" in opcode.name or opcode.name in ("image_get_resinfo", "image_get_lod"):
        return
    yield {"dim": dims[0], "dmask": mask, "d16": 1}
    yield {"dim": dims[0], "dmask": 1 if mask == 1 else 7, "unorm": 1}
    if "store" not in opcode.flags:
        yield {"dim": dims[0], "dmask": mask, "tfe": 1}


def words(opcode, shape):
    """Registers of the address."""
    fields = {"a16": 0, "nsa": 0} | shape
    return plans_image._address_words(opcode, fields)


def cases(generation):
    """(opcode, fields, code) of each shape, its address in one range and, where it can be, in several."""
    family = GENERATIONS[generation].family
    for opcode in opcodes.load(generation):
        if opcode.klass != "image":
            continue
        returns = {"th" if family == "gfx12" else "glc": 1} if "rtn" in opcode.flags else {}
        for shape in shapes(opcode):
            if "unorm" in shape and opcode.format == "VIMAGE":
                continue
            base = {"vdata": 64, "srsrc": 16 if family == "gfx12" else 4} | returns | shape
            if any(name == "ssamp" for name, _ in opcode.src):
                base["ssamp"] = 32 if family == "gfx12" else 8
            need = words(opcode, shape)
            if family == "gfx12":
                places = [64, 72, 80, 88] + ([56] if opcode.format == "VIMAGE" else [])
                raw = sum(20 + 10 * n << low for n, low in enumerate(places[:need]))
                yield opcode, base, encode(opcode, **base, raw=raw).to_bytes(12, "little")
                continue
            yield opcode, base, encode(opcode, **base, raw=20 << 32).to_bytes(8, "little")
            nsa = (need + 2) // 4
            if need > 1 and (family == "gfx10" or need <= 9):
                nsa = nsa if family == "gfx10" else 1
                raw = sum(30 + 10 * n << 64 + 8 * n for n in range(min(need - 1, 4 * nsa))) | 20 << 32
                code = encode(opcode, **base, nsa=nsa, raw=raw)
                yield opcode, base, code.to_bytes(20, "little")[: format_of(opcode).size + 4 * nsa]


@pytest.mark.parametrize("generation", PROVEN)
def test_every_row_in_every_shape_is_what_the_assembler_makes(tmp_path, generation):
    found = list(cases(generation))
    wrong = differences(found, parse(generation), tmp_path)
    assert not wrong, f"{len(wrong)} wrong:\n" + "\n".join(wrong[:40])
    assert len(found) > 500


def test_a_sample_with_derivatives_in_several_ranges():
    # image_sample_d v[0:3], [v4, v6, v8, v10, v[12:13]], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
    code = bytes.fromhex("050f70f0040002040608 0a0c".replace(" ", ""))
    found = decode(code, 0, 0, parse("gfx1100"))
    assert found.name == "image_sample_d"
    assert [(operand.index, operand.count) for operand in found.src] == [
        (4, 1), (6, 1), (8, 1), (10, 1), (12, 2), (8, 8), (4, 4),
    ]  # fmt: skip
    assert [name for name, _ in found.opcode.src][:5] == ["vaddr0", "vaddr1", "vaddr2", "vaddr3", "vaddr4"]
    assert (found.dst[0].index, found.dst[0].count) == (0, 4)
    assert (found.fields["dim"], found.fields["dmask"]) == (1, 15)
