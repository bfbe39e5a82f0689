"""Write docs/reference.md from the tables that the program itself reads: ``python docs/make_reference.py``.

In: option tables, environment variables, hip_api.tsv, errors.tsv, targets.tsv, opcode tables. Out: the page,
on stdout with ``--print``. ``tests/test_docs.py`` fails while page and tables disagree.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from reference import commands, instructions, interfaces

PAGE = Path(__file__).parent / "reference.md"
HEAD = """# Reference

Made by `python docs/make_reference.py` from the tables that the program reads; edit those.

"""


def page() -> str:
    """The whole page."""
    parts = [
        ("Commands", commands.text()),
        ("Environment variables", interfaces.variables()),
        ("Devices and targets", interfaces.targets()),
        ("Python", interfaces.python()),
        ("HIP API", interfaces.hip_api()),
        ("Error codes", interfaces.error_codes()),
        ("Instructions", instructions.text()),
    ]
    contents = "".join(f"- [{title}](#{title.lower().replace(' ', '-')})\n" for title, _ in parts)
    return HEAD + contents + "".join(f"\n## {title}\n\n{text.strip()}\n" for title, text in parts)


def main(words: Sequence[str]) -> None:
    """Write the page, or print it."""
    if "--print" in words:
        print(page(), end="")
    else:
        PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
