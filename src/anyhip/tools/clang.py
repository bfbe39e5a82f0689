"""The compiler under clang's names, for build systems that refuse one named hipcc, as CMake does.

HIP sources and links that name HIP go through hipcc's driver; C and C++ do too, where they are what they are
to clang: no HIP headers, no optimisation unless asked for. Questions (``-print-…``, ``-dumpversion``) and
clang's internal tools go to clang itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from anyhip.errors import outcome
from anyhip.hipcc import manifest

__all__ = ["QUESTIONS", "answer", "main"]

QUESTIONS = ("-print-", "--print-", "-dump", "--autocomplete")
"""Words that ask something of clang itself begin so."""

_OWN = (*QUESTIONS, "--version", "--help", "-cc1")  # and its internal tools, under its own name


def main(program: str, argv: Sequence[str] | None = None) -> int:
    """Compile as ``clang`` or ``clang++``; the exit code is clang's."""
    words = list(sys.argv[1:] if argv is None else argv)
    return outcome(program, lambda: _serve(program, words))


def _serve(program: str, words: list[str]) -> int:
    asked = any(word.startswith(_OWN) for word in words)
    if asked or all(word in ("-v", "--verbose") for word in words):
        return answer(program, words)
    key = manifest.command_key(program, words)
    if manifest.replay(key):
        return 0
    from anyhip.hipcc import driver
    from anyhip.tools import agents
    from anyhip.tools.hipcc import lasting_runtime_dir

    return driver.main(words, lasting_runtime_dir, key, program, agents.native)


def answer(program: str, words: list[str]) -> int:
    """Become clang, to answer a question. ``-v`` names the HIP installation, as clang does where it is."""
    from anyhip import toolchain
    from anyhip.hipcc.driver import HIP_VERSION
    from anyhip.sdk import root

    if {"-v", "--verbose"} & set(words):
        print(f"Found HIP installation: {root.ensure()}, version {HIP_VERSION}", file=sys.stderr, flush=True)
    chosen = toolchain.find()
    argv = [*(chosen.clang if chosen.built_by_zig else chosen.cc)]
    argv += ["--driver-mode=g++"] if program == "clang++" else []
    if words[:1] in (["-cc1"], ["-cc1as"]):
        argv = argv[:2] if argv[1] == "clang" else argv[:1]
    os.execve(argv[0], [*argv, *words], toolchain.environment())  # noqa: S606 - the compiler, without a shell


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1], sys.argv[2:]))
