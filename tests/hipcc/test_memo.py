import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anyhip.hipcc import driver, manifest, memo, steps


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("ANYHIP_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def compiles(monkeypatch):
    """How many clang passes ran."""
    count = []
    original = steps._run_one

    def counted(step):
        count.extend([step] if step.argv[1:2] == ("clang",) else [])
        return original(step)

    monkeypatch.setattr(steps, "_run_one", counted)
    return count


def age(folder: Path) -> None:
    """Files as old as those of real life: what changed during a compile is not remembered."""
    old = time.time() - 60
    for path in folder.iterdir():
        os.utime(path, (old, old))


def test_the_second_compile_starts_no_compiler(hipcc, source, tmp_path, compiles):
    source("a.hip", "int unused(int x) { int y; return x; }\n")
    age(tmp_path)
    first = hipcc("-c", "-Wall", "a.hip")
    made = (tmp_path / "a.o").read_bytes()
    (tmp_path / "a.o").unlink()
    assert len(compiles) == 2
    assert first[0] == 0
    assert "unused variable 'y'" in first[2]
    assert hipcc("-c", "-Wall", "a.hip") == first
    assert (tmp_path / "a.o").read_bytes() == made
    assert len(compiles) == 2


def test_what_changes_the_result_compiles_again(hipcc, source, tmp_path, compiles):
    (tmp_path / "h.h").write_text("int x = 1;\n")
    source("a.hip", '#include "h.h"\n')
    age(tmp_path)
    hipcc("-c", "a.hip")
    assert len(compiles) == 2
    hipcc("-c", "a.hip", "-DX")
    assert len(compiles) == 4
    hipcc("-c", "a.hip", "--offload-arch=gfx1100")
    assert len(compiles) == 6
    (tmp_path / "h.h").write_text("int x = 2;\n")
    age(tmp_path)
    hipcc("-c", "a.hip")
    assert len(compiles) == 8
    (tmp_path / "h.h").write_text("int x = 1;\n")
    age(tmp_path)
    hipcc("-c", "a.hip")  # as it was at first
    assert len(compiles) == 8
    os.utime(tmp_path / "h.h")  # touched, not changed
    hipcc("-c", "a.hip")
    assert len(compiles) == 8


def test_errors_are_not_remembered(hipcc, source, tmp_path, compiles):
    source("a.hip", "#error no\n")
    age(tmp_path)
    assert hipcc("-c", "a.hip")[0] == 1
    assert hipcc("-c", "a.hip")[0] == 1
    assert len(compiles) == 4


def test_the_clock_is_not_remembered(hipcc, source, tmp_path, compiles):
    source("a.hip", "const char* when = __TIME__;\n")
    age(tmp_path)
    hipcc("-c", "a.hip")
    hipcc("-c", "a.hip")
    assert len(compiles) == 4


def test_it_can_be_switched_off(hipcc, source, tmp_path, compiles, monkeypatch):
    monkeypatch.setenv("ANYHIP_COMPILE_CACHE", "0")
    source("a.hip", "")
    age(tmp_path)
    hipcc("-c", "a.hip")
    hipcc("-c", "a.hip")
    assert len(compiles) == 4


def test_a_damaged_manifest_is_as_good_as_none(hipcc, source, tmp_path, compiles):
    source("a.hip", "")
    age(tmp_path)
    hipcc("-c", "a.hip")
    [index] = Path(os.environ["ANYHIP_CACHE_DIR"]).rglob("*.manifest")
    for damage in (b"", b"=", b"\xff\xfe\0", b"=abc\n1 2 3\n"):
        index.write_bytes(damage)
        assert hipcc("-c", "a.hip")[0] == 0


def test_make_rules_are_read():
    text = "a.o: a\\ b.hip \\\n  x$$y.h /z\\#.h\n\na.h:\n"
    assert memo.dependencies(text) == ["a b.hip", "x$y.h", "/z#.h"]
    assert memo.dependencies("x: only") == ["only"]


# ---- whole commands --------------------------------------------------------------------------------------


def run_command(runtime: Path, *words: str) -> int:
    key = manifest.command_key("hipcc", list(words))
    return 100 if manifest.replay(key) else driver.main(words, lambda: runtime, key)


def test_a_whole_command_is_answered_from_the_cache(runtime, source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source("a.hip", "int main() { return 9; }\n")
    age(tmp_path)
    assert run_command(runtime, "a.hip", "-o", "a") == 0
    (tmp_path / "a").unlink()
    assert run_command(runtime, "a.hip", "-o", "a") == 100
    assert subprocess.run(["./a"], check=False).returncode == 9
    source("a.hip", "int main() { return 8; }\n")
    age(tmp_path)
    assert run_command(runtime, "a.hip", "-o", "a") == 0
    assert subprocess.run(["./a"], check=False).returncode == 8


def test_a_library_that_changed_is_linked_again(runtime, hipcc, source, tmp_path):
    source("a.hip", "int f();\nint main() { return f(); }\n")
    for value in (1, 2):
        source("f.c", f"int f(void) {{ return {value}; }}\n".replace("f(void)", "_Z1fv(void)"), "")
        assert hipcc("-c", "f.c")[0] == 0
        age(tmp_path)
        assert run_command(runtime, "a.hip", "f.o", "-o", "a") == 0
        assert subprocess.run(["./a"], check=False).returncode == value
    assert run_command(runtime, "a.hip", "f.o", "-o", "a") == 100


@pytest.mark.parametrize(
    "words", [["-v", "-c", "a.hip"], ["-c", "-x", "hip", "-"], ["@args"], ["-M", "a.hip"]]
)
def test_commands_that_are_never_replayed(words):
    assert manifest.command_key("hipcc", words) == ""


def test_a_replay_imports_next_to_nothing(runtime, source, tmp_path, monkeypatch):
    """The point of it: a repeated compile must cost no more than Python's own start."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.hip").write_text("int f() { return 1; }\n")
    age(tmp_path)
    assert run_command(runtime, "-c", "a.hip") == 0
    code = (
        "import sys; from anyhip.tools.hipcc import main; assert main(['-c', 'a.hip']) == 0;"
        "print({'pathlib', 'subprocess', 'dataclasses', 'typing', 'anyhip.toolchain'} & set(sys.modules))"
    )
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-S", "-c", code]
    assert subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout == "set()\n"
