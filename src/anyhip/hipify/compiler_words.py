"""The compiler options of a source file: from hipify-clang's command line and from compile_commands.json."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

from ..errors import UsageError
from .options import Arguments

__all__ = ["compiler_words"]

_DATABASE = "compile_commands.json"


def compiler_words(arguments: Arguments, source: Path) -> list[str]:
    """The options to parse a source with; include folders are absolute where they come from a database.

    Args:
        arguments: the command line: -p, -I, -D, -extra-arg and what follows `--`.
        source: the file.

    Raises:
        UsageError: the database that -p names cannot be read.
    """
    values = arguments.values
    words = list(values.get("extra-arg-before", []))
    for folder in values.get("p", [])[-1:]:
        words += _from_database(Path(folder), source)
    words += [f"-I{folder}" for folder in values.get("I", [])]
    words += [f"-D{macro}" for macro in values.get("D", [])]
    return [*words, *arguments.compiler, *values.get("extra-arg", [])]


def _from_database(folder: Path, source: Path) -> list[str]:
    """The options that the database has for a source, each include folder made absolute."""
    path = folder / _DATABASE if folder.is_dir() else folder
    try:
        entries = json.loads(path.read_text())
        wanted = [one for one in entries if _same(Path(one["directory"]) / one["file"], source)]
        if not wanted:
            return []
        entry = wanted[0]
        words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"cannot use {path}: {error}", "name the folder of a compile_commands.json"
        ) from error
    return _absolute_folders(words[1:], Path(entry["directory"]))


def _same(one: Path, other: Path) -> bool:
    return os.path.normpath(one.absolute()) == os.path.normpath(other.absolute())


def _absolute_folders(words: list[str], base: Path) -> list[str]:
    result, rest = [], list(words)
    while rest:
        word = rest.pop(0)
        option = next((name for name in ("-isystem", "-iquote", "-I") if word.startswith(name)), "")
        value = word[len(option) :] or (rest.pop(0) if option and rest else "")
        result.append(option + str(base / value) if option else word)
    return result
