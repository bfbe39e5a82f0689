"""What building costs: hipcc beside the compiler passes that it cannot avoid; a run of a small program."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.report import Row

ROOT = Path(__file__).resolve().parents[1]
HIPCC = [sys.executable, "-c", "import sys; from anyhip.tools.hipcc import main; sys.exit(main())"]
ANYHIP = [sys.executable, "-c", "import sys; from anyhip.cli import main; sys.exit(main())"]


def best(command: Sequence[str], times: int, **variables: str) -> float:
    """Milliseconds of the fastest of several runs."""
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")} | variables
    found = []
    for _ in range(times):
        start = time.perf_counter()
        subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found.append(time.perf_counter() - start)
    return min(found) * 1e3


def passes(command: Sequence[str]) -> dict[str, list[str]]:
    """clang's own command of each side, as hipcc plans it, its outputs sent to a scratch folder."""
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    printed = subprocess.run([*command, "-###"], env=env, check=True, capture_output=True, text=True).stderr
    scratch = tempfile.mkdtemp()
    found = {}
    for line in printed.splitlines():
        words = [re.sub(r"^/.*/hipcc-\d+/\d+/", f"{scratch}/", word) for word in shlex.split(line)]
        for side in ("device", "host"):
            if f"--cuda-{side}-only" in words:
                found[side] = words
    return found


def rows() -> Iterator[Row]:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "hello.hip"
        source.write_text((ROOT / "examples" / "hello.hip").read_text())
        os.utime(source, (time.time() - 60,) * 2)
        compile_it = [*HIPCC, "-c", str(source), "-o", f"{folder}/hello.o"]
        best(compile_it, 1)
        clang = passes(compile_it)
        longer = max(best(clang["device"], 5), best(clang["host"], 5))
        new = {"ANYHIP_COMPILE_CACHE": "0"}
        yield Row(
            "hipcc -c hello.hip, ms",
            best(compile_it, 5, **new),
            longer,
            "clang, the longer pass",
            "peer + 60",
        )
        python = best([sys.executable, "-c", "pass"], 10)
        yield Row("the same again, ms", best(compile_it, 10), python, "python -c pass", "< 30")
        run_it = [*ANYHIP, "run", str(source)]
        yield Row(
            "anyhip run hello.hip, built before, ms", best(run_it, 5), python, "python -c pass", "< 600"
        )
        first = best(run_it, 5, **new)
        yield Row("anyhip run hello.hip, compiled, ms", first, longer, "clang, the longer pass", "< 2500")
