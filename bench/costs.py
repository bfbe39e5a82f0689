"""What surrounds the kernels: building, starting, translating, launching, copying."""

from __future__ import annotations

import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from bench.peers import HERE, ROOT, compile_program, python_path
from bench.results import Cost, Samples, parse

__all__ = ["GROUPS", "measure"]

HIPCC = [sys.executable, "-m", "anyhip.tools.hipcc"]
RUN = [sys.executable, "-m", "anyhip", "run"]
HELLO = ROOT / "examples" / "hello.hip"
OWN = ("kernels", "objects", "ported")  # what the cache holds of a user's programs
NEW = {"ANYHIP_COMPILE_CACHE": "0"}
SHORT = 10  # runs of a command that takes some milliseconds


def once(command: Sequence[str], env: Mapping[str, str]) -> float:
    """Seconds of one run.

    Raises:
        RuntimeError: it failed.
    """
    start = time.perf_counter()
    done = subprocess.run(command, env=dict(env), capture_output=True, text=True, check=False)
    took = time.perf_counter() - start
    if done.returncode:
        raise RuntimeError(f"{shlex.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return took


def best(command: Sequence[str], times: int, **variables: str) -> float:
    """Seconds of the fastest of several runs: the others were disturbed."""
    env = os.environ | python_path() | variables
    return min(once(command, env) for _ in range(times))


def output(command: Sequence[str], **variables: str) -> str:
    """What a command prints.

    Raises:
        RuntimeError: it failed.
    """
    env = os.environ | python_path() | variables
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{shlex.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def empty_cache(folder: str) -> dict[str, str]:
    """A cache that holds what AnyHIP builds for itself, and nothing of any program."""
    from anyhip import cache

    for kind in cache.cache_dir().iterdir():
        if kind.is_dir() and kind.name not in OWN:
            (Path(folder) / kind.name).symlink_to(kind)
    return {"ANYHIP_CACHE_DIR": folder}


def hello(runs: int) -> Iterator[Cost]:
    """From a source to its output, nothing of it built before, and all of it."""
    output([*RUN, str(HELLO)])
    python = best([sys.executable, "-c", "pass"], SHORT)
    cold = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            cold.append(best([*RUN, str(HELLO)], 1, **empty_cache(folder)))
    yield Cost("hello_cold", "hello world, source to output, nothing built", min(cold))
    warm = best([*RUN, str(HELLO)], runs)
    yield Cost("hello_warm", "hello world, source to output, built before", warm, python, "python -c pass")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        program = f"{folder}/hello"
        output([*HIPCC, str(HELLO), "-o", program])
        output([program])
        yield Cost(
            "start_cached",
            "a built program whose kernel is cached",
            best([program], runs),
            python,
            "python -c pass",
        )


def passes(command: Sequence[str], scratch: str) -> list[list[str]]:
    """clang's own commands, device and host, as hipcc plans them, their outputs sent elsewhere."""
    env = os.environ | python_path()
    done = subprocess.run([*command, "-###"], env=env, capture_output=True, text=True, check=True)
    found = []
    for line in done.stderr.splitlines():
        words = [re.sub(r"^/.*/hipcc-\d+/\d+/", f"{scratch}/", word) for word in shlex.split(line)]
        if {"--cuda-device-only", "--cuda-host-only"} & set(words):
            found.append(words)
    return found


def building(runs: int) -> Iterator[Cost]:
    """hipcc beside the compiler passes that it cannot avoid."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        source = Path(folder) / "hello.hip"
        source.write_text(HELLO.read_text())
        os.utime(source, (time.time() - 60,) * 2)
        command = [*HIPCC, "-c", str(source), "-o", f"{folder}/hello.o"]
        output(command)
        longer = max(best(words, runs) for words in passes(command, folder))
        yield Cost(
            "hipcc",
            "hipcc -c hello.hip, compiled",
            best(command, runs, **NEW),
            longer,
            "clang, the longer pass",
        )
        python = best([sys.executable, "-c", "pass"], SHORT)
        yield Cost(
            "hipcc_again", "hipcc -c hello.hip, unchanged", best(command, SHORT), python, "python -c pass"
        )
        imported = best([sys.executable, "-c", "import anyhip"], SHORT)
        yield Cost("import", "python -c 'import anyhip'", imported, python, "python -c pass")


def translating(runs: int) -> Iterator[Cost]:
    """CPU seconds from a kernel's machine code to native code, a process for each kernel."""
    cold: dict[str, float] = {}
    warm: list[float] = []
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        env = empty_cache(folder)
        for source in sorted((HERE / "programs").glob("*.hip")):
            program = Path(folder) / source.stem
            compile_program(source.stem, program)
            script = [sys.executable, str(HERE / "jit_once.py"), str(program)]
            for kernel in output(script).split():
                cold[kernel] = float(output([*script, kernel], **env))
                warm.append(float(output([*script, kernel], **env)))
    for kernel, value in cold.items():
        yield Cost(f"jit_{_plain(kernel)}", f"JIT of {_plain(kernel)} (CPU)", value)
    yield Cost(
        "jit_median",
        "JIT of a kernel, LLVM's import included: median (CPU)",
        statistics.median(cold.values()),
    )
    yield Cost(
        "jit_worst",
        f"JIT of the slowest, {_plain(max(cold, key=lambda k: cold[k]))} (CPU)",
        max(cold.values()),
    )
    yield Cost("jit_warm", "a kernel from the disk cache: slowest (CPU)", max(warm))


def _plain(mangled: str) -> str:
    """The function's name in a mangled one."""
    found = re.match(r"_Z(\d+)", mangled)
    return mangled[found.end() : found.end() + int(found[1])] if found else mangled


def _program(name: str, runs: int, words: Sequence[str] = (), **variables: str) -> dict[str, Samples]:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        program = Path(folder) / name
        compile_program(name, program)
        return parse(output([str(program), *words], BENCH_RUNS=str(runs), **variables))


def launching(runs: int) -> Iterator[Cost]:
    """One launch of a small kernel among many."""
    value = min(_program("launch", runs)["launch"].wall)
    yield Cost("launch", "launch of a small kernel, C++", value)
    script = [sys.executable, str(HERE / "launch_python.py"), str(runs)]
    yield Cost("launch_python", "launch of a small kernel, Python", float(output(script)))


def growing(runs: int) -> Iterator[Cost]:
    """Time over the size of the grid, in CPU seconds."""
    found = {name: samples.median("cpu") for name, samples in _program("grid", runs).items()}
    small = found["grid_1e5"] * 1000
    yield Cost("grid", "an empty kernel of 10^8 work-items (CPU)", found["grid_1e8"], small, "1000 of 10^5")


def copying(runs: int) -> Iterator[Cost]:
    """Copies of 1 GiB beside memcpy."""
    found = {name: min(samples.wall) for name, samples in _program("copy", runs).items()}
    for name, text in (
        ("to_device", "to the device"),
        ("to_host", "to the host"),
        ("on_device", "within the device"),
    ):
        yield Cost(
            f"copy_{name}", f"hipMemcpy of 1 GiB {text}", found[f"copy_{name}"], found["memcpy"], "memcpy"
        )


def scaling(runs: int) -> Iterator[Cost]:
    """A kernel that only computes, on all cores and on one."""
    everywhere = min(_program("nbody", runs, ["nbody"])["nbody"].wall)
    alone = min(_program("nbody", runs, ["nbody"], ANYHIP_THREADS="1")["nbody"].wall)
    yield Cost("scaling", "nbody on all cores", everywhere, alone, "on one core")


GROUPS: dict[str, Callable[[int], Iterator[Cost]]] = {
    "hello": hello,
    "building": building,
    "translating": translating,
    "launching": launching,
    "growing": growing,
    "copying": copying,
    "scaling": scaling,
}


def measure(group: str, runs: int) -> list[Cost]:
    """Measure one group of costs."""
    return list(GROUPS[group](runs))
