"""The writing half of the compile cache: remember what was made, and from which files."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from anyhip import cache
from anyhip.errors import CacheError
from anyhip.hipcc import manifest

__all__ = ["dependencies", "keep", "now_ns", "own_files", "source_key"]

_CLOCKS = (b"__TIME__", b"__DATE__", b"__TIMESTAMP__")
_MOST_RECORDS = 8  # builds remembered under one key: the same command with different headers
_PACKAGE = Path(__file__).parents[1]


def source_key(identity: str, words: Sequence[str], source: bytes) -> str:
    """The key of one source's compile: ``words`` are all arguments of its passes."""
    variables = [f"{name}={os.environ.get(name, '')}" for name in manifest.VARIABLES]
    return cache.digest(identity, os.getcwd(), "\0".join(variables), "\0".join(words), source)


def now_ns() -> int:
    """The clock that the times of files come from."""
    return time.time_ns()


def own_files(compiler: str) -> list[str]:
    """The files of ours that decide what a command makes: driver, porting rules, C skin, compiler."""
    found = [path for part in ("hipcc", "hipify", "sdk") for path in (_PACKAGE / part).rglob("*")]
    return [compiler, *sorted(str(path) for path in found if path.is_file() and path.suffix != ".pyc")]


def dependencies(text: str) -> list[str]:
    """The files that a make rule lists, its targets left out."""
    _, _, rest = text.replace("\\\n", " ").partition(": ")
    words, current = [], ""
    position = 0
    while position < len(rest):
        letter = rest[position]
        if letter == "\\" and rest[position + 1 : position + 2] in (" ", "#"):
            current += rest[position + 1]
            position += 1
        elif letter == "$" and rest[position + 1 : position + 2] == "$":
            current += "$"
            position += 1
        elif letter.isspace():
            words += [current] if current else []
            current = ""
            if letter == "\n":  # -MP adds an empty rule for each header
                return words
        else:
            current += letter
        position += 1
    return [*words, current] if current else words


def keep(
    key: str,
    made: Path,
    said: str,
    files: Iterable[str],
    started_ns: int,
    unread: Iterable[str] = (),
    output: str = "",
) -> Path | None:
    """Remember that ``made`` came of ``files``. A cache that cannot be written costs one warning, no more.

    Nothing is remembered when the result depends on the clock, or when a file may have changed meanwhile.

    Args:
        said: what the compiler said, to be said again.
        started_ns: when the build began.
        unread: files that are compared by size and time alone.
        output: where the user wanted it, for :func:`anyhip.hipcc.manifest.replay`.

    Returns:
        The copy in the cache, or None.
    """
    lines = [manifest.stat_line(name, None) for name in unread]
    for name in dict.fromkeys(files):
        try:
            content = Path(name).read_bytes()
        except OSError:  # a name with a line end in it, which a list of dependencies cannot hold
            return None
        if os.stat(name).st_mtime_ns >= started_ns or any(clock in content for clock in _CLOCKS):
            return None
        lines.append(manifest.stat_line(name, content))
    content = made.read_bytes()
    text = said.encode("utf-8", "surrogateescape")
    digest = manifest.result_digest(key, text, content, lines)
    target, index = Path(manifest.folder(digest)), manifest.folder(key) + ".manifest"
    first = f"{digest} {output}"
    old = [record for record in manifest.records(index) if record[0] != first]
    kept = [[first, *lines], *old][:_MOST_RECORDS]
    try:
        cache.write(target.with_name(target.name + ".txt"), text)
        cache.write(target, content, made.stat().st_mode & 0o777)
        records = "".join("=" + "\n".join([*record, ""]) for record in kept)
        cache.write(Path(index), records.encode("utf-8", "surrogateescape"))
    except CacheError as error:
        cache.warn_once(error)
        return None
    return target
