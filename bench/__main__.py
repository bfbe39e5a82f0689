"""``python -m bench``: run the benchmarks, print tables, optionally write JSON."""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from bench import costs, peers, table
from bench.results import Cost, Kernel, Samples, Verdict, judge, read_kernels, read_targets

EXAMPLES = """\
examples:
  python -m bench                           everything, with every peer that is installed (20 minutes)
  python -m bench --only saxpy,nbody        two kernels
  python -m bench --only launching,copying  two of the costs around kernels
  python -m bench --kernels --runs 7 --json result.json
  python -m bench --peers anyhip,native     no OpenCL

Times are medians. Peers take turns, program by program and round by round. CPU seconds are those of all
threads together; on a busy machine they, and the ratios made of them, stay true while wall times do not.
"""
IN_A_ROUND = 3  # timed runs of a process


def arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        "python -m bench",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--only", metavar="NAMES", default="", help="kernels and groups of costs, separated by commas"
    )
    parser.add_argument("--kernels", action="store_true", help="kernels only, no other costs")
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="timed runs of each (7)")
    parser.add_argument(
        "--peers", metavar="LIST", default=",".join(peers.NAMES), help=f"of {', '.join(peers.NAMES)}"
    )
    parser.add_argument("--by", choices=("cpu", "wall"), default="cpu", help="what ratios compare (cpu)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write every sample")
    parser.add_argument("--list", action="store_true", help="print the names and end")
    options = parser.parse_args(argv)
    kernels = [kernel.name for kernel in read_kernels()]
    options.names = options.only.split(",") if options.only else [*kernels, *costs.GROUPS]
    for name in options.names:
        if name not in kernels and name not in costs.GROUPS:
            parser.error(f"nothing is called {name}; see --list")
    if options.kernels:
        options.names = [name for name in options.names if name in kernels]
    options.peers = [peer for peer in peers.NAMES if peer in options.peers.split(",")]
    if not options.peers or options.runs < 1:
        parser.error(f"--peers takes some of {', '.join(peers.NAMES)}; --runs at least 1")
    return options


def rounds(total: int) -> list[int]:
    """Timed runs of each round, a process each: 7 -> 3, 3, 1."""
    return [min(IN_A_ROUND, total - done) for done in range(0, total, IN_A_ROUND)]


def prepare(names: Sequence[str], programs: Sequence[str], folder: Path) -> list[peers.Peer]:
    """The peers that can be had; says which cannot."""
    found = []
    for name in names:
        try:
            found.append(peers.find(name, programs, folder))
            print(f"{name}: {peers.NAMES[name]} ({found[-1].about})", file=sys.stderr)
        except peers.UnavailableError as missing:
            print(f"{name}: left out: {missing}", file=sys.stderr)
    return found


def progress(text: str) -> None:
    """What is going on, on a terminal."""
    if sys.stderr.isatty():
        print(f"\r{text:<60}", end="" if text else "\r", file=sys.stderr, flush=True)


def measure_kernels(
    kernels: Sequence[Kernel], present: Sequence[peers.Peer], runs: int
) -> dict[str, dict[str, Samples]]:
    """Samples by kernel and peer, taken in turns."""
    result: dict[str, dict[str, Samples]] = {kernel.name: {} for kernel in kernels}
    programs = list(dict.fromkeys(kernel.program for kernel in kernels))
    for number, count in enumerate(rounds(runs), 1):
        for program in programs:
            wanted = [kernel for kernel in kernels if kernel.program == program]
            for peer in present:
                progress(f"round {number}: {program} with {peer.name}")
                for name, samples in peer.measure(program, wanted, count, check=number == 1).items():
                    result[name].setdefault(peer.name, Samples()).extend(samples)
    progress("")
    return result


def complain(measured: Mapping[str, Mapping[str, Samples]]) -> bool:
    """Say on stderr what went wrong; whether it was ours."""
    ours = False
    for kernel, by_peer in measured.items():
        for peer, samples in by_peer.items():
            if samples.problem:
                ours |= peer == "anyhip"
                print(f"{kernel} with {peer}: {samples.problem}", file=sys.stderr)
    return ours


def write_json(
    path: Path,
    measured: Mapping[str, Mapping[str, Samples]],
    found: Sequence[Cost],
    verdicts: Sequence[Verdict],
) -> None:
    """Everything, for programs."""
    content = {
        "machine": {
            "processor": _processor(),
            "cores": len(os.sched_getaffinity(0)),
            "python": platform.python_version(),
        },
        "kernels": {
            name: {peer: asdict(s) for peer, s in by_peer.items()} for name, by_peer in measured.items()
        },
        "costs": [asdict(cost) for cost in found],
        "targets": [asdict(one) | {"reached": one.reached} for one in verdicts],
    }
    path.write_text(json.dumps(content, indent=1) + "\n")


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next(
        (line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine()
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run.

    Returns:
        1 when a result of ours was wrong, else 0; targets that are missed are no error.
    """
    options = arguments(argv)
    if options.list:
        print("\n".join(options.names))
        return 0
    kernels = [kernel for kernel in read_kernels() if kernel.name in options.names]
    measured: dict[str, dict[str, Samples]] = {}
    found: list[Cost] = []
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        present: list[peers.Peer] = []
        if kernels:
            programs = list(dict.fromkeys(kernel.program for kernel in kernels))
            present = prepare(options.peers, programs, Path(folder))
            measured = measure_kernels(kernels, present, options.runs)
    wrong = complain(measured)
    print(f"{_processor()}, {len(os.sched_getaffinity(0))} cores; ratios of {options.by} seconds\n")
    if kernels:
        table.show(table.kernel_rows(kernels, measured, [peer.name for peer in present], options.by))
    for group in costs.GROUPS:
        if group in options.names:
            progress(f"measuring {group}")
            found += costs.measure(group, options.runs)
    progress("")
    if found:
        table.show(table.costs_rows(found))
    constants = {kernel.name: kernel.interpreter for kernel in kernels if kernel.interpreter is not None}
    whole = len(kernels) == len(read_kernels())
    targets = [target for target in read_targets() if whole or target.subject != "all"]
    verdicts = judge(targets, measured, found, options.by, constants)
    known = [one for one in verdicts if one.value is not None and not math.isnan(one.value)]
    if known:
        table.show(table.verdict_rows(known))
    if options.json:
        write_json(options.json, measured, found, verdicts)
    return int(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
