import re

import pytest

from anyhip.tools import hipconfig


def ask(capsys, *words: str) -> tuple[int, str, str]:
    code = hipconfig.main(words)
    return (code, *capsys.readouterr())


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("ROCM_PATH", str(tmp_path))
    return tmp_path


def test_single_facts_have_no_newline_unless_asked(capsys, root):
    assert ask(capsys, "--platform") == (0, "amd", "")
    assert ask(capsys, "-P", "-n") == (0, "amd\n", "")
    assert ask(capsys, "-c") == (0, "clang", "")
    assert ask(capsys, "-r") == (0, "rocclr", "")
    assert ask(capsys, "--rocmpath") == (0, str(root), "")
    assert ask(capsys, "-p") == (0, str(root), "")
    assert re.fullmatch(r"7\.2\.\d+-anyhip", ask(capsys, "-v")[1])


def test_the_environment_wins(capsys, root, monkeypatch):
    monkeypatch.setenv("HIP_PATH", "/opt/hip")
    monkeypatch.setenv("HIP_CLANG_PATH", "/opt/llvm/bin")
    assert ask(capsys, "--path")[1] == "/opt/hip"
    assert ask(capsys, "-l")[1] == "/opt/llvm/bin"
    assert ask(capsys, "-C")[1] == " -D__HIP_PLATFORM_HCC__= -D__HIP_PLATFORM_AMD__= -I/opt/hip/include"


def test_everything_is_the_default(capsys, root):
    code, out, _ = ask(capsys)
    assert code == 0
    assert out == ask(capsys, "--full")[1]
    for line in ("HIP version: 7.2.", "HIP_PLATFORM : amd", f"ROCM_PATH    : {root}", "clang version 22."):
        assert line in out


def test_check_names_what_is_missing(capsys, root):
    code, out, _ = ask(capsys, "--check")
    assert code == 1
    assert f"MISSING headers: {root}/include/hip/hip_runtime.h" in out


def test_an_unknown_option_is_refused(capsys, root):
    assert ask(capsys, "--nonsense") == (
        2,
        "",
        "hipconfig: error: unknown option --nonsense\n  hint: hipconfig --help lists them\n",
    )
