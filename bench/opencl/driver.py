"""Run the kernels of this folder on the OpenCL platform that OCL_ICD_VENDORS names: ``driver.py KERNEL...``.

Prints the lines, and heeds the variables, of ``programs/measure.hpp``.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl  # type: ignore[import-not-found,unused-ignore]
from bench.references import inputs

HERE = Path(__file__).resolve().parent
SOURCES = {"matmul512": "matmul", "matmul1024": "matmul", "nbody_lds": "nbody", "stencil_lds": "stencil"}
f4, i4, u4 = np.float32, np.int32, np.uint32
Step = tuple[
    str, tuple[int, ...], tuple[int, ...], tuple[Any, ...]
]  # kernel, global and local size, arguments


class Bench:
    """One OpenCL device, and the launches that each kernel's measurement consists of."""

    def __init__(self) -> None:
        self.device = cl.get_platforms()[0].get_devices()[0]
        self.context = cl.Context([self.device])
        self.queue = cl.CommandQueue(self.context, properties=cl.command_queue_properties.PROFILING_ENABLE)

    def buffer(self, array: Any) -> Any:
        """A buffer with a copy of the array."""
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        return cl.Buffer(self.context, flags, hostbuf=np.ascontiguousarray(array))

    def empty(self, count: int, size: int = 4) -> Any:
        """A buffer of ``count`` elements."""
        return cl.Buffer(self.context, cl.mem_flags.READ_WRITE, count * size)

    def program(self, kernel: str) -> dict[str, Any]:
        """The kernels of the source that holds this one."""
        name = SOURCES.get(kernel, kernel)
        built = cl.Program(self.context, (HERE / f"{name}.cl").read_text()).build(
            self._options(name), cache_dir=None
        )
        return {one.function_name: one for one in built.all_kernels()}

    def _options(self, name: str) -> list[str]:
        extensions = self.device.extensions
        if name == "atomic_add" and "cl_ext_float_atomics" in extensions:
            return ["-cl-std=CL3.0"]
        if name != "shfl_reduce":
            return []
        if "cl_khr_subgroup_shuffle_relative" in extensions:
            return ["-cl-std=CL3.0"]
        if "cl_khr_subgroup_shuffle" in extensions or "cl_intel_subgroups" in extensions:
            return ["-cl-std=CL3.0", "-DSG_ABS"]
        return ["-DNO_SUBGROUPS"]

    def plan(self, kernel: str) -> tuple[list[Step], Any, tuple[type, int], Any]:
        """Launches, the buffer that holds the result, its type and length, and a buffer to clear before."""
        i = inputs(kernel)
        if kernel in ("saxpy", "daxpy"):
            kind = i["x"].dtype.type
            y = self.buffer(i["y"])
            return (
                [(kernel, (i["n"],), (256,), (i4(i["n"]), kind(i["a"]), self.buffer(i["x"]), y))],
                y,
                (kind, i["n"]),
                None,
            )
        if kernel in ("reduce", "shfl_reduce"):
            return self._reduction(kernel, i["n"], self.buffer(i["x"]))
        if kernel == "scan":
            return self._scan(i["n"], self.buffer(i["x"]))
        if kernel == "launch":
            out = self.empty(64)
            return [("tick", (64,), (64,), (out, i4(j))) for j in range(1000)], out, (i4, 64), None
        return self._one_launch(kernel, i)

    def _one_launch(self, kernel: str, i: dict[str, Any]) -> tuple[list[Step], Any, tuple[type, int], Any]:
        name = (
            "matmul" if kernel.startswith("matmul") else "atomic_add_k" if kernel == "atomic_add" else kernel
        )
        n, w, h = i.get("n", 0), i4(i.get("w", 0)), i4(i.get("h", 0))
        square = int(w) * int(h)
        kind: type = f4
        count, clear = n, False
        size: tuple[int, ...] = (n,)
        block: tuple[int, ...] = (256,)
        sources: list[Any] = []
        after: tuple[Any, ...] = (i4(n),)
        if name == "matmul":
            sources, count, size, block = [i["A"], i["B"]], n * n, (n, n), (16, 16)
        elif name.startswith("nbody"):
            sources, count = [i["p"]], 4 * n
        elif name.startswith("stencil"):
            sources, count, size, block, after = [i["a"]], square, (int(w), int(h)), (16, 16), (w, h)
        elif name == "transpose":
            sources, count, size, block, after = [i["a"]], square, (int(w), int(h) // 4), (32, 8), (w, h)
        elif name == "mandelbrot":
            kind, count, size, block, after = i4, square, (int(w), int(h)), (16, 16), (w, h, i4(i["most"]))
        elif name == "histogram":
            sources, kind, count, size, clear = [i["d"]], u4, 256, (65536,), True
        elif name == "bitonic":
            sources, size, after = [i["x"]], (n // 2,), ()
        elif name == "atomic_add_k":
            sources, count, clear = [i["idx"], i["val"]], 1024, True
        elif name == "spmv":
            rows = i["rows"]
            sources, count, size, after = [i["ptr"], i["col"], i["val"], i["x"]], rows, (rows,), (i4(rows),)
        elif name == "blackscholes":
            sources, after = [i["S"], i["X"], i["T"]], (self.empty(n), i["r"], i["v"], i4(n))
        out = self.empty(count)
        return (
            [(name, size, block, (*map(self.buffer, sources), out, *after))],
            out,
            (kind, count),
            out if clear else None,
        )

    def _reduction(self, kernel: str, n: int, x: Any) -> tuple[list[Step], Any, tuple[type, int], Any]:
        first = n // 512
        second = (first + 511) // 512
        a, b, out = self.empty(first), self.empty(second), self.empty(1)
        shapes = ((x, a, n, first), (a, b, first, second), (b, out, second, 1))
        return [(kernel, (g * 256,), (256,), (s, d, i4(m))) for s, d, m, g in shapes], out, (f4, 1), None

    def _scan(self, n: int, x: Any) -> tuple[list[Step], Any, tuple[type, int], Any]:
        first = n // 512
        second = (first + 511) // 512
        out, s1, o1, s2, o2, s3 = (self.empty(c) for c in (n, first, first, second, second, 1))
        blocks = ((x, out, s1, n, first), (s1, o1, s2, first, second), (s2, o2, s3, second, 1))
        steps: list[Step] = [("scan_block", (g * 256,), (256,), (a, o, s, i4(m))) for a, o, s, m, g in blocks]
        steps += [
            ("scan_add", (g * 256,), (256,), (o, s, i4(m)))
            for o, s, m, g in ((o1, o2, first, second), (out, o1, n, first))
        ]
        return steps, out, (f4, n), None

    def measure(self, kernel: str) -> None:
        """Run one kernel as often as asked, and print its lines."""
        kernels = self.program(kernel)
        steps, out, (kind, count), clear = self.plan(kernel)

        def once() -> float:
            events = []
            if clear is not None:
                events.append(cl.enqueue_fill_buffer(self.queue, clear, np.zeros(1, np.uint8), 0, count * 4))
            events += [kernels[name](self.queue, size, block, *args) for name, size, block, args in steps]
            events[-1].wait()
            return float(events[-1].profile.end - events[0].profile.start) * 1e-9

        once()
        result: np.ndarray[Any, Any] = np.empty(count, kind)
        cl.enqueue_copy(self.queue, result, out).wait()
        if "BENCH_DUMP" in os.environ:
            result.tofile(Path(os.environ["BENCH_DUMP"]) / f"{kernel}.bin")
        once()
        report(kernel, once, 1e-3 if kernel == "launch" else 1.0)


def run_delay() -> float:
    """Seconds that threads of this process waited for a core."""
    lines = []
    for task in Path("/proc/self/task").iterdir():
        try:
            lines.append((task / "schedstat").read_text())
        except OSError:  # the thread has ended
            continue
    return sum(int(line.split()[1]) for line in lines) * 1e-9


def report(kernel: str, once: Callable[[], float], scale: float) -> None:
    """Time it; a sequence of many launches counts by its wall time, Python's part included."""
    runs, most = int(os.environ.get("BENCH_RUNS", "9")), float(os.environ.get("BENCH_MAXSEC", "20"))
    wall: list[float] = []
    cpu: list[float] = []
    delay: list[float] = []
    spent = 0.0
    while len(wall) < runs and (spent <= most or len(wall) < 3):
        waited, used, start = run_delay(), time.process_time(), time.perf_counter()
        counted = once()
        took = time.perf_counter() - start
        spent += took
        wall.append((counted if scale == 1.0 else took) * scale)
        cpu.append((time.process_time() - used) * scale)
        delay.append((run_delay() - waited) * scale)
    print(f"RESULT {kernel} {statistics.median(wall):.9g} check=dump")
    for tag, values in (("SAMPLES", wall), ("CPUS", cpu), ("DELAYS", delay)):
        print(tag, kernel, *(f"{value:.9g}" for value in values), flush=True)


def main(kernels: Sequence[str]) -> None:
    """Measure each."""
    bench = Bench()
    print("DEVICE", bench.device.platform.version.strip(), "|", bench.device.name.strip(), flush=True)
    for kernel in kernels:
        bench.measure(kernel)


if __name__ == "__main__":
    main(sys.argv[1:])
