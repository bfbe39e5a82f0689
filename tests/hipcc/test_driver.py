import subprocess

import pytest

from anyhip.codeobj import bundle
from anyhip.hipcc import devicelib
from anyhip.hipcc.device import INCLUDE


def ids(path) -> list[str]:
    return [entry.id for entry in bundle.unbundle(path.read_bytes())]


def test_a_program_is_built_and_carries_its_device_code(hipcc, source, tmp_path):
    assert hipcc(source("a.hip"), "-o", "a") == (0, "", "")
    assert (
        subprocess.run(["./a"], capture_output=True, text=True, check=True).stdout
        == "__CLANG_OFFLOAD_BUNDLE__\n"
    )
    [carried] = bundle.host_bundles((tmp_path / "a").read_bytes())
    assert [entry.id for entry in bundle.unbundle(carried)] == [
        "host-x86_64-unknown-linux-gnu-",
        "hipv4-amdgcn-amd-amdhsa--gfx942",
    ]


def test_several_sources_and_objects_make_one_program(hipcc, source, tmp_path):
    source("k.cu", "void go() { twice<<<1, 1>>>(nullptr); }\n")
    (tmp_path / "c.c").write_text("int answer(void) { return 42; }\n")
    (tmp_path / "main.cc").write_text(
        '#include <string>\nextern "C" int answer(); void go();\n'
        'int main() { go(); return std::to_string(answer()) == "42" ? 7 : 1; }\n'
    )
    assert hipcc("-c", "k.cu", "c.c") == (0, "", "")
    assert sorted(path.name for path in tmp_path.glob("*.o")) == ["c.o", "k.o"]
    assert hipcc("main.cc", "k.o", "c.o") == (0, "", "")
    assert subprocess.run(["./a.out"], check=False).returncode == 7


def test_a_shared_library(hipcc, source, tmp_path):
    import ctypes

    source("k.hip", 'extern "C" int f() { twice<<<1, 1>>>(nullptr); return 5; }\n')
    assert hipcc("-shared", "-fPIC", "k.hip", "-o", "libk.so") == (0, "", "")
    assert ctypes.CDLL(str(tmp_path / "libk.so")).f() == 5


def test_a_code_object_for_several_targets(hipcc, source, tmp_path):
    assert hipcc("--genco", "--offload-arch=gfx942,gfx1100", source("k.hip", ""), "-o", "k.co") == (0, "", "")
    assert ids(tmp_path / "k.co") == [
        "host-x86_64-unknown-linux-gnu-",
        "hipv4-amdgcn-amd-amdhsa--gfx942",
        "hipv4-amdgcn-amd-amdhsa--gfx1100",
    ]
    assert hipcc("--genco", "--no-gpu-bundle-output", "k.hip", "-o", "k.hsaco") == (0, "", "")
    assert (tmp_path / "k.hsaco").read_bytes()[:20:18] == b"\x7f\xe0"  # an ELF for machine 224
    assert hipcc("--genco", "--offload-compress", "k.hip", "-o", "k.ccob")[0] == 0
    assert (tmp_path / "k.ccob").read_bytes()[:4] == b"CCOB"
    assert ids(tmp_path / "k.ccob")[1:] == ["hipv4-amdgcn-amd-amdhsa--gfx942"]


def test_nvidia_code_is_text_in_the_same_bundle(hipcc, source, tmp_path):
    code, _, said = hipcc("--genco", "--offload-arch=gfx942,sm_90", source("k.hip", ""), "-o", "k.co")
    assert (code, said) == (0, "")
    entries = {
        entry.id.rpartition("--")[2]: entry.data
        for entry in bundle.unbundle((tmp_path / "k.co").read_bytes())
    }
    assert b".target sm_90" in entries["sm_90"]
    assert b".entry _Z5twicePf" in entries["sm_90"]


def test_text_outputs(hipcc, source, tmp_path):
    source("k.hip", "")
    code, out, _ = hipcc("-S", "--cuda-device-only", "k.hip", "-o", "-")
    assert code == 0
    assert ".amdhsa_kernel _Z5twicePf" in out
    code, out, _ = hipcc("-S", "-emit-llvm", "--cuda-device-only", "k.hip", "-o", "-")
    assert "amdgpu_kernel void @_Z5twicePf" in out
    assert hipcc("-S", "k.hip")[0] == 0
    both = (tmp_path / "k.s").read_text()
    assert "# __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx942" in both
    assert "# __CLANG_OFFLOAD_BUNDLE____START__ host-x86_64-unknown-linux-gnu-" in both
    code, out, _ = hipcc("-E", "-DNAME=value", source("e.hip", "int x = NAME;\n", ""))
    assert "int x = value;" in out


def test_source_from_standard_input(hipcc, monkeypatch, tmp_path):
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("int main() { return 3; }\n"))
    assert hipcc("-x", "hip", "-", "-o", "a") == (0, "", "")
    assert subprocess.run(["./a"], check=False).returncode == 3


def test_save_temps_keeps_each_stage(hipcc, source, tmp_path):
    assert hipcc("-c", "--save-temps", source("k.hip", "")) == (0, "", "")
    device = "k-hip-amdgcn-amd-amdhsa-gfx942"
    host = "k-host-x86_64-unknown-linux-gnu"
    kept = {path.name for path in tmp_path.iterdir()}
    assert {f"{device}.hipi", f"{device}.bc", f"{device}.s", f"{device}.o", f"{device}.out"} <= kept
    assert {f"{host}.hipi", f"{host}.bc", f"{host}.s", "k-hip-amdgcn-amd-amdhsa.hipfb", "k.o"} <= kept


def test_optimisation_reaches_code_generation(hipcc, source, tmp_path):
    source("k.hip", "")
    sizes = {}
    for level in ("-O0", "-O3"):
        code, out, _ = hipcc("-S", "--cuda-device-only", level, "k.hip", "-o", "-")
        assert code == 0
        sizes[level] = out.count("\n\tv_")
    assert sizes["-O3"] < sizes["-O0"]
    assert hipcc("-S", "--cuda-device-only", "k.hip", "-o", "-")[1].count("\n\tv_") == sizes["-O3"]


# ---- what it says ----------------------------------------------------------------------------------------


def test_the_same_error_of_two_passes_is_said_once(hipcc, source):
    code, out, said = hipcc("-c", source("bad.hip", 'int x = "text";\n'))
    assert (code, out) == (1, "")
    assert said.count("error: cannot initialize a variable") == 1
    assert said.startswith("bad.hip:9:5: error: ")
    assert said.endswith("1 error generated when compiling for host.\n")


def test_an_error_of_one_device_pass_is_said(hipcc, source):
    code, _, said = hipcc("-c", source("bad.hip", "#if __HIP_DEVICE_COMPILE__\n#error device\n#endif\n"))
    assert code == 1
    assert said == (
        "bad.hip:10:2: error: device\n   10 | #error device\n      |  ^\n"
        "1 error generated when compiling for gfx942.\n"
    )


def test_a_link_error_has_the_linkers_exit_code(hipcc, source):
    code, _, said = hipcc(source("a.hip", "int nowhere();\nint main() { return nowhere(); }\n"))
    assert code == 1
    assert "undefined symbol: nowhere()" in said
    assert "zig:" not in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no.hip"], "no such file or directory: 'no.hip'"),
        (["."], "'.' is a directory"),
        ([], "no input files"),
        (["-c", "a.hip", "b.hip", "-o", "x.o"], "cannot specify -o when generating multiple output files"),
        (["-c", "a.hip", "--offload-arch=gfx77"], "unknown architecture 'gfx77'"),
    ],
)
def test_commands_that_cannot_be_meant(hipcc, source, words, message):
    source("a.hip")
    source("b.hip")
    code, out, said = hipcc(*words)
    assert (code, out) == (2, "")
    assert said.startswith("hipcc: error: ")
    assert message in said


def test_the_plan_is_printed_and_nothing_is_run(hipcc, source, tmp_path):
    code, out, said = hipcc("-###", source("a.hip"), "--offload-arch=gfx942,gfx1100", "-o", "a")
    assert (code, out) == (0, "")
    lines = said.splitlines()
    assert [path.name for path in tmp_path.iterdir()] == ["a.hip"]
    assert sum('"--cuda-device-only"' in line for line in lines) == 2
    assert sum('"--cuda-host-only"' in line for line in lines) == 1
    assert sum("libamdhip64.so.7" in line for line in lines) == 1
    assert all(line.startswith(' "') for line in lines)


def test_verbose_prints_the_plan_and_runs_it(hipcc, source, tmp_path):
    code, _, said = hipcc("-v", "-c", source("a.hip"))
    assert code == 0
    assert said.count('"--cuda-host-only"') == 1
    assert (tmp_path / "a.o").exists()


def test_verbose_lists_the_folders_of_headers_in_clangs_own_words(hipcc):
    code, _, said = hipcc("-x", "hip", "-E", "-v", "/dev/null")
    folders = said.partition("#include <...> search starts here:\n")[2].partition("\nEnd of search list.")[0]
    assert code == 0
    assert str(INCLUDE) in [line.strip() for line in folders.splitlines()]


def test_versions_that_others_grep(hipcc):
    code, out, _ = hipcc("--version")
    assert code == 0
    assert out.startswith("HIP version: 7.2.")
    assert "clang version 22." in out


def test_dependencies_name_the_users_files(hipcc, source, tmp_path):
    (tmp_path / "h.h").write_text("#pragma once\n")
    source("a.hip", '#include "h.h"\n')
    assert hipcc("-c", "a.hip", "-MD", "-o", "out.o")[0] == 0
    assert (tmp_path / "out.d").read_text().split() == ["out.o:", "a.hip", "h.h"]
    assert hipcc("-c", "a.hip", "-MMD", "-MF", "x.d", "-MT", "target")[0] == 0
    assert (tmp_path / "x.d").read_text().split() == ["target:", "a.hip", "h.h"]
    assert hipcc("-MM", "a.hip")[1].split() == ["a.o:", "a.hip", "h.h"]


def test_the_other_library_for_host_code(hipcc, source, tmp_path):
    source("a.hip", "#include <cstddef>\n#ifndef _LIBCPP_VERSION\n#error not libc++\n#endif\n", "")
    assert hipcc("-c", "-stdlib=libc++", "a.hip") == (0, "", "")
    assert hipcc("-c", "-stdlib=libstdc++", "a.hip")[0] == 1


def test_the_device_library_is_linked_by_need(hipcc, source):
    if not devicelib.sources():
        pytest.skip("the package has no device library yet")
    text = "#include <hip/hip_runtime.h>\n__global__ void s(float* x) { *x = sinf(*x); }\n"
    code, out, said = hipcc("-S", "--cuda-device-only", source("s.hip", text, ""), "-o", "-")
    assert (code, said) == (0, "")
    assert "s_swappc" not in out


MATHS = "#include <hip/hip_runtime.h>\n__global__ void e(float* x) { *x = expf(*x); }\n"


def test_subnormal_numbers_count_as_zero_in_the_device_library_too(hipcc, source):
    flush = "-fgpu-flush-denormals-to-zero"
    device = ("-S", "--cuda-device-only", source("e.hip", MATHS, ""), "-o", "-")
    code, out, said = hipcc("--offload-arch=sm_90", flush, *device)
    assert (code, said) == (0, "")
    assert "fma.rn.ftz.f32" in out
    assert "fma.rn.f32" not in out
    code, out, said = hipcc("--offload-arch=sm_90", flush, "-fno-gpu-flush-denormals-to-zero", *device)
    assert (code, said) == (0, "")
    assert "fma.rn.f32" in out
    assert "fma.rn.ftz.f32" not in out
    # AMDGPU: bits 4 and 5 of FLOAT_MODE keep float's subnormal numbers (AMDGPUUsage, "Float Denorm Mode")
    assert ".amdhsa_float_denorm_mode_32 0" in hipcc(flush, *device)[1]


def test_approximate_functions_are_the_machines(hipcc, source):
    device = ("-S", "--cuda-device-only", source("e.hip", MATHS, ""), "-o", "-")
    exact, fast = (hipcc(*words, *device)[1] for words in ((), ("-ffast-math",)))
    assert "v_exp_f32" in fast
    assert "v_exp_f32" not in exact
    assert fast.count("\n\tv_") <= 4 < exact.count("\n\tv_")


def test_colours_are_the_users_choice(hipcc, source, monkeypatch):
    source("bad.hip", "#error no\n")
    assert "\x1b[" not in hipcc("-c", "bad.hip")[2]
    monkeypatch.setenv("FORCE_COLOR", "1")
    said = hipcc("-c", "bad.hip")[2]
    assert "\x1b[" in said
    assert said.count("no") == 2  # the message and its source line, once
