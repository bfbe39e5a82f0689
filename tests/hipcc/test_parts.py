"""The driver's small parts: the fat-binary object, the merging of messages, the scheduler."""

import io
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from anyhip import toolchain
from anyhip.hipcc import diagnostics, fatbin, steps
from anyhip.hipcc.steps import Step


def test_the_object_that_carries_device_code():
    data = fatbin.host_object(b"bundle" * 1000, ["__hip_fatbin_0123", "__hip_fatbin_abcd"], "x86_64")
    elf = ELFFile(io.BytesIO(data))
    section = elf.get_section_by_name(".hip_fatbin")
    assert elf["e_machine"] == "EM_X86_64"
    assert section.data() == b"bundle" * 1000
    assert section["sh_addralign"] == 4096
    assert section["sh_offset"] % 4096 == 0
    symbols = list(elf.get_section_by_name(".symtab").iter_symbols())[1:]
    assert [(one.name, one["st_value"], one["st_info"]["bind"]) for one in symbols] == [
        ("__hip_fatbin_0123", 0, "STB_GLOBAL"),
        ("__hip_fatbin_abcd", 0, "STB_GLOBAL"),
    ]
    assert all(one["st_other"]["visibility"] == "STV_HIDDEN" for one in symbols)
    assert elf.get_section_by_name(".note.GNU-stack")["sh_flags"] == 0


def test_the_object_links(tmp_path):
    (tmp_path / "f.o").write_bytes(fatbin.host_object(b"text\0", ["__hip_fatbin_1"], "x86_64"))
    (tmp_path / "a.c").write_text(
        "extern char __hip_fatbin_1[]; const char *get(void) { return __hip_fatbin_1; }\n"
    )
    import ctypes

    made = toolchain.shared_library(tmp_path / "a.so", [tmp_path / "a.c"], libs=[tmp_path / "f.o"])
    library = ctypes.CDLL(str(made))
    library.get.restype = ctypes.c_char_p
    assert library.get() == b"text"


def test_names_of_fat_binaries_are_found():
    assert fatbin.fatbin_symbols(b"\0__hip_fatbin_00ff\0__hip_fatbin_wrapper\0__hip_fatbin_12\0") == [
        "__hip_fatbin_00ff",
        "__hip_fatbin_12",
    ]


HOST = """\
In file included from a.hip:1:
In file included from ./b.h:1:
./c.h:2:5: warning: one
    2 |   x
      |   ^
a.hip:9:1: note: belongs to one
a.hip:3:1: error: two
2 warnings generated when compiling for host.
"""


def test_messages_are_cut_with_their_stack_and_notes():
    found = diagnostics.blocks(HOST)
    assert [block.splitlines()[0] for block in found] == [
        "In file included from a.hip:1:",
        "a.hip:3:1: error: two",
        "2 warnings generated when compiling for host.",
    ]
    assert "".join(found) == HOST


def test_a_second_pass_adds_only_what_is_new():
    device = HOST.replace("for host", "for gfx942")
    assert diagnostics.merged([HOST, device]) == HOST
    more = "a.hip:7:1: error: three\n1 error generated when compiling for gfx942.\n"
    assert diagnostics.merged([HOST, device.replace("2 warn", more + "2 warn", 1)]).startswith(HOST)
    assert diagnostics.merged([HOST, more]) == HOST + more
    assert diagnostics.merged(["", more, more.replace("gfx942", "gfx1100")]) == more


def test_colours_do_not_make_a_message_another():
    coloured = "\x1b[1ma.hip:3:1: \x1b[31merror: \x1b[0mtwo\n"
    assert diagnostics.merged([coloured, "a.hip:3:1: error: two\n"]) == coloured


def test_our_name_stands_in_front():
    assert diagnostics.merged(["zig: warning: argument unused\n"]) == "hipcc: warning: argument unused\n"


def step(name: str, inputs: str = "", command: str = "true", action=None) -> Step:
    return Step(
        "host", (f"/bin/{command}", name), (Path(name),), tuple(map(Path, inputs.split())), action=action
    )


def test_steps_run_after_what_they_need():
    order = []

    def note(name: str):
        return lambda: order.append(name)

    plan = [
        step("c", "a b", action=note("c")),
        step("a", action=note("a")),
        step("b", "a outside", action=note("b")),
    ]
    results = steps.run(plan, jobs=2)
    assert order == ["a", "b", "c"]
    assert [result.step.argv[1] for result in results] == ["c", "a", "b"]


def test_what_needs_a_failed_step_is_left_out_and_the_rest_runs():
    results = steps.run([step("a", command="false"), step("b", "a"), step("c")], jobs=1)
    assert [(result.step.argv[1], result.returncode) for result in results] == [("a", 1), ("c", 0)]


def test_an_error_of_an_action_is_raised():
    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        steps.run([step("a", action=fail)])


def test_words_are_quoted_as_clang_quotes():
    quoted = steps.printed(Step("host", ("clang", 'a "b"', "$c\\")))
    assert quoted == ' "clang" "a \\"b\\"" "\\$c\\\\"'
