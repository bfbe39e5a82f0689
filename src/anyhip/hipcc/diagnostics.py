"""What several passes over one source said, told once.

clang compiles a HIP source once for the host and once a target, and most of what it finds it finds in each.
The host pass's text is printed unchanged; of the device passes only what no other pass has said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["blocks", "merged"]

_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_FIRST = re.compile(r"(fatal error|error|warning|remark): ")
_INCLUDED = re.compile(r"In file included from |In module ")
_COUNT = re.compile(r"\d+ (warning|error)s?( and \d+ errors?)? generated")
_PROGRAM = re.compile(r"^zig: ", re.MULTILINE)


def blocks(text: str) -> list[str]:
    """Cut clang's text into diagnostics, each with its include stack, its source lines and its notes.

    The closing count ("1 error generated when compiling for gfx942.") is a block of its own.
    """
    found: list[list[str]] = []
    stack_open = False
    for line in text.splitlines(keepends=True):
        plain = _COLOUR.sub("", line)
        included = _INCLUDED.match(plain) is not None
        starts = included or _FIRST.search(plain) is not None or _COUNT.match(plain) is not None
        if (starts and not stack_open) or not found:
            found.append([])
        found[-1].append(line)
        stack_open = included or (stack_open and not starts)
    return ["".join(block) for block in found]


def merged(texts: Sequence[str]) -> str:
    """The texts of the passes over one source as one, the host's first; nothing is said twice."""
    said: set[str] = set()
    result: list[str] = []
    for text in texts:
        fresh: list[str] = []
        for block in blocks(_PROGRAM.sub("hipcc: ", text)):
            plain = _COLOUR.sub("", block)
            counted = _COUNT.match(plain) is not None
            if plain not in said and (not counted or fresh):
                fresh.append(block)
            said.add(plain)
        result += fresh
    return "".join(result)
