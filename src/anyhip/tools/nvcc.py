"""The command ``nvcc``: hipcc over sources that are still CUDA, for build files that start nvcc by its path.

Sources and the CUDA headers that they include are ported for the compiler's eyes only, as ``anyhip run`` does
it; messages and dependency files name the originals.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from anyhip.errors import UsageError, outcome

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run nvcc with the words after the program's name; the exit code is clang's."""
    words = list(sys.argv[1:] if argv is None else argv)
    return outcome("nvcc", lambda: _serve(words))


def _serve(words: list[str]) -> int:
    from anyhip.hipcc import driver, options
    from anyhip.tools import agents
    from anyhip.tools.explain import Explainer
    from anyhip.tools.hipcc import lasting_runtime_dir
    from anyhip.tools.porting import ported

    command = options.parse(words)
    if command.show:
        return driver.show(command)
    command.native = agents.native
    if command.mode == "dependencies":
        raise UsageError("-M and -MM would list ported copies", "list them while compiling: -MD or -MMD")
    for one in command.sources:
        if one.path != "-" and not Path(one.path).is_file():
            raise UsageError(f"no such file: '{one.path}'")
    command, places = ported(command, None, Explainer(False))
    built = driver.build(command, lasting_runtime_dir)
    for name in built.dependency_files:
        _name_originals(Path(name), places)
    return built.returncode


def _name_originals(dependencies: Path, places: dict[Path, Path]) -> None:
    """Let a make rule name the user's files where it names their ported copies."""
    if not dependencies.is_file():
        return
    text = dependencies.read_text("utf-8", "surrogateescape")
    for original, copy in places.items():
        shown = os.path.relpath(original)
        text = text.replace(_made(copy), _made(original if shown.startswith("..") else Path(shown)))
    dependencies.write_text(text, "utf-8", "surrogateescape")


def _made(path: Path) -> str:
    """A path as make's rules spell it."""
    return str(path).replace("$", "$$").replace("#", "\\#").replace(" ", "\\ ")


if __name__ == "__main__":
    raise SystemExit(main())
