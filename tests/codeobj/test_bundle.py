"""Offload bundles: written as clang-offload-bundler writes them, read in every form, and chosen from."""

import contextlib
import shutil
import struct
import subprocess
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anyhip.codeobj import bundle as bundles
from anyhip.codeobj import compress
from anyhip.codeobj.bundle import Entry, bundle, entry_id, host_bundles, select, unbundle
from anyhip.errors import CodeObjectError, HipError
from anyhip.target import parse
from codeobj.made import code_object

GFX942 = "hipv4-amdgcn-amd-amdhsa--gfx942"
GFX90A = "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+"
PTX = "hipv4-nvptx64-nvidia-cuda--sm_90"
PAIRS = [(GFX942, b"first code"), (GFX90A, b"second"), (PTX, b".version 8.0")]
BUNDLER = shutil.which("clang-offload-bundler-22")


def entries(*ids):
    kinds = [id.split("-")[0] for id in ids]
    return [
        Entry(id, kind, None if kind == "host" else parse(id.split("--")[1]), b"x")
        for id, kind in zip(ids, kinds, strict=True)
    ]


def test_plain_layout():
    made = bundle([(GFX942, b"code")])
    host = b"host-x86_64-unknown-linux-gnu-"
    assert made[:24] == b"__CLANG_OFFLOAD_BUNDLE__"
    assert struct.unpack_from("<QQQQ", made, 24) == (2, 4096, 0, len(host))
    assert made[56 : 56 + len(host)] == host
    assert struct.unpack_from("<QQQ", made, 56 + len(host)) == (4096, 4, len(GFX942))
    assert made[4096:] == b"code"


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("method", ["zlib", "zstd"])
def test_compressed_round_trip(method, version):
    made = bundle(PAIRS, compress=method, version=version)
    assert made[:8] == b"CCOB" + bytes([version, 0, method == "zstd", 0])
    assert [(entry.id, entry.data) for entry in unbundle(made)[1:]] == PAIRS


def test_entries_know_their_targets():
    found = unbundle(
        bundle([
            *PAIRS, ("hip-amdgcn-amd-amdhsa-gfx906", b"old"), ("hipv4-amdgcn-amd-amdhsa--gfx7", b"?"),
            ("hip-amdgcn-amd-amdhsa-gfx906:xnack-", b"old"),
            ("hipv4-amdgcn-amd-amdhsa--gfx9-4-generic:xnack-", b"generic"),
        ])
    )  # fmt: skip
    assert [(entry.kind, entry.target and entry.target.id) for entry in found] == [
        ("host", None), ("hipv4", "gfx942"), ("hipv4", "gfx90a:xnack+"), ("hipv4", "sm_90"),
        ("hip", "gfx906"), ("hipv4", None), ("hip", "gfx906:xnack-"), ("hipv4", "gfx9-4-generic:xnack-"),
    ]  # fmt: skip
    assert entry_id(parse("gfx942:xnack-")) == "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-"
    assert entry_id(parse("sm_90")) == PTX


def test_several_bundles_in_a_row_with_padding():
    blob = (
        bundle(PAIRS[:1]) + bytes(100) + bundle(PAIRS[1:2], compress="zstd") + bytes(4096) + bundle(PAIRS[2:])
    )
    assert [(entry.id, entry.data) for entry in unbundle(blob) if entry.kind != "host"] == PAIRS


def test_a_raw_code_object_is_a_bundle_of_one():
    (entry,) = unbundle(code_object())
    assert (entry.id, entry.data) == (GFX942, code_object())


@pytest.mark.skipif(BUNDLER is None, reason="clang-offload-bundler-22 (Debian's clang-22) is not installed")
def test_clang_writes_and_reads_the_same(tmp_path):
    (tmp_path / "a").write_bytes(b"first code")
    (tmp_path / "b").write_bytes(b"second")
    targets = f"-targets={bundles.HOST_ID},{GFX942},{GFX90A}"
    command = [BUNDLER, "-type=o", "-bundle-align=4096", targets, "-input=/dev/null", "-input=a", "-input=b"]
    subprocess.run([*command, "-output=plain"], cwd=tmp_path, check=True)
    assert (tmp_path / "plain").read_bytes() == bundle(PAIRS[:2])
    subprocess.run([*command, "-compress", "-output=small"], cwd=tmp_path, check=True)
    assert [(entry.id, entry.data) for entry in unbundle((tmp_path / "small").read_bytes())[1:]] == PAIRS[:2]
    for method in (None, "zlib", "zstd"):
        (tmp_path / "ours").write_bytes(bundle(PAIRS[:2], compress=method))
        command = [BUNDLER, "-type=o", "-unbundle", f"-targets={GFX90A}", "-input=ours", "-output=out"]
        subprocess.run(command, cwd=tmp_path, check=True)
        assert (tmp_path / "out").read_bytes() == b"second"


def test_host_binaries_carry_bundles(tmp_path):
    from anyhip import toolchain

    (tmp_path / "fat").write_bytes(bundle(PAIRS))
    (tmp_path / "a.s").write_text('.section .hip_fatbin,"a",@progbits\n.p2align 12\n.incbin "fat"\n')
    tools = toolchain.find()
    subprocess.run(
        [*tools.clang, f"--target={tools.host_triple}", "-c", "a.s", "-o", "a.o"], cwd=tmp_path, check=True
    )
    (blob,) = host_bundles((tmp_path / "a.o").read_bytes())
    assert [(entry.id, entry.data) for entry in unbundle(blob)[1:]] == PAIRS
    assert host_bundles(code_object()) == []


@pytest.mark.parametrize(
    ("held", "device", "chosen"),
    [
        (["gfx90a", "gfx942"], "gfx942:sramecc+:xnack-", "gfx942"),
        (["gfx942", "gfx942:xnack+", "gfx942:xnack-"], "gfx942:sramecc+:xnack-", "gfx942:xnack-"),
        (["gfx942:xnack+", "gfx942:sramecc+:xnack+"], "gfx942", "gfx942:sramecc+:xnack+"),
        (["gfx9-4-generic"], "gfx942:sramecc+:xnack-", "gfx9-4-generic"),
        (["gfx9-4-generic:xnack-", "gfx942"], "gfx942:sramecc+:xnack-", "gfx942"),
        (["gfx11-generic", "gfx10-3-generic"], "gfx1030", "gfx10-3-generic"),
        (["sm_80", "sm_70"], "sm_90", "sm_80"),
        (["sm_80", "sm_90a"], "sm_90", "sm_90a"),
        (["sm_90a", "sm_80"], "sm_100", "sm_80"),
    ],
)
def test_the_best_entry_is_chosen(held, device, chosen):
    found = select(entries(bundles.HOST_ID, *(entry_id(parse(arch)) for arch in held)), parse(device))
    assert found.target == parse(chosen)


@pytest.mark.parametrize(
    ("held", "device"),
    [
        (["gfx942:xnack+"], "gfx942:sramecc+:xnack-"),
        (["gfx90a"], "gfx942"),
        (["sm_90"], "sm_80"),
        (["sm_90a"], "sm_100"),
    ],
)
def test_no_binary_says_what_there_is_and_what_to_do(held, device):
    with pytest.raises(HipError) as caught:
        select(entries(bundles.HOST_ID, *(entry_id(parse(arch)) for arch in held)), parse(device))
    assert caught.value.code_name == "hipErrorNoBinaryForGpu"
    assert f"no code for {device}; the file holds code for {held[0]}" in str(caught.value)
    assert f"--offload-arch={parse(device).arch}" in str(caught.value)


def test_an_empty_file_has_no_device_code():
    with pytest.raises(HipError, match="holds code for no device"):
        select(entries(bundles.HOST_ID), parse("gfx942"))


def test_bombs_and_lies_are_refused():
    def wrapped(body, plain, hash=0, method=0, version=3):
        total = 32 + len(body)
        return b"CCOB" + struct.pack("<HHQQQ", version, method, total, plain, hash) + body

    zeros = zlib.compress(bytes(1 << 20))
    for data, complaint in (
        (wrapped(zeros, 1 << 50), "claims 1125899906842624 bytes of content"),
        (wrapped(zeros, 1 << 20), "hash"),
        (wrapped(zeros, (1 << 20) - 1), "holds 1048576 bytes, its header says 1048575"),
        (wrapped(zeros, (1 << 20) + 1), "holds 1048576 bytes, its header says 1048577"),
        (wrapped(zeros[:-9], 1 << 20), "cut off"),
        (wrapped(b"garbage", 7), "compressed bundle"),
        (wrapped(b"garbage", 7, method=1), "compressed bundle"),
        (wrapped(zeros, 1 << 20, method=9), "version 3 and method 9"),
        (wrapped(zeros, 1 << 20, version=4), "version 4 and method 0"),
        (b"CCOB\3", "ends inside its header"),
        (b"", "empty"),
        (b"MZ......", "not an offload bundle"),
        (bundle(PAIRS)[:-1], "lies outside"),
        (bundle(PAIRS)[:50], "ends inside its table"),
        (bundles.MAGIC + struct.pack("<Q", 1 << 40), "claims 1099511627776 entries"),
    ):
        with pytest.raises(CodeObjectError, match=complaint):
            unbundle(data)


def test_a_zstd_frame_may_not_claim_more_than_the_header():
    made = bytearray(bundle([(GFX942, bytes(100_000))], compress="zstd"))
    struct.pack_into("<Q", made, 16, 1000)
    with pytest.raises(CodeObjectError, match="zstd frame claims"):
        unbundle(bytes(made))


@given(st.sampled_from([None, "zlib", "zstd"]), st.sampled_from([1, 2, 3]), st.data())
def test_damaged_bundles_are_read_or_refused(method, version, data):
    made = bytearray(bundle(PAIRS, compress=method, version=version))
    for _ in range(data.draw(st.integers(0, 4))):
        made[data.draw(st.integers(0, min(len(made) - 1, 300)))] = data.draw(st.integers(0, 255))
    size = data.draw(st.integers(0, len(made)))
    with contextlib.suppress(CodeObjectError):
        unbundle(bytes(made[:size]))


def test_compressing_needs_a_known_method():
    with pytest.raises(ValueError, match="lz4"):
        compress.compress(b"", method="lz4")
