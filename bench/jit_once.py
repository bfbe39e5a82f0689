"""Print the CPU seconds that one kernel's native code costs: ``jit_once.py PROGRAM [KERNEL]``.

A process of its own for each kernel, so that LLVM's import counts where it happens. Without KERNEL: the
names of the program's kernels.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

from anyhip.backends.virtual import jit
from anyhip.codeobj import bundle, load


def used() -> float:
    """CPU seconds of this process and its children so far."""
    child = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + child.ru_utime + child.ru_stime


def main(program: Path, kernel: str) -> None:
    """Measure, or list."""
    for blob in bundle.host_bundles(program.read_bytes()):
        for entry in bundle.unbundle(blob):
            if entry.target is None:
                continue
            code = load(entry.data)
            if not kernel:
                print("\n".join(code.kernels))
            elif kernel in code.kernels:
                start = used()
                jit.kernel_library(code, kernel)
                print(f"{used() - start:.9g}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
