"""The table that every measurement ends in."""

from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["Row", "show"]


class Row(NamedTuple):
    """One measurement: ours, a peer's, and the goal; units are part of the text in ``what``."""

    what: str
    ours: float
    peer: float | None
    peer_name: str
    goal: str


def show(title: str, rows: Iterable[Row]) -> None:
    """Print rows as they come, so that a long measurement is seen to move."""
    print(f"\n{title}")
    print(f"  {'':<52}{'ours':>10}{'peer':>10}  {'peer is':<28}goal")
    for row in rows:
        peer = f"{row.peer:10.3g}" if row.peer is not None else " " * 10
        print(f"  {row.what:<52}{row.ours:10.3g}{peer}  {row.peer_name:<28}{row.goal}", flush=True)
