"""Target ids, and the table of targets against the compiler."""

import struct

import pytest

from anyhip import tables, toolchain
from anyhip.errors import UsageError
from anyhip.target import Target, known, known_archs, parse, product


def test_parsing_gives_the_canonical_id():
    target = Target.parse("gfx942:xnack-:sramecc+")
    assert target.id == str(target) == "gfx942:sramecc+:xnack-"
    assert target.features == (("sramecc", True), ("xnack", False))
    assert (target.isa, target.wave_size, target.generation) == ("amdgcn", 64, "gfx942")
    assert (target.major, target.minor, target.stepping, target.mach) == (9, 4, 2, 0x4C)
    assert target.triple == "amdgcn-amd-amdhsa"


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("amdgcn-amd-amdhsa--gfx90a:xnack+", "gfx90a:xnack+"),
        ("amdgcn-amd-amdhsa-gfx906", "gfx906"),
        ("nvptx64-nvidia-cuda--sm_90", "sm_90"),
        ("compute_80", "sm_80"),
        ("gfx11-generic", "gfx11-generic"),
        ("sm_90a", "sm_90a"),
    ],
)
def test_other_spellings(text, id):
    assert parse(text).id == id


def test_nvidia_versions():
    assert [(parse(a).major, parse(a).minor) for a in ("sm_75", "sm_90a", "sm_120")] == [
        (7, 5),
        (9, 0),
        (12, 0),
    ]
    assert parse("sm_90").isa == "nvptx"
    assert parse("sm_90").wave_size == 32


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("gfx1", "unknown architecture 'gfx1'"),
        ("", "unknown architecture ''"),
        ("gfx942:fast+", r"bad feature 'fast\+'"),
        ("gfx942:xnack", "bad feature 'xnack'"),
        ("gfx942:xnack+:xnack-", "bad feature 'xnack-'"),
        ("gfx942:", "bad feature ''"),
        ("gfx1100:xnack+", "this processor takes no feature"),
        ("sm_90:xnack+", "this processor takes no feature"),
    ],
)
def test_bad_ids_say_what_would_be_right(text, complaint):
    with pytest.raises(UsageError, match=complaint) as caught:
        parse(text)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("code", "device", "runs"),
    [
        ("gfx942", "gfx942:sramecc+:xnack-", True),
        ("gfx942:xnack-", "gfx942:sramecc+:xnack-", True),
        ("gfx942:xnack+", "gfx942:sramecc+:xnack-", False),
        ("gfx942:xnack+", "gfx942", True),
        ("gfx942", "gfx950", False),
        ("gfx9-4-generic", "gfx950", True),
        ("gfx9-4-generic:xnack+", "gfx950:sramecc+:xnack-", False),
        ("gfx11-generic", "gfx1201", False),
        ("gfx942", "sm_90", False),
        ("sm_70", "sm_90", True),
        ("sm_90", "sm_70", False),
        ("sm_90a", "sm_90", True),
        ("sm_90a", "sm_100", False),
    ],
)
def test_matching(code, device, runs):
    assert parse(code).matches(parse(device)) is runs


def test_generic_code_is_of_the_version_that_has_it():
    versions = {target.arch: target.code_object_version for target in known() if target.isa == "amdgcn"}
    assert {arch for arch, version in versions.items() if version == 6} == {
        "gfx9-generic", "gfx9-4-generic", "gfx10-1-generic", "gfx10-3-generic", "gfx11-generic",
        "gfx12-generic",
    }  # fmt: skip
    assert versions["gfx942"] == versions["gfx1201"] == 5


def test_products_are_complete_and_plausible():
    mi300x = product("gfx942")
    assert mi300x is not None
    assert (mi300x.name, mi300x.compute_units, mi300x.lds_bytes) == ("AMD Instinct MI300X", 304, 65536)
    assert mi300x.memory_bytes == 192 << 30
    assert mi300x.waves_per_cu == 32
    assert product("gfx1103") is None
    assert product("sm_90") is None
    for target in known():
        found = product(target.arch)
        if found:
            assert all(number > 0 for number in found if isinstance(number, int))
            assert 2**30 <= found.memory_bytes <= 2**39


def test_generic_processors_exist():
    assert {target.generic for target in known()} - {""} <= set(known_archs())


def test_the_compiler_agrees_on_every_processor_number(tmp_path):
    (tmp_path / "empty.s").write_text("")
    clang = toolchain.find().clang
    for target in known():
        if target.isa == "amdgcn":
            output = tmp_path / f"{target.arch}.o"
            triple = ["--target=amdgcn-amd-amdhsa", f"-mcpu={target.arch}"]
            toolchain.check([*clang, *triple, "-c", str(tmp_path / "empty.s"), "-o", str(output)])
            (flags,) = struct.unpack_from("<I", output.read_bytes(), 48)
            assert flags & 0xFF == target.mach, target.arch
            assert bool(flags & 0x300) == ("xnack" in _features(target.arch)), target.arch
            assert bool(flags & 0xC00) == ("sramecc" in _features(target.arch)), target.arch


def _features(arch):
    return next(row["features"] for row in tables.load("targets") if row["arch"] == arch).split()


def test_tables_skip_comments_and_name_bad_rows():
    assert tables.parse("# c\na\tb\n1\t2\n\n3\n") == [{"a": "1", "b": "2"}, {"a": "3", "b": ""}]
    with pytest.raises(ValueError, match="t.tsv:3: 3 cells for 2 columns"):
        tables.parse("a\tb\n1\t2\n1\t2\t3\n", "t.tsv")
