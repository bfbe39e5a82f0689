"""The folder that looks like a ROCm installation: its parts, and CMake projects that are built with it."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from anyhip.codeobj import bundle
from anyhip.hipcc.driver import HIP_VERSION
from anyhip.sdk import root

PROJECTS = Path(__file__).parent / "cmake"
needs_cmake = pytest.mark.skipif(not shutil.which("cmake"), reason="CMake is not installed")


@pytest.fixture(scope="module")
def rocm() -> Path:
    return root.ensure()


def run(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run with the folder's commands before all others, and with next to none of the user's settings."""
    kept = {name: os.environ[name] for name in ("HOME", "ANYHIP_CACHE_DIR") if name in os.environ}
    kept["PATH"] = f"{root.ensure() / 'bin'}:{os.environ['PATH']}"
    return subprocess.run(
        [str(word) for word in words], env=kept | environment, capture_output=True, text=True, check=False
    )


def test_libraries_have_every_name_that_is_asked_for(rocm):
    for stem in ("libamdhip64.so", "libhiprtc.so"):
        real = (rocm / "lib" / f"{stem}.7").resolve()
        for name in (stem, f"{stem}.6", f"{stem}.8"):
            assert (rocm / "lib" / name).resolve() == real
    assert (rocm / "include" / "hip" / "hip_runtime.h").is_file()
    assert (rocm / "llvm" / "bin" / "clang++").samefile(rocm / "lib" / "llvm" / "bin" / "clang++")


def test_devices_as_build_systems_ask_for_them(rocm):
    two = {"ANYHIP_DEVICE": "virtual:gfx1100,virtual:gfx942x2"}
    enumerator = rocm / "bin" / "rocm_agent_enumerator"
    assert run(enumerator, **two).stdout.split() == ["gfx000", "gfx1100", "gfx942", "gfx942"]
    assert run(enumerator, "-t", "GPU", **two).stdout.split() == ["gfx1100", "gfx942", "gfx942"]
    assert run(rocm / "bin" / "offload-arch", **two).stdout.split()[0] == "gfx1100"
    assert run(rocm / "bin" / "offload-arch", "--only=nvptx", **two).returncode == 1
    refused = run(rocm / "llvm" / "bin" / "amdgpu-arch", "--what")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "unknown option --what" in refused.stderr


def test_clang_says_where_hip_is(rocm):
    done = run(rocm / "llvm" / "bin" / "clang++", "-v", "-print-targets")
    assert done.returncode == 0
    assert f"Found HIP installation: {rocm}, version {HIP_VERSION}" in done.stderr.splitlines()
    assert "amdgcn" in done.stdout
    assert "clang version 22." in run(rocm / "llvm" / "bin" / "clang", "--version").stdout


def test_archives_are_made_without_binutils(rocm, tmp_path):
    (tmp_path / "f.c").write_text("int f(void) { return 7; }\n")
    (tmp_path / "m.c").write_text("int f(void);\nint main(void) { return f(); }\n")
    tools = rocm / "llvm" / "bin"
    assert run(tools / "clang", "-c", tmp_path / "f.c", "-o", tmp_path / "f.o").returncode == 0
    assert run(tools / "llvm-ar", "rc", tmp_path / "libf.a", tmp_path / "f.o").returncode == 0
    assert run(tools / "llvm-ranlib", tmp_path / "libf.a").returncode == 0
    linked = run(tools / "clang", tmp_path / "m.c", f"-L{tmp_path}", "-lf", "-o", tmp_path / "m")
    assert (linked.returncode, linked.stderr) == (0, "")
    assert run(tmp_path / "m").returncode == 7
    assert "amdhip64" not in run("readelf", "-d", tmp_path / "m").stdout


def configured(name: str, folder: Path, *options: str) -> Path:
    """Configure and build a project of this folder, and run its tests."""
    done = run("cmake", "-S", PROJECTS / name, "-B", folder, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Warning" not in done.stderr
    done = run("cmake", "--build", folder, "--parallel", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    done = run("ctest", "--test-dir", folder, "--output-on-failure")
    assert done.returncode == 0, done.stdout
    assert "100% tests passed" in done.stdout
    return folder


@needs_cmake
def test_cmake_knows_the_language_hip(rocm, tmp_path):
    options = (f"-DCMAKE_PREFIX_PATH={rocm}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    made = configured("language", tmp_path, *options)
    commands = json.loads((made / "compile_commands.json").read_text())
    assert sum("-x hip" in one["command"] for one in commands) == 6
    carried = bundle.host_bundles((made / "main").read_bytes())
    assert {entry.target.id for one in carried for entry in bundle.unbundle(one) if entry.target} == {
        "gfx942"
    }


@needs_cmake
@pytest.mark.slow
@pytest.mark.parametrize("name", ["bin/hipcc", "llvm/bin/clang++"])
def test_cmake_with_a_compiler_that_compiles_hip(rocm, tmp_path, name):
    configured("compiler", tmp_path, f"-DCMAKE_CXX_COMPILER={rocm / name}", f"-DCMAKE_PREFIX_PATH={rocm}")
