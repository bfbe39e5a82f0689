"""Print seconds of one launch of a small kernel from Python: the median over batches of 1000."""

from __future__ import annotations

import statistics
import sys
import time

from anyhip import Device, LaunchConfig, Program, launch

SOURCE = 'extern "C" __global__ void tick(int *p, int v) { p[threadIdx.x] = v; }'


def main(batches: int) -> None:
    """Measure."""
    device = Device()
    device.set_current()
    kernel = Program(SOURCE, "c++").compile("hsaco").get_kernel("tick")
    stream, config = device.default_stream, LaunchConfig(grid=1, block=64)
    buffer = device.allocate(256)
    found = []
    for _ in range(batches + 1):
        stream.sync()
        start = time.perf_counter()
        for value in range(1000):
            launch(stream, config, kernel, buffer, value)
        stream.sync()
        found.append((time.perf_counter() - start) / 1000)
    print(f"{statistics.median(found[1:]):.9g}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
