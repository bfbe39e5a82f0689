from pathlib import Path

import pytest


@pytest.fixture
def header(tmp_path) -> Path:
    path = tmp_path / "big.h"
    path.write_text("template <int n> __attribute__((device)) int times(int x) { return n * x; }\n")
    return path


USE = "__global__ void go(int* x) { *x = times<3>(*x); }\n"


@pytest.mark.parametrize(
    "options",
    [["-include-pch", "big.pch"], ["-Xclang", "-include-pch", "-Xclang", "big.pch"]],
)
def test_a_header_is_precompiled_for_every_pass(hipcc, source, header, tmp_path, options):
    assert hipcc("big.h", "-o", "big.pch") == (0, "", "")
    assert sorted(path.name for path in tmp_path.glob("big.pch*")) == ["big.pch", "big.pch.gfx942"]
    assert hipcc("-c", *options, source("a.hip", USE)) == (0, "", "")


def test_it_is_found_beside_the_header_that_is_included(hipcc, source, header, tmp_path):
    assert hipcc("-x", "c++-header", "big.h") == (0, "", "")
    code, out, said = hipcc("-c", "-include", "big.h", source("a.hip", USE), "-v")
    assert (code, out) == (0, "")
    assert '"-include-pch" "-Xclang" "big.h.pch.gfx942"' in said
    assert '"-include-pch" "-Xclang" "big.h.pch"' in said


def test_a_target_that_it_was_not_made_for_is_said(hipcc, source, header):
    assert hipcc("big.h", "-o", "big.pch")[0] == 0
    code, _, said = hipcc("-c", "-include-pch", "big.pch", "--offload-arch=gfx1100", source("a.hip", USE))
    assert code == 2
    assert "big.pch was not precompiled for gfx1100" in said
    assert "--offload-arch=gfx1100" in said
