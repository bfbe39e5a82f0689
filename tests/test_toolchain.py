import ctypes
import itertools
import os
import stat
import sys
from pathlib import Path

import pytest
import ziglang

from anyhip import toolchain
from anyhip.errors import ToolchainError, UsageError


def test_the_wheel_is_found_and_answers():
    found = toolchain.find()
    assert found.kind == "zig"
    assert found.version.startswith("22.")
    assert found.host_triple == f"{os.uname().machine}-linux-gnu"
    assert found.identity.startswith(found.clang[0])


def test_run_reports_and_check_raises():
    clang = toolchain.find().clang
    failed = toolchain.run([*clang, "-c", "/no/such/file.c"])
    assert failed.returncode == 1
    assert "no such file" in failed.stderr
    with pytest.raises(ToolchainError, match="no such file or directory: '/no/such/file.c'"):
        toolchain.check([*clang, "-c", "/no/such/file.c"])


def test_a_program_that_is_not_there_is_named():
    with pytest.raises(ToolchainError, match="cannot start /no/such/program"):
        toolchain.run(["/no/such/program"])


def test_run_passes_text_in_and_keeps_no_shell():
    done = toolchain.run(["/bin/cat"], input="a $HOME `b`")
    assert done.stdout == "a $HOME `b`"


def test_a_shared_library_of_c_and_cxx(tmp_path):
    (tmp_path / "a.c").write_text("#include A\nint twice(int x) { return FACTOR * x; }\n")
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "a.h").write_text("int twice(int x);\n")
    (tmp_path / "b.cpp").write_text(
        "#include <string>\n#include <vector>\n"
        'extern "C" int length() { std::vector<std::string> v(3, std::string(40, 0)); return v[2].size(); }\n'
    )
    made = toolchain.shared_library(
        tmp_path / "lib.so",
        [tmp_path / "a.c", tmp_path / "b.cpp"],
        include_dirs=[tmp_path / "inc"],
        defines=['A="a.h"', "FACTOR=2"],
        libs=["-lm"],
    )
    library = ctypes.CDLL(str(made))
    assert library.twice(21) == 42
    assert library.length() == 40


def test_a_shared_library_that_does_not_compile_says_why(tmp_path):
    (tmp_path / "a.c").write_text("int f( {}\n")
    with pytest.raises(ToolchainError, match=r"a\.c:1:\d+: error: expected"):
        toolchain.shared_library(tmp_path / "lib.so", [tmp_path / "a.c"])


def test_device_objects_are_linked(tmp_path):
    (tmp_path / "k.s").write_text('.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\n.globl f\nf:\ns_endpgm\n')
    toolchain.check(
        [
            *toolchain.find().clang,
            "--target=amdgcn-amd-amdhsa",
            "-mcpu=gfx942",
            "-c",
            tmp_path / "k.s",
            "-o",
            tmp_path / "k.o",
        ]
    )
    made = toolchain.link_shared(tmp_path / "k.hsaco", [tmp_path / "k.o"])
    assert made.read_bytes()[16:20] == b"\x03\x00\xe0\x00"  # ET_DYN, EM_AMDGPU = 224


# ---- the host C++ library ---------------------------------------------------------------------------------


def test_the_library_can_be_chosen_and_a_wrong_one_is_refused(monkeypatch):
    monkeypatch.setenv("ANYHIP_CXX_STDLIB", "libc++")
    assert toolchain.find().stdlib == "libc++"
    assert toolchain.find().built_by_zig
    with pytest.raises(UsageError, match="unknown C\\+\\+ library libfoo"):
        toolchain.find("libfoo")


def test_a_machine_without_gcc_uses_the_wheels_own(monkeypatch, tmp_path):
    monkeypatch.setenv("ANYHIP_CACHE_DIR", str(tmp_path))  # find() remembers its answer by cache folder
    monkeypatch.setattr(toolchain, "_gcc_install_dir", lambda machine: None)
    found = toolchain.find("auto")
    assert (found.stdlib, found.built_by_zig) == ("libc++", True)
    assert "-nostdinc" in found.cxx_flags
    assert any(flag.endswith("libcxx/include") for flag in found.cxx_flags)
    with pytest.raises(ToolchainError, match=r"no g\+\+ with its C\+\+ headers"):
        toolchain.find("libstdc++")


def test_the_wheels_folders_hold_from_everywhere(monkeypatch, tmp_path):
    """Started above its own folder, zig names its headers' folders relative to where it was started."""
    monkeypatch.setenv("ANYHIP_CACHE_DIR", str(tmp_path))
    monkeypatch.chdir(Path(ziglang.__file__).parents[1])
    flags = toolchain.find("libc++").cxx_flags
    folders = [value for option, value in itertools.pairwise(flags) if option == "-isystem"]
    assert len(folders) >= 4
    assert [folder for folder in folders if not Path(folder).is_absolute()] == []
    assert all(Path(folder).is_dir() for folder in folders[:3])


def test_headers_of_the_wheels_library_compile(tmp_path):
    found = toolchain.find("libc++")
    source = "#include <vector>\n#include <cstdio>\n#ifndef _LIBCPP_VERSION\n#error not libc++\n#endif\n"
    (tmp_path / "a.cpp").write_text(source)
    toolchain.check([*found.clang, *found.cxx_flags, "-c", tmp_path / "a.cpp", "-o", tmp_path / "a.o"])


@pytest.mark.slow
def test_a_program_is_linked_with_the_wheels_library(tmp_path):
    found = toolchain.find("libc++")
    toolchain.prepare(found)
    (tmp_path / "a.cpp").write_text(
        '#include <iostream>\nint main() { std::cout << "hello" << std::endl; }\n'
    )
    compiled = [*found.clang, *found.cxx_flags, "-c", tmp_path / "a.cpp", "-o", tmp_path / "a.o"]
    toolchain.check(compiled)
    toolchain.check([*found.cxx, tmp_path / "a.o", "-o", tmp_path / "a"])
    assert toolchain.check([tmp_path / "a"]).stdout == "hello\n"


# ---- another clang ---------------------------------------------------------------------------------------


def fake_clang(folder: Path, version: str) -> None:
    """A folder that looks like LLVM's: it only answers --version."""
    for name in ("clang", "ld.lld"):
        program = folder / name
        program.write_text(f"#!/bin/sh\necho 'Debian clang version {version} (1)'\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)


def test_another_clang_is_used(tmp_path, monkeypatch):
    fake_clang(tmp_path, "22.1.3")
    monkeypatch.setenv("HIP_CLANG_PATH", str(tmp_path))
    found = toolchain.find()
    assert (found.kind, found.version, found.clang[0]) == ("clang", "22.1.3", str(tmp_path / "clang"))
    assert found.lld == (str(tmp_path / "ld.lld"),)


@pytest.mark.parametrize(
    ("version", "message"),
    [("14.0.6", "clang 14.0.6; 19 is the oldest that works"), ("", "this is no clang")],
)
def test_an_unfit_clang_is_refused(tmp_path, monkeypatch, version, message):
    fake_clang(tmp_path, version)
    if not version:
        (tmp_path / "clang").write_text("#!/bin/sh\necho gcc\n")
    monkeypatch.setenv("HIP_CLANG_PATH", str(tmp_path))
    with pytest.raises(ToolchainError, match=message):
        toolchain.find()


def test_the_wheels_linker_stands_in(tmp_path, monkeypatch):
    fake_clang(tmp_path, "20.1.0")
    (tmp_path / "ld.lld").unlink()
    monkeypatch.setenv("HIP_CLANG_PATH", str(tmp_path))
    assert toolchain.run([*toolchain.find().lld, "--version"]).stdout.startswith("LLD ")


def test_a_folder_without_clang_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("HIP_CLANG_PATH", str(tmp_path))
    with pytest.raises(ToolchainError, match="has no program clang") as raised:
        toolchain.find()
    assert "ziglang" in raised.value.hint


def test_a_cache_that_cannot_be_written_does_not_stop_the_compiler(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("ANYHIP_CACHE_DIR", str(tmp_path / "file" / "cache"))
    (tmp_path / "a.c").write_text("int one(void) { return 1; }\n")
    made = toolchain.shared_library(tmp_path / "lib.so", [tmp_path / "a.c"])
    assert ctypes.CDLL(str(made)).one() == 1


def test_a_command_that_was_killed_is_said_to_be():
    with pytest.raises(ToolchainError, match="ended by SIGKILL: is there memory and disk space left?"):
        toolchain.check([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"])
