"""The command ``hipcc``: the driver, given the SDK root of this installation."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from anyhip.hipcc import driver

__all__ = ["main", "runtime_dir"]


def runtime_dir() -> Path:
    """The folder of libamdhip64.so.7, which is built into the cache at first use."""
    from anyhip.sdk import root

    return root.ensure() / "lib"


def main(argv: Sequence[str] | None = None) -> int:
    """Run hipcc with the words after the program's name; the exit code is clang's."""
    return driver.main(sys.argv[1:] if argv is None else argv, runtime_dir)


if __name__ == "__main__":
    raise SystemExit(main())
