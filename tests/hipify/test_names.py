"""The name maps: shape, a few facts, and the time they take."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

import anyhip.hipify.names as names

MAPS = Path(names.__file__).parent / "maps"
STATUSES = {"supported", "deprecated", "experimental", "unsupported", "dropped"}
KINDS = {"function", "type", "enum", "define", "include", "namespace", "identifier"}


def test_rows_have_their_shape() -> None:
    table = names.table()
    assert len(table.raw) > 9000
    for raw in table.raw:
        row = table[raw]
        assert row.cuda_name.encode() == raw
        assert row.status in STATUSES, row
        assert row.kind in KINDS, row
        assert bool(row.hip_name) == (row.status not in ("unsupported", "dropped")), row
        assert all(
            re.fullmatch(r"[ADRC]:[0-9.?]+", version) for version in (row.cuda + " " + row.since).split()
        ), row


@pytest.mark.parametrize("stem", names.libraries())
def test_file_names_its_columns(stem: str) -> None:
    lines = (MAPS / f"{stem}.tsv").read_text().splitlines()
    assert next(line for line in lines if not line.startswith("#")).split("\t") == list(names.columns())


@pytest.mark.parametrize(
    ("cuda", "hip", "roc"),
    [
        ("cudaMemcpyAsync", "hipMemcpyAsync", "hipMemcpyAsync"),
        ("CUdeviceptr", "hipDeviceptr_t", "hipDeviceptr_t"),
        ("cublasSgemm", "hipblasSgemm", "rocblas_sgemm"),
        ("cublas_v2.h", "hipblas/hipblas.h", "rocblas/rocblas.h"),
        ("CUDA_R_32F", "HIP_R_32F", "rocblas_datatype_f32_r"),
        ("CUBLAS_COMPUTE_32F", "HIPBLAS_COMPUTE_32F", "rocblas_compute_type_f32"),
        ("cufftExecC2C", "hipfftExecC2C", "hipfftExecC2C"),
        ("__nv_bfloat16", "__hip_bfloat16", "rocblas_bfloat16"),
        ("__CUDACC__", "__HIPCC__", "__HIPCC__"),
        ("nvtxRangePushA", "roctxRangePushA", "roctxRangePushA"),
        ("cudaGraphConditionalHandle", "", ""),
    ],
)
def test_names(cuda: str, hip: str, roc: str) -> None:
    row = names.table()[cuda.encode()]
    assert (row.target(False, False), row.target(True, False)) == (hip, roc)


def test_experimental_names_are_asked_for() -> None:
    table = names.table()
    rows = [table[raw] for raw in table.raw if table[raw].status == "experimental"]
    assert rows
    assert all(row.target(False, False) == "" and row.target(False, True) == row.hip_name for row in rows)


def test_unknown_name() -> None:
    with pytest.raises(KeyError):
        names.table()[b"cudaNoSuchThing"]


def test_call_edits_name_known_functions() -> None:
    table = names.table()
    assert set(names.call_edits()) <= set(table.raw)


def test_loading_is_quick() -> None:
    best = min(_load_time() for _ in range(5))
    assert best < 0.06, f"the maps took {best * 1000:.0f} ms to load"


def _load_time() -> float:
    names.table.cache_clear()
    start = time.process_time()
    names.table()
    return time.process_time() - start
