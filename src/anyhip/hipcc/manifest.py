"""What was built before, found again without starting a compiler: the reading half of the compile cache.

A manifest is a text file named by a key. Each record in it is a build: a line ``=digest output`` names what
was made and where the user wanted it; the lines below list the files that it was made from, each as
``size time digest name``. While they are unchanged (``-`` for a digest: by size and time alone) what was made
is still right. The scheme is ccache's "direct mode", with its known gap: a new header that would now be found
*before* one that was used is not noticed.

This module is imported before anything else of hipcc's, and imports next to nothing: what it saves is a few
hundred milliseconds, most of which would otherwise be Python's.
"""

from __future__ import annotations

import hashlib
import os
import sys

from anyhip import where

__all__ = ["Hit", "command_key", "digest", "find", "folder", "replay", "result_digest", "stat_line"]

# What decides a build besides its command line. The second row is read by clang and lld themselves.
VARIABLES = (
    "HIP_CLANG_PATH", "ANYHIP_CXX_STDLIB", "ANYHIP_OFFLOAD_ARCH", "HIPCC_COMPILE_FLAGS_APPEND",
    "HIPCC_LINK_FLAGS_APPEND", "HIPCC_VERBOSE", "ANYHIP_COMPILE_CACHE", "NO_COLOR", "FORCE_COLOR",
    "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "SOURCE_DATE_EPOCH", "COMPILER_PATH",
)  # fmt: skip
_NOT_REPLAYED = (
    "@",
    "-###",
    "-v",
    "--verbose",
    "-M",
    "--save-temps",
    "-save-temps",
    "--hipcc-verbose",
    "--version",
)


class Hit:
    """Something that was made before: its file in the cache, where it goes, and what the compiler said."""

    def __init__(self, made: str, output: str, said: str, lines: list[str]) -> None:
        self.made = made
        self.output = output
        self.said = said
        self.lines = lines


def digest(*parts: bytes) -> str:
    """SHA-256 of the parts, each preceded by its length."""
    state = hashlib.sha256()
    for part in parts:
        state.update(len(part).to_bytes(8, "little"))
        state.update(part)
    return state.hexdigest()


def folder(key: str) -> str:
    """Where a key's manifest and what was made under it lie, without suffix."""
    return os.path.join(where.cache_folder(), "objects", key[:2], key[2:])


def command_key(program: str, words: list[str]) -> str:
    """The key of a whole command line; empty when its result cannot be replayed."""
    if os.environ.get("ANYHIP_COMPILE_CACHE", "1") not in ("1", "on") or "-" in words:
        return ""
    if os.environ.get("HIPCC_VERBOSE", "0") != "0" or any(word.startswith(_NOT_REPLAYED) for word in words):
        return ""
    if any("native" in word and not word.startswith("-m") for word in words):
        return ""  # this machine's devices are another variable's matter
    variables = [f"{name}={os.environ.get(name, '')}" for name in VARIABLES]
    facts = [program, sys.executable, os.getcwd(), str(sys.stderr.isatty()), *variables, "", *words]
    return digest(*(os.fsencode(fact) for fact in facts))


def find(key: str) -> Hit | None:
    """What was made under a key from files that are all as they were."""
    for record in records(folder(key) + ".manifest"):
        name, _, output = record[0].partition(" ")
        made = folder(name)
        if not all(_unchanged(line) for line in record[1:]):
            continue
        try:
            with open(made, "rb") as file, open(made + ".txt", "rb") as text:
                content, said = file.read(), text.read()
        except (OSError, ValueError):  # gone, or a damaged name
            continue
        if name == result_digest(key, said, content, record[1:]):
            return Hit(made, output, said.decode("utf-8", "surrogateescape"), record[1:])
    return None


def result_digest(key: str, said: bytes, content: bytes, lines: list[str]) -> str:
    """The name under which a result lies: made of all that is kept, so that damage shows."""
    return digest(key.encode(), said, content, "\n".join(lines).encode("utf-8", "surrogateescape"))


def records(path: str) -> list[list[str]]:
    """The records of a manifest: what was made, then the lines of its files. None if there is no manifest."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as lines:
            text = lines.read()
    except OSError:
        return []
    found: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("="):
            found.append([line[1:]])
        elif found:
            found[-1].append(line)
    return found


def replay(key: str) -> bool:
    """Write a command's output again if its files are as they were, and say again what the compiler said."""
    hit = find(key) if key else None
    if hit is None or not hit.output:
        return False
    output = hit.output
    try:
        with open(hit.made, "rb") as made:
            content, mode = made.read(), os.fstat(made.fileno()).st_mode & 0o777
        if os.path.lexists(output):
            os.unlink(output)  # a program that is running keeps its file
        handle = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with open(handle, "wb") as file:
            file.write(content)
    except OSError:
        return False  # compiled again, and the compiler says what is wrong with the output
    sys.stderr.write(hit.said)
    return True


def stat_line(name: str, content: bytes | None) -> str:
    """The line of one file.

    Raises:
        OSError: it is not there.
    """
    status = os.stat(name)
    return f"{status.st_size} {status.st_mtime_ns} {'-' if content is None else digest(content)} {name}"


def _unchanged(line: str) -> bool:
    """Same size and time, or else the same content."""
    try:
        size, time_ns, content, name = line.split(" ", 3)
        status = os.stat(name)
        if status.st_size != int(size):
            return False
        if status.st_mtime_ns == int(time_ns):
            return True
        if content == "-":
            return False
        with open(name, "rb") as file:
            return digest(file.read()) == content
    except (OSError, ValueError):  # gone, or a damaged line
        return False
