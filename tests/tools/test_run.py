import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anyhip import cli
from anyhip.tools import run

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "vector_add.cu"

# Host code only: these programs build in a fraction of a second and need no device.
PLAIN = "#include <cstdio>\n#include <cstdlib>\n"


def anyhip(*words: str, cwd: Path, **options) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")} | options.pop("env", {})
    command = [sys.executable, "-m", "anyhip", *words]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False, **options)


@pytest.fixture
def program(tmp_path):
    def write(name: str, body: str) -> Path:
        path = tmp_path / name
        path.write_text(PLAIN + body)
        os.utime(path, (time.time() - 60,) * 2)
        return path

    return write


def test_the_example_is_ported_built_run_and_right(tmp_path):
    done = anyhip("run", "--explain", str(EXAMPLE), cwd=tmp_path)
    assert done.stdout == "launching 196 blocks of 256 threads\nPASS: 50000 sums are right\n"
    assert done.returncode == 0
    for word in (
        "port",
        "cudaMalloc -> hipMalloc",
        "compile",
        "code",
        "gfx942",
        "link",
        "run",
        "exit code 0",
    ):
        assert word in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_arguments_and_exit_code_are_the_programs(program, tmp_path):
    program(
        "a.hip", 'int main(int c, char** v) { printf("%d %s %s\\n", c, v[1], v[2]); return atoi(v[2]); }\n'
    )
    for _ in range(2):  # built, then from the cache
        done = anyhip("run", "a.hip", "--", "--explain", "7", cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (7, "3 --explain 7\n", "")


def test_a_signal_becomes_an_exit_code(program, tmp_path):
    program("a.hip", "int main() { abort(); }\n")
    assert anyhip("run", "a.hip", cwd=tmp_path).returncode == 128 + signal.SIGABRT
    assert anyhip("run", "a.hip", cwd=tmp_path).returncode == 128 + signal.SIGABRT


def test_interrupt_reaches_the_program(program, tmp_path):
    program("a.hip", '#include <unistd.h>\nint main() { puts("up"); fflush(stdout); pause(); return 0; }\n')
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    child = subprocess.Popen(
        [sys.executable, "-m", "anyhip", "run", "a.hip"],
        cwd=tmp_path, env=env, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert child.stdout.readline() == "up\n"
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=30)
    assert (child.returncode, said) == (130, "")


def test_messages_speak_of_the_users_file_and_line(tmp_path):
    (tmp_path / "bad.cu").write_text(
        "__global__ void k(int* p) {\n    *p = missing;\n}\nint main() { cudaFree(0); }\n"
    )
    done = anyhip("run", "bad.cu", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("bad.cu:2:10: error: use of undeclared identifier 'missing'\n")
    assert "ported" not in done.stderr


def test_keep_leaves_the_ported_program(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text('#include "b.cuh"\nint main() { return value(); }\n')
    (tmp_path / "src" / "b.cuh").write_text(
        "#include <cuda_runtime.h>\ninline int value() { return cudaSuccess + 3; }\n"
    )
    done = anyhip("run", "src/a.cu", "--keep", "out", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (3, "")
    assert (tmp_path / "out" / "a.hip").read_text() == (tmp_path / "src" / "a.cu").read_text()
    assert "hip/hip_runtime.h" in (tmp_path / "out" / "b.cuh").read_text()
    assert subprocess.run([tmp_path / "out" / "a"], check=False).returncode == 3


def test_a_changed_header_is_seen(program, tmp_path):
    program("a.cu", '#include "n.h"\nint main() { return N; }\n')
    for value in (4, 5):
        (tmp_path / "n.h").write_text(f"#define N {value}\n")
        os.utime(tmp_path / "n.h", (time.time() - 60 + value,) * 2)
        assert anyhip("run", "a.cu", cwd=tmp_path).returncode == value


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no.cu"], "cannot read no.cu: No such file or directory"),
        (["."], "cannot read .: Is a directory"),
        ([], "no source to run"),
        (["a.hip", "-c"], "anyhip run makes a program and starts it"),
        (["a.hip", "--offload-arch=gfx1"], "unknown architecture 'gfx1'"),
        (["a.hip", "--keep"], "--keep needs a folder"),
        (["a.hip", "--keep", "a.hip"], "cannot write into a.hip"),
        (["a.o"], "a.o is not a source"),
    ],
)
def test_requests_that_cannot_be_meant(program, tmp_path, monkeypatch, capsys, words, message):
    program("a.hip", "int main() {}\n")
    (tmp_path / "a.o").write_text("")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["run", *words]) == 2
    said = capsys.readouterr().err
    assert said.startswith("anyhip: error: ")
    assert message in said
    assert "hint: " in said


def test_text_that_is_not_utf8_is_kept(tmp_path):
    head = "#include <cuda_runtime.h>\n#include <cstdio>\n// caf\xe9\n"
    source = head + 'int main() { puts("\xe9"); return cudaSuccess; }\n'
    (tmp_path / "a.cu").write_bytes(source.encode("latin-1"))
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "anyhip", "run", "a.cu"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"\xe9\n")


def test_a_full_disk_is_said_and_does_not_stop_the_program(program, tmp_path):
    program("a.hip", "int main() { return 6; }\n")
    (tmp_path / "file").write_text("in the way")
    folder = str(tmp_path / "file" / "cache")
    done = anyhip("run", "-no-hip-rt", "a.hip", cwd=tmp_path, env={"ANYHIP_CACHE_DIR": folder})
    assert done.returncode == 6
    assert done.stderr.count("nothing is being cached") == 1
    assert "Traceback" not in done.stderr


def test_an_object_that_does_not_fit_leaves_the_cache_sound(program, tmp_path):
    program("a.hip", "char big[2000000] = {1};\nint main() { return big[1]; }\n")

    def small_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

    env = {"ANYHIP_CACHE_DIR": str(tmp_path / "cache")}
    done = anyhip("run", "-no-hip-rt", "a.hip", cwd=tmp_path, env=env, preexec_fn=small_files)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert anyhip("run", "-no-hip-rt", "a.hip", cwd=tmp_path, env=env).returncode == 0


def test_words_are_sorted():
    request = run.parse(["a.cu", "-I", "x", "--keep=out", "--explain", "--", "--help", "--keep"])
    assert request.compile_words == ["a.cu", "-I", "x"]
    assert request.program_words == ["--help", "--keep"]
    assert (request.keep, request.explain, request.help) == ("out", True, False)


def test_a_byte_order_mark_is_no_part_of_the_program(tmp_path):
    (tmp_path / "a.cu").write_bytes(b"\xef\xbb\xbf#include <cuda_runtime.h>\nint main() { return 9; }\n")
    done = anyhip("run", "-no-hip-rt", "a.cu", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (9, "")


def test_utf16_is_refused_at_once(tmp_path):
    (tmp_path / "a.cu").write_bytes("int main() {}\n".encode("utf-16"))
    done = anyhip("run", "a.cu", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        "anyhip: error: a.cu is UTF-16 text\n"
        "  hint: save it as UTF-8: iconv -f UTF-16 -t UTF-8 a.cu\n"
    )  # fmt: skip


def test_hipcc_makes_no_program_whose_library_will_be_gone(program, tmp_path):
    program("a.hip", "int main() {}\n")
    (tmp_path / "file").write_text("in the way")
    env = os.environ | {"PYTHONPATH": str(ROOT / "src"), "ANYHIP_CACHE_DIR": str(tmp_path / "file" / "cache")}
    command = [sys.executable, "-m", "anyhip.tools.hipcc", "a.hip", "-o", "a"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "the runtime library that programs need cannot be kept" in done.stderr
    assert not (tmp_path / "a").exists()


@pytest.mark.slow
@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"\xa5" * len(data)])
def test_damaged_caches_mend_themselves(tmp_path, damage):
    folder = tmp_path / "cache"
    env = {"ANYHIP_CACHE_DIR": str(folder)}
    words = ["run", str(EXAMPLE)]
    assert anyhip(*words, cwd=tmp_path, env=env).returncode == 0
    # What keeps its length cannot be told from what is right where another program reads it first.
    kinds = ("kernels", "engine", "objects")
    if len(damage(b"12")) < 2:
        kinds = (*kinds, "sdk", "ported", "devicelib", "toolchain")
    for entry in (path for kind in kinds for path in (folder / kind).rglob("*")):
        if entry.is_file() and not entry.is_symlink() and not entry.name.endswith(".lock"):
            entry.write_bytes(damage(entry.read_bytes()))
    for _ in range(2):
        done = anyhip(*words, cwd=tmp_path, env=env)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.endswith("PASS: 50000 sums are right\n")


@pytest.mark.parametrize("name", [b"caf\xe9.cu", b"two words.cu", b'quo"te.cu', b"line\nend.hip"])
def test_any_name_of_a_file_will_do(tmp_path, name):
    include = b"#include <cuda_runtime.h>\n" if name.endswith(b".cu") else b""
    (tmp_path / os.fsdecode(name)).write_bytes(include + b"int main() { return 8; }\n")
    for _ in range(2):
        done = anyhip("run", "-no-hip-rt", os.fsdecode(name), cwd=tmp_path)
        assert (done.returncode, done.stderr) == (8, "")
