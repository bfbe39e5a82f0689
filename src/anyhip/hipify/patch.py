"""Two texts in, a patch out that `git apply` takes."""

from __future__ import annotations

import difflib

__all__ = ["patch"]

_NO_NEWLINE = b"\\ No newline at end of file\n"


def patch(path: str, old: bytes, new: bytes) -> bytes:
    """The difference of a file as git writes it; b"" if there is none.

    Args:
        path: the file's name, relative to the root of the tree, with `/`.
        old: its bytes.
        new: what they become.
    """
    if old == new:
        return b""
    name = path.encode()
    ending = b"\t" if b" " in name else b""  # as git does, for a name with blanks
    head = b"diff --git a/%b b/%b\n--- a/%b%b\n+++ b/%b%b\n" % (name, name, name, ending, name, ending)
    lines = difflib.unified_diff(_lines(old), _lines(new), n=3)
    body = [line.encode("latin-1") for line in lines if not line.startswith(("--- \n", "+++ \n"))]
    return head + b"".join(line if line.endswith(b"\n") else line + b"\n" + _NO_NEWLINE for line in body)


def _lines(text: bytes) -> list[str]:
    """Lines that end at newlines alone; latin-1 keeps every byte."""
    return [line + "\n" for line in text.decode("latin-1").split("\n")[:-1]] + (
        [text.decode("latin-1").rpartition("\n")[2]] if not text.endswith(b"\n") else []
    )
