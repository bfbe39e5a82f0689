"""Tables of names: hipify-clang's -md and -csv."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from anyhip.hipify import cli


def test_full_tables(tmp_path: Path) -> None:
    assert cli.main_clang(["-md", "--csv", f"-o-dir={tmp_path}"]) == 0
    text = (tmp_path / "CUDA_Runtime_API_functions_supported_by_HIP.md").read_text()
    assert text.startswith("# CUDA RUNTIME API supported by HIP\n\n## **1. Functions**\n\n")
    assert "|**CUDA**|**A**|**D**|**C**|**R**|**HIP**|**A**|**D**|**C**|**R**|**E**|\n" in text
    assert "|`cudaGraphUpload`|11.1| | | |`hipGraphUpload`|5.3.0| | | | |\n" in text
    assert "|`cudaGraphConditionalHandleCreate`|12.3| | | | | | | | | |\n" in text
    assert not list(tmp_path.glob("*_ROC.*"))
    with (tmp_path / "CUBLAS_API_supported_by_HIP.csv").open() as file:
        rows = {row[0]: row for row in csv.reader(file) if row}
    assert rows["cublasSetStream_v2"][5:7] == ["hipblasSetStream", "1.8.2"]


def test_compact_and_joint(tmp_path: Path) -> None:
    words = ["-csv", "-doc-format=compact", "-doc-roc=joint", f"-o-dir={tmp_path}"]
    assert cli.main_clang(words) == 0
    text = (tmp_path / "CUBLAS_API_supported_by_HIP_and_ROC.csv").read_text()
    assert "\nCUDA,D,HIP,D,E,ROC,D,E\n" in text
    assert "\ncublasSgemm,,hipblasSgemm,,,rocblas_sgemm,,\n" in text
    runtime = (tmp_path / "CUDA_Runtime_API_functions_supported_by_HIP.csv").read_text()
    assert "cudaGraphConditionalHandleCreate" not in runtime


def test_separate(tmp_path: Path) -> None:
    assert cli.main_clang(["-csv", "-doc-format=strict", "-doc-roc=separate", f"-o-dir={tmp_path}"]) == 0
    assert "cublasSgemm,,rocblas_sgemm,,\n" in (tmp_path / "CUBLAS_API_supported_by_ROC.csv").read_text()
    assert "cublasSgemm,,hipblasSgemm,,\n" in (tmp_path / "CUBLAS_API_supported_by_HIP.csv").read_text()


@pytest.mark.parametrize("word", ["-doc-format=long", "-doc-roc=yes"])
def test_wrong_words(word: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main_clang(["-md", word, f"-o-dir={tmp_path}"]) == 2
    assert "unknown kind of tables" in capfd.readouterr().err
