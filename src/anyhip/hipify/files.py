"""Source files on disk: find them, read them, write results without ever leaving half a file."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from ..errors import AnyHipError, UsageError

__all__ = ["HEADERS", "SOURCES", "backup", "find", "make_folder", "read", "write"]

SOURCES = frozenset({".c", ".cc", ".cpp", ".cxx", ".cu", ".c++", ".hip"})
HEADERS = frozenset({".h", ".hh", ".hpp", ".hxx", ".cuh", ".inc", ".inl", ".h++"})
_BACKUP = ".prehip"


def find(
    folder: Path, suffixes: frozenset[str] | None, exclude: frozenset[str] = frozenset()
) -> Iterator[Path]:
    """Source files below a folder, in order of name.

    Args:
        folder: where to look.
        suffixes: file name suffixes to take; None: every file.
        exclude: names of folders to leave out; hidden ones always are.

    Raises:
        UsageError: `folder` is no folder.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder", "name the folder that holds the sources")
    for top, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in exclude and not name.startswith("."))
        for name in sorted(files):
            if suffixes is None or Path(name).suffix.lower() in suffixes:
                yield Path(top) / name


def read(path: Path) -> bytes:
    """A file's bytes.

    Raises:
        AnyHipError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        hint = "check the path and its permissions"
        raise AnyHipError(f"cannot read {path}: {error.strerror}", hint) from error


def write(path: Path, data: bytes | IO[bytes]) -> None:
    """Put bytes, or what a stream holds, in place of a file, all or nothing; its permissions stay.

    Raises:
        AnyHipError: it cannot be written.
    """
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as stream:
            if isinstance(data, bytes):
                stream.write(data)
            else:
                shutil.copyfileobj(data, stream)
        if path.exists():
            shutil.copymode(path, temporary)
        else:
            Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        hint = "check the folder, its permissions and free space"
        raise AnyHipError(f"cannot write {path}: {error.strerror}", hint) from error


def backup(path: Path) -> Path:
    """The backup of a file that is ported in place: made now, or left by an earlier run.

    An earlier run's backup is the CUDA source, so it is what a later run must read.

    Raises:
        AnyHipError: it cannot be written.
    """
    saved = path.with_name(path.name + _BACKUP)
    if not saved.exists():
        write(saved, read(path))
        shutil.copymode(path, saved)
    return saved


def make_folder(path: Path) -> None:
    """Make a folder and those above it.

    Raises:
        AnyHipError: it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        hint = "check the path and its permissions"
        raise AnyHipError(f"cannot make the folder {path}: {error.strerror}", hint) from error
