"""What build systems and debuggers ask of the driver."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from anyhip import toolchain

OVERFLOW = "int main(int count, char**) { int most = 2147483647; most += count; return most == 0; }\n"


def has_library(name: str) -> bool:
    """Whether gcc's library of a sanitizer is installed where host code is linked."""
    folders = [flag.partition("=")[2] for flag in toolchain.find().cxx_flags if "gcc-install-dir" in flag]
    return any((Path(folder) / name).exists() for folder in folders)


@pytest.mark.skipif(not has_library("libubsan.so"), reason="gcc's libubsan is not installed")
def test_sanitizers_watch_host_code(hipcc, source):
    words = ["-g", "-O0", "-fsanitize=undefined", "-fno-sanitize-recover=undefined"]
    assert hipcc(*words, source("a.hip", OVERFLOW), "-o", "a") == (0, "", "")
    done = subprocess.run(["./a"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "a.hip:9:" in done.stderr
    assert "signed integer overflow" in done.stderr


def test_a_sanitizer_without_its_library_is_named(hipcc, source):
    code, _, said = hipcc("-fsanitize=memory", source("a.hip", OVERFLOW))
    assert code == 2
    assert "-fsanitize=memory: there is no libmemory.so for host code here" in said


def test_device_code_is_not_instrumented(hipcc, source):
    code, out, said = hipcc(
        "-S", "--cuda-device-only", "-fsanitize=undefined", source("k.hip", ""), "-o", "-"
    )
    assert (code, said) == (0, "")
    assert "ubsan" not in out


@pytest.mark.skipif(not shutil.which("gdb"), reason="gdb is not installed")
def test_a_debugger_knows_lines_and_variables(hipcc, source):
    text = "int inner(int x) { return x * 3; }\nint main() { int six = 6; return inner(six) - 18; }\n"
    assert hipcc("-g", "-O0", source("a.hip", text), "-o", "a")[0] == 0
    argv = [
        "gdb",
        "-q",
        "-nx",
        "-batch",
        "-ex",
        "break inner",
        "-ex",
        "run",
        "-ex",
        "bt",
        "-ex",
        "info args",
        "./a",
    ]
    done = subprocess.run(
        argv, capture_output=True, text=True, env=os.environ | {"DEBUGINFOD_URLS": ""}, check=False
    )
    if "ptrace" in done.stderr:
        pytest.skip("this machine does not let programs be traced")
    assert "inner (x=6) at a.hip:9" in done.stdout
    assert "main () at a.hip:10" in done.stdout


def test_the_linker_says_who_it_is(hipcc):
    code, out, said = hipcc("-Wl,--version")
    assert code == 0
    assert "LLD 22." in out + said


def test_a_response_file_for_compile_and_link(hipcc, source, tmp_path):
    source("a.hip")
    (tmp_path / "compile.rsp").write_text('-c "a.hip"\n-o a.o -DX="1 2"')
    (tmp_path / "link.rsp").write_text("a.o -Wl,-z,now\n-o a")
    assert hipcc("@compile.rsp") == (0, "", "")
    assert hipcc("@link.rsp") == (0, "", "")
    assert subprocess.run(["./a"], capture_output=True, check=True).stdout == b"__CLANG_OFFLOAD_BUNDLE__\n"


def test_clangs_names_keep_c_and_cpp_as_they_are(runtime, source, tmp_path, monkeypatch, capfd):
    from anyhip.hipcc import driver

    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.cpp").write_text("#ifdef __HIP__\n#error HIP\n#endif\nint main() { return 5; }\n")
    assert driver.main(["plain.cpp", "-o", "plain"], lambda: Path("/nowhere"), program="clang++") == 0
    assert subprocess.run(["./plain"], check=False).returncode == 5
    source("k.hip")
    assert driver.main(["-x", "hip", "k.hip", "-o", "k"], lambda: runtime, program="clang++") == 0
    assert subprocess.run(["./k"], capture_output=True, check=True).stdout == b"__CLANG_OFFLOAD_BUNDLE__\n"
    assert driver.main(["-###", "-g", "-x", "hip", "-c", "k.hip"], lambda: runtime, program="clang++") == 0
    assert capfd.readouterr().err.count('"-O0"') == 2
