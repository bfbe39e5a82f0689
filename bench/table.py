"""The tables that a person reads: kernels beside their peers, costs, targets."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence

from bench.results import Cost, Kernel, Samples, Verdict, geomean, ratio, ratios

__all__ = ["show", "costs_rows", "kernel_rows", "number", "seconds", "verdict_rows"]

Rows = list[list[str]]


def number(value: float) -> str:
    """Three digits, for people."""
    if math.isnan(value):
        return "-"
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}" if value >= 0.01 else f"{value:.1g}"


def seconds(value: float) -> str:
    """A time in the unit that suits it."""
    if math.isnan(value):
        return "-"
    for factor, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= factor:
            return f"{value / factor:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def kernel_rows(
    kernels: Sequence[Kernel], table: Mapping[str, Mapping[str, Samples]], peers: Sequence[str], by: str
) -> Rows:
    """Head, a row a kernel, and the geometric means; times in ms as wall/CPU."""
    others = [peer for peer in peers if peer != "anyhip"]
    head = ["kernel (ms, wall/CPU)", *peers, *(f"{peer}÷anyhip" for peer in others), "rate"]
    rows = [head]
    for kernel in kernels:
        samples = table.get(kernel.name, {})
        cells = [_times(samples.get(peer)) for peer in peers]
        quotients = [number(ratio(table, kernel.name, peer, by, {})) for peer in others]
        ours = samples.get("anyhip")
        wall = ours.median("wall") if ours and not ours.problem else math.nan
        rate = "-" if math.isnan(wall) else f"{number(kernel.amount / wall)} {kernel.unit}"
        rows.append([kernel.name, *cells, *quotients, rate])
    means = [number(geomean(ratios(table, peer, by))) for peer in others]
    rows.append(["geometric mean", *[""] * len(peers), *means, ""])
    return rows


def _times(samples: Samples | None) -> str:
    if samples is None:
        return ""
    if samples.problem:
        return "WRONG" if samples.wall else "failed"
    return f"{number(samples.median('wall') * 1e3)}/{number(samples.median('cpu') * 1e3)}"


def costs_rows(costs: Sequence[Cost]) -> Rows:
    """Head and a row a cost."""
    rows = [["cost", "anyhip", "beside it", ""]]
    for cost in costs:
        peer = "" if cost.peer is None else seconds(cost.peer)
        rows.append([cost.text, seconds(cost.value), peer, cost.peer_text])
    return rows


def verdict_rows(verdicts: Sequence[Verdict]) -> Rows:
    """Head and a row a target."""
    words = {True: "reached", False: "NOT reached", None: "not measured"}
    rows = [["target", "wanted", "is", ""]]
    for one in verdicts:
        target = one.target
        timed = target.measure == "value"
        show_value = seconds if timed else number
        value = "-" if one.value is None else show_value(one.value)
        measure = "" if timed else f", {target.measure.replace(':', ' over ').replace('_', ' ')}"
        what = f"{target.subject}{measure}".replace("ratio over", "time of peer over ours:")
        rows.append([what, f"{target.bound} {show_value(target.number)}", value, words[one.reached]])
    return rows


def show(rows: Rows) -> None:
    """Print a table; with rich's colours and lines on a terminal."""
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        table = Table(*rows[0])
        for row in rows[1:]:
            style = "red" if row[-1] == "NOT reached" else "green" if row[-1] == "reached" else ""
            table.add_row(*row, style=style)
        Console().print(table)
        return
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())
    print(flush=True)
