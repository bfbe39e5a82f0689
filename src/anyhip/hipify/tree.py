"""Port a whole tree: its sources, headers and build files, on all cores, only what changed since last time.

Results come one by one, so that memory holds a few files, not the tree; what is done with them (in place,
beside, elsewhere, a patch) is delivery.py's. A file that was ported in place before is read from its backup,
FILE.prehip.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

from .. import cache
from ..errors import CacheError
from . import files
from .build_files import TARGETS, build_kind, port_build_file
from .port import Note, Ported, PortOptions, port_source

__all__ = ["BACKUP", "TreeFile", "find_files", "port_tree"]

BACKUP = ".prehip"
_SUFFIXES = files.SOURCES | files.HEADERS
_SERIAL_BYTES = 400_000
"""Less than this is ported before processes have started."""
_WINDOW = 4
"""Files a process that may be ported ahead of what was taken."""
_BINARY_PROBE = 8000  # bytes; as git does to tell binary files
_BINARY = "a binary file: left as it is"


@dataclass
class TreeFile:
    """A file of the tree: where, what it was, what became of it.

    build: its kind if a build file; target: where the result goes, if not in place of the file.
    """

    path: Path
    old: bytes
    ported: Ported
    build: str = ""
    target: Path | None = None
    lines: int = field(init=False)

    def __post_init__(self) -> None:
        self.lines = self.old.count(b"\n")

    @property
    def changed(self) -> bool:
        """True if porting changed the text or the name."""
        return self.target is not None or self.old != self.ported.text

    @property
    def place(self) -> Path:
        """Where the result belongs."""
        return self.target or self.path


def find_files(root: Path, exclude: frozenset[str] = frozenset()) -> list[Path]:
    """Sources, headers and build files below a folder, relative to it; the file itself for a file.

    Raises:
        UsageError: `root` is neither.
    """
    if root.is_file():
        return [Path(root.name)]
    wanted = files.find(root, None, exclude)
    return [
        path.relative_to(root)
        for path in wanted
        if (path.suffix.lower() in _SUFFIXES or build_kind(path)) and path.is_file()  # no dangling links
    ]


def port_tree(
    root: Path,
    options: PortOptions,
    *,
    paths: Sequence[Path] | None = None,
    targets: Sequence[str] = TARGETS,
    jobs: int = 0,
    progress: bool = True,
) -> Iterator[TreeFile]:
    """Port the files of a tree.

    Args:
        root: the folder, or one file.
        options: how to port.
        paths: files relative to the root; default: as find_files.
        targets: GPUs to name in build files.
        jobs: processes; 0: one a core.
        progress: show a bar on stderr if that is a terminal.

    Yields:
        Every file, in order.

    Raises:
        AnyHipError: a file cannot be read.
    """
    base = root.parent if root.is_file() else root
    paths = find_files(root) if paths is None else paths
    one = partial(_port, base, options, tuple(targets))
    size = sum((base / path).stat().st_size for path in paths if (base / path).exists())
    jobs = min(jobs or os.cpu_count() or 1, len(paths))
    if size < _SERIAL_BYTES or jobs < 2:
        yield from _shown(map(one, paths), len(paths), progress)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from _shown(_in_order(pool, one, paths, jobs * _WINDOW), len(paths), progress)


def _in_order(
    pool: ProcessPoolExecutor, one: Callable[[Path], TreeFile], paths: Sequence[Path], window: int
) -> Iterator[TreeFile]:
    """Results in order, never more than a window of them in memory, however long the first one takes."""
    waiting: deque[Future[TreeFile]] = deque()
    for path in paths:
        waiting.append(pool.submit(one, path))
        if len(waiting) == window:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _port(base: Path, options: PortOptions, targets: tuple[str, ...], path: Path) -> TreeFile:
    place = base / path
    saved = place.with_name(place.name + BACKUP)
    old = files.read(saved if saved.exists() else place)
    kind = build_kind(path) if path.suffix.lower() not in _SUFFIXES else ""
    if b"\0" in old[:_BINARY_PROBE] and old[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        return TreeFile(path, old, Ported(old, [Note(1, 1, "encoding", path.name, _BINARY)]))
    if kind:
        return TreeFile(path, old, port_build_file(old, kind, targets), kind)
    return TreeFile(path, old, _remembered(old, options))


def _remembered(old: bytes, options: PortOptions) -> Ported:
    """As port_source, from the cache if this text was ported so before."""
    import msgpack

    values = ((name, getattr(options, name)) for name in options.__slots__)
    fields = [(name, sorted(value) if isinstance(value, frozenset) else value) for name, value in values]
    place = cache.path("hipify", cache.digest(old, repr(fields), _version()), ".mp")
    try:
        text, notes, counts, renamed = msgpack.unpackb(place.read_bytes(), use_list=True)
        pairs = {(cuda, hip): count for cuda, hip, count in renamed}
        return Ported(old if text is None else text, [Note(*note) for note in notes], counts, pairs)
    except (OSError, ValueError, TypeError, msgpack.UnpackException):
        pass  # not there, or not whole: port it
    ported = port_source(old, None, options)
    notes = [(note.line, note.col, note.kind, note.name, note.message) for note in ported.notes]
    renamed = [(cuda, hip, count) for (cuda, hip), count in ported.renamed.items()]
    text = None if ported.text == old else ported.text
    with suppress(CacheError):  # the result is here all the same
        cache.write(place, msgpack.packb((text, notes, dict(ported.counts), renamed)))
    return ported


@lru_cache(maxsize=1)
def _version() -> str:
    """Changes whenever a rule or a map does."""
    folder = Path(__file__).parent
    own = sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".tsv"))
    return repr([(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in own])


def _shown(done: Iterator[TreeFile], total: int, progress: bool) -> Iterator[TreeFile]:
    """Pass files on, with a bar on a terminal."""
    bar = progress and sys.stderr.isatty() and total > 20
    for count, one in enumerate(done, 1):
        if bar:
            filled = 30 * count // total
            sys.stderr.write(f"\r[{'#' * filled}{'.' * (30 - filled)}] {count}/{total} files")
            sys.stderr.flush()
        yield one
    if bar:
        sys.stderr.write("\r\033[K")
