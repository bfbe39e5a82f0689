"""A program of several files: headers are followed, places kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from anyhip.errors import AnyHipError
from anyhip.hipify import port_program


def _write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def test_headers_are_followed(tmp_path: Path) -> None:
    _write(
        tmp_path / "src",
        {
            "app/main.cu": '#include "kernels.cu"\n#include "../lib/a.h"\n#include <help.h>\n',
            "app/kernels.cu": "__global__ void k();\n",
            "lib/a.h": '#include "b.h"\ncudaStream_t s;\n',
            "lib/b.h": '#pragma once\n#include "a.h"\nint plain;\n',
            "lib/unused.h": "cudaStream_t s;\n",
            "common/help.h": "cudaError_t e;\n",
        },
    )
    source = tmp_path / "src/app/main.cu"
    out = tmp_path / "out"
    program = port_program([source], [tmp_path / "src/common", tmp_path / "elsewhere"], out)
    assert program.sources == [out / "app/main.hip"]
    assert program.include_dirs == [out / "common", tmp_path / "src/common", tmp_path / "elsewhere"]
    assert sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()) == [
        "app/kernels.cu",
        "app/main.hip",
        "common/help.h",
        "lib/a.h",
        "lib/b.h",
    ]
    assert "hipError_t e;" in (out / "common/help.h").read_text()
    assert (out / "lib/b.h").read_text() == '#pragma once\n#include "a.h"\nint plain;\n'
    assert set(program.files) == {
        tmp_path / "src" / name
        for name in ("app/main.cu", "app/kernels.cu", "lib/a.h", "lib/b.h", "common/help.h")
    }


def test_one_file(tmp_path: Path) -> None:
    _write(tmp_path, {"a.cu": "cudaFree(0);\n"})
    program = port_program([tmp_path / "a.cu"], [], tmp_path / "out")
    assert program.sources == [tmp_path / "out/a.hip"]
    assert "hipFree(0);" in program.sources[0].read_text()


def test_missing_source(tmp_path: Path) -> None:
    with pytest.raises(AnyHipError, match="cannot read"):
        port_program([tmp_path / "none.cu"], [], tmp_path / "out")
