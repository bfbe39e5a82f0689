"""Device code of several files linked together. The stub runtime remembers the fat binary."""

import subprocess
from pathlib import Path

import pytest

from anyhip import toolchain
from anyhip.codeobj import bundle
from anyhip.codeobj.codeobject import load
from anyhip.hipcc import archives, rdc
from hipcc.conftest import KERNEL

DEVICE = "#define __device__ __attribute__((device))\n"
CALLER = "extern __device__ float f(float);\n__global__ void calls(float* x) { *x = f(*x); }\n"
CALLED = "extern __device__ int state;\n__device__ float f(float x) { return state++ ? x : 2 * x; }\n"
STATE = "__device__ int state;\n"
LAUNCH = "#if __HIP__\nvoid go() { calls<<<1, 1>>>(nullptr); }\n#endif\n"
UNUSED = "extern __device__ int nowhere;\n__attribute__((global)) void unused(int* x) { *x = nowhere; }\n"
ASKS = """
void go();
extern "C" void* fatbin();
extern "C" int printf(const char*, ...);
int main() { go(); return printf("%.24s\\n", (const char*)fatbin()) - 25; }
"""


@pytest.fixture
def files(source):
    """Four sources: a kernel and its launch, a function that it calls, that function's state, and main()."""
    source("caller.hip", DEVICE + CALLER + LAUNCH)
    source("called.hip", DEVICE + CALLED, "")
    source("state.hip", DEVICE + STATE, "")
    source("main.cc", ASKS, "")


def code_of(program: Path, target: str = "gfx942"):
    """The code objects that a program carries for a target."""
    found = [entry for one in bundle.host_bundles(program.read_bytes()) for entry in bundle.unbundle(one)]
    return [load(entry.data) for entry in found if entry.target is not None and entry.target.id == target]


def check(program: Path) -> None:
    """It runs, and carries one code object with everything in it."""
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    assert done.stdout == "__CLANG_OFFLOAD_BUNDLE__\n"
    [code] = code_of(program)
    assert {"calls", "twice"} <= {
        name.removeprefix("_Z").lstrip("0123456789").rstrip("Pf") for name in code.kernels
    }
    assert "state" in code.symbols


def test_objects_are_linked_with_or_without_the_flag(hipcc, files, tmp_path):
    assert hipcc("-fgpu-rdc", "-c", "caller.hip", "called.hip", "state.hip") == (0, "", "")
    objects = ["caller.o", "called.o", "state.o"]
    assert hipcc("main.cc", *objects, "-o", "plain") == (0, "", "")
    assert hipcc("-fgpu-rdc", "main.cc", *objects, "-o", "asked") == (0, "", "")
    check(tmp_path / "plain")
    check(tmp_path / "asked")
    assert not (tmp_path / "a.out").exists()


def test_sources_in_one_command(hipcc, files, tmp_path):
    assert hipcc("-fgpu-rdc", "main.cc", "caller.hip", "called.hip", "state.hip", "-o", "a") == (0, "", "")
    check(tmp_path / "a")


def test_libraries_take_part_by_need(hipcc, files, source, tmp_path):
    source("unused.hip", DEVICE + UNUSED, KERNEL.replace("twice", "unused_as_well"))
    assert hipcc("-fgpu-rdc", "-c", "caller.hip", "called.hip", "state.hip", "unused.hip") == (0, "", "")
    made = ["called.o", "state.o", "unused.o"]
    subprocess.run([*toolchain.find().archiver, "rcs", "libdevice.a", *made], check=True)
    subprocess.run([*toolchain.find().archiver, "rcs", "libkernel.a", "caller.o"], check=True)
    assert hipcc("main.cc", "-L.", "-lkernel", "-ldevice", "-o", "a") == (0, "", "")
    check(tmp_path / "a")
    code, _, said = hipcc("main.cc", "-L.", "-lkernel", "unused.o", "-ldevice", "-o", "b")
    assert code == 1
    assert "undefined" in said
    assert "nowhere" in said


def test_a_library_made_by_hipcc(hipcc, files, tmp_path):
    words = ["-fgpu-rdc", "--emit-static-lib", "called.hip", "state.hip", "caller.hip", "-o", "liball.a"]
    assert hipcc(*words) == (0, "", "")
    assert [name for name, _ in archives.members(tmp_path / "liball.a")] == [
        "called.o",
        "state.o",
        "caller.o",
    ]
    assert hipcc("main.cc", "liball.a", "-o", "a") == (0, "", "")
    check(tmp_path / "a")


def test_another_linker_links_what_was_linked_for_it(hipcc, files, runtime, tmp_path):
    assert hipcc("-fgpu-rdc", "-fPIC", "-c", "caller.hip", "called.hip", "state.hip", "main.cc") == (
        0,
        "",
        "",
    )
    objects = ["caller.o", "called.o", "state.o"]
    assert hipcc("-dlink", *objects, "-o", "device.o") == (0, "", "")
    library = runtime / "libamdhip64.so.7"
    tools = toolchain.find()
    argv = [*tools.cxx, "main.o", *objects, "device.o", library, f"-Wl,-rpath,{runtime}", "-o", "a"]
    toolchain.check(argv, cwd=tmp_path)
    check(tmp_path / "a")
    assert hipcc("main.o", *objects, "device.o", "-o", "b") == (0, "", "")  # and not a second time
    check(tmp_path / "b")


def test_every_target_that_objects_hold_is_linked(hipcc, files, tmp_path):
    both = "--offload-arch=gfx942,sm_90"
    assert hipcc("-fgpu-rdc", both, "-c", "caller.hip", "called.hip", "state.hip") == (0, "", "")
    assert hipcc("main.cc", "caller.o", "called.o", "state.o", "-o", "a") == (0, "", "")
    [carried] = bundle.host_bundles((tmp_path / "a").read_bytes())
    text = {one.target.id: one.data for one in bundle.unbundle(carried) if one.target}["sm_90"].decode()
    assert ".visible .entry _Z5callsPf" in text
    assert ".extern" not in text


def test_an_object_without_the_target_is_named(hipcc, files):
    assert hipcc("-fgpu-rdc", "-c", "caller.hip", "called.hip") == (0, "", "")
    assert hipcc("-fgpu-rdc", "-c", "state.hip", "--offload-arch=gfx1100") == (0, "", "")
    code, _, said = hipcc("main.cc", "caller.o", "called.o", "state.o", "-o", "a")
    assert code == 2
    assert "has no device code for gfx942; it holds code for gfx1100" in said or (
        "has no device code for gfx1100; it holds code for gfx942" in said
    )


def test_an_undefined_device_function_is_named_once(hipcc, files):
    code, _, said = hipcc("-fgpu-rdc", "main.cc", "caller.hip", "state.hip", "-o", "a")
    assert code == 1
    assert said.count("undefined hidden symbol: f(float)") == 1


def test_nothing_to_link(hipcc, files):
    assert hipcc("-c", "state.hip")[0] == 0
    code, _, said = hipcc("-dlink", "state.o")
    assert code == 2
    assert "no input holds relocatable device code" in said


def test_members_are_read_as_ar_wrote_them(hipcc, tmp_path):
    names = ["short.o", "a_name_that_is_longer_than_fifteen_letters.o", "odd.o"]
    for number, name in enumerate(names):
        (tmp_path / name).write_bytes(bytes(range(65, 65 + number + 4)))
    subprocess.run([*toolchain.find().archiver, "rcs", "lib.a", *names], check=True)
    expected = [(name, (tmp_path / name).read_bytes()) for name in names]
    assert list(archives.members(tmp_path / "lib.a")) == expected
    subprocess.run([*toolchain.find().archiver, "rcsT", "thin.a", *names], check=True)
    assert (tmp_path / "thin.a").read_bytes().startswith(b"!<thin>")
    assert list(archives.members(tmp_path / "thin.a")) == expected


def test_libraries_are_found_as_the_linker_finds_them(tmp_path):
    first, second = tmp_path / "1", tmp_path / "2"
    for path in (first / "libx.a", second / "libx.so", second / "libx.a", second / "other.a"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
    folders = [str(first), str(second)]
    assert archives.find_library("x", folders, static=False) == first / "libx.a"
    assert archives.find_library("x", folders[1:], static=False) == second / "libx.so"
    assert archives.find_library("x", folders[1:], static=True) == second / "libx.a"
    assert archives.find_library(":other.a", folders, static=False) == second / "other.a"
    assert archives.find_library("y", folders, static=False) is None


def test_which_members_are_needed():
    def part(name, defines, needs, lazy=True):
        return rdc.Part(name, {}, frozenset(defines.split()), frozenset(needs.split()), lazy)

    main = part("main", "main", "a printf", lazy=False)
    parts = [part("c", "c", ""), main, part("a", "a", "b"), part("b", "b d", "main"), part("e", "e", "a")]
    assert [one.where for one in rdc.selected(parts)] == ["main", "a", "b"]
