"""Inputs of the benchmarks (bit for bit those of ``programs/measure.hpp``) and what must come out of them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["complaint", "complaint_about_file", "inputs"]

Array = np.ndarray[Any, Any]

N24, N23, N22, N20 = 1 << 24, 1 << 23, 1 << 22, 1 << 20
f4 = np.float32
# relative and absolute tolerance of float results against a double-precision reference; others are exact
TOLERANCES = {
    "saxpy": (1e-5, 1e-5),
    "daxpy": (1e-12, 1e-12),
    "reduce": (1e-5, 0.0),
    "matmul": (1e-4, 1e-3),
    "nbody": (1e-3, 1e-4),
    "stencil": (1e-5, 1e-6),
    "blackscholes": (1e-4, 1e-4),
    "atomic_add": (1e-4, 1e-3),
    "spmv": (1e-4, 1e-4),
}
TYPES = {"daxpy": np.float64, "histogram": np.uint32, "mandelbrot": np.int32, "launch": np.int32}
SAME = {
    "nbody_lds": "nbody",
    "stencil_lds": "stencil",
    "shfl_reduce": "reduce",
    "matmul512": "matmul",
    "matmul1024": "matmul",
}
SAMPLE = 64  # of the options of blackscholes, one in so many is looked at: erf is slow in Python


def rnd(count: int, seed: int) -> Array:
    """The hash of ``bench::rnd`` of 0 to count - 1."""
    x = np.arange(count, dtype=np.uint32) + np.uint32(seed * 0x9E3779B9 & 0xFFFFFFFF)
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        x ^= x >> np.uint32(shift)
        x *= np.uint32(factor)
    return x ^ (x >> np.uint32(16))


def u01(count: int, seed: int) -> Array:
    """Floats in [0, 1)."""
    return (rnd(count, seed) >> np.uint32(8)).astype(f4) * f4(1 / 16777216)


def _nbody() -> dict[str, Any]:
    n = 4096
    unit = u01(4 * n, 6).reshape(n, 4)
    bodies = np.empty((n, 4), f4)
    bodies[:, :3] = f4(2) * unit[:, :3] - f4(1)
    bodies[:, 3] = unit[:, 3] / f4(n)
    return {"n": n, "p": bodies}


def _spmv() -> dict[str, Any]:
    rows = 65536
    start = np.zeros(rows + 1, np.int32)
    np.cumsum(8 + (rnd(rows, 16) % np.uint32(17)).astype(np.int32), out=start[1:])
    count = int(start[-1])
    column = (rnd(count, 17) & np.uint32(65535)).astype(np.int32)
    return {"rows": rows, "ptr": start, "col": column, "val": u01(count, 18) - f4(0.5), "x": u01(rows, 19)}


def _matrices(n: int) -> dict[str, Any]:
    return {
        "n": n,
        "A": (u01(n * n, 4) - f4(0.5)).reshape(n, n),
        "B": (u01(n * n, 5) - f4(0.5)).reshape(n, n),
    }


@functools.cache
def inputs(kernel: str) -> dict[str, Any]:
    """The arrays and sizes that a kernel works on, by name."""
    if kernel.startswith("matmul"):
        return _matrices(int(kernel.removeprefix("matmul")))
    makers = {
        "saxpy": lambda: {"n": N24, "a": f4(2.5), "x": u01(N24, 1), "y": u01(N24, 2)},
        "daxpy": lambda: {"n": N23, "a": 2.5, "x": u01(N23, 1).astype(float), "y": u01(N23, 2).astype(float)},
        "reduce": lambda: {"n": N24, "x": u01(N24, 3)},
        "nbody": _nbody,
        "stencil": lambda: {"w": 2048, "h": 2048, "a": u01(2048 * 2048, 7).reshape(2048, 2048)},
        "histogram": lambda: {"n": N24, "d": (rnd(N24, 8) & np.uint32(255)).astype(np.uint8)},
        "mandelbrot": lambda: {"w": 1024, "h": 1024, "most": 256},
        "scan": lambda: {"n": N20, "x": (rnd(N20, 9) & np.uint32(3)).astype(f4)},
        "transpose": lambda: {
            "w": 2048,
            "h": 2048,
            "a": np.arange(2048 * 2048, dtype=f4).reshape(2048, 2048),
        },
        "blackscholes": lambda: {
            "n": N22,
            "S": f4(5) + f4(25) * u01(N22, 10),
            "X": f4(1) + f4(99) * u01(N22, 11),
            "T": f4(0.25) + f4(9.75) * u01(N22, 12),
            "r": f4(0.02),
            "v": f4(0.30),
        },
        "bitonic": lambda: {"n": N20, "x": u01(N20, 13)},
        "atomic_add": lambda: {
            "n": N20,
            "idx": (rnd(N20, 14) & np.uint32(1023)).astype(np.int32),
            "val": u01(N20, 15),
        },
        "spmv": _spmv,
        "launch": dict,
    }
    return makers[SAME.get(kernel, kernel)]()


def _expect_nbody(i: dict[str, Any]) -> Array:
    p = i["p"].astype(float)
    out: Array = np.zeros_like(p)
    for first in range(0, i["n"], 256):
        d = p[None, :, :3] - p[first : first + 256, None, :3]
        inverse = 1 / np.sqrt((d * d).sum(-1) + float(f4(0.01)))
        out[first : first + 256, :3] = (d * (p[None, :, 3] * inverse**3)[..., None]).sum(1)
    return out


def _expect_stencil(i: dict[str, Any]) -> Array:
    a = i["a"].astype(float)
    out: Array = a.copy()
    out[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1])
    return out


def _expect_mandelbrot(i: dict[str, Any]) -> Array:
    across, down = np.meshgrid(
        -2.25 + 3.0 * np.arange(i["w"]) / i["w"], -1.5 + 3.0 * np.arange(i["h"]) / i["h"]
    )
    c = (across + 1j * down).ravel()
    z, count, live = np.zeros_like(c), np.zeros(c.size, np.int32), np.arange(c.size)
    for _ in range(i["most"]):
        there = z[live]
        inside = there.real**2 + there.imag**2 <= 4
        live = live[inside]
        z[live] = there[inside] ** 2 + c[live]
        count[live] += 1
    return count


def _expect_blackscholes(i: dict[str, Any]) -> Array:
    s, x, t = (i[name][::SAMPLE].astype(float) for name in "SXT")
    r, v = float(i["r"]), float(i["v"])
    d1 = (np.log(s / x) + (r + 0.5 * v * v) * t) / (v * np.sqrt(t))
    d2 = d1 - v * np.sqrt(t)
    erf = np.vectorize(math.erf)
    out: Array = s * 0.5 * (1 + erf(d1 * 0.5**0.5)) - x * np.exp(-r * t) * 0.5 * (1 + erf(d2 * 0.5**0.5))
    return out


@functools.cache
def _expected(kernel: str) -> Array:
    i = inputs(kernel)
    makers: dict[str, Callable[[], Array]] = {
        "saxpy": lambda: float(i["a"]) * i["x"].astype(float) + i["y"],
        "daxpy": lambda: i["a"] * i["x"] + i["y"],
        "reduce": lambda: np.array([i["x"].sum(dtype=float)]),
        "matmul": lambda: i["A"].astype(float) @ i["B"].astype(float),
        "nbody": lambda: _expect_nbody(i),
        "stencil": lambda: _expect_stencil(i),
        "histogram": lambda: np.bincount(i["d"], minlength=256),
        "mandelbrot": lambda: _expect_mandelbrot(i),
        "scan": lambda: np.concatenate([[0], np.cumsum(i["x"], dtype=float)[:-1]]),
        "transpose": lambda: i["a"].T,
        "blackscholes": lambda: _expect_blackscholes(i),
        "bitonic": lambda: np.sort(i["x"].reshape(-1, 512), axis=1),
        "atomic_add": lambda: np.bincount(i["idx"], weights=i["val"].astype(float), minlength=1024),
        "spmv": lambda: np.add.reduceat(i["val"].astype(float) * i["x"][i["col"]], i["ptr"][:-1]),
        "launch": lambda: np.full(64, 999),
    }
    return np.ascontiguousarray(makers[SAME.get(kernel, kernel)]()).ravel()


def complaint(kernel: str, output: Array) -> str:
    """What is wrong with the output of one run; empty when nothing is."""
    base = SAME.get(kernel, kernel)
    got = output.ravel()[:: SAMPLE if base == "blackscholes" else 1].astype(float)
    want = _expected(kernel)
    if got.shape != want.shape:
        return f"{got.size} results instead of {want.size}"
    if base == "mandelbrot":  # escape times in single and double precision differ in a few border pixels
        bad = int((np.abs(got - want) > 1).sum())
        return "" if bad < want.size // 100 else f"{bad} pixels differ"
    relative, absolute = TOLERANCES.get(base, (0.0, 0.0))
    bad = int((~(np.abs(got - want) <= absolute + relative * np.abs(want))).sum())
    return f"{bad} of {want.size} results are wrong" if bad else ""


def complaint_about_file(kernel: str, path: Path) -> str:
    """The same for the file that a peer wrote."""
    if not path.exists():
        return "wrote no output"
    return complaint(kernel, np.fromfile(path, dtype=TYPES.get(SAME.get(kernel, kernel), f4)))
