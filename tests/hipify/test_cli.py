"""Command lines: options with one dash and with two, where output goes, exit codes."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from anyhip.hipify import cli

CUDA = "#include <cuda_runtime.h>\nint main() { k<<<1, 2>>>(3); return cudaFree(0); }\n"
HIP = "#include <hip/hip_runtime.h>\nint main() { k<<<1, 2>>>(3); return hipFree(0); }\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.cu"
    path.write_text(CUDA)
    return path


def test_perl_prints(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main_perl([str(source)]) == 0
    assert capfd.readouterr() == (HIP, "")


@pytest.mark.parametrize("dash", ["-", "--"])
def test_perl_writes_where_told(source: Path, tmp_path: Path, dash: str) -> None:
    assert cli.main_perl([f"{dash}o={tmp_path / 'b.hip'}", str(source)]) == 0
    assert (tmp_path / "b.hip").read_text() == HIP
    assert cli.main_perl([f"{dash}o", str(tmp_path / "c.hip"), str(source)]) == 0
    assert (tmp_path / "c.hip").read_text() == HIP


def test_perl_launch_syntax(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main_perl(["--hip-kernel-execution-syntax", str(source)]) == 0
    assert "hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, 3);" in capfd.readouterr().out


def test_perl_in_place_reads_the_backup_again(source: Path) -> None:
    assert cli.main_perl(["-inplace", str(source)]) == 0
    assert source.read_text() == HIP
    assert source.with_name("a.cu.prehip").read_text() == CUDA
    source.write_text("broken by hand")
    assert cli.main_perl(["-inplace", str(source)]) == 0
    assert source.read_text() == HIP


def test_perl_keeps_permissions(source: Path) -> None:
    source.chmod(0o755)
    assert cli.main_perl(["-inplace", str(source)]) == 0
    assert source.stat().st_mode & 0o777 == 0o755


def test_perl_examine(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main_perl(["-examine", str(source)]) == 0
    out, err = capfd.readouterr()
    assert out == ""
    assert f"[HIPIFY] info: file '{source}' statistics:" in err
    assert "CONVERTED refs count: 3\n  TOTAL lines of code: 2\n  WARNINGS: 0\n" in err
    assert "  cudaFree => hipFree: 1\n" in err


def test_warnings_name_the_place(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "w.cu"
    path.write_text("\n cudaGraphConditionalHandle h;\n")
    assert cli.main_perl(["-no-output", str(path)]) == 0
    assert capfd.readouterr().err == (
        f"{path}:2:2: warning: cudaGraphConditionalHandle:"
        " HIP has no counterpart of cudaGraphConditionalHandle [unsupported]\n"
    )
    assert cli.main_perl(["-no-output", "-quiet-warnings", str(path)]) == 0
    assert cli.main_perl(["-no-output", "-whitelist=x,cudaGraphConditionalHandle", str(path)]) == 0
    assert capfd.readouterr() == ("", "")


def test_perl_exclusions(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main_perl(["-exclude-files=a.cu", str(source)]) == 0
    assert cli.main_perl([f"-exclude-dirs=x,{source.parent}", str(source)]) == 0
    assert capfd.readouterr().out == ""


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CUDA.encode())))
    assert cli.main_perl(["-"]) == 0
    assert capfd.readouterr().out == HIP


def test_clang_writes_beside(source: Path, tmp_path: Path) -> None:
    words = [str(source), "--cuda-path=/x", "-I", "include", "-DX=1", "--", "-std=c++17", "-x", "cuda"]
    assert cli.main_clang(words) == 0
    assert (tmp_path / "a.cu.hip").read_text() == HIP


@pytest.mark.parametrize("main", [cli.main_perl, cli.main_clang, cli.main_examine, cli.main_convert])
def test_help_and_version(main: object, capfd: pytest.CaptureFixture[str]) -> None:
    assert callable(main)
    assert main(["--help"]) == 0
    assert "usage: hip" in capfd.readouterr().out
    assert main(["-version"]) == 0
    assert capfd.readouterr().out == f"HIP version {cli.HIP_VERSION}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no input file"),
        (["-nonsense", "a.cu"], "unknown option -nonsense"),
        (["-roc=1", "a.cu"], "takes no value"),
        (["a.cu", "-o"], "-o needs a value"),
        (["-o=x", "a.cu", "b.cu"], "several input files"),
    ],
)
def test_wrong_command_lines(words: list[str], message: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main_perl(words) == 2
    err = capfd.readouterr().err
    assert message in err
    assert "hint: " in err


def test_a_missing_file_does_not_stop_the_others(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main_perl([str(source.with_name("none.cu")), str(source)]) == 1
    out, err = capfd.readouterr()
    assert out == HIP
    assert "cannot read" in err
    assert "none.cu" in err


def test_unwritable_output(source: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main_perl([f"-o={tmp_path / 'absent' / 'b.hip'}", str(source)]) == 1
    assert "cannot write" in capfd.readouterr().err


def test_trees(source: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.cuh").write_text("void f(cudaStream_t s);\n")
    (tmp_path / "sub" / "notes.txt").write_text("cudaFree")
    assert cli.main_examine([str(tmp_path)]) == 0
    assert source.read_text() == CUDA
    assert "file 'GLOBAL' statistics:\n  CONVERTED refs count: 4\n" in capfd.readouterr().err
    assert cli.main_convert([str(tmp_path), "-filter=headers", "-quiet-warnings"]) == 0
    assert source.read_text() == CUDA
    assert cli.main_convert([str(tmp_path)]) == 0
    assert source.read_text() == HIP
    assert "hipStream_t" in (tmp_path / "sub" / "b.cuh").read_text()
    assert (tmp_path / "sub" / "notes.txt").read_text() == "cudaFree"
    assert cli.main_examine([str(source)]) == 2


def test_a_full_disk_under_the_output_is_an_error_not_a_traceback(tmp_path):
    source = tmp_path / "a.cu"
    source.write_text("int main() { cudaFree(0); }\n")
    command = [sys.executable, "-c", "from anyhip.hipify.cli import main_perl; raise SystemExit(main_perl())"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*command, str(source)], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert "hipify-perl: error:" in done.stderr
    assert "Traceback" not in done.stderr
