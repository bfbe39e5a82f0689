"""Reading code objects: what the compiler put in is what comes out, and damaged bytes are refused."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anyhip import codeobj
from anyhip.codeobj import descriptor, metadata
from anyhip.errors import CodeObjectError
from anyhip.isa.decode import decode_all
from anyhip.target import parse
from codeobj.made import code_object


@pytest.mark.parametrize(("version", "abi"), [(4, 2), (5, 3), (6, 4)])
def test_versions(version, abi):
    found = codeobj.load(code_object(version=version))
    assert (found.version, found.abi_version, found.target.id) == (version, abi, "gfx942")
    assert list(found.kernels) == ["scale", "say"] or set(found.kernels) == {"scale", "say"}
    kernel = found.kernels["scale"]
    explicit = [(arg.offset, arg.size, arg.value_kind) for arg in kernel.args if not arg.hidden]
    assert explicit == [(0, 4, "by_value"), (8, 8, "global_buffer"), (16, 4, "by_value"), (20, 1, "by_value")]


@pytest.mark.parametrize(
    "arch", ["gfx90a:xnack+", "gfx942:sramecc+:xnack-", "gfx1030", "gfx1100", "gfx1201", "gfx9-4-generic"]
)
def test_targets_of_the_header(arch):
    version = 6 if "generic" in arch else 5
    assert codeobj.load(code_object(arch, version)).target == parse(arch)


def test_kernel_facts():
    kernel = codeobj.load(code_object()).kernels["scale"]
    facts = kernel.descriptor
    assert kernel.group_segment_size == facts.group_segment_size == 256
    assert kernel.kernarg_size == facts.kernarg_size == 24
    assert kernel.wavefront_size == 64
    assert kernel.max_flat_workgroup_size == 1024
    assert kernel.kind == "normal"
    assert kernel.entry == kernel.descriptor_address + facts.entry_offset
    assert kernel.entry % 256 == 0
    assert facts.enable_sgpr_kernarg_segment_ptr
    assert facts.enable_sgpr_workgroup_id_x
    assert facts.enable_sgpr_workgroup_id_y
    assert not facts.enable_sgpr_workgroup_id_z
    assert facts.workitem_id_dims == 2  # z is asked for, and ids come packed
    assert (facts.round_32, facts.round_16_64, facts.denorm_32, facts.denorm_16_64) == (0, 0, 3, 3)
    assert facts.ieee_mode
    assert facts.dx10_clamp
    assert not facts.wavefront_size32
    assert facts.user_sgprs == 2
    assert facts.accum_offset % 4 == 0
    assert facts.vgpr_count >= kernel.vgpr_count
    assert codeobj.load(code_object("gfx1100")).kernels["scale"].descriptor.wavefront_size32


def test_launch_bounds_and_hidden_arguments():
    kernel = codeobj.load(code_object()).kernels["say"]
    assert kernel.max_flat_workgroup_size == 128
    assert kernel.args[0].value_kind == "by_value"


def test_symbols_and_relocations():
    found = codeobj.load(code_object())
    kinds = {name: (symbol.kind, symbol.size) for name, symbol in found.symbols.items()}
    assert kinds["counter"] == ("object", 4)
    assert kinds["zeros"] == ("object", 4096)
    assert kinds["pointers"] == ("object", 16)
    assert kinds["scale.kd"] == ("kernel_descriptor", 64)
    assert kinds["scale"][0] == "func"
    assert kinds["__printf_alloc"][0] == "func"
    pointers = found.symbols["pointers"].value
    targets = [found.symbols["counter"].value, found.symbols["zeros"].value]
    assert [(r.offset, r.type, r.addend, r.symbol) for r in found.relocations] == [
        (pointers, 13, targets[0], ""), (pointers + 8, 13, targets[1], ""),
    ]  # fmt: skip
    assert found.code(found.symbols["counter"].value, 4) == (5).to_bytes(4, "little")
    assert found.code(found.symbols["zeros"].value, 4096) == bytes(
        4096
    )  # past the file's part of the segment


def test_printf_formats_by_hash():
    found = codeobj.load(code_object())
    assert list(found.printf_formats.values()) == ['n = %d:, "%s"\n']


def test_printf_entries_of_both_shapes():
    entries = ["1:2:4:8:a:%d %f", "7:0:none:", "0:0:ff,x:y,z"]
    assert metadata.printf_formats({"amdhsa.printf": entries}, "t") == {
        1: "a:%d %f",
        7: "none:",
        255: "x:y,z",
    }
    with pytest.raises(CodeObjectError, match="printf entry"):
        metadata.printf_formats({"amdhsa.printf": ["x:y"]}, "t")


def test_the_code_of_every_function_decodes():
    found = codeobj.load(code_object())
    symbol = found.symbols["scale"]
    names = [i.name for i in decode_all(found.code(symbol.value, symbol.size), symbol.value, found.target)]
    assert "s_barrier" in names
    assert names[-1] in ("s_endpgm", "s_nop", "s_code_end")


def test_what_is_not_a_code_object_is_named():
    for data, complaint in (
        (b"", "thing: is not an ELF file"),
        (b"\x7fELF" + bytes(100), "not a 64-bit little-endian"),
        (Path(sys.executable).read_bytes(), "not an AMD GPU code object"),
    ):
        with pytest.raises(CodeObjectError, match=complaint):
            codeobj.load(data, "thing")
    with pytest.raises(CodeObjectError, match="lies in no segment"):
        codeobj.load(code_object()).code(1 << 40, 4)
    with pytest.raises(CodeObjectError, match="64"):
        descriptor.decode(bytes(63), parse("gfx942"))


def load_or_refuse(data):
    try:
        found = codeobj.load(data)
    except CodeObjectError:
        return
    for kernel in found.kernels.values():
        found.code(kernel.entry, 4)


@given(st.data())
def test_flipped_bytes_give_facts_or_code_object_errors(data):
    image = bytearray(code_object())
    # Tables rather than code: headers, notes, symbols at the front, section headers at the end.
    spots = st.one_of(st.integers(0, 0x800), st.integers(len(image) - 0x800, len(image) - 1))
    for _ in range(data.draw(st.integers(1, 8))):
        image[data.draw(spots)] = data.draw(st.sampled_from([0, 1, 2, 0x7F, 0x80, 0xC0, 0xFF]))
    load_or_refuse(bytes(image))


@given(st.integers(0, 1 << 20))
def test_cut_files_are_refused(size):
    image = code_object()
    if size < len(image):
        with pytest.raises(CodeObjectError):
            codeobj.load(image[:size])


@given(st.binary(max_size=300))
def test_arbitrary_metadata_is_refused_or_read(note):
    try:
        document = metadata.unpack(note, "note")
        metadata.printf_formats(document, "note")
        metadata.kernel_args(document, 64, "note")
    except CodeObjectError:
        pass


def test_importing_stays_light():
    heavy = ("numpy", "msgpack", "zstandard", "elftools", "hashlib")
    check = f"import sys, anyhip.codeobj.bundle; print([name for name in {heavy} if name in sys.modules])"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, env=environment)
    assert done.stdout == "[]\n"
