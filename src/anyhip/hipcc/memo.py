"""The compile cache: the object of a source that was compiled before, found without starting a compiler.

The key is everything on the command line, the compiler, the source's text and the variables that clang reads.
Under it lies a manifest: for each remembered compile the files it included, with size, time and digest, and
the object's digest. If the files are unchanged the object is too. (The scheme is ccache's "direct mode", with
its known gap: a new header that would now be found *before* one that was used is not noticed.)
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from anyhip import cache
from anyhip.errors import CacheError

__all__ = ["Entry", "dependencies", "find", "key_of", "keep"]

_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "SOURCE_DATE_EPOCH")
_CLOCKS = (b"__TIME__", b"__DATE__", b"__TIMESTAMP__")
_MOST_ENTRIES = 8  # compiles remembered under one key: the same text with different headers


@dataclass(frozen=True)
class Entry:
    """A remembered compile: the object, and what the compiler said."""

    object: Path
    stderr: str


def key_of(identity: str, words: Sequence[str], source: bytes) -> str:
    """The key of a compile: ``words`` are every argument of its passes."""
    variables = [f"{name}={os.environ.get(name, '')}" for name in _VARIABLES]
    return cache.digest(identity, os.getcwd(), "\0".join(variables), "\0".join(words), source)


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


def find(key: str) -> Entry | None:
    """The remembered compile whose included files are all as they were."""
    try:
        lines = _manifest(key).read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    for record in _records(lines):
        made = cache.path("objects", record[0], ".o")
        if all(_unchanged(line) for line in record[1:]) and made.exists():
            try:
                return Entry(made, made.with_suffix(".txt").read_text())
            except OSError:
                return None
    return None


def keep(key: str, made: Path, stderr: str, files: Sequence[str], started_ns: int) -> None:
    """Remember a compile. A cache that cannot be written is no reason to fail: one warning says so.

    Nothing is remembered when the result depends on the clock, or when a file may have changed meanwhile.
    """
    lines = []
    for name in files:
        status = os.stat(name)
        data = Path(name).read_bytes()
        if status.st_mtime_ns >= started_ns or any(clock in data for clock in _CLOCKS):
            return
        lines.append(f"{status.st_size} {status.st_mtime_ns} {cache.digest(data)} {name}")
    content = made.read_bytes()
    digest = cache.digest(key, stderr, content, "\n".join(lines))
    try:
        target = cache.path("objects", digest, ".o")
        cache.write(target, content)
        cache.write(target.with_suffix(".txt"), stderr.encode())
        manifest = _manifest(key)
        old = _records(manifest.read_text().splitlines()) if manifest.exists() else []
        records = [[digest, *lines], *[record for record in old if record[0] != digest]][:_MOST_ENTRIES]
        cache.write(
            manifest, "".join("\n".join(["=" + record[0], *record[1:], ""]) for record in records).encode()
        )
    except CacheError as error:
        cache.warn_once(error)


def now_ns() -> int:
    """The clock that files' times come from."""
    return time.time_ns()


def _manifest(key: str) -> Path:
    return cache.path("objects", key, ".manifest")


def _records(lines: Sequence[str]) -> list[list[str]]:
    records: list[list[str]] = []
    for line in lines:
        if line.startswith("="):
            records.append([line[1:]])
        elif records:
            records[-1].append(line)
    return records


def _unchanged(line: str) -> bool:
    """Same size and time, or else the same content."""
    size, time_ns, digest, name = line.split(" ", 3)
    try:
        status = os.stat(name)
        if status.st_size != int(size):
            return False
        return status.st_mtime_ns == int(time_ns) or cache.digest(Path(name).read_bytes()) == digest
    except OSError:
        return False
