"""Two texts in, a patch out that `git apply` takes."""

from __future__ import annotations

import difflib

__all__ = ["patch"]

_NO_NEWLINE = b"\\ No newline at end of file\n"


def patch(path: str, old: bytes | None, new: bytes) -> bytes:
    """The difference of a file as git writes it; b"" if there is none.

    Args:
        path: the file's name, relative to the root of the tree, with `/`.
        old: its bytes; None if there is no such file yet.
        new: what they become.
    """
    if old == new:
        return b""
    name = path.encode()
    ending = b"\t" if b" " in name else b""  # as git does, for a name with blanks
    head = b"diff --git a/%b b/%b\n" % (name, name)
    if old is None:
        head += b"new file mode 100644\n--- /dev/null\n"
    else:
        head += b"--- a/%b%b\n" % (name, ending)
    head += b"+++ b/%b%b\n" % (name, ending)
    lines = difflib.unified_diff(_lines(old or b""), _lines(new), n=3)
    body = [line.encode("latin-1") for line in lines if not line.startswith(("--- \n", "+++ \n"))]
    return head + b"".join(line if line.endswith(b"\n") else line + b"\n" + _NO_NEWLINE for line in body)


def _lines(text: bytes) -> list[str]:
    """Lines that end at newlines alone; latin-1 keeps every byte."""
    *lines, last = text.decode("latin-1").split("\n")
    return [line + "\n" for line in lines] + ([last] if last else [])
