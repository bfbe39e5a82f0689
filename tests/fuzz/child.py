"""Run cases one after another and say how each ended, a line a case; started anew by ``campaign`` if it dies.

    python -m fuzz.child KIND TARGET FIRST COUNT

Lines: ``begin N``, then ``end N WORD`` or ``fault N TEXT``. What is said between them belongs to the case.
"""

from __future__ import annotations

import random
import signal
import sys
import traceback

from anyhip.errors import AnyHipError
from fuzz import cases

CHECK_EVERY = 50


def _late(*_: object) -> None:
    raise cases.Stopped("stopped after a while")


def one(kind: str, arch: str, number: int) -> str:
    """How a case ended; a traceback in one line if with a fault of ours."""
    rng = random.Random(f"{kind} {arch} {number}")
    if kind == "interpret":
        signal.setitimer(signal.ITIMER_REAL, 2 * cases.STOP_SECONDS)
    try:
        word = cases.CASES[kind](arch, rng)
    except AnyHipError as error:
        code = getattr(error, "code_name", "")
        word = f"{type(error).__name__}{' ' + code if code else ''}"
    except Exception as error:  # noqa: BLE001 - the very thing that is looked for
        last = traceback.format_list(traceback.extract_tb(error.__traceback__)[-2:])
        return f"fault {number} {''.join(last) + repr(error)!r}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return f"end {number} {word}"


def main(kind: str, arch: str, first: str, count: str) -> None:
    """The cases of a command line."""
    signal.signal(signal.SIGALRM, _late)
    for number in range(int(first), int(first) + int(count)):
        print(f"begin {number}", flush=True)
        print(one(kind, arch, number), flush=True)
        if kind in ("load", "translate") and number % CHECK_EVERY == CHECK_EVERY - 1:
            cases.check(arch)


if __name__ == "__main__":
    main(*sys.argv[1:])
