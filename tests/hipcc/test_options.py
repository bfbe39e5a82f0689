import pytest

from anyhip.errors import UsageError
from anyhip.hipcc import options
from anyhip.hipcc.options import Input

ACTIONS = {
    "all", "compile", "host", "device", "link", "deps", "drop", "refuse", "output", "emit_llvm", "language",
    "optimize", "arch", "genco", "save_temps", "verbose", "dry_run", "hipcc_verbose", "jobs", "stdlib",
    "no_runtime", "no_device_library", "no_headers", "mode", "side", "bundle", "compress", "show", "hip_link",
    "include", "precompiled", "sanitize", "as", "nvidia", "host_list", "linker", "rdc", "no_rdc",
    "device_link",
}  # fmt: skip


def test_the_table_is_well_formed():
    rows = options.rows()
    assert len({row.option for row in rows}) == len(rows)
    for row in rows:
        assert row.option.startswith("-"), row
        assert row.form in ("flag", "joined", "separate", "either"), row
        assert row.action.split(":")[0] in ACTIONS, row
        assert row.note or row.action != "refuse", row


def test_words_go_to_their_passes():
    compile_words = ["-c", "a.hip", "-I", "inc", "-Iinc2", "-DX=1", "-D", "Y", "-std=c++20", "-march=native"]
    link_words = ["-lm", "-L.", "-Wl,-z,now", "-O2", "-o", "a.o", "-fopenmp"]
    command = options.parse([*compile_words, *link_words])
    assert command.mode == "object"
    assert command.output == "a.o"
    assert command.optimize == "-O2"
    assert command.compile_args == ["-I", "inc", "-Iinc2", "-DX=1", "-D", "Y", "-std=c++20", "-fopenmp"]
    assert command.host_args == ["-march=native"]
    assert command.link_items == [Input("a.hip", "hip"), "-lm", "-L.", "-Wl,-z,now", "-fopenmp"]


def test_files_keep_their_place_among_libraries():
    command = options.parse(["a.o", "-lx", "b.cu", "-ly", "libz.a"])
    assert command.link_items == [Input("a.o", ""), "-lx", Input("b.cu", "hip"), "-ly", Input("libz.a", "")]
    assert command.sources == [Input("b.cu", "hip")]


def test_dash_x_holds_for_the_files_behind_it():
    command = options.parse(["a.cpp", "-x", "c++", "b.cpp", "-xhip", "c.txt", "-x", "none", "d.c", "e.cpp"])
    languages = [(one.path, one.language) for one in command.inputs]
    assert languages == [
        ("a.cpp", "hip"), ("b.cpp", "c++"), ("c.txt", "hip"), ("d.c", "c"), ("e.cpp", "hip"),
    ]  # fmt: skip


def test_targets_in_every_spelling(monkeypatch):
    monkeypatch.setenv("ANYHIP_OFFLOAD_ARCH", "gfx90a")
    words = [
        "--offload-arch=gfx942,gfx1100",
        "--offload-arch",
        "gfx942:xnack-",
        "--amdgpu-target=gfx942",
        "a.hip",
    ]
    assert [one.id for one in options.parse(words).targets] == ["gfx942", "gfx1100", "gfx942:xnack-"]
    assert [one.id for one in options.parse(["a.hip"]).targets] == ["gfx90a"]
    assert [one.id for one in options.parse(["--offload-arch=native", "a.hip"]).targets] == ["gfx90a"]


def test_an_unknown_target_is_refused():
    with pytest.raises(UsageError, match="gfx9999"):
        _ = options.parse(["--offload-arch=gfx9999", "a.hip"]).targets


@pytest.mark.parametrize(
    ("words", "mode"),
    [
        ("-c", "object"),
        ("-c -S", "assembly"),
        ("-S -c", "assembly"),
        ("-E -c", "preprocess"),
        ("-MM", "dependencies"),
    ],
)
def test_the_earliest_stop_wins(words, mode):
    assert options.parse([*words.split(), "a.hip"]).mode == mode


def test_what_is_refused_says_why():
    with pytest.raises(UsageError, match="--cubin is not supported: --genco makes a file for hipModuleLoad"):
        options.parse(["--cubin", "a.hip"])
    with pytest.raises(UsageError, match="-odir is not supported: name outputs with -o"):
        options.parse(["-odir", "x", "a.hip"])


def test_a_missing_value_is_named():
    with pytest.raises(UsageError, match="-o needs a value"):
        options.parse(["a.hip", "-o"])
    with pytest.raises(UsageError, match="-parallel-jobs=: 'x' is not a whole number|-parallel-jobs=x"):
        options.parse(["a.hip", "-parallel-jobs=x"])


def test_variables_add_options(monkeypatch):
    monkeypatch.setenv("HIPCC_COMPILE_FLAGS_APPEND", "-DA='x y' -w")
    monkeypatch.setenv("HIPCC_LINK_FLAGS_APPEND", "-lfoo")
    command = options.parse(["a.hip"])
    assert command.compile_args == ["-DA=x y", "-w"]
    assert command.link_items[-1] == "-lfoo"


def test_response_files_are_read(tmp_path):
    (tmp_path / "args").write_text('-DX "a b.hip"\n-c')
    command = options.parse([f"@{tmp_path / 'args'}"])
    assert (command.compile_args, command.mode, command.inputs[0].path) == (["-DX"], "object", "a b.hip")
    with pytest.raises(UsageError, match="cannot read the response file"):
        options.parse([f"@{tmp_path / 'no'}"])


# ---- nvcc's options ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "targets"),
    [
        ("-gencode arch=compute_70,code=sm_70", ["gfx942", "sm_70"]),
        ("-gencode=arch=compute_80,code=[sm_80,compute_80] --generate-code arch=compute_90,code=sm_90",
         ["gfx942", "sm_80", "sm_90"]),
        ("-arch=sm_75", ["gfx942", "sm_75"]),
        ("-arch sm_75 -code=sm_75,compute_75", ["gfx942", "sm_75"]),
        ("--gpu-architecture=compute_75 --offload-arch=gfx1100", ["gfx1100", "sm_75"]),
        ("-arch=native", ["gfx942"]),
    ],
)  # fmt: skip
def test_nvidia_targets_stand_beside_the_others(monkeypatch, words, targets):
    monkeypatch.delenv("ANYHIP_OFFLOAD_ARCH", raising=False)
    assert [one.id for one in options.parse([*words.split(), "a.cu"]).targets] == targets


def test_targets_without_a_name_are_refused():
    with pytest.raises(UsageError, match="'all-major' names no target"):
        options.parse(["-arch=all-major", "a.cu"])
    with pytest.raises(UsageError, match="unknown architecture 'sm_20'"):
        _ = options.parse(["-arch=sm_20", "a.cu"]).targets


@pytest.mark.parametrize(
    ("nvcc", "ours"),
    [
        ("-dc", "-fgpu-rdc -c"),
        ("-rdc=true", "-fgpu-rdc"),
        ("--relocatable-device-code true", "-fgpu-rdc"),
        ("-rdc=true -rdc=false", ""),
        ("-lineinfo --use_fast_math", "-gline-tables-only -fgpu-flush-denormals-to-zero "
         "-fno-hip-fp32-correctly-rounded-divide-sqrt -fgpu-approx-transcendentals -ffp-contract=fast"),
        ("--fmad=false -ftz true", "-ffp-contract=off -fgpu-flush-denormals-to-zero"),
        ("-Xptxas -O3,-v --ptxas-options=-v -maxrregcount=32 -ccbin g++ -cudart static", ""),
        ("--expt-relaxed-constexpr --expt-extended-lambda -extended-lambda -m64", "-m64"),
        ("-G", "-g -Xarch_device -O0"),
        ("--std c++17 --define-macro=X=1 --include-path inc -lcudart", "-std=c++17 -DX=1 -Iinc -lamdhip64"),
        ("-Xlinker -rpath,/x --linker-options=-s", "-Xlinker -rpath -Xlinker /x -Xlinker -s"),
        ("-Xlinker -rpath -Xlinker /x", "-Wl,-rpath,/x"),
        ("--output-file x --optimize 2 -t 4", "-o x -O2 -parallel-jobs=4"),
        ("--default-stream=per-thread -w", "-fgpu-default-stream=per-thread -w"),
        ("-x cu --dryrun --compile", "-x hip -### -c"),
    ],
)  # fmt: skip
def test_options_of_nvcc_mean_what_hipccs_do(nvcc, ours):
    def flat(command):
        joined = [word for word in command.link_items if isinstance(word, str)]
        if "-Wl,-rpath,/x" in joined:
            joined = ["-Xlinker", "-rpath", "-Xlinker", "/x"]
        return command.__dict__ | {"link_items": joined}

    assert flat(options.parse([*nvcc.split(), "a.cu"])) == flat(options.parse([*ours.split(), "a.cu"]))


def test_options_for_the_host_compiler_reach_it_alone():
    command = options.parse(["-Xcompiler", "-Wall,-fopenmp", "--compiler-options=-O2 -fPIC", "a.cu"])
    assert command.host_args == ["-Wall", "-fopenmp", "-O2", "-fPIC"]
    assert command.compile_args == []
    assert [one for one in command.link_items if isinstance(one, str)] == ["-fopenmp", "-fPIC"]


def test_every_replacement_is_known():
    for row in options.rows():
        if row.action == "as":
            words = [word.replace("{}", "2") for word in row.note.split() if not word.startswith("@")]
            options.parse([*words, "a.cu"])


def test_options_of_device_code_reach_it_alone():
    command = options.parse(["-ftz=true", "-fno-gpu-flush-denormals-to-zero", "a.cu"])
    assert command.device_args == ["-fgpu-flush-denormals-to-zero", "-fno-gpu-flush-denormals-to-zero"]
    assert command.compile_args == []
    assert not command.flushes_denormals
