"""One line on stderr while something takes long, and nothing at all when it does not."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Self

__all__ = ["Progress"]


class Progress:
    """Context manager: says ``what`` after a second; on a terminal the line counts the seconds.

    Args:
        what: a phrase such as "building the C++ library from source".
        patience: seconds of silence first.
    """

    def __init__(self, what: str, patience: float = 1.0) -> None:
        self._what = what
        self._patience = patience
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._talk, daemon=True)
        self._start = time.monotonic()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def _talk(self) -> None:
        if self._done.wait(self._patience):
            return
        if not sys.stderr.isatty():
            print(f"anyhip: {self._what} ...", file=sys.stderr, flush=True)
            self._done.wait()
            print(f"anyhip: {self._what}: done in {self._seconds()} s", file=sys.stderr, flush=True)
            return
        while not self._done.wait(1.0):
            print(f"\ranyhip: {self._what} ... {self._seconds()} s", end="", file=sys.stderr, flush=True)
        print(f"\ranyhip: {self._what}: {self._seconds()} s   ", file=sys.stderr, flush=True)

    def _seconds(self) -> int:
        return round(time.monotonic() - self._start)
