"""Whole trees: ported on several cores or one, delivered in each way, reported in each form."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from anyhip.errors import AnyHipError, UsageError
from anyhip.hipify import PortOptions, project
from anyhip.hipify.patch import patch
from anyhip.hipify.tree import port_tree

MAIN = b'#include "k.cuh"\r\nint main() { return cudaFree(0); }'  # no newline at its end
KERNEL = b"#define WARP_SIZE 32\n__global__ void k() { cudaGraphConditionalHandle h; }\n"
MAKE = b"a: main.cu\n\tnvcc -o a main.cu\n"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANYHIP_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "sub dir").mkdir(parents=True)
    (root / "main.cu").write_bytes(MAIN)
    (root / "sub dir" / "k.cuh").write_bytes(KERNEL)
    (root / "Makefile").write_bytes(MAKE)
    (root / "plain.cpp").write_bytes(b"int x;\n")
    (root / "image.h").write_bytes(b"cudaFree\0\1")
    (root / "README").write_bytes(b"cudaFree\n")
    (root / "gone.h").symlink_to("nowhere.h")
    return root


def test_a_tree_is_the_sum_of_its_files(tree: Path) -> None:
    found = {one.path.as_posix(): one for one in port_tree(tree, PortOptions(), progress=False)}
    assert sorted(found) == ["Makefile", "image.h", "main.cu", "plain.cpp", "sub dir/k.cuh"]
    assert [name for name, one in sorted(found.items()) if one.changed] == [
        "Makefile",
        "main.cu",
        "sub dir/k.cuh",
    ]
    assert found["image.h"].ported.notes[0].kind == "encoding"
    assert found["Makefile"].ported.text == b"a: main.cu\n\thipcc -o a main.cu\n"


def test_many_processes_and_the_cache_change_nothing(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = list(port_tree(tree, PortOptions(), progress=False))
    monkeypatch.setattr("anyhip.hipify.tree._SERIAL_BYTES", 0)
    second = list(port_tree(tree, PortOptions(), progress=False, jobs=2))
    assert [(one.path, one.ported.text, one.ported.notes) for one in first] == [
        (one.path, one.ported.text, one.ported.notes) for one in second
    ]
    assert [dict(one.ported.renamed) for one in first] == [dict(one.ported.renamed) for one in second]


def test_what_was_ported_before_is_not_ported_again(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = list(port_tree(tree, PortOptions(), progress=False))
    ported: list[bytes] = []
    monkeypatch.setattr(
        "anyhip.hipify.tree.port_source", lambda text, *_: ported.append(text) or before[2].ported
    )
    (tree / "plain.cpp").write_bytes(b"int y;\n")
    list(port_tree(tree, PortOptions(), progress=False))
    assert ported == [b"int y;\n"]


def test_a_patch_applies(tree: Path, tmp_path: Path) -> None:
    assert project.main([str(tree), f"--patch={tmp_path / 'p'}", f"--output={tmp_path / 'copy'}"]) == 0
    assert (tree / "main.cu").read_bytes() == MAIN
    subprocess.run(["git", "apply", "--whitespace=nowarn", str(tmp_path / "p")], cwd=tree, check=True)
    for name in ("main.cu", "Makefile", "sub dir/k.cuh", "plain.cpp", "README", "image.h"):
        assert (tree / name).read_bytes() == (tmp_path / "copy" / name).read_bytes()
    assert b"return hipFree(0); }" in (tree / "main.cu").read_bytes()


def test_patch_text() -> None:
    assert patch("a.cu", b"x\n", b"x\n") == b""
    assert patch("a.cu", None, b"x\n") == (
        b"diff --git a/a.cu b/a.cu\nnew file mode 100644\n--- /dev/null\n+++ b/a.cu\n@@ -0,0 +1 @@\n+x\n"
    )
    assert patch("a.cu", b"x\r\ny", b"x\r\nz") == (
        b"diff --git a/a.cu b/a.cu\n--- a/a.cu\n+++ b/a.cu\n@@ -1,2 +1,2 @@\n x\r\n"
        b"-y\n\\ No newline at end of file\n+z\n\\ No newline at end of file\n"
    )


def test_in_place_twice_and_beside(tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert project.main([str(tree), "--in-place"]) == 0
    assert capfd.readouterr().err.endswith("3 files replaced\n")
    assert (tree / "main.cu.prehip").read_bytes() == MAIN
    assert project.main([str(tree), "--in-place", "--beside"]) == 0
    assert capfd.readouterr().err.endswith("0 files replaced, 2 .hip files written\n")
    assert (tree / "main.cu.hip").read_bytes() == (tree / "main.cu").read_bytes()


def test_nothing_is_written_unasked(tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert project.main([str(tree)]) == 0
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("3 of 5 files change, 6 lines read\n")
    assert "cudaGraphConditionalHandle: No counterpart in HIP (sub dir/k.cuh:2)" in err
    assert not list(tree.rglob("*.prehip"))


def test_json_and_sarif(tree: Path, tmp_path: Path) -> None:
    assert project.main([str(tree), f"--json={tmp_path / 'j'}", f"--sarif={tmp_path / 's'}"]) == 0
    report = json.loads((tmp_path / "j").read_text())
    assert report["totals"]["files"] == 5
    assert report["libraries"]["CUDA runtime"]["converted"] == {"cudaFree": 1}
    assert report["tasks"][0]["places"] == ["sub dir/k.cuh:2"]
    run = json.loads((tmp_path / "s").read_text())["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
    where = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    assert ("sub%20dir/k.cuh", 1, 19) in [
        (one["artifactLocation"]["uri"], one["region"]["startLine"], one["region"]["startColumn"])
        for one in where
    ]


def test_the_page_needs_nothing_else(tree: Path, tmp_path: Path) -> None:
    (tree / "main.cu").write_bytes(b'texture<float, 1> t; const char* s = "<script>";\n')
    assert project.main([str(tree), f"--html={tmp_path / 'h'}"]) == 0
    page = (tmp_path / "h").read_text()
    assert not re.search(r"<script|<link|<img|src=|https?:|url\(|@import", page)
    assert "texture&lt;float, 1&gt; t; const char* s = &quot;&lt;script&gt;&quot;;" in page
    assert "prefers-color-scheme: dark" in page
    assert '<meta name="viewport"' in page


def test_wrong_words(tree: Path) -> None:
    for words in ([], [str(tree), "b"], [str(tree), "--jobs=x"], [str(tree / "none")], [str(tree), "--nope"]):
        with pytest.raises(UsageError):
            project.main(words)
    with pytest.raises(AnyHipError, match="is inside"):
        project.main([str(tree), f"--output={tree / 'sub dir' / 'x'}"])
