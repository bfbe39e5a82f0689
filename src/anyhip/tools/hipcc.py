"""The command ``hipcc``: the driver, given the SDK root of this installation.

A command that was run before over the same files is answered here, before the driver is even imported.
"""

from __future__ import annotations

import sys

from anyhip.errors import outcome
from anyhip.hipcc import manifest

TYPE_CHECKING = False  # importing typing would cost as much as the work done here
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["lasting_runtime_dir", "main", "runtime_dir"]


def runtime_dir() -> Path:
    """The folder of libamdhip64.so.7, which is built into the cache at first use."""
    from anyhip.sdk import root

    return root.ensure() / "lib"


def lasting_runtime_dir() -> Path:
    """The same, for a program that is started after this process has ended.

    Raises:
        CacheError: the library could not be kept.
    """
    from anyhip import cache
    from anyhip.errors import CacheError

    folder = runtime_dir()
    if cache.is_private(folder):
        raise CacheError(
            f"the runtime library that programs need cannot be kept in {cache.cache_dir()}",
            "free some space, or set ANYHIP_CACHE_DIR to a folder that can be written",
        )
    return folder


def main(argv: Sequence[str] | None = None) -> int:
    """Run hipcc with the words after the program's name; the exit code is clang's."""
    words = list(sys.argv[1:] if argv is None else argv)
    return outcome("hipcc", lambda: _serve(words))


def _serve(words: list[str]) -> int:
    key = manifest.command_key("hipcc", words)
    if manifest.replay(key):
        return 0
    from anyhip.hipcc import driver
    from anyhip.tools import agents, clang

    if any(word.startswith(clang.QUESTIONS) for word in words):
        return clang.answer("clang++", words)
    return driver.main(words, lasting_runtime_dir, key, native=agents.native)


if __name__ == "__main__":
    raise SystemExit(main())
