"""The verb `anyhip hipify`: port a file or a tree, deliver it as asked, and report."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from ..errors import UsageError
from . import files
from .build_files import TARGETS
from .delivery import Delivery
from .exchange import as_json, as_sarif
from .options import PERL, Arguments, Option, help_text, parse
from .page import as_page, duration
from .port import PortOptions
from .renaming import pytorch_paths, renamed
from .summary import Summary, summarise
from .tree import TreeFile, find_files, port_tree

__all__ = ["OPTIONS", "main"]

_PROGRAM = "anyhip hipify"
_TAKEN = ("experimental", "help", "roc", "rocm6", "whitelist", "exclude-dirs", "exclude-files",
          "cuda-kernel-execution-syntax", "hip-kernel-execution-syntax")  # fmt: skip
OPTIONS = (
    Option("in-place", False, "replace files, keeping each as FILE.prehip"),
    Option("no-backup", False, "with --in-place: keep no FILE.prehip"),
    Option("beside", False, "write FILE.hip beside each source"),
    Option("output", True, "write a ported copy of the whole tree to this folder"),
    Option("patch", True, "write a patch for `git apply` to this file; - is stdout"),
    Option("html", True, "write the report as one HTML page"),
    Option("json", True, "write the report as JSON; - is stdout"),
    Option("sarif", True, "write the report as SARIF for code review tools; - is stdout"),
    Option("targets", True, "GPUs to name in build files (default: gfx942,gfx1100)"),
    Option(
        "pytorch", False, "PyTorch's names for ported files (cuda becomes hip, .cu .hip); the CUDA files stay"
    ),
    Option("hipdnn", False, "name hipDNN for cuDNN, as hipify-perl does, not MIOpen"),
    Option("jobs", True, "how many processes (default: one a core)"),
    *(option for option in PERL if option.name in _TAKEN),
)
_MOST_TASKS = 10


def main(argv: Sequence[str]) -> int:
    """Run the verb.

    Args:
        argv: the words after `hipify`.

    Returns:
        0.

    Raises:
        AnyHipError: a wrong command line, or files that cannot be read or written.
    """
    arguments = parse(argv, OPTIONS, _PROGRAM)
    if "help" in arguments.switches:
        sys.stdout.write(
            help_text(_PROGRAM, "PATH [options]", OPTIONS, "Without --in-place and its like it only reports.")
        )
        return 0
    if len(arguments.inputs) != 1:
        raise UsageError(
            f"{_PROGRAM}: name one file or folder", f"{_PROGRAM} PATH; {_PROGRAM} --help lists the options"
        )
    root = Path(arguments.inputs[0])
    delivery = _delivery(root.parent if root.is_file() else root, arguments)
    ported: Iterable[TreeFile] = _ported(root, arguments)
    if "pytorch" in arguments.switches:
        names = pytorch_paths(ported)
        ported = renamed(_ported(root, arguments), names)  # from the cache, this time
    summary = summarise(delivery.deliver(ported), arguments.names("whitelist"))
    _report(summary, root, arguments)
    _talk(summary, delivery.said())
    return 0


def _ported(root: Path, arguments: Arguments) -> Iterator[TreeFile]:
    left_out = arguments.names("exclude-files")
    paths = [path for path in find_files(root, arguments.names("exclude-dirs")) if path.name not in left_out]
    options = PortOptions(
        roc="roc" in arguments.switches,
        hipdnn="hipdnn" in arguments.switches,
        experimental="experimental" in arguments.switches,
        hip_launch="hip-kernel-execution-syntax" in arguments.switches,
        whitelist=arguments.names("whitelist"),
        rocm6="rocm6" in arguments.switches,
    )
    words = arguments.values
    targets = words.get("targets", [",".join(TARGETS)])[-1].split(",")
    jobs = words.get("jobs", ["0"])[-1]
    if not jobs.isdigit():
        raise UsageError(f"{_PROGRAM}: --jobs={jobs} is no number", "write --jobs=4")
    return port_tree(root, options, paths=paths, targets=targets, jobs=int(jobs))


def _delivery(base: Path, arguments: Arguments) -> Delivery:
    return Delivery(
        base,
        in_place="in-place" in arguments.switches,
        keep_backup="no-backup" not in arguments.switches,
        beside="beside" in arguments.switches,
        folders=[Path(folder) for folder in arguments.values.get("output", [])],
        patches=arguments.values.get("patch", []),
    )


def _report(summary: Summary, root: Path, arguments: Arguments) -> None:
    def page(made: Summary) -> str:
        return as_page(made, root.resolve().name)

    makers: dict[str, Callable[[Summary], str]] = {"json": as_json, "sarif": as_sarif, "html": page}
    for name, make in makers.items():
        for target in arguments.values.get(name, []):
            _put(target, make(summary).encode())


def _put(target: str, data: bytes) -> None:
    if target == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        files.write(Path(target), data)


def _talk(summary: Summary, written: str) -> None:
    """The summary on stderr."""
    changed = sum(one.changed for one in summary.files)
    lines = [
        f"{changed:,} of {len(summary.files):,} files change, {summary.lines:,} lines read",
        f"{summary.converted:,} places converted ({summary.rate:.1%} of CUDA's),"
        f" {summary.levels['error']:,} to rewrite, {summary.levels['warning']:,} to check",
    ]
    if summary.tasks:
        lines.append(f"work left, estimated: {duration(summary.minutes)}; the largest:")
    for task in summary.tasks[:_MOST_TASKS]:
        first = task.places[0]
        where = f"{first.path}:{first.note.line}" + (
            f" and {len(task.places) - 1} more" if len(task.places) > 1 else ""
        )
        lines.append(f"  {duration(task.minutes):>7}  {task.name}: {task.kind.title} ({where})")
    lines.append(written or "nothing written: --in-place, --beside, --output or --patch does")
    sys.stderr.write("\n".join(lines) + "\n")
