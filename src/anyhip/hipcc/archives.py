"""Static libraries: a file made by ar in, its members out; and the files that ``-l`` and ``-L`` mean.

Layout: "ar" of the System V ABI with GNU's and BSD's ways to write long names, and GNU's thin archives, whose
members are files beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from anyhip.errors import UsageError

__all__ = ["find_library", "is_archive", "members"]

_MAGIC, _THIN = b"!<arch>\n", b"!<thin>\n"
_HEADER = 60
_INDEXES = ("/", "/SYM64/", "__.SYMDEF", "__.SYMDEF SORTED")


def is_archive(path: Path) -> bool:
    """Whether a file is a static library."""
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) in (_MAGIC, _THIN)


def members(path: Path) -> Iterator[tuple[str, bytes]]:
    """Names and contents, in the file's order, without its indexes.

    Raises:
        UsageError: the file is damaged.
    """
    data = path.read_bytes()
    thin, at, long_names = data.startswith(_THIN), len(_MAGIC), b""
    while at + _HEADER <= len(data):
        header = data[at : at + _HEADER]
        at += _HEADER
        try:
            size = int(header[48:58])
        except ValueError:
            raise UsageError(f"{path} is damaged: a member at {at - _HEADER} has no size") from None
        name = header[:16].decode("utf-8", "surrogateescape").rstrip()
        inside = not thin or name in ("//", *_INDEXES)
        content = data[at : at + size] if inside else b""
        at += size + size % 2 if inside else 0
        if name == "//":
            long_names = content
            continue
        if name.startswith("#1/"):
            length = int(name[3:])
            name, content = (
                content[:length].rstrip(b"\0").decode("utf-8", "surrogateescape"),
                content[length:],
            )
        elif name.startswith("/") and name[1:].isdigit():
            start = int(name[1:])
            name = long_names[start : long_names.find(b"\n", start)].decode("utf-8", "surrogateescape")
        if name in _INDEXES:
            continue
        name = name.removesuffix("/")
        yield Path(name).name, content if inside else (path.parent / name).read_bytes()


def find_library(name: str, folders: Sequence[str], static: bool) -> Path | None:
    """The file that ``-lNAME`` means in folders of the command line; None where it is found elsewhere.

    Args:
        static: only archives count (``-static``, ``-Bstatic``).
    """
    exact = name.removeprefix(":") if name.startswith(":") else ""
    names = [exact] if exact else ([] if static else [f"lib{name}.so"]) + [f"lib{name}.a"]
    paths = (Path(folder) / one for folder in folders for one in names)
    return next((path for path in paths if path.is_file()), None)
